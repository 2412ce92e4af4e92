// A run's steps, model calls and tools on one time axis. Rows are one list: `kind` is step, model, check,
// tool, helper (a run of its own) or wait; a long wait for a person is folded out of the scale.
import { listResults } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
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

const FOLDED_MS = 5_000; // of silence between two steps, when it is longer than all work together
const LEAST = 0.4; // percent of the lane that a bar is wide at least
const ICONS = {
  step: "route",
  model: "sparkles",
  check: "shield-check",
  tool: "wrench",
  helper: "users",
  wait: "circle-pause",
};
const CHECKS = new Set(["evaluator", "judge"]);
const FREE = { step: "", wait: "", helper: "" };

/** Of bytes: `812 bytes`, `4 kB` */
const formatSize = (bytes) =>
  bytes < 1000 ? formatOf(bytes, "byte") : `${formatCount(Math.round(bytes / 1000))} kB`;

const getStart = (item) => Date.parse(item.started_at);

/** Steps and what they did, in their order: `{kind, name, hint, start, ms, cost, isFailed, step, call?, tool?}`, times in ms from the run's beginning. */
export function listRows(steps) {
  if (!steps.length) return [];
  const begun = getStart(steps[0]);
  const rows = [];
  let ended = 0;
  const active = steps.reduce((sum, step) => sum + step.duration_ms, 0);
  let folded = 0;
  for (const step of steps) {
    const silence = getStart(step) - begun - ended;
    if (silence > FOLDED_MS && silence > active) {
      rows.push({
        key: `wait${step.n}`,
        kind: "wait",
        name: "Waited",
        hint: "for a person",
        start: ended - folded,
        ms: 0,
        waited: silence,
        step,
      });
      folded += silence;
    }
    const from = (item) => Math.max(0, getStart(item) - begun - folded);
    rows.push({
      key: `${step.n}`,
      kind: "step",
      name: describeNode(step.node),
      hint: "",
      start: from(step),
      ms: step.duration_ms,
      cost: null,
      isFailed: false,
      step,
    });
    for (const call of step.calls) {
      const kind = CHECKS.has(call.role) ? "check" : "model";
      rows.push({
        key: call.call_id,
        kind,
        name: toWords(call.role),
        hint: `${call.model}${
          call.is_rerouted ? ` → ${call.model_answered}` : ""
        }${call.effort ? `, ${call.effort} effort` : ""}${call.attempt > 1 ? `, attempt ${call.attempt}` : ""}`,
        start: from(call),
        ms: call.duration_ms ?? 0,
        cost: call.cost_usd,
        isFailed: call.error_code !== null,
        step,
        call,
      });
    }
    for (const { helper } of step.tools.filter((tool) => tool.helper))
      rows.push({
        key: helper.run_id,
        kind: "helper",
        name: toWords(helper.worker),
        hint: toWords(helper.status),
        start: Math.max(0, Date.parse(helper.created_at) - begun - folded),
        ms: helper.ended_at ? Date.parse(helper.ended_at) - Date.parse(helper.created_at) : 0,
        cost: null,
        isFailed: helper.status !== "succeeded",
        step,
        helper,
      });
    step.tools.forEach((tool, at) =>
      rows.push({
        key: `${step.n}t${at}`,
        kind: "tool",
        name: describeCall(tool.name, tool.status === "succeeded", listResults(step)[at]?.refusal),
        hint:
          tool.status === "succeeded" ? formatSize(tool.size_bytes) : describeStatus(tool.status),
        start: tool.started_at ? from(tool) : from(step),
        ms: tool.duration_ms,
        cost: null,
        isFailed: ["failed", "unknown"].includes(tool.status),
        step,
        tool,
        at,
      }),
    );
    ended = Math.max(ended, getStart(step) - begun + step.duration_ms);
  }
  return rows;
}

/** Round numbers of ms, so many at most. */
function listTicks(most, many) {
  const rough = most / many;
  const unit = 10 ** Math.floor(Math.log10(rough || 1));
  const size = [1, 2, 5, 10].map((n) => n * unit).find((step) => step >= rough) ?? 1;
  return Array.from({ length: Math.floor(most / size) + 1 }, (_, n) => n * size);
}

function Bar({ row, total }) {
  const place = (ms) => (100 * ms) / (total || 1);
  const width = Math.max(LEAST, place(row.ms));
  return html`<svg class=${`axis lane ${row.kind}`} width="100%" height="14" aria-hidden="true">
    ${
      row.kind === "wait"
        ? html`<line
            x1=${`${place(row.start)}%`}
            x2=${`${Math.min(100, place(row.start) + 6)}%`}
            y1="7"
            y2="7"
          />`
        : html`<rect
            class=${row.isFailed ? "failed" : ""}
            rx="3"
            x=${`${Math.min(100 - LEAST, place(row.start))}%`}
            y="1"
            width=${`${width}%`}
            height="12"
          />`
    }
  </svg>`;
}

function sayCost(row) {
  if (row.kind in FREE) return "";
  return row.kind === "tool" ? "free" : formatCost(row.cost);
}

function Row({ row, total, isChosen, onChoose }) {
  return html`<li>
    <button class=${`trace-row ${row.kind}`} aria-pressed=${isChosen} onClick=${onChoose}>
      <span class="what"
        ><${Icon}
          name=${row.isFailed ? "circle-alert" : ICONS[row.kind]}
          size=${14}
          label=${row.isFailed ? "failed" : undefined}
        /><span class="word"
          >${makeVisible(row.name)} <small>${makeVisible(row.hint)}</small></span
        ></span
      >
      <${Bar} row=${row} total=${total} /><span class="cost">${sayCost(row)}</span
      ><span class="took">${formatMs(row.waited ?? row.ms)}</span>
    </button>
  </li>`;
}

/** @param {{rows: object[], chosen?: string, onChoose: (key: string) => void}} props */
export function Trace({ rows, chosen, onChoose }) {
  const total = Math.max(1, ...rows.map((row) => row.start + row.ms));
  const ticks = listTicks(total, chosen ? 2.5 : 5); // with a panel beside them there is less room
  return html`<div class="card trace">
    <div class="trace-row heads" aria-hidden="true">
      <span class="what">Step</span
      ><svg class="axis" width="100%" height="16">
        ${ticks.map(
          (ms, n) =>
            html`<text
              key=${ms}
              x=${`${(100 * ms) / total}%`}
              y="12"
              text-anchor=${n === 0 ? "start" : ms > 0.9 * total ? "end" : "middle"}
              >${formatMs(ms)}</text
            >`,
        )}</svg
      ><span class="cost">Cost</span><span class="took">Time</span>
    </div>
    <ol class="plain">
      ${rows.map(
        (row) =>
          html`<${Row}
            key=${row.key}
            row=${row}
            total=${total}
            isChosen=${chosen === row.key}
            onChoose=${() => onChoose(row.key)}
          />`,
      )}
    </ol>
    <p class="legend" aria-hidden="true">
      ${[
        "model",
        "tool",
        ...(rows.some((row) => row.helper) ? ["helper"] : []),
        "check",
        "step",
      ].map((kind) => html`<span key=${kind}><i class=${kind}></i>${toWords(kind)}</span>`)}<span
        class="keys"
        >J and K move</span
      >
    </p>
  </div>`;
}
