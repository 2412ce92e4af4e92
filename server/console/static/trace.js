// A run's steps, model calls and tools on one time axis. Rows are one list: `kind` is step, model, check,
// tool, helper (a run of its own) or wait; a long wait for a person is folded out of the scale.
import { useState } from "./vendor.js";
import { get } from "./api.js";
import { Words } from "./diffs.js";
import { getSent, listResults } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Failure, Marked, Value, Wide, useLoaded } from "./parts.js";
import { getInput, sayLost } from "./usage_data.js";
import {
  describeCall,
  describeNode,
  describeStatus,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  formatRate,
  makeVisible,
  toText,
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
  const given = new Map(
    steps
      .flatMap(({ update }) => update.messages ?? [])
      .flatMap(({ parts }) => parts)
      .filter(({ type }) => type === "tool_call")
      .map((part) => [part.id, part.arguments]),
  );
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
        lost: sayLost(call),
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
        result: listResults(step)[at],
        given: given.get(listResults(step)[at]?.id),
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

const LEAST_USD = 0.0001; // smaller ones of a step have a place more: they add up to the run's cost

function sayCost(row) {
  if (row.kind in FREE) return "";
  if (row.kind === "tool") return "free";
  const usd = Number(row.cost);
  return usd >= LEAST_USD / 10 && usd < LEAST_USD ? `$${usd.toFixed(5)}` : formatCost(row.cost);
}

/** A figure of a step, marked where it is the highest of the run. */
const Highest = ({ word, children }) =>
  html`<b title=${toWords(word)}
    ><${Icon} name="arrow-up" size=${14} /><span class="only-read">${word}</span>${children}</b
  >`;

function Row({ row, total, isDearest, isSlowest, isChosen, onChoose }) {
  // A press of a key has no clicks: who reads and types goes on in what opens, and Esc leads back.
  const choose = ({ detail }) => onChoose(detail === 0);
  return html`<li>
    <button class=${`trace-row ${row.kind}`} aria-pressed=${isChosen} onClick=${choose}>
      <span class="what"
        ><${Icon}
          name=${row.isFailed ? "circle-alert" : ICONS[row.kind]}
          size=${14}
          label=${row.isFailed ? "failed" : undefined}
        /><span class="word"
          >${makeVisible(row.name)} <small>${makeVisible(row.hint)}</small>${
            row.lost && html` <small class="lost">lost ${row.lost}</small>`
          }</span
        ></span
      >
      <${Bar} row=${row} total=${total} /><span class="cost"
        >${
          isDearest
            ? html`<${Highest} word="dearest step">${sayCost(row)}</${Highest}>`
            : sayCost(row)
        }</span
      ><span class="took"
        >${
          isSlowest
            ? html`<${Highest} word="slowest step">${formatMs(row.ms)}</${Highest}>`
            : formatMs(row.waited ?? row.ms)
        }</span
      >
    </button>
  </li>`;
}

/** @param {{rows: object[], chosen?: string, onChoose: (key: string, isByKey: boolean) => void}} props */
export function Trace({ rows, chosen, onChoose }) {
  const total = Math.max(1, ...rows.map((row) => row.start + row.ms));
  const costs = rows.map((row) => Number(row.cost ?? 0)).filter(Boolean);
  const most = costs.length > 1 ? Math.max(...costs) : Infinity;
  const work = rows.filter(({ kind }) => kind !== "step" && kind !== "wait"); // the others hold these
  const longest = Math.max(...work.map((row) => row.ms));
  const slowest = work.length > 1 && work.find((row) => row.ms === longest);
  const ticks = listTicks(total, chosen ? 2.5 : 5); // with a panel beside them there is less room
  return html`<div class="card trace">
    <div class="trace-row scale" aria-hidden="true">
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
            isDearest=${Number(row.cost) === most}
            isSlowest=${row === slowest}
            isChosen=${chosen === row.key}
            onChoose=${(isByKey) => onChoose(row.key, isByKey)}
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
      ].map((kind) => html`<span key=${kind}><i class=${kind}></i>${toWords(kind)}</span>`)}${
        work.length > 1 &&
        html`<span
          ><${Icon} name="arrow-up" size=${14} />
          ${most === Infinity ? "Slowest" : "Dearest and slowest"} step</span
        >`
      }<span class="keys">J and K move</span>
    </p>
  </div>`;
}

// What one step of a run sent, received and decided.
const DECISIONS = ["fast_intent", "entity_type", "query", "success_criteria", "feedback"];
export const MODEL_ROLES = new Set([
  "classifier",
  "router",
  "worker",
  "evaluator",
  "parser",
  "judge",
]);

const PIECES = { tools: "the tools", system: "the instructions" };
const PAUSED = "The pause was longer than the cache keeps a prompt.";

/** Why a provider's cache gave nothing, although the texts are those of the call before; "": it gave. */
const sayMiss = (call) =>
  call.pause_loss_usd
    ? PAUSED
    : call.prefix_loss_usd
      ? "The provider’s cache did not supply them all: it dropped them, or settings such as thinking changed."
      : call.cache_read_tokens === 0
        ? "None came from a cache: most models cache only prompts from 512 to 4,096 tokens on."
        : "";

function Prefix({ prefix, call }) {
  if (!prefix)
    return html`<p class="soft">
      This model had no earlier call in this role here, so nothing was cached.
    </p>`;
  const lost = sayLost(call);
  const cost = lost && html` <b>Lost: ${lost}.</b>`;
  // Estimates, as shares of the counted input, which stands above: both add up to it.
  const whole = prefix.shared_tokens + prefix.behind_tokens;
  if (!whole)
    return html`<p class=${lost ? "bad" : "soft"}>
      ${`Its texts are not stored, so they cannot be compared. ${sayMiss(call)}`}${cost}
    </p>`;
  const factor = getInput(call) / whole;
  const count = (tokens) => `about ${formatCount(Math.round(factor * tokens))}`;
  const shared = `${count(prefix.shared_tokens)} tokens`;
  const before = html`<a href=${`#/runs/${prefix.before_run_id}`}>the call before</a>`;
  const behind = count(prefix.behind_tokens);
  if (!prefix.broken_in) {
    const miss = sayMiss(call);
    const held = miss ? "" : ", which a provider's cache can hold";
    return html`<p class=${lost ? "bad" : miss ? "soft" : "good"}>
      The request starts with all
      of${" "}${before}${`: ${shared}${held}, then ${behind} new ones. ${miss}`}${cost}
    </p>`;
  }
  const where = PIECES[prefix.broken_in] ?? `message ${prefix.message + 1}`;
  const late = call.pause_loss_usd ? ` Nor were the same ones cached any more. ${PAUSED}` : "";
  return html`<p class="bad">
      The request differs from ${before} from <strong>${where}</strong> on:
      ${` ${shared} are the same; ${behind} after them cannot come from a cache.${late}`}${cost}
    </p>
    <${Words} a=${prefix.before} b=${prefix.now} />`;
}

/** What it was asked. part: of what the ledger keeps */
function Sent({ runId, call, part }) {
  const { data, error, reload } = useLoaded(
    () => get(`/api/runs/${runId}/calls/${call.call_id}`),
    call.call_id,
  );
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  if (part === "Tools")
    return data.tools.length
      ? data.tools.map(
          (tool) =>
            html`<details key=${tool.name}>
              <summary>${tool.name}</summary>
              <${Value} value=${tool} />
            </details>`,
        )
      : html`<p class="soft">The model was offered no tools.</p>`;
  return html`<${Prefix} prefix=${data.prefix} call=${call} />
    <${Value} label="Instructions" value=${data.system ?? "none, or no longer stored"} />
    ${data.messages.map((message) => html`<div><span class="soft">${toWords(message.role)}</span><${Parts} messages=${[message]} /></div>`)}
    <p class="soft">
      Rebuilt from the ledger, which stores the texts as sent, not the provider's format.
    </p>`;
}

/** What came of the call: of several in a step the last one's is what the step goes on with. */
function Came({ call, step }) {
  const messages = (step.update.messages ?? []).filter((message) => message.role === "assistant");
  const isLast = step.calls.at(-1) === call && !call.error_code;
  if (!isLast || !(messages.length || isDecided(step)))
    return html`<p class="soft">The step continues without this answer.</p>`;
  const said = messages
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n\n");
  return html`<${Decided} step=${step} /><${Parts}
      messages=${messages}
    />${said && html`<p><${Copy} text=${said} /></p>`}`;
}

function describeAvoided(item) {
  const what = MODEL_ROLES.has(item.role) ? `${toWords(item.role)} skipped` : "Sent less";
  const saved = item.tokens ? ` (about ${formatCount(item.tokens)} tokens saved)` : "";
  return `${what}: ${REVIEW.test(item.reason) ? sayNote(item.reason).slice(0, -1) : item.reason}${saved}`;
}

export function Parts({ messages }) {
  return html`${messages
    .flatMap((message) => message.parts)
    .map((part) => {
      if (part.type === "text") return html`<${Value} label="Text" value=${part.text} />`;
      if (part.type === "tool_call")
        return html`<${Value} label=${`Calls ${toWords(part.name)}`} value=${part.arguments} />`;
      return html`<${Value}
        label=${`${toWords(part.type)} ${toWords(part.name ?? "")}`}
        value=${part.result ?? part.content ?? part}
      />`;
    })}`;
}

const WHY = {
  classifier: "Each request is first sorted by what the user wants, to choose the worker.",
  router: "The first call did not choose a worker, so this call chose one.",
  worker: "The worker answers, or calls tools.",
  evaluator: "The answer was checked before it was shown.",
  judge: "Two answers were compared.",
  parser: "A file or some text was read.",
};

const BUCKETS = {
  input_tokens: "In, uncached",
  cache_read_tokens: "From cache",
  cache_write_tokens: "Into cache",
  cache_write_long_tokens: "Into cache, for longer",
  output_tokens: "Out",
  reasoning_tokens: "Reasoning",
};

const REVIEW = /^evaluator(?<skipped> skipped)?: (?<when>\w+), (?<used>\d+ tool calls?) this turn$/;
const REVIEWS = {
  never: "Answers of this worker are not checked",
  always: "Answers of this worker are always checked",
};

/** A step's note as a sentence. */
function sayNote(note) {
  const { skipped, when, used } = REVIEW.exec(note)?.groups ?? {};
  const auto = `After ${used} in this turn, the answer ${skipped ? "needed no check" : "was checked"}`;
  const named = note.replace(/(worker) '(\w+)'/g, (_, what, name) => `${what} ${toWords(name)}`);
  const text = makeVisible(when ? (REVIEWS[when] ?? auto) : named).trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Tokens by price, so that one can add up what the call cost. */
const Costs = ({ call }) =>
  html`<${Wide} label="cost of the call"
    ><thead>
      <tr>
        <th class="name">Tokens</th>
        <th>Cost</th>
      </tr>
    </thead>
    <tbody>
      ${call.cost_parts.map(
        (part) =>
          html`<tr key=${part.bucket}>
            <td class="name">
              ${BUCKETS[part.bucket]}${" "}<small class="soft"
                >${formatCount(part.tokens)} at ${formatRate(part.usd_per_million)} per
                million</small
              >
            </td>
            <td>$${part.usd}</td>
          </tr>`,
      )}
      <tr>
        <th class="name">Together</th>
        <td><b>$${call.cost_usd}</b></td>
      </tr>
    </tbody></${Wide}
  >`;

/** The call's part in figures, then what it was asked. */
function CallPanel({ row, runId }) {
  const { call, step } = row;
  const [part, setPart] = useState("Answer");
  const sent = getSent(call);
  return html`<dl class="figures">
      <div>
        <dt>In</dt>
        <dd>${formatCount(sent)}</dd>
      </div>
      <div>
        <dt>From cache</dt>
        <dd>
          ${
            call.cache_read_tokens === null
              ? "unknown"
              : `${formatCount(call.cache_read_tokens)}${sent > 0 ? ` (${Math.round((100 * call.cache_read_tokens) / sent)}%)` : ""}`
          }
        </dd>
      </div>
      <div>
        <dt>Out</dt>
        <dd>${formatCount(call.output_tokens)}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${formatCost(call.cost_usd)}</dd>
      </div>
      ${
        row.lost &&
        html`<div class="lost">
          <dt>Lost by caches</dt>
          <dd>${row.lost}</dd>
        </div>`
      }
      <div>
        <dt>First token after</dt>
        <dd>${formatMs(call.first_token_ms)}</dd>
      </div>
    </dl>
    ${
      call.cost_parts.length > 0
        ? html`<${Costs} call=${call} />`
        : call.cost_usd > 0 &&
          html`<p class="soft">
            The cost is not split: it was set per call, in tiers, or at other prices than today's.
          </p>`
    }
    <p>
      <b>Why this call.</b>${" "}${
        call.attempt > 1 ? "The previous attempt failed, and another was allowed. " : ""
      }${WHY[call.role] ?? ""}${" "}${step.notes.map(sayNote).join(" ")}
    </p>
    ${
      call.error_code &&
      html`<p class="bad">
        It
        failed:${" "}<code>${call.error_code}</code>${call.error_message && html` ${makeVisible(call.error_message)}`}
      </p>`
    }
    <p class="soft">Tokens counted by:${" "}${call.usage_source}.</p>
    <p class="row">
      ${["Answer", ...(call.role === "embedding" ? [] : ["Prompt", "Tools"]), "JSON"].map(
        (name) =>
          html`<button
            key=${name}
            class="chip"
            aria-pressed=${part === name}
            onClick=${() => setPart(name)}
          >
            ${name}
          </button>`,
      )}
    </p>
    ${
      part === "Answer"
        ? html`<${Came} call=${call} step=${step} />`
        : part === "JSON"
          ? html`<${Value} value=${call} />`
          : html`<${Sent} runId=${runId} call=${call} part=${part} />`
    }`;
}

const isDecided = ({ update }) => DECISIONS.some((name) => update[name]);

const Decided = ({ step }) =>
  isDecided(step) &&
  html`<dl>
    ${DECISIONS.filter((name) => step.update[name]).map(
      (name) =>
        html`<dt>${toWords(name)}</dt>
          <dd><${Value} value=${step.update[name]} /></dd>`,
    )}
  </dl>`;

function StepPanel({ step }) {
  const { messages = [] } = step.update;
  return html`${step.notes.map((note) => html`<p>${sayNote(note)}</p>`)}
    <${Decided} step=${step} />
    ${step.avoided.map((item) => html`<p class="good">${describeAvoided(item)}</p>`)}
    ${
      messages.length > 0 &&
      html`<h3>Messages</h3>
        <${Parts} messages=${messages} />`
    }
    <p class="soft">
      ${
        step.next === null
          ? "The run ended within this step."
          : `Next: ${step.next === "END" ? "the end" : describeNode(step.next)}.`
      }
    </p>`;
}

const EFFECTS = {
  read: "Only reads.",
  write: "Changes your data.",
  external: "Reaches other services.",
};

const FOUND_LINES = 200;
const AROUND = 6; // lines that are shown beside one that is found

/** A tool's result; of a long one, only the lines near what is searched for. */
function Result({ value }) {
  const [sought, setSought] = useState("");
  const text = toText(value);
  const lines = text.split("\n");
  if (lines.length < 20) return html`<${Value} label="Result" value=${value} />`;
  const has = (line) => line.toLowerCase().includes(sought.toLowerCase());
  const isNear = (_, n) => lines.slice(Math.max(0, n - AROUND), n + AROUND + 1).some(has);
  const found = lines.filter(has).length;
  return html`<label
      >Find in the result<input
        type="search"
        value=${sought}
        onInput=${(event) => setSought(event.target.value)}
    /></label>
    ${
      sought
        ? html`<p class="soft" role="status">
              ${formatOf(found, "line")} of ${formatCount(lines.length)}
            </p>
            <pre tabindex="0">
${lines
                .filter(isNear)
                .slice(0, FOUND_LINES)
                .map(
                  (line, n) => html`<${Marked} key=${n} text=${`${line}\n`} sought=${sought} />`,
                )}</pre>`
        : html`<${Value} label="Result" value=${value} />`
    }`;
}

function ToolPanel({ row }) {
  const part = row.result ?? {};
  const given = row.given && html`<${Value} label="Arguments" value=${row.given} />`;
  if (part.refusal)
    return html`<p>${describeCall(row.tool.name, false, part.refusal)}</p>
      ${part.refusal.reason && html`<p>“${makeVisible(part.refusal.reason)}”</p>`}${given}`;
  return html`<p class="soft">
      <code>${row.tool.name}</code
      >${" "}${EFFECTS[row.tool.effect]}${" "}${describeStatus(row.tool.status)}.
    </p>
    ${given}
    <${Result} value=${part.result ?? part.content ?? part} />`;
}

export function Panel({ row, runId, onClose }) {
  return html`<aside class="card panel-beside" aria-label="The chosen row">
    <div class="row spread">
      <h2 tabindex="-1">${makeVisible(row.name)}</h2>
      <button class="square ghost" onClick=${onClose}><${Icon} name="x" label="Close" /></button>
    </div>
    <p class="soft">
      ${[row.hint, formatMs(row.waited ?? row.ms)].filter(Boolean).map(makeVisible).join(" · ")}
    </p>
    ${
      row.call
        ? html`<${CallPanel} key=${row.key} row=${row} runId=${runId} />`
        : row.helper
          ? html`<p>A separate run: <a href=${`#/runs/${row.helper.run_id}`}>open the run</a>.</p>`
          : row.tool
            ? html`<${ToolPanel} row=${row} />`
            : row.kind === "step" && html`<${StepPanel} step=${row.step} />`
    }
  </aside>`;
}
