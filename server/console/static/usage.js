// What was used, by whom and for what: every number is the ledger's, and leads to its runs.
import { get, withQuery } from "./api.js";
import { Bars, listDays, rankNames, stackRows } from "./bars.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Wide, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatCost, formatCount, formatMs, formatOf, formatTime, makeVisible, toWords } from "./words.js";

// All that the service tells usage apart by, but for tenants and hours (tests/usage/test_dimensions.py).
const GROUPS = ["day", "model", "provider", "worker", "feature", "node", "role", "user", "thread", "tag", "status", "origin", "run"];
const toParameter = (group) => (group === "user" || group === "thread" ? `${group}_id` : group);
const FILTERS = GROUPS.filter((group) => group !== "day" && group !== "run").map(toParameter);
const TITLES = { user: "Person", thread: "Chat", node: "Step", role: "Role of the call" };
const DAY_MS = 86_400_000;
const SPANS = { "7": "7 days", "30": "30 days", "90": "90 days", "": "All time" };
const MOST_PAGES = 5;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const getInput = (row) => row.input_tokens + row.cache_read_tokens + row.cache_write_tokens + row.cache_write_long_tokens;
const getOutput = (row) => row.output_tokens + row.reasoning_tokens;
const getCost = (row) => Number(row.cost_usd ?? 0);
const formatShare = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(0)}%` : "–");
const toDay = (at) => new Date(at).toISOString().slice(0, 10);

/** Rows of all pages, of which there are few: charts have a limit. */
async function getAll(parameters) {
  const rows = [];
  for (let cursor = null, page = 0; page < MOST_PAGES; page++) {
    const found = await get(withQuery("/api/usage", { ...parameters, limit: 100, cursor }));
    rows.push(...found.usage);
    cursor = found.next_cursor;
    if (!cursor) break;
  }
  return rows;
}

function startMonth(now) {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

/** What it comes to at this pace when the time is over; null: too early to tell. */
function forecast(used, begin, end, now) {
  const gone = (now - begin) / (end - begin);
  return gone > 0.03 && gone < 1 ? used / gone : null;
}

/** Nothing is compared with all time, nor with what a day's filter leaves out. */
function getBefore({ since, until }, days) {
  if (!days || until) return null;
  return { since: new Date(Date.parse(since) - Number(days) * DAY_MS).toISOString(), until: since };
}

function loadUsage({ by, split, sort, only, filters, days }) {
  const span = getBefore(only, days);
  const chosen = { ...only, ...filters };
  const month = new Date(startMonth(new Date())).toISOString();
  return Promise.all([
    get(withQuery("/api/usage", { ...chosen, by, sort, limit: 100, latency: by !== "run" || null })),
    getAll({ ...chosen, by: `day,${split}` }),
    get(withQuery("/api/usage", { ...chosen, by: "day", limit: 1, latency: true })),
    get("/api/budgets"),
    get(withQuery("/api/usage", { ...filters, user_id: chosen.user_id, since: month })),
    span ? getAll({ ...chosen, ...span, by: `day,${split}` }) : [],
  ]).then(([groups, daily, times, budgets, sofar, before]) => ({ before, groups, daily, latency: times.latency, avoided: groups.avoided, budgets: budgets.budgets, month: sofar.usage[0] }));
}

/** How it compares with the period before; which way is good, if any. */
function Change({ now, before, isGoodLess }) {
  if (!before) return null;
  const share = Math.round(100 * (now / before - 1));
  if (!share) return html`<p class="soft">as before</p>`;
  const tone = isGoodLess === undefined ? "soft" : share < 0 === isGoodLess ? "good" : "bad";
  return html`<p class=${tone} title="than in the period before"><${Icon} name=${share < 0 ? "arrow-down" : "arrow-up"} size=${14} /> ${Math.abs(share)}% ${share < 0 ? "less" : "more"}</p>`;
}

function Tiles({ rows, before, month }) {
  const sum = (read, of = rows) => of.reduce((total, row) => total + read(row), 0);
  const [input, now] = [sum(getInput), new Date()];
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const pace = forecast(getCost(month), startMonth(now), next, now);
  const unpriced = sum((row) => row.unpriced_calls);
  const change = (read, isGoodLess) => html`<${Change} now=${sum(read)} before=${sum(read, before)} isGoodLess=${isGoodLess} />`;
  const getAllTokens = (row) => getInput(row) + getOutput(row);
  const tiles = [
    ["Cost", formatCost(sum(getCost)), change(getCost, true), unpriced ? `without ${formatOf(unpriced, "call")} of unknown price` : ""],
    ["Tokens", compact.format(sum(getAllTokens)), change(getAllTokens, true), `${formatCount(input)} in, ${formatCount(sum(getOutput))} out`],
    ["Model calls", formatCount(sum((row) => row.calls)), change((row) => row.calls), ""],
    ["From cache", formatShare(sum((row) => row.cache_read_tokens), input), null, "of the input"],
    ["Failed or cut off", formatCount(sum((row) => row.unsuccessful_calls)), change((row) => row.unsuccessful_calls, true), ""],
    ["This month", formatCost(getCost(month)), null, pace === null ? "" : `at this pace ${formatCost(pace)} by its end`],
  ];
  return html`<div class="tiles">${tiles.map(([name, value, changed, note]) => html`<div class="tile" key=${name}><span>${name}</span><b>${value}</b>${changed}<small>${note}</small></div>`)}</div>`;
}

function Charts({ data, split, since, hrefOf }) {
  const first = data.daily.reduce((least, row) => (row.day < least ? row.day : least), data.daily[0].day);
  const days = listDays(since && toDay(since) > first ? toDay(since) : first, toDay(Date.now()));
  const shown = { days, hrefOf };
  const times = new Map(data.latency.map((row) => [row.day, row]));
  const getTokens = (row) => getInput(row) + getOutput(row);
  const names = rankNames(data.daily, split, getTokens); // one order, so one colour means one thing
  const lines = [["p95", "Slowest 5%"], ["p50", "Typical"]].map(([key, name]) => ({ name, link: null, values: days.map((day) => times.get(day)?.[`duration_ms_${key}`] ?? null) }));
  return html`
    <${Bars} ...${shown} title=${`Cost per day, by ${split}`} series=${stackRows(data.daily, split, names, days, getCost)} format=${formatCost} />
    <${Bars} ...${shown} title=${`Tokens per day, by ${split}`} series=${stackRows(data.daily, split, names, days, getTokens)} format=${(n) => compact.format(n)} />
    <${Bars} ...${shown} title="How long a model call takes" series=${lines} format=${formatMs} isLine />`;
}

function Rows({ group, rows, latency, hrefOf }) {
  const times = new Map(latency.map((row) => [row[group], row]));
  return html`<${Wide} label=${`usage by ${group}`}>
    <thead><tr><th class="name">${TITLES[group] ?? toWords(group)}</th><th>Calls</th><th>Failed</th><th>In</th><th>From cache</th><th>Out</th><th>Cost</th><th title="half of the calls are faster (p50)">Typical</th><th title="95% of the calls are faster (p95)">Slowest 5%</th></tr></thead>
    <tbody>${rows.map((row) => {
      const [name, href, time] = [makeVisible(String(row[group] ?? "–").slice(0, 200)), hrefOf(row), times.get(row[group])];
      return html`<tr key=${name}><td class="name">${href ? html`<a href=${href}>${name}</a>` : name}</td><td>${formatCount(row.calls)}</td><td>${formatCount(row.unsuccessful_calls)}</td><td>${formatCount(getInput(row))}</td><td>${formatShare(row.cache_read_tokens, getInput(row))}</td><td>${formatCount(getOutput(row))}</td><td>${formatCost(row.cost_usd)}</td><td>${formatMs(time?.duration_ms_p50)}</td><td>${formatMs(time?.duration_ms_p95)}</td></tr>`;
    })}</tbody>
  </${Wide}>`;
}

function Avoided({ rows }) {
  return html`<h2>Calls avoided</h2><${Wide} label="avoided calls">
    <thead><tr><th class="name">Call</th><th class="name">Why</th><th>Times</th><th>Tokens in</th><th>Cost</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${`${row.role} ${row.reason}`}><td class="name">${row.role}</td><td class="name">${makeVisible(row.reason)}</td><td>${formatCount(row.calls)}</td><td>${formatCount(row.tokens)}</td><td>${formatCost(row.cost_usd)}</td></tr>`)}</tbody>
  </${Wide}>`;
}

const BEGINS = {
  hour: (end) => end - DAY_MS / 24,
  day: (end) => end - DAY_MS,
  month: (end) => new Date(end).setUTCMonth(new Date(end).getUTCMonth() - 1),
};

function Budget({ item }) {
  const isUsd = item.limit_usd !== null;
  const [limit, used] = (isUsd ? [item.limit_usd, item.used_usd] : [item.limit_tokens, item.used_tokens]).map(Number);
  const format = isUsd ? formatCost : (n) => `${formatCount(Math.round(n))} tokens`;
  const end = item.until && Date.parse(item.until);
  const pace = end && item.period in BEGINS ? forecast(used, BEGINS[item.period](end), end, Date.now()) : null;
  return html`<li class="panel">
    <strong>${makeVisible(item.description)}</strong>
    <meter min="0" max=${limit || 1} value=${used} high=${0.9 * limit} aria-label=${`${item.scope} budget used`}></meter>
    <span class="soft">${format(used)} of ${format(limit)}</span>
    ${pace !== null && html` <span class=${pace > limit ? "bad" : "soft"}>${format(pace)} by ${formatTime(item.until)} at this pace${pace > limit && ": more than there is"}</span>`}
  </li>`;
}

function Choice({ chosen, filters, go }) {
  const pick = (label, name, options) => html`<label>${label}<select value=${chosen[name]} onChange=${(event) => go({ [name]: event.target.value })}>${options.map(([value, title]) => html`<option value=${value}>${title}</option>`)}</select></label>`;
  return html`<form onSubmit=${(event) => event.preventDefault()}>
    ${pick("Split by", "by", GROUPS.map((name) => [name, TITLES[name] ?? toWords(name)]))}
    ${pick("Period", "days", Object.entries(SPANS))}
    ${pick("Colours by", "split", [["model", "Model"], ["worker", "Worker"]])}
    ${pick("Largest first by", "sort", [["tokens", "Tokens"], ["cost", "Cost"]])}
    ${session.value?.is_admin && html`<label class="check"><input type="checkbox" checked=${Boolean(chosen.everybody)} onChange=${(event) => go({ everybody: event.target.checked ? "1" : "" })} /> Everyone</label>`}
  </form>
  ${Object.keys(filters).length > 0 && html`<p class="row">${Object.entries(filters).map(([name, value]) => html`<button key=${name} class="chip" onClick=${() => go({ [name]: "" })} aria-label=${`Without ${name.replace("_id", "")}: ${value}`}>${toWords(name.replace("_id", ""))}: ${makeVisible(value)} ✕</button>`)}</p>`}`;
}

/** @param {{by?: string, days?: string, split?: string, sort?: string, everybody?: string, day?: string}} props they, and filters, stand in the address */
export function Usage({ by = "day", days = "30", split = "model", sort = "tokens", everybody = "", day = "", ...rest }) {
  const filters = Object.fromEntries(FILTERS.filter((name) => rest[name]).map((name) => [name, rest[name]]));
  const since = day || (days ? toDay(Date.now() - (Number(days) - 1) * DAY_MS) : "");
  const until = day && toDay(Date.parse(day) + DAY_MS);
  const only = { since: since && `${since}T00:00:00Z`, until: until && `${until}T00:00:00Z`, user_id: everybody && "*" };
  const address = { by, days, split, sort, everybody, day, ...filters };
  const hrefTo = (change) => withQuery("#/usage", { ...address, ...change });
  const go = (change) => (location.hash = hrefTo(change));
  const { data, error, isLoading, reload } = useLoaded(() => loadUsage({ by, split, sort, only, filters, days }), JSON.stringify(address));
  const hrefOfRow = (row) => {
    const value = row[by];
    if (value === null || by === "run") return value && `#/runs/${value}`;
    return hrefTo({ by: "run", [toParameter(by)]: value });
  };
  return html`<h1>Usage</h1>
    <${Choice} chosen=${{ by, days, split, sort, everybody }} filters=${{ ...filters, ...(day && { day }) }} go=${go} />
    <${Failure} error=${error} again=${reload} />
    ${!data && isLoading && html`<p class="soft" role="status">Loading…</p>`}
    ${data && !data.daily.length && html`<${Empty}>No model call in this time.</${Empty}>`}
    ${data?.daily.length > 0 && html`<${Tiles} rows=${data.daily} before=${data.before} month=${data.month} />
      <h2>By ${(TITLES[by] ?? by).toLowerCase()}</h2>
      ${!day && html`<${Charts} data=${data} split=${split} since=${since} hrefOf=${(at, link) => hrefTo({ by: "run", day: at, ...(link && link !== "–" && { [split]: link }) })} />`}
      <${Rows} group=${by} rows=${data.groups.usage} latency=${data.groups.latency} hrefOf=${hrefOfRow} />
      ${data.groups.next_cursor && html`<p class="soft">The largest ${data.groups.usage.length}; the file has them all.</p>`}`}
    ${data?.avoided.length > 0 && html`<${Avoided} rows=${data.avoided} />`}
    ${data?.budgets.length > 0 && html`<h2>Budgets</h2><ul class="plain">${data.budgets.map((item) => html`<${Budget} key=${item.budget_id} item=${item} />`)}</ul>`}
    <p class="soft"><a href=${withQuery("/api/usage", { by, ...only, ...filters, format: "csv" })}>Export CSV</a>${session.value?.is_admin && html` · <a href="/api/usage/statement">Statement for last month</a>`}</p>`;
}
