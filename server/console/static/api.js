// The public API, as the console asks it: JSON in and out, errors with their code and hint.

const OWN = { "x-plainloop-console": "1" };

class ApiError extends Error {
  /** @param {number} status 0: no answer at all */
  constructor(
    status,
    { code = "NO_ANSWER", message = "the server does not answer", hint = null, action = null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.action = action; // {screen, label}: where one can do something about it
  }
}

async function ask(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0);
  }
}

async function check(answer) {
  if (answer.ok) return answer;
  let told = {};
  try {
    told = (await answer.json()).error ?? {};
  } catch {
    told = { code: `HTTP_${answer.status}`, message: answer.statusText };
  }
  throw new ApiError(answer.status, told);
}

/** @returns {Promise<any>} the answer's JSON; null for an empty one */
export async function request(method, path, body, headers = {}) {
  // What is deleted as the page is left is deleted all the same.
  const keepalive = method === "DELETE";
  const options = {
    method,
    keepalive,
    headers: { ...OWN, accept: "application/json", ...headers },
  };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  const answer = await check(await ask(path, options));
  return answer.status === 204 ? null : answer.json();
}

/** A file's bytes as they are. @returns {Promise<any>} the answer's JSON */
export async function upload(path, file, parameters) {
  const headers = {
    ...OWN,
    accept: "application/json",
    "content-type": file.type || "application/octet-stream",
  };
  const answer = await check(
    await ask(withQuery(path, { filename: file.name, ...parameters }), {
      method: "POST",
      headers,
      body: file,
    }),
  );
  return answer.json();
}

export const get = (path) => request("GET", path);

/** `/api/x` with those parameters that are set. */
export function withQuery(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== "" && value !== null && value !== undefined) query.append(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

// Only a secure context has randomUUID, and a laptop's neighbour on the LAN is none.
function makeKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ENDS = new Set(["done", "error"]);
const PAUSES_MS = [200, 500, 1000, 2000, 5000];

/** Longer after each try, and over at once when the browser is online again. */
function pause(tries, signal) {
  return new Promise((resolve, reject) => {
    const over = new AbortController(); // who waits all day leaves no listeners behind
    const end = (settle, value) => () => {
      clearTimeout(timer);
      over.abort();
      settle(value);
    };
    const timer = setTimeout(end(resolve), PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
    addEventListener("online", end(resolve), { signal: over.signal });
    signal.addEventListener("abort", end(reject, new DOMException("left", "AbortError")), {
      signal: over.signal,
    });
  });
}

// A 5xx is a replica that stops, or a proxy without one; what is wrong with us stays wrong.
const mayPass = (error) =>
  error instanceof ApiError &&
  error.code !== "QUEUE_FULL" &&
  (error.status === 0 || error.status === 429 || error.status >= 500);

/** What `ask` gives, asked again for as long as there is no answer and somebody waits for it. */
export async function untilAnswered(ask, { signal, onState }) {
  for (let tries = 0; ; tries++) {
    try {
      const given = await ask();
      onState?.(true);
      return given;
    } catch (error) {
      if (!mayPass(error)) throw error;
    }
    onState?.(false);
    await pause(tries, signal);
  }
}

/** One HTTP answer's events, as they come. Throws ApiError; ends when the stream does. */
async function* readEvents(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** `{seq, event, data}` of an SSE block; null for a comment. */
function parseEvent(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).trimStart();
  }
  if (!fields.data) return null;
  return { seq: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) };
}

/** Begin a run and leave its stream to whoever follows the conversation; sent once, whenever there is a line. */
export async function post(path, body, { signal, onState }) {
  const headers = {
    ...OWN,
    accept: "text/event-stream",
    "content-type": "application/json",
    "idempotency-key": makeKey(),
  };
  const said = { method: "POST", headers, body: JSON.stringify(body) }; // whoever leaves meanwhile has said it
  const answer = await untilAnswered(async () => check(await ask(path, said)), { signal, onState });
  answer.body?.cancel().catch(() => {});
  return answer.headers.get("x-conversation-id"); // of a branch it is another one
}

/**
 * Every event of a run, once and in order, until `done` or `error`: a stream that breaks off is
 * opened again behind the last event seen, for as long as somebody watches.
 *
 * @param {{conversation: string, runId?: string, message?: object, path?: string, after?: number}} what
 *   message: what is said (and begins the run), by default in the conversation, at `path`; else the given run, or the active one
 * @param {{signal: AbortSignal, onRun?: (runId: string) => void, onState?: (isOpen: boolean) => void}} view
 */
export async function* watchRun(what, { signal, onRun, onState }) {
  const base = `/api/chat/conversations/${what.conversation}`;
  const headers = { ...OWN, accept: "text/event-stream" };
  // Whoever leaves while a message is on its way has said it: only its answer is not waited for.
  const sending = new AbortController();
  let isSent = false;
  signal.addEventListener("abort", () => isSent && sending.abort(), { once: true });
  const said = what.message && {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": makeKey() },
    body: JSON.stringify(what.message),
    signal: sending.signal,
  };
  let { runId, after = 0 } = what;
  for (let tries = 0; ;) {
    try {
      const path = withQuery(`${base}/stream`, { run_id: runId, after });
      const answer = await check(
        await (said && !runId
          ? ask(what.path ?? `${base}/messages`, said)
          : ask(path, { headers, signal })),
      );
      isSent = true;
      if (answer.status === 204) return;
      runId = answer.headers.get("x-run-id") ?? runId;
      onRun?.(runId);
      onState?.(true);
      if (signal.aborted) return sending.abort();
      for await (const event of readEvents(answer)) {
        if (event.seq <= after) continue;
        tries = 0;
        after = event.seq;
        yield event;
        if (ENDS.has(event.event)) return;
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error instanceof ApiError && !mayPass(error)) throw error; // else the stream broke off
    }
    onState?.(false);
    try {
      await pause(tries++, signal);
    } catch {
      return;
    }
  }
}

/**
 * What changes of one's own, until `signal`: `reset` when all of it is to be looked at. A stream
 * that breaks off is taken up again; what was seen then may come once more.
 */
export async function* watchChanges({ signal }) {
  const headers = { ...OWN, accept: "text/event-stream" };
  for (let tries = 0, after = null; ; tries++) {
    try {
      const answer = await check(
        await ask(withQuery("/api/changes", { after }), { headers, signal }),
      );
      for await (const { seq, event, data } of readEvents(answer)) {
        tries = 0;
        after = seq;
        if (event !== "resumed") yield event === "change" ? data : { status: event };
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error instanceof ApiError && !mayPass(error)) throw error; // else the stream broke off
    }
    try {
      await pause(tries, signal);
    } catch {
      return;
    }
  }
}
