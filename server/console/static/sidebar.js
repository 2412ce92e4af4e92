// Where one is and where one can go: the pack's pages first, then those of who operates it, then the
// newest chats. On a phone it is a drawer, with four of its entries in a bar below.
import { signal, useEffect, useMemo, useState } from "./vendor.js";
import { get } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { toChat } from "./own_message.js";
import { Menu, showToast } from "./parts.js";
import { changeChat, removeChat, removed } from "./remove.js";
import { gather, isLocal, keepLook, light, pending, session, useChanges } from "./session.js";
import { formatMoment, makeDates, makeVisible, nameChat } from "./words.js";

const RECENT = 15;
const MOST_SCREENS = 5; // of a pack, before the rest folds

export const isOpen = signal(false); // the drawer
export const isNarrow = signal(document.documentElement.dataset.side === "narrow"); // icons alone
export const toggleSide = () =>
  keepLook("side", (isNarrow.value = !isNarrow.value) ? "narrow" : "");
const isOperating = signal(document.cookie.includes("plainloop_operate=open")); // as it was left
export const recent = signal([]); // chats, those that are pinned first
export const opened = signal([]); // the open chat's versions, by id
export const openedTitle = signal(signal("")); // of the version that is shown

async function loadRecent() {
  try {
    const list = (isPinned) =>
      get(`/api/chat/conversations?kind=all&branches=newest&limit=${RECENT}&is_pinned=${isPinned}`);
    const [pinned, others] = await Promise.all([list(true), list(false)]);
    recent.value = [...pinned.conversations, ...others.conversations];
  } catch {
    // the screen itself says what is wrong
  }
}

/** Ours, as in icon.svg. */
export const Mark = () =>
  html`<span class="mark"
    ><svg class="icon" width="16" height="16" viewBox="7 7 18 18" aria-hidden="true">
      <path d="M10 16a6 6 0 1 1 6 6h-6" /></svg
  ></span>`;

const LIGHTS = { ok: "all is well", warn: "needs attention", bad: "something is broken" };

/** How many a screen of a pack has, beside its title. */
function useTotal(path) {
  const [total, setTotal] = useState(null);
  const look = useMemo(
    () =>
      gather(
        () =>
          path &&
          get(path).then(
            (told) => setTotal(told.total),
            () => {},
          ),
        300,
      ),
    [path],
  );
  useEffect(() => void look(), [path]);
  useChanges(look);
  return total;
}

function Entry({ name, title, icon, current, count, counted }) {
  const total = useTotal(counted);
  return html`<a href=${`#/${name}`} title=${title} aria-current=${current === name ? "page" : null}
    ><${Icon} name=${icon} size=${16} /><span class="word">${title}</span>${
      count > 0 && html` <span class="badge" aria-label=${`${count} waiting`}>${count}</span>`
    }${total > 0 && html`<span class="total word">${total}</span>`}${
      name === "health" &&
      light.value &&
      html`<span class=${`dot ${light.value}`} role="img" aria-label=${LIGHTS[light.value]}></span>`
    }</a
  >`;
}

const Group = ({ title, entries, current }) =>
  html`<h2>${title}</h2>
    ${entries.map((entry) => html`<${Entry} key=${entry.name} ...${entry} current=${current} />`)}`;

function Pack({ title, entries, current }) {
  const [shown, rest] = [entries.slice(0, MOST_SCREENS), entries.slice(MOST_SCREENS)];
  return html`<${Group} title=${title} entries=${shown} current=${current} />${
      rest.length > 0 &&
      html`<details>
        <summary>More</summary>
        ${rest.map((entry) => html`<${Entry} key=${entry.name} ...${entry} current=${current} />`)}
      </details>`
    }`;
}

/** The heading below which a chat is listed: of days that have a name this, else the month. */
export function nameAge({ is_pinned: isPinned, updated_at: iso }, now = new Date()) {
  if (isPinned) return "Pinned";
  const at = new Date(iso);
  const isSince = (days) => at >= new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  if (isSince(0)) return "Today";
  if (isSince(1)) return "Yesterday";
  if (isSince(7)) return "Previous 7 days";
  const isYear = at.getFullYear() === now.getFullYear();
  const month = makeDates({ month: "long", year: isYear ? undefined : "numeric" }).format(at);
  return isYear && at.getMonth() === now.getMonth() ? `Earlier in ${month}` : month;
}

const fail = (error) => showToast(error.message);
const arrange = (chat, field) =>
  import("./threads.js").then((threads) => threads.arrange(chat, field)).catch(fail);

function Recent({ screen, id = location.hash.split(/[/?]/)[2] }) {
  const again = useMemo(() => gather(loadRecent, 300), []);
  useEffect(() => void loadRecent(), []);
  useChanges(again);
  const waiting = new Set(pending.value.map((item) => item.conversation_id));
  const isVersion = (own) => opened.value.includes(id) && opened.value.includes(own);
  const isDouble = ({ id: own, title }) =>
    recent.value.some((chat) => chat.id !== own && chat.title === title);
  const shown = recent.value.filter((chat) => !removed.value.has(chat.id));
  return html`<h2 class="spread">
      <span>Recent</span
      ><a href="#/history" aria-current=${screen === "history" ? "page" : null}>All</a>
    </h2>
    ${recent.value.length === 0 && html`<p class="hint">Your chats will be listed here.</p>`}
    ${Object.entries(Object.groupBy(shown, (chat) => nameAge(chat))).map(
      ([age, chats]) =>
        html`<h3 key=${age} class="hint">${age}</h3>
          ${chats.map(
            (chat) =>
              html`<span key=${chat.id} class="recent"
                ><a
                  class="chat"
                  href=${toChat(chat.id)}
                  aria-current=${id === chat.id || isVersion(chat.id) ? "page" : null}
                  ><span class="word"
                    >${nameChat(isVersion(chat.id) ? { title: openedTitle.value.value } : chat)}</span
                  >${
                    isDouble(chat) &&
                    html`<span class="total word">${formatMoment(chat.updated_at)}</span>`
                  }${
                    waiting.has(chat.id) &&
                    html`<span class="dot warn" role="img" aria-label="waits for you"></span>`
                  }</a
                ><${Menu} icon="ellipsis" title=${`Options for ${nameChat(chat)}`} style="square ghost"
                  ><button onClick=${() => arrange(chat)}>Rename</button
                  ><button onClick=${() => changeChat(chat, { is_pinned: !chat.is_pinned }).catch(fail)}>
                    ${chat.is_pinned ? "Unpin" : "Pin"}</button
                  ><button onClick=${() => arrange(chat, "labels")}>Label</button
                  ><button onClick=${() => removeChat(chat)}>Delete</button></${Menu}
                ></span
              >`,
          )}`,
    )}`;
}

function Foot({ onHelp }) {
  const { user_id, tenant_id } = session.value;
  const name = isLocal() ? "Local user" : makeVisible(user_id);
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join("")
    .toUpperCase();
  return html`<div class="foot">
    <span class="avatar" aria-hidden="true">${initials}</span>
    <a class="word" href="#/settings/account"
      ><b>${name}</b>${
        (isLocal() || session.value.is_admin) &&
        html`<small>${isLocal() ? "This computer" : makeVisible(tenant_id)}</small>`
      }</a
    >
    <button class="square ghost" title="Keyboard shortcuts (?)" onClick=${onHelp}>
      <${Icon} name="command" size=${16} label="Keyboard shortcuts" />
    </button>
    <a href="#/settings" class="square" title="Settings"
      ><${Icon} name="settings" label="Settings"
    /></a>
  </div>`;
}

const listMain = ({ main }) =>
  main.map((entry) =>
    entry.name === "approvals" ? { ...entry, count: pending.value.length } : entry,
  );

/**
 * @param {{groups: {main: object[], packs: {title: string, entries: object[]}[], operate: object[]},
 *   screen: string, id?: string, onSearch: () => void, onHelp: () => void}} props
 */
export function Sidebar({ groups, screen, id, onSearch, onHelp }) {
  const keep = (event) => {
    const willBeOpen = !event.currentTarget.parentElement.open;
    keepLook("operate", willBeOpen ? "open" : "");
    setTimeout(() => (isOperating.value = willBeOpen)); // drawn before, the click would undo it
  };
  const title = session.value.is_admin ? "Operate" : "Usage and history";
  return html`<nav class="side" aria-label="Screens">
    <div class="top">
      <a class="brand" href="#/chat"><${Mark} /><span class="word">plainloop</span></a>
      <button
        class="square ghost"
        aria-expanded=${!isNarrow.value}
        title="Sidebar"
        onClick=${() => (isOpen.value ? (isOpen.value = false) : toggleSide())}
      >
        <${Icon} name="panel-left" label="Sidebar" />
      </button>
    </div>
    <a class="button" href="#/chat"><${Icon} name="plus" /><span class="word">New chat</span></a>
    <button class="jump" title="Search or jump to" onClick=${onSearch}>
      <${Icon} name="search" /><span class="word">Search or jump to</span
      ><kbd class="word">Ctrl K</kbd>
    </button>
    <div class="lists">
      ${listMain(groups).map((entry) => html`<${Entry} key=${entry.name} ...${entry} current=${screen} />`)}
      ${groups.packs.map((pack) => html`<${Pack} key=${pack.title} ...${pack} current=${screen} />`)}
      ${
        groups.isFolded
          ? html`<details
              open=${isOperating.value || (screen !== "history" && groups.operate.some((entry) => entry.name === screen))}
            >
              <summary title=${title} onClick=${keep}><span class="word">${title}</span></summary>
              ${groups.operate.map((entry) => html`<${Entry} key=${entry.name} ...${entry} current=${screen} />`)}
            </details>`
          : html`<${Group} title=${title} entries=${groups.operate} current=${screen} />`
      }
      <${Recent} id=${id} screen=${screen} />
    </div>
    <${Foot} onHelp=${onHelp} />
  </nav>`;
}

/** A phone's two bars: what this is and the way to everything; the four places one goes to most. */
export function PhoneBars({ groups, screen, title }) {
  const [chat, ...others] = listMain(groups);
  const own = groups.packs[0]?.entries ?? [];
  const places = (
    groups.isFolded
      ? [chat, ...others, ...own]
      : [chat, ...own.slice(0, 1), ...others, groups.operate[0]]
  ).slice(0, 4);
  return html`<header class="bar">
      <button
        class="square ghost"
        aria-expanded=${isOpen.value}
        onClick=${() => (isOpen.value = true)}
      >
        <${Icon} name="menu" size=${20} label="Menu" />
      </button>
      <b>${title}</b>
    </header>
    <nav class="tabs" aria-label="Most used">
      ${places.map((entry) => html`<${Entry} key=${entry.name} ...${entry} current=${screen} />`)}
    </nav>`;
}
