// Budgets as an administrator sets and changes them.
import { useEffect, useRef, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { Person, WHOSE, readPerson } from "../budgets.js";
import { html } from "../html.js";
import { Failure } from "../parts.js";
import { session } from "../session.js";
import { formatCost, formatOf, makeVisible, toInner } from "../words.js";

const KINDS = { soft: "Warn only", hard: "Refuse further calls" };
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

/** A budget's limit: `$5.00`, `200 tokens` */
export const sayLimit = ({ limit_usd: usd, limit_tokens: tokens }) =>
  usd === null ? formatOf(Number(tokens), "token") : formatCost(usd);

/** How often a budget begins anew: `per month`, `in all` */
export const sayPeriod = ({ period }) => (period === "total" ? "in all" : `per ${period}`);

/** What a budget does that one may not expect, as sentences; []: nothing. */
async function listDoubts(made, budgets) {
  const doubts = [];
  const same = budgets.find(
    (item) =>
      ["scope", "period", "is_hard"].every((key) => item[key] === made[key]) &&
      item.user_id === (made.user_id ?? null),
  );
  if (same) doubts.push(`It replaces the budget of ${sayLimit(same)}.`);
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

/** Which other limits hold for the one person of a budget, those that refuse first; "": none. */
export function sayOthers({ budget_id: id, user_id: user }, budgets) {
  if (!user) return "";
  const others = budgets.filter(
    (item) =>
      item.budget_id !== id && (item.scope !== "user" || [null, user].includes(item.user_id)),
  );
  const say = (item) =>
    `${sayLimit(item)} ${sayPeriod(item)}${item.user_id ? "" : ` (${toInner(WHOSE[item.scope])})`}`;
  const list = (isHard) =>
    [...new Set(others.filter((item) => item.is_hard === isHard).map(say))].join(" and ");
  const [refused, warned] = [list(true), list(false)];
  const name = makeVisible(user);
  return [
    refused && `Calls of ${name} are refused above ${refused}.`,
    warned && `Also warned of: ${warned}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

export function Others({ item, budgets }) {
  const told = sayOthers(item, budgets);
  return told && html`<p class="soft">${told}</p>`;
}

/** user: the person for whom it is asked for, "" or undefined: nobody */
export function AddBudget({ budgets, user: wanted, onSaved }) {
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState({ doubts: [] });
  const [isOne, setOne] = useState(Boolean(wanted));
  const first = useRef(null);
  useEffect(() => void (wanted && first.current.focus()), [wanted]);
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
          ref=${first}
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
          <option value="one" selected=${isOne}>One person</option>
        </select></label
      >
      ${isOne && html`<${Person} user=${wanted} />`}${pick("When it is used up", "kind", KINDS)}
      ${asked.doubts.length > 0 && html`<p class="bad" role="alert">${asked.doubts.join(" ")}</p>`}
      <button class="accent">
        ${asked.doubts.length ? "Set it all the same" : "Set the budget"}
      </button>
    </form>
    <${Failure} error=${error} />
  </section>`;
}

/** A budget's new limit, in the unit that it has, and what happens when it is used up. */
export function EditLimit({ item, onSaved, onClose }) {
  const held = useRef(null); // focused once: choosing in the other field keeps the focus there
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState({ doubts: [] });
  const name = item.limit_usd === null ? "limit_tokens" : "limit_usd";
  // In the middle of the window, where no message covers what is said of the budget.
  const hold = (field) => {
    if (!field || field === held.current) return;
    (held.current = field).focus({ preventScroll: true });
    field.closest(".budget").scrollIntoView({ block: "center" });
  };
  const save = async (event) => {
    event.preventDefault();
    const told = new FormData(event.currentTarget);
    const limit = told.get("limit");
    const of = JSON.stringify([...told]);
    const kept = ["scope", "period", "user_id", "zone", "limit_tokens", "limit_usd"];
    const made = Object.fromEntries(
      kept.filter((key) => item[key] !== null).map((key) => [key, item[key]]),
    );
    made.is_hard = told.get("kind") === "hard";
    made[name] = name === "limit_usd" ? limit : Math.round(Number(limit));
    try {
      const doubts = asked.of === of ? [] : await listDoubts(made, []);
      setAsked({ doubts, of });
      if (doubts.length) return;
      await request("PUT", "/api/budgets", made);
      // One that warns and one that refuses are two budgets: the other one goes.
      if (made.is_hard !== item.is_hard) await request("DELETE", `/api/budgets/${item.budget_id}`);
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
          ref=${hold} /></label
      ><label
        >When it is used up<select name="kind">
          ${Object.entries(KINDS).map(
            ([value, title]) =>
              html`<option
                key=${value}
                value=${value}
                selected=${(value === "hard") === item.is_hard}
              >
                ${title}
              </option>`,
          )}
        </select></label
      ><button class="accent small">${asked.doubts.length ? "Save it all the same" : "Save"}</button
      ><button type="button" class="small" onClick=${onClose}>Cancel</button>
    </form>
    ${asked.doubts.length > 0 && html`<p class="bad" role="alert">${asked.doubts.join(" ")}</p>`}
    <${Failure} error=${error} />`;
}
