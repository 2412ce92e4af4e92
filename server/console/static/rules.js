// What the assistant may do, and what that may cost: tools with who is asked, prices, budgets.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { Budget, Person, readPerson } from "./budgets.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Failure, Wide, showToast, useLoaded } from "./parts.js";
import { config, hasPack, session } from "./session.js";
import { SureButton } from "./sure.js";
import {
  describeTool,
  formatCost,
  formatMs,
  formatOf,
  formatRate,
  makeVisible,
  toWords,
} from "./words.js";

const EFFECTS = {
  read: [
    "search",
    "Only reads",
    "These tools only look things up. They change nothing and never ask for approval.",
  ],
  write: [
    "pencil",
    "Change your data",
    "A change is saved together with the answer, or not at all.",
  ],
  external: [
    "send",
    "Reach other services",
    "Other people may see the effect of these tools. Once the agent has read untrusted text, more of these tools ask you first.",
  ],
};

/** Names of settings with what they are set to. */
const findSetting = (key) => config.value.settings?.find((item) => item.key === key);

export function Tools() {
  const { data, error, reload } = useLoaded(() => get("/api/tools"), "");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  // A tool that several packs have is one row, where it does the same in each.
  const all = [
    ...new Map(data.tools.map((tool) => [`${tool.name} ${tool.needs_approval}`, tool])).entries(),
  ];
  const asking = all.filter(([, tool]) => tool.needs_approval);
  const expires = findSetting("limits.approval_s");
  return html`<section class="card remark">
      <${Icon} name="shield-check" size=${20} />
      <p>
        <b
          >${
            asking.length
              ? `${formatOf(asking.length, "tool")} ${asking.length === 1 ? "asks" : "ask"} you first.`
              : "No tool asks you first."
          }</b
        >${" "}Pending approvals are under${" "}<a href="#/approvals">Approvals</a
        >${expires && ` and expire after ${formatMs(1000 * Number(expires.value))}`}. A declined or
        expired call is not made. The pack decides which tools ask.
      </p>
    </section>
    ${Object.entries(EFFECTS).map(([effect, [icon, title, hint]]) => {
      const tools = all.filter(([, tool]) => tool.effect === effect);
      return (
        tools.length > 0 &&
        html`<section key=${effect} class="card providers">
          <h2><${Icon} name=${icon} /> ${title}</h2>
          <p class="soft">${hint}</p>
          <ul class="plain">
            ${tools.map(
              ([key, tool]) =>
                html`<li key=${key}>
                  <div>
                    <b>${describeTool(tool.name).approve ?? toWords(tool.name)}</b
                    ><small
                      ><code>${makeVisible(tool.name)}</code
                      >${tool.source === "mcp" && " from a tool server"}</small
                    >
                  </div>
                  <span class=${`status ${tool.needs_approval ? "waiting" : "succeeded"}`}
                    >${tool.needs_approval ? "Asks you first" : "Needs no approval"}</span
                  >
                </li>`,
            )}
          </ul>
        </section>`
      );
    })}`;
}

const RATES = {
  input_usd: "In",
  output_usd: "Out",
  cache_read_usd: "From cache",
  cache_write_usd: "Into cache",
  cache_write_long_usd: "Into cache, for longer",
};
const FEW = ["input_usd", "output_usd"]; // columns on a phone; the others are below the model there
const ofWidth = (name) => (FEW.includes(name) ? "" : "wider");

/** @param {{models: object[], label: string, say: Function, valid?: Function}} props
 * say: what stands beside a model's name; valid: since and until when, the second parameter: on a phone */
export const PriceTable = ({ models, label, say, valid }) =>
  html`<${Wide} label=${label}
    ><thead>
      <tr>
        <th class="name">Model</th>
        ${Object.entries(RATES).map(([name, word]) => html`<th key=${name} class=${ofWidth(name)}>${word}</th>`)}
        ${valid && html`<th class="name wider">Valid</th>`}
      </tr>
    </thead>
    <tbody>
      ${models.map(
        (item) =>
          html`<tr key=${`${item.provider}:${item.model}`}>
              <td class="name">
                ${makeVisible(item.model)}${" "}<small class="soft wider">${say(item)}</small>
              </td>
              ${Object.keys(RATES).map(
                (name) =>
                  html`<td key=${name} class=${ofWidth(name)}>${formatRate(item[name])}</td>`,
              )}
              ${valid && html`<td class="name wider">${valid(item)}</td>`}
            </tr>
            <tr key=${`few ${item.provider}:${item.model}`} class="few">
              <td class="name" colspan="3">
                <span class="rates"
                  >${Object.entries(RATES)
                    .filter(([name]) => !FEW.includes(name) && item[name] !== null)
                    .map(
                      ([name, word]) =>
                        html`<span key=${name}
                          ><small class="soft">${word.replace("Into cache, f", "F")}</small
                          >${` ${formatRate(item[name])}`}</span
                        >`,
                    )}</span
                >
                <small class="soft"
                  >${[say(item), valid?.(item, true)].filter(Boolean).join(" · ")}</small
                >
              </td>
            </tr>`,
      )}
    </tbody></${Wide}
  >`;

/** What models cost, and the lines that say it where the public list does not. */
function Prices() {
  const { data, error, reload } = useLoaded(() => get("/api/models"), "");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const unknown = data.models.find((item) => item.input_usd === null || item.output_usd === null);
  const lines = `[prices."${unknown?.id ?? "openai:a-model"}"]\ninput = 1.25\noutput = 10`;
  return html`<section class="card">
    <h2>Prices</h2>
    <p class="soft">US dollars per million tokens, from the public list or your own settings.</p>
    <${PriceTable} models=${data.models} label="prices" say=${(item) => item.provider} />
    ${
      hasPack("operations") &&
      html`<p class="row">
        <a href="#/operations.prices">All models, announced changes</a
        ><a href="#/settings/models">Models and keys</a>
      </p>`
    }
    ${
      session.value.is_admin &&
      html`<details open=${Boolean(unknown)}>
        <summary>Set a price</summary>
        <p>
          Put these lines into <code>plainloop.toml</code> and restart the service. Until then,${" "}${
            unknown
              ? html`<b>${makeVisible(unknown.model)}</b> counts`
              : "a model without a price counts"
          }${" "}in no sum and in no budget in dollars.
        </p>
        <div class="row">
          <pre tabindex="0">${lines}</pre>
          <${Copy} text=${lines}>Copy the lines</${Copy}>
        </div>
      </details>`
    }
  </section>`;
}

const PERIODS = { month: "Month", day: "Day", hour: "Hour", total: "Total" };

/** When the current period began (UTC); null: with the first call. */
function findStart(period) {
  const length = { month: 7, day: 10, hour: 13 }[period];
  const now = new Date().toISOString().slice(0, length);
  return length ? `${now}${{ month: "-01T00", day: "T00", hour: "" }[period]}:00:00Z` : null;
}

/** What is used already of a budget that is to be set; of one for each person, by whoever used most. */
async function loadUsed({ scope, period, user_id: user, limit_usd: usd }) {
  const address = withQuery("/api/usage", {
    user_id: user ?? "*",
    since: findStart(period),
    by: scope === "user" && !user ? "user" : null,
    sort: usd === undefined ? "tokens" : "cost",
    avoided: false,
    endings: false,
    caches: false,
  });
  const [row] = (await get(address)).usage;
  if (!row) return 0;
  if (usd !== undefined) return Number(row.cost_usd ?? 0);
  const kinds = ["input", "cache_read", "cache_write", "cache_write_long", "output", "reasoning"];
  return kinds.reduce((sum, kind) => sum + (row[`${kind}_tokens`] ?? 0), 0);
}

/** Whether calls of the user are in the ledger: asked by name, as a list of people has a limit. */
const hasCalls = async (user) => {
  const filter = { user_id: user, avoided: false, endings: false, caches: false };
  return (await get(withQuery("/api/usage", filter))).usage[0].calls > 0;
};

/** What a budget does that one may not expect, as sentences; []: nothing. */
async function listDoubts(made, budgets) {
  const doubts = [];
  const same = budgets.find(
    (item) =>
      ["scope", "period", "is_hard"].every((key) => item[key] === made[key]) &&
      item.user_id === (made.user_id ?? null),
  );
  const say = (usd, tokens) => (usd === null ? formatOf(tokens, "token") : formatCost(usd));
  if (same) doubts.push(`It replaces the budget of ${say(same.limit_usd, same.limit_tokens)}.`);
  if (made.is_hard) {
    const used = await loadUsed(made);
    const limit = Number(made.limit_usd ?? made.limit_tokens);
    if (used >= limit) {
      const amount = made.limit_usd === undefined ? formatOf(used, "token") : formatCost(used);
      const verb = made.limit_usd === undefined ? "are used" : "is spent";
      const isEach = made.scope === "user" && !made.user_id && limit > 0;
      const whose = isEach
        ? "that person's calls"
        : `every call${made.user_id ? ` of ${makeVisible(made.user_id)}` : ""}`;
      doubts.push(
        `${amount} ${verb} already${isEach ? " by one person" : ""}: ${whose} would be refused from now.`,
      );
    }
  }
  return doubts;
}

function AddBudget({ budgets, onSaved }) {
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState({ doubts: [] });
  const [isOne, setOne] = useState(false);
  const save = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const told = Object.fromEntries(new FormData(form));
    const limit =
      told.unit === "usd"
        ? { limit_usd: told.limit }
        : { limit_tokens: Math.round(Number(told.limit)) };
    const user = readPerson(told.user);
    const made = {
      scope: user ? "user" : told.scope,
      period: told.period,
      is_hard: told.kind === "hard",
      ...(user && { user_id: user }),
      ...limit,
    };
    const of = JSON.stringify(made);
    try {
      const doubts = asked.of === of ? [] : await listDoubts(made, budgets);
      const isNew = user && user !== session.value.user_id && asked.of !== of;
      if (isNew && !(await hasCalls(user)))
        doubts.push(
          `${makeVisible(user)} has not used the service yet: is the name spelled correctly?`,
        );
      setAsked({ doubts, of });
      if (doubts.length) return;
      const { note } = await request("PUT", "/api/budgets", made);
      form.reset();
      setAsked({ doubts: [] });
      setOne(false);
      setError(null);
      onSaved(note ?? "Budget saved");
    } catch (failure) {
      setError(failure);
    }
  };
  const pick = (label, name, options) =>
    html`<label
      >${label}<select name=${name}>
        ${Object.entries(options).map(([value, title]) => html`<option key=${value} value=${value}>${title}</option>`)}
      </select></label
    >`;
  return html`<section class="card">
    <h2>Set a budget</h2>
    <form class="fields-form" onSubmit=${save} onInput=${() => setAsked({ doubts: [] })}>
      <label
        >Limit<input
          name="limit"
          type="number"
          min="0"
          step="any"
          required
          inputmode="decimal" /></label
      >${pick("Unit", "unit", { usd: "US dollars", tokens: "Tokens" })}
      ${pick("Period", "period", PERIODS)}<label
        >Applies to<select name="scope" onChange=${(event) => setOne(event.target.value === "one")}>
          <option value="tenant">Everyone together</option>
          <option value="user">Each person separately</option>
          <option value="one">One person</option>
        </select></label
      >
      ${isOne && html`<${Person} />`}${pick("When it is used up", "kind", {
        hard: "Refuse further calls",
        soft: "Warn only",
      })}
      ${asked.doubts.length > 0 && html`<p class="bad" role="alert">${asked.doubts.join(" ")}</p>`}
      <button class="accent">
        ${asked.doubts.length ? "Set it all the same" : "Set the budget"}
      </button>
    </form>
    <${Failure} error=${error} />
  </section>`;
}

/** A budget's new limit, in the unit that it has. */
function EditLimit({ item, onSaved, onClose }) {
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState({ doubts: [] });
  const name = item.limit_usd === null ? "limit_tokens" : "limit_usd";
  const save = async (event) => {
    event.preventDefault();
    const limit = new FormData(event.currentTarget).get("limit");
    const kept = ["scope", "period", "is_hard", "user_id", "zone", "limit_tokens", "limit_usd"];
    const made = Object.fromEntries(
      kept.filter((key) => item[key] !== null).map((key) => [key, item[key]]),
    );
    made[name] = name === "limit_usd" ? limit : Math.round(Number(limit));
    try {
      const doubts = asked.of === limit ? [] : await listDoubts(made, []);
      setAsked({ doubts, of: limit });
      if (doubts.length) return;
      await request("PUT", "/api/budgets", made);
      onSaved("Budget saved");
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<form class="row at-end" onSubmit=${save} onInput=${() => setAsked({ doubts: [] })}>
      <label
        >Limit in ${name === "limit_usd" ? "US dollars" : "tokens"}<input
          name="limit"
          type="number"
          min="0"
          step="any"
          required
          inputmode="decimal"
          defaultValue=${Number(item[name])}
          ref=${(field) => field?.focus()} /></label
      ><button class="accent small">${asked.doubts.length ? "Save it all the same" : "Save"}</button
      ><button type="button" class="small" onClick=${onClose}>Cancel</button>
    </form>
    ${asked.doubts.length > 0 && html`<p class="bad" role="alert">${asked.doubts.join(" ")}</p>`}
    <${Failure} error=${error} />`;
}

export function Limits() {
  const { data, error, reload } = useLoaded(() => get("/api/budgets"), "");
  const [failure, setFailure] = useState(null);
  const [edited, setEdited] = useState(null);
  const onSaved = (text) => (showToast(text), setEdited(null), reload());
  const remove = (item) =>
    request("DELETE", `/api/budgets/${item.budget_id}`).then(
      () => (showToast("Budget removed"), setFailure(null), reload()),
      setFailure,
    );
  const isAdmin = session.value.is_admin;
  return html`<section class="card budgets">
      <h2>Budgets</h2>
      <${Failure} error=${error ?? failure} again=${error && reload} />
      ${data?.budgets.length === 0 && html`<p class="soft">No budgets yet: only the limits of single runs apply.</p>`}
      ${data?.budgets.map((item) => {
        // One of each person stands once, with each person's part below it.
        const all = data.budgets.filter(({ budget_id: id }) => id === item.budget_id);
        return (
          all[0] === item &&
          html`<${Budget} key=${item.budget_id} item=${item}
            >${all.slice(1).map((one) => html`<${Budget} key=${one.subject} item=${one} isShort />`)}${
              isAdmin &&
              (edited === item.budget_id
                ? html`<${EditLimit}
                    item=${item}
                    onSaved=${onSaved}
                    onClose=${() => setEdited(null)}
                  />`
                : html`<p class="row">
                    <button class="small" onClick=${() => setEdited(item.budget_id)}>
                      <${Icon} name="pencil" size=${14} />Edit</button
                    ><${SureButton}
                      name="Remove"
                      question="Really remove it?"
                      style="small"
                      onSure=${() => remove(item)}
                    />
                  </p>`)
            }</${Budget}
          >`
        );
      })}
    </section>
    ${isAdmin && html`<${AddBudget} budgets=${data?.budgets ?? []} onSaved=${onSaved} />`}<${Prices} />`;
}
