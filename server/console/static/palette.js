// Ctrl K: every screen, the newest chats and what the server finds of the older ones, what runs wrote,
// and what one does seldom.
import { useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { openChat } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { toChat } from "./own_message.js";
import { Dialog, Marked } from "./parts.js";
import { config, hasPack, listPackScreens, listPlaces, session } from "./session.js";
import { fillIn, formatMoment, listMissing, makeVisible, nameChat, readPath } from "./words.js";

const MOST = 9;
const MOST_FOUND = 6; // of them rows, what was written, and chats
const ACTIONS = [
  ["Connect a model", "key-round", "settings/models", "key provider"],
  ["Change the theme: light or dark", "sun", "settings/appearance"],
];
const OPERATING = [
  ["Costs and spending", "coins", "usage", "bill money price expense"],
  ["What runs: models and prompts", "cpu", "settings/models", "tools worker price"],
  ["Chats with a failed tool", "wrench", "history?problem=tool&user_id=*", "error failure"],
  ["Chats rated bad", "thumbs-down", "history?problem=rating&user_id=*", "complaint wrong"],
  ["Failed runs", "circle-x", "history?problem=run&user_id=*", "error failure cut"],
];
const listActions = () =>
  [...ACTIONS, ...(session.value.is_admin ? OPERATING : [])].map(([title, icon, place, also]) => ({
    ...{ title, icon, also },
    href: `#/${place}`,
    kind: "Action",
  }));
const GROUPS = { Action: "Actions", Chat: "Chats", Page: "Pages" };
const PAUSE_MS = 150;

const fold = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, ""); // é as e

/** Whether every word of it begins a word of the text. */
function fits(text, asked) {
  const words = fold(text).split(/[^\p{L}\p{N}]+/u);
  return fold(asked)
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** The packs' rows that their own search finds; one that fails finds none. */
async function findRows(asked) {
  const searches = config.value.screens.flatMap(({ title, search }) =>
    search.map((one) => ({ ...one, group: title })),
  );
  const text = encodeURIComponent(asked);
  const found = searches.map((search) =>
    get(fillIn(search.path, { text })).then(
      (told) =>
        told[search.rows].map((row) => ({
          ...search,
          title: makeVisible(fillIn(search.title, row) ?? ""),
          href: fillIn(search.href, row),
        })),
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}

/** Packages' screens that only links of other pages lead to. */
const listLinked = () =>
  listPackScreens("linked").map(({ name, ...shown }) => ({
    ...shown,
    href: `#/${name}`,
    kind: "Action",
  }));

/**
 * @param {{early: string, entries: object[], onHelp: () => void, onClose: () => void}} props
 *   early: what was typed before it came; entries: {title, icon, href, kind, keys}; onHelp: shows the shortcuts
 */
export function Palette({ early, entries, onHelp, onClose }) {
  const dialog = useRef(null);
  const [asked, setAsked] = useState(early);
  const [{ rows, of }, setFound] = useState({ rows: [], of: "" });
  const [parts, setParts] = useState([]);
  const [at, setAt] = useState(0);
  const sought = asked.trim().replace(/\s+/g, " ");
  // With what is drawn, and it is drawn before the next key: an effect comes a frame later
  // (test_letters_typed_right_after_ctrl_k_are_searched_for).
  useLayoutEffect(() => dialog.current.showModal(), []);
  useEffect(() => {
    const show = ([name, [title, icon]]) => ({
      title,
      icon,
      href: `#/settings/${name}`,
      kind: "Settings",
    });
    import("./settings.js").then(
      ({ listParts }) => setParts(listParts().map(show)),
      () => {},
    );
  }, []);
  useEffect(() => {
    let isLeft = false;
    const look = async () => {
      const [{ conversations }, written, found] = await Promise.all([
        get(
          withQuery("/api/chat/conversations", {
            text: sought,
            branches: "newest",
            kind: "all",
            limit: MOST_FOUND,
          }),
        ),
        asked ? loadWritten() : new Map(),
        asked ? findRows(asked) : [],
      ]);
      const pages = [...written.values()]
        .flat()
        .map((item) => ({ ...item, href: item.href.split("?")[0] })); // not one version of it
      const newest = new Map(pages.map((item) => [item.href, item]));
      const made = [...newest.values()]
        .filter((item) => fits(item.title, asked))
        .map((item) => ({ ...item, title: makeVisible(item.title) }));
      if (!isLeft)
        setFound({
          of: asked,
          rows: [
            ...found,
            ...made.slice(0, 2),
            ...conversations.map((chat) => ({
              title: nameChat(chat),
              hit: chat.hit,
              icon: "message-square",
              href: chat.hit
                ? withQuery(`#/chat/${chat.id}`, { find: listMissing(sought, chat.title) })
                : toChat(chat.id),
              kind: "Chat",
              note: formatMoment(chat.updated_at),
            })),
            ...made.slice(2),
          ].slice(0, MOST_FOUND),
        });
    };
    const timer = setTimeout(() => look().catch(() => {}), asked ? PAUSE_MS : 0);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [asked]);
  // What an earlier text found stays only where it has the words: Enter opens no other chat.
  const found = of === asked ? rows : rows.filter(({ title }) => fits(title, asked));
  const isAsked = ({ title, kind, also = "" }) => !asked || fits(`${title} ${kind} ${also}`, asked);
  const help = {
    title: "Keyboard shortcuts",
    also: "keys help",
    icon: "command",
    href: "?",
    kind: "Action",
    keys: "?",
  };
  const groups = Object.groupBy(
    [
      ...entries.filter(isAsked),
      ...found,
      ...[...listActions(), help, ...listLinked(), ...parts].filter(isAsked),
    ].slice(0, MOST),
    ({ group, kind }) => group ?? GROUPS[kind] ?? kind,
  );
  const shown = Object.values(groups).flat();
  const go = (entry, isAside) => {
    if (isAside && entry && entry !== help) return void open(entry.href, "_blank", "noopener");
    dialog.current.close();
    if (entry === help) onHelp();
    else if (entry?.href.startsWith("#/chat")) openChat(entry.href);
    else if (entry) location.hash = entry.href;
  };
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((now) => (now + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") go(shown[at], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return html`<dialog
    class="palette"
    ref=${dialog}
    aria-label="Search or jump to"
    onClose=${onClose}
    onClick=${(event) => event.target === dialog.current && dialog.current.close()}
  >
    <div class="asked">
      <${Icon} name="search" /><input
        aria-label="Search or jump to"
        role="combobox"
        aria-expanded="true"
        aria-controls="jumps"
        aria-activedescendant=${shown.length ? `jump-${at}` : null}
        placeholder="Search, or jump to a screen"
        value=${asked}
        onInput=${(event) => (setAsked(event.target.value), setAt(0))}
        onKeyDown=${onKeyDown}
      /><kbd>Esc</kbd>
    </div>
    <ul id="jumps" role="listbox" aria-label="Results">
      ${Object.entries(groups).map(([group, list]) => [
        html`<li key=${group} class="group" role="presentation">${group}</li>`,
        ...list.map((entry) => {
          const n = shown.indexOf(entry);
          return html`<li
            key=${entry.kind + entry.href}
            id=${`jump-${n}`}
            role="option"
            aria-selected=${n === at}
            onClick=${(event) => go(entry, event.ctrlKey || event.metaKey)}
            onMouseMove=${() => setAt(n)}
          >
            <${Icon} name=${entry.icon} /><span class="word"
              ><${Marked} byWord text=${entry.title} sought=${sought} />${
                entry.hit &&
                html`<small><${Marked} byWord text=${entry.hit} sought=${sought} /></small>`
              }</span
            ><small>${entry.note ?? (entry.group && entry.kind)}</small>${
              entry.keys ? html`<kbd>${entry.keys}</kbd>` : n === at && html`<kbd>↵</kbd>`
            }
          </li>`;
        }),
      ])}
    </ul>
    ${
      shown.length > 0
        ? html`<p class="hint for-keys">
            ↑ ↓ choose · Enter opens · Ctrl Enter: new tab ·${" "}<button
              class="link"
              onClick=${() => go(help)}
            >
              Keyboard shortcuts
            </button>
          </p>`
        : html`<p class="hint">No results.</p>`
    }
  </dialog>`;
}

// What each key does, as settings list it and as `?` shows it.

const KEYS = {
  Everywhere: [
    ["Ctrl K", "Search or jump to"],
    ["/", "Go to the search or message field"],
    ["N", "New chat"],
    ["[", "The sidebar"],
    ["Z, Ctrl Z", "Undo what the note at the bottom names"],
    ["?", "Show these shortcuts"],
  ],
  Chat: [
    ["Enter", "Send; Shift Enter: new line"],
    ["Up", "Edit your last message if the field is empty"],
    [
      "Esc",
      "Stop the answer that is being written; else close a window, or leave the empty message field, so letters are shortcuts",
    ],
    [".", "Show the run"],
  ],
  "Lists and approvals": [
    ["J, K", "Next and previous step, approval or chat"],
    ["A, D", "Approve or decline the focused one"],
    ["Ctrl Enter", "Approve"],
    ["Space", "Lift or drop a card; arrows choose its column"],
    ["1, 2, 3, U", "Choose the better of two answers; U takes it back", "lab"],
  ],
};

export const KeyList = () => {
  const places = listPlaces();
  const [letters, titles] = [0, 2].map((at) => places.map((place) => place[at]).join(", "));
  const go = [`G, then one of ${letters}`, titles];
  const isHad = ([, , pack]) => !pack || (hasPack(pack) && session.value.is_admin);
  return Object.entries(KEYS).map(
    ([title, keys], n) =>
      html`<h3>${title}</h3>
        <dl class="keys-list">
          ${(n ? keys.filter(isHad) : [...keys, go]).map(
            ([key, what]) =>
              html`<dt><kbd>${key}</kbd></dt>
                <dd>${what}</dd>`,
          )}
        </dl>`,
  );
};

export const Help = ({ onClose }) =>
  html`<${Dialog} title="Keyboard shortcuts" onClose=${onClose}><${KeyList} /></${Dialog}>`;

// What packs keep of what runs wrote, such as letters: shown with the run, and found by the palette.

/** A row's versions, each with what the row says; the row itself where no run wrote one. */
function listVersions(row, { each, version }) {
  const versions = each ? readPath(row, each) : [];
  return versions.length
    ? versions.map((item) => ({
        ...row,
        ...item,
        query: version ? { version: readPath(item, version) } : {},
      }))
    : [{ ...row, query: {} }];
}

/** What the packs keep of what runs wrote, by run, the newest version first: `{title, kind, hint, href, icon}`. */
export async function loadWritten() {
  const found = new Map();
  for (const { pack, title, screens, written } of config.value.screens) {
    if (!written) continue;
    const place = screens.find(({ name }) => written.href.startsWith(`#/${pack}.${name}/`));
    for (const row of (await get(written.path))[written.rows].flatMap((item) =>
      listVersions(item, written),
    )) {
      const run = readPath(row, written.run_id) ?? ""; // "": people wrote it
      const href = fillIn(written.href, row);
      const item = {
        group: title,
        icon: written.icon,
        kind: place?.title,
        title: String(readPath(row, written.title)),
        hint: written.hint && fillIn(written.hint, row),
        href: href && withQuery(href, row.query),
      };
      if (item.href) found.set(run, [...(found.get(run) ?? []), item]);
    }
  }
  return found;
}
