// Live replays: how far each is, what it came to, and one conversation of it side by side.
import { useEffect, useState } from "./vendor.js";
import { get, request } from "./api.js";
import { Calls, Words } from "./diffs.js";
import { html } from "./html.js";
import { Empty, Failure, Status, Time, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatCost, formatCount, formatMs, makeVisible } from "./words.js";

const FILES = ["html", "csv", "json"];
const VERDICTS = ["better", "same", "worse"];
const RECORDING = "recording";

const FORMATS = {
  share: (value) => `${(100 * value).toFixed(0)} %`,
  ratio: (value) => value.toFixed(2),
  count: (value) => value.toFixed(2),
  tokens: (value) => formatCount(Math.round(value)),
  usd: (value) => (value < 0 ? `−${formatCost(-value)}` : formatCost(value)),
  ms: formatMs,
};

/** @param {{id?: string, n?: string}} props n: a conversation's place in the replay */
export function Replays({ id, n }) {
  const { data, error, reload } = useLoaded(() => get(id ? `/api/replays/${id}` : "/api/replays"), id);
  if (!data) return html`<h1>Replays</h1><${Failure} error=${error} again=${reload} />`;
  if (id && n) return html`<${Conversation} id=${id} n=${Number(n)} worst=${data.report.worst} />`;
  if (id) return html`<${One} detail=${data} reload=${reload} />`;
  return html`<h1>Replays</h1>
    ${data.replays.length === 0 && html`<${Empty}>None yet: <code>plainloop replay live --threads … --provider … --model …</code> begins one.</${Empty}>`}
    <ol class="plain">${data.replays.map((item) => html`<li class="panel" key=${item.id}>
      <a class="title" href=${`#/replays/${item.id}`}>${makeVisible(item.source)}</a> <${Status} status=${item.status} />
      <p class="soft">${item.lanes.join(" against ")} · <${Time} at=${item.created_at} /></p>
    </li>`)}</ol>`;
}

function Items({ items }) {
  const all = Object.entries(items);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  const open = (items.queued ?? 0) + (items.running ?? 0);
  return html`<span class="soft">${all.map(([status, count]) => `${formatCount(count)} ${status}`).join(" · ")}</span>
    ${open > 0 && html`<progress aria-label="conversations and lanes that have ended" max=${total} value=${total - open}></progress>`}`;
}

function Interval({ found, format }) {
  if (!found) return "–";
  return html`${format(found.mean)}${found.low !== null && html`<small class="soft">${format(found.low)} to ${format(found.high)}</small>`}`;
}

function Measures({ summary }) {
  const lanes = [...new Set(summary.measures.flatMap((item) => Object.keys(item.lanes)))];
  const shown = summary.measures.filter((item) => Object.keys(item.lanes).some((lane) => lane !== RECORDING));
  return html`<div class="wide" tabindex="0" role="group" aria-label="measures"><table>
    <thead><tr><th class="name">per turn</th>${lanes.map((lane) => html`<th>${lane}</th>`)}<th>candidate − ${summary.reference}</th><th>better / worse</th><th>p</th></tr></thead>
    <tbody>${shown.map((item) => {
      const format = FORMATS[item.unit];
      const told = item.difference;
      return html`<tr><td class="name">${item.title}</td>
        ${lanes.map((lane) => html`<td><${Interval} found=${item.lanes[lane]} format=${format} /></td>`)}
        <td><${Interval} found=${told} format=${format} /></td>
        <td>${told && item.better ? `${told.conversations_better} / ${told.conversations_worse}` : "–"}</td>
        <td>${told && item.better ? told.p_adjusted.toPrecision(2) : "–"}</td></tr>`;
    })}</tbody>
  </table></div>`;
}

function One({ detail, reload }) {
  const { replay, report } = detail;
  const { summary, people, worst } = report;
  const judged = VERDICTS.filter((name) => people[name]).map((name) => `${people[name]} ${name}`);
  return html`<h1>Replay</h1>
    <p class="soft"><code>${replay.id}</code></p>
    <p><${Status} status=${replay.status} /> <${Items} items=${replay.items} /> <button class="link" onClick=${reload}>Look again</button></p>
    <p>${makeVisible(replay.source)}: ${replay.lanes.join(" against ")}</p>
    <div class="notice"><p><strong>${summary.verdict.headline}</strong></p>${summary.verdict.reasons.map((reason) => html`<p>${reason}</p>`)}</div>
    <p class="row">The report: ${FILES.map((format) => html`<a href=${`/api/replays/${replay.id}?format=${format}`}>${format}</a> `)}</p>
    <h2>Measures</h2><${Measures} summary=${summary} />
    <h2>What people say</h2>
    <p>${judged.length ? `${judged.join(" · ")} (p ${people.p.toPrecision(2)}, sign test)` : html`<span class="soft">Nobody has said anything yet: open a conversation.</span>`}</p>
    <h2>Conversations, the worst first</h2>
    <ol class="plain">${worst.map((item) => html`<li key=${item.n}><a href=${`#/replays/${replay.id}?n=${item.n}`}>${makeVisible(item.conversation_id)}</a> <span class=${item.severity ? "bad" : "soft"}>${item.severity ? `got worse (${item.severity})` : "not worse"}</span></li>`)}</ol>
    ${summary.conversations > worst.length && html`<p class="soft">The worst ${worst.length} of ${formatCount(summary.conversations)}; the files have them all.</p>`}`;
}

function sumTokens(side) {
  const known = Object.values(side.tokens).filter((count) => count !== null);
  return known.length || side.models.length === 0 ? `${formatCount(known.reduce((sum, count) => sum + count, 0))} tokens` : "tokens unknown";
}

function SideFacts({ name, side }) {
  return html`<div><h3>${name}</h3><p class="soft">${side.models.join(", ") || "no model"} · ${sumTokens(side)} · cost ${formatCost(side.cost_usd)} · ${formatMs(side.duration_ms)}${side.error && html` · <span class="bad">${side.error}</span>`}</p></div>`;
}

function Turn({ turn, reference }) {
  const [a, b] = [turn.lanes[reference], turn.lanes.candidate];
  const changes = [...turn.worse.map((item) => ["bad", "worse", item]), ...turn.better.map((item) => ["good", "better", item])];
  return html`<li class="panel">
    <h2>${turn.turn + 1}. ${makeVisible(turn.user)}</h2>
    ${!a || !b ? html`<p class="soft">No answer of the ${a ? "candidate" : reference} yet.</p>` : html`
      <div class="two"><${SideFacts} name=${`A: ${reference}`} side=${a} /><${SideFacts} name="B: candidate" side=${b} /></div>
      ${changes.map(([style, word, item]) => html`<p class=${style}>${word}: ${item.measure.replaceAll("_", " ")} (${item.reference} → ${item.candidate})</p>`)}
      <h3>Answer</h3><${Words} a=${a.text} b=${b.text} />
      <h3>Way</h3><${Words} a=${a.path.join(" → ")} b=${b.path.join(" → ")} />
      <h3>Tool calls</h3><${Calls} a=${a.tools} b=${b.tools} />`}
  </li>`;
}

function Judging({ path, verdicts, onJudged }) {
  const own = verdicts.find((item) => item.user_id === session.value.user_id);
  const [note, setNote] = useState(own?.note ?? "");
  const [error, setError] = useState(null);
  const say = async (verdict) => {
    try {
      setError(null);
      onJudged((await request("PUT", `${path}/verdict`, { verdict, note })).verdicts);
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<section class="panel" aria-label="Your verdict">
    <p>Did the candidate (B) do better?</p>
    <div class="row">
      ${VERDICTS.map((name) => html`<button key=${name} aria-pressed=${own?.verdict === name} onClick=${() => say(own?.verdict === name ? null : name)}>${name}</button>`)}
      <label>Why<input value=${note} maxlength="2000" onInput=${(event) => setNote(event.target.value)} /></label>
    </div>
    ${verdicts.map((item) => html`<p class="soft" key=${item.user_id}>${makeVisible(item.user_id)}: ${item.verdict}${item.note && ` – ${makeVisible(item.note)}`} · <${Time} at=${item.judged_at} /></p>`)}
    <${Failure} error=${error} />
  </section>`;
}

/** The next and the one before in the order of the report, by j and k too. */
function useNeighbours(id, n, worst) {
  const at = worst.findIndex((item) => item.n === n);
  const go = (item) => item && (location.hash = `#/replays/${id}?n=${item.n}`);
  const [before, after] = [worst[at - 1], at < 0 ? null : worst[at + 1]];
  useEffect(() => {
    const listen = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
      if (event.key === "j") go(after);
      if (event.key === "k") go(before);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [id, n]);
  return { before, after };
}

function Conversation({ id, n, worst }) {
  const path = `/api/replays/${id}/conversations/${n}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const [judged, setJudged] = useState(null);
  const { before, after } = useNeighbours(id, n, worst);
  if (!data) return html`<h1>Conversation</h1><${Failure} error=${error} again=${reload} />`;
  const { conversation, reference, verdicts } = data;
  return html`<h1>Conversation, side by side</h1>
    <p class="soft"><code>${makeVisible(conversation.conversation_id)}</code></p>
    <p class="row"><a href=${`#/replays/${id}`}>The replay</a>
      ${before && html`<a href=${`#/replays/${id}?n=${before.n}`}>Before (k)</a>`}
      ${after && html`<a href=${`#/replays/${id}?n=${after.n}`}>Next (j)</a>`}</p>
    <${Judging} path=${path} verdicts=${judged ?? verdicts} onJudged=${setJudged} />
    ${Object.entries(conversation.unfinished).map(([lane, why]) => html`<p class="notice" key=${lane}>${lane}: ${why.status} ${why.code} ${makeVisible(why.message)}</p>`)}
    <ol class="plain">${conversation.turns.map((turn) => html`<${Turn} key=${turn.turn} turn=${turn} reference=${reference} />`)}</ol>`;
}
