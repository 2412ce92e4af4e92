// What was used over time: tiles with the change since the period before, and the chart.
import { Bars, sayTime, stackRows } from "./bars.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Segmented, Wide } from "./parts.js";
import { READ, getCost, getInput, getTokens, sum } from "./usage_data.js";
import { formatCost, formatCount, formatMs, formatOf, toWords } from "./words.js";

export const MEASURES = { cost: "Cost", tokens: "Tokens", calls: "Calls", time: "Time" };
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const formatMany = (n) =>
  compact.format(n).toLowerCase().replace("k", " k").replace("m", " m");
export const SHORTER = {
  tools: "Tools of other workers left out",
  history: "Older messages left out",
  results: "Long results cut",
};
const FORMAT = { cost: formatCost, tokens: formatMany, calls: formatCount, time: formatMs };
export const formatShare = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(0)}%` : "–");
/** How it compares with the period before, and which way is good: colour means good or bad, not up or down. */
export function Change({ now, before, isGoodLess, format, isDifference }) {
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

export const getFirst = (report, name) => (report ? (report[name][0] ?? null) : null);

export function Tiles({ data, then, isCompared }) {
  const { total } = data;
  const [row, old] = [getFirst(total, "usage"), getFirst(then?.total, "usage")];
  const [time, oldTime] = [getFirst(total, "latency"), getFirst(then?.total, "latency")];
  const avoided = total.avoided.filter(({ role }) => !SHORTER[role]);
  const shorter = total.avoided.filter(({ role }) => SHORTER[role]);
  const tile = (name, value, changed, tone = "") =>
    html`<div class="tile" key=${name}>
      <span>${name}</span><b class=${tone}>${value}</b>${changed}
    </div>`;
  const held = isCompared && !then && html`<p class="change"><span> </span></p>`; // its place, until it is known
  const change = (read, more) =>
    then ? html`<${Change} now=${read(row)} before=${old ? read(old) : 0} ...${more} />` : held;
  return html`<div class="tiles six">
    ${tile("Cost", formatCost(getCost(row)), change(getCost, { isGoodLess: true, format: formatCost }))}
    ${tile("Tokens", formatMany(getTokens(row)), change(getTokens, { isGoodLess: true, format: formatMany }))}
    ${tile("Model calls", formatCount(row.calls), change(READ.calls, { format: formatCount }))}
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
    )}
    ${tile(
      "Saved by caching",
      row.cache_saved_usd === null ? "–" : formatCost(row.cache_saved_usd),
      html`<p class="soft">
        ${`lost: ${formatCost(row.pause_loss_usd ?? 0)} by expiry, ${formatCost(row.prefix_loss_usd ?? 0)} by changed prompts`}
      </p>`,
      row.cache_saved_usd > 0 ? "good" : "",
    )}
    ${tile(
      "Calls avoided",
      formatCount(sum(avoided, READ.calls)),
      html`<p class="soft">
        ${`worth about ${formatCost(sum(avoided, getCost))}; shorter requests: ${formatCost(sum(shorter, getCost))}`}
      </p>`,
      "good",
    )}
  </div>`;
}

export function Chart({
  data,
  then,
  isCompared,
  split,
  names,
  period,
  times,
  measure,
  hrefOf,
  hrefTo,
  none,
}) {
  const { unit } = period;
  const named = period.before && `The ${formatOf(times.length, unit)} before`;
  const shown = {
    times,
    unit,
    hrefOf,
    format: FORMAT[measure],
    sayTick: measure === "cost" ? (usd) => `$${+usd.toPrecision(3)}` : FORMAT[measure],
    isOpen: period.until === null,
  };
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
    : stackRows(data.daily, split, names, { times, unit }, READ[measure]).map((item) => ({
        ...item,
        name: item.name === "–" ? none : split === "model" ? item.name : toWords(item.name),
      }));
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
