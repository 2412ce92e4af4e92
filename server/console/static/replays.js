// Live replays: how far each is, what it came to, and its conversations; any two runs side by side.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Answer, Answers, Conversation } from "./beside.js";
import { Calls, Words } from "./diffs.js";
import { html } from "./html.js";
import { useChange } from "./access.js";
import { Changed, NewExperiment } from "./experiment.js";
import { Icon } from "./icon.js";
import { Crumbs, Empty, Failure, More, Status, Time, useLoaded, usePages } from "./parts.js";
import { FORMS, Report } from "./report.js";
import { Figures, loadRun } from "./run.js";
import {
  cutLong,
  describeNode,
  formatCost,
  formatCount,
  formatOf,
  formatTime,
  makeVisible,
  nameChat,
  toWords,
} from "./words.js";

const LOOK_MS = 5_000; // while it goes on
const MOST_LOOKS = 60; // at a list for verdicts
const OUTCOMES = {
  "": "All",
  worse: "Worse",
  better: "Better",
  same: "The same",
  unfinished: "Unfinished",
};
const STYLES = { worse: "bad", better: "good" };

/** @param {{id?: string, n?: string, outcome?: string, text?: string}} props n: a conversation's place in the replay */
export function Replays({ id, n, outcome = "", text = "", ...rest }) {
  const { data, error, reload } = useLoaded(
    () => get(id ? `/api/replays/${id}?report=false` : "/api/replays"),
    id,
  );
  const [turn, setTurn] = useState(0);
  const again = () => (setTurn((now) => now + 1), reload());
  const isOpen = id && data?.replay.ended_at === null;
  // A verdict is computed after the end; of a run that was stopped or failed there may be none.
  const isDue = turn < MOST_LOOKS && data?.replays?.some(awaitsVerdict);
  useEffect(() => {
    if (!isOpen && !isDue) return;
    const timer = setTimeout(again, LOOK_MS);
    return () => clearTimeout(timer);
  }, [isOpen, isDue, turn]);
  if (!id && (rest.new || rest.like)) return html`<${NewExperiment} ...${rest} />`;
  if (!data)
    return html`<h1>Experiments</h1>
      <${Failure} isWaiting error=${error} again=${reload} />`;
  if (!id) return html`<${List} replays=${data.replays} />`;
  if (n && rest.turn)
    return html`<${Answer}
      key=${`${n} ${rest.turn}`}
      id=${id}
      n=${n}
      turn=${rest.turn}
      name=${data.replay.name}
    />`;
  if (n)
    return html`<${Conversation}
      key=${n}
      id=${id}
      n=${Number(n)}
      name=${data.replay.name}
      total=${countItems(data.replay) / data.replay.lanes.length}
    />`;
  return html`<${Head} ...${data} again=${again} />
    <${Failure} error=${error} again=${reload} />
    <${Report} replay=${data.replay} turn=${turn} />
    ${!isOpen && html`<${Answers} id=${id} />`}
    <${Conversations} id=${id} turn=${turn} outcome=${outcome} text=${text} />`;
}

const awaitsVerdict = ({ verdict, status }) =>
  !verdict && ["queued", "running", "succeeded"].includes(status);

function Outcome({ replay }) {
  const { verdict } = replay;
  if (!verdict || replay.status !== "succeeded") return html`<${Status} status=${replay.status} />`;
  const [style, , word] = FORMS[verdict];
  return html`<span class=${`status ${style}`}>${word}</span>`;
}

/** `stored threads, 26 drawn with seed 0` → `26 conversations` */
const saySource = ({ source }) => {
  const drawn = source.match(/(\d+) drawn/)?.[1];
  return drawn
    ? formatOf(Number(drawn), "conversation")
    : makeVisible(source.replace("stored threads", "chosen conversations"));
};

function List({ replays }) {
  return html`<div class="row spread">
      <h1>Experiments</h1>
      <span class="row"
        ><a class="button" href="#/advice">Advice</a
        ><a class="button" href="#/compare">Compare two runs</a
        ><a class="button accent" href="#/experiments?new=1"
          ><${Icon} name="plus" />New experiment</a
        ></span
      >
    </div>
    ${
      replays.length === 0 &&
      html`<${Empty}
        ><${Icon} name="scale" size=${20} /> Could another model answer? An experiment answers your
        conversations again with both models, and shows which answers got worse.</${Empty}
      >`
    }
    <ol class="plain rows whole">
      ${replays.map(
        (item) =>
          html`<li key=${item.id}>
            <a href=${`#/experiments/${item.id}`}
              ><b>${makeVisible(item.name)}</b
              ><span class="soft">${saySource(item)}, ${formatCost(item.cost_usd)}</span
              ><${Outcome} replay=${item} /><${Time} at=${item.created_at}
            /></a>
          </li>`,
      )}
    </ol>`;
}

const countItems = (replay) => Object.values(replay.items).reduce((sum, count) => sum + count, 0);

function Head({ replay, candidate, again }) {
  const { isBusy, error, change } = useChange(again);
  const { items } = replay;
  const [open, total] = [(items.queued ?? 0) + (items.running ?? 0), countItems(replay)];
  const count = Math.ceil(total / replay.lanes.length);
  return html`<${Crumbs}
      way=${[["Experiments", "#/experiments"]]}
      title=${makeVisible(replay.name)}
    />
    <${Changed} prompts=${candidate.prompts} />
    <p class="row soft">
      <${Status} status=${replay.status} /><span title=${makeVisible(replay.source)}
        >${`${formatOf(count, "conversation")}, ${
          open
            ? `${formatCount(total - open)} of ${formatCount(total)} sides done`
            : "all sides done"
        }, cost ${formatCost(replay.cost_usd)}${
          replay.max_cost_usd ? ` of ${formatCost(replay.max_cost_usd)} allowed` : ""
        }`}</span
      >${
        replay.ended_at === null
          ? html`<button
              class="small"
              disabled=${isBusy}
              onClick=${() => change("POST", `/api/replays/${replay.id}/cancel`)}
            >
              <${Icon} name="square" size=${14} />Stop
            </button>`
          : replay.source.includes("drawn") &&
            html`<a class="button small" href=${`#/experiments?like=${replay.id}&sample=${count}`}
              >Try again</a
            >`
      }
    </p>
    ${replay.reason && html`<p class="notice">${makeVisible(replay.reason)}</p>`}
    <${Failure} error=${error} />
    ${open > 0 && html`<progress aria-label="finished sides" max=${total} value=${total - open}></progress>`}`;
}

function Row({ id, item }) {
  const worse = item.worse.length > 0 && `: ${item.worse.map(toWords).join(", ").toLowerCase()}`;
  return html`<li>
    <a href=${`#/experiments/${id}?n=${item.n}`}
      ><b>${makeVisible(item.said || item.conversation_id)}</b>
      <span class=${STYLES[item.outcome] ?? "soft"}>${OUTCOMES[item.outcome]}${worse}</span
      ><span class="soft"
        >${formatOf(item.turns, "question")}${item.people && ` · people: ${item.people}`}</span
      ></a
    >
  </li>`;
}

function Conversations({ id, turn, outcome, text }) {
  const [sought, setSought] = useState(text);
  const path = `/api/replays/${id}/conversations`;
  const load = async (cursor) => {
    const found = await get(withQuery(path, { outcome, text, cursor }));
    return { rows: found.conversations, cursor: found.next_cursor };
  };
  const { rows, cursor, error, isLoading, more } = usePages(load, `${turn} ${outcome} ${text}`);
  useEffect(() => setSought(text), [text]);
  const go = (change) =>
    (location.hash = withQuery(`#/experiments/${id}`, { outcome, text, ...change }));
  const seek = (event) => {
    event.preventDefault();
    go({ text: sought.trim() });
  };
  return html`<h2>All conversations</h2>
    <form role="search" onSubmit=${seek}>
      <label
        >Outcome<select value=${outcome} onChange=${(event) => go({ outcome: event.target.value })}>
          ${Object.entries(OUTCOMES).map(([value, title]) => html`<option value=${value}>${title}</option>`)}
        </select></label
      >
      <label
        >Text in the conversation<input
          type="search"
          id="search"
          maxlength="200"
          value=${sought}
          onInput=${(event) => setSought(event.target.value)}
      /></label>
      <button>Search</button>
    </form>
    <${Failure} error=${error} again=${more} />
    ${!isLoading && !error && rows.length === 0 && html`<${Empty}>No conversation matches.</${Empty}>`}
    <ol class="plain rows">
      ${rows.map((item) => html`<${Row} key=${item.n} id=${id} item=${item} />`)}
    </ol>
    ${isLoading && html`<p class="soft" role="status">Loading…${cursor && ` ${formatCount(Number(cursor))} seen`}</p>`}
    <${More} key=${`${turn} ${outcome} ${text}`} isThere=${cursor !== null} onMore=${more} />`;
}

const ROOM = "/api/chat/conversations";

const getAnswer = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .filter((message) => message.role === "assistant")
    .map((message) =>
      message.parts
        .filter((part) => part.type === "text")
        .map((part) => part.text)
        .join(""),
    )
    .filter(Boolean)
    .at(-1) ?? "";

const sayModels = (steps) =>
  [...new Set(steps.flatMap(({ calls }) => calls.map((call) => call.model)))].join(", ") ||
  "no model";

const listCalls = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool_call");

function Both({ a, b }) {
  const path = ({ steps }) => steps.map((step) => describeNode(step.node));
  return html`<div class="two">
      ${[a, b].map(
        (side, at) =>
          html`<div>
            <h2>
              <a href=${`#/runs/${side.run.id}`}>${"AB"[at]}</a>:
              “${makeVisible(cutLong(side.run.question ?? "", 200))}”
            </h2>
            <${Status} status=${side.run.status} />${" "}<${Time} at=${side.run.created_at} />
            <p>${sayModels(side.steps)}</p>
            <${Figures} ...${side} />
            <ol aria-label="Steps">
              ${path(side).map((step) => {
                const tag = path(at ? a : b).includes(step) ? "span" : at ? "ins" : "del";
                return html`<li><${tag}>${step}</${tag}></li>`;
              })}
            </ol>
          </div>`,
      )}
    </div>
    <h2>Answer</h2>
    <${Words} a=${getAnswer(a.steps)} b=${getAnswer(b.steps)} />
    <h2>Tool calls</h2>
    <${Calls} a=${listCalls(a.steps)} b=${listCalls(b.steps)} />`;
}

/** The newest chats, each with the questions of its newest runs. */
async function loadChoices() {
  const { conversations } = await get(`${ROOM}?limit=20`);
  const listed = conversations.map(async (chat) => ({
    title: nameChat(chat),
    runs: (await get(`${ROOM}/${chat.id}?limit=50`)).messages.filter(
      (item) => item.role === "user" && item.run_id,
    ),
  }));
  return Promise.all(listed);
}

/** @param {{a?: string, b?: string}} props ids of runs */
export function Compare({ a = "", b = "" }) {
  const { data: chats } = useLoaded(loadChoices, "");
  const { data, error } = useLoaded(
    async () => (a && b ? Promise.all([loadRun(a), loadRun(b)]) : null),
    `${a} ${b}`,
  );
  const choose = (side, id) => (location.hash = withQuery("#/compare", { a, b, [side]: id }));
  const isListed = (id) => chats?.some(({ runs }) => runs.some((run) => run.run_id === id));
  return html`<div class="row spread">
      <h1>Compare two runs</h1>
      <a class="button" href="#/experiments">Experiments</a>
    </div>
    <form>
      ${[
        ["a", a],
        ["b", b],
      ].map(
        ([side, id]) =>
          html`<label
            >Run ${side.toUpperCase()}<select
              value=${id}
              onChange=${(event) => choose(side, event.target.value)}
            >
              ${!isListed(id) && html`<option value=${id}>${id || (chats ? "Choose a run" : "Loading…")}</option>`}
              ${chats?.map(
                (chat) =>
                  html`<optgroup label=${chat.title}>
                    ${chat.runs.map(
                      ({ run_id: run, content, created_at: at }) =>
                        html`<option value=${run}>
                          ${makeVisible(cutLong(content, 80))}, ${formatTime(at)}
                        </option>`,
                    )}
                  </optgroup>`,
              )}
            </select></label
          >`,
      )}
    </form>
    <${Failure} error=${error} />
    ${data && html`<${Both} a=${data[0]} b=${data[1]} />`}`;
}
