// Any two runs side by side: the way, the words, the tools, the cost.
import { diffWords, useState } from "./vendor.js";
import { html } from "./html.js";
import { Failure, Value, useLoaded } from "./parts.js";
import { RunHead, loadRun } from "./run.js";
import { makeVisible } from "./words.js";

const MOST_DIFF_CHARS = 50_000;

const getAnswer = (steps) =>
  steps.flatMap((step) => step.update.messages ?? []).filter((message) => message.role === "assistant")
    .map((message) => message.parts.filter((part) => part.type === "text").map((part) => part.text).join(""))
    .filter(Boolean).at(-1) ?? "";

const listCalls = (steps) =>
  steps.flatMap((step) => step.update.messages ?? []).flatMap((message) => message.parts).filter((part) => part.type === "tool_call");

/** Tool calls of two runs, aligned by name and by which call of that name it is. */
export function alignCalls(a, b) {
  const keyed = (calls) => {
    const seen = {};
    return new Map(calls.map((call) => [`${call.name} #${(seen[call.name] = (seen[call.name] ?? 0) + 1)}`, call]));
  };
  const [left, right] = [keyed(a), keyed(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => ({ key, a: left.get(key), b: right.get(key) }));
}

function Words({ a, b }) {
  if (a.length + b.length > MOST_DIFF_CHARS) return html`<div class="two"><${Value} value=${a} /><${Value} value=${b} /></div>`;
  if (a === b) return html`<p class="soft">the same words</p>`;
  return html`<p class="diff">${diffWords(a, b).map((part) => {
    const text = makeVisible(part.value);
    if (part.added) return html`<ins>${text}</ins>`;
    return part.removed ? html`<del>${text}</del>` : text;
  })}</p>`;
}

function Both({ a, b }) {
  const path = (steps) => steps.map((step) => step.node).join(" → ");
  const same = (call) => JSON.stringify(call.a?.arguments) === JSON.stringify(call.b?.arguments);
  return html`<div class="two"><div><h2>A</h2><${RunHead} run=${a.run} /></div><div><h2>B</h2><${RunHead} run=${b.run} /></div></div>
    <h2>Answer</h2><${Words} a=${getAnswer(a.steps)} b=${getAnswer(b.steps)} />
    <h2>Way</h2><${Words} a=${path(a.steps)} b=${path(b.steps)} />
    <h2>Tool calls</h2>
    ${alignCalls(listCalls(a.steps), listCalls(b.steps)).map((call) => html`<div key=${call.key}>
      <h3><code>${call.key}</code> <span class="soft">${call.a && call.b ? (same(call) ? "the same" : "other arguments") : call.a ? "only in A" : "only in B"}</span></h3>
      ${!same(call) && html`<div class="two"><${Value} value=${call.a?.arguments ?? "–"} /><${Value} value=${call.b?.arguments ?? "–"} /></div>`}
    </div>`)}`;
}

/** @param {{a?: string, b?: string}} props ids of runs */
export function Compare({ a, b }) {
  const [ids, setIds] = useState({ a: a ?? "", b: b ?? "" });
  const isReady = Boolean(a && b);
  const { data, error } = useLoaded(async () => (isReady ? Promise.all([loadRun(a), loadRun(b)]) : null), `${a} ${b}`);
  const show = (event) => {
    event.preventDefault();
    location.hash = `#/compare?a=${encodeURIComponent(ids.a.trim())}&b=${encodeURIComponent(ids.b.trim())}`;
  };
  return html`<h1>Compare</h1>
    <form onSubmit=${show}>
      ${["a", "b"].map((side) => html`<label>Run ${side.toUpperCase()}<input value=${ids[side]} required onInput=${(event) => setIds({ ...ids, [side]: event.target.value })} /></label>`)}
      <button class="accent">Compare</button>
    </form>
    <${Failure} error=${error} />
    ${data && html`<${Both} a=${data[0]} b=${data[1]} />`}`;
}
