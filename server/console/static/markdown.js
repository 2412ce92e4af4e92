// A model's Markdown as components. No HTML is ever made of text: raw HTML is shown as it was
// written, a picture is a link (loading it would tell its server), and a link leads to http, https
// or mail only.
import { Lexer, useRef } from "./vendor.js";
import { html } from "./html.js";
import { CopyIcon, Value, Wide } from "./parts.js";

const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const SAFE_LINKS = new Set(["http:", "https:", "mailto:"]);
const made = new WeakMap(); // a block's token → what it became: goes with the text that it is of

const decode = (text) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : NaN;
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    return NAMED[name?.toLowerCase()] ?? whole;
  });

function parseLink(href) {
  try {
    const url = new URL(decode(href), "about:blank");
    return SAFE_LINKS.has(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

function renderLink(token, label) {
  if (/^#\/[\w]+\.[\w]+(\?add=|$)/.test(token.href))
    return html`<a href=${decode(token.href)}>${label}</a>`; // a pack's own screen, its form filled in
  const url = parseLink(token.href);
  if (!url) return html`<span>${label} <code>${decode(token.href)}</code></span>`;
  const host = url.protocol === "mailto:" ? url.pathname : url.host;
  const says = (token.text ?? "").includes(host);
  return html`<a href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${label}</a
    >${!says && html`<small class="soft"> (${host})</small>`}`;
}

export const renderAll = (tokens) => (tokens ?? []).map(render);

const cell = (name, item) => html`<${name} align=${item.align}>${renderAll(item.tokens)}</${name}>`;

// How a language's comments begin. What has no end ends with the text: no sign is read twice.
const STARTS = [
  [
    "(?<!\\S)#.*",
    "py python sh bash shell console zsh yaml yml toml rb ruby r dockerfile ini makefile",
  ],
  [
    "//.*|/\\*[^]*?(?:\\*/|$)",
    "js javascript ts typescript jsx tsx json go rs rust java kotlin swift c cpp cs csharp php css scss",
  ],
  ["--.*", "sql lua"],
];
const KEYWORDS =
  "async|await|break|class|const|def|elif|else|export|for|from|function|if|import|in|let|new|return|try" +
  "|while|select|where|insert|update|delete|set";
const STRINGS = [
  '"""[^]*?(?:"""|$)',
  "'''[^]*?(?:'''|$)",
  '"(?:\\\\.|[^"\\\\\\n])*"?',
  "'(?:\\\\.|[^'\\\\\\n]){0,200}'", // alone it is an apostrophe
  "`[^`]*`?",
].join("|");
const patterns = new Map(
  STARTS.flatMap(([comment, names]) =>
    names
      .split(" ")
      .map((name) => [
        name,
        new RegExp(
          `(?<comment>${comment})|(?<string>${STRINGS})|\\b(?:(?<keyword>${KEYWORDS})|(?<number>\\d[\\w.]*))\\b`,
          name === "sql" ? "gi" : "g",
        ),
      ]),
  ),
);
const MOST_COLOURED = 20_000; // signs: thousands of parts would slow the page down

/** Code with its comments, strings, keywords and numbers marked; as it is in a language not known here. */
function colour(text, language) {
  const pattern = patterns.get(language?.toLowerCase());
  if (!pattern || text.length > MOST_COLOURED) return text;
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups).find(([, found]) => found);
    parts.push(text.slice(end, match.index), html`<span class=${kind}>${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

const KINDS = {
  space: () => null,
  hr: () => html`<hr />`,
  br: () => html`<br />`,
  heading: (token) =>
    html`<p class=${`heading depth${token.depth}`}>${renderAll(token.tokens)}</p>`,
  paragraph: (token) => html`<p>${renderAll(token.tokens)}</p>`,
  text: (token) => (token.tokens ? renderAll(token.tokens) : decode(token.text)),
  escape: (token) => decode(token.text),
  strong: (token) => html`<strong>${renderAll(token.tokens)}</strong>`,
  em: (token) => html`<em>${renderAll(token.tokens)}</em>`,
  del: (token) => html`<del>${renderAll(token.tokens)}</del>`,
  codespan: (token) => html`<code>${token.text}</code>`,
  code: ({ text, lang, raw }) => {
    const name = lang?.trim().split(/\s/)[0]; // more may stand behind it: ```py title="a"
    return html`<div class="code">
      ${name && html`<span class="hint">${name}</span>`}<${CopyIcon} text=${text} />
      <pre
        tabindex="0"
      ><code>${/\n *[`~]{3,}\s*$/.test(raw) ? colour(text, name) : text}</code></pre>
    </div>`;
  },
  blockquote: (token) => html`<blockquote>${renderAll(token.tokens)}</blockquote>`,
  list: (token) => {
    const items = token.items.map((item) => html`<li>${renderAll(item.tokens)}</li>`);
    return token.ordered
      ? html`<ol start=${token.start || 1}>
          ${items}
        </ol>`
      : html`<ul>
          ${items}
        </ul>`;
  },
  link: (token) => renderLink(token, renderAll(token.tokens)),
  image: (token) => renderLink(token, `picture: ${decode(token.text) || "without a name"}`),
  table: (token) =>
    html`<${Wide} label="table">
      <thead>
        <tr>
          ${token.header.map((item) => cell("th", item))}
        </tr>
      </thead>
      <tbody>
        ${token.rows.map(
          (row) =>
            html`<tr>
              ${row.map((item) => cell("td", item))}
            </tr>`,
        )}
      </tbody>
    </${Wide}>`,
};

function render(token) {
  return KINDS[token.type]?.(token) ?? token.raw;
}

function renderBlock(token, place) {
  if (!made.has(token)) made.set(token, html`<div key=${place}>${render(token)}</div>`);
  return made.get(token);
}

// Above this a text is shown as it was written, and cut until all of it is wanted: reading it as
// Markdown, or setting a megabyte, would hold the page.
const MOST_CHARS = 100_000;
const MOST_SHOWN = 10_000;
// The last blocks may still become something else (a list's next item, a table's next row).
const OPEN_BLOCKS = 2;

/** A text as it will be once what its last line emphasizes is closed. */
function close(text) {
  if (text.match(/^ *(```|~~~)/gm)?.length % 2) return text;
  const at = text.lastIndexOf("\n") + 1;
  const line = text.slice(at).replace(/(\s*)\*+$/, "");
  const open = ["**", "`"].filter((sign) => line.split(sign).length % 2 === 0).join("");
  return text.slice(0, at) + (open ? line.trimEnd() : line) + open;
}

/** The blocks of a text that has grown: those that are finished are not read again. */
function lexGrown(before, text, isOpen) {
  const lexer = { gfm: true, breaks: true }; // a letter's lines are lines
  if (before?.text === text) return before;
  if (!before || !text.startsWith(before.text))
    return { text, tokens: [...new Lexer(lexer).lex(isOpen ? close(text) : text)] };
  const kept = before.tokens.slice(0, -OPEN_BLOCKS);
  const from = kept.reduce((length, token) => length + token.raw.length, 0);
  const rest = text.slice(from);
  return { text, tokens: [...kept, ...new Lexer(lexer).lex(isOpen ? close(rest) : rest)] };
}

/** @param {{text: string, isOpen?: boolean}} props isOpen: more is coming */
export function Markdown({ text, isOpen = false }) {
  const before = useRef(null);
  if (text.length > MOST_CHARS) return html`<${Value} value=${text} most=${MOST_SHOWN} />`;
  try {
    // What is finished is read once more, as a whole: a reference may stand at its end.
    const isKnown = isOpen || before.current?.isWhole;
    before.current = {
      ...lexGrown(isKnown ? before.current : null, text, isOpen),
      isWhole: !isOpen,
    };
  } catch {
    return html`<pre class="prose">${text}</pre>`; // nested deeper than the lexer goes
  }
  return html`<div class="prose">${before.current.tokens.map(renderBlock)}</div>`;
}
