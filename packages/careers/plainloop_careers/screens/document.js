// The document that a résumé was read from: its text with the numbers of its lines, those marked that an
// entry or a thing to check came from.
import { useEffect, useRef } from "../vendor.js";
import { html } from "../html.js";
import { Dialog } from "../parts.js";
import { makeVisible } from "../words.js";
import "./style.js";

/** `[10, 11, 12, 15]` → `Lines 10–12, 15` */
export function nameLines(lines) {
  const runs = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b))
    if (runs.at(-1)?.[1] === line - 1) runs.at(-1)[1] = line;
    else runs.push([line, line]);
  const told = runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(", ");
  return `${runs.length === 1 && runs[0][0] === runs[0][1] ? "Line" : "Lines"} ${told}`;
}

/** The lines that the entries below a place were read from. */
export const listLines = (facts, place) =>
  facts
    .filter(({ path, line }) => line && (path === place || path.startsWith(`${place}.`)))
    .map(({ line }) => line);

/** @param {{text: string, used: Set<number>, doubtful: Set<number>, near: number[]}} props near: shown now */
function Lines({ text, used, doubtful, near }) {
  const list = useRef(null);
  useEffect(() => {
    const row = list.current.querySelector(".near");
    if (!row) return;
    // Only the list itself is moved: the page stays where it is.
    const box = list.current;
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top - box.clientHeight / 3;
  }, [near.join()]);
  const nameOf = (n) => [
    near.includes(n) ? "near" : "",
    doubtful.has(n) ? "doubtful" : used.has(n) ? "used" : "",
  ];
  return html`<ol
    class="plain numbered"
    tabindex="0"
    ref=${list}
    aria-label="Lines of your document"
  >
    ${text
      .trimEnd()
      .split("\n")
      .map(
        (line, n) =>
          html`<li
            key=${n}
            class=${nameOf(n + 1).join(" ")}
            aria-current=${near.includes(n + 1) ? "true" : null}
          >
            <span>${n + 1}</span>
            <p>${makeVisible(line) || html`<br />`}</p>
          </li>`,
      )}
  </ol>`;
}

export function Document({ name, isOpened, onClose, ...rest }) {
  const body = html`<p class="soft">
      ${makeVisible(name)}, as its text was read. A line with a bar is on this
      page${rest.doubtful.size > 0 && "; an orange one is to be checked"}.
    </p>
    <${Lines} ...${rest} />`;
  if (isOpened)
    return html`<${Dialog} title="Your document" onClose=${onClose}
      ><div class="document">${body}</div></${Dialog}
    >`;
  return html`<aside class="card document beside" aria-label="Your document">
    <h2>Your document</h2>
    ${body}
  </aside>`;
}
