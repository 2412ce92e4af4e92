// Everyone who used the service, for administrators: when last, how much, and within which budget.
import { useState } from "../vendor.js";
import { get, withQuery } from "../api.js";
import { namePerson } from "../budgets.js";
import { html } from "../html.js";
import { Failure, More, Wide, useLoaded } from "../parts.js";
import { session } from "../session.js";
import { getAll, getCost, toDay } from "../usage_data.js";
import { formatCost, formatCount, formatDate, formatOf } from "../words.js";
import { sayPeriod } from "./limits.js";
import "./style.js";

const DAY_MS = 86_400_000;
const DAYS = 30;
const SHOWN = 20; // at first; more of them can be searched
const NO_MORE = { avoided: false, endings: false, caches: false };

/** Of a budget the share that is used, and what that is of what. */
function readUse(item) {
  const isUsd = item.limit_usd !== null;
  const [used, limit] = ["used", "limit"].map((of) =>
    Number(item[`${of}_${isUsd ? "usd" : "tokens"}`]),
  );
  const text = isUsd
    ? `${formatCost(used)} of ${formatCost(limit)}`
    : `${formatCount(used)} of ${formatOf(limit, "token")}`;
  const share = limit ? used / limit : 1;
  return { share, text: `${text} ${sayPeriod(item)}`, isHard: item.is_hard };
}

/** Each person's last day, answers, cost of this month and budgets, the highest cost first. */
async function loadPeople() {
  const now = Date.now();
  const month = `${toDay(now).slice(0, 7)}-01`;
  const since = toDay(now - DAYS * DAY_MS);
  const of = (more) => withQuery("/api/usage", { user_id: "*", ...NO_MORE, ...more });
  const [ever, days, { runs }, { budgets }, { conversations }] = await Promise.all([
    getAll({ by: "user", user_id: "*" }),
    getAll({ by: "user,day", user_id: "*", since: `${since < month ? since : month}T00:00:00Z` }),
    get(of({ by: "user", since: `${since}T00:00:00Z`, origin: "own", runs: true, limit: 1 })),
    get("/api/budgets"),
    get("/api/chat/conversations?user_id=*&limit=100"), // also those that rules answered, without a call
  ]);
  const people = new Map();
  const find = (user) => {
    if (!people.has(user)) people.set(user, { user, last: null, answers: 0, cost: 0, budgets: [] });
    return people.get(user);
  };
  find(session.value.user_id);
  for (const { user, calls } of ever) if (user && calls) find(user).last = "";
  for (const { user_id: user, updated_at: at } of conversations) {
    const person = find(user);
    if (toDay(at) > (person.last ?? "")) person.last = toDay(at);
  }
  for (const row of days.filter(({ user, calls }) => user && calls)) {
    const person = find(row.user);
    if (row.day > (person.last ?? "")) person.last = row.day;
    if (row.day >= month) person.cost += getCost(row);
  }
  for (const row of runs) if (row.user) find(row.user).answers = row.runs;
  for (const item of budgets) {
    const user = item.scope === "user" && (item.user_id ?? item.subject);
    if (user) find(user).budgets.push(readUse(item));
  }
  const listed = [...people.values()];
  for (const { budgets: own } of listed)
    own.sort((a, b) => b.isHard - a.isHard || b.share - a.share);
  return { month, listed: listed.sort((a, b) => b.cost - a.cost || a.user.localeCompare(b.user)) };
}

/** Of the last day with a message: `Today`, `Yesterday`, `Nov 17, 2026`; of none in reach that there is none. */
function sayLast(day) {
  if (day === null) return "–";
  if (day === "") return `Over ${DAYS} days ago`;
  const ago = Math.round((Date.parse(toDay(Date.now())) - Date.parse(day)) / DAY_MS);
  return ["Today", "Yesterday"][ago] ?? formatDate(`${day}T12:00`);
}

const sayBudget = ({ text, isHard }) => `${text}, ${isHard ? "refuses" : "only warns"}`;

function Row({ person, month }) {
  const { user, last, answers, cost, budgets } = person;
  const usage = (more) => withQuery("#/usage", { everybody: 1, user_id: user, ...more });
  const [budget] = budgets;
  const isYou = user === session.value.user_id;
  const tone = !budget || budget.share < 0.9 ? "ok" : budget.share < 1 ? "warn" : "bad";
  return html`<tr>
    <td class="name" data-head="Person">
      <span
        ><a href=${usage({ by: "chat", from: month })}>${namePerson(user)}</a
        >${isYou && html`<small class="soft">you, administrator</small>`}</span
      >
    </td>
    <td class="name" data-head="Last active">${sayLast(last)}</td>
    <td data-head=${`Answers, ${DAYS} d`}>
      ${answers ? html`<a href=${usage({ by: "run" })}>${formatCount(answers)}</a>` : "0"}<span
        class="few"
        >${` ${answers === 1 ? "answer" : "answers"} in ${DAYS} days`}</span
      >
    </td>
    <td data-head="Cost this month">${formatCost(cost)}</td>
    <td class="name" data-head="Budget">
      <span class="budget">
        ${
          budget &&
          html`<svg class=${`axis ${tone}`} width="100%" height="8" aria-hidden="true">
            <rect class="ground" rx="4" width="100%" height="8" />
            <rect class="used" rx="4" width=${`${Math.min(100, 100 * budget.share)}%`} height="8" />
          </svg>`
        }<span class="row spread"
          ><span>${budget ? sayBudget(budget) : "none of their own"}</span
          ><a
            href=${withQuery("#/settings/prices", { user })}
            aria-label=${`Set a budget for ${namePerson(user)}`}
            >Set a budget</a
          ></span
        >${budgets.slice(1).map((item) => html`<small class="soft">${sayBudget(item)}</small>`)}
      </span>
    </td>
  </tr>`;
}

export function People() {
  const { data, error, reload } = useLoaded(loadPeople, "");
  const [text, setText] = useState("");
  const [most, setMost] = useState(SHOWN);
  const all = data?.listed ?? [];
  const sought = text.trim().toLowerCase();
  const found = all.filter(({ user }) => namePerson(user).toLowerCase().includes(sought));
  return html`<section class="card people">
    <header>
      <h2>People${data && ` · ${formatCount(all.length)}`}</h2>
      <p class="soft">
        Everyone who used the service or has a budget. Accounts and roles are kept where people sign
        in, not here.
      </p>
    </header>
    <${Failure} isWaiting=${!data} error=${error} again=${reload} />
    ${
      all.length > SHOWN &&
      html`<input
        type="search"
        aria-label="Find a person"
        placeholder="Find a person"
        value=${text}
        onInput=${(event) => setText(event.target.value)}
      />`
    }
    ${
      data &&
      html`<${Wide} isStacked label="people"
          ><thead>
            <tr>
              <th class="name">Person</th>
              <th class="name">Last active</th>
              <th>Answers, ${DAYS} days</th>
              <th>Cost this month</th>
              <th class="name">Budget</th>
            </tr>
          </thead>
          <tbody>
            ${found.slice(0, most).map((person) => html`<${Row} key=${person.user} person=${person} month=${data.month} />`)}
          </tbody></${Wide}
        >${found.length === 0 && html`<p class="soft" role="status">Nobody has such a name.</p>`}
        ${found.length > SHOWN && html`<p><${More} isThere=${found.length > most} onMore=${() => setMost(most + SHOWN)} /></p>`}`
    }
  </section>`;
}
