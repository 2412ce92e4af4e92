// Hours or days on an axis: stacked bars or lines, each leading to what it is made of. The table below
// says the same, with the same links; what one points at or reaches by arrow keys is told beside it.
import { useEffect, useRef, useState } from "./vendor.js";
import { html } from "./html.js";

const HEIGHT = 200;
const LEFT = 56;
const TOP = 10;
const BOTTOM = 22;
const LABEL_PX = 72;
const MOST_SERIES = 5;
const OTHERS = "Other";
export const UNIT_MS = { hour: 3_600_000, day: 86_400_000 };

const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const longDay = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const shortHour = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});
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

/** Which colour each name has: the first ones their own, the rest one together. */
export const colourOf = (names, name) =>
  names.length > MOST_SERIES + 1 && names.indexOf(name) >= MOST_SERIES
    ? "rest"
    : `c${Math.max(0, names.indexOf(name))}`;

/** Rows of `unit` and `key` as series over the times: the first names by themselves, the rest together. */
export function stackRows(rows, key, names, { times, unit }, read) {
  const own = new Set(names.length > MOST_SERIES + 1 ? names.slice(0, MOST_SERIES) : names);
  const places = new Map(times.map((at, n) => [at, n]));
  const series = [...own, ...(own.size < names.length ? [OTHERS] : [])].map((name) => ({
    name,
    link: name === OTHERS ? null : name,
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

function useWidth() {
  const place = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return [place, width];
}

function Axis({ ticks, times, unit, width, toX, toY, step, sayTick }) {
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
      html`<text key=${at} x=${toX(n)} y=${HEIGHT - 4}>${sayShort(at, unit)}</text>`,
  )}`;
}

function Stack({ times, series, toX, toY, step, hrefOf, isOpen }) {
  const wide = Math.max(1, Math.min(step * 0.75, 44));
  return times.map((at, n) => {
    let below = 0;
    return series.map(({ name, style, link, values }) => {
      const value = values[n];
      if (!value) return null;
      const [top, foot] = [toY(below + value), toY(below)];
      below += value;
      return html`<a key=${`${at} ${name}`} href=${hrefOf(at, link)} tabindex="-1"
        ><rect
          class=${`${style} ${isOpen && n === times.length - 1 ? "open" : ""}`}
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
  return series.map(({ name, style, link, values }) => {
    const known = values.map((value, n) => [n, value]).filter(([, value]) => value !== null);
    return html`<polyline
        key=${name}
        class=${style}
        points=${known.map(([n, value]) => `${toX(n)},${toY(value)}`).join(" ")}
      />
      ${known.map(
        ([n, value]) =>
          html`<a href=${hrefOf(times[n], link)} tabindex="-1"
            ><circle class=${style} cx=${toX(n)} cy=${toY(value)} r="3.5"
          /></a>`,
      )}`;
  });
}

/** What is there at one time: its sum, the parts as they are stacked, the period before. */
function Tip({ at, unit, n, series, sum, before, beforeName, format, toX, width }) {
  const parts = series.filter((item) => item.values[n]);
  const isLeft = toX(n) > width / 2;
  const put = (place) => {
    if (!place) return;
    place.style.left = isLeft ? "auto" : `${toX(n) + 24}px`;
    place.style.right = isLeft ? `${width - toX(n) + 24}px` : "auto";
  };
  return html`<div class="tip card" role="status" ref=${put}>
    <p><b>${sayTime(at, unit)}</b><b>${sum === null ? "" : format(sum)}</b></p>
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
 * @param {{title: string, times: number[], unit: string, series: {name: string, style: string, link: string|null, values: (number|null)[]}[],
 *   before?: number[], beforeName?: string, isOpen?: boolean, format: (value: number) => string,
 *   hrefOf: (at: number, link: string|null) => string, isLine?: boolean}} props isOpen: the last one is not over yet
 */
export function Bars({
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
  const [place, width] = useWidth();
  const [chosen, setChosen] = useState(null);
  const tops = times
    .map((_, n) => series.map((item) => item.values[n] ?? 0))
    .map((all) => (isLine ? Math.max(0, ...all) : all.reduce((a, b) => a + b, 0)));
  const ticks = listTicks([...tops, ...(before ?? [])].reduce((a, b) => Math.max(a, b), 0));
  const step = (width - LEFT) / times.length;
  const toX = (n) => LEFT + step * (n + 0.5);
  const toY = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / ticks.at(-1));
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
    if (event.key === "Enter" && n !== null) location.hash = hrefOf(times[n], null);
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
      aria-label=${`${title}: arrow keys go from one to the next, Enter shows its runs`}
      onKeyDown=${onKeyDown}
      onPointerMove=${point}
      onPointerLeave=${() => setChosen(null)}
      onBlur=${() => setChosen(null)}
    >
      ${
        width > LEFT &&
        html`<svg width=${width} height=${HEIGHT} aria-hidden="true">
            ${
              n !== null &&
              html`<rect
                class="ground"
                rx="4"
                x=${toX(n) - step / 2}
                y=${TOP - 6}
                width=${step}
                height=${HEIGHT - TOP - BOTTOM + 6}
              />`
            }
            <${Axis} ticks=${ticks} width=${width} ...${shown} />
            <${isLine ? Lines : Stack} ...${shown} />
            ${before && html`<polyline class="dashed" points=${before.map((value, at) => `${toX(at)},${toY(value)}`).join(" ")} />`}
          </svg>
          ${
            n !== null &&
            html`<${Tip}
              at=${times[n]}
              n=${n}
              sum=${isLine ? null : tops[n]}
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
