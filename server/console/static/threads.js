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
  copyText,
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
  formatCost,
  formatDuration,
  formatOf,
  formatTime,
  listMissing,
  makeVisible,
  nameChat,
  toWords,
} from "./words.js";

const PAGE = 50;
const STATUSES = ["queued", "running", "waiting", "succeeded", "failed", "cancelled", "limit"];
const INTENTS = { lookup: "looked up one entry", count: "counted", list: "listed entries" };
const PROBLEMS = { tool: "a tool failed", rating: "rated bad", run: "failed or cut off" };
const DATES = { since: "From", until: "To" };
const TITLES = {
  problem: "Problem",
  status: "Status",
  model: "Model",
  tool: "Tool used",
  worker: "Answered by",
  label: "Label",
  ...DATES,
  user_id: "Person",
  intent: "Without a model",
  design: "Agent design",
  tag: "Tag set by a program",
};
const OPERATING = ["model", "user_id", "intent", "design", "tag"]; // for who runs the service
const FILTERS = Object.keys(TITLES);

const nameTool = (name) => {
  const { did, approve } = describeTool(name);
  return did ?? approve ?? toWords(name);
};

/** A filter's value as people read it. */
const SAYS = {
  problem: (value) => PROBLEMS[value],
  status: (value) => (value === "waiting" ? "Waiting for a person" : describeStatus(value)),
  intent: (value) => INTENTS[value],
  tool: nameTool,
  worker: toWords,
  user_id: (value) => (value === "*" ? "everyone" : value),
};
const describeFilter = (name, value) => SAYS[name]?.(value) ?? value;

const listUsed = async (by) => {
  const whose = session.value.is_admin ? "*" : null;
  const off = { avoided: false, endings: false, caches: false };
  const { usage } = await get(withQuery("/api/usage", { by, user_id: whose, limit: 100, ...off }));
  return usage.map((row) => row[by]).filter(Boolean);
};
/** What a filter can be: of a service, what it has or has called in the last 30 days. */
const CHOICES = {
  problem: () => Object.keys(PROBLEMS),
  status: () => STATUSES,
  intent: () => Object.keys(INTENTS),
  model: () => listUsed("model"),
  tool: async () => (await get("/api/tools")).tools.map(({ name }) => name),
  worker: async () => (await get("/api/tools")).tools.flatMap(({ workers }) => workers),
  label: async () => (await get("/api/chat/labels")).labels.map(({ label }) => label),
  user_id: async () => ["*", ...(await listUsed("user"))],
};
const listChoices = async (name) => [...new Set((await CHOICES[name]?.()) ?? [])];

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

/** What went wrong in a chat, who answered, for how much, and how long it is. */
function Facts({ thread: { facts, user_message_count: count } }) {
  const { versions = 1, models = [] } = facts ?? {};
  return html`${facts?.tool_failed && html`<span class="status failed">A tool failed</span>`}${
      facts?.rated_bad && html`<span class="status failed">Rated bad</span>`
    }${
      session.value.is_admin &&
      facts &&
      html`<small class="soft wider">${makeVisible(models.join(", ")) || "no model"}</small
        ><small class="soft wider amount"
          >${models.length > 0 && formatCost(facts.cost_usd)}</small
        >`
    }
    <span class="soft" title=${versions > 1 ? `In the longest of ${versions} versions` : null}
      >${formatOf(facts?.max_user_messages ?? count, "message")}</span
    >`;
}

/** Of others an administrator sees that they are there, not what was said. */
function Row({ thread, text, onFailure }) {
  const [isOpen, setOpen] = useState(false);
  const pin = () => changeChat(thread, { is_pinned: !thread.is_pinned }).catch(onFailure);
  const isOwn = thread.user_id === session.value.user_id;
  const title = nameChat(thread);
  const sought = text.replace(/\s+/g, " ");
  const href = withQuery(thread.hit ? `#/chat/${thread.id}` : toChat(thread.id), {
    find: thread.hit && listMissing(sought.trim(), thread.title),
  });
  const shown = html`<${Marked} byWord text=${title} sought=${sought} />`;
  return html`<li class="entry">
    <div class="line">
      ${
        isOwn
          ? html`<a class="title" href=${href}>${shown}</a>`
          : html`<span class="title others">${shown}</span
              ><span class="chip"
                ><${Icon} name="user-round" size=${14} label="of" />${" "}${makeVisible(
                  thread.user_id,
                )}</span
              >`
      }
      ${thread.labels.map((label) => html`<a key=${label} class="chip" href=${toLabel(label)}>${makeVisible(label)}</a>`)}
      ${
        thread.last_status === "waiting" && !isOwn
          ? html`<span class="status waiting">Waiting for ${makeVisible(thread.user_id)}</span>`
          : !["succeeded", undefined, null].includes(thread.last_status) &&
            html`<${Status} status=${thread.last_status} />`
      }
      <${Facts} thread=${thread} />
      <${Time} at=${thread.updated_at} />
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
          : html`<span class="square"></span><span class="square"></span>`
      }
    </div>
    ${isOwn && thread.hit && html`<a class="hit soft" href=${href}><${Marked} byWord text=${thread.hit} sought=${sought} /></a>`}
    ${isOpen && html`<${Runs} id=${thread.id} />`}
  </li>`;
}

const getLastWeek = () => new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);

/** Whether a filter is one of those beside the search, which show that it is chosen. */
const isQuick = ([name, value]) =>
  name === "label" ||
  (session.value.is_admin &&
    (name === "problem" ||
      (name === "user_id" && value === "*") ||
      (name === "since" && value === getLastWeek())));

/** What is asked for at once: whose chats, since when, and what went wrong in them. */
function Quick({ text, chosen }) {
  const to = (change) => withQuery("#/history", { text, ...chosen, ...change });
  const pick = (word, name, value) => {
    const isOn = chosen[name] === value;
    return html`<a
      class="chip"
      aria-current=${isOn ? "true" : null}
      href=${to({ [name]: isOn ? "" : value })}
      >${word}</a
    >`;
  };
  return html`<nav class="row views" aria-label="Chats shown">
    ${pick("Everyone's", "user_id", "*")} ${pick("Last 7 days", "since", getLastWeek())}
    ${Object.entries(PROBLEMS).map(([value, word]) =>
      pick(
        word.replace(/^./, (sign) => sign.toUpperCase()),
        "problem",
        value,
      ),
    )}
  </nav>`;
}

/** What is chosen as chips that are taken away one by one, and one more. */
function Filters({ text, chosen, go, children }) {
  const [sought, setSought] = useSought(text, (found) => go({ ...chosen, text: found }));
  const [name, setName] = useState("");
  const names = FILTERS.filter(
    (item) => !chosen[item] && (!OPERATING.includes(item) || session.value?.is_admin),
  );
  const { data: choices } = useLoaded(() => listChoices(name), name);
  const place = useRef(null);
  const pick = (event, item) => {
    event.stopPropagation(); // the menu stays open, with what the filter can be
    setName(item);
  };
  useEffect(() => name && place.current.firstElementChild.focus(), [name]);
  const add = (value) => value && go({ text, ...chosen, [name]: value });
  const remove = (gone) =>
    go({ text, ...Object.fromEntries(Object.entries(chosen).filter(([other]) => other !== gone)) });
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
    ${active
      .filter((item) => !isQuick(item))
      .map(
        ([of, value]) =>
          html`<button
            key=${of}
            class="chip"
            aria-label=${`Remove ${TITLES[of]}: ${describeFilter(of, value)}`}
            onClick=${() => remove(of)}
          >
            ${TITLES[of]}:${" "}${makeVisible(describeFilter(of, value))}${" "}<${Icon}
              name="x"
              size=${14}
            />
          </button>`,
      )}
    <${Menu} label="Add filter" style="chip"
      ><div ref=${place}>
        ${
          name
            ? html`<button onClick=${(event) => pick(event, "")}>← ${TITLES[name]}</button>`
            : names.map(
                (item) =>
                  html`<button key=${item} onClick=${(event) => pick(event, item)}>
                    ${TITLES[item]}
                  </button>`,
              )
        }
        ${
          name in CHOICES &&
          (choices?.length
            ? choices.map(
                (value) =>
                  html`<button key=${`is ${value}`} onClick=${() => add(value)}>
                    ${makeVisible(describeFilter(name, value))}
                  </button>`,
              )
            : html`<p class="hint">${choices ? "There is none yet." : "Loading…"}</p>`)
        }
        ${
          name &&
          !(name in CHOICES) &&
          html`<form
            onSubmit=${(event) => {
              event.preventDefault();
              add(new FormData(event.currentTarget).get("value")?.trim());
            }}
          >
            <label>Is<input name="value" required type=${name in DATES ? "date" : "text"} /></label>
            <button class="small">Add</button>
          </form>`
        }
      </div></${Menu}
    >
    ${
      active.length > 0 &&
      html`<button class="link" onClick=${() => go({ text })}>Clear filters</button
        ><button class="link wider" onClick=${() => copyText(location.href, "Link copied")}>
          Copy link
        </button>`
    }
    ${children}
  </div>`;
}

/** Why nothing is found, where a filter names what the service does not have. */
function NoMatch({ chosen }) {
  const names = Object.keys(chosen).filter((name) => name in CHOICES);
  const { data } = useLoaded(
    async () =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await listChoices(name)])),
      ),
    JSON.stringify(chosen),
  );
  const unknown = names.filter((name) => data?.[name] && !data[name].includes(chosen[name]));
  return html`<${Empty}
    >${
      unknown.length
        ? unknown.map(
            (name) => `${TITLES[name]}: “${makeVisible(chosen[name])}” is not known here. `,
          )
        : "No chat matches."
    }${
      Object.keys(chosen).length > 0 &&
      session.value.is_admin &&
      !chosen.user_id &&
      html`${" "}These are only your own chats.${" "}<a
          href=${withQuery("#/history", { ...chosen, user_id: "*" })}
          >Look at everyone's</a
        >`
    }</${Empty}
  >`;
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
          // What went wrong may stand in a version that nobody went on with.
          branches: chosen.problem ? "all" : "newest",
          kind: "all",
          facts: true,
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
  return html`<h1>History</h1>
    ${
      folders?.labels.length > 0 &&
      html`<nav class="row views" aria-label="Labels">
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
    <${Filters} key=${JSON.stringify(chosen)} text=${text} chosen=${chosen} go=${go}
      ><button class="small ghost" onClick=${() => exportAll().catch(fail)}>
        <${Icon} name="download" size=${14} />Export all
      </button></${Filters}
    >
    ${session.value.is_admin && html`<${Quick} text=${text} chosen=${chosen} />`}
    ${chosen.user_id && html`<p class="soft">Other people’s chats show titles, models and costs. Only titles are searched.</p>`}
    <${Failure} error=${page.error} again=${() => load(page.cursor, page.threads)} />
    ${
      !page.isLoading &&
      !page.error &&
      page.threads.length === 0 &&
      (isAll
        ? html`<${Empty}
            ><${Icon} name="message-square" size=${20} />${" "}Your chats will be listed
            here.${" "}<a href="#/chat">Start one</a></${Empty}
          >`
        : html`<${NoMatch} chosen=${chosen} />`)
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
function Arrange({ chat, field, onClose }) {
  const [title, setTitle] = useState(chat.title);
  const known = chat.labels.join(", ");
  const [labels, setLabels] = useState(known);
  const [error, setError] = useState(null);
  const save = (event) => {
    event.preventDefault();
    const listed = labels
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean);
    // Only what was changed here: the list that this chat is from may be older than its title.
    const change = {
      title: title === chat.title ? undefined : title,
      labels: labels === known ? undefined : listed,
    };
    changeChat(chat, change).then(onClose, setError);
  };
  return html`<${Dialog} title="Title and labels" onClose=${onClose}>
    <form class="stack" onSubmit=${save}>
      <label
        >Title<input
          autofocus=${field === "title"}
          required
          maxlength="200"
          value=${title}
          onInput=${(event) => setTitle(event.target.value)}
      /></label>
      <label
        >Labels, separated by commas<input
          autofocus=${field === "labels"}
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
export async function arrange(known, field = "title") {
  let chat = known.labels && known;
  for (let cursor = null, isFirst = true; !chat && (isFirst || cursor); isFirst = false) {
    const page = await get(withQuery(ROOM, { limit: READ_AT_ONCE, cursor, kind: "all" }));
    chat = page.conversations.find(({ id }) => id === known.id);
    cursor = page.next_cursor;
  }
  if (!chat) throw { code: "NOT_FOUND", message: "This chat is no longer in your list of chats." };
  const host = document.body.appendChild(document.createElement("div"));
  const close = () => (render(null, host), host.remove());
  render(html`<${Arrange} chat=${chat} field=${field} onClose=${close} />`, host);
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
      Export as JSON, for tests and tools
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
