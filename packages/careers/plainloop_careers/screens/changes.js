// What changed between two versions of a letter: the newer one as a page, with its new words marked and
// the removed ones of the older one struck where they stood. Blocks and items are compared, then words.
import { Lexer } from "../vendor.js";
import { Words, compare, listWords, markWords } from "../diffs.js";
import { html } from "../html.js";
import { renderAll } from "../markdown.js";
import { makeVisible } from "../words.js";

const INLINE = ["paragraph", "heading", "text"]; // blocks of words; others have blocks in them
const MOST_CHARS = 25_000; // of a version: longer ones are compared as they were written
// A comparison of two blocks takes time by the square of their words, up to a bound (diffs.js), and
// each block may be compared with each: without a limit a rewritten letter took up to 46 s, with it 0.5.
const MOST_WORDS = 800;
const MOST_WORK = 40_000_000;
const LEAST_WORDS = 40; // what the comparison of two short blocks takes, in words

const lex = (text) => new Lexer({ gfm: true, breaks: true }).lex(text);

/** A token that is shown as these components; `renderAll` passes on what it does not know. */
const show = (raw) => ({ type: "shown", raw });

/** A block or item that only one version has. */
const markWhole = (name, token) => {
  const marked = (tokens) => show(html`<${name} class="whole">${renderAll(tokens)}</${name}>`);
  return token.type === "list_item"
    ? { ...token, tokens: [marked(token.tokens)] }
    : marked([token]);
};

const countWords = (token) => (token.words ??= listWords(token.raw).length);

/** Whether one was made of the other: else both are shown, one after the other. */
function isAlike(old, now, work) {
  if (old.type !== now.type || old.type === "list") return old.type === now.type;
  if (!now.tokens || work.left < 0) return false;
  const words = Math.min(countWords(old) + countWords(now), MOST_WORDS) + LEAST_WORDS;
  work.left -= words * words;
  return markWords(old.raw, now.raw) !== null;
}

/** @param {{left: number}} work what may still be compared; below 0: blocks are shown whole */
function mergeTokens(before, after, work) {
  const merged = [];
  let [gone, come] = [[], []];
  const flush = () => {
    const added = [];
    const put = (count) => {
      merged.push(...gone.splice(0, count).map((old) => markWhole("del", old)));
      merged.push(...added.splice(0).map((now) => markWhole("ins", now)));
    };
    for (const now of come.splice(0)) {
      const at = gone.findIndex((old) => isAlike(old, now, work));
      if (at < 0) added.push(now);
      else {
        put(at);
        merged.push(mergeToken(gone.shift(), now, work));
      }
    }
    put(gone.length);
  };
  for (const part of compare(before, after, (token) => token.raw.trim())) {
    if (part.removed) gone.push(...part.tokens);
    else if (part.added) come.push(...part.tokens);
    else {
      flush();
      merged.push(...part.tokens);
    }
  }
  flush();
  return merged;
}

function mergeToken(old, now, work) {
  if (old.type === "list") return { ...now, items: mergeTokens(old.items, now.items, work) };
  const merge = INLINE.includes(now.type) ? mergeWords : mergeTokens;
  return { ...now, tokens: merge(old.tokens, now.tokens, work) };
}

/** The words of inline tokens, each with the token that it is of. */
const listPlaced = (tokens) =>
  tokens.flatMap((leaf) =>
    leaf.tokens
      ? listPlaced(leaf.tokens)
      : (leaf.type === "text" ? listWords(leaf.text) : [leaf.raw]).map((text) => ({ text, leaf })),
  );

function mergeWords(before, after) {
  const pieces = new Map(); // by the token in which they are shown
  const words = listPlaced(after);
  if (!words.length) return before.map((old) => markWhole("del", old));
  const put = (at, name, word) => {
    const known = pieces.get(at) ?? [];
    const last = known.at(-1);
    // A code or a picture is one word, and shown as it is.
    const isText = word.leaf.type === "text";
    if (isText && last?.name === name && last.isText) last.text += word.text;
    else known.push({ name, isText, text: word.text, leaf: word.leaf });
    pieces.set(at, known);
  };
  let [leaf, gone] = [null, []];
  for (const part of compare(listPlaced(before), words, (word) => word.text.trimEnd())) {
    if (part.removed) {
      gone.push(...part.tokens);
      continue;
    }
    const [first] = part.tokens;
    if (part.added || !leaf) ({ leaf } = first); // beside what stands in its place now
    for (const word of gone.splice(0)) put(leaf, "del", word);
    for (const word of part.tokens) put((leaf = word.leaf), part.added ? "ins" : null, word);
  }
  for (const word of gone) put(leaf, "del", word);
  const render = ({ name, isText, text, leaf: own }) => {
    const shown = renderAll([isText ? { type: "text", text: makeVisible(text) } : own]);
    return name ? html`<${name}>${shown}</${name}>` : shown;
  };
  const rebuild = (token) =>
    token.tokens
      ? { ...token, tokens: token.tokens.map(rebuild) }
      : show((pieces.get(token) ?? []).map(render));
  return after.map(rebuild);
}

/** @param {{a: string, b: string}} props the older and the newer version, as Markdown */
export function Changes({ a, b }) {
  if (a === b) return html`<p class="soft">The text of both versions is the same.</p>`;
  const written = html`<${Words} a=${a} b=${b} />`;
  if (a.length + b.length > 2 * MOST_CHARS) return written;
  try {
    const blocks = [a, b].map((text) => lex(text).filter(({ type }) => type !== "space"));
    const work = { left: MOST_WORK };
    const merged = renderAll(mergeTokens(...blocks, work));
    if (work.left >= 0) return merged;
    return html`<p class="soft">
        Too much changed to mark each word: some paragraphs are shown whole, as removed and as
        added.
      </p>
      ${merged}`;
  } catch {
    return written; // nested deeper than the lexer goes
  }
}
