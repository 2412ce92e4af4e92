// The inbox: everything that waits for a person, over all conversations.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { FieldsDiff } from "./diffs.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Fields, Segmented, Status, Time, focusMain, useKeys, useLoaded } from "./parts.js";
import { decide, decideAll, loadPending, pending, pendingError, session } from "./session.js";
import { describeTool, formatOf, makeVisible, toText, toWords } from "./words.js";

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
function Rest({ approval, names }) {
  const shown = names.filter((name) => !approval.question.includes(`#${approval.arguments[name]} `));
  return shown.length > 0 && html`<${Fields} value=${pick(approval.arguments, shown)} />`;
}

/** What it would be called with: against the row as it is now, where the arguments name one. */
function Arguments({ approval, present }) {
  const given = approval.arguments;
  if (!present) return html`<${Fields} value=${given} />`;
  const stated = pick(present, Object.keys(present).filter((name) => present[name] !== null));
  const [changed, rest] = [true, false].map((isKnown) => Object.keys(given).filter((name) => name in present === isKnown));
  return html`<${Rest} approval=${approval} names=${rest} />
    ${changed.length > 0 && html`<${FieldsDiff} a=${pick(present, changed)} b=${pick(given, changed)} />`}
    <details><summary>Current values</summary><${FieldsDiff} a=${stated} b=${stated} /></details>`;
}

const typed = {
  number: (text) => (text === "" ? undefined : Number(text)),
  integer: (text) => (text === "" ? undefined : Number(text)),
  array: (options) => [...options].map((option) => option.value),
};

/** One field of a form, by its schema; what is empty is not said. */
function Field({ name, schema, isNeeded, value, onChange }) {
  const choices = schema.enum ?? schema.items?.enum;
  const tell = (event) => {
    const read = typed[schema.type] ?? ((text) => (text === "" ? undefined : text));
    onChange(schema.type === "boolean" ? event.target.checked : read(schema.type === "array" ? event.target.selectedOptions : event.target.value));
  };
  const named = html`${makeVisible(schema.title ?? name)}${isNeeded && " *"}${schema.description && html` <small>${makeVisible(schema.description)}</small>`}`;
  if (schema.type === "boolean") return html`<label><input type="checkbox" name=${name} checked=${value ?? false} onChange=${tell} /> ${named}</label>`;
  if (choices) return html`<label>${named}<select name=${name} multiple=${schema.type === "array"} onChange=${tell}>
    ${schema.type !== "array" && html`<option value=""></option>`}${choices.map((choice) => html`<option key=${choice} selected=${value === choice}>${makeVisible(String(choice))}</option>`)}
  </select></label>`;
  return html`<label>${named}<input name=${name} type=${typed[schema.type] ? "number" : "text"} step=${schema.type === "integer" ? 1 : "any"} value=${value ?? ""} onInput=${tell} /></label>`;
}

/** What a tool server asks of its caller's user: only a person writes here. */
function Form({ schema, content, onChange }) {
  const fields = Object.entries(schema.properties);
  return html`<fieldset class="form"><legend>To be filled in</legend>
    ${fields.map(([name, field]) => html`<${Field} key=${name} name=${name} schema=${field} isNeeded=${schema.required?.includes(name)} value=${content[name]} onChange=${(value) => onChange({ ...content, [name]: value })} />`)}
  </fieldset>`;
}

/** One question: what it is about, before and after, and answers that say what they do. */
export function Question({ approval, isOthers, isDecided }) {
  const [error, setError] = useState(null);
  const [isSent, setSent] = useState(false);
  const [reason, setReason] = useState(null); // a text: it is asked for one
  const [content, setContent] = useState({});
  const isOpen = !isOthers && !isDecided;
  const { data } = useLoaded(async () => (isOpen ? get(`/api/runs/${approval.run_id}/approvals`) : null), approval.approval_id);
  const asked = data?.approvals.find((item) => item.approval_id === approval.approval_id);
  const { approve = "Approve", decline = "Decline", consequence, is_destroying: isDestroying, icon } = Object.fromEntries(Object.entries(describeTool(approval.tool_name)).filter(([, value]) => value !== null));
  const answer = async (isYes) => {
    setSent(true);
    setError(null);
    try {
      await decide(approval, isYes, (reason ?? "").trim(), asked?.form ? content : undefined);
      document.querySelector("#said, main").focus({ preventScroll: true }); // the button is gone
    } catch (failure) {
      setError(failure);
      setSent(false);
    }
  };
  const onKeyDown = (event) => isOpen && event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isDestroying && (event.preventDefault(), void answer(true));
  return html`<article class=${`question ${isDestroying ? "destroys" : ""}`} tabindex="-1" onKeyDown=${onKeyDown} aria-label=${isOthers ? "waits for another" : isDecided ? "decided" : "needs your decision"}>
    <header><h2>${makeVisible(approval.question)}</h2>${isDecided ? html`<${Status} status=${approval.status} />` : html`<${Left} until=${approval.expires_at ?? asked?.expires_at} />`}</header>
    <p class="soft">${approval.title !== undefined && html`From <a href=${`#/chat/${approval.conversation_id}`}>${makeVisible(approval.title || "a chat")}</a>${approval.created_at && html`, <${Time} at=${approval.created_at} />`}. `}${consequence}${isOthers && html` Waits for <b>${makeVisible(approval.user_id)}</b>.`}${isDecided && approval.reason && ` “${makeVisible(approval.reason)}”`}</p>
    ${isDestroying && asked?.present ? html`<${Removed} present=${asked.present} /><${Rest} approval=${approval} names=${Object.keys(approval.arguments)} />` : html`<${Arguments} approval=${approval} present=${asked?.present} />`}
    ${asked?.form && html`<${Form} schema=${asked.form} content=${content} onChange=${setContent} />`}
    ${isOpen && reason !== null && html`<label class="why">Reason. The assistant reads it.<input maxlength="1000" value=${reason} onInput=${(event) => setReason(event.target.value)} ref=${(field) => field && reason === "" && field.focus()} /></label>`}
    <div class="row answers">${isOpen && html`<button class=${isDestroying ? "danger yes" : "accent yes"} disabled=${isSent} onClick=${() => answer(true)}><${Icon} name=${icon ?? "check"} size=${14} />${approve}</button>
      <button class="no" disabled=${isSent} onClick=${() => answer(false)}>${decline}</button>
      ${reason === null && html`<button class="ghost" onClick=${() => setReason("")}>${decline} and say why</button>`}`}<code>${makeVisible(approval.tool_name)}</code></div>
    <${Failure} error=${error} />
  </article>`;
}

/** How long there is to decide. */
function Left({ until }) {
  const left = new Date(until) - useNow(1000);
  if (!until) return null;
  return html`<span class="status waiting"><${Icon} name="clock" size=${14} />${left > 0 ? `${formatLeft(left)} left` : "Expired"}</span>`;
}

const formatLeft = (ms) => (ms >= 3_600_000 ? `${Math.floor(ms / 3_600_000)} h` : ms >= 60_000 ? `${Math.floor(ms / 60_000)} min` : `${Math.ceil(ms / 1000)} s`);

const MOMENTS = ["created_at", "updated_at"];
const MOST_FIELDS = 6;

/** What a row is that goes away: its first fields, the rest behind a fold. */
function Removed({ present }) {
  const stated = Object.entries(present).filter(([name, value]) => value !== null && value !== "" && !MOMENTS.includes(name));
  const rows = (entries) => html`<dl class="fields">${entries.map(([name, value]) => html`<dt>${makeVisible(toWords(name))}</dt><dd><del>${makeVisible(toText(value))}</del></dd>`)}</dl>`;
  return html`${rows(stated.slice(0, MOST_FIELDS))}${stated.length > MOST_FIELDS && html`<details><summary>${stated.length - MOST_FIELDS} more</summary>${rows(stated.slice(MOST_FIELDS))}</details>`}`;
}

/** What waits for others, or was decided: nothing of it is decided here. */
function Listed({ view, userId }) {
  const asked = view === "decided" ? { status: "decided", user_id: userId, limit: 50 } : { user_id: "*" };
  const { data, error, isLoading, reload } = useLoaded(() => get(withQuery("/api/approvals", asked)), `${view} ${pending.value.length}`);
  const shown = data?.approvals.filter((item) => view === "decided" || item.user_id !== session.value.user_id) ?? [];
  return html`<${Failure} error=${error} again=${reload} />
    ${!isLoading && shown.length === 0 && html`<${Empty}>${view === "decided" ? "Nothing was decided yet" : "Nothing waits for others"}</${Empty}>`}
    ${shown.map((item) => html`<${Question} key=${item.approval_id} approval=${item} isOthers=${view !== "decided"} isDecided=${view === "decided"} />`)}`;
}

const isDestroying = (item) => describeTool(item.tool_name).is_destroying;

/** Several questions, each of which is shown, decided together. What destroys is approved one by one. */
export function Together({ asked, approve = "Approve", hasDecline }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  if (asked.length < 2) return null;
  const answer = async (isYes) => {
    setBusy(true);
    setError(await decideAll(asked, isYes).then(() => null, (failure) => failure));
    setBusy(false);
    focusMain();
  };
  return html`<p class="row at-right">${!asked.some(isDestroying) && html`<button disabled=${isBusy} onClick=${() => answer(true)}>${approve}: all ${asked.length}</button>`}
    ${hasDecline && html`<button class="ghost" disabled=${isBusy} onClick=${() => answer(false)}>Decline: all ${asked.length}</button>`}</p><${Failure} error=${error} />`;
}

/** What can be decided together of all that waits: several of one kind. */
function All({ waiting }) {
  const kinds = Object.groupBy(waiting.filter((item) => !isDestroying(item)), (item) => item.tool_name);
  const [name, same] = Object.entries(kinds).find(([, items]) => items.length > 1) ?? [];
  return same && html`<${Together} asked=${same} approve=${describeTool(name).approve ?? "Approve"} />`;
}

const focusNext = (step) => {
  const cards = [...document.querySelectorAll(".question")];
  const at = cards.indexOf(document.activeElement?.closest?.(".question"));
  cards[at < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, at + step))]?.focus();
};

const press = (selector) => document.activeElement?.closest?.(".question")?.querySelector(selector)?.click();

/** @param {{user_id?: string, view?: string}} props view: "everyone" (for administrators) or "decided" */
export function Approvals({ user_id: userId, view = userId ? "everyone" : "mine" }) {
  useEffect(() => void loadPending(), []);
  useKeys({ j: () => focusNext(1), k: () => focusNext(-1), a: () => press("button.accent.yes"), d: () => press(".no") });
  const waiting = pending.value;
  const views = [[`Mine${waiting.length ? ` ${waiting.length}` : ""}`, "#/approvals", view === "mine"], ...(session.value?.is_admin ? [["Everyone", "#/approvals?view=everyone", view === "everyone"]] : []), ["Decided", "#/approvals?view=decided", view === "decided"]];
  return html`<div class="reading"><header class="screen-head"><div><h1>Approvals</h1><p class="soft">${waiting.length ? `${formatOf(waiting.length, "action")} ${waiting.length === 1 ? "waits" : "wait"} for you. Nothing happens until you decide.` : "Nothing happens until you decide."}</p></div><${Segmented} label="Whose" views=${views} /></header>
    ${view !== "mine" && html`<${Listed} view=${view} userId=${session.value?.is_admin ? "*" : undefined} />`}
    ${view === "mine" && html`<${Failure} error=${pendingError.value} again=${loadPending} />`}
    ${view === "mine" && waiting.length === 0 && !pendingError.value && html`<div class="empty big"><${Icon} name="inbox" size=${20} /><p>Nothing needs your approval</p></div>`}
    ${view === "mine" && html`<${All} waiting=${waiting} />${waiting.map((item) => html`<${Question} key=${item.approval_id} approval=${item} />`)}`}</div>`;
}
