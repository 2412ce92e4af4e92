// What was used, by whom and for what: every number is the ledger's.
import { uPlot, useEffect, useRef } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Empty, Failure, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatCost, formatCount, makeVisible } from "./words.js";

const GROUPS = ["day", "model", "worker", "role", "provider", "user", "tag", "status"];
const DAY_S = 86_400;
const SPANS = { "7": "7 days", "30": "30 days", "90": "90 days", "": "ever" };

const getInput = (row) => row.input_tokens + row.cache_read_tokens + row.cache_write_tokens;
const formatShare = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(0)} %` : "–");

/** Days as a chart, with its axes; the table beside it says the same. */
function Chart({ rows, since }) {
  const place = useRef(null);
  useEffect(() => {
    const style = getComputedStyle(place.current);
    const [ink, line, accent] = ["--soft", "--line", "--accent"].map((name) => style.getPropertyValue(name));
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const days = [...rows].sort((a, b) => a.day.localeCompare(b.day));
    const data = [days.map((row) => Date.parse(row.day) / 1000), days.map(getInput), days.map((row) => Number(row.cost_usd ?? 0))];
    const options = {
      width: place.current.clientWidth,
      height: 220,
      legend: { live: false },
      cursor: { show: false },
      scales: { x: { range: (_chart, least, most) => [since ? Date.parse(since) / 1000 : least - DAY_S, most + DAY_S] }, usd: { range: (_chart, _least, most) => [0, most || 1] }, y: { range: (_chart, _least, most) => [0, most || 1] } },
      axes: [axis, { ...axis, size: 70, values: (_chart, ticks) => ticks.map(formatCount) }, { ...axis, scale: "usd", side: 1, size: 60, grid: { show: false }, values: (_chart, ticks) => ticks.map((value) => `$${value}`) }],
      series: [{}, { label: "input tokens", stroke: accent, fill: `${accent.trim()}33`, paths: uPlot.paths.bars({ size: [0.7, 40] }) }, { label: "cost", scale: "usd", stroke: ink, width: 2 }],
    };
    const chart = new uPlot(options, data, place.current);
    const fit = new ResizeObserver(() => place.current && chart.setSize({ width: place.current.clientWidth, height: 220 }));
    fit.observe(place.current);
    return () => {
      fit.disconnect();
      chart.destroy();
    };
  }, [rows]);
  return html`<div class="chart" ref=${place} role="img" aria-label="Input tokens and cost by day; the table below says the same"></div>`;
}

function Tiles({ rows }) {
  const sum = (read) => rows.reduce((total, row) => total + read(row), 0);
  const input = sum(getInput);
  const tiles = [
    [formatCount(sum((row) => row.calls)), "model calls"],
    [formatCount(input), "input tokens"],
    [formatCount(sum((row) => row.output_tokens + row.reasoning_tokens)), "output tokens"],
    [formatShare(sum((row) => row.cache_read_tokens), input), "of the input from a cache"],
    [formatCost(sum((row) => Number(row.cost_usd ?? 0))), sum((row) => row.unpriced_calls) ? "and more: some calls have no known cost" : "cost"],
    [formatCount(sum((row) => row.unsuccessful_calls)), "calls failed or cut"],
  ];
  return html`<div class="tiles">${tiles.map(([value, name]) => html`<div class="tile"><b>${value}</b><span>${name}</span></div>`)}</div>`;
}

function Rows({ group, rows }) {
  return html`<div class="wide" tabindex="0" role="group" aria-label=${`usage by ${group}`}><table>
    <thead><tr><th class="name">${group}</th><th>calls</th><th>in</th><th>cached</th><th>out</th><th>cost</th></tr></thead>
    <tbody>${rows.map((row) => {
      const name = makeVisible(String(row[group] ?? "–").slice(0, group === "day" ? 10 : 200));
      return html`<tr><td class="name">${name}</td><td>${formatCount(row.calls)}</td><td>${formatCount(getInput(row))}</td><td>${formatShare(row.cache_read_tokens, getInput(row))}</td><td>${formatCount(row.output_tokens + row.reasoning_tokens)}</td><td>${formatCost(row.cost_usd)}</td></tr>`;
    })}</tbody>
  </table></div>`;
}

function Budget({ item }) {
  const limit = Number(item.limit_usd ?? item.limit_tokens ?? 0);
  const used = Number(item.limit_usd !== null ? item.used_usd : item.used_tokens);
  return html`<li class="panel">
    <strong>${item.scope}, ${item.period}</strong> ${item.is_hard ? "hard" : "soft"}
    <meter min="0" max=${limit || 1} value=${used} high=${0.9 * limit} aria-label=${`${item.scope} budget used`}></meter>
    <span class="soft">${item.limit_usd !== null ? `${formatCost(used)} of ${formatCost(limit)}` : `${formatCount(used)} of ${formatCount(limit)} tokens`}</span>
  </li>`;
}

/** @param {{by?: string, days?: string, everybody?: string}} props they stand in the address */
export function Usage({ by = "day", days = "30", everybody = "" }) {
  const since = days ? new Date(Date.now() - Number(days) * DAY_S * 1000).toISOString() : "";
  const only = { since, user_id: everybody && "*", limit: 100 };
  const load = () => Promise.all([get(withQuery("/api/usage", { ...only, by: "day" })), by === "day" ? null : get(withQuery("/api/usage", { ...only, by })), get("/api/budgets")]);
  const { data, error, reload } = useLoaded(load, `${by} ${days} ${everybody}`);
  const go = (change) => {
    location.hash = withQuery("#/usage", { by, days, everybody, ...change });
  };
  const daily = data?.[0].usage ?? [];
  return html`<h1>Usage</h1>
    <form onSubmit=${(event) => event.preventDefault()}>
      <label>By<select value=${by} onChange=${(event) => go({ by: event.target.value })}>${GROUPS.map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      <label>Since<select value=${days} onChange=${(event) => go({ days: event.target.value })}>${Object.entries(SPANS).map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select></label>
      ${session.value?.is_admin && html`<label class="check"><input type="checkbox" checked=${Boolean(everybody)} onChange=${(event) => go({ everybody: event.target.checked ? "1" : "" })} /> everybody's</label>`}
    </form>
    <${Failure} error=${error} again=${reload} />
    ${data && !daily.length && html`<${Empty}>No model call in this time.</${Empty}>`}
    ${daily.length > 0 && html`<${Tiles} rows=${daily} /><${Chart} rows=${daily} since=${since} /><h2>By ${by}</h2><${Rows} group=${by} rows=${(data[1] ?? data[0]).usage} />`}
    ${data?.[0].avoided.length > 0 && html`<h2>Calls that were not made</h2><ul>${data[0].avoided.map((item) => html`<li>${formatCount(item.calls ?? item.times)} × ${makeVisible(`${item.role}: ${item.reason}`)}</li>`)}</ul>`}
    ${data?.[2].budgets.length > 0 && html`<h2>Budgets</h2><ul class="plain">${data[2].budgets.map((item) => html`<${Budget} key=${item.budget_id} item=${item} />`)}</ul>`}
    <p class="soft">The ledger as files: <a href=${withQuery("/api/usage", { by, since, format: "csv" })}>CSV</a></p>`;
}
