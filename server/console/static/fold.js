// A run's events folded into what is shown of it. Pure: the same events, the same picture.

/** What is shown of a run of which nothing is known yet. */
export function startRun(id = null) {
  return {
    id,
    status: "running",
    text: "",
    output: null, // of an answer that is an object: it
    struck: [], // attempts that a retry made void: {text, reason}
    steps: [], // {n, node, next, status, calls, tools, atMs, ms}
    questions: new Map(), // approval_id → {…request, status}
    notices: [],
    place: null, // in the queue; null: it is at work
    error: null,
    model: "",
    seq: 0,
    told: 0, // the last event that was more than words
    isStored: false, // its messages have been read
  };
}

function currentStep(run) {
  if (!run.steps.length)
    run.steps.push({ n: 0, node: "…", status: "running", calls: [], tools: [], atMs: 0, ms: null });
  return run.steps.at(-1);
}

function findTool(run, id) {
  for (let i = run.steps.length - 1; i >= 0; i--) {
    const found = run.steps[i].tools.find((tool) => tool.id === id);
    if (found) return found;
  }
  return null;
}

const FOLDS = {
  queued: (run, data) => {
    run.place = data.place;
  },
  run_start: (run, data) => {
    run.id = data.run_id;
    run.place = null;
    run.model = data.model;
  },
  node_start: (run, data, nowMs) => {
    const known = run.steps.find((step) => step.n === data.step);
    const step = {
      n: data.step,
      node: data.node,
      status: "running",
      calls: [],
      tools: [],
      atMs: nowMs,
      ms: null,
    };
    if (known)
      Object.assign(known, step); // another process took the run up
    else run.steps.push(step);
  },
  node_end: (run, data, nowMs) => {
    const step = run.steps.find((item) => item.n === data.step);
    if (!step) return;
    Object.assign(step, {
      status: "done",
      next: data.next,
      ms: run.known?.get(step.n) ?? nowMs - step.atMs,
    });
  },
  text_delta: (run, data) => {
    run.text += data.content;
  },
  text_reset: (run, data) => {
    if (run.text) run.struck.push({ text: run.text, reason: data.reason });
    run.text = "";
  },
  tool_start: (run, data) => {
    const known = findTool(run, data.id);
    if (known)
      known.arguments ??= data.arguments; // a helper works before its call is told
    else currentStep(run).tools.push({ ...data, status: "running" });
  },
  helper: (run, data) => {
    let tool = findTool(run, data.id);
    if (!tool)
      currentStep(run).tools.push(
        (tool = { id: data.id, name: `ask_${data.worker}`, status: "running" }),
      );
    (tool.told ??= []).push(data);
  },
  tool_result: (run, data) => settle(run, data, { status: "done", result: data.result }),
  tool_error: (run, data) => {
    const asked = [...run.questions.values()].find((item) => item.id === data.id);
    const refusal =
      asked && ["denied", "expired", "consumed"].includes(asked.status)
        ? { status: asked.status }
        : undefined;
    // Of what was declined the error is for the model.
    settle(run, data, {
      status: refusal ? "denied" : "failed",
      refusal,
      error: refusal ? undefined : data.error,
      result: undefined,
    });
  },
  usage: (run, data) => {
    currentStep(run).calls.push(data);
  },
  approval_request: (run, data) => {
    run.questions.set(data.approval_id, { ...data, status: "pending" });
    run.status = "waiting";
  },
  approval_decision: (run, data) => {
    const question = run.questions.get(data.approval_id);
    if (question) question.status = data.status;
    run.status = "running";
  },
  budget: (run, data) => {
    run.notices.push(data.message);
  },
  done: (run, data) => {
    run.text = data.content;
    run.output = data.output ?? null;
    run.status = "succeeded";
  },
  error: (run, data) => {
    run.error = data;
    run.status = data.code === "CANCELLED" ? "cancelled" : "failed";
  },
};

function settle(run, data, how) {
  const tool = findTool(run, data.id);
  if (tool) Object.assign(tool, how);
  else currentStep(run).tools.push({ ...data, ...how });
}

/** Fold one event in; an event that was seen already changes nothing. */
export function foldEvent(run, event, nowMs = 0) {
  if (event.seq <= run.seq) return run;
  run.seq = event.seq;
  if (event.event !== "text_delta") run.told = event.seq;
  FOLDS[event.event]?.(run, event.data, nowMs);
  return run;
}

/** The results of a step's tool calls, in their order. */
export const listResults = ({ update }) =>
  (update.messages ?? [])
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool_result");

/** The sum of those that are known; null: none is. */
const sumKnown = (counts) => {
  const known = counts.filter(Number.isFinite);
  return known.length ? known.reduce((a, b) => a + b) : null;
};

/** All that was sent with a stored call, caches included. */
export const getSent = (call) =>
  sumKnown([
    call.input_tokens,
    call.cache_read_tokens,
    call.cache_write_tokens,
    call.cache_write_long_tokens,
  ]);

/** How long a finished run worked, ms: without the hours in which it waited for a decision. */
export const sumWork = (run, steps) =>
  run.status === "succeeded" && steps[0]?.n === 0
    ? steps.reduce((ms, step) => ms + step.duration_ms, 0)
    : new Date(run.ended_at) - new Date(run.created_at);

/** The same picture of a run that is over, from what is kept of it: its times are those of then. */
export function fromStored(run, found, earlier) {
  const steps = found.steps.map(({ n, node, next, calls, tools, update, duration_ms: ms }) => {
    const results = listResults({ update });
    return {
      n,
      node,
      next,
      status: "done",
      calls: calls.map((call) => ({
        ...call,
        source: call.usage_source,
        input_tokens: getSent(call), // as events state it
        output_tokens: sumKnown([call.output_tokens, call.reasoning_tokens]),
      })),
      tools: tools.map((tool, at) => ({
        ...tool,
        refusal: results[at]?.refusal,
        result: results[at]?.refusal ? undefined : results[at]?.result,
      })),
      ms,
    };
  });
  const totals = {
    ms: run.ended_at ? sumWork(run, found.steps) : null,
    cost: run.calls ? run.cost_usd : 0,
    tokens: sumKnown([run.input_tokens, run.output_tokens]) ?? (run.calls ? null : 0),
    saved: found.avoided_tokens,
  };
  return { ...startRun(run.id), status: run.status, steps, totals, earlier, isStored: true };
}

/** Tokens of a run's calls so far; null: none were stated. */
export const sumTokens = (run) =>
  sumKnown(
    run.steps.flatMap((step) =>
      step.calls.flatMap((call) => [call.input_tokens, call.output_tokens]),
    ),
  );
