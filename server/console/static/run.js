// A run explained: which way it took and why, what every call was, cost, and from where that is known.
import { useMemo, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Words } from "./diffs.js";
import { listResults } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import {
  Copy,
  Crumbs,
  Failure,
  More,
  Way,
  Status,
  Time,
  Value,
  useKeys,
  useLoaded,
} from "./parts.js";
import { useChanges } from "./session.js";
import { Trace, listRows } from "./trace.js";
import {
  cutLong,
  describeCall,
  describeNode,
  describeStatus,
  formatCost,
  formatCount,
  formatDuration,
  formatMs,
  formatOf,
  makeVisible,
  toWords,
} from "./words.js";

const DECISIONS = ["fast_intent", "entity_type", "query", "success_criteria", "feedback"];
const MODEL_ROLES = new Set(["classifier", "router", "worker", "evaluator", "parser", "judge"]);
const PAGE = 100; // steps at once: as many as the route gives

/** limit: of the steps; null: all. */
export const loadRun = async (id, limit = null) => {
  const [run, found] = await Promise.all([
    get(`/api/runs/${id}`),
    get(withQuery(`/api/runs/${id}/steps`, { limit })),
  ]);
  return { run, ...found };
};

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
  if (!data) return html`<${Failure} error=${error} again=${reload} />`;
  if (part === "Tools")
    return data.tools.length
      ? data.tools.map(
          (tool) =>
            html`<details key=${tool.name}>
              <summary>${tool.name}</summary>
              <${Value} value=${tool} />
            </details>`,
        )
      : html`<p class="soft">The model got no tools.</p>`;
  return html`<${Prefix} prefix=${data.prefix} />
    <${Value} label="Instructions" value=${data.system ?? "none, or no longer stored"} />
    ${data.messages.map((message) => html`<div><span class="soft">${toWords(message.role)}</span><${Parts} messages=${[message]} /></div>`)}
    <p class="soft">
      Rebuilt from the ledger: it stores the texts as they were sent, but not the parameters or the
      provider's format.
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

function Parts({ messages }) {
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
  const input = [call.input_tokens, call.cache_read_tokens, call.cache_write_tokens].filter(
    (count) => count !== null,
  );
  const sent = input.length ? input.reduce((sum, count) => sum + count, 0) : null;
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
      html`<p class="row spread">
          <span
            >${`${Math.round((100 * call.cache_read_tokens) / sent)}% of the prompt came from the cache`}</span
          ><span class="soft">${formatCount(call.cache_read_tokens)} of ${formatCount(sent)}</span>
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
    <p class="soft">Then: ${step.next === "END" ? "the end" : describeNode(step.next)}.</p>`;
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

function Panel({ row, runId, onClose }) {
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
          ? html`<p>A separate run: <a href=${`#/runs/${row.helper.run_id}`}>open it</a>.</p>`
          : row.tool
            ? html`<${ToolPanel} row=${row} />`
            : row.kind === "step" && html`<${StepPanel} step=${row.step} />`
    }
  </aside>`;
}

/** What it asked people, and what they said. */
function Asked({ approvals }) {
  if (!approvals.length) return html`<p class="empty">The run requested no approval.</p>`;
  return approvals.map(
    (item) =>
      html`<div class="panel" key=${item.approval_id}>
        <p>
          ${makeVisible(item.question)}${" "}<strong>${toWords(item.status)}</strong>${
            item.decided_by &&
            html` <span class="soft"
              >by ${makeVisible(item.decided_by)}, <${Time} at=${item.decided_at}
            /></span>`
          }
        </p>
        ${item.reason && html`<${Value} label="because" value=${item.reason} />`}
      </div>`,
  );
}

const toCurl = (run) =>
  `curl -s ${location.origin}/api/runs/${run.id}/steps -H "authorization: Bearer $TOKEN"`;

export function RunHead({ run }) {
  return html`<dl>
    <dt>Status</dt>
    <dd>
      <${Status} status=${run.status} />${
        run.error_code &&
        html` <code>${run.error_code}</code
          >${" "}${makeVisible(run.error_message ?? "")}${run.cause && html`<small class="soft">${makeVisible(run.cause)}</small>`}`
      }
    </dd>
    <dt>Started</dt>
    <dd><${Time} at=${run.created_at} /></dd>
    <dt>Duration</dt>
    <dd>${formatDuration(run.created_at, run.ended_at)}</dd>
    <dt>Model calls</dt>
    <dd>${formatCount(run.calls)}</dd>
    <dt>Tokens</dt>
    <dd>
      ${run.calls ? `${formatCount(run.input_tokens)} in · ${formatCount(run.output_tokens)} out` : "none needed"}
    </dd>
    <dt>Cost</dt>
    <dd>${run.calls ? formatCost(run.cost_usd) : "$0"}</dd>
    <dt>Design, pack</dt>
    <dd>${run.design}, ${run.pack}</dd>
  </dl>`;
}

/** From caches, of all that was sent; null where no provider said so. */
function getCached(steps) {
  const calls = steps.flatMap((step) => step.calls);
  const sum = (name) => calls.reduce((total, call) => total + (call[name] ?? 0), 0);
  if (calls.every((call) => call.cache_read_tokens === null)) return null;
  return (
    sum("cache_read_tokens") /
    Math.max(1, sum("input_tokens") + sum("cache_read_tokens") + sum("cache_write_tokens"))
  );
}

function Figures({ run, steps, saved }) {
  const cached = getCached(steps);
  const figures = [
    ["Duration", formatDuration(run.created_at, run.ended_at)],
    ["Cost", run.calls ? formatCost(run.cost_usd) : "$0"],
    [
      "Tokens",
      run.calls
        ? `${formatCount(run.input_tokens)} in · ${formatCount(run.output_tokens)} out`
        : "none needed",
    ],
    ["From cache", cached === null ? "unknown" : `${(100 * cached).toFixed(0)}%`],
    ...(saved > 0 ? [["Tokens saved", `${formatCount(saved)} tokens`]] : []),
  ];
  return html`<dl class="figures">
    ${figures.map(
      ([name, value]) =>
        html`<div key=${name} class=${name === "Tokens saved" ? "good" : ""}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const TABS = { trace: "Trace", approvals: "Approvals", raw: "Raw data" };
const CHIPS = {
  all: ["Everything", () => true],
  model: ["Only model calls", (row) => row.call !== undefined],
  failed: ["Only failed", (row) => row.isFailed],
};

function Steps({ run, steps }) {
  const [chip, setChip] = useState("all");
  const [chosen, setChosen] = useState(null);
  const all = useMemo(() => listRows(steps), [steps]);
  const rows = all.filter(CHIPS[chip][1]);
  const row = all.find((item) => item.key === chosen);
  const move = (by) => {
    const at = rows.findIndex((item) => item.key === chosen);
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next) setChosen(next.key);
  };
  useKeys({ j: () => move(1), k: () => move(-1) });
  return html`<p class="row">
      ${Object.entries(CHIPS).map(
        ([name, [title]]) =>
          html`<button
            key=${name}
            class="chip"
            aria-pressed=${chip === name}
            onClick=${() => setChip(name)}
          >
            ${title}
          </button>`,
      )}
    </p>
    <div class=${row ? "beside trace-beside" : ""}>
      <${Trace}
        rows=${rows}
        chosen=${chosen}
        onChoose=${(key) => setChosen(key === chosen ? null : key)}
      />
      ${row && html`<${Panel} row=${row} runId=${run.id} onClose=${() => setChosen(null)} />`}
    </div>
    ${rows.length === 0 && html`<p class="empty">No rows match.</p>`}`;
}

/** @param {{id: string, tab?: string}} props */
export function Run({ id, tab = "trace" }) {
  const [later, setLater] = useState([]);
  const { data, error, reload } = useLoaded(
    async () => ({
      ...(await loadRun(id, PAGE)),
      ...(await get(`/api/runs/${id}/approvals`)),
      told: await get(`/api/runs/${id}/summary`),
    }),
    id,
  );
  const chat = useLoaded(
    async () =>
      data &&
      Promise.all([
        get(`/api/chat/conversations/${data.run.conversation_id}?limit=1`),
        get(`/api/chat/conversations/${data.run.conversation_id}/runs?limit=${PAGE}`),
      ]),
    data?.run.conversation_id,
  ).data;
  useChanges((change) => change.run_id === id && reload());
  if (!data)
    return html`<h1>Run</h1>
      <${Failure} error=${error} again=${reload} />`;
  const { run, total, avoided_tokens: saved, approvals, told } = data;
  const steps = later.length ? [...data.steps, ...later] : data.steps;
  const loadMore = async () => {
    const found = await get(
      withQuery(`/api/runs/${id}/steps`, { limit: PAGE, after: steps.at(-1).n }),
    );
    setLater([...later, ...found.steps]);
  };
  const copy = (text) => navigator.clipboard?.writeText(text);
  const at = chat ? chat[1].runs.findIndex((item) => item.id === id) : -1;
  const place =
    at >= 0 && chat[1].runs.length < PAGE
      ? `Run ${chat[1].runs.length - at} of ${chat[1].runs.length}`
      : "This run";
  const ways = [
    ["History", "#/history"],
    [
      makeVisible(cutLong(chat?.[0].conversation.title || "Chat", 80)),
      `#/chat/${run.conversation_id}`,
    ],
  ];
  return html`<${Crumbs} way=${ways} here=${place}>
      <span class="row"
        ><button class="small" onClick=${() => copy(toCurl(run))}>Copy as cURL</button
        ><a class="button small" href=${`#/compare?a=${run.id}`}>Compare</a
        ><a class="button small accent" href=${`#/experiments?new=1&chat=${run.conversation_id}`}
          >Try another model</a
        ></span
      ></${Crumbs}
    >
    <h1 class="asked">${run.question ? `“${makeVisible(cutLong(run.question, 300))}”` : "Run"}</h1>
    <p class="row soft">
      <${Status} status=${run.status} /><${Time} at=${run.created_at} /><span
        >Design ${run.design}</span
      >${
        run.caller_run_id &&
        html`<a href=${`#/runs/${run.caller_run_id}`}>Helper of another run</a>`
      }<button class="link" title="Copy the id" onClick=${() => copy(run.id)}>
        <code>${run.id.slice(0, 8)}…${run.id.slice(-4)}</code>
      </button>
    </p>
    <${Figures} run=${run} steps=${steps} saved=${saved} />
    ${
      told.sentences.length > 0 &&
      html`<section class="card remark" aria-label="What happened">
        <${Icon} name="circle-alert" size=${20} />
        <p>
          <b>What happened.</b
          >${" "}${makeVisible(cutLong(told.sentences.join(" ")))}${told.action && html` <${Way} action=${told.action} />`}
        </p>
      </section>`
    }
    <nav class="under" aria-label="Parts of the run">
      ${Object.entries(TABS).map(
        ([name, title]) =>
          html`<a
            key=${name}
            href=${withQuery(`#/runs/${id}`, { tab: name === "trace" ? null : name })}
            aria-current=${tab === name ? "page" : null}
            >${title}${name === "approvals" && ` ${approvals.length}`}</a
          >`,
      )}
    </nav>
    ${tab === "approvals" && html`<${Asked} approvals=${approvals} />`}
    ${
      tab === "raw" &&
      html`<p class="soft">
          Replay the recording with the current code, without model calls:${" "}<code
            >plainloop replay recorded --thread${" "}${run.conversation_id}</code
          >
        </p>
        ${steps.map(
          (step) =>
            html`<details key=${step.n}>
              <summary>${step.n} ${describeNode(step.node)}</summary>
              <${Value} value=${step} />
            </details>`,
        )}`
    }
    ${tab === "trace" && html`<${Steps} run=${run} steps=${steps} />`}
    ${total > steps.length && html`<p class="soft">${formatCount(steps.length)} of ${formatOf(total, "step")}.</p>`}
    <${More} isThere=${total > steps.length} onMore=${loadMore} />`;
}
