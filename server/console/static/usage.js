// What was used, by whom and for what: every number is the ledger's, and leads to its runs.
import { useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import {
  Bars,
  Spark,
  UNIT_MS,
  colourOf,
  listTimes,
  rankNames,
  sayTime,
  stackRows,
} from "./bars.js";
import { Budgets } from "./budgets.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Menu, Segmented, Wide, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatCost, formatCount, formatMs, formatOf, makeVisible, toWords } from "./words.js";

// All that the service tells usage apart by, but for tenants and hours (tests/usage/test_dimensions.py).
const GROUPS = [
  "day",
  "model",
  "requested",
  "effort",
  "provider",
  "worker",
  "feature",
  "node",
  "role",
  "user",
  "thread",
  "tag",
  "status",
  "origin",
  "run",
];
const TABS = ["model", "worker", "user", "tag"];
const toParameter = (group) => (group === "user" || group === "thread" ? `${group}_id` : group);
const FILTERS = GROUPS.filter((group) => group !== "day" && group !== "run").map(toParameter);
const TITLES = {
  user: "Person",
  thread: "Chat",
  node: "Step",
  role: "Role of the call",
  requested: "Model requested",
};
const SPANS = { 1: "24 h", 7: "7 days", 30: "30 days", 90: "90 days" };
const MEASURES = { cost: "Cost", tokens: "Tokens", calls: "Calls", time: "Time" };
const PAGE = 100; // rows at once: as many as the route gives
const MOST_PAGES = 5;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const formatMany = (n) => compact.format(n).toLowerCase().replace("k", " k").replace("m", " m");
const getInput = (row) =>
  row.input_tokens + row.cache_read_tokens + row.cache_write_tokens + row.cache_write_long_tokens;
const getTokens = (row) => getInput(row) + row.output_tokens + row.reasoning_tokens;
const getCost = (row) => Number(row.cost_usd ?? 0);
const READ = { cost: getCost, tokens: getTokens, calls: (row) => row.calls };
const FORMAT = { cost: formatCost, tokens: formatMany, calls: formatCount, time: formatMs };
const sum = (rows, read) => rows.reduce((total, row) => total + read(row), 0);
const formatShare = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(0)}%` : "–");
const toStart = (at, unit) => Math.floor(at / UNIT_MS[unit]) * UNIT_MS[unit];

/** Rows of all pages, of which there are few: charts have a limit. */
async function getAll(parameters) {
  const rows = [];
  for (let cursor = null, page = 0; page < MOST_PAGES; page++) {
    const found = await get(
      withQuery("/api/usage", {
        ...parameters,
        avoided: false,
        endings: false,
        caches: false,
        limit: PAGE,
        cursor,
      }),
    );
    rows.push(...found.usage);
    cursor = found.next_cursor;
    if (!cursor) break;
  }
  return rows;
}

/** From when to when, in hours or days, and the one of the same length before: null beside all time. */
function getPeriod({ days, day, from, to }) {
  const now = Date.now();
  const span = (unit, since, end, until) => ({
    unit,
    since,
    end,
    until,
    before: since === null ? null : { since: since - (end - since), until: since },
  });
  if (day)
    return span(
      "hour",
      Date.parse(day),
      Date.parse(day) + UNIT_MS.day,
      Date.parse(day) + UNIT_MS.day,
    );
  if (from) {
    const end = to ? Date.parse(to) + UNIT_MS.day : toStart(now, "day") + UNIT_MS.day;
    return span("day", Date.parse(from), end, to ? end : null);
  }
  if (!days) return span("day", null, toStart(now, "day") + UNIT_MS.day, null);
  const unit = days === "1" ? "hour" : "day";
  const end = toStart(now, unit) + UNIT_MS[unit];
  return span(unit, end - Number(days) * UNIT_MS.day, end, null);
}

const toIso = (at) => (at === null || at === undefined ? null : new Date(at).toISOString());
const toQuery = ({ since, until }) => ({ since: toIso(since), until: toIso(until) });

const ask = (query, more) =>
  get(withQuery("/api/usage", { ...query, avoided: false, endings: false, caches: false, ...more }));
const orderBy = (sort) => ({ sort: sort === "tokens" ? "tokens" : "cost", limit: PAGE });

/** All that is said of the period itself, asked at once. */
async function loadUsage({ by, split, sort, who, period }) {
  const now = { ...who, ...toQuery(period) };
  const month = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth());
  const isWithin =
    period.unit === "day" &&
    period.since !== null &&
    period.since <= month &&
    period.until === null;
  const askMonth = () =>
    ask(who, { since: toIso(month) }).then(({ usage }) => getCost(usage[0] ?? {}));
  const [total, groups, times, daily, { budgets }, sofar] = await Promise.all([
    ask(now, { latency: true, avoided: null }),
    ask(now, { by, ...orderBy(sort), latency: by !== "run" || null }),
    ask(now, { by: period.unit, limit: 1, latency: true }),
    getAll({ ...now, by: `${period.unit},${split}` }),
    get("/api/budgets"),
    isWithin ? null : askMonth(),
  ]);
  const isWhole = daily.length < PAGE * MOST_PAGES;
  const summed = () =>
    sum(
      daily.filter((row) => Date.parse(row.day) >= month),
      getCost,
    );
  return {
    total,
    groups,
    times: times.latency,
    daily,
    budgets,
    month: sofar ?? (isWhole ? summed() : await askMonth()),
  };
}

/** What it is compared with: asked once the period itself is shown. */
async function loadBefore({ by, sort, who, period }, of) {
  const then = { ...who, ...toQuery(period.before) };
  const [total, groups, times] = await Promise.all([
    ask(then, { latency: true }),
    by !== "run" && ask(then, { by, ...orderBy(sort) }),
    getAll({ ...then, by: period.unit }),
  ]);
  return { of, total, groups: groups ? groups.usage : null, times };
}

/** How it compares with the period before, and which way is good: colour means good or bad, not up or down. */
function Change({ now, before, isGoodLess, format, isDifference }) {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  if (!before) return now ? html`<p class="soft">new: nothing before</p>` : null;
  const share = Math.round(100 * (now / before - 1));
  const tone =
    !share || isGoodLess === undefined ? "soft" : share < 0 === isGoodLess ? "good" : "bad";
  const sign = now < before ? "−" : "+";
  return html`<p class="change">
    <span class=${tone}
      ><${Icon}
        name=${now < before ? "arrow-down" : "arrow-up"}
        size=${14}
      />${isDifference ? `${sign}${format(Math.abs(now - before))}` : `${sign}${formatCount(Math.abs(share))}%`}</span
    >${" "}<span class="soft">from${" "}${format(before)}</span>
  </p>`;
}

const getFirst = (report, name) => (report ? (report[name][0] ?? null) : null);

function Tiles({ data, then, isCompared, period, times }) {
  const { total } = data;
  const [row, old] = [getFirst(total, "usage"), getFirst(then?.total, "usage")];
  const [time, oldTime] = [getFirst(total, "latency"), getFirst(then?.total, "latency")];
  const course = (read) =>
    stackRows(data.daily, "–", ["–"], { times, unit: period.unit }, read)[0].values;
  const slow = new Map(
    data.times.map((item) => [Date.parse(item[period.unit]), item.duration_ms_p95]),
  );
  const avoided = {
    calls: sum(total.avoided, (item) => item.calls),
    tokens: sum(total.avoided, (item) => item.tokens ?? 0),
    cost: sum(total.avoided, getCost),
  };
  const tile = (name, value, changed, values, tone = "") =>
    html`<div class="tile" key=${name}>
      <span>${name}</span
      ><b class=${tone}>${value}</b>${values && html`<${Spark} values=${values} />`}${changed}
    </div>`;
  const held = isCompared && !then && html`<p class="change"><span> </span></p>`; // its place, until it is known
  const change = (read, more) =>
    then ? html`<${Change} now=${read(row)} before=${old ? read(old) : 0} ...${more} />` : held;
  return html`<div class="tiles five">
    ${tile("Cost", formatCost(getCost(row)), change(getCost, { isGoodLess: true, format: formatCost }), course(getCost))}
    ${tile("Tokens", formatMany(getTokens(row)), change(getTokens, { isGoodLess: true, format: formatMany }), course(getTokens))}
    ${tile("Model calls", formatCount(row.calls), change(READ.calls, { format: formatCount }), course(READ.calls))}
    ${tile(
      "Slowest 5% take",
      time ? formatMs(time.duration_ms_p95) : "unknown",
      oldTime
        ? html`<${Change}
            now=${time?.duration_ms_p95}
            before=${oldTime.duration_ms_p95}
            isGoodLess
            format=${formatMs}
            isDifference
          />`
        : held,
      times.map((at) => slow.get(at) ?? 0),
    )}
    ${tile(
      "Calls avoided",
      formatCount(avoided.calls),
      html`<p class="soft">
        ${avoided.cost > 0 ? `worth about ${formatCost(avoided.cost)}` : `about ${formatMany(avoided.tokens)} tokens not sent`}
      </p>`,
      null,
      "good",
    )}
  </div>`;
}

function Chart({ data, then, isCompared, split, names, period, times, measure, hrefOf, hrefTo }) {
  const { unit } = period;
  const named = period.before && `The ${formatOf(times.length, unit)} before`;
  const shown = { times, unit, hrefOf, format: FORMAT[measure], isOpen: period.until === null };
  const at = new Map(data.times.map((row) => [Date.parse(row[unit]), row]));
  const lines = [
    ["p95", "Slowest 5%"],
    ["p50", "Typical"],
  ].map(([key, name], n) => ({
    name,
    style: `c${n}`,
    link: null,
    values: times.map((time) => at.get(time)?.[`duration_ms_${key}`] ?? null),
  }));
  const isTime = measure === "time";
  const series = isTime
    ? lines
    : stackRows(data.daily, split, names, { times, unit }, READ[measure]);
  const shift = period.before ? times[0] - period.before.since : 0;
  const earlier = new Map(then?.times.map((row) => [Date.parse(row[unit]) + shift, row]));
  const before =
    !isTime && isCompared
      ? then
        ? times.map((time) => (earlier.has(time) ? READ[measure](earlier.get(time)) : 0))
        : []
      : null;
  const byTime = new Map();
  for (const row of data.daily)
    byTime.set(Date.parse(row[unit]), [...(byTime.get(Date.parse(row[unit])) ?? []), row]);
  return html`<section class="card">
    <header class="row spread">
      <h2>${MEASURES[measure]} per ${unit}</h2>
      <${Segmented}
        label="What the chart shows"
        views=${Object.entries(MEASURES).map(([name, word]) => [
          word,
          hrefTo({ measure: name === "cost" ? null : name }),
          name === measure,
        ])}
      />
    </header>
    <${Bars}
      ...${shown}
      title=${`${MEASURES[measure]} per ${unit}, by ${isTime ? "speed" : split}`}
      series=${series}
      before=${before}
      beforeName=${named}
      isLine=${isTime}
    />
    <details>
      <summary>Show as table</summary>
      <${Wide} label=${`usage by ${unit}`}
        ><thead>
          <tr>
            <th class="name">${toWords(unit)}</th>
            <th>Cost</th>
            <th>Calls</th>
            <th>Failed</th>
            <th>In</th>
            <th>From cache</th>
            <th>Out</th>
            <th>Typical</th>
            <th>Slowest 5%</th>
          </tr>
        </thead>
        <tbody>
          ${times
            .filter((time) => byTime.has(time))
            .map((time) => {
              const rows = byTime.get(time);
              const input = sum(rows, getInput);
              return html`<tr key=${time}>
                <td class="name"><a href=${hrefOf(time, null)}>${sayTime(time, unit)}</a></td>
                <td>${formatCost(sum(rows, getCost))}</td>
                <td>${formatCount(sum(rows, READ.calls))}</td>
                <td>${formatCount(sum(rows, (row) => row.unsuccessful_calls))}</td>
                <td>${formatCount(input)}</td>
                <td>
                  ${formatShare(
                    sum(rows, (row) => row.cache_read_tokens),
                    input,
                  )}
                </td>
                <td>${formatCount(sum(rows, getTokens) - input)}</td>
                <td>${formatMs(at.get(time)?.duration_ms_p50)}</td>
                <td>${formatMs(at.get(time)?.duration_ms_p95)}</td>
              </tr>`;
            })}
        </tbody></${Wide}
      >
    </details>
  </section>`;
}

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
};

/** Where it went: shares of what it cost, how that changed, and each row leading to its runs. */
function Groups({ by, data, then, isCompared, names, split, sort, hrefTo, hrefOf }) {
  const { usage, latency, next_cursor: more } = data.groups;
  const times = new Map(latency.map((row) => [row[by], row.duration_ms_p95]));
  const old = then?.groups && new Map(then.groups.map((row) => [row[by], getCost(row)]));
  const hasChange = isCompared && by !== "run";
  const read = COLUMNS[sort]?.[1] ?? ((row) => times.get(row[by]) ?? 0);
  const rows = [...usage].sort((a, b) => read(b) - read(a));
  const whole = sum(usage, getCost);
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
      <h2>Where it went</h2>
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
    <${Wide} label=${`usage by ${by}`}
      ><thead>
        <tr>
          <th class="name">${title(by)}</th>
          <th class="name share">Share of cost</th>
          ${head("cost", "Cost")}${
            hasChange && html`<th class="number changed">Change</th>`
          }${head("calls", "Calls")}${head("tokens", "Tokens")}${head("cache", "From cache")}${
            by !== "run" && head("slow", "Slowest 5%")
          }
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const [name, href, part] = [
            makeVisible(String(row[by] ?? "–").slice(0, 200)),
            hrefOf(row),
            whole ? getCost(row) / whole : 0,
          ];
          const colour = by === split ? colourOf(names, row[by] ?? "–") : "c0";
          return html`<tr key=${name}>
            <td class="name">
              ${
                by === split &&
                html`<i
                  class=${`swatch ${colour} ${row.unpriced_calls === row.calls ? "unpriced" : ""}`}
                ></i>`
              }${href ? html`<a href=${href}>${name}</a>` : name}
            </td>
            <td class="share">
              <svg class="axis share-bar" width="100%" height="8" aria-hidden="true">
                <rect class="ground" rx="4" width="100%" height="8" />
                <rect class=${colour} rx="4" width=${`${100 * part}%`} height="8" /></svg
              ><span class="only-read">${formatShare(part, 1)}</span>
            </td>
            <td class="cost">${COLUMNS.cost[2](row)}</td>
            ${hasChange && html`<td>${old && describeChange(getCost(row), old.get(row[by]))}</td>`}
            <td class="calls">${COLUMNS.calls[2](row)}</td>
            <td class="tokens">${COLUMNS.tokens[2](row)}</td>
            <td class="cache">${COLUMNS.cache[2](row)}</td>
            ${by !== "run" && html`<td class="slow">${formatMs(times.get(row[by]))}</td>`}
          </tr>`;
        })}
      </tbody></${Wide}
    >
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

function Avoided({ rows }) {
  return html`<details class="card">
    <summary>Calls avoided, and why</summary>
    <${Wide} label="avoided calls">
      <thead>
        <tr>
          <th class="name">Call</th>
          <th class="name">Why</th>
          <th>Times</th>
          <th>Tokens in</th>
          <th>Cost</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr key=${`${row.role} ${row.reason}`}>
              <td class="name">${toWords(row.role)}</td>
              <td class="name">${makeVisible(row.reason)}</td>
              <td>${formatCount(row.calls)}</td>
              <td>${formatCount(row.tokens)}</td>
              <td>${formatCost(row.cost_usd)}</td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>
  </details>`;
}

/** An own period: days of UTC, the last one with all of it. Its calendar comes when it is opened. */
function Custom({ from, to, isChosen, hrefTo, go }) {
  const [isOpen, setOpen] = useState(false);
  const [own, setOwn] = useState({ from, to });
  const { data: calendar } = useLoaded(
    async () => isOpen && (await import("./calendar.js")).Calendar,
    isOpen,
  );
  const set = (change) => setOwn({ ...own, ...change });
  const onSubmit = (event) => {
    event.preventDefault();
    go({ ...own, days: null, day: null });
  };
  return html`<div onToggleCapture=${() => setOpen(true)}>
    <${Menu}
      label=${isChosen ? `${from || "All time"}${to ? ` to ${to}` : ""}` : "Custom"}
      title="Another period"
      ><form class="period" onSubmit=${onSubmit}>
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
            >To (with that day)<input
              type="date"
              name="to"
              value=${own.to}
              onInput=${(event) => set({ to: event.target.value })}
          /></label>
        </div>
        ${
          calendar &&
          html`<${calendar}
            ...${own}
            onChoose=${(first, last) => setOwn({ from: first, to: last })}
          />`
        }<button class="small">Show it</button>
      </form>
      <a href=${hrefTo({ days: "all", from: null, to: null, day: null })}>All time</a></${Menu}
    >
  </div>`;
}

function Who({ user, go }) {
  const onSubmit = (event) => (
    event.preventDefault(),
    go({ user_id: new FormData(event.currentTarget).get("person").trim(), everybody: null })
  );
  const label = user === "*" ? "Everyone" : user ? makeVisible(user) : "Mine";
  return html`<${Menu} label=${label} title="Whose usage"
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
      <label
        >A person<input
          name="person"
          autocomplete="off"
          required
          defaultValue=${user === "*" ? "" : user} /></label
      ><button class="small">Show usage</button>
    </form></${Menu}
  >`;
}

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
  everybody = "",
  day = "",
  ...rest
}) {
  const filters = Object.fromEntries(
    FILTERS.filter((name) => rest[name]).map((name) => [name, rest[name]]),
  );
  const days = from || chosenDays === "all" ? "" : chosenDays;
  const period = getPeriod({ days, day, from, to });
  const measure = wanted in MEASURES ? wanted : "cost";
  const split = by === "worker" ? "worker" : "model";
  const who = { user_id: everybody && "*", ...filters };
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
  const hrefOfRow = (row) => {
    const value = row[by];
    if (value === null || by === "run") return value && `#/runs/${value}`;
    return hrefTo({ by: "run", [toParameter(by)]: value });
  };
  const hrefOfTime = (at, link) =>
    hrefTo({
      by: "run",
      day: new Date(at).toISOString().slice(0, 10),
      ...(link && link !== "–" && { [split]: link }),
    });
  const row = data && getFirst(data.total, "usage");
  const first =
    period.since ??
    (data?.daily.length
      ? data.daily.reduce(
          (least, item) => Math.min(least, Date.parse(item[period.unit])),
          period.end,
        )
      : period.end);
  const times = listTimes(first, period.end, period.unit);
  const names = data ? rankNames(data.daily, split, getTokens) : []; // one order, so one colour means one thing
  const chips = { ...filters, ...(day && { day }) };
  const only = toQuery(period);
  const exported = withQuery("/api/usage", { by, ...only, ...who, format: "csv" });
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
            ${isCompared && html`<${Icon} name="check" size=${14} />`}Compare with
            the${" "}${formatOf(times.length, period.unit)}${" "}before
          </button>`
        }
        ${session.value?.is_admin && html`<${Who} user=${filters.user_id ?? (everybody && "*")} go=${go} />`}
        <${Menu} icon="download" title="Export" style="square ghost"
          ><a href=${exported}>Export CSV</a>${
            session.value?.is_admin &&
            html`<a href="/api/usage/statement">Statement for last month</a>`
          }</${Menu}
        >
      </div>
    </header>
    ${
      Object.keys(chips).length > 0 &&
      html`<p class="row">
        ${Object.entries(chips).map(
          ([name, value]) =>
            html`<button
              key=${name}
              class="chip"
              onClick=${() => go({ [name]: "" })}
              aria-label=${`Without ${name.replace("_id", "")}: ${value}`}
            >
              ${TITLES[name.replace("_id", "")] ?? toWords(name.replace("_id", ""))}:${" "}${makeVisible(value)}${" "}✕
            </button>`,
        )}
      </p>`
    }
    <${Failure} error=${error ?? before.error} again=${error ? reload : before.reload} />
    ${!data && isLoading && html`<p class="soft" role="status">Loading…</p>`}
    ${data && !row?.calls && html`<${Empty}>No model calls in this period.</${Empty}>`}
    ${row?.calls > 0 && html`<${Tiles} ...${compared} period=${period} times=${times} />`}
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
            hrefOf=${hrefOfTime}
            hrefTo=${hrefTo}
          />`
        }
        <${Budgets}
          budgets=${data.budgets}
          month=${data.month}
          unpriced=${row?.unpriced_calls ?? 0}
        />
      </div>`
    }
    ${
      row?.calls > 0 &&
      html`<${Groups}
        by=${by}
        ...${compared}
        names=${names}
        split=${split}
        sort=${sort}
        hrefTo=${hrefTo}
        hrefOf=${hrefOfRow}
      />`
    }
    ${data?.total.avoided.length > 0 && html`<${Avoided} rows=${data.total.avoided} />`}`;
}
