// Conversations, the newest activity first, and the runs of each. What is looked for stands in the address.
import { useEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Empty, Failure, More, Status, Time, useLoaded } from "./parts.js";
import { gather, session, useChanges } from "./session.js";
import { formatDuration, formatOf, makeVisible } from "./words.js";

const PAGE = 50;
const STATUSES = ["queued", "running", "waiting", "succeeded", "failed", "cancelled", "limit"];
const INTENTS = ["lookup", "count", "list"];
const NAMED = { worker: "Worker that answered", tool: "Tool that was called", design: "Design", tag: "Tag" };
const DATES = { since: "Begun since", until: "Begun before" };
const FILTERS = ["status", "intent", ...Object.keys(NAMED), ...Object.keys(DATES), "user_id"];

function Runs({ id }) {
  const { data, error, reload } = useLoaded(() => get(`/api/chat/conversations/${id}/runs`), id);
  useChanges((change) => (change.conversation_id === id || change.status === "reset") && reload());
  if (!data) return html`<${Failure} error=${error} />`;
  if (!data.runs.length) return html`<p class="soft">no runs</p>`;
  return html`<ul>${data.runs.map((run) => html`<li key=${run.id}>
    <a href=${`#/runs/${run.id}`}><${Time} at=${run.created_at} /></a> <${Status} status=${run.status} />
    ${run.error_code && html` <code>${run.error_code}</code>`} <span class="soft">${formatDuration(run.created_at, run.ended_at)}</span>
  </li>`)}</ul>`;
}

/** Of others an administrator sees that they are there, not what was said. */
function Row({ thread }) {
  const [isOpen, setOpen] = useState(false);
  const isOwn = thread.user_id === session.value.user_id;
  const title = makeVisible(thread.title || "without a title");
  return html`<li class="panel">
    <div class="row spread">${isOwn ? html`<a class="title" href=${`#/chat/${thread.id}`}>${title}</a>` : html`<span class="title">${title} <span class="soft">of ${makeVisible(thread.user_id)}</span></span>`}
      <span class="soft">${formatOf(thread.message_count, "message")} · ${thread.pack} · <${Time} at=${thread.updated_at} /></span></div>
    ${isOwn && html`<details onToggle=${(event) => setOpen(event.target.open)}><summary>Runs</summary>${isOpen && html`<${Runs} id=${thread.id} />`}</details>`}
  </li>`;
}

function Filters({ text, chosen, go }) {
  const [wanted, setWanted] = useState({ text, ...chosen });
  const field = (name) => ({ name, value: wanted[name] ?? "", onInput: (event) => setWanted({ ...wanted, [name]: event.target.value }) });
  const pick = (label, name, options) => html`<label>${label}<select ...${field(name)}><option value="">any</option>${options.map((value) => html`<option value=${value}>${value}</option>`)}</select></label>`;
  const write = (label, name, type) => html`<label>${label}<input type=${type} ...${field(name)} /></label>`;
  const send = (event) => (event.preventDefault(), go(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, value.trim()]))));
  const active = Object.keys(chosen).length;
  return html`<form role="search" onSubmit=${send}>
    <label>Words in titles and messages<input type="search" id="search" maxlength="200" ...${field("text")} /></label>
    <button>Search</button>
    <details class="filters" open=${active > 0}><summary>Filters${active > 0 && ` (${active})`}</summary><div class="row">
      ${pick("A run's status", "status", STATUSES)} ${pick("Fast path", "intent", INTENTS)}
      ${Object.entries(NAMED).map(([name, label]) => write(label, name, "text"))}
      ${Object.entries(DATES).map(([name, label]) => write(label, name, "date"))}
      ${session.value?.is_admin && write("User (* for all)", "user_id", "text")}
      ${active > 0 && html`<button type="button" class="link" onClick=${() => go({ text })}>Without filters</button>`}
    </div></details>
  </form>`;
}

/** @param {{text?: string}} props what is looked for */
export function Threads({ text = "", ...rest }) {
  const chosen = Object.fromEntries(FILTERS.filter((name) => rest[name]).map((name) => [name, rest[name]]));
  const [page, setPage] = useState({ threads: [], cursor: null, error: null, isLoading: true });
  const newest = useRef(0);
  const load = async (cursor, before) => {
    const mine = ++newest.current; // what was asked for before that comes too late
    const days = Object.fromEntries(Object.keys(DATES).filter((name) => chosen[name]).map((name) => [name, `${chosen[name]}T00:00:00Z`]));
    try {
      const found = await get(withQuery("/api/chat/conversations", { limit: PAGE, cursor, text, ...chosen, ...days }));
      if (mine === newest.current) setPage({ threads: [...before, ...found.conversations], cursor: found.next_cursor, error: null, isLoading: false });
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
  const go = (wanted) => (location.hash = withQuery("#/threads", wanted));
  const isAll = !text && !Object.keys(chosen).length;
  return html`<h1>Conversations</h1>
    <${Filters} key=${JSON.stringify([text, chosen])} text=${text} chosen=${chosen} go=${go} />
    <${Failure} error=${page.error} again=${() => load(page.cursor, page.threads)} />
    ${!page.isLoading && !page.error && page.threads.length === 0 && html`<${Empty}>${isAll ? "No conversations yet." : "No conversation is like this."}</${Empty}>`}
    <ol class="plain">${page.threads.map((thread) => html`<${Row} key=${thread.id} thread=${thread} />`)}</ol>
    <${More} key=${JSON.stringify([text, chosen])} isThere=${page.cursor !== null} onMore=${() => load(page.cursor, page.threads)} />`;
}
