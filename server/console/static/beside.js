// One conversation of a replay side by side, and what people say of it.
import { useEffect, useState } from "./vendor.js";
import { get, request } from "./api.js";
import { Calls, Words } from "./diffs.js";
import { html } from "./html.js";
import { Failure, Time, useLoaded } from "./parts.js";
import { VERDICTS, getKnownReport } from "./report.js";
import { session } from "./session.js";
import { formatCost, formatCount, formatMs, makeVisible } from "./words.js";

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
    <div class="row at-end">
      ${VERDICTS.map((name) => html`<button key=${name} aria-pressed=${own?.verdict === name} onClick=${() => say(own?.verdict === name ? null : name)}>${name}</button>`)}
      <label>Why<input value=${note} maxlength="2000" onInput=${(event) => setNote(event.target.value)} /></label>
    </div>
    ${verdicts.map((item) => html`<p class="soft" key=${item.user_id}>${makeVisible(item.user_id)}: ${item.verdict}${item.note && ` – ${makeVisible(item.note)}`} · <${Time} at=${item.judged_at} /></p>`)}
    <${Failure} error=${error} />
  </section>`;
}

/** The next and the one before, by j and k too: the worst first as far as the report names them, else as they lie. */
function useNeighbours(id, n, total) {
  const worst = getKnownReport(id)?.worst.map((item) => item.n) ?? [];
  const at = worst.indexOf(n);
  const [before, after] = at < 0 ? [n > 0 ? n - 1 : undefined, n + 1 < total ? n + 1 : undefined] : [worst[at - 1], worst[at + 1]];
  const go = (place) => place !== undefined && (location.hash = `#/replays/${id}?n=${place}`);
  useEffect(() => {
    const listen = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
      if (event.key === "j") go(after);
      if (event.key === "k") go(before);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [id, n, before, after]);
  return { before, after };
}

/** @param {{id: string, n: number, total: number}} props a replay, a conversation's place in it, and how many there are */
export function Conversation({ id, n, total }) {
  const path = `/api/replays/${id}/conversations/${n}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const [judged, setJudged] = useState(null);
  const { before, after } = useNeighbours(id, n, total);
  if (!data) return html`<h1>Conversation</h1><${Failure} error=${error} again=${reload} />`;
  const { conversation, reference, verdicts } = data;
  return html`<h1>Conversation, side by side</h1>
    <p class="soft"><code>${makeVisible(conversation.conversation_id)}</code></p>
    <p class="row"><a href=${`#/replays/${id}`}>The replay</a>
      ${before !== undefined && html`<a href=${`#/replays/${id}?n=${before}`}>Before (k)</a>`}
      ${after !== undefined && html`<a href=${`#/replays/${id}?n=${after}`}>Next (j)</a>`}</p>
    <${Judging} path=${path} verdicts=${judged ?? verdicts} onJudged=${setJudged} />
    ${Object.entries(conversation.unfinished).map(([lane, why]) => html`<p class="notice" key=${lane}>${lane}: ${why.status} ${why.code} ${makeVisible(why.message)}</p>`)}
    <ol class="plain">${conversation.turns.map((turn) => html`<${Turn} key=${turn.turn} turn=${turn} reference=${reference} />`)}</ol>`;
}
