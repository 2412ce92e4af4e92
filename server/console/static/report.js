// What a replay came to: every conversation of it compared, which takes the server a while at thousands.
import { get } from "./api.js";
import { html } from "./html.js";
import { Failure, Wide, useLoaded } from "./parts.js";
import { formatCost, formatCount, formatMs, makeVisible } from "./words.js";

const FILES = ["html", "csv", "json"];
const RECORDING = "recording";
export const VERDICTS = ["better", "same", "worse"];
const SHOWN = 20;
let known = null; // the last one, {replay, report}: who goes on to a conversation comes back to it

const FORMATS = {
  share: (value) => `${(100 * value).toFixed(0)} %`,
  ratio: (value) => value.toFixed(2),
  count: (value) => value.toFixed(2),
  tokens: (value) => formatCount(Math.round(value)),
  usd: (value) => (value < 0 ? `−${formatCost(-value)}` : formatCost(value)),
  ms: formatMs,
};

/** The report as it was last loaded; null: of this replay none was. */
export const getKnownReport = (id) => (known?.replay.id === id ? known.report : null);

async function loadReport(id) {
  known = await get(`/api/replays/${id}`);
  return known.report;
}

function Interval({ found, format }) {
  if (!found) return "–";
  return html`${format(found.mean)}${found.low !== null && html`<small class="soft">${format(found.low)} to ${format(found.high)}</small>`}`;
}

function Measures({ summary }) {
  const lanes = [...new Set(summary.measures.flatMap((item) => Object.keys(item.lanes)))];
  const shown = summary.measures.filter((item) => Object.keys(item.lanes).some((lane) => lane !== RECORDING));
  return html`<${Wide} label="measures">
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
  </${Wide}>`;
}

/** @param {{replay: object, turn: number}} props turn: another one has it loaded again */
export function Report({ replay, turn }) {
  const { data, error, isLoading, reload } = useLoaded(() => loadReport(replay.id), `${replay.id} ${turn}`);
  const report = data ?? getKnownReport(replay.id);
  if (!report) return error ? html`<${Failure} error=${error} again=${reload} />` : html`<p class="soft" role="status">The conversations are compared …</p>`;
  const { summary, people, worst } = report;
  const judged = VERDICTS.filter((name) => people[name]).map((name) => `${people[name]} ${name}`);
  const got = worst.filter((item) => item.severity);
  return html`<div aria-busy=${isLoading}>
    <${Failure} error=${error} again=${reload} />
    <div class="notice"><p><strong>${summary.verdict.headline}</strong></p>${summary.verdict.reasons.map((reason) => html`<p>${reason}</p>`)}</div>
    <p class="row">The report: ${FILES.map((format) => html`<a href=${`/api/replays/${replay.id}?format=${format}`}>${format}</a> `)}</p>
    <h2>Measures</h2><${Measures} summary=${summary} />
    <h2>What people say</h2>
    <p>${judged.length ? `${judged.join(" · ")} (p ${people.p.toPrecision(2)}, sign test)` : html`<span class="soft">Nobody has said anything yet: open a conversation.</span>`}</p>
    ${got.length > 0 && html`<h2>The worst first</h2>
      <ol class="plain">${got.slice(0, SHOWN).map((item) => html`<li key=${item.n}><a href=${`#/replays/${replay.id}?n=${item.n}`}>${makeVisible(item.conversation_id)}</a> <span class="bad">got worse (${item.severity})</span></li>`)}</ol>
      ${summary.worse.conversations > SHOWN && html`<p class="soft">The worst ${SHOWN} of ${formatCount(summary.worse.conversations)}; j and k go on from one to the next.</p>`}`}
  </div>`;
}
