// What the usage page loads: periods, groups, and the rows of each.
import { get, withQuery } from "./api.js";
import { formatCost, makeDates } from "./words.js";

// What people group by, of the dimensions of the service (tests/usage/test_dimensions.py).
export const GROUPS = [
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
  "chat",
  "tag",
  "purpose",
  "status",
  "origin",
  "run",
];
export const toParameter = (group) =>
  group === "user" || group === "chat" ? `${group}_id` : group;
export const UNIT_MS = { hour: 3_600_000, day: 86_400_000 };
const PAGE = 100; // rows at once: as many as the route gives
const MOST_PAGES = 10;
export const REPLAYS = "*experiments"; // stands for a feature, chat or run: all experiments together

export const getInput = (row) =>
  row.input_tokens + row.cache_read_tokens + row.cache_write_tokens + row.cache_write_long_tokens;
export const getTokens = (row) => getInput(row) + row.output_tokens + row.reasoning_tokens;
export const getCost = (row) => Number(row.cost_usd ?? 0);
/** Calls without a known price; of one that goes on or was cut off the bound is known. */
export const countUnpriced = (row) => row.unpriced_calls - row.bounded_calls;
/** What prompts that were sent again cost more than from a cache. */
export const getLost = (row) => Number(row.pause_loss_usd ?? 0) + Number(row.prefix_loss_usd ?? 0);
/** That, by its cause; "": nothing was lost. Of a row of a report, of a run and of a call. */
export const sayLost = (row) =>
  [
    ["after a pause", row.pause_loss_usd],
    ["not served from the cache", row.prefix_loss_usd],
  ]
    .filter(([, usd]) => usd > 0)
    .map(([why, usd]) => `${formatCost(usd)} ${why}`)
    .join(", ");
export const READ = { cost: getCost, tokens: getTokens, calls: (row) => row.calls };
export const sum = (rows, read) => rows.reduce((total, row) => total + read(row), 0);
const toStart = (at, unit) => Math.floor(at / UNIT_MS[unit]) * UNIT_MS[unit];

/** Rows of all pages, of which there are few: charts have a limit. */
export async function getAll(parameters, pages = MOST_PAGES) {
  const rows = [];
  for (let cursor = null, page = 0; page < pages; page++) {
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
    rows.isPart = Boolean(cursor);
    if (!cursor) break;
  }
  return rows;
}

const monthName = makeDates({ month: "long", timeZone: "UTC" });
const shortDay = makeDates({ month: "short", day: "numeric", timeZone: "UTC" });
export const toDay = (at) => new Date(at).toISOString().slice(0, 10);
/** When the month of a day begins, or one that is so many months later. */
export const toMonth = (day, by = 0) =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + by);

/** Of a month so far the same days of the month before, of a whole one all of it; null: it is no month. */
function getMonthBefore(first, end, isOpen) {
  const day = toDay(first);
  if (first !== toMonth(day) || (isOpen ? end > toMonth(day, 1) : end !== toMonth(day, 1)))
    return null;
  const since = toMonth(day, -1);
  const until = isOpen ? Math.min(since + end - first, first) : first;
  const name = isOpen
    ? `${shortDay.format(since)} to ${new Date(until - 1).getUTCDate()}`
    : monthName.format(since);
  return { since, until, name };
}

/** Of hours a week before: a Monday is no Sunday. */
const getBefore = (unit, since, end) =>
  unit === "day"
    ? { since: since - (end - since), until: since }
    : {
        since: since - 7 * UNIT_MS.day,
        until: Math.min(end, Date.now()) - 7 * UNIT_MS.day,
        name: "a week before",
      };

/** From when to when, in hours or days, and what it is compared with: null beside all time. */
export function getPeriod({ days, day, from, to }) {
  const now = Date.now();
  const span = (unit, since, end, until) => ({
    unit,
    since,
    end,
    until,
    before: since === null ? null : getBefore(unit, since, end),
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
    const period = span("day", Date.parse(from), end, to ? end : null);
    return { ...period, before: getMonthBefore(period.since, end, !to) ?? period.before };
  }
  if (!days) return span("day", null, toStart(now, "day") + UNIT_MS.day, null);
  const unit = days === "1" ? "hour" : "day";
  const end = toStart(now, unit) + UNIT_MS[unit];
  return span(unit, end - Number(days) * UNIT_MS.day, end, null);
}

const toIso = (at) => (at === null || at === undefined ? null : new Date(at).toISOString());
export const toQuery = ({ since, until }) => ({ since: toIso(since), until: toIso(until) });

export const APART = ["feature", "worker", "chat", "run"];

/** The query of a table by `by`: experiments would hide in some. */
export const askApart = (by, { origin, purpose }) => ({
  by,
  apart: (APART.includes(by) && !origin && !purpose) || null,
});

const ask = (query, more) =>
  get(
    withQuery("/api/usage", { ...query, avoided: false, endings: false, caches: false, ...more }),
  );
const orderBy = (sort) => ({
  sort: ["tokens", "lost"].includes(sort) ? sort : "cost",
  limit: PAGE,
});

/** All that is said of the period itself, asked at once. */
export async function loadUsage({ by, split, sort, who, period }) {
  const now = { ...who, ...toQuery(period) };
  const loadDaily = (name) =>
    getAll(
      { ...now, ...askApart(name, who), by: `${period.unit},${name}` },
      name === "user" ? MOST_PAGES / 2 : MOST_PAGES,
    );
  let [total, groups, times, daily, { budgets }, { models }] = await Promise.all([
    ask(now, { latency: true, avoided: null, caches: null, pace: true }),
    ask(now, {
      ...askApart(by, who),
      ...orderBy(sort),
      latency: by !== "run" || null,
      caches: sort === "lost",
    }),
    ask(now, { by: period.unit, limit: 1, latency: true }),
    loadDaily(split),
    get("/api/budgets"),
    get("/api/models"),
  ]);
  const isMany = split === "user" && daily.isPart; // more people than a chart can show
  if (isMany) daily = await loadDaily("model");
  const [row] = total.usage;
  // Which ones they are, and how many still run: of the ledger itself.
  const askPrice = async (price, n) =>
    n > 0 ? (await ask({ ...now, price }, { by: "model", limit: PAGE })).usage : [];
  const isMixed = row?.unsuccessful_calls > 0 && (who.status ?? "cancelled") === "cancelled";
  const [unpriced, running, stopped] = await Promise.all([
    askPrice("unknown", row && countUnpriced(row)),
    askPrice("running", row?.unpriced_calls),
    isMixed && ask({ ...now, status: "cancelled" }, {}),
  ]);
  return {
    at: Date.now(),
    total,
    groups,
    times: times.latency,
    daily,
    split: isMany ? "model" : split,
    sort,
    budgets,
    unpriced,
    models: models.map(({ model }) => model),
    running: sum(running, READ.calls),
    stopped: stopped ? stopped.usage[0] : null, // by people: they are no failures
  };
}

/** What it is compared with: asked once the period itself is shown. */
export async function loadBefore({ by, sort, who, period }, of) {
  const then = { ...who, ...toQuery(period.before) };
  const [total, groups, times] = await Promise.all([
    ask(then, { latency: true }),
    by !== "run" &&
      ask(then, { ...askApart(by, who), ...orderBy(sort === "lost" ? "cost" : sort) }),
    getAll({ ...then, by: period.unit }),
  ]);
  return { of, total, groups: groups ? groups.usage : null, times };
}
