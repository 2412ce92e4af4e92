// Tool calls of two runs, one beside the other.
import { FieldsDiff } from "../diffs.js";
import { html } from "../html.js";
import { makeVisible } from "../words.js";

/** Tool calls of two runs, aligned by name and by which call of that name it is. */
function alignCalls(a, b) {
  const keyed = (calls) => {
    const seen = {};
    return new Map(
      calls.map((call) => [
        `${call.name} #${(seen[call.name] = (seen[call.name] ?? 0) + 1)}`,
        call,
      ]),
    );
  };
  const [left, right] = [keyed(a), keyed(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => ({
    key,
    a: left.get(key),
    b: right.get(key),
  }));
}

const compareCall = (call) => {
  if (!call.a || !call.b) return `only in ${call.a ? "A" : "B"}`;
  return JSON.stringify(call.a.arguments) === JSON.stringify(call.b.arguments)
    ? "the same"
    : "other arguments";
};

/** @param {{a: object[], b: object[]}} props calls with `name` and `arguments` */
export function Calls({ a, b }) {
  const calls = alignCalls(a, b);
  if (!calls.length) return html`<p class="soft">none</p>`;
  return calls.map(
    (call) =>
      html`<div key=${call.key}>
        <p><code>${makeVisible(call.key)}</code> <span class="soft">${compareCall(call)}</span></p>
        ${compareCall(call) !== "the same" && html`<${FieldsDiff} a=${call.a?.arguments} b=${call.b?.arguments} />`}
      </div>`,
  );
}
