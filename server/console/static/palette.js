// Ctrl K: every screen, the newest chats and what the server finds of the older ones.
import { useEffect, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { makeVisible } from "./words.js";

const MOST = 8;
const PAUSE_MS = 150;

/** Whether every word of it begins a word of the text. */
function fits(text, asked) {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return asked.toLowerCase().split(/\s+/).every((part) => words.some((word) => word.startsWith(part)));
}

/** @param {{entries: object[], onClose: () => void}} props entries: {title, icon, href, kind} */
export function Palette({ entries, onClose }) {
  const dialog = useRef(null);
  const [asked, setAsked] = useState("");
  const [found, setFound] = useState([]);
  const [at, setAt] = useState(0);
  useEffect(() => dialog.current.showModal(), []);
  useEffect(() => {
    let isLeft = false;
    const look = async () => {
      const { conversations } = await get(withQuery("/api/chat/conversations", { text: asked, limit: MOST }));
      if (!isLeft) setFound(conversations.map(({ id, title }) => ({ title: makeVisible(title || "New chat"), icon: "message-square", href: `#/chat/${id}`, kind: "Chat" })));
    };
    const timer = setTimeout(() => look().catch(() => {}), asked ? PAUSE_MS : 0);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [asked]);
  const shown = [...entries.filter((entry) => !asked || fits(entry.title, asked)), ...found].slice(0, MOST);
  const go = (entry) => {
    dialog.current.close();
    if (entry) location.hash = entry.href;
  };
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((now) => (now + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") go(shown[at]);
    else return;
    event.preventDefault();
  };
  return html`<dialog class="palette" ref=${dialog} aria-label="Search or jump to" onClose=${onClose} onClick=${(event) => event.target === dialog.current && dialog.current.close()}>
    <div class="asked"><${Icon} name="search" /><input aria-label="Search or jump to" role="combobox" aria-expanded="true" aria-controls="jumps" aria-activedescendant=${shown.length ? `jump-${at}` : null} placeholder="Search chats, or jump to a screen" value=${asked} onInput=${(event) => (setAsked(event.target.value), setAt(0))} onKeyDown=${onKeyDown} /></div>
    <ul id="jumps" role="listbox" aria-label="Found">${shown.map((entry, n) => html`<li key=${entry.href} id=${`jump-${n}`} role="option" aria-selected=${n === at} onClick=${() => go(entry)} onMouseMove=${() => setAt(n)}><${Icon} name=${entry.icon} /><span class="word">${entry.title}</span><small>${entry.kind}</small></li>`)}</ul>
    ${shown.length === 0 && html`<p class="hint">Nothing is called that.</p>`}
  </dialog>`;
}
