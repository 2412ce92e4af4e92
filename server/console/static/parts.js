// Pieces that several screens are made of.
import { signal, useEffect, useLayoutEffect, useRef, useState } from "./vendor.js";
import { focusMain, isTyping, readKey } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import {
  cutLong,
  describeStatus,
  findMarks,
  formatAgo,
  formatMoment,
  formatTime,
  makeVisible,
  toReadable,
  toText,
  toWords,
} from "./words.js";

/** What a request came to, and how to ask again. `load` is called when `key` changes. */
export function useLoaded(load, key) {
  const [state, setState] = useState({ data: null, error: null, isLoading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setState((now) => ({ ...now, isLoading: true }));
    load().then(
      (data) => isLeft || setState({ data, error: null, isLoading: false }),
      (error) => isLeft || setState((now) => ({ ...now, error, isLoading: false })),
    );
    return () => {
      isLeft = true;
    };
  }, [key, turn]);
  return { ...state, reload: () => setTurn((n) => n + 1) };
}

const PAGE = 50;

/**
 * Rows by pages; `more` has the next ones. `load(cursor)` gives `{rows, cursor}`: a page with fewer
 * than are shown at once is followed by the next until there are so many, or no more.
 */
export function usePages(load, key) {
  const [state, setState] = useState({ rows: [], cursor: null, error: null, isLoading: true });
  const view = useRef(null);
  const more = async (before = state) => {
    const own = (view.current = {}); // whoever left, or looks for something else, wants no more of it
    const show = (now) => view.current === own && setState(now);
    let { rows, cursor } = before;
    const wanted = rows.length + PAGE;
    try {
      do {
        show({ rows, cursor, error: null, isLoading: true });
        const found = await load(cursor);
        rows = [...rows, ...found.rows];
        cursor = found.cursor;
      } while (cursor && rows.length < wanted && view.current === own);
      show({ rows, cursor, error: null, isLoading: false });
    } catch (error) {
      show({ rows, cursor, error, isLoading: false });
    }
  };
  useEffect(() => {
    void more({ rows: [], cursor: null });
    return () => (view.current = null);
  }, [key]);
  return { ...state, more: () => more() };
}

export const hasKeys = signal(true); // who talks to a computer writes letters without meaning to

const GO_MS = 1500;
let goneAt = -GO_MS; // when `g` was pressed: the next letter says where to, and nothing else
let isPlace = false;
document.addEventListener(
  "keydown",
  (event) => {
    isPlace = event.timeStamp - goneAt < GO_MS;
    goneAt = readKey(event) === "g" && !isPlace && !isTyping(event) ? event.timeStamp : -GO_MS;
  },
  { capture: true },
); // once for all who listen, before any of them does

/** Single letters; `g a` is an `a` after a `g`, `ctrl z` is Cmd+Z too, `typing ctrl z` the same while somebody writes. */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  // With what is drawn; an effect comes a frame later: test_a_shortcut_works_as_soon_as_its_screen_is_shown.
  useLayoutEffect(() => {
    const left = new AbortController();
    const listen = (event) => {
      if (event.altKey) return;
      const isHeld = event.ctrlKey || event.metaKey;
      const isDrawn = document.querySelector("#main > *"); // else the letters are for what comes
      if (!isHeld && !(hasKeys.value && isDrawn) && event.key.length === 1) return;
      const where = isTyping(event) ? "typing " : "";
      const act =
        latest.current[`${where}${isHeld ? "ctrl " : isPlace ? "g " : ""}${readKey(event)}`];
      if (!act) return;
      event.preventDefault(); // where it leads to a field, the letter itself is not written there
      act();
    };
    document.addEventListener("keydown", listen, { signal: left.signal });
    return () => left.abort();
  }, []);
}

export { focusMain }; // for the packs' screens

/** The whole window takes a file that is dropped: `take` gets it, and all that were dropped with it. */
export function useDrop(take) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const left = new AbortController();
    const hasFile = (event) => event.dataTransfer?.types.includes("Files");
    const listen = (name, work) =>
      addEventListener(name, (event) => hasFile(event) && (event.preventDefault(), work(event)), {
        signal: left.signal,
      });
    listen("dragover", () => setOver(true));
    listen("dragleave", (event) => event.relatedTarget || setOver(false));
    listen(
      "drop",
      ({ dataTransfer: { files } }) => (setOver(false), latest.current(files[0], files)),
    );
    return () => left.abort();
  }, []);
  return isOver;
}

/** Add a style sheet behind another; what awaits it is shown once it applies, or cannot be had. */
export const loadStyle = (href, before = document.head.lastElementChild) =>
  new Promise((done) => {
    const place = { rel: "stylesheet", href, onload: done, onerror: done };
    before.after(Object.assign(document.createElement("link"), place));
  });

/** What the service says that helps, beside trying again. */
export const Way = ({ action }) =>
  html`<a class="button small" href=${`#/${action.screen}`}>${action.label}</a>`;

/** What happened, what is known of it, and the ways out. */
export function Failure({ error, again, isWaiting }) {
  if (!error) return isWaiting && html`<p class="soft wait">Loading…</p>`;
  const retry = () => (focusMain(), again());
  const isMissing = error.status === 404; // what is not there will not come: back to its list
  const [, list, id] = location.hash.split("/");
  const action =
    isMissing && id
      ? { screen: list === "runs" ? "history" : list, label: "Back to the list" }
      : error.action;
  return html`<div class="failure" role="alert">
    <p>${makeVisible(error.message)} <code>${error.code}</code></p>
    ${error.hint && html`<p>${makeVisible(error.hint)}</p>`}
    ${
      (again || action) &&
      html`<p class="row">
        ${
          again && !isMissing && html`<button class="small" onClick=${retry}>Try again</button>`
        }${action && html`<${Way} action=${action} />`}
      </p>`
    }
  </div>`;
}

/** A text in which what was searched for is marked. byWord: else its words */
export function Marked({ text, sought, byWord }) {
  const parts = [];
  let last = 0;
  for (const [start, end] of sought ? findMarks(text, sought, byWord) : []) {
    const [before, hit] = [text.slice(last, start), text.slice(start, end)].map(makeVisible);
    parts.push(before, html`<mark>${hit}</mark>`);
    last = end;
  }
  return [...parts, makeVisible(text.slice(last))];
}

/** How long ago it was, up to a day; then when. */
export const Time = ({ at }) =>
  at ? html`<time datetime=${at} title=${formatTime(at)}>${formatAgo(at)}</time>` : html`–`;

const SIGNS = {
  succeeded: "✓",
  failed: "✕",
  cancelled: "⊘",
  stopped: "!",
  running: "…",
  queued: "…",
  waiting: "?",
  ready: "✓",
  draining: "…",
  silent: "✕",
  ok: "✓",
  warn: "!",
  fail: "✕",
  approved: "✓",
  consumed: "✓",
  denied: "⊘",
  expired: "⊘",
};

export const Moment = ({ at }) =>
  html`<time datetime=${at} title=${formatTime(at)}>${formatMoment(at)}</time>`;

/** A status in words and a sign: never by colour alone. */
export const Status = ({ status }) =>
  html`<span class=${`status ${status}`}
    ><span aria-hidden="true">${SIGNS[status] ?? "·"}</span> ${describeStatus(status)}</span
  >`;

/** Arguments or a result: as it is, but nothing in it hidden, and not longer than one can read. */
export function Value({ value, label, most }) {
  const [isWhole, setWhole] = useState(false);
  const place = useRef(null);
  const text = makeVisible(toText(value));
  const shown = isWhole ? text : cutLong(text, most);
  return html`<div class="value">
    ${label && html`<span class="soft">${label}</span>`}
    <pre tabindex="0" ref=${place}>${shown}</pre>
    ${shown !== text && html`<button class="link" onClick=${() => (place.current.focus(), setWhole(true))}>Show all</button>`}
  </div>`;
}

/** An object's fields as rows: what somebody agrees to has to be readable. */
export function Fields({ value }) {
  const entries = Object.entries(value ?? {});
  if (!entries.length) return html`<p class="soft">No arguments.</p>`;
  return html`<dl>
    ${entries.map(
      ([name, item]) =>
        html`<dt>${makeVisible(toWords(name))}</dt>
          <dd><${Value} value=${toReadable(item)} /></dd>`,
    )}
  </dl>`;
}

/** The next page. Who has asked for the last one is told so where the button was. */
export function More({ isThere, onMore, children = "Show more", end = "End of list" }) {
  const [isAsked, setAsked] = useState(false);
  const place = useRef(null);
  useEffect(() => place.current?.focus({ preventScroll: true }), [isAsked && !isThere]);
  if (isThere)
    return html`<button onClick=${() => (setAsked(true), onMore())}>${children}</button>`;
  return isAsked && html`<p class="soft" tabindex="-1" ref=${place}>${end}</p>`;
}

/** Where this lies, and its heading: one for each screen. way: `[title, address]` each; here: where the heading
 * stands elsewhere; isScreen: the heading is the screen's title, which a phone's bar has. */
export const Crumbs = ({ way, title, here, isScreen, children }) =>
  html`<div class=${`crumbs row spread ${isScreen ? "screen" : ""}`}>
    <div class="row">
      ${way.map(
        ([name, address]) =>
          html`<a key=${address} href=${address}>${name}</a><span aria-hidden="true">›</span>`,
      )}${title ? html`<h1>${title}</h1>` : here}
    </div>
    ${children}
  </div>`;

/** A table that scrolls by itself where it is too wide; isStacked: a phone shows each row as a block of
 * lines, named by their cells' `data-head`. */
export const Wide = ({ label, isStacked, children }) =>
  html`<div
    class=${`wide ${isStacked ? "stacked" : ""}`}
    tabindex="0"
    role="group"
    aria-label=${label}
  >
    <table>
      ${children}
    </table>
  </div>`;

export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

/** Exclusive views as addresses: `[word, address, isCurrent]` each. */
export const Segmented = ({ label, views }) =>
  html`<nav class="segmented" aria-label=${label}>
    ${views.map(([word, href, isCurrent]) => html`<a key=${href} href=${href} aria-current=${isCurrent ? "true" : null}>${word}</a>`)}
  </nav>`;

const GAP = 8;

/** Lay a menu's card at its button's nearer edge, within the window and the screen that it belongs to. */
function fitCard(menu) {
  const card = menu.lastElementChild;
  card.style.translate = "none";
  card.style.maxHeight = "";
  const at = card.getBoundingClientRect();
  const button = menu.firstElementChild.getBoundingClientRect();
  const room = (menu.closest("main") ?? document.body).getBoundingClientRect();
  const isLeft = button.left + button.right < room.left + room.right;
  const wish = isLeft ? button.left : button.right - at.width;
  const left = Math.max(room.left + GAP, Math.min(wish, room.right - GAP - at.width));
  // Above its button where it has no room below; a phone's sheet is at its place already.
  const isLow = at.bottom > innerHeight - GAP;
  const isAbove = isLow && button.top - at.height > 2 * GAP;
  if (isLow && !isAbove) card.style.maxHeight = `${Math.max(120, innerHeight - GAP - at.top)}px`;
  card.style.translate = `${left - at.left}px ${isAbove ? button.top - GAP / 2 - at.bottom : 0}px`;
}

/** What opens below its button, and shuts by Esc, by a choice and when one looks elsewhere. */
export function Menu({ label, title, icon, style = "small button", children }) {
  const place = useRef(null);
  useEffect(() => {
    const left = new AbortController();
    const menu = place.current;
    const shut = (event) =>
      place.current?.open && !place.current.contains(event.target) && (place.current.open = false);
    document.addEventListener("pointerdown", shut, { signal: left.signal });
    document.addEventListener("focusin", shut, { signal: left.signal });
    addEventListener("resize", () => menu.open && fitCard(menu), { signal: left.signal });
    const size = new ResizeObserver(() => fitCard(menu)); // more of it comes
    size.observe(menu.lastElementChild);
    return () => (left.abort(), size.disconnect());
  }, []);
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // A calendar in a menu moves by arrows itself.
    if (step && !event.defaultPrevented && event.target.matches("summary, button, a")) {
      place.current.open = true;
      const all = [...place.current.lastElementChild.querySelectorAll("button:enabled, a")];
      const at = all.indexOf(event.target) + step;
      all[Math.max(0, Math.min(all.length - 1, at))]?.focus();
      return event.preventDefault(); // the page stays
    }
    if (event.key !== "Escape" || !place.current.open) return;
    event.stopPropagation();
    place.current.open = false;
    place.current.firstElementChild.focus();
  };
  const choose = (event) => {
    if (!event.target.closest("button, a") || !place.current) return; // who was moved is gone
    const hasFocus = place.current.contains(document.activeElement);
    place.current.open = false;
    if (hasFocus) place.current.firstElementChild.focus(); // what was chosen is hidden now
  };
  return html`<details
    class="menu"
    ref=${place}
    onKeyDown=${onKeyDown}
    onToggle=${({ currentTarget }) => fitCard(currentTarget)}
  >
    <summary class=${style} title=${title ?? label}>
      ${
        icon && html`<${Icon} name=${icon} label=${label ? undefined : title} />`
      }${label}${label && html`<${Icon} name="chevron-down" size=${14} />`}
    </summary>
    <div class="card choices" onClick=${choose}>${children}</div>
  </details>`;
}

/** What one looks at or fills in before going on: Esc shuts it, and what one held is held again. */
export function Dialog({ title, isSide, onClose, children }) {
  const place = useRef(null);
  useEffect(() => {
    const held = document.activeElement;
    place.current.showModal();
    return () => {
      if (!held?.isConnected) return;
      held.focus({ preventScroll: true });
      if (document.activeElement !== held)
        held.closest("details")?.firstElementChild.focus({ preventScroll: true }); // it lies in a menu that is shut
    };
  }, []);
  const onClick = (event) => event.target === place.current && place.current.close();
  return html`<dialog
    class=${isSide ? "dialog side-sheet" : "dialog"}
    ref=${place}
    aria-label=${title}
    onClose=${onClose}
    onClick=${onClick}
  >
    <div class="dialog-body">
      <header class="row spread">
        <h2>${title}</h2>
        <button type="button" class="square ghost" onClick=${() => place.current.close()}>
          <${Icon} name="x" label="Close" />
        </button>
      </header>
      ${children}
    </div>
  </dialog>`;
}

export const copyText = (text, told = "Copied") =>
  navigator.clipboard?.writeText(text).then(
    () => showToast(told),
    () => {},
  );

export const CopyIcon = ({ text }) =>
  html`<button class="square ghost" title="Copy" onClick=${() => copyText(text)}>
    <${Icon} name="copy" size=${14} label="Copy" />
  </button>`;

export function Copy({ text, children = "Copy" }) {
  return html`<button type="button" class="small" onClick=${() => copyText(text)}>
    <${Icon} name="copy" size=${14} />${children}
  </button>`;
}

const TOAST_MS = 5000;
export const UNDO_MS = 10_000;
const toast = signal(null);

/** What was done, and the way back. undo: called when somebody wants it; end: when nobody does any more */
export function showToast(text, undo, end) {
  toast.value?.end?.();
  toast.value = { text, undo, end };
}
addEventListener("pagehide", () => toast.value?.end?.());

export function Toasts() {
  const told = toast.value;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!told || isHeld) return undefined;
    const over = () => {
      toast.value = null;
      told.end?.();
    };
    const timer = setTimeout(over, told.undo ? UNDO_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [told, isHeld]);
  const way = told?.undo;
  const [isTyped, setTyped] = useState(false); // since then: Ctrl Z takes that back, in its field
  useEffect(() => {
    setTyped(false);
    const listen = () => setTyped(true);
    addEventListener("input", listen);
    return () => removeEventListener("input", listen);
  }, [told]);
  const undo = () => {
    toast.value = null;
    focusMain();
    way();
  };
  useKeys({ z: way && undo, "ctrl z": way && undo, "typing ctrl z": way && !isTyped && undo });
  return html`<div class="toasts" aria-live="polite">
    ${
      told &&
      html`<div
        class="toast"
        onMouseEnter=${() => setHeld(true)}
        onMouseLeave=${() => setHeld(false)}
        onFocusIn=${() => setHeld(true)}
        onFocusOut=${() => setHeld(false)}
      >
        ${told.text}${
          way &&
          html`<button class="small" onClick=${undo}>
            Undo${!isTyped && html` <kbd aria-hidden="true">Ctrl Z</kbd>`}
          </button>`
        }
      </div>`
    }
  </div>`;
}
