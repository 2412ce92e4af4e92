// Conversations, the newest activity first, and the runs of each.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Empty, Failure, Status, Time, useLoaded } from "./parts.js";
import { formatDuration, makeVisible } from "./words.js";

const PAGE = 50;

function Runs({ id }) {
  const { data, error } = useLoaded(() => get(`/api/chat/conversations/${id}/runs`), id);
  if (!data) return html`<${Failure} error=${error} />`;
  if (!data.runs.length) return html`<p class="soft">no runs</p>`;
  return html`<ul>${data.runs.map((run) => html`<li key=${run.id}>
    <a href=${`#/runs/${run.id}`}><${Time} at=${run.created_at} /></a> <${Status} status=${run.status} />
    ${run.error_code && html` <code>${run.error_code}</code>`} <span class="soft">${formatDuration(run.created_at, run.ended_at)}</span>
  </li>`)}</ul>`;
}

function Row({ thread }) {
  const [isOpen, setOpen] = useState(false);
  return html`<li class="panel">
    <div class="row spread"><a class="title" href=${`#/chat/${thread.id}`}>${makeVisible(thread.title || "without a title")}</a>
      <span class="soft">${thread.message_count} messages · ${thread.pack} · <${Time} at=${thread.updated_at} /></span></div>
    <details onToggle=${(event) => setOpen(event.target.open)}><summary>Runs</summary>${isOpen && html`<${Runs} id=${thread.id} />`}</details>
  </li>`;
}

/** @param {{text?: string}} props what is looked for: it stands in the address */
export function Threads({ text = "" }) {
  const [page, setPage] = useState({ threads: [], cursor: null, error: null, isLoading: true });
  const [sought, setSought] = useState(text);
  const load = async (cursor, before) => {
    try {
      const found = await get(withQuery("/api/chat/conversations", { limit: PAGE, cursor, text }));
      setPage({ threads: [...before, ...found.conversations], cursor: found.next_cursor, error: null, isLoading: false });
    } catch (error) {
      setPage({ threads: before, cursor, error, isLoading: false });
    }
  };
  useEffect(() => void load(null, []), [text]);
  const seek = (event) => {
    event.preventDefault();
    location.hash = sought.trim() ? `#/threads?text=${encodeURIComponent(sought.trim())}` : "#/threads";
  };
  return html`<h1>Conversations</h1>
    <form role="search" onSubmit=${seek}>
      <label>Words in titles and messages<input type="search" id="search" value=${sought} onInput=${(event) => setSought(event.target.value)} /></label>
      <button>Search</button>
    </form>
    <${Failure} error=${page.error} again=${() => load(page.cursor, page.threads)} />
    ${!page.isLoading && !page.error && page.threads.length === 0 && html`<${Empty}>${text ? "No conversation has these words." : "No conversations yet."}</${Empty}>`}
    <ol class="plain">${page.threads.map((thread) => html`<${Row} key=${thread.id} thread=${thread} />`)}</ol>
    ${page.cursor && html`<button onClick=${() => load(page.cursor, page.threads)}>Show more</button>`}`;
}
