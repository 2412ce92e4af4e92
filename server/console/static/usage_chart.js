// What was used over time: tiles with the change since the period before, and the chart.
// Hours or days on its axis: stacked bars or lines, each leading to what it is made of. The table below
// says the same, with the same links; what one points at or reaches by arrow keys is told beside it.
import { useEffect, useRef, useState } from "./vendor.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Segmented } from "./parts.js";
import { READ, UNIT_MS, getCost, getLost, getTokens, sayLost, sum } from "./usage_data.js";
import { formatCost, formatCount, formatMs, makeDates } from "./words.js";

const LEFT = 56;
const TOP = 10;
const BOTTOM = 22;
const LABEL_PX = 72;
const MOST_SERIES = 5;
const OTHERS = "Other";

const shortDay = makeDates({ day: "numeric", month: "short", timeZone: "UTC" });
const longDay = makeDates({
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const shortHour = makeDates({ timeStyle: "short", timeZone: "UTC" });
const sayShort = (at, unit) => (unit === "hour" ? shortHour : shortDay).format(at);

/** `Tue, 17 Nov`; of an hour with its time, UTC. */
export const sayTime = (at, unit) =>
  unit === "hour" ? `${longDay.format(at)}, ${shortHour.format(at)} UTC` : longDay.format(at);

/** Round numbers from 0 up to `most` or just above it. */
function listTicks(most) {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((size) => size >= rough * 0.999999);
  return Array.from({ length: Math.ceil((most / step) * 0.999999) + 1 }, (_, n) => n * step);
}

/** All hours or days from the first to before the end, in ms. */
export function listTimes(first, end, unit) {
  const times = [];
  for (let at = first; at < end; at += UNIT_MS[unit]) times.push(at);
  return times;
}

/** The values of `key`, those with the most first. */
export function rankNames(rows, key, read) {
  const sums = new Map();
  for (const row of rows) sums.set(row[key] ?? "–", (sums.get(row[key] ?? "–") ?? 0) + read(row));
  return [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
}

/** The names that have a colour of their own: the first ones. */
const listOwn = (names) => (names.length > MOST_SERIES + 1 ? names.slice(0, MOST_SERIES) : names);

const colours = new Map(); // each name's last one: it keeps it when a filter leaves out others
let fixed = []; // the configured models: theirs are the same for everybody, whatever is shown

/** Give the first of these names their colours, in this order. */
export function fixColours(names) {
  fixed = names.slice(0, MOST_SERIES + 1);
  fixed.forEach((name, n) => colours.set(name, n));
}

/** Which colour a name has: the one that it had, else the first free one by the alphabet. */
export function colourOf(names, name) {
  const own = [...listOwn(names)].sort(
    (a, b) => fixed.includes(b) - fixed.includes(a) || (a < b ? -1 : 1),
  );
  const taken = new Set();
  for (const it of own)
    if (taken.has(colours.get(it))) colours.delete(it);
    else if (colours.has(it)) taken.add(colours.get(it));
  for (const it of own)
    if (!colours.has(it)) {
      const free = [...Array(own.length + MOST_SERIES).keys()].find((n) => !taken.has(n));
      colours.set(it, free);
      taken.add(free);
    }
  return names.includes(name) && !own.includes(name)
    ? "rest"
    : `c${own.includes(name) ? colours.get(name) : 0}`;
}

/** Rows of `unit` and `key` as series over the times: the first names by themselves, the rest together. */
function stackRows(rows, key, names, { times, unit }, read) {
  const own = new Set(listOwn(names));
  const places = new Map(times.map((at, n) => [at, n]));
  const series = [...own, ...(own.size < names.length ? [OTHERS] : [])].map((name) => ({
    name,
    style: name === OTHERS ? "rest" : colourOf(names, name),
    values: times.map(() => 0),
  }));
  const byName = new Map(series.map((item) => [item.name, item]));
  for (const row of rows) {
    const name = own.has(row[key] ?? "–") ? (row[key] ?? "–") : OTHERS;
    const place = places.get(Date.parse(row[unit]));
    if (place !== undefined) byName.get(name).values[place] += read(row);
  }
  return series;
}

/** The room that its place has, in whole pixels. */
function useSize() {
  const place = useRef(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setSize(entry.contentRect));
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return [place, Math.floor(width), Math.floor(height)];
}

function Axis({ ticks, times, unit, width, height, toX, toY, step, sayTick }) {
  const every = Math.ceil(LABEL_PX / step);
  return html`${ticks.map(
    (tick) =>
      html`<line key=${tick} x1=${LEFT} x2=${width} y1=${toY(tick)} y2=${toY(tick)} /><text
          x=${LEFT - 8}
          y=${toY(tick) + 4}
          class="left"
          >${sayTick(tick)}</text
        >`,
  )}
  ${times.map(
    (at, n) =>
      n % every === 0 &&
      toX(n) + 20 < width &&
      html`<text key=${at} x=${toX(n)} y=${height - 4}>${sayShort(at, unit)}</text>`,
  )}`;
}

/** Each bar leads to its day or hour; the one that is not over yet is hatched over its colours. */
function Stack({ times, series, toX, toY, step, hrefOf, isOpen }) {
  const wide = Math.max(1, Math.min(step * 0.75, 44));
  const rows = series.map((item) => [item.style, item]);
  if (isOpen)
    rows.push([
      "open",
      { values: times.map((_, n) => n > times.length - 2 && sum(series, (it) => it.values[n])) },
    ]);
  return times.map((at, n) => {
    let below = 0;
    return rows.map(([style, { values }]) => {
      const value = values[n];
      if (!value) return null;
      if (style === "open") below = 0;
      const [top, foot] = [toY(below + value), toY(below)];
      below += value;
      return html`<a key=${`${at} ${style}`} href=${hrefOf(at)} tabindex="-1"
        ><rect
          class=${style}
          rx="2"
          x=${toX(n) - wide / 2}
          y=${top + 1}
          width=${wide}
          height=${Math.max(1, foot - top - 1)}
      /></a>`;
    });
  });
}

function Lines({ times, series, toX, toY, hrefOf }) {
  return series.map(({ name, style, values }) => {
    const known = values.map((value, n) => [n, value]).filter(([, value]) => value !== null);
    return html`<polyline
        key=${name}
        class=${style}
        points=${known.map(([n, value]) => `${toX(n)},${toY(value)}`).join(" ")}
      />
      ${known.map(
        ([n, value]) =>
          html`<a href=${hrefOf(times[n])} tabindex="-1"
            ><circle class=${style} cx=${toX(n)} cy=${toY(value)} r="3.5"
          /></a>`,
      )}`;
  });
}

/** What is there at one time: its sum, the parts as they are stacked, the period before. */
function Tip({ at, unit, n, series, sum, before, beforeName, format, toX, width, isNow }) {
  const parts = series.filter((item) => item.values[n]);
  const isLeft = toX(n) > width / 2;
  const put = (place) => {
    if (!place) return;
    place.style.left = isLeft ? "auto" : `${toX(n) + 24}px`;
    place.style.right = isLeft ? `${width - toX(n) + 24}px` : "auto";
  };
  return html`<div class="tip card" role="status" ref=${put}>
    <p>
      <b>${sayTime(at, unit)}${isNow && ", so far"}</b><b>${sum === null ? "" : format(sum)}</b>
    </p>
    ${parts.map(
      (item) =>
        html`<p key=${item.name}>
          <span><i class=${item.style}></i>${item.name}</span><span>${format(item.values[n])}</span>
        </p>`,
    )}
    ${parts.length === 0 && html`<p>Nothing</p>`}
    ${before?.length > 0 && html`<p class="soft"><span>${beforeName}</span><span>${format(before[n])}</span></p>`}
  </div>`;
}

/**
 * @param {{title: string, times: number[], unit: string, series: {name: string, style: string, values: (number|null)[]}[],
 *   before?: number[], beforeName?: string, isOpen?: boolean, format: (value: number) => string,
 *   hrefOf: (at: number) => string, isLine?: boolean}} props isOpen: the last one is not over yet
 */
function Bars({
  title,
  times,
  unit,
  series,
  before,
  beforeName,
  isOpen,
  format,
  sayTick = format,
  hrefOf,
  isLine = false,
}) {
  const [place, width, height] = useSize();
  const [chosen, setChosen] = useState(null);
  const tops = times
    .map((_, n) => series.map((item) => item.values[n] ?? 0))
    .map((all) => (isLine ? Math.max(0, ...all) : all.reduce((a, b) => a + b, 0)));
  const ticks = listTicks([...tops, ...(before ?? [])].reduce((a, b) => Math.max(a, b), 0));
  const step = (width - LEFT) / times.length;
  const toX = (n) => LEFT + step * (n + 0.5);
  const toY = (value) => TOP + (height - TOP - BOTTOM) * (1 - value / ticks.at(-1));
  const shown = { times, unit, series, toX, toY, step, format, sayTick, hrefOf, isOpen };
  const n = chosen !== null && chosen < times.length ? chosen : null;
  const point = (event) => {
    const at = Math.floor(
      (event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / step,
    );
    setChosen(at >= 0 && at < times.length ? at : null);
  };
  const onKeyDown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") setChosen(null);
    if (event.key === "Enter" && n !== null) location.hash = hrefOf(times[n]);
    if (!by) return;
    event.preventDefault();
    setChosen(n === null ? times.length - 1 : Math.min(times.length - 1, Math.max(0, n + by)));
  };
  return html`<figure class="chart" aria-label=${title}>
    <figcaption>
      ${series.map(
        (item) => html`<span key=${item.name}><i class=${item.style}></i>${item.name}</span>`,
      )}${before && html`<span><i class="dashed"></i>${beforeName}</span>`}
    </figcaption>
    <div
      ref=${place}
      class="canvas"
      tabindex="0"
      role="group"
      aria-label=${`${title}: arrow keys go from one to the next, Enter opens it`}
      onKeyDown=${onKeyDown}
      onPointerMove=${point}
      onPointerLeave=${() => setChosen(null)}
      onBlur=${() => setChosen(null)}
    >
      ${
        width > LEFT &&
        html`<svg width=${width} height=${height} aria-hidden="true">
            <pattern id="open" width="5" height="5" patternUnits="userSpaceOnUse">
              <path d="M-1 6L6-1M4 6L6 4M-1 1L1-1" />
            </pattern>
            ${
              n !== null &&
              html`<rect
                class="ground"
                rx="4"
                x=${toX(n) - step / 2}
                y=${TOP - 6}
                width=${step}
                height=${height - TOP - BOTTOM + 6}
              />`
            }
            <${Axis} ticks=${ticks} width=${width} height=${height} ...${shown} />
            <${isLine ? Lines : Stack} ...${shown} />
            ${before && html`<polyline class="dashed" points=${before.map((value, at) => `${toX(at)},${toY(value)}`).join(" ")} />`}
          </svg>
          ${
            n !== null &&
            html`<${Tip}
              at=${times[n]}
              n=${n}
              sum=${isLine ? null : tops[n]}
              isNow=${isOpen && n === times.length - 1}
              before=${before}
              beforeName=${beforeName}
              width=${width}
              ...${shown}
            />`
          }`
      }
    </div>
  </figure>`;
}

/** A course in a few pixels, without an axis: the figure beside it says how much. */
function Spark({ values }) {
  const most = Math.max(...values);
  if (!(most > 0) || values.length < 3) return null;
  const points = values
    .map((value, n) => `${(62 * n) / (values.length - 1)},${19 - (17 * (value ?? 0)) / most}`)
    .join(" ");
  return html`<svg class="spark" viewBox="0 0 64 20" preserveAspectRatio="none" aria-hidden="true">
    <polyline points=${points} />
  </svg>`;
}

export const MEASURES = { cost: "Cost", tokens: "Tokens", calls: "Calls", time: "Time" };
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
/** `12.3 k`, `1.05 M` */
export const formatMany = (n) =>
  compact
    .format(n)
    .replace("K", "k")
    .replace(/[a-z]$/i, "\u00a0$&");
export const SHORTER = {
  tools: "Tools of other workers left out",
  history: "Older messages left out",
  results: "Long results cut",
};
const FORMAT = { cost: formatCost, tokens: formatMany, calls: formatCount, time: formatMs };
export const formatShare = (part, whole) =>
  !whole ? "–" : part > 0 && part < whole / 100 ? "<1%" : `${((100 * part) / whole).toFixed(0)}%`;
/** How it compares with the period before, and which way is good: colour means good or bad, not up or down. */
export function Change({ now, before, isGoodLess, format, isDifference, when }) {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  if (!before) return now ? html`<p class="soft">new: nothing before</p>` : null;
  const share = Math.round(100 * (now / before - 1));
  const tone =
    !share || isGoodLess === undefined ? "soft" : share < 0 === isGoodLess ? "good" : "bad";
  const sign = now < before ? "−" : "+";
  const said = isDifference
    ? `${sign}${format(Math.abs(now - before))}`
    : share >= 1000
      ? `${formatCount(Math.round(now / before))}×`
      : `${sign}${formatCount(Math.abs(share))}%`;
  return html`<p class="change">
    <span class=${tone}
      ><${Icon} name=${now < before ? "arrow-down" : "arrow-up"} size=${14} />${said}</span
    >${" "}<span class="soft">from${" "}${format(before)}${when && ` ${when}`}</span>
  </p>`;
}

export const getFirst = (report, name) => (report ? (report[name][0] ?? null) : null);

/** isPart: filters leave out calls, which calls that were not made do not have */
export function Tiles({ data, then, isCompared, isPart, isPlain, period, times, hrefTo, onLost }) {
  const { total } = data;
  const [row, old] = [getFirst(total, "usage"), getFirst(then?.total, "usage")];
  const [time, oldTime] = [getFirst(total, "latency"), getFirst(then?.total, "latency")];
  const course = (read) =>
    stackRows(data.daily, "–", ["–"], { times, unit: period.unit }, read)[0].values;
  const slow = new Map(
    data.times.map((item) => [Date.parse(item[period.unit]), item.duration_ms_p95]),
  );
  const avoided = total.avoided.filter(({ role }) => !SHORTER[role]);
  const shorter = total.avoided.filter(({ role }) => SHORTER[role]);
  const tile = (name, value, changed, values, tone = "") =>
    html`<div class="tile" key=${name}>
      <span>${name}</span
      ><b class=${tone}>${value}${values && html`<${Spark} values=${values} />`}</b>${changed}
    </div>`;
  const held = isCompared && !then && html`<p class="change"><span> </span></p>`; // its place, until it is known
  const running =
    data.running > 0 && html`<p class="soft">${formatCount(data.running)} still running</p>`;
  const [failures, wasted] = ["calls", "cost_usd"].map(
    (name) => row[`unsuccessful_${name}`] - (data.stopped?.[`unsuccessful_${name}`] ?? 0),
  );
  const failed =
    failures > 0 &&
    html`<p class="soft">
      <a href=${hrefTo({ by: "status", sort: null })} onClick=${onLost}
        >${`${formatCount(failures)} failed or cut: ${formatCost(Math.max(0, wasted))}`}</a
      >
    </p>`;
  const bound =
    row.bounded_calls > 0 &&
    html`<p
      class="soft"
      title="Calls still running, or lost before the provider reported their cost"
    >
      and at most ${formatCost(row.at_most_usd)} more
    </p>`;
  const lost = `lost: ${formatCost(getLost(row))}`;
  const dear = row.cache_saved_usd < 0 && "writing to caches cost more than they saved; ";
  const when = period.unit === "hour" && period.before.name;
  const change = (read, more) =>
    then
      ? html`<${Change} when=${when} now=${read(row)} before=${old ? read(old) : 0} ...${more} />`
      : held;
  const left =
    data.more && html`<${data.more.shown.Left} budgets=${data.budgets} isPlain=${isPlain} />`;
  return html`<div class=${`tiles ${isPlain ? "" : "six"}`}>
    ${isPlain && left}
    ${tile(
      "Cost",
      formatCost(row.cost_usd),
      html`${change(getCost, { isGoodLess: true, format: formatCost })}${bound}${!isPlain && left}`,
      course(getCost),
    )}
    ${tile("Tokens", formatMany(getTokens(row)), change(getTokens, { isGoodLess: true, format: formatMany }), course(getTokens))}
    ${tile(
      "Model calls",
      formatCount(row.calls),
      html`${change(READ.calls, { format: formatCount })}${running}${failed}`,
      course(READ.calls),
    )}
    ${
      !isPlain &&
      html`${tile(
        "Slowest 5% take",
        time ? formatMs(time.duration_ms_p95) : "unknown",
        oldTime
          ? html`<${Change}
              when=${when}
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
        "Saved by caching",
        row.cache_saved_usd === null ? "–" : formatCost(row.cache_saved_usd),
        html`<p class="soft">
          ${dear}${getLost(row) > 0 ? html`<a href=${hrefTo({ by: "run", sort: "lost" })} title=${sayLost(row)} onClick=${onLost}>${lost}</a>` : lost}
        </p>`,
        null,
        row.cache_saved_usd > 0 ? "good" : "",
      )}
      ${tile(
        "Calls avoided",
        formatCount(sum(avoided, READ.calls)),
        html`<p class="soft">
          ${`${isPart ? "of all usage, " : ""}worth about ${formatCost(sum(avoided, getCost))}; shorter requests: ${formatCost(sum(shorter, getCost))}`}
        </p>`,
        null,
        "good",
      )}`
    }
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
  nameOf,
  named,
  children,
}) {
  const { unit } = period;
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
    values: times.map((time) => at.get(time)?.[`duration_ms_${key}`] ?? null),
  }));
  const isTime = measure === "time";
  const series = isTime
    ? lines
    : stackRows(data.daily, split, names, { times, unit }, READ[measure]).map((item) => ({
        ...item,
        name: item.name === "–" ? none : nameOf(item.name),
      }));
  const shift = period.before ? times[0] - period.before.since : 0;
  const earlier = new Map(then?.times.map((row) => [Date.parse(row[unit]) + shift, row]));
  const before =
    !isTime && isCompared
      ? then
        ? times.map((time) => (earlier.has(time) ? READ[measure](earlier.get(time)) : 0))
        : []
      : null;
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
      beforeName=${named && named[0].toUpperCase() + named.slice(1)}
      isLine=${isTime}
    />
    ${children}
  </section>`;
}
