// A run's steps, model calls and tools on one time axis. Rows are one list: `kind` is step, model, check,
// tool or wait; a long wait for a person is folded out of the scale.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { describeNode, formatCost, formatMs, makeVisible, toWords } from "./words.js";

const FOLDED_MS = 5_000; // of silence between two steps, when it is longer than all work together
const LEAST = 0.4; // percent of the lane that a bar is wide at least
const ICONS = { step: "route", model: "sparkles", check: "shield-check", tool: "wrench", wait: "circle-pause" };
const CHECKS = new Set(["evaluator", "judge"]);
const FREE = { step: "", wait: "" };

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
      rows.push({ key: `wait${step.n}`, kind: "wait", name: "Waited", hint: "for a person", start: ended - folded, ms: 0, waited: silence, step });
      folded += silence;
    }
    const from = (item) => Math.max(0, getStart(item) - begun - folded);
    rows.push({ key: `${step.n}`, kind: "step", name: describeNode(step.node), hint: "", start: from(step), ms: step.duration_ms, cost: null, isFailed: false, step });
    for (const call of step.calls) {
      const kind = CHECKS.has(call.role) ? "check" : "model";
      rows.push({ key: call.call_id, kind, name: toWords(call.role), hint: `${call.model}${call.attempt > 1 ? `, attempt ${call.attempt}` : ""}`, start: from(call), ms: call.duration_ms ?? 0, cost: call.cost_usd, isFailed: call.error_code !== null, step, call });
    }
    step.tools.forEach((tool, at) => rows.push({ key: `${step.n}t${at}`, kind: "tool", name: toWords(tool.name), hint: tool.status === "succeeded" ? "" : toWords(tool.status), start: from(step), ms: tool.duration_ms, cost: null, isFailed: ["failed", "unknown"].includes(tool.status), step, tool, at }));
    ended = Math.max(ended, getStart(step) - begun + step.duration_ms);
  }
  return rows;
}

/** Round numbers of ms, five at most. */
function listTicks(most) {
  const rough = most / 5;
  const unit = 10 ** Math.floor(Math.log10(rough || 1));
  const size = [1, 2, 5, 10].map((n) => n * unit).find((step) => step >= rough) ?? 1;
  return Array.from({ length: Math.floor(most / size) + 1 }, (_, n) => n * size);
}

function Bar({ row, total }) {
  const place = (ms) => (100 * ms) / (total || 1);
  const width = Math.max(LEAST, place(row.ms));
  return html`<svg class=${`axis lane ${row.kind}`} width="100%" height="14" aria-hidden="true">
    ${row.kind === "wait" ? html`<line x1=${`${place(row.start)}%`} x2=${`${Math.min(100, place(row.start) + 6)}%`} y1="7" y2="7" />` : html`<rect class=${row.isFailed ? "failed" : ""} rx="3" x=${`${Math.min(100 - LEAST, place(row.start))}%`} y="1" width=${`${width}%`} height="12" />`}</svg>`;
}

function sayCost(row) {
  if (row.kind in FREE) return "";
  return row.kind === "tool" ? "free" : formatCost(row.cost);
}

function Row({ row, total, isChosen, onChoose }) {
  return html`<li><button class=${`trace-row ${row.kind}`} aria-pressed=${isChosen} onClick=${onChoose}>
    <span class="what"><${Icon} name=${row.isFailed ? "circle-alert" : ICONS[row.kind]} size=${14} label=${row.isFailed ? "failed" : undefined} /><span class="word">${makeVisible(row.name)} <small>${makeVisible(row.hint)}</small></span></span>
    <${Bar} row=${row} total=${total} /><span class="cost">${sayCost(row)}</span><span class="took">${formatMs(row.waited ?? row.ms)}</span></button></li>`;
}

/** @param {{rows: object[], chosen?: string, onChoose: (key: string) => void}} props */
export function Trace({ rows, chosen, onChoose }) {
  const total = Math.max(1, ...rows.map((row) => row.start + row.ms));
  const ticks = listTicks(total);
  return html`<div class="card trace">
    <div class="trace-row heads" aria-hidden="true"><span class="what">Step</span><svg class="axis" width="100%" height="16">${ticks.map((ms, n) => html`<text key=${ms} x=${`${(100 * ms) / total}%`} y="12" text-anchor=${n === 0 ? "start" : ms > 0.9 * total ? "end" : "middle"}>${formatMs(ms)}</text>`)}</svg><span class="cost">Cost</span><span class="took">Time</span></div>
    <ol class="plain">${rows.map((row) => html`<${Row} key=${row.key} row=${row} total=${total} isChosen=${chosen === row.key} onChoose=${() => onChoose(row.key)} />`)}</ol>
    <p class="legend" aria-hidden="true">${["model", "tool", "check", "step"].map((kind) => html`<span key=${kind}><i class=${kind}></i>${toWords(kind)}</span>`)}<span class="keys">J and K move</span></p></div>`;
}

const join = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
const unique = (items) => [...new Set(items)];

/** What happened, in a few sentences made of the steps by rules: the cause of a failure first. */
export function describeRun(run, steps, approvals) {
  const told = [];
  if (run.error_code) told.push(`It ended early: ${run.error_message ?? run.error_code}.`);
  if (run.status === "waiting") told.push("It waits for an approval.");
  const isFast = steps.some((step) => step.node.split(".").at(-1).startsWith("fast_"));
  const workers = unique(steps.filter((step) => step.calls.some((call) => call.role === "worker")).map((step) => describeNode(step.node)));
  const isRouted = steps.some((step) => step.avoided.some((item) => item.role === "router"));
  if (isFast && !workers.length) told.push("It was answered from the database, without a model's words.");
  else if (workers.length) told.push(isRouted ? `The first step had already chosen ${join(workers)}, so no router was asked.` : `${join(workers)} answered.`);
  const tools = unique(steps.flatMap((step) => step.tools.map((tool) => toWords(tool.name))));
  if (tools.length) told.push(`It used ${join(tools)}.`);
  const rejected = steps.filter((step) => step.update.feedback);
  if (rejected.length) told.push(`${rejected.length === 1 ? "A draft was" : `${rejected.length} drafts were`} rejected: “${rejected[0].update.feedback}”`);
  for (const item of approvals.filter((item) => item.decided_by)) told.push(`“${item.question}” was ${item.status} by ${item.decided_by}${item.reason ? `: “${item.reason}”` : "."}`);
  if (run.attempt > 1) told.push("A process was lost; its steps were kept.");
  return told;
}
