// A run explained: which way it took and why, what every call was, cost, and from where that is known.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { Words } from "./diffs.js";
import { html } from "./html.js";
import { Failure, More, Status, Time, Value, Wide, useLoaded } from "./parts.js";
import { formatCost, formatCount, formatDuration, formatMs, formatOf, makeVisible } from "./words.js";

const DECISIONS = ["fast_intent", "entity_type", "query", "success_criteria", "feedback"];
const MODEL_ROLES = new Set(["classifier", "router", "worker", "evaluator", "parser", "judge"]);
const PAGE = 200; // steps at once

/** limit: of the steps; null: all. */
export const loadRun = async (id, limit = null) => {
  const [run, found] = await Promise.all([get(`/api/runs/${id}`), get(withQuery(`/api/runs/${id}/steps`, { limit }))]);
  return { run, ...found };
};

function Prefix({ prefix }) {
  if (!prefix) return html`<p class="soft">The first call of this model in this role in the conversation: nothing was there to be cached.</p>`;
  const shared = `about ${formatCount(prefix.shared_tokens)} tokens`;
  const before = html`<a href=${`#/runs/${prefix.before_run_id}`}>the call before</a>`;
  if (!prefix.broken_in) return html`<p class="good">It begins with all of ${before}: ${shared} that a provider's cache can hold, about ${formatCount(prefix.behind_tokens)} more.</p>`;
  const where = prefix.message === null ? prefix.broken_in : `message ${prefix.message + 1}`;
  return html`<p class="bad">Other than in ${before} from <strong>${where}</strong> on: ${shared} are the same, about ${formatCount(prefix.behind_tokens)} behind them come from no cache.</p>
    <${Words} a=${prefix.before} b=${prefix.now} />`;
}

function Sent({ runId, callId }) {
  const { data, error, reload } = useLoaded(() => get(`/api/runs/${runId}/calls/${callId}`), callId);
  if (!data) return html`<${Failure} error=${error} again=${reload} />`;
  return html`<${Prefix} prefix=${data.prefix} />
    <${Value} label="system prompt" value=${data.system ?? "none, or kept no more"} />
    ${data.messages.map((message) => html`<div><span class="soft">${message.role}</span><${Parts} messages=${[message]} /></div>`)}
    ${data.tools.length > 0 && html`<details><summary>Tools (${data.tools.length}): ${data.tools.map((tool) => tool.name).join(", ")}</summary><${Value} value=${data.tools} /></details>`}
    <p class="soft">Put together again from what the ledger keeps: the texts as they were sent; parameters and the provider's own form are not kept.</p>`;
}

function Asking({ runId, call }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}><summary>What the ${call.role} was asked${call.attempt > 1 && ` (attempt ${call.attempt})`}</summary>${isOpen && html`<${Sent} runId=${runId} callId=${call.call_id} />`}</details>`;
}

function Calls({ calls, runId }) {
  if (!calls.length) return null;
  return html`<${Wide} label="model calls">
    <thead><tr><th class="name">call</th><th class="name">model</th><th>in</th><th>cached</th><th>out</th><th>cost</th><th>time</th><th>first token</th><th class="name">tokens by</th></tr></thead>
    <tbody>${calls.map((call) => html`<tr key=${call.call_id}>
      <td class="name">${call.role}${call.attempt > 1 && ` (attempt ${call.attempt})`}${call.error_code && html`<small class="bad">${call.error_code}</small>`}</td>
      <td class="name">${call.provider}:${call.model}</td>
      <td>${formatCount(call.input_tokens)}</td><td>${formatCount(call.cache_read_tokens)}</td><td>${formatCount(call.output_tokens)}</td>
      <td>${formatCost(call.cost_usd)}</td><td>${formatMs(call.duration_ms)}</td><td>${formatMs(call.first_token_ms)}</td>
      <td class="name">${call.usage_source}</td>
    </tr>`)}</tbody>
  </${Wide}>
  ${calls.filter((call) => call.role !== "embedding").map((call) => html`<${Asking} key=${call.call_id} runId=${runId} call=${call} />`)}`;
}

function describeAvoided(item) {
  const what = MODEL_ROLES.has(item.role) ? `no ${item.role} call` : "shorter";
  const saved = item.tokens ? ` (about ${formatCount(item.tokens)} input tokens saved)` : "";
  return `${what}: ${item.reason}${saved}`;
}

function Parts({ messages }) {
  return html`${messages.flatMap((message) => message.parts).map((part) => {
    if (part.type === "text") return html`<${Value} label="says" value=${part.text} />`;
    if (part.type === "tool_call") return html`<${Value} label=${`asks for ${part.name}`} value=${part.arguments} />`;
    return html`<${Value} label=${`${part.type} ${part.name ?? ""}`} value=${part.result ?? part.content ?? part} />`;
  })}`;
}

function Step({ step, runId }) {
  const { messages = [], ...rest } = step.update;
  const decided = DECISIONS.filter((name) => rest[name]);
  return html`<li class="panel">
    <h3>${step.n} <strong>${step.node}</strong> → ${step.next} <span class="soft">${formatMs(step.duration_ms)}</span></h3>
    ${step.notes.map((note) => html`<p>${makeVisible(note)}</p>`)}
    ${decided.length > 0 && html`<dl>${decided.map((name) => html`<dt>${name.replaceAll("_", " ")}</dt><dd><${Value} value=${rest[name]} /></dd>`)}</dl>`}
    <${Calls} calls=${step.calls} runId=${runId} />
    ${step.avoided.map((item) => html`<p class="good">${describeAvoided(item)}</p>`)}
    ${messages.length > 0 && html`<details><summary>Messages it wrote (${messages.length})</summary><${Parts} messages=${messages} /></details>`}
    <details><summary>Raw update</summary><${Value} value=${step.update} /></details>
  </li>`;
}

/** What it asked people, and what they said. */
function Asked({ approvals }) {
  if (!approvals.length) return null;
  return html`<h2>Asked</h2>
    ${approvals.map((item) => html`<div class="panel" key=${item.approval_id}>
      <p>${makeVisible(item.question)} <strong>${item.status}</strong>${item.decided_by && html` <span class="soft">by ${makeVisible(item.decided_by)}, <${Time} at=${item.decided_at} /></span>`}</p>
      ${item.reason && html`<${Value} label="because" value=${item.reason} />`}
    </div>`)}`;
}

/** The whole conversation again: recorded costs nothing and needs a terminal, live asks models. */
function Again({ run }) {
  const [error, setError] = useState(null);
  const [isSent, setSent] = useState(false);
  const begin = async () => {
    setSent(true);
    try {
      location.hash = `#/replays/${(await request("POST", "/api/replays", { threads: { ids: [run.conversation_id] } })).id}`;
    } catch (failure) {
      setError(failure);
      setSent(false);
    }
  };
  return html`<details><summary>Replay this conversation</summary>
    <p>From the recording, through today's code, without any model call: <code>plainloop replay recorded --thread ${run.conversation_id}</code></p>
    <p class="row"><button disabled=${isSent} onClick=${begin}>Replay it live</button> <span class="soft">models are asked, tools answer from the recording; it costs about what the conversation did, twice</span></p>
    <${Failure} error=${error} />
  </details>`;
}

const toCurl = (run) => `curl -s ${location.origin}/api/runs/${run.id}/steps -H "authorization: Bearer $TOKEN"`;

export function RunHead({ run }) {
  return html`<dl>
    <dt>status</dt><dd><${Status} status=${run.status} />${run.error_code && html` <code>${run.error_code}</code> ${makeVisible(run.error_message ?? "")}`}</dd>
    <dt>begun</dt><dd><${Time} at=${run.created_at} /></dd>
    <dt>took</dt><dd>${formatDuration(run.created_at, run.ended_at)}${run.attempt > 1 && `, attempt ${run.attempt}: earlier processes were lost, their steps kept`}</dd>
    <dt>model calls</dt><dd>${formatCount(run.calls)}</dd>
    <dt>tokens</dt><dd>${run.calls ? `${formatCount(run.input_tokens)} in · ${formatCount(run.output_tokens)} out` : "none needed"}</dd>
    <dt>cost</dt><dd>${run.calls ? formatCost(run.cost_usd) : "$0"}</dd>
    <dt>design, pack</dt><dd>${run.design}, ${run.pack}</dd>
  </dl>`;
}

/** @param {{id: string}} props */
export function Run({ id }) {
  const [later, setLater] = useState([]);
  const { data, error, reload } = useLoaded(async () => ({ ...(await loadRun(id, PAGE)), ...(await get(`/api/runs/${id}/approvals`)) }), id);
  if (!data) return html`<h1>Run</h1><${Failure} error=${error} again=${reload} />`;
  const { run, total, avoided_tokens: saved } = data;
  const steps = [...data.steps, ...later];
  const loadMore = async () => {
    const found = await get(withQuery(`/api/runs/${id}/steps`, { limit: PAGE, after: steps.at(-1).n }));
    setLater([...later, ...found.steps]);
  };
  const again = () => (setLater([]), reload());
  return html`<h1>Run</h1>
    <p class="soft"><code>${run.id}</code></p>
    <p class="row"><a href=${`#/chat/${run.conversation_id}`}>The conversation</a> <a href=${`#/compare?a=${run.id}`}>Compare with …</a> <button class="link" onClick=${() => navigator.clipboard?.writeText(toCurl(run))}>Copy as curl</button> <button class="link" onClick=${again}>Look again</button></p>
    <${RunHead} run=${run} />
    <${Again} run=${run} />
    ${saved > 0 && html`<p class="good">About ${formatCount(saved)} input tokens saved in all.</p>`}
    <${Asked} approvals=${data.approvals} />
    <h2>Steps</h2>
    <ol class="plain">${steps.map((step) => html`<${Step} key=${step.n} step=${step} runId=${run.id} />`)}</ol>
    ${total > steps.length && html`<p class="soft">${formatCount(steps.length)} of ${formatOf(total, "step")}.</p>`}
    <${More} isThere=${total > steps.length} onMore=${loadMore} />`;
}
