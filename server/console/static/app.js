// The shell: who looks, where they are, and the screen for it. The address holds the whole state.
import { render, signal, useEffect, useLayoutEffect, useState } from "./vendor.js";
import { Chat } from "./chat.js";
import { focusMain, focusScreen, isTyping, keepFocus, openChat, readKey } from "./focus.js";
import { html } from "./html.js";
import { Failure, Toasts, hasKeys, loadStyle, useKeys, useLoaded } from "./parts.js";
import {
  config,
  isLocal,
  keepLooking,
  listPackScreens,
  listPlaces,
  loadPending,
  loadSession,
  pending,
  session,
  sessionError,
} from "./session.js";
import { PhoneBars, Sidebar, isNarrow, isOpen, toggleSide } from "./sidebar.js";
import { makeVisible } from "./words.js";

// What is looked at all day comes with the shell, the rest when it is first opened: their styles too,
// behind the shell's and before those of a pack, whichever comes first.
let pages = null;
const loadPages = () =>
  (pages ??= loadStyle(
    new URL("pages.css", import.meta.url),
    document.querySelector("[href$='console.css']"),
  ));

/** A screen's component; undefined: it is in the shell. */
const loadScreen = async ({ load }) => load && (await Promise.all([load(), loadPages()]))[0];

const MAIN = {
  chat: { title: "Chat", icon: "message-square", Shown: Chat },
  approvals: {
    title: "Approvals",
    icon: "inbox",
    load: async () => (await import("./inbox.js")).Approvals,
  },
};
const OPERATE = {
  usage: {
    title: "Usage",
    icon: "chart-column",
    load: async () => (await import("./usage.js")).Usage,
  },
  history: {
    title: "History",
    icon: "clock",
    load: async () => (await import("./threads.js")).Threads,
  },
  health: {
    title: "Health",
    icon: "activity",
    load: async () => (await import("./system.js")).System,
  },
};
const INNER = {
  runs: { title: "Run", load: async () => (await import("./run.js")).Run },
  settings: { title: "Settings", load: async () => (await import("./settings.js")).Settings },
  unknown: { title: "Page not found", Shown: Unknown },
};
const FORMERLY = { threads: "history", system: "health" };

/** By the name in the address: ours, and those of the packs, `pack.screen`. */
function listScreens() {
  return {
    ...MAIN,
    ...Object.fromEntries(listPackScreens().map((screen) => [screen.name, screen])),
    ...OPERATE,
    ...INNER,
  };
}

/** As the sidebar has them. */
function groupScreens() {
  const list = (screens) =>
    Object.entries(screens).map(([name, { title, icon }]) => ({ name, title, icon }));
  const packs = config.value.screens
    .map((pack) => ({ title: pack.title, entries: listPackScreens("sidebar", [pack]) }))
    .filter(({ entries }) => entries.length);
  const { health, ...everybodys } = OPERATE;
  const operators = [...listPackScreens("operate"), ...list({ health })];
  return {
    main: list(MAIN),
    packs,
    operate: [...list(everybodys), ...(session.value.is_admin ? operators : [])],
    isFolded: !session.value.is_admin || isLocal(), // who is alone here does both, and the work first
  };
}

/** The sidebar's entry of a screen: of one that only links lead to, its package's. */
function findEntry({ packs, operate }, screen) {
  if (screen === "runs") return "history";
  const names = [...packs.flatMap(({ entries }) => entries), ...operate].map(({ name }) => name);
  const own = names.find((name) => name.split(".")[0] === screen.split(".")[0]);
  return names.includes(screen) ? screen : (own ?? screen);
}

/** Addresses of before lead on, with their parameters: a pack's need no pack's name. */
function renameAddress(hash) {
  const [, name = "", rest] = hash.match(/^#\/?([^/?]*)(.*)$/) ?? [];
  const [page, owner] = name.split(".").reverse();
  const renamed = (config.value?.screens ?? []).flatMap(({ pack, screens }) =>
    screens
      .filter(
        (own) => [own.formerly, !owner && own.name].includes(page) && pack === (owner ?? pack),
      )
      .map((own) => `${pack}.${own.name}`),
  );
  const to = Object.hasOwn(listScreens(), name) || !page ? null : (FORMERLY[name] ?? renamed[0]);
  return to ? `#/${to}${rest}` : hash;
}

/** `#/chat/ID?x=1` → {screen, props}; no screen named: the chat. */
function readAddress(hash) {
  const [path, query = ""] = renameAddress(hash).replace(/^#\/?/, "").split("?");
  const [screen, id] = path.split("/");
  const props = Object.fromEntries(new URLSearchParams(query));
  if (!screen) return { screen: "chat", props: {} };
  if (!Object.hasOwn(listScreens(), screen) || (screen === "runs" && !id))
    return { screen: "unknown", props: { path } };
  return { screen, props: id ? { ...props, id: decodeURIComponent(id) } : props };
}

// Where one only chooses and searches the screen stays, a pack's as long as its id does; these are
// new ones for each address.
const keepsPlace = (name) => !["chat", "approvals", "health"].includes(name);

function useAddress() {
  const [{ hash, turn }, setAddress] = useState({ hash: location.hash, turn: 0 });
  useEffect(() => {
    const follow = () => setAddress((now) => ({ hash: location.hash, turn: now.turn + 1 }));
    addEventListener("hashchange", follow);
    if (location.hash !== hash) follow(); // it changed before anybody listened
    return () => removeEventListener("hashchange", follow);
  }, []);
  const address = readAddress(hash); // read anew: who signs in gets the packs' screens
  const place = keepsPlace(address.screen) ? `${address.screen}/${address.props.id}` : turn;
  // Who chooses something on a screen goes on there; what they held may be gone all the same.
  // At once, before somebody begins to write.
  useLayoutEffect(() => void (turn && focusScreen()), [place]);
  useEffect(() => void (document.activeElement === document.body && turn && focusMain()), [turn]);
  return { ...address, place };
}

function Unknown({ path }) {
  return html`<h1>Page not found</h1>
    <p>This service has no page <code>#/${makeVisible(path)}</code>.</p>
    <p><a class="button accent" href="#/chat">Go to the chat</a></p>`;
}

function SignIn() {
  const { data, error, reload } = useLoaded(() => import("./sign_in.js"), "");
  if (data) return html`<${data.SignIn} />`;
  return error
    ? html`<main class="door"><${Failure} error=${error} again=${reload} /></main>`
    : null;
}

function Screen({ name, place, props }) {
  const screen = listScreens()[name];
  const { title, Shown } = screen;
  const { data, error, reload } = useLoaded(
    async () => ({ name, Shown: await loadScreen(screen) }),
    name,
  );
  if (Shown) return html`<${Shown} key=${place} ...${props} />`; // it is here: shown with the frame, not a frame later
  if (error)
    return html`<h1>${title}</h1>
      <${Failure} error=${error} again=${reload} />`;
  if (data?.name !== name) return null; // on its way
  return html`<${data.Shown} key=${place} ...${props} />`;
}

// Behind what is shown first; who jumps before it is there gets it when it is.
const palette = signal(null);
let early = null; // typed since Ctrl K, while the palette is on its way
const loadPalette = () =>
  import("./palette.js").then(
    (part) => (palette.value = part),
    () => (early = null), // the next Ctrl K asks again
  );

/** What the page itself says until it is known who looks. */
const Shell = () =>
  html`<nav class="side" aria-label="Screens"><a class="brand" href="#/chat">plainloop</a></nav>
    <main id="main" tabindex="-1"></main>`;

function App() {
  const { screen, props, place } = useAddress();
  const [isJumping, setJumping] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const waiting = pending.value.length;
  const title = props.tab === "why" ? "Why this answer" : listScreens()[screen].title;
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ""}${title} · plainloop`;
  }, [title, waiting]);
  useEffect(() => void (isOpen.value = false), [place]);
  const show = (set) => () => {
    early = "";
    set(true);
    if (!palette.value) void loadPalette();
  };
  const jump = show(setJumping);
  useLayoutEffect(() => listenToKeys(jump), []); // before all that hear letters
  const places = listPlaces();
  const go = places.map(([key, name]) => [
    `g ${key.toLowerCase()}`,
    () => (location.hash = `#/${name}`),
  ]);
  const help = show(setHelping);
  useKeys({
    n: () => openChat(),
    "[": toggleSide,
    "?": help,
    ...Object.fromEntries(go),
  });
  if (sessionError.value) return html`<${SignIn} />`;
  if (!session.value) return html`<${Shell} />`;
  const groups = groupScreens();
  const entries = [
    { title: "New chat", icon: "plus", href: "#/chat", kind: "Action", keys: "N" },
    ...[...groups.main, ...groups.packs.flatMap((pack) => pack.entries), ...groups.operate].map(
      ({ name, ...entry }) => ({
        ...entry,
        href: `#/${name}`,
        kind: "Page",
        keys: places.filter((place) => place[1] === name).map(([key]) => `G ${key}`)[0],
      }),
    ),
  ];
  return html`<a
      class="skip"
      href="#main"
      onClick=${(event) => (event.preventDefault(), focusMain())}
      >Skip to content</a
    >
    <div class=${`frame ${isNarrow.value ? "narrow" : ""} ${isOpen.value ? "open" : ""}`}>
      <${Sidebar}
        groups=${groups}
        screen=${findEntry(groups, screen)}
        id=${props.id}
        onSearch=${jump}
        onHelp=${help}
      />
      ${isOpen.value && html`<div class="veil" onClick=${() => (isOpen.value = false)}></div>`}
      <${PhoneBars} groups=${groups} screen=${screen} title=${title} />
      <main id="main" tabindex="-1" class=${screen}>
        <${Screen} name=${screen} place=${place} props=${props} />
      </main>
    </div>
    <${Toasts} />
    ${isHelping && palette.value && html`<${palette.value.Help} onClose=${() => setHelping(false)} />`}
    ${isJumping && palette.value && html`<${palette.value.Palette} early=${early} entries=${entries} onHelp=${help} onClose=${() => setJumping(false)} />`}`;
}

/** Who opens a chat by a link wants to write there. */
function onLink(event) {
  const link = event.target.closest?.("a[href^='#/chat']");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return; // to another tab
  event.preventDefault();
  isOpen.value = false;
  openChat(link.getAttribute("href"));
}

/** Ctrl K jumps; `/` is the search or the message of this page. */
function listenToKeys(jump) {
  const left = new AbortController();
  const listen = (event) => {
    const isHeld = event.ctrlKey || event.metaKey;
    const isJump = readKey(event) === "k" && isHeld;
    if (early !== null && !palette.value && !isHeld && event.key.length === 1) {
      early += event.key;
      event.preventDefault();
      return event.stopImmediatePropagation();
    }
    if (event.key === "Escape" && isOpen.value) {
      isOpen.value = false;
      return event.stopImmediatePropagation(); // what lies under the menu stays
    }
    if (!isJump && (event.key !== "/" || isTyping(event) || !hasKeys.value)) return;
    event.preventDefault();
    const field = document.querySelector("#search, #said");
    if (isJump || !field) jump();
    else field.focus();
  };
  document.addEventListener("keydown", listen, { signal: left.signal });
  document.addEventListener("click", onLink, { signal: left.signal });
  return () => left.abort();
}

/** Who goes back finds the place they left, once what was there is drawn again. */
function keepPlace() {
  let y;
  const seek = new ResizeObserver(() => {
    scrollTo(0, y);
    if (scrollY > y - 1) stop();
  });
  const stop = () => seek.disconnect(); // who does something is where they want to be
  for (const act of ["pointerdown", "wheel", "keydown"]) addEventListener(act, stop);
  addEventListener("scrollend", () => history.replaceState({ y: scrollY }, ""));
  addEventListener("popstate", ({ state }) => {
    stop();
    y = state?.y;
    if (y) seek.observe(document.body);
  });
}

keepFocus();
keepPlace();
render(html`<${App} />`, document.body);
loadScreen(listScreens()[readAddress(location.hash).screen]).catch(() => {}); // beside who looks, not after it
await loadSession();
void loadPalette();
void loadPending();
keepLooking();
