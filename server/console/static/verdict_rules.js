// The rules that a verdict is made of, with the range of each measure.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { STATES, TOLD, ofHundred, round } from "./verdict.js";
import { toWords } from "./words.js";

const WIDTH = 220;
const HEIGHT = 24;

/** From where to where the true value lies; the limit as a red line, the forbidden side tinted. Told beside it in words. */
function Range({ low, mean, high, limit, from, to, tone }) {
  const place = (value) =>
    Math.round((WIDTH * (Math.min(Math.max(value, from), to) - from)) / (to - from || 1));
  return html`<svg
    class=${`axis ${tone}`}
    width=${WIDTH}
    height=${HEIGHT}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    aria-hidden="true"
  >
    ${
      limit !== undefined &&
      html`<rect
          class="forbidden"
          x=${place(limit)}
          y="3"
          width=${WIDTH - place(limit)}
          height=${HEIGHT - 6}
        /><line class="limit" x1=${place(limit)} x2=${place(limit)} y1="2" y2=${HEIGHT - 2} />`
    }
    ${limit === undefined && html`<line class="zero" x1=${place(0)} x2=${place(0)} y1="2" y2=${HEIGHT - 2} />`}
    <line class="range" x1=${place(low)} x2=${place(high)} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
    <circle cx=${place(mean)} cy=${HEIGHT / 2} r="4" />
  </svg>`;
}

const RULES = {
  worse: [
    "Conversations that get worse",
    (rule) => `not more than ${ofHundred(rule.limit)} of 100`,
  ],
  complete: ["All conversations are compared", (rule) => `${round(rule.limit)} or more`],
  read: [
    "Differently worded answers are compared",
    (rule) => `by people or a judge, ${round(rule.limit)} or more`,
  ],
};

function State({ status }) {
  const [style, icon, word] = STATES[status];
  return html`<span class=${`status ${style}`}
    >${icon && html`<${Icon} name=${icon} size=${14} />`}${word}</span
  >`;
}

function Rule({ rule }) {
  const [title, hint] = RULES[rule.name];
  const shown = rule.value === null ? "–" : round(rule.value);
  const range =
    rule.high === null
      ? html`<span class="soft">${rule.value === null ? "nothing to compare" : ""}</span>`
      : html`<${Range}
            low=${0}
            mean=${rule.value}
            high=${rule.high}
            limit=${rule.limit}
            from=${0}
            to=${Math.max(2 * rule.limit, rule.high * 1.1)}
            tone=${rule.status}
          /><small class="soft">at worst ${round(rule.high)}</small>`;
  return html`<tr>
    <td class="name"><b>${title}</b><small class="soft">${hint(rule)}</small></td>
    <td>${shown}</td>
    <td class="name">${range}</td>
    <td class="name"><${State} status=${rule.status} /></td>
  </tr>`;
}

function Told({ item, reference }) {
  const { difference, lanes } = item;
  const most = Math.max(
    Math.abs(difference.low ?? difference.mean),
    Math.abs(difference.high ?? difference.mean),
    0.1,
  );
  return html`<tr>
    <td class="name">
      <b>${toWords(item.title)}</b
      ><small class="soft">for information; ${round(lanes[reference]?.mean ?? 0)} today</small>
    </td>
    <td>${round(lanes.candidate.mean)}</td>
    <td class="name">
      ${
        difference.low === null
          ? html`<span class="soft">no difference</span>`
          : html`<${Range}
              low=${difference.low}
              mean=${difference.mean}
              high=${difference.high}
              from=${-most}
              to=${most}
              tone="told"
            />`
      }
    </td>
    <td class="name"><${State} status="told" /></td>
  </tr>`;
}

export function Rules({ report, decision }) {
  const { measures, reference } = report.summary;
  const told = measures.filter(
    (item) => TOLD.includes(item.name) && item.difference && item.lanes.candidate,
  );
  return html`<section class="card" aria-label="The rules">
    <div class="row spread">
      <h2>The rules</h2>
      <small class="soft">range: contains the true value in 95 of 100 cases</small>
    </div>
    <div class="wide" tabindex="0" role="group" aria-label="rules">
      <table class="rules">
        <thead>
          <tr>
            <th class="name">Rule</th>
            <th>Candidate</th>
            <th class="name">Range</th>
            <th class="name">State</th>
          </tr>
        </thead>
        <tbody>
          ${decision.rules.map((rule) => html`<${Rule} key=${rule.name} rule=${rule} />`)}${told.map(
            (item) => html`<${Told} key=${item.name} item=${item} reference=${reference} />`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
