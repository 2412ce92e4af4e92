// Live replays: how far each is, what it came to, and its conversations.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Conversation } from "./beside.js";
import { html } from "./html.js";
import { Empty, Failure, More, Status, Time, useLoaded, usePages } from "./parts.js";
import { Report } from "./report.js";
import { formatCount, formatOf, makeVisible } from "./words.js";

const OUTCOMES = { "": "all", worse: "worse", better: "better", same: "the same", unfinished: "unfinished" };
const STYLES = { worse: "bad", better: "good" };

/** @param {{id?: string, n?: string, outcome?: string, text?: string}} props n: a conversation's place in the replay */
export function Replays({ id, n, outcome = "", text = "" }) {
  const { data, error, reload } = useLoaded(() => get(id ? `/api/replays/${id}?report=false` : "/api/replays"), id);
  const [turn, setTurn] = useState(0);
  if (!data) return html`<h1>Replays</h1><${Failure} error=${error} again=${reload} />`;
  if (!id) return html`<${List} replays=${data.replays} />`;
  const again = () => (setTurn(turn + 1), reload());
  if (n) return html`<${Conversation} key=${n} id=${id} n=${Number(n)} total=${countItems(data.replay) / data.replay.lanes.length} />`;
  return html`<${Head} replay=${data.replay} reload=${again} />
    <${Report} replay=${data.replay} turn=${turn} />
    <${Conversations} id=${id} turn=${turn} outcome=${outcome} text=${text} />`;
}

function List({ replays }) {
  return html`<h1>Replays</h1>
    ${replays.length === 0 && html`<${Empty}>None yet: <code>plainloop replay live --threads … --provider … --model …</code> begins one.</${Empty}>`}
    <ol class="plain">${replays.map((item) => html`<li class="panel" key=${item.id}>
      <a class="title" href=${`#/replays/${item.id}`}>${makeVisible(item.source)}</a> <${Status} status=${item.status} />
      <p class="soft">${item.lanes.join(" against ")} · <${Time} at=${item.created_at} /></p>
    </li>`)}</ol>`;
}

const countItems = (replay) => Object.values(replay.items).reduce((sum, count) => sum + count, 0);

function Items({ replay }) {
  const { items } = replay;
  const open = (items.queued ?? 0) + (items.running ?? 0);
  const total = countItems(replay);
  return html`<span class="soft">${formatOf(total / replay.lanes.length, "conversation")} in ${formatOf(replay.lanes.length, "lane")}: ${Object.entries(items).map(([status, count]) => `${formatCount(count)} ${status}`).join(" · ")}</span>
    ${open > 0 && html`<progress aria-label="conversations and lanes that have ended" max=${total} value=${total - open}></progress>`}`;
}

function Head({ replay, reload }) {
  return html`<h1>Replay</h1>
    <p class="soft"><code>${replay.id}</code></p>
    <p><${Status} status=${replay.status} /> <${Items} replay=${replay} /> <button class="link" onClick=${reload}>Look again</button></p>
    <p>${makeVisible(replay.source)}: ${replay.lanes.join(" against ")}</p>`;
}

function Row({ id, item }) {
  return html`<li class="panel">
    <a class="title" href=${`#/replays/${id}?n=${item.n}`}>${makeVisible(item.said || item.conversation_id)}</a>
    <p class="soft"><span class=${STYLES[item.outcome]}>${OUTCOMES[item.outcome]}${item.worse.length > 0 && `: ${item.worse.join(", ").replaceAll("_", " ")}`}</span> · ${formatOf(item.turns, "turn")}${item.people && ` · people say: ${item.people}`}</p>
  </li>`;
}

function Conversations({ id, turn, outcome, text }) {
  const [sought, setSought] = useState(text);
  const path = `/api/replays/${id}/conversations`;
  const load = async (cursor) => {
    const found = await get(withQuery(path, { outcome, text, cursor }));
    return { rows: found.conversations, cursor: found.next_cursor };
  };
  const { rows, cursor, error, isLoading, more } = usePages(load, `${turn} ${outcome} ${text}`);
  useEffect(() => setSought(text), [text]);
  const go = (change) => (location.hash = withQuery(`#/replays/${id}`, { outcome, text, ...change }));
  const seek = (event) => {
    event.preventDefault();
    go({ text: sought.trim() });
  };
  return html`<h2>Conversations</h2>
    <form role="search" onSubmit=${seek}>
      <label>The candidate did<select value=${outcome} onChange=${(event) => go({ outcome: event.target.value })}>${Object.entries(OUTCOMES).map(([value, title]) => html`<option value=${value}>${title}</option>`)}</select></label>
      <label>Words that were said<input type="search" id="search" maxlength="200" value=${sought} onInput=${(event) => setSought(event.target.value)} /></label>
      <button>Search</button>
    </form>
    <${Failure} error=${error} again=${more} />
    ${!isLoading && !error && rows.length === 0 && html`<${Empty}>No conversation fits.</${Empty}>`}
    <ol class="plain">${rows.map((item) => html`<${Row} key=${item.n} id=${id} item=${item} />`)}</ol>
    ${isLoading && html`<p class="soft" role="status">Looking …${cursor && ` ${formatCount(Number(cursor))} looked at`}</p>`}
    <${More} key=${`${turn} ${outcome} ${text}`} isThere=${cursor !== null} onMore=${more} />`;
}
