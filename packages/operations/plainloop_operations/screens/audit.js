// The audit trail, for administrators: what they did, by day.
import { get, withQuery } from "../api.js";
import { WHOSE } from "../budgets.js";
import { html } from "../html.js";
import { Empty, Failure, More, Wide, usePages } from "../parts.js";
import { useSought } from "../sought.js";
import {
  clock,
  formatCount,
  formatTime,
  makeDates,
  makeVisible,
  toText,
  toWords,
} from "../words.js";
import { sayLimit, sayPeriod } from "./limits.js";
import "./style.js";

const PAGE = 50; // entries at once
const ofDay = makeDates({ dateStyle: "medium" });
/** The day of a moment, where one is: `Today`, `Yesterday`, `Jan 22, 2027` */
function nameDay(iso, now = new Date()) {
  const at = new Date(iso);
  const isOn = (days) =>
    at.toDateString() ===
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toDateString();
  return isOn(0) ? "Today" : isOn(1) ? "Yesterday" : ofDay.format(at);
}

const DONE = {
  save: "saved",
  delete: "deleted",
  create: "created",
  revoke: "revoked",
  erase: "erased",
  export: "exported",
  release: "released",
  enable: "enabled",
  pause: "paused",
  resume: "resumed",
};
const NOUNS = { key: "API key", user: "User’s data" };
// Of each kind of object, what is done to it.
const DEEDS = {
  budget: ["save", "delete"],
  key: ["create", "revoke"],
  webhook: ["create", "enable", "delete"],
  schedule: ["create", "pause", "resume", "delete"],
  document: ["save", "delete"],
  user: ["erase"],
  tenant: ["export", "release"],
};

function describeDeed(action) {
  const [what, verb] = action.split(".");
  return `${NOUNS[what] ?? toWords(what)} ${DONE[verb] ?? verb}`;
}

const describeObject = ({ about, action, target, details }) =>
  makeVisible(about || (action.startsWith("document.") ? target : "")) ||
  (action.startsWith("budget.") && WHOSE[details.scope]) ||
  (target && `…${target.slice(-4)}`);

/** Of a budget: `$5.00 → $8.00 per month, only warns`. before: its details when it was last saved */
function describeBudget({ details: it }, before) {
  const [old, now] = [before && sayLimit(before), sayLimit(it)];
  return [
    `${old && old !== now ? `${old} → ` : ""}${now} ${sayPeriod(it)}`,
    it.zone,
    it.is_hard ? "refuses calls" : "only warns",
  ]
    .filter(Boolean)
    .join(", ");
}

const describeDetails = (details) =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(
      ([name, value]) =>
        `${toWords(name.replace(/^is_/, ""))}: ${
          Array.isArray(value)
            ? value.join(", ")
            : typeof value === "boolean"
              ? value
                ? "yes"
                : "no"
              : toText(value)
        }`,
    )
    .join("; ");

/** Which entries are shown: `chosen` stands in the address. */
function Filters({ chosen, go }) {
  const [actor, setActor] = useSought(chosen.actor, (found) => go({ actor: found }));
  const [text, setText] = useSought(chosen.text, (found) => go({ text: found }));
  const search = (label, value, set, id) =>
    html`<input
      type="search"
      id=${id}
      aria-label=${label}
      placeholder=${label}
      maxlength="200"
      value=${value}
      onInput=${(event) => set(event.target.value)}
    />`;
  return html`<div role="search" class="search audit-filter" aria-label="Audit trail">
    ${search("Search objects and details", text, setText, "search")}
    <select
      aria-label="Action"
      value=${chosen.action}
      onChange=${({ target }) => go({ action: target.value })}
    >
      <option value="">All actions</option>
      ${Object.entries(DEEDS).map(
        ([what, verbs]) =>
          html`<optgroup key=${what} label=${NOUNS[what] ?? toWords(what)}>
            ${verbs.length > 1 && html`<option value=${what}>${NOUNS[what] ?? toWords(what)}: all</option>`}
            ${verbs.map((verb) => html`<option key=${verb} value=${`${what}.${verb}`}>${describeDeed(`${what}.${verb}`)}</option>`)}
          </optgroup>`,
      )}
    </select>
    ${search("By whom", actor, setActor)}
  </div>`;
}

function Entry({ item, before, hrefTo }) {
  const object = describeObject(item);
  const details = makeVisible(
    item.action.startsWith("budget.")
      ? describeBudget(item, before)
      : describeDetails(item.details),
  );
  return html`<tr class="deed">
    <td class="name at">
      <time datetime=${item.at} title=${formatTime(item.at)}
        >${clock.format(Date.parse(item.at))}</time
      >
    </td>
    <td class="name">
      ${
        item.actor
          ? html`<a
              href=${hrefTo({ actor: item.actor })}
              title=${`Only what ${makeVisible(item.actor)} did`}
              >${makeVisible(item.actor)}</a
            >`
          : "erased"
      }${" "}<small class="soft"
        >${item.key_id ? "API key" : item.via === "cli" && "terminal"}</small
      >
    </td>
    <td class="name action">${describeDeed(item.action)}</td>
    <td class=${`name ${object ? "" : "wider"}`} title=${item.target}>${object || "–"}</td>
    <td class=${`name ${details ? "" : "wider"}`}>${details || "–"}</td>
  </tr>`;
}

/** What administrators did, the newest first, by day. Props: filters, as the address has them. */
export function Screen({ actor = "", action = "", text = "" }) {
  const chosen = { actor, action, text };
  const hrefTo = (change) => withQuery("#/settings/audit", { ...chosen, ...change });
  const load = async (before) => {
    const { entries } = await get(withQuery("/api/audit", { ...chosen, before, limit: PAGE }));
    return {
      rows: entries,
      cursor: entries.length === PAGE ? entries.at(-1).entry_id : null,
    };
  };
  const { rows, cursor, error, isLoading, more } = usePages(load, JSON.stringify(chosen));
  const isChosen = Object.values(chosen).some(Boolean);
  // What a budget was before, where its last entry is listed too: a search may leave that out.
  const findBefore = (item) =>
    item.action === "budget.save" &&
    !actor &&
    !text &&
    rows
      .slice(rows.indexOf(item) + 1)
      .find(({ action: done, target }) => done === item.action && target === item.target)?.details;
  const days = Object.groupBy(rows, (item) => nameDay(item.at));
  return html`<div class="row spread">
      <p class="soft">What administrators did. No entry can be changed.</p>
      <a class="button small" href=${withQuery("/api/audit", { ...chosen, format: "csv" })}
        >${isChosen ? "These" : "All"} as CSV</a
      >
    </div>
    <${Filters} chosen=${chosen} go=${(change) => (location.hash = hrefTo(change))} />
    <p class="row soft" role="status">
      ${
        isChosen &&
        !isLoading &&
        html`${rows.length === 1 ? "1 entry matches" : `${formatCount(rows.length)}${cursor ? " or more" : ""} entries match`}
          <a href="#/settings/audit">Clear filters</a>`
      }
    </p>
    <${Failure} error=${error} again=${more} />
    ${
      rows.length === 0
        ? !isLoading && !error && !isChosen && html`<${Empty}>No entries yet.</${Empty}>`
        : html`<${Wide} label="audit trail"
              ><thead>
                <tr>
                  <th class="name">Time</th>
                  <th class="name">Who</th>
                  <th class="name">Action</th>
                  <th class="name">Object</th>
                  <th class="name">Details</th>
                </tr>
              </thead>
              ${Object.entries(days).map(
                ([day, entries]) =>
                  html`<tbody key=${day}>
                    <tr class="day">
                      <th class="name" colspan="5" scope="rowgroup">${day}</th>
                    </tr>
                    ${entries.map((item) => html`<${Entry} key=${item.entry_id} item=${item} before=${findBefore(item)} hrefTo=${hrefTo} />`)}
                  </tbody>`,
              )}</${Wide}
            >
            <${More} isThere=${cursor} onMore=${more} />`
    }`;
}
