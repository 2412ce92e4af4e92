// Conversations, the newest activity first, and the runs of each. What is looked for stands in the address.
import { render, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import {
  Dialog,
  Empty,
  Failure,
  Marked,
  Menu,
  More,
  Status,
  Time,
  showToast,
  useLoaded,
} from "./parts.js";
import { findModel } from "./message.js";
import { toChat } from "./own_message.js";
import { loadWritten } from "./palette.js";
import { changeChat, removeChat, removed } from "./remove.js";
import { gather, session, useChanges } from "./session.js";
import { nameAge } from "./sidebar.js";
import { useSought } from "./sought.js";
import { loadStored } from "./talk.js";
import {
  describeCall,
  describeStatus,
  describeTool,
  fillIn,
  formatDuration,
  formatOf,
  formatTime,
  makeVisible,
  nameChat,
} from "./words.js";

const PAGE = 50;
const STATUSES = ["queued", "running", "waiting", "succeeded", "failed", "cancelled", "limit"];
const INTENTS = { lookup: "one row", count: "a count", list: "a list" };
const NAMED = {
  label: "Label",
  worker: "Answered by",
  tool: "Tool used",
  design: "Design",
  tag: "Tag",
};
const DATES = { since: "From", until: "To" };
const TITLES = {
  status: "Status",
  intent: "Answered without a model",
  ...NAMED,
  ...DATES,
  user_id: "Person",
};
const FILTERS = Object.keys(TITLES);

const describeFilter = (name, value) =>
  name === "status"
    ? describeStatus(value)
    : name === "intent"
      ? INTENTS[value]
      : name === "user_id" && value === "*"
        ? "everyone"
        : value;

function Runs({ id }) {
  const { data, error, reload } = useLoaded(() => get(`${ROOM}/${id}/runs`), id);
  useChanges((change) => (change.conversation_id === id || change.status === "reset") && reload());
  if (!data) return html`<${Failure} isWaiting error=${error} />`;
  if (!data.runs.length) return html`<p class="soft">No answers yet.</p>`;
  return html`<h3 class="hint">How each answer was made</h3>
    <ul>
      ${data.runs.map(
        (run, n) =>
          html`<li key=${run.id}>
            <a href=${`#/runs/${run.id}`}>Answer ${data.runs.length - n}</a>${" "}<${Status}
              status=${run.status}
            />
            ${run.error_code && html` <code>${run.error_code}</code>`}${" "}<span class="soft"
              ><${Time}
                at=${run.created_at}
              />${", "}${formatDuration(run.created_at, run.ended_at)}</span
            >
          </li>`,
      )}
    </ul>`;
}

const toLabel = (label) => withQuery("#/history", { label });

/** Of others an administrator sees that they are there, not what was said. */
function Row({ thread, text, onFailure }) {
  const [isOpen, setOpen] = useState(false);
  const pin = () => changeChat(thread, { is_pinned: !thread.is_pinned }).catch(onFailure);
  const isOwn = thread.user_id === session.value.user_id;
  const title = nameChat(thread);
  const sought = text.replace(/\s+/g, " ");
  const href = withQuery(thread.hit ? `#/chat/${thread.id}` : toChat(thread.id), {
    find: thread.hit && sought.trim(),
  });
  const shown = html`<${Marked} text=${title} sought=${sought} />`;
  return html`<li class="entry">
    <div class="line">
      ${
        isOwn
          ? html`<a class="title" href=${href}>${shown}</a>`
          : html`<span class="title"
              >${shown} <span class="soft">of ${makeVisible(thread.user_id)}</span></span
            >`
      }
      ${thread.is_pinned && html`<span class="chip">Pinned</span>`}
      ${thread.labels.map((label) => html`<a key=${label} class="chip" href=${toLabel(label)}>${makeVisible(label)}</a>`)}
      ${!["succeeded", undefined, null].includes(thread.last_status) && html`<${Status} status=${thread.last_status} />`}
      <span class="soft">${formatOf(thread.user_message_count, "message")}</span
      ><${Time} at=${thread.updated_at} />
      ${
        isOwn
          ? html`<button class="square ghost" title="Delete" onClick=${() => removeChat(thread)}>
                <${Icon} name="trash" label=${`Delete ${title}`} /></button
              ><${Menu} icon="ellipsis" title=${`More for ${title}`} style="square ghost"
                ><button aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
                  ${isOpen ? "Hide" : "Show"} how its answers were made</button
                ><button onClick=${pin}>
                  ${thread.is_pinned ? "Unpin" : "Pin"}</button
                ><${Actions} chat=${thread} onFailure=${onFailure} /><button
                  class="for-phones"
                  onClick=${() => removeChat(thread)}
                >
                  Delete</button
                ></${Menu}
              >`
          : html`<span class="square"></span>`
      }
    </div>
    ${thread.hit && html`<a class="hit soft" href=${href}><${Marked} text=${thread.hit} sought=${sought} /></a>`}
    ${isOpen && html`<${Runs} id=${thread.id} />`}
  </li>`;
}

/** What is chosen as chips that are taken away one by one, and one more. */
function Filters({ text, chosen, go }) {
  const [sought, setSought] = useSought(text, (found) => go({ ...chosen, text: found }));
  const [added, setAdded] = useState({ name: "", value: "" });
  const names = FILTERS.filter(
    (name) => !chosen[name] && (name !== "user_id" || session.value?.is_admin),
  );
  const options = {
    status: STATUSES.map((value) => [value, describeStatus(value)]),
    intent: Object.entries(INTENTS),
  }[added.name];
  const choose = (value) => setAdded({ ...added, value });
  const add = (event) => {
    event.preventDefault();
    go({ text, ...chosen, [added.name]: added.value.trim() });
  };
  const remove = (name) =>
    go({ text, ...Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== name)) });
  const active = Object.entries(chosen);
  return html`<div role="search" class="search">
    <label class="only-read" for="search">Search chats</label>
    <input
      type="search"
      id="search"
      placeholder="Search chats"
      maxlength="200"
      value=${sought}
      onInput=${(event) => setSought(event.target.value)}
    />
    ${active.map(
      ([name, value]) =>
        html`<button
          key=${name}
          class="chip"
          aria-label=${`Remove ${TITLES[name]}: ${describeFilter(name, value)}`}
          onClick=${() => remove(name)}
        >
          ${TITLES[name]}:${" "}${makeVisible(describeFilter(name, value))}${" "}<${Icon}
            name="x"
            size=${14}
          />
        </button>`,
    )}
    <${Menu} label="Add filter" style="chip"
      ><form onSubmit=${add}>
        <label
          >Filter<select
            value=${added.name}
            onChange=${(event) => setAdded({ name: event.target.value, value: "" })}
          >
            <option value="">choose one</option>
            ${names.map((name) => html`<option key=${name} value=${name}>${TITLES[name]}</option>`)}
          </select></label
        >
        ${
          added.name &&
          (options
            ? html`<label
                >Is<select value=${added.value} onChange=${(event) => choose(event.target.value)}>
                  <option value="">choose one</option>
                  ${options.map(([value, word]) => html`<option key=${value} value=${value}>${word}</option>`)}
                </select></label
              >`
            : html`<label
                >${added.name === "user_id" ? "Who (* for everyone)" : "Is"}<input
                  type=${added.name in DATES ? "date" : "text"}
                  value=${added.value}
                  onInput=${(event) => choose(event.target.value)}
              /></label>`)
        }
        <button class="small" disabled=${!added.name || !added.value.trim()}>Add</button>
      </form></${Menu}
    >
    ${active.length > 0 && html`<button class="link" onClick=${() => go({ text })}>Clear filters</button>`}
  </div>`;
}

/** @param {{text?: string}} props what is looked for */
export function Threads({ text = "", ...rest }) {
  const chosen = Object.fromEntries(
    FILTERS.filter((name) => rest[name]).map((name) => [name, rest[name]]),
  );
  const [page, setPage] = useState({ threads: [], cursor: null, error: null, isLoading: true });
  const newest = useRef(0);
  const load = async (cursor, before) => {
    const mine = ++newest.current; // what was asked for before that comes too late
    const days = Object.fromEntries(
      Object.keys(DATES)
        .filter((name) => chosen[name])
        .map((name) => [name, `${chosen[name]}T00:00:00Z`]),
    );
    const list = (where) =>
      get(
        withQuery(ROOM, {
          limit: PAGE,
          text,
          branches: "newest",
          kind: "all",
          ...chosen,
          ...days,
          ...where,
        }),
      );
    try {
      const [pinned, found] = await Promise.all([
        cursor ? null : list({ is_pinned: true }),
        list({ is_pinned: false, cursor }),
      ]);
      if (mine === newest.current)
        setPage({
          threads: [...before, ...(pinned?.conversations ?? []), ...found.conversations],
          cursor: found.next_cursor,
          error: null,
          isLoading: false,
        });
    } catch (error) {
      if (mine === newest.current) setPage({ threads: before, cursor, error, isLoading: false });
    }
  };
  useEffect(() => void load(null, []), [text, JSON.stringify(chosen)]);
  // Who has gone on to later pages reads; the list stays as it is under their eyes.
  const latest = useRef(load);
  latest.current = load;
  const again = useMemo(() => gather(() => void latest.current(null, [])), []);
  useChanges(() => page.threads.length <= PAGE && again());
  const go = (wanted) => (location.hash = withQuery("#/history", wanted));
  const shown = page.threads.filter((thread) => !removed.value.has(thread.id));
  const isAll = !text && !Object.keys(chosen).length;
  const fail = (error) => setPage((now) => ({ ...now, error }));
  const { data: folders, reload } = useLoaded(() => get("/api/chat/labels"), "");
  useChanges(({ status }) => ["changed", "erased", "reset"].includes(status) && reload());
  return html`<div class="row spread">
      <h1>History</h1>
      <button class="small ghost" onClick=${() => exportAll().catch(fail)}>
        <${Icon} name="download" size=${14} />Export all
      </button>
    </div>
    ${
      folders?.labels.length > 0 &&
      html`<nav class="row" aria-label="Labels">
        ${folders.labels.map(
          (folder) =>
            html`<a
              key=${folder.label}
              class="chip"
              aria-current=${chosen.label === folder.label ? "true" : null}
              href=${chosen.label === folder.label ? "#/history" : toLabel(folder.label)}
              >${makeVisible(folder.label)} <span class="soft">${folder.conversations}</span></a
            >`,
        )}
      </nav>`
    }
    <${Filters} key=${JSON.stringify(chosen)} text=${text} chosen=${chosen} go=${go} />
    <${Failure} error=${page.error} again=${() => load(page.cursor, page.threads)} />
    ${
      !page.isLoading &&
      !page.error &&
      page.threads.length === 0 &&
      html`<${Empty}
        >${
          isAll
            ? html`<${Icon} name="message-square" size=${20} />${" "}Your chats will be listed
                here.${" "}<a href="#/chat">Start one</a>`
            : "No chat matches."
        }</${Empty}
      >`
    }
    ${Object.entries(Object.groupBy(shown, (thread) => nameAge(thread))).map(
      ([age, threads]) =>
        html`<h2 key=${`heading ${age}`} class="hint">${age}</h2>
          <ol key=${age} class="plain entries">
            ${threads.map(
              (thread) =>
                html`<${Row} key=${thread.id} thread=${thread} text=${text} onFailure=${fail} />`,
            )}
          </ol>`,
    )}
    <${More}
      key=${JSON.stringify([text, chosen])}
      isThere=${page.cursor !== null}
      onMore=${() => load(page.cursor, page.threads)}
    />`;
}

const READ_AT_ONCE = 100; // messages or chats, for a file
const ROOM = "/api/chat/conversations";

/** @param {{chat: object, onClose: () => void}} props */
function Arrange({ chat, onClose }) {
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

/** Open the dialog of a chat's title and labels; its menu is closed by then. */
async function arrange(known) {
  let chat = known.labels && known;
  for (let cursor = null, isFirst = true; !chat && (isFirst || cursor); isFirst = false) {
    const page = await get(withQuery(ROOM, { limit: READ_AT_ONCE, cursor, kind: "all" }));
    chat = page.conversations.find(({ id }) => id === known.id);
    cursor = page.next_cursor;
  }
  if (!chat) throw { code: "NOT_FOUND", message: "This chat is no longer in your list of chats." };
  const host = document.body.appendChild(document.createElement("div"));
  const close = () => (render(null, host), host.remove());
  render(html`<${Arrange} chat=${chat} onClose=${close} />`, host);
}

async function readChat(id) {
  let found = await get(`${ROOM}/${id}?limit=${READ_AT_ONCE}`);
  const { conversation, messages, versions } = found;
  while (found.has_earlier) {
    found = await get(`${ROOM}/${id}?limit=${READ_AT_ONCE}&before=${messages[0].position}`);
    messages.unshift(...found.messages);
  }
  return { conversation, messages, versions };
}

/** The models that wrote a chat's answers, by run. */
async function readModels(found) {
  const ids = [...new Set(found.messages.map((item) => item.run_id).filter(Boolean))];
  const models = new Map();
  for (const id of ids) models.set(id, findModel((await loadStored(id)).steps));
  return { ...found, models };
}

/** A chat whose answers name their model, which the chat has too if none is chosen for it. */
async function nameModels(found) {
  const { models, conversation, ...rest } = await readModels(found);
  const messages = found.messages.map((item) =>
    item.role === "assistant" ? { ...item, model: models.get(item.run_id) ?? null } : item,
  );
  const model = conversation.model ?? messages.findLast((item) => item.model)?.model ?? null;
  return { ...rest, conversation: { ...conversation, model }, messages };
}

/** A chat, and what the other versions of its questions led to. */
async function readVersions(found) {
  const ids = new Set(found.versions.flatMap((version) => version.conversation_ids));
  ids.delete(found.conversation.id);
  const others = [...ids].map((id) => readChat(id).then(nameModels));
  return { ...(await nameModels(found)), other_versions: await Promise.all(others) };
}

function saveFile(name, lines) {
  const url = URL.createObjectURL(new Blob(lines));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** One chat as Markdown: its messages; below an answer what was done and written; without rejected drafts. */
function toMarkdown({ conversation, messages, versions, models, written }) {
  const here = location.href.replace(/#.*/, "");
  const parts = messages.flatMap((item) => (item.role === "user" ? [] : item.parts));
  const told = parts.filter(({ type }) => type === "tool_result");
  const results = new Map(told.map((part) => [part.id, part]));
  const toLine = ({ id, name }) => {
    const found = results.get(id);
    const { made, made_title: title } = describeTool(name);
    const isDone = found && !found.is_error;
    const [href, what] = [made, title].map((text) => isDone && text && fillIn(text, found.result));
    const link = href && `: [${what || "open"}](${here}${href})`;
    return `- ${describeCall(name, isDone, found?.refusal)}${link || ""}\n`;
  };
  const sayVersion = (position) => {
    const found = versions.find((version) => version.position === position);
    return found
      ? `Version ${found.at + 1} of ${found.conversation_ids.length} shown. The export as JSON has all.\n\n`
      : "";
  };
  const nameWriter = (run) => (models.get(run) ? `Answer of ${models.get(run)}` : "Answer");
  const toHere = (text) => text.replaceAll("](#/", `](${here}#/`);
  const toText = ({ role, content, position, run_id: run, created_at: at }) =>
    `## ${role === "user" ? "You" : nameWriter(run)}, ${formatTime(at)}\n\n${sayVersion(position)}${toHere(content)}\n\n`;
  const toTurn = (own) => {
    const said = own.filter(({ content, status }) => content && status !== "superseded");
    const calls = own.flatMap(({ role, parts: all }) => (role === "assistant" ? all : []));
    const lines = [
      ...calls.filter(({ type }) => type === "tool_call").map(toLine),
      ...(written.get(own[0].run_id) ?? []).map(
        ({ title, hint, href }) => `- [${title}](${here}${href})${hint ? `: ${hint}` : ""}\n`,
      ),
    ];
    const hasAnswer = said.some(({ role }) => role === "assistant");
    const head =
      lines.length > 0 &&
      !hasAnswer &&
      `## ${nameWriter(own[0].run_id)}, ${formatTime(own.at(-1).created_at)}\n\n`;
    return [...said.map(toText), head, ...lines, lines.length > 0 && "\n"].filter(Boolean).join("");
  };
  const turns = Object.values(
    Object.groupBy(
      messages.filter(({ role }) => role !== "tool"),
      ({ run_id: run, id }) => run ?? id,
    ),
  );
  return [`# ${conversation.title}\n\n`, ...turns.map(toTurn)];
}

/** A menu's entries: a chat's title and labels, and the chat as a file. */
export function Actions({ chat, onFailure }) {
  const save = (suffix, add, write) => () =>
    Promise.all([readChat(chat.id).then(add), loadWritten()]).then(([read, written]) => {
      const found = { ...read, written };
      const name = found.conversation.title
        .match(/[\p{L}\p{N}]+/gu)
        ?.join("-")
        .slice(0, 60);
      saveFile(`${name || "chat"}.${suffix}`, write(found));
    }, onFailure);
  return html`<button onClick=${() => arrange(chat).catch(onFailure)}>Title and labels</button
    ><button onClick=${save("md", readModels, toMarkdown)}>Export as Markdown</button
    ><button
      onClick=${save("json", readVersions, ({ written: _, ...found }) => [JSON.stringify(found, null, 2)])}
    >
      Export as JSON
    </button>`;
}

/** All chats, one a line, each with its messages as the API returns them, and the answers' models. */
export async function exportAll() {
  const lines = [];
  for (let cursor = null, isFirst = true; isFirst || cursor; isFirst = false) {
    const page = await get(withQuery(ROOM, { limit: READ_AT_ONCE, cursor, kind: "all" }));
    for (const { id } of page.conversations)
      lines.push(`${JSON.stringify(await readChat(id).then(nameModels))}\n`);
    cursor = page.next_cursor;
  }
  saveFile("chats.jsonl", lines);
  showToast(`${lines.length} chats exported`);
}
