// One message as it is shown: words, tool calls, what was made, its rating.
import { useEffect, useRef, useState } from "./vendor.js";
import { get, request } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Markdown } from "./markdown.js";
import { OwnMessage, Versions } from "./own_message.js";
import {
  CopyIcon,
  Failure,
  Fields as Rows,
  Menu,
  Moment,
  Value,
  showToast,
  useLoaded,
} from "./parts.js";
import { hasPack, session } from "./session.js";
import { Mark } from "./sidebar.js";
import { loadStored } from "./talk.js";
import {
  describeCall,
  describeTool,
  fillIn,
  formatCost,
  formatMs,
  formatOf,
  makeVisible,
  nameModel,
  toInner,
} from "./words.js";

/** What stands below an answer that its run did not finish, with or without text. */
export const CUT = {
  cancelled: "You stopped this answer.",
  failed: "This answer failed before it was finished.",
  limit: "This answer stopped at a limit.",
};

/** A draft that a review sent back, with the review's words. run, n: the n-th such draft of a run */
export function Struck({ text, reason, run, n }) {
  const load = async () =>
    run &&
    (await get(`/api/runs/${run}/steps`)).steps
      .flatMap(({ update }) => update.result?.verdicts?.at(-1) ?? [])
      .filter(({ verdict }) => verdict === "retry")
      [n]?.feedback.replace(/^- /gm, "");
  const { data } = useLoaded(load, run);
  const why = data ?? reason;
  return html`<details class="struck">
    <summary>A first draft did not pass the check</summary>
    ${why && html`<p class="soft">${why}</p>`}<del>${text}</del>
  </details>`;
}

/** What came of a call: a failure is told as the assistant was told it. */
function Result({ result, content, is_error: isError }) {
  const told = result ?? content ?? "";
  const only = told && typeof told === "object" ? Object.values(told) : [];
  const value = only.length === 1 && only[0]?.constructor === Object ? only[0] : told; // the row itself
  if (isError)
    return html`<${Value} label="Sent to the assistant" value=${value?.error ?? value} />`;
  return html`<span class="soft">Result</span>${
      value?.constructor === Object && Object.keys(value).length
        ? html`<${Rows} value=${value} />`
        : html`<${Value} value=${value} />`
    }`;
}

/** The arguments and results of an answer's tools, below one line that says what they did. */
export function Tools({ calls, results }) {
  const named = calls.map((part) => {
    const found = results.get(part.id);
    return {
      ...part,
      found,
      title: describeCall(part.name, found && !found.is_error, found?.refusal),
    };
  });
  const [refused, allowed] = [true, false].map((isRefused) =>
    named.filter(({ found }) => Boolean(found?.refusal) === isRefused),
  );
  const did = [...new Set([...refused, ...allowed].map(({ title }) => title))];
  const shown = refused.length
    ? [did[0], ...did.slice(1, 2).map(toInner)].join("; ")
    : did.slice(0, 2).join(", ");
  const failed = allowed.filter(({ found }) => found?.is_error).length;
  return html`<details class=${`tools ${refused.length || failed ? "undone" : ""}`}>
    <summary>
      <${Icon}
        name=${failed ? "circle-alert" : refused.length ? "circle-x" : "circle-check"}
        size=${14}
      />${shown}${did.length > 2 && ` and ${did.length - 2} more`}${" "}<span class="soft"
        >·${" "}${formatOf(calls.length, "tool")}${failed > 0 && `, ${failed} failed`}</span
      >
    </summary>
    ${named.map(
      ({ id, name, title, found, arguments: values }) =>
        html`<div key=${id} class="tool">
          <p class="spread row"><b>${title}</b> <code>${makeVisible(name)}</code></p>
          ${Object.keys(values ?? {}).length > 0 && html`<${Rows} value=${values} />`}${
            found?.refusal
              ? found.refusal.reason && html`<p>“${makeVisible(found.refusal.reason)}”</p>`
              : found && html`<${Result} ...${found} />`
          }
        </div>`,
    )}
  </details>`;
}

const MadeCard = ({ icon, title, hint, href }) =>
  html`<div class="card made">
    <span class="sign"><${Icon} name=${icon ?? "file-text"} /></span>
    <div><b>${makeVisible(title)}</b>${hint && html`<small>${makeVisible(hint)}</small>`}</div>
    <a class="button" href=${href}>Open</a>
  </div>`;

function Made({ calls, results }) {
  return calls.map((part) => {
    const { made, made_title: title, icon, did } = describeTool(part.name);
    const found = results.get(part.id);
    if (!made || !found || found.is_error) return null;
    const [href, name] = [fillIn(made, found.result), fillIn(title ?? "", found.result)];
    return (
      href &&
      html`<${MadeCard}
        key=${part.id}
        icon=${icon}
        title=${name || did}
        hint=${did}
        href=${href}
      />`
    );
  });
}

export function Fields({ output }) {
  const { data: part } = useLoaded(() => import("./aside.js"), ""); // with the first such answer
  return part && html`<${part.Output} output=${output} />`;
}

const THUMBS = [
  ["up", "thumbs-up", "Good answer"],
  ["down", "thumbs-down", "Bad answer"],
];

/**
 * What the user thinks of an answer: up or down, and in words.
 * @param {{runId: string, known?: {rating: string, note: string}}} props known: what was said before
 */
function Rating({ runId, known }) {
  const [said, setSaid] = useState(known ?? { rating: null, note: "" });
  const [error, setError] = useState(null);
  const isAsked = useRef(false); // just now: the reason is written next
  const say = async (rating, note) => {
    setError(null);
    isAsked.current = rating === "down" && said.rating !== rating;
    try {
      await request("PUT", `/api/runs/${runId}/rating`, { rating, note });
      setSaid({ rating, note });
      if (note && note !== said.note) showToast("Saved");
    } catch (failure) {
      setError(failure);
    }
  };
  const onNote = (event) =>
    event.target.value !== said.note && say(said.rating, event.target.value);
  return html`<span class="rating" role="group" aria-label="Was this a good answer?">
    ${THUMBS.map(
      ([rating, icon, title]) =>
        html`<button
          key=${rating}
          type="button"
          class="square ghost"
          title=${title}
          aria-pressed=${said.rating === rating}
          onClick=${() => say(said.rating === rating ? null : rating, said.rating === rating ? "" : said.note)}
        >
          <${Icon} name=${icon} size=${14} label=${title} />
        </button>`,
    )}
    ${
      said.rating === "down" &&
      html`<span class="wrong row"
        ><input
          aria-label="What was wrong"
          placeholder="What was wrong?"
          maxlength="2000"
          value=${said.note}
          onChange=${onNote}
          ref=${(field) => field && isAsked.current && ((isAsked.current = false), field.focus())}
        /><button type="button" class="small">Save</button>${
          session.value?.is_admin &&
          hasPack("lab") &&
          html`<a
            class="button small"
            href=${`#/lab.experiment?chat=${location.hash.split(/[/?]/)[2]}`}
            >Try another model or prompt</a
          >`
        }</span
      >`
    }
    <${Failure} error=${error}
  /></span>`;
}

/** The model that wrote a run's answer; undefined: none did. */
export const findModel = (steps) =>
  steps
    .findLast(({ node, calls: made }) => made.length && !node.endsWith(".evaluator"))
    ?.calls.at(-1).model;

/** Which model answered, how long that took and what it cost; of an earlier answer on request. */
function Spent({ runId, isNewest, isSeen, past: newest }) {
  const [state, setState] = useState({ past: null, isBusy: false, error: null });
  const load = async () => {
    setState({ past: null, isBusy: true, error: null });
    try {
      setState({ past: await loadStored(runId), isBusy: false, error: null });
    } catch (error) {
      setState({ past: null, isBusy: false, error });
    }
  };
  const past = newest ?? state.past;
  useEffect(() => void (isSeen && !past && load()), [isSeen]);
  if (!past)
    return (
      !isNewest && // of the newest it comes by itself
      html`<button class="link" disabled=${state.isBusy} onClick=${load}>Model and cost</button
        ><${Failure} error=${state.error} />`
    );
  const { ms, cost } = past.totals;
  if (ms === null) return null;
  const model = findModel(past.steps);
  return html`<span class="soft" role=${state.past && "status"}
    >${model && html`<span title=${model}>${nameModel(model)} · </span>`}${formatMs(ms)}${" "}·${" "}${
      cost === 0 ? "free" : `${cost === null ? "cost " : ""}${formatCost(cost)}`
    }</span
  >`;
}

/** Ask the same again: by the chat's model, or by another one that may be chosen. */
const Again = ({ onAgain, models = [] }) =>
  html`<button class="square ghost" title="Ask again" onClick=${() => onAgain()}>
      <${Icon} name="refresh-cw" size=${14} label="Ask again" /></button
    >${
      models.length > 1 &&
      html`<${Menu} icon="chevron-down" title="Ask again with another model" style="square ghost"
        ><p class="hint">Ask again with</p>
        ${models.map(
          ({ id, provider }) =>
            html`<button key=${id} type="button" onClick=${() => onAgain(id)}>
              ${nameModel(id.replace(/^[^:]*:/, ""))}<small>${provider}</small>
            </button>`,
        )}</${Menu}
      >`
    }`;

/**
 * @param {{message: object, calls: object[], results: Map, struck: object[], isAfter: boolean, isLast: boolean,
 *   written: object[], onAgain: (model?: string) => void, models?: object[], onEdit?: (text: string) => void,
 *   versions?: object, isUnsent: boolean, past?: object, rating?: object}} props isAfter: the words
 *   come after the calls; isLast: of its run; whole: its text with what it continues;
 *   models: that it may be asked again with
 */
export function Message({
  message,
  calls,
  results,
  struck,
  isAfter,
  isLast,
  whole,
  written,
  onAgain,
  models,
  isNewest,
  past,
  rating,
  versions,
  onContinue,
  ...own
}) {
  const [isSeen, setSeen] = useState(false);
  const see = () => setSeen(true);
  if (message.status === "superseded")
    return html`<${Struck} text=${message.content} run=${message.run_id} n=${0} />`;
  if (message.role === "user")
    return html`<${OwnMessage} message=${message} versions=${versions} ...${own} />`;
  const end = CUT[message.status];
  const isFile = ({ type }) => type === "file";
  if (!message.content && !calls.length && !message.isEnd && !message.parts.some(isFile))
    return null;
  const said = message.output
    ? html`<${Fields} output=${message.output} />`
    : html`<${Markdown} text=${message.content} />`;
  return html`<article
    class="message assistant"
    aria-label="Answer"
    onPointerEnter=${see}
    onFocusIn=${see}
  >
    <${Mark} />
    ${struck.map((draft, n) => html`<${Struck} key=${draft.id} text=${draft.content} run=${draft.run_id} n=${n} />`)}
    ${message.content && !isAfter && said}
    ${calls.length > 0 && html`<${Tools} calls=${calls} results=${results} />`}${isAfter && said}
    ${calls.length > 0 && html`<${Made} calls=${calls} results=${results} />`}
    ${written.map((item) => html`<${MadeCard} key=${item.href} ...${item} />`)}
    ${
      end &&
      html`<p class="foot row">
        ${end}${
          onContinue &&
          html`${message.content && html`<button class="small" onClick=${onContinue}>Continue</button>`}<button
              class="small"
              onClick=${() => onAgain()}
            >
              Ask again
            </button>`
        }
      </p>`
    }
    ${
      isLast &&
      (message.content || message.isEnd) &&
      html`<div class="foot acts">
        ${versions && html`<${Versions} ...${versions} />`}${message.content && html`<${CopyIcon} text=${whole} />`}<${Again}
          onAgain=${onAgain}
          models=${models}
        />
        ${message.run_id && message.content && html`<${Rating} runId=${message.run_id} known=${rating} />`}
        ${message.run_id && html`<a href=${`#/runs/${message.run_id}?tab=why`}>Why this answer</a>`}
        ${message.created_at && html`<${Moment} at=${message.created_at} />`}
        ${message.run_id && html`<${Spent} key=${message.run_id} runId=${message.run_id} isNewest=${isNewest} isSeen=${isSeen} past=${past} />`}
      </div>`
    }
  </article>`;
}
