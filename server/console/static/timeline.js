// A run's steps as they happen: nodes, their model calls, their tools.
import { sumTokens } from "./fold.js";
import { html } from "./html.js";
import { Value } from "./parts.js";
import { describeNode, formatCount, formatMs } from "./words.js";

function Call({ call }) {
  const doubt = call.source === "provider" ? "" : ` (${call.source})`;
  return html`<li class="soft">${call.model} · in ${formatCount(call.input_tokens)} · out ${formatCount(call.output_tokens)}${doubt}</li>`;
}

function Tool({ tool }) {
  return html`<li><details class="tool">
    <summary><code>${tool.name}</code> <span class=${tool.status === "failed" ? "bad" : "soft"}>${tool.status}</span></summary>
    <${Value} label="Called with" value=${tool.arguments ?? {}} />
    ${tool.result !== undefined && html`<${Value} label="Result" value=${tool.result} />`}
    ${tool.error && html`<${Value} label="Failed" value=${tool.error} />`}
  </details></li>`;
}

function Step({ step }) {
  return html`<li class="step">
    <div><strong title=${step.node}>${describeNode(step.node)}</strong> <span class="soft">${step.status === "done" ? formatMs(step.ms) : "…"}</span></div>
    ${(step.calls.length > 0 || step.tools.length > 0) && html`<ul>
      ${step.calls.map((call) => html`<${Call} call=${call} />`)}
      ${step.tools.map((tool) => html`<${Tool} key=${tool.id} tool=${tool} />`)}
    </ul>`}
  </li>`;
}

// On a phone it is a drawer, shut until somebody wants it.
const isWide = () => matchMedia("(min-width: 60rem)").matches;
const SHOWN = 200; // of a long run the newest; the run's own page has them all

/** @param {{run: object}} props as `fold.js` makes it */
export function Timeline({ run }) {
  const hidden = Math.max(0, run.steps.length - SHOWN);
  return html`<aside class="timeline" aria-label="What the run does"><details open=${isWide()}>
    <summary><h2>This run</h2></summary>
    ${run.id && html`<p><a href=${`#/runs/${run.id}`}>Full trace</a></p>`}
    ${run.steps.some((step) => step.calls.length > 0) && html`<p class="soft">${formatCount(sumTokens(run, "input_tokens"))} tokens in · ${formatCount(sumTokens(run, "output_tokens"))} out</p>`}
    ${run.place !== null && html`<p class="soft">In the queue, place ${run.place}</p>`}
    ${hidden > 0 && html`<p class="soft">${hidden} earlier steps</p>`}
    <ol>${run.steps.slice(hidden).map((step) => html`<${Step} key=${step.n} step=${step} />`)}</ol>
    ${run.notices.map((text) => html`<p class="notice">${text}</p>`)}
  </details></aside>`;
}
