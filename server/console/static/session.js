// Who looks, and what waits for them: shared by all screens.
import { signal } from "./vendor.js";
import { get, request } from "./api.js";

export const session = signal(null); // {tenant_id, user_id, is_admin}; null: nobody yet
export const sessionError = signal(null);
export const pending = signal([]); // approvals that wait for us, oldest first
export const screens = signal([]); // pages of the packs: {pack, name, title}

export async function loadSession() {
  try {
    const [who, config] = await Promise.all([get("/api/session"), get("/api/config")]);
    screens.value = config.screens;
    session.value = who;
    sessionError.value = null;
  } catch (error) {
    session.value = null;
    sessionError.value = error;
  }
}

export async function signIn(token) {
  await request("POST", "/api/session", undefined, { authorization: `Bearer ${token}` });
  await loadSession();
}

export async function signOut() {
  await request("DELETE", "/api/session");
  session.value = null;
  await loadSession();
}

export async function loadPending() {
  if (!session.value) return;
  try {
    pending.value = (await get("/api/approvals")).approvals;
  } catch (error) {
    if (error.status === 401) await loadSession();
  }
}

const EVERY_MS = 5000;

/** Look for decisions that are wanted, as long as the page is looked at. */
export function keepLooking() {
  const look = () => document.visibilityState === "visible" && loadPending();
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
}

/** reason: why not; the model is told */
export async function decide(approval, approve, reason = "") {
  const path = `/api/runs/${approval.run_id}/approvals/${approval.approval_id}`;
  try {
    return await request("POST", path, approve ? { approve } : { approve, reason });
  } finally {
    await loadPending();
  }
}
