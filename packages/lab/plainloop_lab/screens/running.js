// An experiment that runs: what is done, what it has cost, how long still, what can be done now.
import { useChange } from "../access.js";
import { get } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Failure, Time, useLoaded } from "../parts.js";
import { formatCost, formatCount, formatOf, makeVisible } from "../words.js";
import { Texts } from "./beside.js";
import { sayPlainly } from "./names.js";

export const EARLIEST = 10; // an early reading needs so many compared conversations

/** `About 4 minutes`: no more exact than one can know it. */
export function sayLeft(seconds) {
  if (seconds < 10) return "A few seconds";
  if (seconds < 85) return `About ${10 * Math.round(seconds / 10)} seconds`;
  if (seconds < 90 * 60) return `About ${formatOf(Math.round(seconds / 60), "minute")}`;
  return `About ${formatOf(Math.round(seconds / 3600), "hour")}`;
}

const STOOD_MS = 10 * 60_000; // without work, from which on the time since the start misleads

/** How long conversations were worked on, where that is less than half of the time since the start; else null. */
export function findWorked({ left_s: left, items, created_at: at }, now = Date.now()) {
  const open = (items.queued ?? 0) + (items.running ?? 0);
  if (left === null || !open) return null;
  const worked = (left * (items.succeeded ?? 0)) / open; // the pace that `left_s` goes by
  const age = (now - Date.parse(at)) / 1000;
  return 1000 * (age - worked) > STOOD_MS && worked < age / 2 ? worked : null;
}

const PROJECTED = 3; // conversations done, from which on their cost says more than the estimate

/** What all will cost, in dollars and how that is known; null: nothing tells. */
export function projectCost({ done, conversations, cost_usd: cost, estimate_usd: estimate }) {
  if (done >= PROJECTED && Number(cost) > 0)
    return [(cost / done) * conversations, "as those done so far"];
  return estimate === null ? null : [Number(estimate), "as estimated"];
}

/** What those that are compared so far say, and what they cannot say; null: nothing honest. */
function sayEarly({ summary, decision }, replay) {
  const { conversations, cost_usd: cost } = replay;
  const compared = summary.conversations - summary.uncompared;
  if (compared < EARLIEST) return null;
  const { limit } = decision.rules.find((rule) => rule.name === "worse");
  const [worse, better] = [summary.worse.conversations, summary.better.conversations];
  const told = `${formatCount(worse)} of the first ${formatCount(compared)} got worse by the measures, ${formatCount(better)} got better.`;
  if (worse <= limit * conversations)
    return [told, "That may change: the verdict comes at the end."];
  const rest = cost === null ? 0 : Math.max(0, (projectCost(replay)?.[0] ?? 0) - cost);
  return [
    told,
    `You allow ${(100 * limit).toFixed(0)} of 100, so it cannot pass any more${rest ? `: stopping now saves about ${formatCost(rest)}` : ""}.`,
  ];
}

const Tile = ({ title, figure, children }) =>
  html`<div class="tile">
    <span>${title}</span>
    <p class="figure"><b>${figure}</b></p>
    ${children}
  </div>`;

/** @param {{replay: object, report: object | null, again: () => void}} props report: of those compared so far */
export function Running({ replay, report, again }) {
  const { isBusy, error, change } = useChange(again);
  const { conversations, done, items, left_s: left, cost_usd: cost } = replay;
  const { max_cost_usd: limit } = replay;
  const inAll = projectCost(replay);
  const worked = findWorked(replay);
  const failed = items.failed ?? 0;
  const early = report && sayEarly(report, replay);
  return html`<section class="card running" aria-label="Progress">
      <div class="row spread">
        <h2>${`${formatCount(done)} of ${formatOf(conversations, "conversation")} done`}</h2>
        <span class="status running"><${Icon} name="clock" size=${14} />Running</span>
      </div>
      <progress aria-label="Conversations done" max=${conversations} value=${done}></progress>
      <div class="tiles">
        <${Tile} title="Time left" figure=${left === null ? "Not known yet" : sayLeft(left)}>
          <small
            >started <${Time} at=${replay.created_at} />${
              worked !== null &&
              `, at work for ${sayLeft(worked).toLowerCase()} of it; time left at that pace`
            }</small
          >
        </${Tile}>
        <${Tile} title="Cost so far" figure=${formatCost(cost)}>
          ${
            limit !== null &&
            !replay.advice_id &&
            html`<meter aria-label="Of the spending limit" max=${limit} value=${cost ?? 0}></meter>`
          }<small
            >${[
              limit !== null && !replay.advice_id && `of ${formatCost(limit)} allowed`,
              inAll && `about ${formatCost(inAll[0])} in all, ${inAll[1]}`,
            ]
              .filter(Boolean)
              .join("; ")}</small
          >
        </${Tile}>
        <${Tile} title="Answers that failed" figure=${failed ? formatCount(failed) : "None"}>
          <small>${failed ? "after the end you can continue: only these are tried again" : "so far"}</small>
        </${Tile}>
      </div>
      ${
        early
          ? html`<p><b>Early reading:</b> ${early[0]} <span class="soft">${early[1]}</span></p>`
          : html`<p class="soft">
              ${
                conversations < EARLIEST
                  ? "The verdict comes at the end."
                  : `No result yet: an early reading needs ${EARLIEST} compared conversations, the verdict all of them.`
              }
            </p>`
      }
      <p class="row spread">
        <span class="soft"
          >You can leave this page: it goes on, and the list of experiments shows the result. What is
          paid is kept if you stop; you can continue later.</span
        ><button
          class="small"
          disabled=${isBusy}
          onClick=${() => change("POST", `/api/replays/${replay.id}/cancel`)}
        >
          <${Icon} name="square" size=${14} />Stop
        </button>
      </p>
      <${Failure} error=${error} />
    </section>`;
}

const SHOWN = 5;

/** What the first answers look like. done: conversations that are; the list is asked for again when one more is */
export function Early({ id, done }) {
  const { data } = useLoaded(async () => {
    const found = await get(`/api/replays/${id}/answers?limit=${SHOWN}`);
    const [first] = found.answers;
    const path = first && `/api/replays/${id}/conversations/${first.n}/turns/${first.turn}`;
    return { ...found, pair: path ? await get(path) : null };
  }, `${id} ${done}`);
  if (!data || !done) return null;
  const { answers, differing, pair } = data;
  const sides = pair && [pair.turn.lanes[pair.reference], pair.turn.lanes.candidate];
  return html`<section class="card early" aria-label="First answers">
    <h2>First answers</h2>
    <p class="soft">
      ${
        differing
          ? `${formatOf(differing, "answer")} ${differing === 1 ? "differs" : "differ"} so far. A different answer need not be a worse one.`
          : "No compared answer differs so far."
      }
    </p>
    <div class="beside">
      <div>
        ${
          sides?.every(Boolean) &&
          html`<p><b>“${makeVisible(pair.turn.user)}”</b></p>
            <${Texts} a=${sides[0].text} b=${sides[1].text} names=${["Today", "Candidate"]} />`
        }
      </div>
      <ol class="plain lines">
        ${answers.map(
          (item) =>
            html`<li key=${`${item.n} ${item.turn}`}>
              <a href=${`#/lab.experiments/${id}?n=${item.n}&turn=${item.turn}`}
                ><b>“${makeVisible(item.said || item.conversation_id)}”</b
                ><small>${item.differences.slice(0, 2).map(sayPlainly).join("; ")}</small></a
              >
            </li>`,
        )}
      </ol>
    </div>
  </section>`;
}
