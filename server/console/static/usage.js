// What was used, by whom and for what: every number is the ledger's, and leads to its runs.
import { useEffect, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Budgets, Person, readPerson } from "./budgets.js";
import { Changes } from "./changes.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Menu, More, Segmented, Wide, useLoaded } from "./parts.js";
import { config, hasPack, isLocal, keepLook, session } from "./session.js";
import {
  Chart,
  MEASURES,
  SHORTER,
  Tiles,
  colourOf,
  formatMany,
  formatShare,
  getFirst,
  listTimes,
  rankNames,
} from "./usage_chart.js";
import {
  GROUPS,
  READ,
  REPLAYS,
  UNIT_MS,
  askApart,
  getCost,
  getInput,
  getLost,
  getPeriod,
  getTokens,
  loadBefore,
  loadUsage,
  sayLost,
  sum,
  toParameter,
  toQuery,
} from "./usage_data.js";
import {
  clock,
  describeNode,
  formatCost,
  formatCount,
  formatDate,
  formatMoment,
  formatMs,
  formatOf,
  makeDates,
  makeVisible,
  nameChat,
  toWords,
} from "./words.js";

/** By cost; where nothing has a price, by tokens. */
const weigh = (row) => getCost(row) + getTokens(row) / 1e15;
const PAGE = 20; // rows at once
const MOST_LABEL = 80; // characters: one line

const TABS = ["model", "feature", "user", "tag"];
const FILTERS = [...GROUPS.filter((group) => group !== "day" && group !== "run"), "price"].map(
  toParameter,
);
const TITLES = {
  user: "Person",
  worker: "Worker",
  node: "Step",
  role: "Role of the call",
  requested: "Model requested",
};
const NAMED = ["feature", "worker"]; // as the pack calls them
const SPANS = { 1: "24 h", 7: "7 days", 30: "30 days", 90: "90 days" };
const COLUMNS = {
  cost: [
    "Cost",
    getCost,
    (row) =>
      row.unpriced_calls === row.calls && row.calls > 0 ? "unknown" : formatCost(getCost(row)),
  ],
  calls: ["Calls", READ.calls, (row) => formatCount(row.calls)],
  tokens: ["Tokens", getTokens, (row) => formatMany(getTokens(row))],
  cache: [
    "From cache",
    (row) => row.cache_read_tokens / Math.max(1, getInput(row)),
    (row) => formatShare(row.cache_read_tokens, getInput(row)),
  ],
  lost: ["Lost", getLost, (row) => sayLost(row) || "–"],
};
const SLOWEST = "Slowest 5%";

const NONE = {
  chat: "Without a chat",
  worker: "Sorting of requests",
  run: "Without a run",
  node: "Outside of runs", // titles, memories, files
};
const IMPORTED = { react: "Imported answers", "react.tools": "Imported tool calls" };

const OWN_WORDS = { replays: "Experiments", replay: "Experiments", own: "All but experiments" };

/** As a trace names it, and whose step it is: `Checked the answer · Titles` */
const sayStep = (node) =>
  IMPORTED[node] ??
  (node.includes(".")
    ? `${describeNode(node)} · ${toWords(node.split(".")[0])}`
    : describeNode(node));

/** Whether a chat or run is another person's, whose content nobody else may read. */
const isOthers = (known) => known?.user_id && known.user_id !== session.value.user_id;

/** chats: what is known of chats and runs, by id */
const sayName = (value, by, chats) =>
  value === REPLAYS
    ? OWN_WORDS.replays
    : value && by === "node"
      ? sayStep(value)
      : ["purpose", "origin"].includes(by) && OWN_WORDS[value]
        ? OWN_WORDS[value]
        : value && [...NAMED, "role", "status", "origin", "purpose", "price"].includes(by)
          ? toWords(value)
          : chats.has(value)
            ? nameChat({
                ...chats.get(value),
                ...(chats.get(value).kind === "parse" && { title: null }),
              })
            : String(value || (NONE[by] ?? "–"));

/** Where it went: shares of what it cost, how that changed, and each row leading to its runs. */
function Groups({ by, data, chats, then, isCompared, names, split, sort, hrefTo, hrefOf, leads }) {
  const { usage, latency, next_cursor: more } = data.groups;
  const times = new Map(latency.map((row) => [row[by], row.duration_ms_p95]));
  const old = then?.groups && new Map(then.groups.map((row) => [row[by], getCost(row)]));
  const hasChange = isCompared && by !== "run";
  const read = COLUMNS[sort]?.[1] ?? ((row) => times.get(row[by]) ?? 0);
  const rows = [...usage].sort((a, b) => read(b) - read(a) || getCost(b) - getCost(a));
  const whole = sum(usage, getCost);
  const [most, setMost] = useState(PAGE);
  const heading = useRef(null);
  useEffect(() => {
    if (!leads.current) return;
    leads.current = false; // what was pressed above shows its rows here
    heading.current.scrollIntoView();
    heading.current.focus({ preventScroll: true });
  }, []);
  const orders = {
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, [word]]) => [name, word])),
    ...(by !== "run" && { slow: SLOWEST }),
  };
  const shorten = (text) =>
    text.length > MOST_LABEL ? `${text.slice(0, MOST_LABEL).trimEnd()}…` : text;
  const head = (name, word) =>
    html`<th key=${name} class=${`${name} number`} aria-sort=${sort === name ? "descending" : null}>
      <a
        href=${hrefTo({ sort: name === "cost" ? null : name })}
        title=${`Largest first by ${word.toLowerCase()}`}
        >${word}${sort === name && html`<${Icon} name="arrow-down" size=${14} />`}</a
      >
    </th>`;
  const tabs = TABS.filter((name) => name !== "user" || session.value?.is_admin);
  const others = GROUPS.filter((name) => !tabs.includes(name));
  const title = (name) => TITLES[name] ?? toWords(name);
  return html`<section class="card went">
    <header class="row spread">
      <h2 tabindex="-1" ref=${heading}>
        ${sort === "lost" ? "What caches lost" : "Where the cost arose"}
      </h2>
      <div class="row">
        <${Segmented}
          label="Split by"
          views=${tabs.map((name) => [
            title(name),
            hrefTo({ by: name === "model" ? null : name }),
            name === by,
          ])}
        />
        <${Menu} label=${others.includes(by) ? title(by) : "More"} title="Split by"
          >${others.map(
            (name) =>
              html`<a
                key=${name}
                href=${hrefTo({ by: name })}
                aria-current=${name === by ? "true" : null}
                >${title(name)}</a
              >`,
          )}</${Menu}
        >
      </div>
    </header>
    <label class="order"
      >Largest first by${" "}<select
        value=${sort in orders ? sort : "cost"}
        onChange=${(event) => (location.hash = hrefTo({ sort: event.target.value }))}
      >
        ${Object.entries(orders).map(([name, word]) => html`<option key=${name} value=${name}>${word}</option>`)}
      </select></label
    >
    <${Wide} label=${`usage by ${by}`}
      ><thead>
        <tr>
          <th class="name">${title(by)}</th>
          <th class="name share">Share of cost</th>
          ${head("cost", "Cost")}${
            hasChange && html`<th class="number changed">Change</th>`
          }${head("calls", "Calls")}${head("tokens", "Tokens")}${head("cache", "From cache")}${sort === "lost" && head("lost", "Lost")}${
            by !== "run" && head("slow", SLOWEST)
          }
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, most).map((row) => {
          const [name, runs, part] = [
            makeVisible(shorten(sayName(row[by], by, chats))),
            hrefOf(row),
            whole ? getCost(row) / whole : 0,
          ];
          const known = chats.get(row[by]);
          const chat = by === "chat" && known;
          const colour = by === split ? colourOf(names, row[by] ?? "–") : "c0";
          const few = {
            cost: `${formatShare(part, 1)} of the cost`,
            calls: formatOf(row.calls, "call"),
            tokens: `${COLUMNS.tokens[2](row)} tokens`,
            cache: `${COLUMNS.cache[2](row)} from cache`,
            lost: sort === "lost" && getLost(row) > 0 && `lost ${COLUMNS.lost[2](row)}`,
            slow: sort === "slow" && `slowest 5% ${formatMs(times.get(row[by]))}`,
          };
          const { [sort]: first, ...others } = few;
          return html`<tr
            key=${row[by]}
            class=${runs ? "opens" : null}
            onClick=${({ target }) => runs && !target.closest("a") && (location.hash = runs)}
          >
            <td class="name">
              ${
                by === split &&
                html`<i
                  class=${`swatch ${colour} ${row.unpriced_calls === row.calls ? "unpriced" : ""}`}
                ></i>`
              }${runs ? html`<a href=${runs}>${name}</a>` : name}
              <small class="few soft"
                >${first && html`<b class=${sort}>${first}</b>${" · "}`}${Object.values(others)
                  .filter(Boolean)
                  .join(" · ")}</small
              >
              ${
                ["chat", "run"].includes(by) &&
                html`<small
                  >${chat?.versions > 1 && `${chat.versions} versions, ${formatCost(chat.hidden_usd ?? 0)} in earlier ones · `}${
                    typeof chat?.title === "string" &&
                    html`<a href=${`#/chat/${chat.newest_id}`}>Open chat</a> · `
                  }${
                    typeof known?.title === "string" && formatMoment(known.created_at)
                  }${isOthers(known) && `Only ${makeVisible(known.user_id)} can open it`}${
                    !row[by] && "Titles, files, deleted chats"
                  }</small
                >`
              }
            </td>
            <td class="share">
              <svg class="axis share-bar" width="100%" height="8" aria-hidden="true">
                <rect class="ground" rx="4" width="100%" height="8" />
                <rect class=${colour} rx="4" width=${`${100 * part}%`} height="8" /></svg
              ><span>${formatShare(part, 1)}</span>
            </td>
            <td class="cost">${COLUMNS.cost[2](row)}</td>
            ${hasChange && html`<td>${old && describeChange(getCost(row), old.get(row[by]))}</td>`}
            <td class="calls">${COLUMNS.calls[2](row)}</td>
            <td class="tokens">${COLUMNS.tokens[2](row)}</td>
            <td class="cache">${COLUMNS.cache[2](row)}</td>
            ${sort === "lost" && html`<td class="lost">${COLUMNS.lost[2](row)}</td>`}
            ${by !== "run" && html`<td class="slow">${formatMs(times.get(row[by]))}</td>`}
          </tr>`;
        })}
      </tbody></${Wide}
    >
    ${rows.length > PAGE && html`<p><${More} isThere=${rows.length > most} onMore=${() => setMost(most + PAGE)} /></p>`}
    ${
      sort === "lost" &&
      html`<p class="soft">
        Lost: input that was sent again at full price. Where a prompt changed, its step says in the
        run, under Prompt.
      </p>`
    }
    ${more && html`<p class="soft">These are the largest ${usage.length}; the export has all rows.</p>`}
  </section>`;
}

function describeChange(now, before) {
  if (before === undefined) return html`<span class="soft">new</span>`;
  const share = before ? Math.round(100 * (now / before - 1)) : 0;
  if (!share) return html`<span class="soft">–</span>`;
  return html`<span class=${share < 0 ? "good" : "bad"}
    >${share < 0 ? "−" : "+"}${formatCount(Math.abs(share))}%</span
  >`;
}

const AVOIDED = {
  classifier: "Requests routed without a model",
  router: "Workers chosen without a separate call",
  worker: "Answers written without a model",
  evaluator: "Answers that needed no review",
};

/** Two different savings, each with its sum: calls that were not made, and requests that were shorter. */
function Avoided({ rows }) {
  const part = (name, list, words) =>
    list.length > 0 &&
    [name, ...new Set(list.map((row) => row.role))].map((role) => {
      const own = role === name ? list : list.filter((row) => row.role === role);
      const Cell = role === name ? "th" : "td";
      return html`<tr key=${role}>
        <${Cell} class="name">${words[role] ?? toWords(role)}</${Cell}>
        <${Cell}>${formatCount(sum(own, READ.calls))}</${Cell}>
        <${Cell}>${formatCount(sum(own, (row) => row.tokens))}</${Cell}>
        <${Cell}>${formatCost(sum(own, getCost))}</${Cell}>
      </tr>`;
    });
  return html`<details class="card">
    <summary>Calls avoided and shorter requests</summary>
    <p class="soft">Estimates: the input tokens that were not sent, at today's prices.</p>
    <${Wide} label="avoided calls">
      <thead>
        <tr>
          <th class="name">What</th>
          <th>Times</th>
          <th>Tokens in</th>
          <th>Worth</th>
        </tr>
      </thead>
      <tbody>
        ${part(
          "Calls avoided",
          rows.filter((row) => !SHORTER[row.role]),
          AVOIDED,
        )}${part(
          "Shorter requests",
          rows.filter((row) => SHORTER[row.role]),
          SHORTER,
        )}
      </tbody>
    </${Wide}>
  </details>`;
}

// Two months to choose a period from: one day begins it, the next one that is chosen ends it.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const month = makeDates({ month: "long", year: "numeric", timeZone: "UTC" });
const toDay = (at) => new Date(at).toISOString().slice(0, 10);
const toMonth = (day, by = 0) =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + by);

/** When a day of UTC begins where one is. */
const sayZone = (today) =>
  `Days are UTC: they begin at ${clock.format(Date.parse(today))} in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;

function Month({ first, from, to, today, held, onChoose }) {
  const next = toMonth(toDay(first), 1);
  const before = (new Date(first).getUTCDay() + 6) % 7; // a week begins on Monday
  const days = Array.from({ length: (next - first) / UNIT_MS.day }, (_, n) =>
    toDay(first + n * UNIT_MS.day),
  );
  return html`<div role="group" aria-label=${month.format(first)}>
    <b>${month.format(first)}</b>
    <div class="days">
      ${["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map(
        (name) => html`<small aria-hidden="true">${name}</small>`,
      )}${Array.from({ length: before }, () => html`<i></i>`)}
      ${days.map(
        (day) =>
          html`<button
            key=${day}
            type="button"
            data-day=${day}
            class=${from && to && day >= from && day <= to ? "within" : ""}
            aria-pressed=${day === from || day === to}
            aria-label=${`${Number(day.slice(8))} ${month.format(first)}`}
            disabled=${day > today}
            tabindex=${day === held ? 0 : -1}
            onClick=${() => onChoose(day)}
          >
            ${Number(day.slice(8))}
          </button>`,
      )}
    </div>
  </div>`;
}

/** @param {{from: string, to: string, onChoose: (from: string, to: string) => void}} props days, as `2026-11-22`; "": none yet */
function Calendar({ from, to, onChoose }) {
  const today = toDay(Date.now());
  const place = useRef(null);
  const [held, setHeld] = useState(to || from || today); // what Tab leads to
  const [shown, setShown] = useState(() => toMonth(held, -1)); // and the month after it
  const [isBegun, setBegun] = useState(false); // by one day, which is the whole period so far
  const hold = (day) => {
    if (day > today) return;
    setHeld(day);
    if (toMonth(day) < shown) setShown(toMonth(day));
    else if (toMonth(day) > toMonth(toDay(shown), 1)) setShown(toMonth(day, -1));
    // Behind the rendering, which is queued alike, and before the next key.
    queueMicrotask(() => place.current?.querySelector(`[data-day="${day}"]`)?.focus());
  };
  const choose = (day) => {
    hold(day);
    onChoose(...(isBegun ? [from, day].sort() : [day, day]));
    setBegun(!isBegun);
  };
  const onKeyDown = (event) => {
    const by = STEPS[event.key];
    if (!by || !event.target.dataset.day) return;
    event.preventDefault();
    hold(toDay(Date.parse(event.target.dataset.day) + by * UNIT_MS.day));
  };
  const turn = (by) => {
    const first = toMonth(toDay(shown), by);
    setShown(first);
    setHeld(toDay(first));
  };
  return html`<div
    ref=${place}
    class="calendar"
    onKeyDown=${onKeyDown}
    onClick=${(event) => event.stopPropagation()}
  >
    <button type="button" class="square ghost back" onClick=${() => turn(-1)}>
      <${Icon} name="chevron-right" label="Previous month" />
    </button>
    ${[shown, toMonth(toDay(shown), 1)].map(
      (first) =>
        html`<${Month}
          key=${first}
          first=${first}
          from=${from}
          to=${to}
          today=${today}
          held=${held}
          onChoose=${choose}
        />`,
    )}
    <button
      type="button"
      class="square ghost"
      disabled=${toMonth(toDay(shown), 2) > Date.parse(today)}
      onClick=${() => turn(1)}
    >
      <${Icon} name="chevron-right" label="Next month" />
    </button>
    <p class="hint">${sayZone(today)}</p>
  </div>`;
}

/** An own period: days of UTC, the last one with all of it. */
/** `This month`, `Nov 1 to now`: what the button of an own period says. */
function sayRange(from, to, today) {
  if (!from) return "All time";
  if (!to && from === toDay(toMonth(today))) return "This month";
  if (from === toDay(toMonth(today, -1)) && to === toDay(toMonth(today) - 1)) return "Last month";
  return `${formatDate(from)} to ${to ? formatDate(to) : "now"}`;
}

function Custom({ from, to, isChosen, hrefTo: link, go }) {
  const [isOpen, setOpen] = useState(false);
  const [own, setOwn] = useState({ from, to });
  const set = (change) => setOwn({ ...own, ...change });
  const today = toDay(Date.now());
  const hrefTo = (first, last, days = null) => link({ from: first, to: last, days, day: null });
  const onSubmit = (event) => {
    event.preventDefault();
    go({ ...own, days: null, day: null });
  };
  return html`<div onToggleCapture=${() => setOpen(true)}>
    <${Menu}
      label=${isChosen ? sayRange(from, to, today) : "Custom"}
      title="Another period"
      ><div class="row">
        <a href=${hrefTo(toDay(toMonth(today)), null)}>This month</a
        ><a href=${hrefTo(toDay(toMonth(today, -1)), toDay(toMonth(today) - 1))}>Last month</a
        ><a href=${hrefTo(null, null, "all")}>All time</a>
      </div>
      <form class="period" onSubmit=${onSubmit}>
        <div class="row">
          <label
            >From<input
              type="date"
              name="from"
              required
              value=${own.from}
              onInput=${(event) =>
                set({
                  from: event.target.value,
                })} /></label
          ><label
            >To (inclusive)<input
              type="date"
              name="to"
              value=${own.to}
              onInput=${(event) => set({ to: event.target.value })}
          /></label>
        </div>
        ${
          isOpen &&
          html`<${Calendar}
            ...${own}
            onChoose=${(first, last) => setOwn({ from: first, to: last })}
          />`
        }<button class="small">Show it</button>
      </form>
      </${Menu}
    >
  </div>`;
}

const sayWhose = (user) => (user === "*" ? "Everyone" : user ? makeVisible(user) : "Mine");

function Who({ user, go: leave }) {
  const [isOpen, setOpen] = useState(false);
  const go = (change) => (keepLook("everybody", change.everybody ?? "0"), leave(change));
  const onSubmit = (event) => (
    event.preventDefault(),
    go({ user_id: readPerson(new FormData(event.currentTarget).get("user")), everybody: "1" })
  );
  return html`<div onToggleCapture=${() => setOpen(true)}>
    <${Menu} label=${sayWhose(user)} title="Whose usage"
    ><button
      type="button"
      aria-pressed=${!user}
      onClick=${() =>
        go({
          everybody: null,
          user_id: null,
        })}
    >
      Mine</button
    ><button
      type="button"
      aria-pressed=${user === "*"}
      onClick=${() => go({ everybody: "1", user_id: null })}
    >
      Everyone
    </button>
    <form key=${user} onSubmit=${onSubmit}>
      ${isOpen && html`<${Person} user=${user === "*" ? "" : user} />`}<button class="small">
        Show usage
      </button>
    </form></${Menu}
  ></div>`;
}

/** Whether the period is the running month so far, as the month's box. */
const isThisMonth = ({ since, until }) => until === null && since === toMonth(toDay(Date.now()));

/**
 * @param {{by?: string, days?: string, from?: string, to?: string, measure?: string, sort?: string,
 *   compare?: string, everybody?: string, day?: string}} props they, and filters, stand in the address
 */
export function Usage({
  by = "model",
  days: chosenDays = "30",
  from = "",
  to = "",
  measure: wanted = "cost",
  sort = "cost",
  compare = "",
  // An administrator's first question is what all of it costs; then it is as it was left.
  everybody = session.value?.is_admin &&
  (isLocal()
    ? document.cookie.includes("plainloop_everybody=1")
    : !document.cookie.includes("plainloop_everybody=0"))
    ? "1"
    : "",
  day = "",
  ...rest
}) {
  const filters = Object.fromEntries(
    FILTERS.filter((name) => rest[name]).map((name) => [name, rest[name]]),
  );
  const days = from || chosenDays === "all" ? "" : chosenDays;
  const period = getPeriod({ days, day, from, to });
  const measure = wanted in MEASURES ? wanted : "cost";
  const split = NAMED.includes(by) ? by : "model";
  const who = { user_id: everybody && "*", ...filters };
  const whose = filters.user_id ?? (everybody && "*");
  const address = {
    by,
    days: chosenDays,
    from,
    to,
    measure,
    sort,
    compare,
    everybody,
    day,
    ...filters,
  };
  const hrefTo = (change) => withQuery("#/usage", { ...address, ...change });
  const go = (change) => (location.hash = hrefTo(change));
  const isCompared = compare !== "0" && period.before !== null;
  const asked = { by, split, sort, who, period };
  const { data, error, isLoading, reload } = useLoaded(
    () => loadUsage(asked),
    JSON.stringify(address),
  );
  const before = useLoaded(async () => (data && isCompared ? loadBefore(asked, data) : null), data);
  const then = before.data?.of === data ? before.data : null;
  const compared = { data, then, isCompared };
  const shown = data?.groups.by[0] ?? by; // until the chosen one is there
  // A feature's runs without those of experiments, which have a row of their own.
  const others = (name) =>
    ["feature", "chat", "run"].includes(name) &&
    data.groups.usage.some((row) => row[shown] === REPLAYS)
      ? { origin: "own" }
      : {};
  const hrefOfRow = (row) => {
    const value = row[shown];
    if (value === REPLAYS)
      return session.value?.is_admin && hasPack("lab")
        ? "#/lab.experiments"
        : hrefTo({ by: "run", origin: "replay" });
    if (value === null && ["chat", "run"].includes(shown))
      return hrefTo({ by: "purpose", ...others(shown) });
    if (value === null || shown === "run")
      return value && !isOthers(chats.get(value)) && `#/runs/${value}`;
    const next = { chats: "chat", replays: "run" }[value] ?? "model"; // what is outside chats has no run
    return hrefTo({
      by: shown === "purpose" ? next : "run",
      [toParameter(shown)]: value,
      ...(shown === "feature" && others(shown)),
    });
  };
  const hrefOfTime = (at, link) =>
    hrefTo({
      by: "run",
      day: new Date(at).toISOString().slice(0, 10),
      ...(link === REPLAYS
        ? { origin: "replay" }
        : link && link !== "–" && { [split]: link, ...others(split) }),
    });
  const row = data && getFirst(data.total, "usage");
  const leads = useRef(false);
  const chats = new Map(data?.groups.threads?.map((chat) => [chat.id, chat]));
  const { chat_id: only } = filters;
  const { data: talk } = useLoaded(
    async () => only && get(`/api/chat/conversations/${only}?limit=1`),
    only,
  );
  if (only && talk?.conversation.id === only) chats.set(only, talk.conversation);
  const first =
    period.since ??
    (data?.daily.length
      ? data.daily.reduce(
          (least, item) => Math.min(least, Date.parse(item[period.unit])),
          period.end,
        )
      : period.end);
  const times = listTimes(first, period.end, period.unit);
  const names = data ? rankNames(data.daily, split, weigh) : []; // one order, so one colour means one thing
  const chips = { ...filters, ...(day && { day }) };
  const range = toQuery(period);
  const exportAs = (split) =>
    withQuery("/api/usage", {
      ...askApart(split, who),
      ...range,
      ...who,
      sort: "cost",
      format: "csv",
    });
  return html`<header class="screen-head">
      <h1>Usage</h1>
      <div class="row">
        <${Segmented}
          label="Period"
          views=${Object.entries(SPANS).map(([name, word]) => [
            word,
            hrefTo({ days: name === "30" ? null : name, from: null, to: null, day: null }),
            !day && name === days,
          ])}
        /><${Custom}
          key=${`${from} ${to}`}
          from=${from}
          to=${to}
          isChosen=${!days}
          hrefTo=${hrefTo}
          go=${go}
        />
        ${
          period.before &&
          html`<button
            class="small with-before"
            aria-pressed=${isCompared}
            onClick=${() => go({ compare: isCompared ? "0" : null })}
          >
            ${isCompared && html`<${Icon} name="check" size=${14} />`}
            <span
              >Compare<span class="long"
                >${` with the ${formatOf(times.length, period.unit)} before`}</span
              ></span
            >
          </button>`
        }
        <button
          class="small"
          title="Load the newest usage"
          onClick=${reload}
        >
          <${Icon} name="refresh-cw" size=${14} /><span
            ><span class="long">As of${" "}</span>${data ? clock.format(data.at) : "--:--"}</span
          >
        </button>
        ${session.value?.is_admin && html`<${Who} user=${whose} go=${go} />`}
        <${Menu} icon="download" title="Export" style="square ghost"
          ><a href=${exportAs(by)}>This table (CSV)</a
          ><a href=${exportAs("day,model")}>By day and model (CSV)</a
          ><a href=${exportAs(null)}>Totals (CSV)</a></${Menu}
        >
      </div>
    </header>
    ${
      Object.keys(chips).length > 0 &&
      html`<p class="row">
        ${Object.entries(chips).map(([name, value]) => {
          const [by, said] = [
            name.replace("_id", ""),
            sayName(value, name.replace("_id", ""), chats),
          ];
          return html`<button
            key=${name}
            class="chip"
            onClick=${() => go({ [name]: "" })}
            aria-label=${`Remove ${by}: ${said}`}
          >
            ${TITLES[by] ?? toWords(by)}:${" "}${makeVisible(said)}${" "}✕
          </button>`;
        })}
      </p>`
    }
    <${Failure} error=${error ?? before.error} again=${error ? reload : before.reload} />
    ${!data && isLoading && html`<p class="soft" role="status">Loading…</p>`}
    ${
      data &&
      !row?.calls &&
      html`<${Empty}
        >No model calls in this period.${
          filters.user_id &&
          ` Is ${makeVisible(filters.user_id)} spelled correctly? “Whose usage” lists everyone.`
        }</${Empty}
      >`
    }
    ${
      row?.calls > 0 &&
      html`<${Tiles}
        ...${compared}
        isPart=${Object.keys(filters).some((name) => !["user_id", "chat_id"].includes(name))}
        period=${period}
        times=${times}
        hrefTo=${hrefTo}
        onLost=${() => (leads.current = true)}
      />`
    }
    ${
      data &&
      html`<div class=${row?.calls > 0 ? "beside spent" : ""}>
        ${
          row?.calls > 0 &&
          html`<${Chart}
            ...${compared}
            split=${split}
            names=${names}
            period=${period}
            times=${times}
            measure=${measure}
            none=${NONE[split] ?? "–"}
            nameOf=${(value) => sayName(value, split, chats)}
            hrefOf=${hrefOfTime}
            hrefTo=${hrefTo}
          />`
        }
        <${Budgets}
          budgets=${data.budgets}
          pace=${{
            ...data.total.pace,
            // The period is the month: one figure, not two that were read one after the other.
            ...(isThisMonth(period) &&
              row && { month_usd: row.cost_usd ?? (row.calls ? null : 0) }),
          }}
          unpriced=${data.unpriced}
          unpricedHref=${hrefTo({ by: "model", price: "unknown" })}
          isPart=${Object.keys(filters).length > 0}
          whose=${sayWhose(whose)}
        />
      </div>`
    }
    ${
      row?.calls > 0 &&
      html`<${Groups}
        key=${JSON.stringify(address)}
        by=${shown}
        chats=${chats}
        ...${compared}
        names=${names}
        split=${split}
        sort=${sort}
        hrefTo=${hrefTo}
        hrefOf=${hrefOfRow}
        leads=${leads}
      />`
    }
    <${Changes} />
    ${data?.total.avoided.length > 0 && html`<${Avoided} rows=${data.total.avoided} />`}`;
}
