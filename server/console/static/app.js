// The shell: who looks, where they are, and the screen for it. The address holds the whole state.
import { render, useEffect, useState } from "./vendor.js";
import { Approvals } from "./approvals.js";
import { Chat } from "./chat.js";
import { html } from "./html.js";
import { Failure, focusMain, useLoaded } from "./parts.js";
import { keepLooking, loadPending, loadSession, pending, screens, session, sessionError, signIn } from "./session.js";

// What is looked at all day comes with the shell, the rest when it is first opened.
const SCREENS = {
  chat: { title: "Chat", load: async () => Chat },
  threads: { title: "Conversations", load: async () => (await import("./threads.js")).Threads },
  approvals: { title: "Approvals", load: async () => Approvals },
  runs: { title: "Run", isHidden: true, load: async () => (await import("./run.js")).Run },
  usage: { title: "Usage", load: async () => (await import("./usage.js")).Usage },
  replays: { title: "Replays", load: async () => (await import("./replays.js")).Replays },
  compare: { title: "Compare", load: async () => (await import("./compare.js")).Compare },
  system: { title: "System", load: async () => (await import("./system.js")).System },
};

/** Ours, and after the chat's those of the packs: `pack.screen`. */
function listScreens() {
  const { chat, threads, approvals, ...rest } = SCREENS;
  const own = screens.value.map(({ pack, name, title }) => [`${pack}.${name}`, { title, load: async () => (await import(`./${pack}/${name}.js`)).Screen }]);
  return { chat, threads, approvals, ...Object.fromEntries(own), ...rest };
}

/** `#/chat/ID?x=1` → {screen, props}; where nothing fits, the chat. */
function readAddress(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [screen, id] = path.split("/");
  const props = Object.fromEntries(new URLSearchParams(query));
  if (!Object.hasOwn(listScreens(), screen) || (screen === "runs" && !id)) return { screen: "chat", props: {} };
  return { screen, props: id ? { ...props, id: decodeURIComponent(id) } : props };
}

// Where one only chooses and searches the screen stays, a replay's and a pack's as long as its id
// does; else it is a new one for each address.
const keepsPlace = (name) => ["threads", "usage", "replays"].includes(name) || name.includes(".");

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
  useEffect(() => void (turn && focusMain()), [place]);
  useEffect(() => void (document.activeElement === document.body && turn && focusMain()), [turn]);
  return { ...address, place };
}

function SignIn() {
  useEffect(() => {
    document.querySelector("#token").focus();
    return () => setTimeout(focusMain); // it is another's by then
  }, []);
  const [token, setToken] = useState("");
  const [error, setError] = useState(sessionError.value.code === "UNAUTHORIZED" ? null : sessionError.value);
  const send = async (event) => {
    event.preventDefault();
    try {
      await signIn(token.trim());
      setToken("");
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<main class="entry" tabindex="-1">
    <h1>plainloop</h1>
    <p>This server asks who you are. The token is kept in a cookie that no script can read; <code>plainloop token</code> makes one.</p>
    <form onSubmit=${send}>
      <label>Token<input type="password" id="token" autocomplete="off" required value=${token} onInput=${(event) => setToken(event.target.value)} /></label>
      <button class="accent">Sign in</button>
    </form>
    <${Failure} error=${error} />
  </main>`;
}

function Nav({ screen }) {
  const waiting = pending.value.length;
  useEffect(() => document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [screen, waiting]);
  return html`<nav aria-label="Screens">
    <a class="brand" href="#/chat">plainloop</a>
    ${Object.entries(listScreens()).filter(([, { isHidden }]) => !isHidden).map(([name, { title }]) => html`<a key=${name} href=${`#/${name}`} aria-current=${screen === name ? "page" : null}>${title}${name === "approvals" && waiting > 0 && html` <span class="badge" aria-label=${`${waiting} waiting`}>${waiting}</span>`}</a>`)}
  </nav>`;
}

function Screen({ name, place, props }) {
  const { title, load } = listScreens()[name];
  const { data, error, reload } = useLoaded(async () => ({ name, Shown: await load() }), name);
  if (error) return html`<h1>${title}</h1><${Failure} error=${error} again=${reload} />`;
  if (data?.name !== name) return null; // on its way
  return html`<${data.Shown} key=${place} ...${props} />`;
}

/** What the page itself says until it is known who looks. */
const Shell = () => html`<nav aria-label="Screens"><a class="brand" href="#/chat">plainloop</a></nav><main id="main" tabindex="-1"></main>`;

function App() {
  const { screen, props, place } = useAddress();
  const waiting = pending.value.length;
  const { title } = listScreens()[screen];
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ""}${title} · plainloop`;
  }, [title, waiting]);
  if (sessionError.value) return html`<${SignIn} />`;
  if (!session.value) return html`<${Shell} />`;
  return html`<a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), focusMain())}>To the content</a>
    <${Nav} screen=${screen} />
    <main id="main" tabindex="-1" class=${screen}><${Screen} name=${screen} place=${place} props=${props} /></main>`;
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    event.preventDefault();
    const field = document.querySelector("#search, #said");
    if (field) field.focus();
    else location.hash = "#/threads";
  });
}

render(html`<${App} />`, document.body);
listenToKeys();
await loadSession();
void loadPending();
keepLooking();
