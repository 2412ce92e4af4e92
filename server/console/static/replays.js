// Live replays: how far each is, and what it came to.
import { get } from "./api.js";
import { html } from "./html.js";
import { Empty, Failure, Status, Time, Value, useLoaded } from "./parts.js";

const FILES = ["html", "csv", "json"];

function Items({ items }) {
  const all = Object.entries(items);
  return html`<span class="soft">${all.map(([status, n]) => `${n} ${status}`).join(" · ")}</span>`;
}

/** @param {{id?: string}} props */
export function Replays({ id }) {
  const { data, error, reload } = useLoaded(() => get(id ? `/api/replays/${id}` : "/api/replays"), id);
  if (!data) return html`<h1>Replays</h1><${Failure} error=${error} again=${reload} />`;
  if (id) return html`<${One} detail=${data} reload=${reload} />`;
  return html`<h1>Replays</h1>
    ${data.replays.length === 0 && html`<${Empty}>None yet: <code>plainloop replay live --threads … --provider … --model …</code> begins one.</${Empty}>`}
    <ol class="plain">${data.replays.map((item) => html`<li class="panel" key=${item.id}>
      <a class="title" href=${`#/replays/${item.id}`}>${item.source}</a> <${Status} status=${item.status} />
      <p class="soft">${item.lanes.join(" against ")} · <${Time} at=${item.created_at} /></p>
    </li>`)}</ol>`;
}

function One({ detail, reload }) {
  const { replay, report } = detail;
  return html`<h1>Replay</h1>
    <p class="soft"><code>${replay.id}</code></p>
    <p><${Status} status=${replay.status} /> <${Items} items=${replay.items} /> <button class="link" onClick=${reload}>Look again</button></p>
    <p>${replay.source}: ${replay.lanes.join(" against ")}</p>
    <p class="row">The report: ${FILES.map((format) => html`<a href=${`/api/replays/${replay.id}?format=${format}`}>${format}</a> `)}</p>
    <h2>So far</h2><${Value} value=${report} />`;
}
