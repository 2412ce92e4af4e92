// The inbox: everything that waits for a person, over all conversations.
import { useEffect, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Question, Together, isDestroying } from "./approvals.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Segmented, Status, useKeys, useLoaded } from "./parts.js";
import { loadPending, pending, pendingError, session, useChanges } from "./session.js";
import { cutLong, describeTool, formatOf, makeVisible } from "./words.js";

/** What waits for others, or was decided: nothing of it is decided here. */
function Listed({ view, userId }) {
  const asked = { user_id: userId, ...(view === "decided" && { status: "decided", limit: 50 }) };
  const { data, error, isLoading, reload } = useLoaded(
    () => get(withQuery("/api/approvals", asked)),
    `${view} ${userId} ${pending.value.length}`,
  );
  const shown =
    data?.approvals.filter(
      (item) => view === "decided" || item.user_id !== session.value.user_id,
    ) ?? [];
  return html`<${Failure} error=${error} again=${reload} />${
      !isLoading &&
      !error &&
      shown.length === 0 &&
      html`<${Empty}
        >${view === "decided" ? "No decisions yet" : "No approvals are waiting for other people"}</${Empty}
      >`
    }
    ${view !== "decided" && shown.length > 0 && html`<p class="soft">Only who was asked can decide.</p>`}
    ${shown.map(
      (item) =>
        html`<${Question}
          key=${item.approval_id}
          approval=${item}
          isOthers=${view !== "decided"}
          isDecided=${view === "decided"}
        />`,
    )}`;
}

/** What can be decided together of all that waits: several of one kind. */
function All({ waiting }) {
  const kinds = Object.groupBy(
    waiting.filter((item) => !isDestroying(item)),
    (item) => item.tool_name,
  );
  const [name, same] = Object.entries(kinds).find(([, items]) => items.length > 1) ?? [];
  return (
    same && html`<${Together} asked=${same} approve=${describeTool(name).approve ?? "Approve"} />`
  );
}

/** What became of a card that was decided here: what was decided, and what the assistant said then. */
function Done({ approval, isYes }) {
  const { conversation_id: chat, run_id: runId, question } = approval;
  const [turn, setTurn] = useState(0);
  useChanges((change) => change.run_id === runId && setTurn((n) => n + 1));
  const { data } = useLoaded(() => get(`/api/chat/conversations/${chat}?limit=1`), turn);
  const [last] = data?.messages ?? [];
  const answer = !data?.active_run_id && last?.role === "assistant" && last.content;
  return html`<article class="card done" role="status">
    <header class="row spread">
      <h2>${makeVisible(question)}</h2>
      <${Status} status=${isYes ? "approved" : "denied"} />
    </header>
    <p>${answer ? cutLong(makeVisible(answer), 400) : "The assistant continues…"}</p>
    <a href=${`#/chat/${chat}`}>Open the chat</a>
  </article>`;
}

const focusNext = (step) => {
  const cards = [...document.querySelectorAll(".question")];
  const at = cards.indexOf(document.activeElement?.closest?.(".question"));
  cards[at < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, at + step))]?.focus();
};

const press = (selector) =>
  document.activeElement?.closest?.(".question")?.querySelector(selector)?.click();

/** @param {{user_id?: string, view?: string}} props view: "everyone" (for administrators) or "decided" */
export function Approvals({ user_id: userId, view = userId ? "everyone" : "mine" }) {
  useEffect(() => void loadPending(), []);
  useKeys({
    j: () => focusNext(1),
    k: () => focusNext(-1),
    a: () => press("button.accent.yes"),
    d: () => press(".no"),
  });
  const waiting = pending.value;
  const [done, setDone] = useState([]); // on this page
  const onDecided = (approval, isYes) => setDone((now) => [{ approval, isYes }, ...now]);
  const views = [
    [`Mine${waiting.length ? ` ${waiting.length}` : ""}`, "#/approvals", view === "mine"],
    ...(session.value?.is_admin
      ? [
          [
            userId > "*" ? makeVisible(userId) : "Everyone",
            "#/approvals?view=everyone",
            view === "everyone",
          ],
        ]
      : []),
    ["Decided", "#/approvals?view=decided", view === "decided"],
  ];
  return html`<div class="reading">
    <header class="screen-head">
      <div>
        <h1>Approvals</h1>
        ${
          waiting.length > 0 &&
          html`<p class="soft">
            ${`${formatOf(waiting.length, "action")} ${waiting.length === 1 ? "waits" : "wait"} for you. Nothing happens until you decide.`}
          </p>`
        }
      </div>
      <${Segmented} label="Whose" views=${views} />
    </header>
    ${view !== "mine" && html`<${Listed} view=${view} userId=${userId ?? (session.value?.is_admin ? "*" : undefined)} />`}
    ${view === "mine" && html`<${Failure} error=${pendingError.value} again=${loadPending} />`}
    ${
      view === "mine" &&
      waiting.length === 0 &&
      !done.length &&
      !pendingError.value &&
      html`<div class="empty big">
        <${Icon} name="inbox" size=${20} />
        <p>Nothing needs your approval</p>
        ${views[2] && html`<a href=${views[1][1]}>What others are asked</a>`}
      </div>`
    }
    ${
      view === "mine" &&
      html`${done.map((item) => html`<${Done} key=${item.approval.approval_id} ...${item} />`)}<${All}
          waiting=${waiting}
        />${waiting.map((item) => html`<${Question} key=${item.approval_id} approval=${item} onDecided=${onDecided} />`)}`
    }
  </div>`;
}
