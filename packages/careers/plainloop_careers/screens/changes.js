// What changed between two versions of a letter: the newer one as a page, with its new words marked and
// the removed ones of the older one struck where they stood. Blocks and items are compared, then words.
import { Lexer } from "../vendor.js";
import { Words, compare, listWords, markWords } from "../diffs.js";
import { html } from "../html.js";
import { renderAll } from "../markdown.js";
import { makeVisible } from "../words.js";

const INLINE = ["paragraph", "heading", "text"]; // blocks of words; others have blocks in them
const MOST_CHARS = 25_000; // of a version: longer ones are compared as they were written

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

/** Whether one was made of the other: else both are shown, one after the other. */
const isAlike = (old, now) =>
  old.type === now.type &&
  (old.type === "list" || (Boolean(now.tokens) && markWords(old.raw, now.raw) !== null));

function mergeTokens(before, after) {
  const merged = [];
  let [gone, come] = [[], []];
  const flush = () => {
    for (const now of come.splice(0)) {
      const at = gone.findIndex((old) => isAlike(old, now));
      merged.push(...gone.splice(0, Math.max(0, at)).map((old) => markWhole("del", old)));
      merged.push(at < 0 ? markWhole("ins", now) : mergeToken(gone.shift(), now));
    }
    merged.push(...gone.splice(0).map((old) => markWhole("del", old)));
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

function mergeToken(old, now) {
  if (old.type === "list") return { ...now, items: mergeTokens(old.items, now.items) };
  const merge = INLINE.includes(now.type) ? mergeWords : mergeTokens;
  return { ...now, tokens: merge(old.tokens, now.tokens) };
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
  const written = html`<${Words} a=${a} b=${b} />`;
  if (a === b || a.length + b.length > 2 * MOST_CHARS) return written;
  try {
    const blocks = [a, b].map((text) => lex(text).filter(({ type }) => type !== "space"));
    return renderAll(mergeTokens(...blocks));
  } catch {
    return written; // nested deeper than the lexer goes
  }
}
