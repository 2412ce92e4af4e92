// Tool calls of two runs, one beside the other.
import { alignFields } from "../diffs.js";
import { html } from "../html.js";
import { Value } from "../parts.js";
import { describeCall, describeTool, makeVisible, toInner, toReadable, toWords } from "../words.js";
import { areRelated } from "./experiment.js";
import { markSides } from "./marks.js";
import "./style.js";

const SHORT = 40; // characters whose changes are seen at a glance
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

const TOLD = 4; // arguments of a call in a sentence

/** The arguments of a call inside a sentence: ` (job number 1, status applied)`; "": it has none. */
function sayGiven({ arguments: given }) {
  const told = Object.entries(given ?? {})
    .map(([name, value]) => [toInner(toWords(name)), toLines(value).replace(/\s+/g, " ")])
    .filter(([, value]) => value)
    .map(
      ([name, value]) => `${name} ${value.length > SHORT ? `${value.slice(0, SHORT)}…` : value}`,
    );
  const more = told.length > TOLD ? ", …" : "";
  return told.length ? ` (${told.slice(0, TOLD).join(", ")}${more})` : "";
}

/** The last call of an answer that a replay did not execute. */
export const findClosed = ({ tools }) => tools.findLast(({ served }) => served === "closed");

/** What a call would have done: `change the job (job number 1, status applied)`. */
export const sayWanted = (call) =>
  makeVisible(toInner(describeTool(call.name).approve ?? toWords(call.name)) + sayGiven(call));

/** What a call did: `Updated a job (job number 22, place Bremen)`. */
export const sayDone = (call) => makeVisible(describeCall(call.name, true) + sayGiven(call));

const NONE = html`<span class="soft">–</span>`;

const Text = ({ text, marked }) => {
  if (text.length > LONG) return html`<${Value} value=${text} most=${LONG} />`;
  return text ? html`<span class="diff">${marked || makeVisible(text)}</span>` : NONE;
};

/** The rows of one call, or of two that are aligned: one for each argument, those that differ first. */
function Arguments({ a, b }) {
  return alignFields(a ?? {}, b ?? {}).map((row) => {
    const [from, to] = [a, b].map((given) => toLines(given?.[row.name]));
    const [before, after] =
      from.length > SHORT && to.length > SHORT && areRelated(from, to) ? markSides(from, to) : [];
    const isSame = row.a === row.b;
    return html`<tr key=${row.name}>
      <th class="name" scope="row">${makeVisible(toWords(row.name))}</th>
      <td class="name"><${Text} text=${from} marked=${before} /></td>
      <td class=${`name ${isSame ? "soft" : ""}`}><${Text} text=${to} marked=${after} /></td>
    </tr>`;
  });
}

/** A table of two sides, whose names stand once above it. */
export const Sides = ({ label, first, names, children }) =>
  html`<table class="both" aria-label=${label}>
    <thead>
      <tr>
        <th class="name" scope="col">${first}</th>
        ${names.map((name) => html`<th key=${name} class="name" scope="col">${name}</th>`)}
      </tr>
    </thead>
    ${children}
  </table>`;

/** @param {{a: object[], b: object[], names?: string[]}} props calls with `name` and `arguments`; names: of the sides */
export function Calls({ a, b, names = ["A", "B"] }) {
  const calls = alignCalls(a, b).map((call) => ({ ...call, told: compareCall(call, names) }));
  if (!calls.length) return html`<p class="soft">none</p>`;
  if (calls.every(({ told }) => told === "the same"))
    return calls.map(
      ({ key, a, told }) =>
        html`<p key=${key} title=${a.name}>
          ${makeVisible(key)} <span class="soft">${told}</span>
        </p>`,
    );
  return html`<${Sides} label="Tools" first="Argument" names=${names}
    >${calls.map(
      (call) =>
        html`<tbody key=${call.key}>
          <tr>
            <th class="name call" colspan="3" scope="rowgroup" title=${(call.a ?? call.b).name}>
              ${makeVisible(call.key)} <span class="soft">${call.told}</span>
            </th>
          </tr>
          ${call.told !== "the same" && html`<${Arguments} a=${call.a?.arguments} b=${call.b?.arguments} />`}
        </tbody>`,
    )}</${Sides}
  >`;
}
