// Programs' way in, and what was done here: API keys, the audit trail.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { WHOSE } from "./budgets.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import {
  Copy,
  Empty,
  Failure,
  Menu,
  More,
  Time,
  Wide,
  focusMain,
  useLoaded,
  usePages,
} from "./parts.js";
import { session } from "./session.js";
import { useSought } from "./sought.js";
import {
  clock,
  formatCost,
  formatCount,
  formatOf,
  formatTime,
  makeDates,
  makeVisible,
  toText,
  toWords,
} from "./words.js";

/** How something is changed: `change(method, path, body)` gives the answer, null where it failed. */
export function useChange(reload) {
  const [state, setState] = useState({ isBusy: false, error: null });
  const change = async (method, path, body) => {
    setState({ isBusy: true, error: null });
    try {
      const answer = await request(method, path, body);
      setState({ isBusy: false, error: null });
      reload();
      if (method === "DELETE") focusMain(); // what one held is gone
      return answer ?? {};
    } catch (error) {
      setState({ isBusy: false, error });
      return null;
    }
  };
  return { ...state, change };
}

/** What is typed into a form: `field(name)` are the properties of its input. */
export function useFields(first) {
  const [wanted, setWanted] = useState(first);
  const field = (name) => ({
    name,
    value: wanted[name],
    onInput: (event) => setWanted({ ...wanted, [name]: event.target.value }),
  });
  return [wanted, field, setWanted];
}

/** What nobody can read again. */
export const Once = ({ what, text }) =>
  html`<div role="status">
    <p><span class="good">✓</span> ${what} It is shown only once.</p>
    <div class="row">
      <pre tabindex="0">${text}</pre>
      <${Copy} text=${text} />
    </div>
  </div>`;

/** A list of what one has, what can be done with each, and how to make another. */
export const Listed = ({ title, told, error, again, isEmpty, empty, children }) =>
  html`<section class="card providers">
    <header>
      <h2>${title}</h2>
      <p class="soft">${told}</p>
    </header>
    <${Failure} error=${error} again=${again} />${
      isEmpty
        ? html`<${Empty}>${empty}</${Empty}>`
        : html`<ul class="plain">
            ${children}
          </ul>`
    }
  </section>`;

const SCOPES = { read: "Reads", write: "Reads and writes", admin: "Acts for everyone" };
const describeScope = (scopes) =>
  SCOPES[["admin", "write", "read"].find((scope) => scopes.includes(scope))];

function Key({ item, onRevoke }) {
  const isOver = new Date(item.expires_at) < new Date();
  const [style, icon, state] = item.revoked_at
    ? ["failed", "circle-x", "Revoked"]
    : isOver
      ? ["", "clock", "Expired"]
      : ["ready", "circle-check", describeScope(item.scopes)];
  return html`<li>
    <div>
      <b>${makeVisible(item.name)}</b
      ><small
        >ends with${" "}${item.ending},
        until${" "}${formatTime(item.expires_at)},${" "}${
          item.last_used_at ? html`used <${Time} at=${item.last_used_at} />` : "never used"
        }</small
      >
    </div>
    <span class=${`status ${style}`}><${Icon} name=${icon} size=${14} />${state}</span>
    ${
      !item.revoked_at &&
      !isOver &&
      html`<${Menu} title=${`Change ${makeVisible(item.name)}`} icon="ellipsis"
        ><button onClick=${onRevoke}>Revoke permanently</button></${Menu}
      >`
    }
  </li>`;
}

export function Keys() {
  const { data, error, reload } = useLoaded(() => get("/api/keys"), "");
  const [wanted, field, setWanted] = useFields({ name: "", scope: "write", days: "90" });
  const [made, setMade] = useState(null);
  const { isBusy, error: refused, change } = useChange(reload);
  const make = async (event) => {
    event.preventDefault();
    const answer = await change("POST", "/api/keys", {
      name: wanted.name.trim(),
      scopes: wanted.scope === "read" ? ["read"] : ["read", wanted.scope],
      valid_days: Number(wanted.days),
    });
    if (!answer) return;
    setMade(answer.key);
    setWanted({ ...wanted, name: "" });
  };
  return html`<${Listed}
      title="API keys"
      told="Programs use API keys to act as you. Anyone who has a key can act as you."
      error=${error}
      again=${reload}
      isEmpty=${data?.keys.length === 0}
      empty="No keys yet."
    >
      ${data?.keys.map(
        (item) =>
          html`<${Key}
            key=${item.key_id}
            item=${item}
            onRevoke=${() => change("DELETE", `/api/keys/${item.key_id}`)}
          />`,
      )}</${Listed}
    >
    <section class="card">
      <h2>New API key</h2>
      <form class="fields-form" onSubmit=${make}>
        <label class="whole">Name<input required maxlength="100" ...${field("name")} /></label>
        <label
          >Permissions<select ...${field("scope")}>
            <option value="read">read</option>
            <option value="write">read and write</option>
            ${
              session.value.is_admin &&
              html`<option value="admin">act for everyone, as an administrator</option>`
            }
          </select></label
        >
        <label
          >Valid for (days)<input
            type="number"
            min="1"
            max="36500"
            required
            ...${field("days")} /></label
        ><button class="accent" disabled=${isBusy}>Create key</button>
      </form>
      <${Failure} error=${refused} />${made && html`<${Once} what="Key created." text=${made} />`}
    </section>`;
}

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
const FROM = { http: "console or API", cli: "terminal" };
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

const describeObject = ({ about, action, target }) =>
  makeVisible(about || (action.startsWith("document.") ? target : "")) ||
  (target && `…${target.slice(-4)}`);

/** Of a budget: `$5.00 per month, everyone together, only warns`. */
const describeBudget = ({ about, details: it }) =>
  [
    `${it.limit_usd === null ? formatOf(it.limit_tokens, "token") : formatCost(it.limit_usd)} ${
      it.period === "total" ? "in all" : `per ${it.period}`
    }`,
    !about && WHOSE[it.scope]?.toLowerCase(),
    it.zone,
    it.is_hard ? "refuses calls" : "only warns",
  ]
    .filter(Boolean)
    .join(", ");

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

function Entry({ item, hrefTo }) {
  const object = describeObject(item);
  const details = makeVisible(
    item.action.startsWith("budget.") ? describeBudget(item) : describeDetails(item.details),
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
      }${" "}<small class="soft">${item.key_id ? "API key" : FROM[item.via]}</small>
    </td>
    <td class="name action">${describeDeed(item.action)}</td>
    <td class=${`name ${object ? "" : "wider"}`} title=${item.target}>${object || "–"}</td>
    <td class=${`name ${details ? "" : "wider"}`}>${details || "–"}</td>
  </tr>`;
}

/** What administrators did, the newest first, by day. Props: filters, as the address has them. */
export function Audit({ actor = "", action = "", text = "" }) {
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
                    ${entries.map((item) => html`<${Entry} key=${item.entry_id} item=${item} hrefTo=${hrefTo} />`)}
                  </tbody>`,
              )}</${Wide}
            >
            <${More} isThere=${cursor} onMore=${more} />`
    }`;
}
