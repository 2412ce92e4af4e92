// The inbox: everything that waits for a person, over all conversations.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { FieldsDiff } from "./diffs.js";
import { html } from "./html.js";
import { Empty, Failure, Fields, useLoaded } from "./parts.js";
import { decide, loadPending, pending, session } from "./session.js";
import { formatMs, makeVisible } from "./words.js";

function useNow(everyMs) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const pick = (value, names) => Object.fromEntries(names.map((name) => [name, value[name]]));

/** What it would be called with: against the row as it is now, where the arguments name one. */
function Arguments({ approval, present }) {
  const given = approval.arguments;
  if (!present) return html`<${Fields} value=${given} />`;
  const stated = pick(present, Object.keys(present).filter((name) => present[name] !== null));
  const [changed, rest] = [true, false].map((isKnown) => Object.keys(given).filter((name) => name in present === isKnown));
  return html`<${Fields} value=${pick(given, rest)} />
    ${changed.length > 0 && html`<p><strong>Changes</strong></p><${FieldsDiff} a=${pick(present, changed)} b=${pick(given, changed)} />`}
    <details open=${!changed.length}><summary>Current values</summary><${FieldsDiff} a=${stated} b=${stated} /></details>`;
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

/** One question, with what it is about and the two answers. */
export function Question({ approval, isOthers }) {
  const [error, setError] = useState(null);
  const [isSent, setSent] = useState(false);
  const [reason, setReason] = useState("");
  const [content, setContent] = useState({});
  const { data } = useLoaded(async () => (isOthers ? null : get(`/api/runs/${approval.run_id}/approvals`)), approval.approval_id);
  const asked = data?.approvals.find((item) => item.approval_id === approval.approval_id);
  const now = useNow(1000);
  const left = approval.expires_at ? new Date(approval.expires_at) - now : null;
  const answer = async (approve) => {
    setSent(true);
    setError(null);
    try {
      await decide(approval, approve, reason.trim(), asked?.form ? content : undefined);
      document.querySelector("#said, main").focus({ preventScroll: true }); // the button is gone
    } catch (failure) {
      setError(failure);
      setSent(false);
    }
  };
  return html`<article class="question" aria-label=${isOthers ? "waits for another" : "needs your decision"}>
    <h2>${makeVisible(approval.question)}</h2>
    <p class="soft">
      <code>${makeVisible(approval.tool_name)}</code>
      ${approval.conversation_id && !isOthers && html` in <a href=${`#/chat/${approval.conversation_id}`}>this conversation</a>`}
      ${left !== null && html` · ${left > 0 ? `expires in ${formatMs(left)}` : "expired"}`}
    </p>
    <details open><summary>Details</summary>${isOthers ? html`<${Fields} value=${approval.arguments} />` : html`<${Arguments} approval=${approval} present=${asked?.present} />`}</details>
    ${asked?.form && html`<${Form} schema=${asked.form} content=${content} onChange=${setContent} />`}
    ${isOthers ? html`<p>waits for <strong>${makeVisible(approval.user_id)}</strong></p>` : html`<div class="row at-end">
      <button class="good" disabled=${isSent} onClick=${() => answer(true)}>Approve</button>
      <button class="bad" disabled=${isSent} onClick=${() => answer(false)}>Decline</button>
      <label class="why">Reason, if you decline (the assistant reads it)<input maxlength="1000" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
    </div>`}
    <${Failure} error=${error} />
  </article>`;
}

/** What waits for others: an administrator sees it, and decides nothing of it. */
function OfOthers({ userId }) {
  const { data, error, reload } = useLoaded(() => get(withQuery("/api/approvals", { user_id: userId })), userId + pending.value.length);
  const others = data?.approvals.filter((item) => item.user_id !== session.value.user_id) ?? [];
  return html`<h2>Of others</h2>
    <${Failure} error=${error} again=${reload} />
    ${data && others.length === 0 && html`<${Empty}>Nothing waits for others.</${Empty}>`}
    ${others.map((item) => html`<${Question} key=${item.approval_id} approval=${item} isOthers=${true} />`)}`;
}

/** @param {{user_id?: string}} props whose besides one's own, "*" for everybody's: for administrators */
export function Approvals({ user_id: userId }) {
  useEffect(() => void loadPending(), []);
  const waiting = pending.value;
  return html`<h1>Approvals</h1>
    <p class="soft">Nothing happens until you decide. What is decided elsewhere leaves this list.</p>
    ${session.value?.is_admin && html`<p><a href=${userId ? "#/approvals" : "#/approvals?user_id=*"}>${userId ? "Mine" : "Everyone"}</a></p>`}
    ${waiting.length === 0 && html`<${Empty}>Nothing waits for a decision.</${Empty}>`}
    ${waiting.map((item) => html`<${Question} key=${item.approval_id} approval=${item} />`)}
    ${userId && html`<${OfOthers} userId=${userId} />`}`;
}
