// Why an answer is as it is, for whoever asked: what was done, what it is based on, what it took.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Markdown } from "./markdown.js";
import { Way, useLoaded } from "./parts.js";
import { config } from "./session.js";
import { cutLong, formatCost, formatDuration, formatOf, makeVisible } from "./words.js";

/** The text of a run's last message; "": it has none. */
const findAnswer = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .findLast(
      ({ role, parts }) => role === "assistant" && parts.some(({ type }) => type === "text"),
    )
    ?.parts.filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n\n") ?? "";

/** @param {{run: object, steps: object[], told: {sentences: string[], action?: object}}} props */
export function Why({ run, steps, told }) {
  const { based } = config.value.screens.find(({ pack }) => pack === run.pack) ?? {};
  const { data: part } = useLoaded(async () => based && import(`./${run.pack}/${based}.js`), based);
  const answer = findAnswer(steps);
  const took = run.ended_at && `It took ${formatDuration(run.created_at, run.ended_at)}`;
  const cost = run.calls
    ? `${formatOf(run.calls, "model call")} cost ${formatCost(run.cost_usd).replace("<", "less than ")}`
    : "no model was called, so it cost nothing";
  return html`<div class="why">
    ${
      answer &&
      html`<details>
        <summary>The answer</summary>
        <section class="card" aria-label="The answer">
          <${Markdown} text=${cutLong(answer, 700)} />
        </section>
      </details>`
    }
    <section aria-label="What was done">
      <h2>What was done</h2>
      <ul class="plain done">
        ${told.sentences.map(
          (text, n) =>
            html`<li key=${n}><${Icon} name="circle-check" />${makeVisible(cutLong(text))}</li>`,
        )}
      </ul>
      ${told.action && html`<p><${Way} action=${told.action} /></p>`}
    </section>
    ${part && html`<${part.Based} run=${run} steps=${steps} answer=${answer} />`}
    <section aria-label="Time and cost">
      <h2>Time and cost</h2>
      <p>${took ? `${took}; ${cost}.` : "It is not finished yet."}</p>
    </section>
    <p class="foot">
      <a href=${`#/runs/${run.id}`} onClick=${() => scrollTo(0, 0)}
        >For developers: every step, prompt and token</a
      >
    </p>
  </div>`;
}
