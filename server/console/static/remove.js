// Changing and deleting. What is deleted is hidden at once, and erased when nobody has taken that back.
import { signal } from "./vendor.js";
import { request } from "./api.js";
import { openChat } from "./focus.js";
import { toChat } from "./own_message.js";
import { UNDO_MS, showToast } from "./parts.js";
import { keepDraft, tellChange } from "./session.js";
import { nameChat } from "./words.js";

const ROOM = "/api/chat/conversations";
export const removed = signal(new Set()); // keys of what is about to be erased: of a chat its id

/** Change a chat: `{title?, labels?, is_pinned?}` */
export async function changeChat({ id }, change) {
  await request("PATCH", `${ROOM}/${id}`, change);
  tellChange({ status: "changed", conversation_id: id });
}

/**
 * Hide something now, and delete it when the time to undo that is over.
 * @param {{key: string, path: string, text: string, onRestored: Function, onErased: Function}} what
 */
export function removeLater({ key, path, text, onRestored, onErased }) {
  const show = () => (removed.value = new Set([...removed.value].filter((other) => other !== key)));
  const erase = async () => {
    try {
      await request("DELETE", path);
    } catch (error) {
      // gone already: deleted in another tab
      if (error.status !== 404) return (show(), showToast(`It was not deleted: ${error.message}`));
    }
    onErased();
  };
  removed.value = new Set([...removed.value, key]);
  const until = `${text}. Undo within ${UNDO_MS / 1000} seconds.`;
  showToast(until, () => (show(), onRestored()), erase);
}

/** Delete a chat with all its versions. @param {{id: string, title: string}} chat */
export function removeChat(chat) {
  const { id } = chat;
  const isOpen = location.hash.startsWith(`#/chat/${id}`);
  const place = document.activeElement.closest("main, .side");
  const onRestored = () => {
    if (isOpen) openChat(`#/chat/${id}`);
    else setTimeout(() => place?.querySelector(`a[href^="${toChat(id)}"]`)?.focus()); // once it is drawn
  };
  const onErased = () => {
    keepDraft(id, { text: "", files: [] });
    tellChange({ status: "erased", conversation_id: id });
  };
  const path = `${ROOM}/${id}?branches=all`;
  removeLater({ key: id, path, text: `Chat deleted: ${nameChat(chat)}`, onRestored, onErased });
  if (isOpen) setTimeout(openChat);
}
