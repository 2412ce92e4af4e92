// Tool calls of two runs, one beside the other.
import { alignFields, markWords } from "../diffs.js";
import { html } from "../html.js";
import { Value } from "../parts.js";
import { describeCall, makeVisible, toReadable, toWords } from "../words.js";
import { areRelated } from "./experiment.js";

const SHORT = 40; // characters of which the changed ones are seen at a glance
const LONG = 400;

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

/** An argument as people read it, and not as JSON: `Title: Cook`, each on a line of its own. */
function toLines(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return toReadable(value);
  const indent = (text) => text.replaceAll("\n", "\n  ");
  return Object.entries(value)
    .map(([name, item]) =>
      Array.isArray(value)
        ? `• ${indent(toLines(item))}`
        : `${toWords(name)}: ${indent(toLines(item))}`,
    )
    .join("\n");
}

const Text = ({ text }) =>
  text.length > LONG
    ? html`<${Value} value=${text} most=${LONG} />`
    : html`<p class="diff">${makeVisible(text) || html`<span class="soft">not given</span>`}</p>`;

/** A field of both sides: changed words are marked where the texts have most of them in common. */
function Field({ a, b, names }) {
  const marked = (Math.max(a.length, b.length) <= SHORT || areRelated(a, b)) && markWords(a, b);
  if (marked && a && b) return html`<p class="diff">${marked}</p>`;
  return html`<div class="two">
    ${[a, b].map(
      (text, at) =>
        html`<div><small class="soft">${names[at]}</small><${Text} text=${text} /></div>`,
    )}
  </div>`;
}

/** The arguments of a call, or of two that are aligned. */
function Arguments({ a, b, names }) {
  const rows = alignFields(a ?? b, b ?? a).map(({ name, ...row }) => [name, row.a === row.b]);
  return html`<dl class="fields">
    ${rows.map(([name, isSame]) => {
      const [from, to] = [a ?? b, b ?? a].map((given) => toLines(given?.[name]));
      return html`<dt>${makeVisible(toWords(name))}</dt>
        <dd>
          ${isSame ? html`<${Text} text=${from} />` : html`<${Field} a=${from} b=${to} names=${names} />`}
        </dd>`;
    })}
  </dl>`;
}

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
        ${call.told !== "the same" && html`<${Arguments} a=${call.a?.arguments} b=${call.b?.arguments} names=${names} />`}
      </div>`,
  );
}
