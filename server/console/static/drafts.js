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
export const joinTexts = (before, text) =>
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
export function showDraftsTo({ tenant_id: tenantId, user_id: userId }) {
  const now = `${tenantId}/${userId}`;
  if (owner !== null && owner !== now) kept.clear();
  owner = now;
}
