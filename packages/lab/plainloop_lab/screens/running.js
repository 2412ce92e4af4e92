// An experiment that runs: what is done, what it has cost, how long still, what can be done now.
import { useChange } from "../access.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Failure, Time } from "../parts.js";
import { formatCost, formatCount, formatOf } from "../words.js";

export const EARLIEST = 10; // an early reading needs so many compared conversations

/** `About 4 minutes`: no more exact than one can know it. */
export function sayLeft(seconds) {
  if (seconds < 10) return "A few seconds";
  if (seconds < 85) return `About ${10 * Math.round(seconds / 10)} seconds`;
  if (seconds < 90 * 60) return `About ${formatOf(Math.round(seconds / 60), "minute")}`;
  return `About ${formatOf(Math.round(seconds / 3600), "hour")}`;
}

/** What those that are compared so far say, and what they cannot say; null: nothing honest. */
function sayEarly(
  { summary, decision },
  { conversations, estimate_usd: estimate, cost_usd: cost },
) {
  const compared = summary.conversations - summary.uncompared;
  if (compared < EARLIEST) return null;
  const { limit } = decision.rules.find((rule) => rule.name === "worse");
  const [worse, better] = [summary.worse.conversations, summary.better.conversations];
  const told = `${formatCount(worse)} of the first ${formatCount(compared)} got worse by the measures, ${formatCount(better)} got better.`;
  if (worse <= limit * conversations)
    return [told, "That may change: the verdict comes at the end."];
  const rest = estimate === null || cost === null ? 0 : Math.max(0, estimate - cost);
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
  const { max_cost_usd: limit, estimate_usd: estimate } = replay;
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
          <small>started <${Time} at=${replay.created_at} /></small>
        </${Tile}>
        <${Tile} title="Cost so far" figure=${formatCost(cost)}>
          ${
            limit !== null &&
            !replay.advice_id &&
            html`<meter aria-label="Of the spending limit" max=${limit} value=${cost ?? 0}></meter>`
          }<small
            >${[
              limit !== null && !replay.advice_id && `of ${formatCost(limit)} allowed`,
              estimate !== null && `about ${formatCost(estimate)} in all, as estimated`,
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
