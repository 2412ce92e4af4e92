// Two runs of chats: which models answered, what each took, and where they differ.
import { useEffect, useRef, useState } from "../vendor.js";
import { get, withQuery } from "../api.js";
import { compare } from "../diffs.js";
import { sumWork } from "../fold.js";
import { html } from "../html.js";
import { Crumbs, Empty, Failure, More, Status, Wide, useLoaded } from "../parts.js";
import { getCached, loadRun } from "../run.js";
import { getLost } from "../usage_data.js";
import {
  cutLong,
  describeNode,
  formatCost,
  formatCount,
  formatDuration,
  formatMs,
  formatOf,
  formatTime,
  makeVisible,
  nameChat,
  toInner,
} from "../words.js";
import { chooseCostFormat } from "./amounts.js";
import { Texts } from "./beside.js";
import { Calls } from "./calls.js";
import { Search } from "./search.js";
import "./style.js";

const ROOM = "/api/chat/conversations";
const SIDES = ["a", "b"];
const NONE = "no model";
const TIMES = 3; // as much, from which on a percentage says less
const SHORT_MS = 5; // steps without a model that take less stand in one line
const PAGE = 10; // chats, whose runs are read with them
const MOST_PAGES = 6; // read before somebody asks for more
const ROWS = matchMedia("(max-width: 699px)").matches ? 5 : 10; // at once

const listMessages = (steps) => steps.flatMap((step) => step.update.messages ?? []);

const getAnswer = (steps) =>
  listMessages(steps)
    .filter((message) => message.role === "assistant")
    .map((message) =>
      message.parts
        .filter((part) => part.type === "text")
        .map((part) => part.text)
        .join(""),
    )
    .filter(Boolean)
    .at(-1) ?? "";

const listCalls = (steps) =>
  listMessages(steps)
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool_call");

const sayModels = (steps) =>
  [...new Set(steps.flatMap(({ calls }) => calls.map((call) => call.model)))].join(", ");

/** What a step is called among its run's steps: `Letters (2)`. */
function nameSteps(steps) {
  const seen = {};
  return steps.map((step) => {
    const name = describeNode(step.node);
    seen[name] = (seen[name] ?? 0) + 1;
    return seen[name] > 1 ? `${name} (${seen[name]})` : name;
  });
}

/** Two runs' steps, aligned by what they did: `{name, sides: [step or undefined, step or undefined]}`. */
function alignSteps([a, b]) {
  const [left, right] = [a.steps, b.steps].map((steps) => [...steps]);
  const rows = [];
  for (const { tokens, added, removed } of compare(nameSteps(a.steps), nameSteps(b.steps)))
    for (const name of tokens)
      rows.push({
        name,
        sides: [added ? undefined : left.shift(), removed ? undefined : right.shift()],
      });
  return rows;
}

const sumCost = (step) =>
  step.calls.length ? step.calls.reduce((sum, call) => sum + Number(call.cost_usd), 0) : null;

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** Where a run's time went: `5.5 s of 7.6 s: the second model call (claude-opus-5-5)`. */
function sayLongest({ steps }) {
  const total = steps.reduce((sum, step) => sum + step.duration_ms, 0);
  const [longest] = [...steps].sort((a, b) => b.duration_ms - a.duration_ms);
  if (!longest || !total) return "no time to speak of";
  const calling = steps.filter(({ calls }) => calls.length > 0);
  const at = calling.indexOf(longest);
  const what =
    at < 0
      ? toInner(describeNode(longest.node))
      : `the ${calling.length > 1 ? `${ORDINALS[at] ?? `${at + 1}th`} ` : ""}model call (${sayModels([longest])})`;
  return `${formatMs(longest.duration_ms)} of ${formatMs(total)}: ${what}`;
}

/** Models' names, none of which is broken. */
const Models = ({ names }) =>
  names
    .split(", ")
    .map((name) => html`<span key=${name} class="model-name">${makeVisible(name)}</span>${" "}`);

/** Each step's time and cost on both sides, with bars of one scale. */
function Steps({ sides }) {
  const rows = alignSteps(sides);
  const isShown = ({ sides: both }) =>
    both.some((step) => step && (step.duration_ms >= SHORT_MS || step.calls.length > 0));
  const shown = rows.filter(isShown);
  const most = Math.max(
    1,
    ...rows.flatMap(({ sides: both }) => both.map((step) => step?.duration_ms ?? 0)),
  );
  const cell = (step, at) => {
    if (!step) return html`<span class="soft">only in ${"AB"[1 - at]}</span>`;
    const cost = sumCost(step);
    return html`<svg class="axis step-bar" width="100%" height="8" aria-hidden="true">
        <rect rx="4" width=${`${Math.max(0.5, (100 * step.duration_ms) / most)}%`} height="8" />
      </svg>
      <span
        ><a href=${`#/runs/${sides[at].run.id}?step=${step.n}`}>${formatMs(step.duration_ms)}</a
        >${cost !== null && html` <span class="soft">· ${formatCost(cost)}</span>`}</span
      >
      ${step.calls.length > 0 && html`<small class="soft"><${Models} names=${sayModels([step])} /></small>`}`;
  };
  const hidden = rows.length - shown.length;
  return html`<div class="steps-beside">
    <${Wide} label="time and cost of each step">
      <thead>
        <tr>
          <th class="name">Step</th>
          <th class="name">A</th>
          <th class="name">B</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          ({ name, sides: both }) =>
            html`<tr key=${name}>
              <td class="name">${makeVisible(name)}</td>
              ${both.map((step, at) => html`<td class="name">${cell(step, at)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </${Wide}>
    ${hidden > 0 && html`<p class="soft">${formatOf(hidden, "more step")} took less than ${SHORT_MS} ms.</p>`}
  </div>`;
}

const formatShare = (share) => `${(100 * share).toFixed(0)}%`;

/** A run, its steps, and what it sent again at full price that a cache could have held; null: unknown. */
async function loadSide(id) {
  const found = await loadRun(id);
  const { usage } = await get(
    withQuery("/api/usage", { by: "run", thread_id: found.run.conversation_id, avoided: false }),
  );
  const row = usage.find((item) => item.run === id);
  return { ...found, lost: row ? getLost(row) : null };
}

// What is held against each other: its name, how it is read, and how a number of it is written.
const FACTS = [
  ["Model", ({ steps }) => sayModels(steps) || NONE],
  ["Time", ({ run, steps }) => (run.ended_at ? sumWork(run, steps) : null), formatMs],
  ["Cost", ({ run }) => (run.calls ? run.cost_usd : 0), formatCost],
  ["From cache", ({ steps }) => getCached(steps), formatShare],
  ["Lost: sent again at full price", ({ lost }) => lost, formatCost],
  ["Tokens in", ({ run }) => run.input_tokens ?? 0, formatCount],
  ["Tokens out", ({ run }) => run.output_tokens ?? 0, formatCount],
  ["Model calls", ({ run }) => run.calls, formatCount],
  ["Steps", ({ steps }) => steps.length, formatCount],
];

/** `120 ms less (24%)`: what B has more or less than A. */
function sayDifference(a, b, format) {
  if (a === null || b === null) return "unknown";
  if (!format) return a === b ? "the same" : "another";
  const isShare = format === formatShare;
  const more = isShare ? Math.round(100 * b) - Math.round(100 * a) : Number(b) - Number(a);
  if (!more) return "the same";
  const word = more > 0 ? "more" : "less";
  if (isShare) return `${formatOf(Math.abs(more), "point")} ${word}`;
  const times = Number(b) / Number(a);
  if (Number(a) && times >= TIMES)
    return `${formatCount(Math.round(times))} times as ${format === formatMs ? "long" : "much"}`;
  const share = (100 * Math.abs(more)) / Number(a);
  const told = Number(a) ? ` (${share < 1 ? "<1" : share.toFixed(0)}%)` : "";
  return `${format(Math.abs(more))} ${word}${told}`;
}

/** Time and cost of B against A, in a sentence. */
function sayAgainst(sides) {
  const said = ["Time", "Cost"].map((wanted) => {
    const [name, read, format] = FACTS.find(([known]) => known === wanted);
    return `${name.toLowerCase()} ${sayDifference(...sides.map(read), format)}`;
  });
  return `B against A: ${said.join(", ")}.`;
}

function Both({ sides }) {
  const [a, b] = sides;
  const answers = sides.map(({ steps }) => getAnswer(steps));
  const rows = FACTS.map(([name, read, format]) => {
    const values = sides.map(read);
    const write = format === formatCost ? chooseCostFormat(...values.map(Number)) : format;
    const said = sayDifference(...values, write);
    return [
      html`<b>${name}</b>`,
      ...values.map((value) =>
        value === null ? "unknown" : write ? write(value) : html`<${Models} names=${value} />`,
      ),
      said === "the same" || said === "unknown"
        ? html`<span class="soft">${said}</span>`
        : html`<b>${said}</b>`,
    ];
  });
  const cell = (value) => (typeof value === "string" ? makeVisible(value) : value);
  return html`<section class="panel" aria-label="Where the time went">
      <p><b>Where the time went</b></p>
      <p>${sayAgainst(sides)}</p>
      <p>A: ${makeVisible(sayLongest(a))}.</p>
      <p>B: ${makeVisible(sayLongest(b))}.</p>
    </section>
    <div class="sides">
      <${Wide} label="A and B">
        <thead>
          <tr>
            ${["Measure", "A", "B", "B against A"].map((name, at) => html`<th class=${at ? "" : "name"}>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (cells) =>
              html`<tr>
                ${cells.map((value, at) => html`<td class=${at ? "" : "name"} data-head=${["", "A", "B", ""][at] || null}>${cell(value)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </${Wide}>
    </div>
    <h2>Steps</h2>
    <${Steps} sides=${sides} />
    <h2>Answer</h2>
    <${Texts} a=${answers[0]} b=${answers[1]} names=${["Answer A", "Answer B"]} />
    <h2>Tool calls</h2>
    <${Calls} a=${listCalls(a.steps)} b=${listCalls(b.steps)} />`;
}

/** One side: which run it is. */
const Chosen = ({ side, found }) =>
  html`<section class="card" aria-label=${`Run ${side.toUpperCase()}`}>
    <h2>
      ${side.toUpperCase()}:${" "}${
        found
          ? html`<a href=${`#/runs/${found.run.id}`}>${nameQuestion(found.run.question)}</a>`
          : html`<span class="soft">not chosen</span>`
      }
    </h2>
    ${
      found &&
      html`<p class="row soft">
        <${Status} status=${found.run.status} /><span>${formatTime(found.run.created_at)}</span
        ><span
          >${makeVisible(listModels(found.steps.flatMap(({ calls }) => calls)).join(", ")) || NONE}</span
        >
      </p>`
    }
  </section>`;

const nameQuestion = (text) =>
  text ? `“${makeVisible(cutLong(text, 200))}”` : "The agent speaks first";

// Who sorts requests answers none: a run's model is not theirs, unless nobody else was asked.
const SORTERS = ["classifier", "router"];

function listModels(rows) {
  const answering = rows.filter(({ role }) => !SORTERS.includes(role));
  return [...new Set((answering.length ? answering : rows).map(({ model }) => model))];
}

/** A chat's runs, the newest first, each with the models that answered, its time and its cost. */
async function loadRuns(chat) {
  const by = { by: "run,model,role", thread_id: chat.id, avoided: false, caches: false };
  const [{ messages, has_earlier }, { usage }, { runs: ended }] = await Promise.all([
    get(`${ROOM}/${chat.id}?limit=100`),
    get(withQuery("/api/usage", by)),
    get(`${ROOM}/${chat.id}/runs`),
  ]);
  const runs = messages
    .filter((item) => item.role === "user" && item.run_id)
    .map((item) => {
      const rows = usage.filter((row) => row.run === item.run_id);
      const costs = rows.map((row) => row.cost_usd);
      const found = ended.find((run) => run.id === item.run_id);
      return {
        id: item.run_id,
        chat,
        question: item.content,
        at: item.created_at,
        models: listModels(rows),
        took: found ? formatDuration(found.created_at, found.ended_at) : "–",
        cost: costs.includes(null) ? null : costs.reduce((sum, usd) => sum + Number(usd), 0),
      };
    });
  return { runs: runs.reverse(), has_earlier };
}

/**
 * Runs of one's chats by pages, each row with all it shows. wanted: what they have to fit,
 * `{text, beginning, model, except}`; null: none are sought
 */
function useRuns(wanted) {
  const [state, setState] = useState({ rows: [], cursor: null, shown: ROWS, isLoading: true });
  const latest = useRef(null);
  const key = wanted && JSON.stringify(wanted);
  const fits = ({ id, question, models }) =>
    id !== wanted.except &&
    (question ?? "").toLowerCase().startsWith((wanted.beginning ?? "").toLowerCase()) &&
    (!wanted.model || models.includes(wanted.model));
  const load = async (before) => {
    const own = (latest.current = {});
    const tell = (now) => latest.current === own && setState({ ...before, key, ...now });
    let { rows, cursor } = before;
    tell({ isLoading: true });
    try {
      for (let pages = 0; pages < MOST_PAGES && rows.length < before.shown; pages += 1) {
        const asked = { kind: "all", text: wanted.text, limit: PAGE, cursor };
        const found = await get(withQuery(ROOM, asked));
        const chats = await Promise.all(found.conversations.map(loadRuns));
        rows = [...rows, ...chats.flatMap(({ runs }) => runs.filter(fits))];
        cursor = found.next_cursor;
        if (cursor === null || latest.current !== own) break;
      }
      tell({ rows, cursor, isLoading: false, isKnown: true });
    } catch (error) {
      tell({ error, rows, cursor, isLoading: false, isKnown: true });
    }
  };
  const begin = () => load({ rows: [], cursor: null, shown: ROWS });
  useEffect(() => {
    if (wanted) void begin();
    return () => (latest.current = null);
  }, [key]);
  const more = () => {
    const next = { ...state, error: null, shown: state.shown + ROWS };
    return state.rows.length >= next.shown || state.cursor === null ? setState(next) : load(next);
  };
  const isKnown = !wanted || (state.key === key && state.isKnown);
  return { ...state, isKnown, more, again: begin };
}

/** A run, which becomes A or B by one click. */
const RunRow = ({ run, chosen, onChoose }) =>
  html`<li class="run-row">
    <a href=${`#/runs/${run.id}`}
      ><b>${nameQuestion(run.question)}</b
      ><small>${nameChat(run.chat)} · ${formatTime(run.at)}</small></a
    ><span class="facts"
      ><span>${makeVisible(run.models.join(", ")) || NONE}</span><span>${run.took}</span
      ><span>${formatCost(run.cost)}</span><span class="when">${formatTime(run.at)}</span></span
    ><span class="row"
      >${SIDES.map(
        (side) =>
          html`<button
            class="small"
            aria-pressed=${chosen[side] === run.id}
            onClick=${() => onChoose(side, run.id)}
          >
            As ${side.toUpperCase()}
          </button>`,
      )}</span
    >
  </li>`;

const Runs = ({ found, title, none, ...rest }) =>
  html`<h3>${title}</h3>
    <${Failure} error=${found.error} again=${found.again} />
    ${
      !found.isLoading &&
      !found.error &&
      found.rows.length === 0 &&
      found.cursor === null &&
      html`<${Empty}>${none}</${Empty}>`
    }
    <ol class="plain lines">
      ${found.rows.slice(0, found.shown).map((run) => html`<${RunRow} key=${run.id} run=${run} ...${rest} />`)}
    </ol>
    ${found.isLoading && html`<p class="soft" role="status">Loading the chats…</p>`}
    <${More}
      isThere=${found.rows.length > found.shown || found.cursor !== null}
      onMore=${found.more}
    />`;

/** The lists that are chosen from: like questions stand below, so that no choice moves a row. */
function Choice({ alike, except, text, model, ...rest }) {
  const isAlike = Boolean(alike && !text);
  const like = useRuns(isAlike ? { text: alike, beginning: alike, model, except } : null);
  const all = useRuns({ text, model });
  const loading = html`<p class="soft" role="status">Loading the chats…</p>`;
  if (!all.isKnown) return loading;
  return html`<div class="choice">
    <${Runs}
      found=${all}
      title=${text ? "Chats found" : "Newest chats"}
      none="No chat matches."
      ...${rest}
    />
    ${
      isAlike &&
      (like.isKnown
        ? html`<${Runs}
            found=${like}
            title=${`Questions like the chosen one: “${alike}…”`}
            none="No other question begins so."
            ...${rest}
          />`
        : loading)
    }
  </div>`;
}

/** The models that one's chats used, to choose by. */
async function loadModels() {
  const { usage } = await get(
    withQuery("/api/usage", { by: "model,role", avoided: false, caches: false, origin: "own" }),
  );
  return listModels(usage).sort();
}

const ALIKE_WORDS = 3;

/** The words with which a question begins: others that begin so are worth comparing; "": none. */
const getBeginning = (question) => (question ?? "").split(/\s+/).slice(0, ALIKE_WORDS).join(" ");

/** The run of the version of the same message before that of this run, or else of the next one. */
async function findOtherVersion({ run }) {
  const { messages, versions } = await get(`${ROOM}/${run.conversation_id}?limit=100`);
  const own = messages.find((item) => item.role === "user" && item.run_id === run.id);
  const version = versions.find(({ position }) => position === own?.position);
  if (!version) return null;
  const { conversation_ids: chats, at, position } = version;
  const found = await get(`${ROOM}/${chats[at - 1] ?? chats[at + 1]}?limit=100`);
  const other = found.messages.find((item) => item.role === "user" && item.position === position);
  if (!other?.run_id) return null;
  return at > 0 ? { a: other.run_id, b: run.id } : { a: run.id, b: other.run_id };
}

/** @param {{a?: string, b?: string, text?: string, model?: string}} props ids of runs, and what chats are searched for */
export function Screen({ a = "", b = "", text = "", model = "" }) {
  const { data, error, isLoading, reload } = useLoaded(
    () => Promise.all([a, b].map((id) => (id ? loadSide(id) : null))),
    `${a} ${b}`,
  );
  const isOpen = data?.[0] && !b;
  const { data: both } = useLoaded(
    async () => (isOpen ? findOtherVersion(data[0]) : null),
    `${a} ${isOpen}`,
  );
  useEffect(() => {
    if (both && !b) location.replace(withQuery("#/lab.compare", { ...both, text, model }));
  }, [both]);
  const go = (change) =>
    (location.hash = withQuery("#/lab.compare", { a, b, text, model, ...change }));
  const choice = { chosen: { a, b }, onChoose: (side, id) => go({ [side]: id }) };
  const { data: models } = useLoaded(loadModels, "");
  const alike = getBeginning((data?.[0] ?? data?.[1])?.run.question);
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"]]}
      title="Compare two runs"
      isScreen
    />
    <div class="two pair">
      ${SIDES.map((side, at) => html`<${Chosen} side=${side} found=${data?.[at]} />`)}
    </div>
    <${Failure} isWaiting=${isLoading} error=${error} again=${reload} />
    <details class="card" open=${!(a && b)}>
      <summary>Choose runs</summary>
      <${Search} label="Text in the chat" text=${text} onSeek=${(text) => go({ text })}>
        <label
          >Model<select value=${model} onChange=${(event) => go({ model: event.target.value })}>
            <option value="">Any</option>
            ${[...new Set([...(models ?? []), model])]
              .filter(Boolean)
              .map((name) => html`<option key=${name} value=${name}>${makeVisible(name)}</option>`)}
          </select></label
        >
      </${Search}>
      ${
        (data || !(a || b)) &&
        html`<${Choice} alike=${alike} except=${a || b} text=${text} model=${model} ...${choice} />`
      }
      <p class="soft">
        Your own chats are listed. Other people's chats show their titles, models and costs, in
        History.
      </p>
    </details>
    ${data?.[0] && data[1] && html`<${Both} sides=${data} />`}`;
}
