// Days on an axis: stacked bars or lines, each leading to what it is made of. Tables beside them say
// the same, with the same links, so a chart is not read out.
import { useEffect, useRef, useState } from "./vendor.js";
import { html } from "./html.js";

const HEIGHT = 180;
const LEFT = 62;
const TOP = 10;
const BOTTOM = 20;
const LABEL_PX = 64;
const MOST_SERIES = 5;
const DAY_MS = 86_400_000;
const OTHERS = "others";

const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** Round numbers from 0 up to `most` or just above it. */
function listTicks(most) {
  if (!(most > 0)) return [0, 1];
  const rough = most / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((size) => size >= rough * 0.999999);
  return Array.from({ length: Math.ceil((most / step) * 0.999999) + 1 }, (_, n) => n * step);
}

/** All days from the first to the last, `2026-11-22` each. */
export function listDays(first, last) {
  const days = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** The values of `key`, those with the most first. */
export function rankNames(rows, key, read) {
  const sums = new Map();
  for (const row of rows) sums.set(row[key] ?? "–", (sums.get(row[key] ?? "–") ?? 0) + read(row));
  return [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
}

/** Rows of `day` and `key` as series over the days: the first names by themselves, the rest together. */
export function stackRows(rows, key, names, days, read) {
  const own = new Set(names.length > MOST_SERIES + 1 ? names.slice(0, MOST_SERIES) : names);
  const places = new Map(days.map((day, n) => [day, n]));
  const series = [...own, ...(own.size < names.length ? [OTHERS] : [])].map((name) => ({ name, link: name === OTHERS ? null : name, values: days.map(() => 0) }));
  const byName = new Map(series.map((item) => [item.name, item]));
  for (const row of rows) {
    const name = own.has(row[key] ?? "–") ? (row[key] ?? "–") : OTHERS;
    if (places.has(row.day)) byName.get(name).values[places.get(row.day)] += read(row);
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

function Axis({ ticks, days, width, toY, step, format }) {
  const every = Math.ceil(LABEL_PX / step);
  return html`${ticks.map((tick) => html`<line key=${tick} x1=${LEFT} x2=${width} y1=${toY(tick)} y2=${toY(tick)} /><text x=${LEFT - 6} y=${toY(tick) + 4} class="left">${format(tick)}</text>`)}
    ${days.map((day, n) => n % every === 0 && html`<text key=${day} x=${LEFT + step * (n + 0.5)} y=${HEIGHT - 4}>${shortDay.format(new Date(day))}</text>`)}`;
}

const say = (day, name, value, format) => `${day}, ${name}: ${format(value)}`;

function Stack({ days, series, toY, step, format, hrefOf }) {
  const wide = Math.max(1, Math.min(step * 0.75, 44));
  return days.map((day, n) => {
    let below = 0;
    return series.map(({ name, link, values }, place) => {
      const value = values[n];
      if (!value) return null;
      const [top, foot] = [toY(below + value), toY(below)];
      below += value;
      return html`<a key=${`${day} ${name}`} href=${hrefOf(day, link)} tabindex="-1"><rect class=${`c${place}`} x=${LEFT + step * (n + 0.5) - wide / 2} y=${top} width=${wide} height=${Math.max(1, foot - top)}><title>${say(day, name, value, format)}</title></rect></a>`;
    });
  });
}

function Lines({ days, series, toY, step, format, hrefOf }) {
  const toX = (n) => LEFT + step * (n + 0.5);
  return series.map(({ name, link, values }, place) => {
    const known = values.map((value, n) => [n, value]).filter(([, value]) => value !== null);
    return html`<polyline key=${name} class=${`c${place}`} points=${known.map(([n, value]) => `${toX(n)},${toY(value)}`).join(" ")} />
      ${known.map(([n, value]) => html`<a href=${hrefOf(days[n], link)} tabindex="-1"><circle class=${`c${place}`} cx=${toX(n)} cy=${toY(value)} r="3.5"><title>${say(days[n], name, value, format)}</title></circle></a>`)}`;
  });
}

/**
 * @param {{title: string, days: string[], series: {name: string, link: string|null, values: (number|null)[]}[],
 *   format: (value: number) => string, hrefOf: (day: string, link: string|null) => string, isLine?: boolean}} props
 */
export function Bars({ title, days, series, format, hrefOf, isLine = false }) {
  const [place, width] = useWidth();
  const tops = days.map((_, n) => series.map((item) => item.values[n] ?? 0)).map((all) => (isLine ? Math.max(0, ...all) : all.reduce((a, b) => a + b, 0)));
  const ticks = listTicks(tops.reduce((a, b) => Math.max(a, b), 0));
  const toY = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / ticks.at(-1));
  const shown = { days, series, toY, step: (width - LEFT) / days.length, format, hrefOf };
  return html`<figure class="chart">
    <figcaption><strong>${title}</strong>${series.map((item, n) => html`<span key=${item.name}><i class=${`c${n}`}></i>${item.name}</span>`)}</figcaption>
    <div ref=${place}>${width > LEFT && html`<svg width=${width} height=${HEIGHT} aria-hidden="true"><${Axis} ticks=${ticks} width=${width} ...${shown} /><${isLine ? Lines : Stack} ...${shown} /></svg>`}</div>
  </figure>`;
}
