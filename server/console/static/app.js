// The shell: who looks, where they are, and the screen for it. The address holds the whole state.
import { render, useEffect, useState } from "./vendor.js";
import { Approvals } from "./approvals.js";
import { Chat } from "./chat.js";
import { Compare } from "./compare.js";
import { html } from "./html.js";
import { Failure } from "./parts.js";
import { Replays } from "./replays.js";
import { Run } from "./run.js";
import { keepLooking, loadPending, loadSession, pending, session, sessionError, signIn } from "./session.js";
import { System } from "./system.js";
import { Threads } from "./threads.js";
import { Usage } from "./usage.js";

const SCREENS = { chat: Chat, threads: Threads, approvals: Approvals, runs: Run, usage: Usage, replays: Replays, compare: Compare, system: System };
const LINKS = [["chat", "Chat"], ["threads", "Conversations"], ["approvals", "Approvals"], ["usage", "Usage"], ["replays", "Replays"], ["compare", "Compare"], ["system", "System"]];

/** `#/chat/ID?x=1` → {screen, props}; where nothing fits, the chat. */
export function readAddress(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [screen, id] = path.split("/");
  const props = Object.fromEntries(new URLSearchParams(query));
  if (!Object.hasOwn(SCREENS, screen) || (screen === "runs" && !id)) return { screen: "chat", props: {} };
  return { screen, props: id ? { ...props, id: decodeURIComponent(id) } : props };
}

function useAddress() {
  const [address, setAddress] = useState({ ...readAddress(location.hash), turn: 0 });
  useEffect(() => {
    const follow = () => {
      setAddress((now) => ({ ...readAddress(location.hash), turn: now.turn + 1 }));
      document.querySelector("main")?.focus({ preventScroll: true });
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return address;
}

function SignIn() {
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
  return html`<nav aria-label="Screens">
    <a class="brand" href="#/chat">plainloop</a>
    ${LINKS.map(([name, title]) => html`<a key=${name} href=${`#/${name}`} aria-current=${screen === name ? "page" : null}>${title}${name === "approvals" && waiting > 0 && html` <span class="badge" aria-label=${`${waiting} waiting`}>${waiting}</span>`}</a>`)}
  </nav>`;
}

function App() {
  const { screen, props, turn } = useAddress();
  const waiting = pending.value.length;
  const title = screen === "runs" ? "Run" : LINKS.find(([name]) => name === screen)[1];
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ""}${title} · plainloop`;
  }, [title, waiting]);
  if (!session.value) return sessionError.value && html`<${SignIn} />`;
  // A screen is a new one for each address; only searching keeps its place.
  const key = screen === "threads" || screen === "usage" ? screen : turn;
  return html`<a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), document.querySelector("main").focus())}>To the content</a>
    <${Nav} screen=${screen} />
    <main id="main" tabindex="-1" class=${screen}><${SCREENS[screen]} key=${key} ...${props} /></main>`;
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

await loadSession();
void loadPending();
keepLooking();
listenToKeys();
render(html`<${App} />`, document.body);
