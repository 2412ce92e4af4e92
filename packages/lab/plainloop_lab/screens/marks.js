// What differs between two texts, marked in each of them.
import { useEffect } from "../vendor.js";
import { compare, listWords } from "../diffs.js";
import { html } from "../html.js";
import { makeVisible } from "../words.js";

const MOST_CHARS = 50_000;
const CONTEXT = 4; // words around a change
const JOINED = 2; // as many equal words between two changes make no two of them

const compareWords = (a, b) => compare(listWords(a), listWords(b), (word) => word.trimEnd());

/** Both texts, each with the words marked that the other has not. */
export function markSides(a, b) {
  const parts = a.length + b.length > MOST_CHARS ? [] : compareWords(a, b);
  return ["removed", "added"].map((own) =>
    parts
      .filter((part) => part[own] || !(part.added || part.removed))
      .map((part) => {
        const text = makeVisible(part.tokens.join(""));
        return part[own] ? html`<mark>${text}</mark>` : text;
      }),
  );
}

const toLine = (text) => makeVisible(text.replace(/\s+/g, " "));

/** The passages that differ, as pairs of texts with some words around them. */
export function listPassages(a, b) {
  const parts = a.length + b.length > MOST_CHARS ? [] : compareWords(a, b);
  const isEqual = (part) => !part.added && !part.removed;
  const groups = [];
  parts.forEach((part, at) => {
    const isShort = part.tokens.length <= JOINED && at > 0 && at < parts.length - 1;
    if (isEqual(part) && !isShort) return groups.push(null);
    if (!groups.at(-1)) groups.push({ from: at, to: at });
    groups.at(-1).to = at;
  });
  return groups.filter(Boolean).map(({ from, to }) => {
    const before = (parts[from - 1]?.tokens ?? []).slice(-CONTEXT).join("");
    const after = (parts[to + 1]?.tokens ?? []).slice(0, CONTEXT).join("");
    return ["removed", "added"].map((own) => [
      toLine(before),
      ...parts
        .slice(from, to + 1)
        .filter((part) => part[own] || isEqual(part))
        .map((part) => {
          const text = toLine(part.tokens.join(""));
          return part[own] ? html`<mark>${text}</mark>` : text;
        }),
      toLine(after),
    ]);
  });
}

/** The words of an element with where they stand in it. */
function listRanges(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    let start = 0;
    for (const word of listWords(walker.currentNode.data)) {
      if (word.trim()) found.push({ node: walker.currentNode, start, word: word.trimEnd() });
      start += word.length;
    }
  }
  return found;
}

/** Mark in two shown answers the words that the other has not; nothing is done by browsers without highlights. */
export function useMarks(ref, isMarked, ...texts) {
  useEffect(() => {
    const answers = [...(ref.current?.querySelectorAll(".prose") ?? [])].map(listRanges);
    if (!isMarked || answers.length !== 2 || !globalThis.Highlight) return;
    if (!CSS.highlights.has("differs")) CSS.highlights.set("differs", new Highlight());
    const marks = CSS.highlights.get("differs");
    const ranges = compare(...answers, ({ word }) => word)
      .filter((part) => part.added || part.removed)
      .flatMap(({ tokens }) => tokens)
      .map(({ node, start, word }) => {
        const range = new Range();
        range.setStart(node, start);
        range.setEnd(node, start + word.length);
        return range;
      });
    for (const range of ranges) marks.add(range);
    return () => {
      for (const range of ranges) marks.delete(range);
    };
  }, [isMarked, ...texts]);
}
