// Who looks, and what waits for them: shared by all screens.
import { signal, useEffect, useRef } from "./vendor.js";
import { get, request, watchChanges } from "./api.js";
import { learnWords } from "./words.js";

export const session = signal(null); // {tenant_id, user_id, is_admin}; null: nobody yet
export const sessionError = signal(null);
export const pending = signal([]); // approvals that wait for us, oldest first
export const pendingError = signal(null);
export const light = signal(null); // how the service is, as far as somebody looked: ok, warn or bad
export const draft = signal(""); // what another screen wants said: the chat has it in its field, unsent
export const order = signal(""); // the same, sent as the chat opens
export const config = signal(null); // what the service runs with, and what its packs show

/** Whether a pack or package shows screens here. */
export const hasPack = (name) => config.value.screens.some(({ pack }) => pack === name);

/** Screens of packs, by default of all. place: where links to it stand; undefined: anywhere */
export const listPackScreens = (place, packs = config.value?.screens ?? []) =>
  packs.flatMap(({ pack, screens }) =>
    screens
      .filter((screen) => !place || screen.place === place)
      .map(({ name, count, ...shown }) => ({
        ...shown,
        counted: count,
        name: `${pack}.${name}`,
        load: async () => (await import(`./${pack}/${name}.js`)).Screen,
      })),
  );

/** The first screen of packs at a place, with the letter that leads there. */
const findOwn = (letter, place) =>
  listPackScreens(place)
    .map(({ name, title }) => [letter, name, title])
    .slice(0, 1);

/** Where `g` and a letter lead: `[letter, name of the screen, its title]` each. */
export const listPlaces = () => [
  ["C", "chat", "Chat"],
  ["A", "approvals", "Approvals"],
  ...findOwn("T", "sidebar"),
  ["U", "usage", "Usage"],
  ["H", "history", "History"],
  ...(session.value?.is_admin ? findOwn("E", "operate") : []),
  ["S", "settings", "Settings"],
];

const LOCAL = "local"; // who a service without authentication takes everybody for
export const isLocal = () => session.value.user_id === LOCAL && session.value.tenant_id === LOCAL;

/** How this browser shows it: `theme`, `side`, `run`; "": as nothing was chosen. The next page is served so. */
export const keepLook = (name, value) =>
  (document.cookie = `plainloop_${name}=${value}; path=/; SameSite=Strict; max-age=${value && 31_536_000}`);

export async function loadSession() {
  try {
    const [who, told] = await Promise.all([get("/api/session"), get("/api/config")]);
    learnWords(told.screens);
    config.value = told;
    showDraftsTo(who);
    session.value = who;
    sessionError.value = null;
  } catch (error) {
    session.value = null;
    sessionError.value = error;
  }
}

export async function signIn(token) {
  await request("POST", "/api/session", undefined, { authorization: `Bearer ${token}` });
  channel.postMessage({ status: "session" });
  await loadSession();
}

export async function signOut() {
  await request("DELETE", "/api/session");
  channel.postMessage({ status: "session" });
  session.value = null;
  await loadSession();
}

let [begun, shown] = [0, 0]; // lists of what waits: an older one may come after a newer

export async function loadPending() {
  if (!session.value) return;
  const own = ++begun;
  try {
    const { approvals } = await get("/api/approvals");
    if (own < shown) return;
    shown = own;
    pending.value = approvals;
    pendingError.value = null;
  } catch (error) {
    if (error.status === 401) await loadSession();
    else if (own > shown) pendingError.value = error; // what waits is not known
  }
}

// One tab streams for all of this browser: more of them would use up its six connections.
const LEADS = "plainloop-changes";
const FALLBACK_MS = 60_000; // where a proxy holds streams back
const channel = new BroadcastChannel(LEADS);
const listeners = new Set();

const tell = (change) => listeners.forEach((listen) => listen(change));

/** What was changed here, before the server says so. */
export const tellChange = (change) => (channel.postMessage(change), tell(change));

const whenSigned = () =>
  new Promise((resolve) => {
    const stop = session.subscribe((who) => who && resolve(queueMicrotask(() => stop())));
  });

async function follow() {
  for (;;) {
    await whenSigned();
    const [who, left] = [session.value, new AbortController()];
    const stop = session.subscribe((now) => now?.user_id !== who.user_id && left.abort());
    try {
      for await (const change of watchChanges({ signal: left.signal })) {
        channel.postMessage(change);
        tell(change);
      }
    } catch {
      await loadSession(); // it may have ended
      await new Promise((resolve) => setTimeout(resolve, FALLBACK_MS / 10));
    } finally {
      stop();
    }
  }
}

/** `listen` to what changes of one's own, as long as the component is shown. */
export function useChanges(listen) {
  const latest = useRef(listen);
  latest.current = listen;
  useEffect(() => {
    const call = (change) => latest.current(change);
    listeners.add(call);
    return () => listeners.delete(call);
  }, []);
}

/** One call for many changes that come together. */
export function gather(work, pauseMs = 100) {
  let timer = 0;
  return () => (timer ||= setTimeout(() => ((timer = 0), work()), pauseMs));
}

export function keepLooking() {
  channel.onmessage = ({ data }) => (data.status === "session" ? void loadSession() : tell(data));
  const again = gather(loadPending);
  listeners.add(
    (change) => (change.approval_id || ["reset", "erased"].includes(change.status)) && again(),
  );
  if (navigator.locks) void navigator.locks.request(LEADS, follow);
  else void follow(); // no secure context
  const look = () => document.visibilityState === "visible" && loadPending();
  setInterval(look, FALLBACK_MS);
  document.addEventListener("visibilitychange", look);
}

/** Decide what is shown together: of each run all of it, or nothing where one was decided already. */
export async function decideAll(approvals, approve) {
  try {
    const decideRun = ([runId, items]) =>
      request("POST", `/api/runs/${runId}/approvals`, {
        decisions: items.map((item) => ({ approval_id: item.approval_id, approve })),
      });
    await Promise.all(
      Object.entries(Object.groupBy(approvals, (item) => item.run_id)).map(decideRun),
    );
  } finally {
    await loadPending();
  }
}

/** Ids of approvals whose cards on this page show their outcome, and hand the focus on. */
export const decidedHere = new Set();

/** reason: why not; the model is told. content: of a form that is asked for */
export async function decide(approval, approve, reason = "", content) {
  const path = `/api/runs/${approval.run_id}/approvals/${approval.approval_id}`;
  decidedHere.add(approval.approval_id);
  try {
    const decided = await request(
      "POST",
      path,
      approve ? { approve, content } : { approve, reason },
    );
    const { approval_id, run_id } = approval;
    tellChange({ approval_id, run_id, status: decided.status });
    return decided;
  } finally {
    await loadPending();
  }
}

// What is written and not sent yet, by chat: whoever goes elsewhere and comes back finds it again. It
// lives as long as the page does, and only for the user who wrote it.
const NOTHING = { text: "", files: [] };
const kept = new Map(); // by the chat's id, "" for the new one

/** @returns {{text: string, files: object[]}} */
export const loadDraft = (id) => kept.get(id ?? "") ?? NOTHING;

export function keepDraft(id, { text, files }) {
  if (text || files.length) kept.set(id ?? "", { text, files });
  else kept.delete(id ?? "");
}

/** Put text behind what is written already, once: neither is lost. */
const joinTexts = (before, text) =>
  !before.trim() ? text : before.endsWith(text) ? before : `${before.trimEnd()}\n${text}`;

let suggested = ""; // by a suggestion or another screen: another one replaces it, unless it was changed

/** What stands in the field once `text` is suggested: it never replaces what somebody wrote. */
export function suggest(before, text) {
  const next = before === suggested ? text : joinTexts(before, text);
  suggested = text;
  return next;
}

/** Give back what could not be sent to a chat that nobody looks at any more. */
export function returnDraft(id, { text, files }) {
  const now = loadDraft(id);
  keepDraft(id, {
    text: now.text ? joinTexts(text, now.text) : text,
    files: [...files, ...now.files],
  });
}

/** The new chat has its id now, and what was written since with it. */
export function moveDraft(id) {
  keepDraft(id, loadDraft(null));
  kept.delete("");
}

let owner = null;

/** Forget what another user wrote. @param {{tenant_id: string, user_id: string}} who the present user */
function showDraftsTo({ tenant_id: tenantId, user_id: userId }) {
  const now = `${tenantId}/${userId}`;
  if (owner !== null && owner !== now) kept.clear();
  owner = now;
}
