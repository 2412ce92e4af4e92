// Tool calls of two runs, one beside the other.
import { FieldsDiff } from "../diffs.js";
import { html } from "../html.js";
import { describeCall, makeVisible } from "../words.js";

/** Tool calls of two runs, aligned by name and by which call of that name it is: `Looked up your jobs (2)`. */
function alignCalls(a, b) {
  const keyed = (calls) => {
    const seen = {};
    return new Map(
      calls.map((call) => {
        const place = (seen[call.name] = (seen[call.name] ?? 0) + 1);
        return [`${describeCall(call.name, true)}${place > 1 ? ` (${place})` : ""}`, call];
      }),
    );
  };
  const [left, right] = [keyed(a), keyed(b)];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => ({
    key,
    a: left.get(key),
    b: right.get(key),
  }));
}

const compareCall = (call, [a, b]) => {
  if (!call.a || !call.b) return `only in ${call.a ? a : b}`;
  return JSON.stringify(call.a.arguments) === JSON.stringify(call.b.arguments)
    ? "the same"
    : "other arguments";
};

/** @param {{a: object[], b: object[], names?: string[]}} props calls with `name` and `arguments`; names: of the sides */
export function Calls({ a, b, names = ["A", "B"] }) {
  const calls = alignCalls(a, b).map((call) => ({ ...call, told: compareCall(call, names) }));
  if (!calls.length) return html`<p class="soft">none</p>`;
  return calls.map(
    (call) =>
      html`<div key=${call.key}>
        <p title=${(call.a ?? call.b).name}>
          ${makeVisible(call.key)} <span class="soft">${call.told}</span>
        </p>
        ${call.told !== "the same" && html`<${FieldsDiff} a=${call.a?.arguments} b=${call.b?.arguments} />`}
      </div>`,
  );
}
