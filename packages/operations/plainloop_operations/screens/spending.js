// Beside the usage page's own tables: whether today is normal, month beside month, what got no answer,
// why caches were not used, and how a chat compares with a usual one.
import { useEffect } from "../vendor.js";
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Wide } from "../parts.js";
import { session } from "../session.js";
import { SHORTER, formatMany, formatShare, sayTime } from "../usage_chart.js";
import {
  READ,
  UNIT_MS,
  getAll,
  getCost,
  getInput,
  getTokens,
  sum,
  toDay,
  toMonth,
  toQuery,
} from "../usage_data.js";
import {
  clock,
  formatCost,
  formatCount,
  formatMoment,
  formatMs,
  formatOf,
  makeDates,
  makeVisible,
  toWords,
} from "../words.js";

export { Calendar } from "./calendar.js";

const WEEKS = 8;
export const LEAST_DAYS = 3; // of a weekday: fewer say nothing of what is usual
const TRIMMED_FROM = 5; // from so many on, the lowest and the highest are no measure
const DEARER = 1.5; // times what is usual
const CENT = 0.01;
const MONTHS = 3;
const ANSWER_PAGES = 3;
const BARE = { avoided: false, endings: false, caches: false };
export const weekday = makeDates({ weekday: "long", timeZone: "UTC" });
const monthName = makeDates({ month: "long", timeZone: "UTC" });
const shortDay = makeDates({ month: "short", day: "numeric", timeZone: "UTC" });

const askCost = async (who, since, until) => {
  const query = { ...who, ...BARE, ...toQuery({ since, until }) };
  return getCost((await get(withQuery("/api/usage", query))).usage[0]);
};

/** How messages and calls of a period ended, and what caches lost in it. */
async function loadEnds(span) {
  const [outcomes, statuses, total] = await Promise.all([
    get(withQuery("/api/usage/outcomes", span)),
    getAll({ ...span, by: "status" }),
    get(withQuery("/api/usage", { ...span, ...BARE, caches: true })),
  ]);
  return { outcomes, statuses, row: total.usage[0] };
}

/** The dearest answers, by what wrote them and for what, and the cost of the middle one; of one chat
 * with what caches lost, which takes too long for all. */
async function loadAnswers(span) {
  const loaded = get(withQuery("/api/usage", { ...span, ...BARE, origin: "own", runs: true }));
  const query = {
    ...span,
    ...BARE,
    by: "run,feature,model",
    caches: Boolean(span.chat_id),
    limit: 100,
  };
  const rows = [];
  for (let cursor = null, page = 0; page < ANSWER_PAGES; page++) {
    const found = await get(withQuery("/api/usage", { ...query, cursor }));
    rows.push(...found.usage);
    cursor = found.next_cursor;
    if (!cursor) break;
  }
  const usual = Number((await loaded).runs[0]?.cost_usd_p50 ?? 0);
  return Object.assign(rows, { usual });
}

/** What a table by chat or by status says beside its own rows: asked with these. */
export async function load({ by, sort, who, period }) {
  const { before } = period;
  const span = { ...who, ...toQuery(period) };
  const hasEnds = by === "status" || sort === "lost";
  const [chats, answers, ends, then] = await Promise.all([
    by === "chat" && get(withQuery("/api/usage/chats", span)),
    by === "run" && loadAnswers(span),
    hasEnds && loadEnds(span),
    hasEnds && before && loadEnds({ ...who, ...toQuery(before) }),
  ]);
  const beforeName = before?.name ? upper(before.name) : "The time before";
  return { chats, answers, ends, then: then && { ...then, name: beforeName } };
}
const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** The days of the last months, and what the same weekdays before cost up to the same time, of those
 * since usage began. day: the one that is shown, or "": today. Asked once the page itself is shown. */
export async function loadPast({ day, who, at: readAt }) {
  const today = toDay(readAt);
  const start = Date.parse(day || today);
  const at = Math.min(readAt, start + UNIT_MS.day);
  const since = Math.min(toMonth(today, 1 - MONTHS), start - 7 * WEEKS * UNIT_MS.day);
  const all = await getAll({ ...who, by: "day", ...toQuery({ since, until: readAt }) });
  const days = all.filter(({ calls }) => calls > 0);
  const first = days.length ? Math.min(...days.map((row) => Date.parse(row.day))) : null;
  const weekdays = Array.from({ length: WEEKS }, (_, n) => start - 7 * (n + 1) * UNIT_MS.day);
  const costs = await Promise.all(
    weekdays
      .filter((begin) => first !== null && begin >= first)
      .map((begin) => askCost(who, begin, begin + at - start)),
  );
  const used = weekdays.filter((begin) => days.some((row) => Date.parse(row.day) === begin));
  return { days, first, costs, used: used.length };
}

/** How a cost compares with those of the same weekday: [words, tone, from, to]. */
export function judge(cost, costs) {
  const sorted = [...costs].sort((a, b) => a - b);
  const kept = sorted.length >= TRIMMED_FROM ? sorted.slice(1, -1) : sorted;
  const [low, high] = [kept[0], kept.at(-1)];
  if (cost >= low - CENT && cost <= high + CENT) return ["normal", "good", low, high];
  if (cost < low) return ["less than usual", "good", low, high];
  const times = cost / high; // of the range that is named, not of a middle that nobody sees
  return high > 0 && times >= DEARER
    ? [`${sayTimes(times)} times the highest usual cost`, "bad", low, high]
    : [high > 0 ? "a little more than usual" : "more than usual", "warn", low, high];
}

/** One sentence: whether a day is as the same weekday usually is by this time. past: null until it is
 * known; at: when `cost` was read */
export function Today({ past, day, at: readAt, cost, hrefTo }) {
  const start = Date.parse(day || toDay(readAt));
  const at = Math.min(readAt, start + UNIT_MS.day);
  const { first, costs, used } = past ?? {};
  const isOver = at === start + UNIT_MS.day;
  const name = weekday.format(start);
  const when = isOver ? `${name}, ${shortDay.format(start)}:` : "Today";
  const begin = isOver
    ? when
    : html`<a href=${hrefTo({ day: toDay(start), by: "user" })}>${when}</a>`;
  const spent = html`${begin}${" "}<b>${formatCost(cost ?? 0)}</b>${!isOver && ` by ${clock.format(at)}`}.`;
  if (!costs || used < LEAST_DAYS)
    return html`<p class="normal">
      ${spent}${" "}<span class="soft"
        >${
          costs &&
          (first !== null && first < start
            ? `Usage began on ${shortDay.format(first)}, with too few ${name}s since to say what one usually costs.`
            : "There is no earlier usage to compare it with.")
        }</span
      >
    </p>`;
  const [words, tone, low, high] = judge(Number(cost ?? 0), costs);
  const range =
    formatCost(low) === formatCost(high)
      ? formatCost(low)
      : `${formatCost(low)} to ${formatCost(high)}`;
  return html`<p class="normal">
    ${spent}${" "}${
      high > 0
        ? `A usual ${name} ${isOver ? "costs" : "is at"} ${range}${isOver ? "" : " by then"}`
        : `On a usual ${name} nothing is used ${isOver ? "" : "by then"}`.trim()
    }:${" "}<b class=${tone}>${words}</b>.${" "}<small class="soft wider"
      >${`From the ${formatOf(costs.length, name)} before${
        costs.length >= TRIMMED_FROM ? ", without the lowest and the highest" : ""
      }.`}</small
    >
  </p>`;
}

/** This month beside the same days of those before, and all of these. current: this month's cost so far;
 * past: null until it is known, which changes no height */
export function Months({ past, current, at, hrefTo }) {
  useEffect(() => void import("./style.js"), []); // a chat, which shows figures of this file, needs none
  const today = toDay(at);
  const last = Number(today.slice(8));
  const rows = Array.from({ length: MONTHS }, (_, n) => {
    const begin = toMonth(today, -n);
    const days = (past?.days ?? []).filter(({ day }) => toMonth(day) === begin);
    const cost = sum(days, getCost);
    const part = sum(
      days.filter(({ day }) => Number(day.slice(8)) <= last),
      getCost,
    );
    const from = toDay(begin);
    return n
      ? { name: monthName.format(begin), part, cost, from, to: toDay(toMonth(from, 1) - 1) }
      : {
          name: monthName.format(begin),
          part: Number(current ?? cost),
          cost: null,
          from,
          to: null,
        };
  });
  const say = (cost, isNow) =>
    isNow || (past && cost)
      ? formatCost(cost)
      : html`<span class="soft">${past ? "none" : "…"}</span>`;
  return html`<${Wide} label="months side by side">
      <thead>
        <tr>
          <th class="name">Month</th>
          <th>${last === 1 ? "Day 1" : `Days 1 to ${last}`}</th>
          <th>Whole month</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, part, cost, from, to }) =>
            html`<tr key=${from}>
              <td class="name">
                <a href=${hrefTo({ from, to, days: null, day: null })}>${name}</a>
              </td>
              <td>${say(part, cost === null)}</td>
              <td>${cost === null ? html`<span class="soft">so far</span>` : say(cost)}</td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>`;
}

/** What the chart says, in figures. */
export function Table({ data, times, unit, hrefOf }) {
  const at = new Map(data.times.map((row) => [Date.parse(row[unit]), row]));
  const byTime = new Map();
  for (const row of data.daily)
    byTime.set(Date.parse(row[unit]), [...(byTime.get(Date.parse(row[unit])) ?? []), row]);
  return html`<details>
    <summary>Show as table</summary>
    <${Wide} isStacked label=${`usage by ${unit}`}
      ><thead>
        <tr>
          <th class="name">${toWords(unit)}</th>
          <th>Cost</th>
          <th>Calls</th>
          <th>Not finished</th>
          <th>In</th>
          <th>Cached</th>
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
              <td class="name" data-head=${toWords(unit)}>
                <a href=${hrefOf(time)}>${sayTime(time, unit)}</a>
              </td>
              <td data-head="Cost">${formatCost(sum(rows, getCost))}</td>
              <td data-head="Calls">${formatCount(sum(rows, READ.calls))}</td>
              <td data-head="Not finished">
                ${formatCount(sum(rows, (row) => row.unsuccessful_calls))}
              </td>
              <td data-head="In">${formatCount(input)}</td>
              <td data-head="Cached">
                ${formatShare(
                  sum(rows, (row) => row.cache_read_tokens),
                  input,
                )}
              </td>
              <td data-head="Out">${formatCount(sum(rows, getTokens) - input)}</td>
              <td data-head="Typical">${formatMs(at.get(time)?.duration_ms_p50)}</td>
              <td data-head="Slowest 5%">${formatMs(at.get(time)?.duration_ms_p95)}</td>
            </tr>`;
          })}
      </tbody></${Wide}
    >
  </details>`;
}

const LOST = ["failed", "limit"]; // how runs end that leave a message without an answer

/** What deleted chats take along. */
const sayDeleted = ({ outcomes: { deleted_chats: n } }, what) =>
  n > 0 &&
  html`<p class="soft">
    ${`Without ${n === 1 ? "a deleted chat" : `${formatCount(n)} deleted chats`}, files included: what they cost stays in all sums, ${what}.`}
  </p>`;

const count = ({ outcomes }, names) => sum(names, (name) => outcomes.by_status[name] ?? 0);
const get1 = ({ statuses }, name) => statuses.find(({ status }) => status === name);
const getCalls = (ends, name) => get1(ends, name)?.calls ?? 0;

/** Of a period, by line: [how many, of how many, cost]. */
function readEnds(ends) {
  const { outcomes, row, statuses } = ends;
  const usd = (name) => Number(get1(ends, name)?.unsuccessful_cost_usd ?? 0);
  const stopped = usd("cancelled");
  const [failed, all] = [usd("failed"), Number(row.unsuccessful_cost_usd ?? 0)];
  const cutCalls = row.unsuccessful_calls - getCalls(ends, "failed") - getCalls(ends, "cancelled");
  // A repeated call that failed again counts once.
  const [again, done] = ["retries", "retry_cost_usd"].map((name) =>
    Number(get1(ends, "succeeded")?.[name] ?? 0),
  );
  return {
    unanswered: [count(ends, LOST), outcomes.messages, null],
    stopped: [count(ends, ["cancelled"]), outcomes.messages, stopped],
    failed: [getCalls(ends, "failed"), row.calls, failed],
    cut: [cutCalls, row.calls, Math.max(0, all - failed - stopped)],
    repeated: [again, row.calls, done],
    wasted: all - stopped,
    total: all - stopped + done,
  };
}

const ENDS = {
  unanswered: [
    "Messages without an answer",
    "A person wrote, and the work failed or reached a limit.",
  ],
  stopped: [
    "Messages stopped by the person",
    "Somebody pressed Stop before the answer was whole. The calls that were stopped are no failures.",
  ],
};

/** Of calls: these add up to what the total says. */
const CALL_ENDS = {
  failed: [
    "Failed calls",
    "The model's vendor refused the call or could not be reached. Most are made again, and the message is answered.",
  ],
  cut: ["Cut calls", "The answer broke off, or its end was never reported."],
  repeated: [
    "Repeated calls",
    "Made again after one that failed or was cut, and whole then. Those that failed again are above.",
  ],
};

/** How often a message got no answer, and what repeated and failed calls cost. */
export function Answers({ data: { ends, then: earlier } }) {
  const then = earlier?.row.calls > 0 && earlier;
  const [now, before] = [readEnds(ends), then && readEnds(then)];
  const share = (part, whole) =>
    whole ? `${((100 * part) / whole).toFixed(part && part * 10 < whole ? 1 : 0)}%` : "–";
  const often = ([part, whole]) => `${formatCount(part)} of ${formatCount(whole)}`;
  const usd = ([, , cost]) => (cost === null ? "" : `, ${formatCost(cost)}`);
  const { unanswered } = ends.outcomes;
  const list = (names) =>
    Object.entries(names).map(([key, [name, meaning]]) => {
      const [part, whole, cost] = now[key];
      return html`<tr key=${key}>
        <td class="name">
          <b>${name}</b>
          <small class="few"
            >${`${often(now[key])}, ${share(part, whole)}`}${
              before && html`<br />${`${then.name}: ${often(before[key])}${usd(before[key])}`}`
            }</small
          >
          <small class="soft meaning">${meaning}</small>
        </td>
        <td class="wider">${often(now[key])}</td>
        <td class="wider">${share(part, whole)}</td>
        <td class="cost">${cost === null ? "–" : formatCost(cost)}</td>
        ${
          before &&
          html`<td class="wider">
            ${often(before[key])}
            ${cost !== null && html`<br /><small class="soft">${formatCost(before[key][2])}</small>`}
          </td>`
        }
      </tr>`;
    });
  const { wasted, total } = now;
  return html`<${Wide} label="what got no answer, failed or was repeated">
      <thead>
        <tr>
          <th class="name">What</th>
          <th class="wider">How often</th>
          <th class="wider">Share</th>
          <th>Cost</th>
          ${before && html`<th class="wider">${then.name.replaceAll(" ", "\u00a0")}</th>`}
        </tr>
      </thead>
      <tbody>
        ${list(CALL_ENDS)}
        <tr class="total">
          <td class="name">
            <b>Together, each call once</b>
            <small class="soft meaning"
              >${`${formatCost(wasted)} failed or cut + ${formatCost(total - wasted)} repeated`}</small
            >
            ${before && html`<small class="few">${`${then.name}: ${formatCost(before.total)}`}</small>`}
          </td>
          <td class="wider"></td>
          <td class="wider"></td>
          <td class="cost">${formatCost(total)}</td>
          ${before && html`<td class="wider">${formatCost(before.total)}</td>`}
        </tr>
      </tbody>
      <tbody>
        ${list(ENDS)}
      </tbody>
    </${Wide}>
    ${sayDeleted(ends, "but how their messages ended is erased with them")}
    ${
      unanswered.length > 0 &&
      html`<h3>Which messages had no answer</h3>
        <ul class="plain">
          ${unanswered.map(({ run_id: id, user_id: user, created_at: at, status }) => {
            const name = `${formatMoment(at)}, ${status === "limit" ? "reached a limit" : "failed"}`;
            return html`<li key=${id}>
              ${
                user === session.value.user_id
                  ? html`<a href=${`#/runs/${id}`}>${name}</a>`
                  : html`${name}${" "}<small class="soft"
                        >· Only ${makeVisible(user)} can open it</small
                      >`
              }
            </li>`;
          })}
        </ul>`
    }`;
}

const LOSSES = [
  [
    "pause_loss_usd",
    "After a pause",
    "The vendor keeps a prompt for some minutes (mostly 5). Who writes later pays for the whole chat again.",
    "Nothing is broken. It falls when people answer sooner, or start a new chat instead of returning to a long one; some models keep prompts for an hour.",
  ],
  [
    "prefix_loss_usd",
    "Not served from the cache",
    "The prompt came in time, but the vendor did not use its copy: the beginning was another (other tools or instructions), or it was dropped.",
    "If it is much: ask whoever looks after the prompts. The run says, under Prompt, from which word on it had changed.",
  ],
];

/** What lost caches cost, by reason, and what one can do. */
export function Losses({ data: { ends, then: earlier } }) {
  const then = earlier?.row.calls > 0 && earlier;
  const read = ({ row }, name) => Number(row[name] ?? 0);
  const whole = (of) => sum(LOSSES, ([name]) => read(of, name));
  const isSum = LOSSES.every(([name]) => read(ends, name) > 0); // else it is one of the rows
  return html`<p>
      <b>${formatCost(whole(ends))}</b> lost in this period: text that was sent again at full price.
    </p>
    ${sayDeleted(ends, "but what was lost in them is no longer known")}
    <${Wide} label="why caches were not used">
      <thead>
        <tr>
          <th class="name">Reason</th>
          <th class="name wider">What can be done</th>
          <th>Lost</th>
          ${then && html`<th class="wider">${then.name.replaceAll(" ", "\u00a0")}</th>`}
        </tr>
      </thead>
      <tbody>
        ${LOSSES.map(
          ([key, name, why, advice]) =>
            html`<tr key=${name}>
              <td class="name">
                <b>${name}</b>
                ${then && html`<small class="few">${`${then.name}: ${formatCost(read(then, key))}`}</small>`}
                <small class="soft meaning">${why}</small><small class="few">${advice}</small>
              </td>
              <td class="name wider"><small>${advice}</small></td>
              <td class="cost">${formatCost(read(ends, key))}</td>
              ${then && html`<td class="wider">${formatCost(read(then, key))}</td>`}
            </tr>`,
        )}
        ${
          isSum &&
          html`<tr class="total">
            <td class="name">
              <b>Together</b>
              ${then && html`<small class="few">${`${then.name}: ${formatCost(whole(then))}`}</small>`}
            </td>
            <td class="wider"></td>
            <td class="cost">${formatCost(whole(ends))}</td>
            ${then && html`<td class="wider">${formatCost(whole(then))}</td>`}
          </tr>`
        }
      </tbody>
    </${Wide}>`;
}

/** What an answer was, and what its cost comes from. whole: its row of the report */
export function describeAnswer({ answers }, whole) {
  const rows = answers.filter(({ run }) => run === whole.run);
  if (!rows.length) return null;
  const list = (name, say) => [...new Set(rows.map((row) => row[name]))].filter(Boolean).map(say);
  const lost = (name) => sum(rows, (row) => Number(row[name] ?? 0));
  const [pause, prefix] = [lost("pause_loss_usd"), lost("prefix_loss_usd")];
  const input = getInput(whole);
  // Calls without a run, such as those for titles, are many answers' and no dear one.
  const isOne = Boolean(whole.run);
  const times = isOne && answers.usual > 0 ? Number(whole.cost_usd) / answers.usual : 0;
  const models = list("model", makeVisible);
  return {
    what: [list("feature", toWords).join(", "), isOne ? models[0] : models.join(", ")]
      .filter(Boolean)
      .join(" · "),
    usual: [
      times >= DEARER && `${sayTimes(times)}× a usual answer`,
      pause && `${formatCost(pause)} of it because it came after a pause`,
      prefix && `${formatCost(prefix)} of it because the cache did not serve it`,
      `${formatMany(input)} tokens read, ${formatMany(getTokens(whole) - input)} written`,
    ]
      .filter(Boolean)
      .join("; "),
  };
}

const sayTimes = (times) => (times >= 10 ? formatCount(Math.round(times)) : times.toFixed(1));

/** `opus-5 in place of sonnet-5`: without what both names begin with. */
function sayInstead(name, usual) {
  const parts = usual.split("-");
  const same = name.split("-").findIndex((part, n) => part !== parts[n]);
  const cut = (all) => all.split("-").slice(Math.max(0, same)).join("-") || all;
  return `${cut(name)} in place of ${cut(usual)}`;
}

/** What a chat was and why it was dear, from the ledger: its features, answers and model. "": unknown */
export function describeChat({ chats: { chats, usual } }, id) {
  const chat = chats.find((item) => item.chat === id);
  if (!chat) return null;
  const { answers, models, features, cost_usd: cost } = chat;
  const reasons = [];
  const times = usual && Number(usual.cost_usd) > 0 ? Number(cost) / Number(usual.cost_usd) : null;
  if (times >= DEARER) {
    if (usual.model && models[0] !== usual.model)
      reasons.push(sayInstead(makeVisible(models[0]), makeVisible(usual.model)));
    if (answers > usual.answers)
      reasons.push(`long: ${formatOf(answers, "answer")}, usually ${+usual.answers.toFixed(1)}`);
    if (!reasons.length) reasons.push("longer texts");
  }
  const few = `${features.map((name) => toWords(name)).join(", ")} · ${formatOf(answers, "answer")}`;
  return {
    few,
    what: `${few} · ${models.map(makeVisible).join(", ")}`,
    usual: times >= DEARER ? `${sayTimes(times)}× a usual chat: ${reasons.join("; ")}` : "",
  };
}

const WHEN = { day: "Left today", total: "Left in all" };

/** What is left of the budget that is nearest to its end: a user's own, else everyone's together. */
export function Left({ budgets, isPlain }) {
  const [own] = budgets
    .filter(
      ({ scope, subject, left_usd: left }) =>
        left && (isPlain ? scope === "user" && subject : scope === "tenant"),
    )
    .sort((a, b) => a.left_usd / a.limit_usd - b.left_usd / b.limit_usd);
  if (!own) return null;
  const name = WHEN[own.period] ?? `Left this ${own.period}`;
  const left = formatCost(own.left_usd);
  return isPlain
    ? html`<div class="tile">
        <span>${name}</span><b>${left}</b>
        <p class="soft">of ${formatCost(own.limit_usd)}</p>
      </div>`
    : html`<p class="soft">${name}: ${left}</p>`;
}

/** What a table's rows have in common. */
export const Notes = ({ data, by, rows }) =>
  [
    by === "chat" && sayUsual(data),
    by === "run" &&
      data.answers?.usual > 0 &&
      `A usual answer costs ${formatCost(data.answers.usual)}: half of all cost less.`,
    by === "worker" && "Each one's own calls: of a feature also those that sort, check and title.",
    by === "tag" &&
      !rows.some((row) => row.tag) &&
      "No request named a tag. Programs may send some with a message.",
  ].map((text) => text && html`<p class="soft">${text}</p>`);

/** What the comparison of chats is made of. */
const sayUsual = ({ chats: { usual } }) =>
  usual
    ? `A usual chat of this period costs ${formatCost(usual.cost_usd)} (the middle one of ${formatCount(usual.chats)}), with ${[
        formatOf(+usual.answers.toFixed(1), "answer"),
        usual.model && makeVisible(usual.model),
      ]
        .filter(Boolean)
        .join(" by ")}.`
    : "";

const AVOIDED = {
  classifier: "Requests routed without a model",
  router: "Workers chosen without a separate call",
  worker: "Answers written without a model",
  evaluator: "Answers that needed no review",
};

/** Two different savings, each with its sum: calls that were not made, and requests that were shorter. */
export function Avoided({ rows }) {
  const part = (name, list, words) =>
    list.length > 0 &&
    [name, ...new Set(list.map((row) => row.role))].map((role) => {
      const own = role === name ? list : list.filter((row) => row.role === role);
      const Cell = role === name ? "th" : "td";
      return html`<tr key=${role}>
        <${Cell} class="name">${words[role] ?? toWords(role)}</${Cell}>
        <${Cell}>${formatCount(sum(own, READ.calls))}</${Cell}>
        <${Cell}>${formatCount(sum(own, (row) => row.tokens))}</${Cell}>
        <${Cell}>${formatCost(sum(own, getCost))}</${Cell}>
      </tr>`;
    });
  return html`<details class="card">
    <summary>Calls avoided and shorter requests</summary>
    <p class="soft">Estimates: the input tokens that were not sent, at today's prices.</p>
    <${Wide} label="avoided calls">
      <thead>
        <tr>
          <th class="name">What</th>
          <th>Times</th>
          <th>Tokens in</th>
          <th>Worth</th>
        </tr>
      </thead>
      <tbody>
        ${part(
          "Calls avoided",
          rows.filter((row) => !SHORTER[row.role]),
          AVOIDED,
        )}${part(
          "Shorter requests",
          rows.filter((row) => SHORTER[row.role]),
          SHORTER,
        )}
      </tbody>
    </${Wide}>
  </details>`;
}
