// One chat's title and labels, and chats as files: what History does seldom.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { html } from "./html.js";
import { Dialog, Failure, showToast } from "./parts.js";
import { tellChange } from "./session.js";

const ROOM = "/api/chat/conversations";
const PAGE = 100;

/** Change a chat where it is listed: `{title?, labels?, is_pinned?}` */
export async function changeChat({ id }, change) {
  await request("PATCH", `${ROOM}/${id}`, change);
  tellChange({ status: "changed", conversation_id: id });
}

/** @param {{chat: object, onClose: () => void}} props */
export function Arrange({ chat, onClose }) {
  const [title, setTitle] = useState(chat.title);
  const [labels, setLabels] = useState(chat.labels.join(", "));
  const [error, setError] = useState(null);
  const save = (event) => {
    event.preventDefault();
    const listed = labels
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean);
    changeChat(chat, { title, labels: listed }).then(onClose, setError);
  };
  return html`<${Dialog} title="Title and labels" onClose=${onClose}>
    <form class="stack" onSubmit=${save}>
      <label
        >Title<input
          required
          maxlength="200"
          value=${title}
          onInput=${(event) => setTitle(event.target.value)}
      /></label>
      <label
        >Labels, separated by commas<input
          value=${labels}
          placeholder="Berlin, To follow up"
          onInput=${(event) => setLabels(event.target.value)}
      /></label>
      <${Failure} error=${error} />
      <p class="row at-right"><button class="accent">Save</button></p>
    </form></${Dialog}
  >`;
}

async function readChat(id) {
  let found = await get(`${ROOM}/${id}?limit=${PAGE}`);
  const { conversation, messages } = found;
  while (found.has_earlier) {
    found = await get(`${ROOM}/${id}?limit=${PAGE}&before=${messages[0].position}`);
    messages.unshift(...found.messages);
  }
  return { conversation, messages };
}

function saveFile(name, lines) {
  const url = URL.createObjectURL(new Blob(lines));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** One chat as Markdown: what was said, without tool calls and rejected drafts. */
export async function exportChat({ id, title }) {
  const { messages } = await readChat(id);
  const said = messages
    .filter((item) => item.content && item.role !== "tool" && item.status !== "superseded")
    .map(
      (item) =>
        `## ${item.role === "user" ? "You" : "Answer"}, ${item.created_at}\n\n${item.content}\n\n`,
    );
  saveFile(`${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "chat"}.md`, [
    `# ${title}\n\n`,
    ...said,
  ]);
}

/** All chats, one a line, each with its messages as the API tells them. */
export async function exportAll() {
  const lines = [];
  for (let cursor = null, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await get(withQuery(ROOM, { limit: PAGE, cursor }));
    for (const { id } of page.conversations) lines.push(`${JSON.stringify(await readChat(id))}\n`);
    cursor = page.next_cursor;
  }
  saveFile("chats.jsonl", lines);
  showToast(`${lines.length} chats exported`);
}
