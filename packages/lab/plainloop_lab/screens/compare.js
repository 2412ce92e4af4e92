// Two runs of chats: which models answered, what each took, and where they differ.
import { useEffect, useState } from "../vendor.js";
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Crumbs, Empty, Failure, More, Status, Wide, useLoaded, usePages } from "../parts.js";
import { getCached, loadRun } from "../run.js";
import { getLost } from "../usage_data.js";
import {
  cutLong,
  describeNode,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  formatTime,
  makeVisible,
  nameChat,
} from "../words.js";
import { chooseCostFormat } from "./amounts.js";
import { Texts } from "./beside.js";
import { Calls } from "./calls.js";
import { Search } from "./search.js";
import "./style.js";

const ROOM = "/api/chat/conversations";
const SIDES = ["a", "b"];
const NONE = "no model";

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

/** Each step with the model that it called. */
const listPath = ({ steps }) =>
  steps.map((step) => [describeNode(step.node), sayModels([step])].filter(Boolean).join(" · "));

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
  [
    "Time",
    ({ run: { created_at: at, ended_at: end } }) => (end ? new Date(end) - new Date(at) : null),
    formatMs,
  ],
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
  const share = (100 * Math.abs(more)) / Number(a);
  const told = Number(a) ? ` (${share < 1 ? "<1" : share.toFixed(0)}%)` : "";
  return `${format(Math.abs(more))} ${word}${told}`;
}

function Both({ sides }) {
  const paths = sides.map(listPath);
  const [a, b] = sides;
  const rows = FACTS.map(([name, read, format]) => {
    const values = sides.map(read);
    const write = format === formatCost ? chooseCostFormat(...values.map(Number)) : format;
    const said = sayDifference(...values, write);
    return [
      html`<b>${name}</b>`,
      ...values.map((value) => (value === null ? "unknown" : write ? write(value) : value)),
      said === "the same" ? html`<span class="soft">${said}</span>` : html`<b>${said}</b>`,
    ];
  });
  const cell = (value) => (typeof value === "string" ? makeVisible(value) : value);
  return html`<div class="sides">
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
                ${cells.map((value, at) => html`<td class=${at ? "" : "name"}>${cell(value)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </${Wide}>
    </div>
    <h2>Answer</h2>
    <${Texts} a=${getAnswer(a.steps)} b=${getAnswer(b.steps)} names=${["Answer A", "Answer B"]} />
    <h2>Steps</h2>
    <div class="two">
      ${paths.map(
        (path, at) =>
          html`<div>
            <h3>${"AB"[at]}</h3>
            <ol aria-label=${`Steps of ${"AB"[at]}`}>
              ${path.map((step) => {
                const tag = paths[1 - at].includes(step) ? "span" : at ? "ins" : "del";
                return html`<li><${tag}>${makeVisible(step)}</${tag}></li>`;
              })}
            </ol>
          </div>`,
      )}
    </div>
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
        ><span>${makeVisible(sayModels(found.steps)) || NONE}</span>
      </p>`
    }
  </section>`;

const nameQuestion = (text) =>
  text ? `“${makeVisible(cutLong(text, 200))}”` : "The agent speaks first";

/** A chat's runs, the newest first, each with the models that answered and their cost. */
async function loadRuns(id) {
  const [{ messages, has_earlier }, { usage }] = await Promise.all([
    get(`${ROOM}/${id}?limit=100`),
    get(withQuery("/api/usage", { by: "run,model", thread_id: id, avoided: false, caches: false })),
  ]);
  const runs = messages
    .filter((item) => item.role === "user" && item.run_id)
    .map((item) => {
      const rows = usage.filter((row) => row.run === item.run_id);
      const costs = rows.map((row) => row.cost_usd);
      return {
        id: item.run_id,
        question: item.content,
        at: item.created_at,
        models: rows.map((row) => row.model).join(", ") || NONE,
        cost: costs.includes(null) ? null : costs.reduce((sum, usd) => sum + Number(usd), 0),
      };
    });
  return { runs: runs.reverse(), has_earlier };
}

function Runs({ id, chosen, onChoose }) {
  const { data, error, reload } = useLoaded(() => loadRuns(id), id);
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  return html`<ol class="plain lines">
    ${data.runs.map(
      (run) =>
        html`<li key=${run.id}>
          <a href=${`#/runs/${run.id}`}
            ><b>${nameQuestion(run.question)}</b
            ><small
              >${formatTime(run.at)} · ${makeVisible(run.models)} · ${formatCost(run.cost)}</small
            ></a
          >${SIDES.map(
            (side) =>
              html`<button
                class="small"
                aria-pressed=${chosen[side] === run.id}
                onClick=${() => onChoose(side, run.id)}
              >
                As ${side.toUpperCase()}
              </button>`,
          )}
        </li>`,
    )}
    ${data.runs.length === 0 && html`<${Empty}>No run yet.</${Empty}>`}
    ${data.has_earlier && html`<p class="soft">Only the newest ${formatOf(data.runs.length, "run")} of this chat.</p>`}
  </ol>`;
}

/** A chat of the list: its runs come when it is opened. */
function Chat({ chat, ...rest }) {
  const [isOpen, setOpen] = useState(false);
  return html`<li>
    <details onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>
        ${nameChat(chat)}${" "}<small class="soft"
          >${formatOf(chat.user_message_count, "question")}, ${formatTime(chat.updated_at)}</small
        >
      </summary>
      ${isOpen && html`<${Runs} id=${chat.id} ...${rest} />`}
    </details>
  </li>`;
}

/** All chats, to find a run of any. */
function Chats({ text, onSeek, ...rest }) {
  const load = async (cursor) => {
    const found = await get(withQuery(ROOM, { kind: "all", text, limit: 50, cursor }));
    return { rows: found.conversations, cursor: found.next_cursor };
  };
  const { rows, cursor, error, isLoading, more } = usePages(load, text);
  return html`<${Search} label="Text in the chat" text=${text} onSeek=${onSeek} />
    <${Failure} error=${error} again=${more} />
    ${!isLoading && !error && rows.length === 0 && html`<${Empty}>No chat matches.</${Empty}>`}
    <ol class="plain">
      ${rows.map((chat) => html`<${Chat} key=${chat.id} chat=${chat} ...${rest} />`)}
    </ol>
    ${isLoading && html`<p class="soft" role="status">Loading the chats…</p>`}
    <${More} key=${text} isThere=${cursor !== null} onMore=${more} />`;
}

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

/** @param {{a?: string, b?: string, text?: string}} props ids of runs, and what chats are searched for */
export function Screen({ a = "", b = "", text = "" }) {
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
    if (both && !b) location.replace(withQuery("#/lab.compare", { ...both, text }));
  }, [both]);
  const go = (change) => (location.hash = withQuery("#/lab.compare", { a, b, text, ...change }));
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"]]}
      title="Compare two runs"
      isScreen
    />
    <div class="two">
      ${SIDES.map((side, at) => html`<${Chosen} side=${side} found=${data?.[at]} />`)}
    </div>
    <${Failure} isWaiting=${isLoading} error=${error} again=${reload} />
    <details class="card" open=${!(a && b)}>
      <summary>Choose runs</summary>
      <${Chats}
        text=${text}
        chosen=${{ a, b }}
        onChoose=${(side, id) => go({ [side]: id })}
        onSeek=${(text) => go({ text })}
      />
    </details>
    ${data?.[0] && data[1] && html`<${Both} sides=${data} />`}`;
}
