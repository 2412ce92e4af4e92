// What a replay came to: every conversation of it compared, which takes the server a while at thousands.
import { get } from "./api.js";
import { html } from "./html.js";
import { Copy, Failure, Menu, Wide, useLoaded } from "./parts.js";
import { Figures, Limits, Rules, SURE, ToRead, Verdict, areAlike, isSame } from "./verdict.js";
import { formatCost, formatCount, formatMs, makeVisible, toWords } from "./words.js";

const LANES = { recording: "Then", baseline: "Today", candidate: "Candidate" };
const RECORDING = "recording";
const FILE_NAMES = {
  html: "Page to print",
  csv: "A table of all answers (CSV)",
  json: "Everything (JSON)",
};
let known = null; // the last one, {replay, report}: who goes on to a conversation comes back to it

const FORMATS = {
  share: (value) => `${(100 * value).toFixed(0)}%`,
  ratio: (value) => value.toFixed(2),
  count: (value) => value.toFixed(2),
  tokens: (value) => formatCount(Math.round(value)),
  usd: formatCost,
  ms: formatMs,
};

/** The report as it was last loaded; null: of this replay none was. */
export const getKnownReport = (id) => (known && known.replay.id === id ? known.report : null);

async function loadReport(id) {
  const { replay, report, decision, stored } = await get(`/api/replays/${id}`);
  known = { replay, report: { ...report, decision, stored } };
  return known.report;
}

function Interval({ found, format }) {
  if (!found) return "–";
  return html`${format(found.mean)}${
    found.low !== null &&
    html`<small class="soft">${format(found.low)} to ${format(found.high)}</small>`
  }`;
}

function Measures({ summary }) {
  const lanes = [...new Set(summary.measures.flatMap((item) => Object.keys(item.lanes)))];
  const shown = summary.measures.filter((item) =>
    Object.keys(item.lanes).some((lane) => lane !== RECORDING || item.name === "liked"),
  );
  return html`<${Wide} label="measures">
    <thead>
      <tr>
        <th class="name">Per answer</th>
        ${lanes.map((lane) => html`<th>${LANES[lane] ?? lane}</th>`)}
        <th>Difference</th>
        <th>Better, worse</th>
        <th>Due to chance?</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map((item) => {
        const format = FORMATS[item.unit];
        const told = item.difference;
        return html`<tr>
          <td class="name">${toWords(item.title)}</td>
          ${lanes.map((lane) => html`<td><${Interval} found=${item.lanes[lane]} format=${format} /></td>`)}
          <td><${Interval} found=${told} format=${format} /></td>
          <td>
            ${told && item.better ? `${told.conversations_better}, ${told.conversations_worse}` : "–"}
          </td>
          <td title=${told && item.better ? `p ${told.p_adjusted.toPrecision(2)}` : null}>
            ${told && item.better ? (told.p_adjusted < SURE ? "no" : "yes") : "–"}
          </td>
        </tr>`;
      })}
    </tbody>
  </${Wide}>`;
}

const ROLLOUT = "plainloop canary start guards.toml --share 10%";

/** What only a terminal can do. */
const Rollout = () =>
  html`<${Menu} label="Try with 10% of users" style="button small accent"
    ><p><b>Some real users get the candidate, as long as it is not worse.</b></p>
    <p class="soft">
      The candidate answers 10% of new conversations. An operator starts it in a terminal:
    </p>
    <pre tabindex="0">${ROLLOUT}</pre>
    <${Copy} text=${ROLLOUT}
  /></${Menu}>`;

const Files = ({ replay }) =>
  html`<${Menu} label="Report"
    >${Object.entries(FILE_NAMES).map(
      ([format, word]) => html`<a href=${`/api/replays/${replay.id}?format=${format}`}>${word}</a>`,
    )}</${Menu}
  >`;

/** @param {{replay: object, turn: number}} props turn: another one has it loaded again */
export function Report({ replay, turn }) {
  const { data, error, isLoading, reload } = useLoaded(
    () => loadReport(replay.id),
    `${replay.id} ${turn}`,
  );
  const report = data ?? getKnownReport(replay.id);
  if (!report)
    return error
      ? html`<${Failure} error=${error} again=${reload} />`
      : html`<div class="card verdict" role="status">
          <p class="soft">Comparing the conversations…</p>
        </div>`;
  const { decision } = report;
  return html`<div aria-busy=${isLoading} class="report">
    <${Failure} error=${error} again=${reload} />
    <div class="row at-right">
      <${Files}
        replay=${replay}
      />${decision.status === "passed" && report.summary.sharing.touched > 0 && html`<${Rollout} />`}
    </div>
    <${Verdict} report=${report} decision=${decision} replay=${replay} />
    <${Figures} report=${report} decision=${decision} />
    <div class="beside">
      <${Rules} report=${report} decision=${decision} />${
        !isSame(report.summary) &&
        html`<${ToRead}
          report=${report}
          replay=${replay}
          isAlike=${areAlike(decision) && !report.summary.worse.conversations}
        />`
      }
    </div>
    <${Limits} />
    <details>
      <summary>All measures</summary>
      ${report.summary.verdict.reasons.map((reason) => html`<p class="soft">${makeVisible(reason)}</p>`)}<${Measures}
        summary=${report.summary}
      />
    </details>
  </div>`;
}
