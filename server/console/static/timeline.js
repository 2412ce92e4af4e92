// A run's steps in words, as they happen and as they were: a drawer beside the talk, a sheet on a phone.
import { sumTokens } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Status, Value } from "./parts.js";
import {
  describeCall,
  describeNode,
  describeStatus,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  makeVisible,
  toWords,
} from "./words.js";

const SHOWN = 200; // of a long run the newest; the run's own page has them all
const ICONS = {
  intent_classifier: "route",
  agent_router: "route",
  tools: "wrench",
  evaluator: "shield-check",
  format_result: "list",
};

const chooseIcon = (node) => {
  const part = node.split(".").at(-1);
  return ICONS[part] ?? (part.startsWith("fast_") ? "database" : "sparkles");
};

const nameTool = ({ name, status, refusal }) =>
  describeCall(name, ["done", "succeeded"].includes(status), refusal);

const ENDS = { done: "succeeded", error: "failed", approval_request: "waiting" };

/** A helper's run as a branch of its caller's: its steps, tools and helpers, each once, as they were told. */
function makeBranch(told) {
  const rows = new Map();
  const put = (key, row) => rows.set(key, { ...rows.get(key), ...row, key });
  let status = "running";
  for (const { event, data } of told) {
    if (event === "helper") put(data.run_id, { name: data.worker, isHelper: true });
    else status = data.code === "CANCELLED" ? "cancelled" : (ENDS[event] ?? "running");
    if (event === "node_start" && !data.node.endsWith(".tools"))
      put(`s${data.step}`, { node: data.node });
    if (event.startsWith("tool_"))
      put(data.id, {
        name: data.name,
        status: { tool_result: "done", tool_error: "failed" }[event],
      });
  }
  return { run_id: told[0].run_id, worker: told[0].worker, status, rows: [...rows.values()] };
}

/** What a helper does while it goes, and the way to all of it. */
function Branch({ tool }) {
  const branch = tool.helper ? { rows: [], ...tool.helper } : makeBranch(tool.told);
  return html`<div class="branch">
    <a href=${`#/runs/${branch.run_id}`}
      >${toWords(branch.worker)}<${Icon} name="arrow-up-right" size=${14} /></a
    >${" "}<${Status} status=${branch.status} />${
      branch.rows.length > 0 &&
      html`<ul class="plain">
        ${branch.rows.map(
          (row) =>
            html`<li key=${row.key}>
              ${
                row.node ? describeNode(row.node) : row.isHelper ? toWords(row.name) : nameTool(row)
              }${row.status === "failed" && html` <span class="bad">failed</span>`}
            </li>`,
        )}
      </ul>`
    }
  </div>`;
}

function Tool({ tool }) {
  return html`<li>
    ${(tool.helper ?? tool.told) && html`<${Branch} tool=${tool} />`}
    <details class="tool">
      <summary>
        ${nameTool(tool)}${" "}<code>${makeVisible(tool.name)}</code>${tool.status === "failed" && html` <span class="bad">failed</span>`}
      </summary>
      ${tool.arguments !== undefined && html`<${Value} label="Called with" value=${tool.arguments} />`}
      ${tool.result !== undefined && html`<${Value} label="Result" value=${tool.result} />`}
      ${tool.error && html`<${Value} label="Failed" value=${tool.error} />`}
    </details>
  </li>`;
}

/** Of several calls the sum; null: of none it is known. */
const sum = (calls, field) => {
  const known = calls
    .map((call) => call[field])
    .filter((value) => value !== null && value !== undefined);
  return known.length ? known.reduce((total, value) => total + Number(value), 0) : null;
};

function Step({ step, runId, end, isWaiting }) {
  const cost = step.calls.length ? sum(step.calls, "cost_usd") : 0;
  const doubt = step.calls.some((call) => (call.source ?? call.usage_source) !== "provider")
    ? ", estimated"
    : "";
  const asked =
    step.calls.length > 0 &&
    `${[...new Set(step.calls.map((call) => call.model))].join(
      ", ",
    )} · ${formatCount(sum(step.calls, "input_tokens"))} in, ${formatCount(sum(step.calls, "output_tokens"))} out${doubt}`;
  const isUndone = step.tools.some((tool) => tool.refusal || tool.status === "failed");
  return html`<li class=${`step ${step.status} ${isUndone ? "undone" : ""}`}>
    <span class="sign"><${Icon} name=${chooseIcon(step.node)} size=${14} /></span>
    <div>
      <b title=${step.node}
        ><a href=${`#/runs/${runId}?step=${step.n}`}
          >${isWaiting ? describeStatus("waiting") : describeNode(step.node)}</a
        ></b
      >${step.next === null && html` <${Status} status=${end} />`}${asked && html`<small>${makeVisible(asked)}</small>`}
      ${
        step.tools.length > 0 &&
        html`<ul class="plain">
          ${step.tools.map((tool, n) => html`<${Tool} key=${tool.id ?? n} tool=${tool} />`)}
        </ul>`
      }
    </div>
    <span class="took"
      >${step.status === "done" ? formatMs(step.ms) : "…"}<small
        >${step.status === "done" && (cost === 0 ? "free" : formatCost(cost))}</small
      ></span
    >
  </li>`;
}

/** @param {{run: object, onClose: () => void}} props run: as `fold.js` makes it; `totals` where it is over */
export function Timeline({ run, onClose }) {
  const hidden = Math.max(0, run.steps.length - SHOWN);
  const calls = run.steps.flatMap((step) => step.calls);
  const tokens = run.totals ? run.totals.tokens : sumTokens(run);
  const cost = run.totals ? run.totals.cost : calls.length ? sum(calls, "cost_usd") : 0;
  return html`<aside class="timeline" aria-label="What the run does">
    <header class="row spread">
      <h2>This run</h2>
      <span class="row"
        >${run.id && html`<a href=${`#/runs/${run.id}`}>Full trace<${Icon} name="arrow-up-right" size=${14} /></a>`}<button
          class="square ghost"
          onClick=${onClose}
        >
          <${Icon} name="x" label="Close this run" /></button
      ></span>
    </header>
    <dl class="figures">
      <div>
        <dt>Time</dt>
        <dd>${run.totals ? formatMs(run.totals.ms) : "…"}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${calls.length || run.totals ? formatCost(cost) : "–"}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>${tokens === null ? "–" : formatCount(tokens)}</dd>
      </div>
      ${
        run.totals?.saved > 0 &&
        html`<div class="good">
          <dt>Tokens saved</dt>
          <dd>${formatCount(run.totals.saved)}</dd>
        </div>`
      }
    </dl>
    ${run.place !== null && html`<p class="soft">Position ${run.place} in the queue</p>`}
    ${hidden > 0 && html`<p class="soft">${formatOf(hidden, "earlier step")}</p>`}
    <ol class="steps plain">
      ${run.steps
        .slice(hidden)
        .map(
          (step) =>
            html`<${Step}
              key=${step.n}
              step=${step}
              runId=${run.id}
              end=${run.status}
              isWaiting=${run.status === "waiting" && step.status !== "done"}
            />`,
        )}
    </ol>
    ${run.notices.map((text) => html`<p class="notice">${text}</p>`)}
  </aside>`;
}
