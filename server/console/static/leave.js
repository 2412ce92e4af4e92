// A chat goes away for good: nobody can bring it back, so one is asked first.
import { useState } from "./vendor.js";
import { request } from "./api.js";
import { keepDraft } from "./drafts.js";
import { openChat } from "./focus.js";
import { html } from "./html.js";
import { Dialog, Failure, leaving, showToast } from "./parts.js";
import { tellChange } from "./session.js";
import { makeVisible } from "./words.js";

/** @param {{chat: {id: string, title: string}}} props */
export function Leave({ chat }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const close = () => (leaving.value = null);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await request("DELETE", `/api/chat/conversations/${chat.id}`);
    } catch (failure) {
      if (failure.status !== 404) {
        setError(failure);
        return setBusy(false);
      }
      // it is gone already: deleted in another tab
    }
    keepDraft(chat.id, { text: "", files: [] });
    close();
    showToast("Chat deleted");
    tellChange({ status: "erased", conversation_id: chat.id });
    if (location.hash.startsWith(`#/chat/${chat.id}`)) setTimeout(openChat);
  };
  return html`<${Dialog} title="Delete this chat?" onClose=${close}>
    <p>
      “${makeVisible(chat.title || "New chat")}”: its messages and the traces of its runs are
      erased, and what still runs in it is stopped. This cannot be undone.
    </p>
    <${Failure} error=${error} />
    <p class="row at-right">
      <button type="button" autofocus onClick=${close}>Keep</button
      ><button type="button" class="danger" disabled=${isBusy} onClick=${remove}>
        Delete the chat
      </button>
    </p></${Dialog}
  >`;
}
