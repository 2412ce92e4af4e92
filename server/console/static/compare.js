// Any two runs side by side: the way, the words, the tools, the cost.
import { useState } from "./vendor.js";
import { Calls } from "./calls.js";
import { Words } from "./diffs.js";
import { html } from "./html.js";
import { Empty, Failure, useLoaded } from "./parts.js";
import { RunHead, loadRun } from "./run.js";
import { describePath } from "./words.js";

const getAnswer = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .filter((message) => message.role === "assistant")
    .map((message) =>
      message.parts
        .filter((part) => part.type === "text")
        .map((part) => part.text)
        .join(""),
    )
    .filter(Boolean)
    .at(-1) ?? "";

const listCalls = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool_call");

function Both({ a, b }) {
  const path = (steps) => describePath(steps.map((step) => step.node));
  return html`<div class="two">
      <div>
        <h2>A</h2>
        <${RunHead} run=${a.run} />
      </div>
      <div>
        <h2>B</h2>
        <${RunHead} run=${b.run} />
      </div>
    </div>
    <h2>Answer</h2>
    <${Words} a=${getAnswer(a.steps)} b=${getAnswer(b.steps)} />
    <h2>Path</h2>
    <${Words} a=${path(a.steps)} b=${path(b.steps)} />
    <h2>Tool calls</h2>
    <${Calls} a=${listCalls(a.steps)} b=${listCalls(b.steps)} />`;
}

/** @param {{a?: string, b?: string}} props ids of runs */
export function Compare({ a, b }) {
  const [ids, setIds] = useState({ a: a ?? "", b: b ?? "" });
  const isReady = Boolean(a && b);
  const { data, error } = useLoaded(
    async () => (isReady ? Promise.all([loadRun(a), loadRun(b)]) : null),
    `${a} ${b}`,
  );
  const show = (event) => {
    event.preventDefault();
    location.hash = `#/compare?a=${encodeURIComponent(ids.a.trim())}&b=${encodeURIComponent(ids.b.trim())}`;
  };
  return html`<h1>Compare two runs</h1>
    <form onSubmit=${show}>
      ${["a", "b"].map(
        (side) =>
          html`<label
            >Run ${side.toUpperCase()}<input
              class="id"
              value=${ids[side]}
              required
              onInput=${(event) => setIds({ ...ids, [side]: event.target.value })}
          /></label>`,
      )}
      <button class="accent">Compare</button>
    </form>
    <${Failure} error=${error} />
    ${
      !isReady &&
      html`<${Empty}
        >Enter the ids of two runs to compare their answers, routes, tools and cost. “Compare” on a
        run's page leads here.</${Empty}
      >`
    }
    ${data && html`<${Both} a=${data[0]} b=${data[1]} />`}`;
}
