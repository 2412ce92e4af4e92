// Two of something side by side: words, lines, and fields.
import { html } from "./html.js";
import { Value } from "./parts.js";
import { cutLong, makeVisible, toReadable, toText, toWords } from "./words.js";

const MOST_DIFF_CHARS = 50_000;
const MOST_EDITS = 800; // beyond it two texts have nothing in common
const LEAST_SHARED = 0.3;
const LEAST_BESIDE = 40; // shorter texts are read at a glance

const sumChars = (parts) => parts.reduce((sum, part) => sum + part.tokens.join("").length, 0);

/**
 * The shortest way from one list of tokens to the other (Myers, 1986), as parts
 * `{tokens, added, removed}`; where both are equal, the tokens are `b`'s.
 */
export function compare(a, b, toKey = (token) => token) {
  const [from, to] = [a.map(toKey), b.map(toKey)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [n, m] = [a.length - start - end, b.length - start - end];
  const limit = Math.min(n + m, MOST_EDITS);
  const middle = limit + 1;
  const far = new Int32Array(2 * limit + 3); // by diagonal, how far so many edits reach
  const isDown = (reached, edits, k) =>
    k === -edits || (k !== edits && reached[middle + k - 1] < reached[middle + k + 1]);
  const steps = [];
  let [x, y, edits, isThere] = [0, 0, -1, false];
  while (!isThere && edits < limit) {
    edits += 1;
    steps.push(far.slice());
    for (let k = -edits; k <= edits && !isThere; k += 2) {
      x = isDown(far, edits, k) ? far[middle + k + 1] : far[middle + k - 1] + 1;
      y = x - k;
      while (x < n && y < m && from[start + x] === to[start + y]) [x, y] = [x + 1, y + 1];
      far[middle + k] = x;
      isThere = x >= n && y >= m;
    }
  }
  const parts = [];
  const put = (token, kind) => {
    if (parts.at(-1)?.kind !== kind)
      parts.push({ kind, tokens: [], added: kind === "added", removed: kind === "removed" });
    parts.at(-1).tokens.push(token);
  };
  for (const token of b.slice(b.length - end).reverse()) put(token, "same");
  if (!isThere) {
    for (y = m; y > 0; y -= 1) put(b[start + y - 1], "added");
    for (x = n; x > 0; x -= 1) put(a[start + x - 1], "removed");
  }
  for (; isThere && edits >= 0; edits -= 1) {
    const down = isDown(steps[edits], edits, x - y);
    const k = x - y + (down ? 1 : -1);
    const before = edits ? steps[edits][middle + k] : 0;
    while (x > before && y > (edits ? before - k : 0)) {
      [x, y] = [x - 1, y - 1];
      put(b[start + y], "same");
    }
    if (edits && down) put(b[start + (y -= 1)], "added");
    else if (edits) put(a[start + (x -= 1)], "removed");
  }
  for (const token of b.slice(0, start).reverse()) put(token, "same");
  for (const part of parts) part.tokens.reverse();
  return parts.reverse();
}

const WORD = /(?:[\p{L}\p{N}_]+(?:[.,]\p{N}+)*|[^\p{L}\p{N}_])\s*/gu;
export const listWords = (text) => text.match(WORD) ?? [];

/** `b` with its new words marked and the removed ones of `a` struck; null: they have too little in common. */
export function markWords(a, b) {
  if (a.length + b.length > MOST_DIFF_CHARS) return null;
  const parts = compare(listWords(a), listWords(b), (word) => word.trimEnd());
  const shared = sumChars(parts.filter((part) => !part.added && !part.removed));
  const [shorter, longer] = [a.length, b.length].sort((one, other) => one - other);
  if (shorter > LEAST_BESIDE && shared < LEAST_SHARED * longer) return null;
  return parts.map((part) => {
    const text = makeVisible(part.tokens.join(""));
    if (part.added) return html`<ins>${text}</ins>`;
    return part.removed ? html`<del>${text}</del>` : text;
  });
}

/** The changed words of two texts; two that have little in common stand beside each other. */
export function Words({ a, b }) {
  if (a === b)
    return html`<p class="diff soft">
      ${cutLong(makeVisible(a)) || "nothing"}<small> (the same)</small>
    </p>`;
  const marked = markWords(a, b);
  return marked
    ? html`<p class="diff">${marked}</p>`
    : html`<div class="two"><${Value} value=${a} /><${Value} value=${b} /></div>`;
}

/** Fields of two objects as rows, those that differ first; what is missing is empty. */
export function alignFields(a = {}, b = {}) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const tell = (value) =>
    value === undefined || value === null
      ? ""
      : typeof value === "number"
        ? toReadable(value)
        : toText(value);
  const rows = names.map((name) => ({ name, a: tell(a[name]), b: tell(b[name]) }));
  return [...rows.filter((row) => row.a !== row.b), ...rows.filter((row) => row.a === row.b)];
}

/** Two objects as a table: what one side has not, or has otherwise. */
export function FieldsDiff({ a, b }) {
  return html`<dl class="fields">
    ${alignFields(a, b).map((row) => {
      const [from, to] = [row.a, row.b].map(toReadable);
      return html`<dt>${makeVisible(toWords(row.name))}</dt>
        <dd>
          ${
            row.a === row.b
              ? html`<span class="soft">${makeVisible(from) || "–"}</span>`
              : html`<${Words} ...${from === to ? row : { a: from, b: to }} />`
          }
        </dd>`;
    })}
  </dl>`;
}
