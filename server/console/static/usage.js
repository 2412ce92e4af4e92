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
  Tiles,
  colourOf,
  fixColours,
  formatMany,
  formatShare,
  getFirst,
  listTimes,
  rankNames,
} from "./usage_chart.js";
import {
  APART,
  GROUPS,
  READ,
  REPLAYS,
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
  toDay,
  toMonth,
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
  makeVisible,
  nameChat,
  nameModel,
  toWords,
} from "./words.js";

/** By cost; where nothing has a price, by tokens. */
const weigh = (row) => getCost(row) + getTokens(row) / 1e15;
const isPhone = matchMedia("(max-width: 699px)").matches;
const PAGE = isPhone ? 6 : 20; // rows at once
const MOST_LABEL = 80; // characters: one line

const TABS = ["model", "feature", "user", "tag"];
const FILTERS = [...GROUPS.filter((group) => group !== "day" && group !== "run"), "price"].map(
  toParameter,
);
const TITLES = {
  user: "Person",
  worker: "Assistant",
  node: "Part of the work",
  role: "Kind of call",
  run: "Answer",
  effort: "Thinking effort",
  requested: "Model requested",
};
const HEADINGS = {
  status: "What failed or was repeated",
  chat: "Chats by cost",
  run: "Answers by cost",
};
const NAMED = ["feature", "worker"]; // as the pack calls them
const RARE = ["requested", "role", "origin"];
const isPlain = () => !session.value?.is_admin;
const HINTS = {
  worker: "who answered",
  node: "sorting, tools, writing",
};
const SPANS = { 1: "24 h", 7: "7 days", 30: "30 days" };
const LONGER = { 90: "90 days", all: "All time" };
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
  worker: "Sorting and reading of files",
  run: "Without a run",
  node: "Outside of runs", // titles, memories, files
  tag: "Without a tag",
};
const GONE = { chat: "Deleted chat", run: "Answer of a deleted chat" };
const IMPORTED = { react: "Imported answers", "react.tools": "Imported tool calls" };

const OWN_WORDS = { replays: "Experiments", replay: "Experiments", own: "All but experiments" };

/** As a trace names it, and whose step it is: `Checked the answer · Titles` */
const sayStep = (node) =>
  IMPORTED[node] ??
  (node.includes(".")
    ? `${describeNode(node)} · ${toWords(node.split(".")[0])}`
    : describeNode(node));

/** What a feature is, as its pack explains it. */
const describeName = (name) =>
  config.value.screens.map(({ about }) => about[name]).find(Boolean) ?? null;

/** Whether a chat or run is another person's, whose content nobody else may read. */
const isOthers = (known) => known?.user_id && known.user_id !== session.value.user_id;

/** A chat or an answer whose title is not shown: whose it is, where they are of several, and when. */
const sayWhen = ({ title, kind, user_id: user, created_at: at, place }, by, isOfOne) =>
  title === null &&
  kind === "chat" &&
  `${by === "run" ? "Answer" : "Chat"}${place ? ` ${place}` : isOfOne ? "" : ` of ${makeVisible(user)}`}, ${formatMoment(at)}`;

/** chats: what is known of chats and runs, by id */
const sayName = (value, by, chats) =>
  value === REPLAYS
    ? OWN_WORDS.replays
    : value && by === "day"
      ? formatDate(value)
      : value && by === "node"
        ? sayStep(value)
        : ["purpose", "origin"].includes(by) && OWN_WORDS[value]
          ? OWN_WORDS[value]
          : value && [...NAMED, "role", "status", "origin", "purpose", "price"].includes(by)
            ? toWords(value)
            : value && by === "model" && isPlain()
              ? nameModel(value)
              : chats.has(value)
                ? sayWhen(chats.get(value), by, chats.isOfOne) ||
                  nameChat({
                    ...chats.get(value),
                    ...(chats.get(value).kind === "parse" && { title: null }),
                    ...(by === "run" && chats.get(value).kind === "chat" && { kind: by }),
                  })
                : value && GONE[by] && chats.isKnown
                  ? GONE[by]
                  : String(value || (NONE[by] ?? "–"));

/** Where it went: shares of what it cost, how that changed, and each row leading to its runs. */
function Groups({ by, data, chats, then, isCompared, names, split, sort, hrefTo, hrefOf, leads }) {
  const { usage, latency, next_cursor: more } = data.groups;
  const own = data.more;
  const isStatus = by === "status" && own?.data.ends;
  const isChat = by === "chat" && own?.data.chats;
  const isLost = sort === "lost";
  const times = new Map(latency.map((row) => [row[by], row.duration_ms_p95]));
  const old = then?.groups && new Map(then.groups.map((row) => [row[by], getCost(row)]));
  const hasChange = isCompared && !["run", "chat", "day"].includes(by);
  const isByTime = sort === "time";
  const read = isByTime
    ? (row) => Date.parse(row.day)
    : (COLUMNS[sort]?.[1] ?? ((row) => times.get(row[by]) ?? 0));
  const rows = [...usage].sort((a, b) => read(b) - read(a) || getCost(b) - getCost(a));
  const weight = isStatus ? READ.calls : isLost ? getLost : getCost; // of what the bars are shares
  const shareOf = isStatus ? "calls" : isLost ? "loss" : "cost";
  const whole = sum(data.total.usage, weight); // also of what is not listed
  const [most, setMost] = useState(PAGE);
  const heading = useRef(null);
  const orders = {
    ...(by === "day" && { time: "Newest" }),
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, [word]]) => [name, word])),
    ...(by !== "run" && { slow: SLOWEST }),
  };
  const shorten = (text) =>
    text.length > MOST_LABEL ? `${text.slice(0, MOST_LABEL).trimEnd()}…` : text;
  const head = (name, word) =>
    html`<th key=${name} class=${`${name} number`} aria-sort=${sort === name ? "descending" : null}>
      <a
        href=${hrefTo({ sort: name === "cost" && by !== "day" ? null : name })}
        title=${`Largest first by ${word.toLowerCase()}`}
        >${word}${sort === name && html`<${Icon} name="arrow-down" size=${14} />`}</a
      >
    </th>`;
  const tabs = TABS.filter((name) => name !== "user" || session.value?.is_admin);
  const others = GROUPS.filter((name) => ![...tabs, ...RARE].includes(name));
  const title = (name) => TITLES[name] ?? toWords(name);
  const told = isLost ? "What caches lost" : isStatus ? "What failed or was repeated" : null;
  const went = HEADINGS[by] ?? "Where the cost arose";
  const hasTold = Boolean(told && own?.data.ends);
  const foreign = new Set(
    ["chat", "run"].includes(by)
      ? usage
          .map((row) => chats.get(row[by]))
          .filter(isOthers)
          .map((known) => known.user_id)
      : [],
  );
  useEffect(() => {
    if (!leads.current || (own && !hasTold)) return;
    leads.current = false; // what was pressed above shows its rows here
    heading.current.scrollIntoView();
    heading.current.focus({ preventScroll: true });
  }, [hasTold]);
  const lead = (words) => html`<h2 tabindex="-1" ref=${heading}>${words}</h2>`;
  return html`${
    hasTold &&
    html`<section class="card told">
      ${lead(told)}${
        isLost
          ? html`<${own.shown.Losses} data=${own.data} />`
          : html`<${own.shown.Answers} data=${own.data} />`
      }
    </section>`
  }
  <section class=${`card went ${isChat ? "by-chat" : ""}`}>
    <header class="row spread">
      ${hasTold ? html`<h2>${isLost ? "Which lost most" : "All calls by how they ended"}</h2>` : lead(told ?? went)}
      <select
        class="order"
        aria-label="Largest first by"
        value=${sort in orders ? sort : "cost"}
        onChange=${(event) => (location.hash = hrefTo({ sort: event.target.value }))}
      >
        ${Object.entries(orders).map(([name, word]) => html`<option key=${name} value=${name}>${word}</option>`)}
      </select>
      <div class="row">
        <${Segmented}
          label="Split by"
          views=${tabs.map((name) => [
            title(name),
            hrefTo({ by: name === "model" ? null : name }),
            name === by,
          ])}
        />
        <${Menu} label=${tabs.includes(by) ? "More" : title(by)} title="Split by"
          >${others.map(
            (name) =>
              html`<a
                key=${name}
                href=${hrefTo({ by: name })}
                aria-current=${name === by ? "true" : null}
                >${title(name)}${HINTS[name] && html` <small class="soft">${HINTS[name]}</small>`}</a
              >`,
          )}</${Menu}
        >
      </div>
    </header>
    <${Wide} label=${`usage by ${by}`}
      ><thead>
        <tr>
          <th class="name">${title(by)}</th>
          <th class="name share">${`Share of ${shareOf}`}</th>
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
            whole ? weight(row) / whole : 0,
          ];
          const about =
            (isChat && own.shown.describeChat(own.data, row[by])) ||
            (by === "run" && own?.data.answers && own.shown.describeAnswer(own.data, row));
          const meaning = ["feature", "status"].includes(by) && describeName(row[by]);
          const known = chats.get(row[by]);
          const chat = by === "chat" && known;
          const colour = by === split ? colourOf(names, row[by] ?? "–") : "c0";
          const few = {
            calls: formatOf(row.calls, "call"),
            tokens: `${COLUMNS.tokens[2](row)} tokens`,
            cache: `${COLUMNS.cache[2](row)} cached`,
            lost:
              isLost && getLost(row) > 0 && `${COLUMNS.lost[2](row)}, of ${COLUMNS.cost[2](row)}`,
            slow: sort === "slow" && `slowest 5% ${formatMs(times.get(row[by]))}`,
          };
          const { [sort]: first, ...others } = few;
          const rest = about ? [about.few ?? about.what] : Object.values(others).filter(Boolean);
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
              ${meaning && html`<small class="soft meaning">${meaning}</small>`}
              ${
                ["chat", "run"].includes(by) &&
                html`${about?.usual && !isLost && html`<small class="soft meaning">${about.usual}</small>`}${
                    about && html`<small class="wider what">${about.what}</small>`
                  }<small
                    >${
                      chat?.versions > 1 &&
                      `${chat.versions} versions, ${formatCost(chat.hidden_usd ?? 0)} in earlier ones · `
                    }${
                      typeof chat?.title === "string" &&
                      html`<a href=${`#/chat/${chat.newest_id}`}>Open chat</a> · `
                    }${typeof known?.title === "string" && formatMoment(known.created_at)}${
                      !row[by]
                        ? "Titles, files, deleted chats"
                        : !known && row[by] !== REPLAYS && "Only what it cost is kept"
                    }</small
                  >`
              }
            </td>
            <td class="share">
              <svg class="axis share-bar" width="100%" height="8" aria-hidden="true">
                <rect class="ground" rx="4" width="100%" height="8" />
                <rect class=${colour} rx="4" width=${`${100 * part}%`} height="8" /></svg
              ><span>${formatShare(part, 1)}</span
              ><small class="few soft"
                >${first && html`<b class=${sort}>${first}</b>${" · "}`}${rest.join(" · ")}</small
              >
            </td>
            <td class="cost">
              ${isLost && isPhone ? formatCost(getLost(row)) : COLUMNS.cost[2](row)}
            </td>
            ${hasChange && html`<td class="changed">${old && describeChange(getCost(row), old.get(row[by]))}</td>`}
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
    ${own && html`<${own.shown.Notes} data=${own.data} by=${by} rows=${rows} />`}
    ${
      foreign.size > 0 &&
      html`<p class="soft">
        ${foreign.size === 1 ? `Only ${makeVisible([...foreign][0])} can read them.` : "Each can be read only by the person who wrote it."}
      </p>`
    }
    ${more && html`<p class="soft">Only the ${isLost ? "largest losses" : "dearest"} are listed; the export has all.</p>`}
  </section>`;
}

function describeChange(now, before) {
  if (before === undefined) return html`<span class="soft">new</span>`;
  const share = before ? Math.round(100 * (now / before - 1)) : 0;
  if (!share) return html`<span class="soft">–</span>`;
  return html`<span class=${share < 0 ? "good" : "bad"}
    >${
      share >= 1000
        ? `${formatCount(Math.round(now / before))}×`
        : `${share < 0 ? "−" : "+"}${formatCount(Math.abs(share))}%`
    }</span
  >`;
}

/** By what they are called: this month so far, and the one before. */
function listMonths(today = toDay(Date.now())) {
  const from = toDay(toMonth(today));
  return {
    "This month": { from, to: null },
    "Last month": { from: toDay(toMonth(today, -1)), to: toDay(toMonth(today) - 1) },
  };
}

/** `Nov 1 to now`, `90 days`: what the button of an own period says. */
function sayRange(from, to, days) {
  if (!from) return LONGER[days] ?? "Custom";
  const isMonth = Object.values(listMonths()).some(
    (span) => from === span.from && (to || null) === span.to,
  );
  return isMonth ? "Custom" : `${formatDate(from)} to ${to ? formatDate(to) : "now"}`;
}

function Custom({ from, to, days, Calendar, hrefTo: link, go }) {
  const [isOpen, setOpen] = useState(false);
  const [own, setOwn] = useState({ from, to });
  const set = (change) => setOwn({ ...own, ...change });
  const onSubmit = (event) => {
    event.preventDefault();
    go({ ...own, days: null, day: null });
  };
  return html`<div onToggleCapture=${() => setOpen(true)}>
    <${Menu}
      label=${sayRange(from, to, days)}
      title="Another period"
      ><div class="row">
        ${Object.entries({ ...SPANS, ...LONGER }).map(
          ([name, word]) =>
            html`<a key=${name} href=${link({ days: name, from: null, to: null, day: null })}
              >${word}</a
            >`,
        )}
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
          Calendar &&
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

/** What the package for operations adds to the page, if it is here: `{shown, ...loaded}`. */
async function loadMore(asked) {
  if (!hasPack("operations")) return null;
  const shown = await import("./operations/spending.js");
  return { shown, data: await shown.load(asked) };
}
const join = ([data, more]) => ({ ...data, more });

/** Whether the period is the running month so far, as the month's box. */
const isThisMonth = ({ since, until }) => until === null && since === toMonth(toDay(Date.now()));

let kept = {}; // the period that was chosen last: the menu's link, which names none, leads to it

/**
 * @param {{by?: string, days?: string, from?: string, to?: string, measure?: string, sort?: string,
 *   compare?: string, everybody?: string, day?: string}} props they, and filters, stand in the address
 */
export function Usage({
  by = "model",
  days: askedDays,
  from: askedFrom,
  to: askedTo,
  measure: wanted = "cost",
  sort = by === "day" ? "time" : "cost",
  // Users ask what is left, not what has changed.
  compare = isPlain() ? "0" : "",
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
  const hasPeriod = askedDays || askedFrom || day;
  if (hasPeriod) kept = { days: askedDays, from: askedFrom, to: askedTo };
  const { days: chosenDays = "30", from = "", to = "" } = kept;
  const days = from || chosenDays === "all" ? "" : chosenDays;
  const period = getPeriod({ days, day, from, to });
  const measure = wanted in MEASURES ? wanted : "cost";
  const wish = [...NAMED, "user"].includes(by) ? by : "model"; // of the chart's colours
  const who = { user_id: everybody && "*", ...filters };
  const whose = filters.user_id ?? (everybody && "*");
  const address = {
    by,
    days: chosenDays,
    from,
    to,
    measure,
    sort: sort === "time" ? null : sort,
    compare,
    everybody,
    day,
    ...filters,
  };
  const hrefTo = (change) => withQuery("#/usage", { ...address, ...change });
  const go = (change) => (location.hash = hrefTo(change));
  const { chat_id: only } = filters;
  const isCompared = compare !== "0" && period.before !== null && !only;
  const asked = { by, split: wish, sort, who, period };
  const { data, error, isLoading, reload } = useLoaded(
    () => Promise.all([loadUsage(asked), loadMore(asked)]).then(join),
    JSON.stringify(address),
  );
  const split = data?.split ?? wish;
  if (data) fixColours(data.models);
  const before = useLoaded(async () => (data && isCompared ? loadBefore(asked, data) : null), data);
  const then = before.data?.of === data ? before.data : null;
  const weeks = useLoaded(
    async () =>
      data?.more && { of: data, ...(await data.more.shown.loadPast({ day, who, at: data.at })) },
    data,
  );
  const past = weeks.data?.of === data ? weeks.data : null;
  const compared = { data, then, isCompared };
  const shown = data?.groups.by[0] ?? by; // until the chosen one is there
  // A feature's runs without those of experiments, which have a row of their own.
  const others = (name) =>
    APART.includes(name) && data.groups.usage.some((row) => row[shown] === REPLAYS)
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
      return chats.has(value) && !isOthers(chats.get(value)) && `#/runs/${value}`;
    const next = { chats: "chat", replays: "run" }[value] ?? "model"; // what is outside chats has no run
    return hrefTo({
      by: shown === "purpose" ? next : shown === "user" ? "chat" : "run",
      [toParameter(shown)]: value,
      ...(NAMED.includes(shown) && others(shown)),
    });
  };
  // A day, split as before; of an hour its day's answers.
  const hrefOfTime = (at) =>
    hrefTo({ day: toDay(at), ...(period.unit === "hour" && { by: "run" }) });
  const row = data && getFirst(data.total, "usage");
  const leads = useRef(false);
  const chats = new Map(data?.groups.threads?.map((chat) => [chat.id, chat]));
  chats.isKnown = Boolean(data);
  const { data: talk } = useLoaded(
    async () => only && get(`/api/chat/conversations/${only}?limit=1`),
    only,
  );
  if (only && talk?.conversation.id === only) chats.set(only, talk.conversation);
  const persons = new Set([...chats.values()].map((chat) => chat.user_id));
  if ((only || filters.user_id) && persons.size === 1) [chats.isOfOne] = persons;
  if (only && !data?.groups.next_cursor)
    [...chats.values()]
      .filter(({ id }) => id !== only)
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
      .forEach((chat, n) => (chat.place = n + 1));
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
  // What is compared with, in words.
  const named =
    period.before && (period.before.name ?? `the ${formatOf(times.length, period.unit)} before`);
  const chips = { ...filters, ...(day && { day }) };
  const isPast = period.until !== null && period.until <= Date.now();
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
          views=${[
            ...Object.entries(SPANS).map(([name, word]) => [
              word,
              hrefTo({ days: name, from: null, to: null, day: null }),
              !day && name === days,
            ]),
            ...Object.entries(listMonths()).map(([word, span]) => [
              word,
              hrefTo({ days: null, day: null, ...span }),
              !day && from === span.from && (to || null) === span.to,
            ]),
          ]}
        /><${Custom}
          key=${`${from} ${to}`}
          from=${from}
          to=${to}
          days=${chosenDays}
          Calendar=${data?.more?.shown.Calendar}
          hrefTo=${hrefTo}
          go=${go}
        />
        ${
          period.before &&
          !only &&
          html`<button
            class="small with-before"
            title=${`Compare with ${named}`}
            aria-label=${`Compare with ${named}`}
            aria-pressed=${isCompared}
            onClick=${() => go({ compare: isCompared ? "0" : isPlain() ? "1" : null })}
          >
            ${isCompared && html`<${Icon} name="check" size=${14} />`} Compare
          </button>`
        }
        <button
          class="small"
          title="Load the newest usage"
          onClick=${reload}
        >
          <${Icon} name="refresh-cw" size=${14} /><span>${`As of ${data ? clock.format(data.at) : "--:--"}`}</span>
        </button>
        ${session.value?.is_admin && html`<${Who} user=${whose} go=${go} />`}
        <${Menu} icon="download" label="Export" title="Export"
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
      data?.more &&
      !only &&
      (day || !isPast) &&
      html`<${data.more.shown.Today}
        past=${past}
        hrefTo=${hrefTo}
        day=${day}
        at=${data.at}
        cost=${day ? row?.cost_usd : data.total.pace.today_usd}
      />`
    }
    ${
      row?.calls > 0 &&
      html`<${Tiles}
        isPlain=${isPlain()}
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
      !only &&
      html`<div class=${row?.calls > 0 ? "beside spent" : ""}>
        ${
          row?.calls > 0 &&
          html`<${Chart}
            ...${compared}
            split=${split}
            names=${names}
            period=${period}
            named=${named}
            times=${times}
            measure=${measure}
            none=${NONE[split] ?? "–"}
            nameOf=${(value) => sayName(value, split, chats)}
            hrefOf=${hrefOfTime}
            hrefTo=${hrefTo}
            >${
              data.more &&
              html`<${data.more.shown.Table}
                data=${data}
                times=${times}
                unit=${period.unit}
                hrefOf=${hrefOfTime}
              />`
            }</${Chart}
          >`
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
          isPart=${Object.keys(filters).some((name) => name !== "user_id")}
          isPast=${isPast}
          whose=${sayWhose(whose)}
          user=${whose === "*" ? null : (whose ?? session.value?.user_id)}
          >${
            data.more &&
            html`<${data.more.shown.Months}
              past=${past}
              at=${data.at}
              current=${data.total.pace.month_usd}
              hrefTo=${hrefTo}
            />`
          }</${Budgets}
        >
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
        sort=${data.sort}
        hrefTo=${hrefTo}
        hrefOf=${hrefOfRow}
        leads=${leads}
      />`
    }
    <${Changes} />
    ${data?.total.avoided.length > 0 && !isPlain() && data.more && html`<${data.more.shown.Avoided} rows=${data.total.avoided} />`}`;
}
