// Two of something side by side: words, and fields.
import { html } from "./html.js";
import { Time, Value, useLoaded } from "./parts.js";
import { cutLong, makeVisible, toText, toWords } from "./words.js";

const MOST_DIFF_CHARS = 50_000;
const LEAST_SHARED = 0.3;
const LEAST_BESIDE = 40; // shorter texts are read at a glance

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const sumChars = (parts) => parts.reduce((sum, part) => sum + part.value.length, 0);

/** What is taken away is struck, what is added is marked; two that have little in common stand beside each other. */
export function Words({ a, b }) {
  const { data: library } = useLoaded(() => import("./diff.js"), ""); // with the first difference that is shown
  const beside = () => html`<div class="two"><${Value} value=${a} /><${Value} value=${b} /></div>`;
  if (a.length + b.length > MOST_DIFF_CHARS) return beside();
  if (a === b)
    return html`<p class="diff soft">
      ${cutLong(makeVisible(a)) || "nothing"}<small> (the same)</small>
    </p>`;
  if (!library) return null;
  const parts = library.diffWords(a, b);
  const shared = sumChars(parts.filter((part) => !part.added && !part.removed));
  if (
    Math.min(a.length, b.length) > LEAST_BESIDE &&
    shared < LEAST_SHARED * Math.max(a.length, b.length)
  )
    return beside();
  return html`<p class="diff">
    ${parts.map((part) => {
      const text = makeVisible(part.value);
      if (part.added) return html`<ins>${text}</ins>`;
      return part.removed ? html`<del>${text}</del>` : text;
    })}
  </p>`;
}

/** Fields of two objects as rows, those that differ first; what is missing is empty. */
export function alignFields(a = {}, b = {}) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const tell = (value) => (value === undefined || value === null ? "" : toText(value));
  const rows = names.map((name) => ({ name, a: tell(a[name]), b: tell(b[name]) }));
  return [...rows.filter((row) => row.a !== row.b), ...rows.filter((row) => row.a === row.b)];
}

/** Two objects as a table: what one side has not, or has otherwise. */
export function FieldsDiff({ a, b }) {
  return html`<dl class="fields">
    ${alignFields(a, b).map(
      (row) =>
        html`<dt>${makeVisible(toWords(row.name))}</dt>
          <dd>
            ${
              row.a === row.b
                ? html`<span class="soft"
                    >${MOMENT.test(row.a) ? html`<${Time} at=${row.a} />` : makeVisible(row.a) || "–"}</span
                  >`
                : html`<${Words} a=${row.a} b=${row.b} />`
            }
          </dd>`,
    )}
  </dl>`;
}
