// What one step of a run sent, received and decided.
import { useState } from "./vendor.js";
import { get } from "./api.js";
import { Words } from "./diffs.js";
import { getSent, listResults } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Failure, Value, useLoaded } from "./parts.js";
import {
  describeCall,
  describeNode,
  describeStatus,
  formatCount,
  formatMs,
  makeVisible,
  toWords,
} from "./words.js";

const DECISIONS = ["fast_intent", "entity_type", "query", "success_criteria", "feedback"];
const MODEL_ROLES = new Set(["classifier", "router", "worker", "evaluator", "parser", "judge"]);
function Prefix({ prefix }) {
  if (!prefix)
    return html`<p class="soft">
      This model had no earlier call in this role in the conversation, so nothing was cached.
    </p>`;
  const shared = `about ${formatCount(prefix.shared_tokens)} tokens`;
  const before = html`<a href=${`#/runs/${prefix.before_run_id}`}>the call before</a>`;
  if (!prefix.broken_in)
    return html`<p class="good">
      The request starts with all of ${before}: ${shared}, which a provider's cache can hold, then
      about ${formatCount(prefix.behind_tokens)} new ones.
    </p>`;
  const where = prefix.message === null ? prefix.broken_in : `message ${prefix.message + 1}`;
  return html`<p class="bad">
      The request differs from ${before} from <strong>${where}</strong> on: ${shared} are the same;
      about ${formatCount(prefix.behind_tokens)} after them cannot come from a cache.
    </p>
    <${Words} a=${prefix.before} b=${prefix.now} />`;
}

/** What it was asked. part: of what the ledger keeps */
function Sent({ runId, callId, part }) {
  const { data, error, reload } = useLoaded(
    () => get(`/api/runs/${runId}/calls/${callId}`),
    callId,
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
  return html`<${Prefix} prefix=${data.prefix} />
    <${Value} label="Instructions" value=${data.system ?? "none, or no longer stored"} />
    ${data.messages.map((message) => html`<div><span class="soft">${toWords(message.role)}</span><${Parts} messages=${[message]} /></div>`)}
    <p class="soft">
      Rebuilt from the ledger, which stores the texts as they were sent, but not the parameters or
      the provider's format.
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
  return `${what}: ${item.reason}${saved}`;
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
  classifier:
    "Each request is first classified by what the user wants, to choose the worker that answers.",
  router: "The first call did not choose a worker, so this call chose one.",
  worker: "The worker answers, or calls tools.",
  evaluator: "The answer was checked before it was shown.",
  judge: "Two answers were compared.",
  parser: "A file or some text was read.",
};

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
          ${call.cache_read_tokens === null ? "unknown" : formatCount(call.cache_read_tokens)}
        </dd>
      </div>
      <div>
        <dt>Out</dt>
        <dd>${formatCount(call.output_tokens)}</dd>
      </div>
      <div>
        <dt>First token after</dt>
        <dd>${formatMs(call.first_token_ms)}</dd>
      </div>
    </dl>
    <p>
      <b>Why this call.</b>${" "}${
        call.attempt > 1 ? "The previous attempt failed, and one more attempt was allowed. " : ""
      }${WHY[call.role] ?? ""}${" "}${step.notes.map(makeVisible).join(" ")}
    </p>
    ${
      call.error_code &&
      html`<p class="bad">
        It
        failed:${" "}<code>${call.error_code}</code>${call.error_message && html` ${makeVisible(call.error_message)}`}
      </p>`
    }
    ${
      sent > 0 &&
      call.cache_read_tokens !== null &&
      html`<p>
          ${`${Math.round((100 * call.cache_read_tokens) / sent)}% of the prompt came from the cache`}
        </p>
        <svg class="axis lane tool" width="100%" height="8" aria-hidden="true">
          <rect class="ground" rx="4" width="100%" height="8" />
          <rect rx="4" width=${`${(100 * call.cache_read_tokens) / sent}%`} height="8" />
        </svg>`
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
          : html`<${Sent} runId=${runId} callId=${call.call_id} part=${part} />`
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
  return html`${step.notes.map((note) => html`<p>${makeVisible(note)}</p>`)}
    <${Decided} step=${step} />
    ${step.avoided.map((item) => html`<p class="good">${describeAvoided(item)}</p>`)}
    ${
      messages.length > 0 &&
      html`<h3>Messages</h3>
        <${Parts} messages=${messages} />`
    }
    <p class="soft">Next: ${step.next === "END" ? "the end" : describeNode(step.next)}.</p>`;
}

const EFFECTS = {
  read: "Only reads.",
  write: "Changes your data.",
  external: "Reaches other services.",
};

function ToolPanel({ row }) {
  const part = listResults(row.step)[row.at] ?? {};
  if (part.refusal)
    return html`<p>${describeCall(row.tool.name, false, part.refusal)}</p>
      ${part.refusal.reason && html`<p>“${makeVisible(part.refusal.reason)}”</p>`}`;
  return html`<p class="soft">${EFFECTS[row.tool.effect]} ${describeStatus(row.tool.status)}.</p>
    <${Value} label="Result" value=${part.result ?? part.content ?? part} />`;
}

export function Panel({ row, runId, onClose }) {
  return html`<aside class="card panel-beside" aria-label="The chosen row">
    <div class="row spread">
      <h2>${makeVisible(row.name)}</h2>
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
