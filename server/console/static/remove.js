// Changing a chat. One that is deleted is hidden at once, and erased when nobody has taken that back.
import { signal } from "./vendor.js";
import { request } from "./api.js";
import { openChat } from "./focus.js";
import { toChat } from "./own_message.js";
import { showToast } from "./parts.js";
import { keepDraft, tellChange } from "./session.js";

const ROOM = "/api/chat/conversations";
export const removed = signal(new Set()); // ids of chats that are about to be erased

/** Change a chat: `{title?, labels?, is_pinned?}` */
export async function changeChat({ id }, change) {
  await request("PATCH", `${ROOM}/${id}`, change);
  tellChange({ status: "changed", conversation_id: id });
}

/** Delete a chat with all its versions. @param {{id: string, title: string}} chat */
export function removeChat({ id }) {
  const isOpen = location.hash.startsWith(`#/chat/${id}`);
  const show = () => (removed.value = new Set([...removed.value].filter((other) => other !== id)));
  const erase = async () => {
    try {
      await request("DELETE", `${ROOM}/${id}?branches=all`);
    } catch (error) {
      // gone already: deleted in another tab
      if (error.status !== 404)
        return (show(), showToast(`The chat was not deleted: ${error.message}`));
    }
    keepDraft(id, { text: "", files: [] });
    tellChange({ status: "erased", conversation_id: id });
  };
  removed.value = new Set([...removed.value, id]);
  const place = document.activeElement.closest("main, .side");
  const restore = () => {
    show();
    if (isOpen) openChat(`#/chat/${id}`);
    else setTimeout(() => place?.querySelector(`a[href^="${toChat(id)}"]`)?.focus()); // once it is drawn
  };
  showToast("Chat deleted", restore, erase);
  if (isOpen) setTimeout(openChat);
}
