// A replay's answers that differ, the worst first, and each on a page of its own: what differs in
// words, both sides, and one's verdict. `plainloop label` keeps the same.
import { useState } from "./vendor.js";
import { get } from "./api.js";
import { Judging } from "./beside.js";
import { Words } from "./diffs.js";
import { html } from "./html.js";
import { Crumbs, Failure, useKeys, useLoaded } from "./parts.js";
import { formatOf, makeVisible } from "./words.js";

const toAddress = (id, { n, turn }) => `#/experiments/${id}?n=${n}&turn=${turn}`;
const goTo = (id, answer) => answer && (location.hash = toAddress(id, answer));

/** @param {{id: string, n: string, turn: string, name: string}} props a replay, a conversation's place in it, and a turn of it */
export function Answer({ id, n, turn, name }) {
  const path = `/api/replays/${id}/conversations/${n}/turns/${turn}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const list = useLoaded(() => get(`/api/replays/${id}/answers?limit=200`), `${id} answers`).data?.answers ?? [];
  const [judged, setJudged] = useState(null);
  const at = list.findIndex((item) => item.n === Number(n) && item.turn === Number(turn));
  useKeys({ j: () => goTo(id, list[at + 1]), k: () => goTo(id, list[at - 1]) });
  const title = at < 0 ? "Answer" : `Answer ${at + 1} of ${list.length}, the worst first`;
  const head = html`<${Crumbs} way=${[["Experiments", "#/experiments"], [makeVisible(name), `#/experiments/${id}`]]} title=${title}>
    <span class="row">${list[at - 1] && html`<a href=${toAddress(id, list[at - 1])}>Previous (k)</a>`}${list[at + 1] && html`<a href=${toAddress(id, list[at + 1])}>Next (j)</a>`}<a href=${`#/experiments/${id}?n=${n}`}>Whole conversation</a></span></${Crumbs}>`;
  if (!data) return html`${head}<${Failure} error=${error} again=${reload} />`;
  const [before, now] = [data.turn.lanes[data.reference], data.turn.lanes.candidate];
  return html`${head}<h2>“${makeVisible(data.turn.user)}”</h2>
    <section class="panel" aria-label="What differs"><p><b>What differs</b></p><ul>${data.differences.map((told) => html`<li key=${told}>${makeVisible(told)}</li>`)}</ul>${!data.differences.length && html`<p class="soft">Nothing.</p>`}</section>
    <${Judging} path=${path} turn=${turn} verdicts=${judged ?? data.verdicts} onJudged=${setJudged} />
    ${before && now && html`<h3>Answer</h3><${Words} a=${before.text} b=${now.text} />`}`;
}

/** What is to be read, the worst first. @param {{id: string}} props */
export function Answers({ id }) {
  const { data, error, reload } = useLoaded(() => get(`/api/replays/${id}/answers?limit=20`), `${id} worst`);
  return html`<section class="card" aria-label="Answers that differ"><h2>Answers that differ</h2><${Failure} error=${error} again=${reload} />
    ${data && html`<p class="soft">${formatOf(data.differing, "answer")} differ, people judged ${data.judged}.</p>
      <ol class="plain lines">${data.answers.map((item, at) => html`<li key=${`${item.n} ${item.turn}`}><span class="soft">${at + 1}</span><a href=${toAddress(id, item)}><b>“${makeVisible(item.said || item.conversation_id)}”</b><small>${makeVisible(item.differences[0])}</small></a>${item.people && html`<span class="status">${item.people}</span>`}</li>`)}</ol>`}</section>`;
}
