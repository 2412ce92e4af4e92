// What waits for a person: one question, or several that are decided together.
import { useEffect, useRef, useState } from "./vendor.js";
import { get } from "./api.js";
import { FieldsDiff } from "./diffs.js";
import { focusBox } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Failure, Fields, Status, Time, useLoaded } from "./parts.js";
import { decide, decideAll, decidedHere, session } from "./session.js";
import {
  describeStatus,
  describeTool,
  formatMs,
  makeVisible,
  toReadable,
  toWords,
} from "./words.js";

function useNow(everyMs) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const pick = (value, names) => Object.fromEntries(names.map((name) => [name, value[name]]));

/** Arguments that name no field of the row; the row's own number is in the question already. */
function Rest({ approval, names = Object.keys(approval.arguments) }) {
  const shown = names.filter(
    (name) => !approval.question.includes(`#${approval.arguments[name]} `),
  );
  return shown.length > 0 && html`<${Fields} value=${pick(approval.arguments, shown)} />`;
}

/** What it would be called with: against the row as it is now, where the arguments name one. */
function Arguments({ approval, present }) {
  const given = approval.arguments;
  if (!present) return html`<${Rest} approval=${approval} />`;
  const stated = Object.fromEntries(Object.entries(present).filter(([, value]) => value !== null));
  const [changed, rest] = [true, false].map((isKnown) =>
    Object.keys(given).filter((name) => name in present === isKnown),
  );
  return html`<${Rest} approval=${approval} names=${rest} />
    ${changed.length > 0 && html`<${FieldsDiff} a=${pick(present, changed)} b=${pick(given, changed)} />`}
    <details>
      <summary>Current values</summary>
      <${FieldsDiff} a=${stated} b=${stated} />
    </details>`;
}

/** From a card that was decided: to the next one of its chat, then to the box. Who is elsewhere by then stays. */
function focusNextOf(card) {
  const { activeElement: at } = document;
  if (at !== document.body && !card?.contains(at)) return;
  const next =
    card &&
    [...document.querySelectorAll(".talk .question")].find(
      (other) => other !== card && other.querySelector(".yes:enabled"),
    );
  if (next) next.focus();
  else focusBox();
}

/** One question: what it is about, before and after, and answers that say what they do. */
export function Question({ approval, isOthers, isDecided, onDecided }) {
  const [error, setError] = useState(null);
  const [isSent, setSent] = useState(false);
  const [outcome, setOutcome] = useState(null); // the run continues once all its questions are decided
  const place = useRef(null);
  const [reason, setReason] = useState(null); // a text: it is asked for one
  const [content, setContent] = useState({});
  const isOpen = !isOthers && !isDecided;
  const { data } = useLoaded(
    async () => (isOpen ? get(`/api/runs/${approval.run_id}/approvals`) : null),
    approval.approval_id,
  );
  const asked = data?.approvals.find((item) => item.approval_id === approval.approval_id);
  const { data: form } = useLoaded(
    async () => asked?.form && import("./aside.js"),
    Boolean(asked?.form),
  );
  const {
    approve = "Approve",
    decline = "Decline",
    consequence,
    is_destroying: isDestroying,
    icon,
  } = Object.fromEntries(
    Object.entries(describeTool(approval.tool_name)).filter(([, value]) => value !== null),
  );
  const answer = async (isYes) => {
    setSent(true);
    setError(null);
    try {
      await decide(approval, isYes, reason?.trim(), asked?.form ? content : undefined);
      setOutcome(isYes ? "approved" : "denied");
      onDecided?.(approval, isYes);
      focusNextOf(place.current);
    } catch (failure) {
      decidedHere.delete(approval.approval_id);
      setError(failure);
      setSent(false);
    }
  };
  const onKeyDown = (event) =>
    isOpen &&
    event.key === "Enter" &&
    (event.ctrlKey || event.metaKey) &&
    !isDestroying &&
    reason === null &&
    (event.preventDefault(), void answer(true));
  const no = (style, text) =>
    html`<button class=${`${style} no`} disabled=${isSent} onClick=${() => answer(false)}>
      ${text}
    </button>`;
  return html`<article
    class=${`question ${isDestroying ? "destroys" : ""}`}
    tabindex="-1"
    ref=${place}
    onKeyDown=${onKeyDown}
    aria-label=${`${isOthers ? "waits for another person" : isDecided ? "decided" : "needs your decision"}: ${makeVisible(approval.question)}`}
  >
    <header>
      <h2>${makeVisible(approval.question)}</h2>
      ${isDecided ? html`<${Status} status=${approval.status} />` : html`<${Left} until=${approval.expires_at ?? asked?.expires_at} />`}
    </header>
    <p class="soft">
      ${
        (approval.title ?? null) !== null &&
        html`From${" "}<a href=${`#/chat/${approval.conversation_id}`}
            >${makeVisible(approval.title || "a chat")}</a
          >${approval.created_at && html`, <${Time} at=${approval.created_at} />`}. `
      }${isDecided ? approval.decided_at && html`Decided <${Time} at=${approval.decided_at} />.` : consequence}${
        isOthers &&
        html` Waits for <b>${makeVisible(approval.user_id)}</b>, asked${" "}<${Time}
            at=${approval.created_at}
          />.`
      }${isDecided && approval.reason && ` “${makeVisible(approval.reason)}”`}
    </p>
    ${
      isDestroying && asked?.present
        ? html`<${Removed} present=${asked.present} /><${Rest} approval=${approval} />`
        : html`<${Arguments} approval=${approval} present=${asked?.present} />`
    }
    ${asked?.form && form && html`<${form.Form} schema=${asked.form} content=${content} onChange=${setContent} />`}
    ${
      isOpen &&
      reason !== null &&
      html`<label class="reason"
        >Reason, which the assistant reads<input
          maxlength="1000"
          value=${reason}
          onInput=${(event) => setReason(event.target.value)}
          onKeyDown=${(event) => event.key === "Enter" && !isSent && !event.isComposing && void answer(false)}
          ref=${(field) => field && reason === "" && field.focus()}
      /></label>`
    }
    <div class="row answers">
      ${
        isOpen &&
        html`<button
            class=${`yes ${reason !== null ? "" : isDestroying ? "danger" : "accent"}`}
            disabled=${isSent}
            onClick=${() => answer(true)}
          >
            <${Icon} name=${icon ?? "check"} size=${14} />${approve}</button
          >${reason === null ? no("", decline) : no("accent", `${decline} with this reason`)}<button
            class="ghost"
            onClick=${() => setReason(reason === null ? "" : null)}
          >
            ${reason === null ? `${decline} with a reason` : "Cancel"}
          </button>`
      }${session.value?.is_admin && html`<code>${makeVisible(approval.tool_name)}</code>`}
    </div>
    <p class=${outcome ? "soft" : "only-read"} role="status">
      ${outcome && describeStatus(outcome)}
    </p>
    <${Failure} error=${error} />
  </article>`;
}

/** How long there is to decide. */
function Left({ until }) {
  const left = new Date(until) - useNow(1000);
  if (!until) return null;
  return html`<span class="status waiting"
    ><${Icon} name="clock" size=${14} />${left > 0 ? `${formatMs(left)} left` : "Expired"}</span
  >`;
}

const MOMENTS = ["created_at", "updated_at"];
const MOST_FIELDS = 6;

/** What a row is that goes away: its first fields, the rest behind a fold. */
function Removed({ present }) {
  const stated = Object.entries(present).filter(
    ([name, value]) => value !== null && value !== "" && !MOMENTS.includes(name),
  );
  const rows = (entries) =>
    html`<dl class="fields">
      ${entries.map(
        ([name, value]) =>
          html`<dt>${makeVisible(toWords(name))}</dt>
            <dd><del>${makeVisible(toReadable(value))}</del></dd>`,
      )}
    </dl>`;
  return html`${rows(stated.slice(0, MOST_FIELDS))}${
    stated.length > MOST_FIELDS &&
    html`<details>
      <summary>${stated.length - MOST_FIELDS} more</summary>
      ${rows(stated.slice(MOST_FIELDS))}
    </details>`
  }`;
}

export const isDestroying = (item) => describeTool(item.tool_name).is_destroying;

/** Several questions, each of which is shown, decided together. What destroys is approved one by one. */
export function Together({ asked, approve = "Approve", hasDecline }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  if (asked.length < 2) return null;
  const answer = async (isYes) => {
    setBusy(true);
    setError(
      await decideAll(asked, isYes).then(
        () => null,
        (failure) => failure,
      ),
    );
    setBusy(false);
    focusNextOf(null);
  };
  return html`<p class="row at-right">
      ${
        !asked.some(isDestroying) &&
        html`<button disabled=${isBusy} onClick=${() => answer(true)}>
          ${approve}: all ${asked.length}
        </button>`
      }
      ${hasDecline && html`<button class="ghost" disabled=${isBusy} onClick=${() => answer(false)}>Decline: all ${asked.length}</button>`}
    </p>
    <${Failure} error=${error} />`;
}
