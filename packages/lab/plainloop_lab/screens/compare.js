// Two runs of chats, one beside the other.
import { get, withQuery } from "../api.js";
import { Words } from "../diffs.js";
import { html } from "../html.js";
import { Failure, Status, Time, useLoaded } from "../parts.js";
import { Figures, loadRun } from "../run.js";
import { cutLong, describeNode, formatTime, makeVisible, nameChat } from "../words.js";
import { Calls } from "./calls.js";
import "./style.js";

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
export function Screen({ a = "", b = "" }) {
  const { data: chats } = useLoaded(loadChoices, "");
  const { data, error } = useLoaded(
    async () => (a && b ? Promise.all([loadRun(a), loadRun(b)]) : null),
    `${a} ${b}`,
  );
  const choose = (side, id) => (location.hash = withQuery("#/lab.compare", { a, b, [side]: id }));
  const isListed = (id) => chats?.some(({ runs }) => runs.some((run) => run.run_id === id));
  return html`<div class="row spread">
      <h1>Compare two runs</h1>
      <a class="button" href="#/lab.experiments">Experiments</a>
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
