// All settings that the service runs with, for administrators.
import { useState } from "../vendor.js";
import { get } from "../api.js";
import { html } from "../html.js";
import { Failure, useLoaded } from "../parts.js";
import { formatCount, formatOf, makeVisible, toWords } from "../words.js";

const TIMES = [
  ["days", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
];
const SIZES = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
  ["B", 1],
];
const COUNTED = { tokens: "token", chars: "character", days: "day", pages: "page" };

/** `864000.0` → `10 days`: in the largest unit that divides it; of days there are two or more. */
function formatSeconds(seconds) {
  const [unit, size] = TIMES.find(
    ([name, size]) => seconds % size === 0 && seconds >= size * (name === "days" ? 2 : 1),
  ) ?? ["s", 1];
  return `${formatCount(seconds / size)} ${unit}`;
}

function formatBytes(bytes) {
  const [unit, size] = SIZES.find(([, size]) => bytes >= size) ?? SIZES.at(-1);
  return `${formatCount(Number((bytes / size).toPrecision(3)))} ${unit}`;
}

/** A setting's value with its unit, which its name or its description has. */
function formatValue(key, value, help) {
  if (value === "true" || value === "false") return value === "true" ? "On" : "Off";
  if (!/^\d+(\.\d+)?$/.test(value)) return value.replaceAll(/,(?! )/g, ", ");
  const number = Number(value);
  const unit = key.split("_").at(-1);
  if (help.startsWith("share")) return `${formatCount(100 * number)}%`;
  if (unit === "s") return formatSeconds(number);
  if (unit === "ms") return `${formatCount(number)} ms`;
  if (unit === "bytes") return formatBytes(number);
  if (key.endsWith("_per_minute")) return `${formatCount(number)} per minute`;
  if (COUNTED[unit]) return formatOf(number, COUNTED[unit]);
  return /port|ai_sdk/.test(key) ? value : formatCount(number);
}

const SOURCES = { environment: "environment", file: "plainloop.toml" };

/** `max. seconds for one tool call` → `Max. time for one tool call`: its value has the unit. */
function describeSetting(help, unit) {
  const text = help.replaceAll("`", "");
  const words = unit === "s" ? text.replace(/\bseconds\b/, "time") : text;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNIT = /_(s|ms|bytes)$/; // of a setting's name; its value has it

/** What it is, its name and where it is set; and its value. */
function Setting({ item: { key, variable, value, source, help, default: usual } }) {
  const shown = formatValue(key, value, help);
  const isNumber = shown !== value && Number(value) >= 0;
  const rest = [
    SOURCES[source],
    source !== "default" && usual && `default ${formatValue(key, usual, help)}`,
  ].filter(Boolean);
  return html`<li>
    <div>
      <span
        ><b>${makeVisible(toWords(key.split(".").at(-1).replace(UNIT, "")))}</b
        >${`: ${makeVisible(describeSetting(help, key.split("_").at(-1)))}`}</span
      ><small
        ><code title=${variable}>${makeVisible(isNumber ? `${key} = ${value}` : key)}</code
        >${rest.map((word) => ` · ${makeVisible(word)}`)}</small
      >
    </div>
    ${value ? html`<b>${makeVisible(shown)}</b>` : html`<span class="soft">unset</span>`}
  </li>`;
}

/** Every setting with its value and where it is set. */
export function Screen() {
  const { data, error, reload } = useLoaded(
    () => Promise.all([get("/api/health"), get("/api/config")]),
    "",
  );
  const [sought, setSought] = useState("");
  const [isChanged, setChanged] = useState(true);
  const all = data?.[1].settings ?? [];
  const shown = all.filter(
    (item) =>
      (!isChanged || item.source !== "default") &&
      `${item.key} ${item.value} ${item.help}`.toLowerCase().includes(sought.toLowerCase()),
  );
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const groups = Object.groupBy(shown, ({ key }) => key.slice(0, key.lastIndexOf(".") + 1));
  return html`<p class="soft">
      Version${" "}${data[0].version}. Settings are read when the service starts:
      from${" "}<code>plainloop.toml</code>,${" "}<code>.env</code>${" "}and the environment.
      Secrets are masked.
    </p>
    <div role="search" class="search">
      <label class="only-read" for="search">Search settings</label
      ><input
        type="search"
        id="search"
        placeholder="Search settings"
        value=${sought}
        onInput=${(event) => setSought(event.target.value)}
      />
      <label class="check"
        ><input type="checkbox" checked=${isChanged} onChange=${() => setChanged(!isChanged)} />Only
        changed</label
      >
    </div>
    ${
      shown.length === 0 &&
      html`<p class="empty">
        ${sought ? "No setting matches." : "All settings are at their defaults."}
      </p>`
    }
    ${Object.entries(groups).map(
      ([table, items]) =>
        html`<section key=${table} class="card providers">
          <h2>${table ? makeVisible(toWords(table.slice(0, -1))) : "General"}</h2>
          <ul class="plain">
            ${items.map((item) => html`<${Setting} key=${item.key} item=${item} />`)}
          </ul>
        </section>`,
    )}`;
}
