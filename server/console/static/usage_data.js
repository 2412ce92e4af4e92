// What the usage page loads: periods, groups, and the rows of each.
import { get, withQuery } from "./api.js";
import { formatCost } from "./words.js";

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
export async function getAll(parameters) {
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
export function getPeriod({ days, day, from, to }) {
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
export const toQuery = ({ since, until }) => ({ since: toIso(since), until: toIso(until) });

/** What a table by `by` is asked for: features, chats and runs tell experiments apart, which would hide in them. */
export const askApart = (by, { origin, purpose }) => ({
  by,
  apart: (["feature", "chat", "run"].includes(by) && !origin && !purpose) || null,
});

const ask = (query, more) =>
  get(
    withQuery("/api/usage", { ...query, avoided: false, endings: false, caches: false, ...more }),
  );
const orderBy = (sort) => ({ sort: sort === "tokens" ? "tokens" : "cost", limit: PAGE });

/** All that is said of the period itself, asked at once. */
export async function loadUsage({ by, split, sort, who, period }) {
  const now = { ...who, ...toQuery(period) };
  const [total, groups, times, daily, { budgets }] = await Promise.all([
    ask(now, { latency: true, avoided: null, caches: null, pace: true }),
    ask(now, {
      ...askApart(by, who),
      ...orderBy(sort),
      latency: by !== "run" || null,
      caches: sort === "lost",
    }),
    ask(now, { by: period.unit, limit: 1, latency: true }),
    getAll({ ...now, ...askApart(split, who), by: `${period.unit},${split}` }),
    get("/api/budgets"),
  ]);
  const [row] = total.usage;
  // Which ones they are, and how many still run: of the ledger itself.
  const askPrice = async (price, n) =>
    n > 0 ? (await ask({ ...now, price }, { by: "model", limit: PAGE })).usage : [];
  const [unpriced, running] = await Promise.all([
    askPrice("unknown", row && countUnpriced(row)),
    askPrice("running", row?.unpriced_calls),
  ]);
  return {
    at: Date.now(),
    total,
    groups,
    times: times.latency,
    daily,
    budgets,
    unpriced,
    running: sum(running, READ.calls),
  };
}

/** What it is compared with: asked once the period itself is shown. */
export async function loadBefore({ by, sort, who, period }, of) {
  const then = { ...who, ...toQuery(period.before) };
  const [total, groups, times] = await Promise.all([
    ask(then, { latency: true }),
    by !== "run" && ask(then, { ...askApart(by, who), ...orderBy(sort) }),
    getAll({ ...then, by: period.unit }),
  ]);
  return { of, total, groups: groups ? groups.usage : null, times };
}
