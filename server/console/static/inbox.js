// The inbox: everything that waits for a person, over all conversations.
import { useEffect } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Question, Together, isDestroying } from "./approvals.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Segmented, showToast, useKeys, useLoaded } from "./parts.js";
import { loadPending, pending, pendingError, session } from "./session.js";
import { describeTool, formatOf, makeVisible } from "./words.js";

/** What waits for others, or was decided: nothing of it is decided here. */
function Listed({ view, userId }) {
  const asked =
    view === "decided" ? { status: "decided", user_id: userId, limit: 50 } : { user_id: "*" };
  const { data, error, isLoading, reload } = useLoaded(
    () => get(withQuery("/api/approvals", asked)),
    `${view} ${pending.value.length}`,
  );
  const shown =
    data?.approvals.filter(
      (item) => view === "decided" || item.user_id !== session.value.user_id,
    ) ?? [];
  return html`<${Failure} error=${error} again=${reload} />${
      !isLoading &&
      shown.length === 0 &&
      html`<${Empty}
        >${view === "decided" ? "No decisions yet" : "No approvals are waiting for other people"}</${Empty}
      >`
    }
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

/** A decided card leaves the page: say what was decided, and where it continues. */
const tellDecided = ({ question, conversation_id: chat }, isYes) =>
  showToast(
    html`${isYes ? "Approved" : "Declined"}: ${makeVisible(question)}${" "}<a
        href=${`#/chat/${chat}`}
        >Open the chat</a
      >`,
  );

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
  const views = [
    [`Mine${waiting.length ? ` ${waiting.length}` : ""}`, "#/approvals", view === "mine"],
    ...(session.value?.is_admin
      ? [["Everyone", "#/approvals?view=everyone", view === "everyone"]]
      : []),
    ["Decided", "#/approvals?view=decided", view === "decided"],
  ];
  return html`<div class="reading">
    <header class="screen-head">
      <div>
        <h1>Approvals</h1>
        <p class="soft">
          ${
            waiting.length
              ? `${formatOf(waiting.length, "action")} ${waiting.length === 1 ? "waits" : "wait"} for you. Nothing happens until you decide.`
              : "Nothing happens until you decide."
          }
        </p>
      </div>
      <${Segmented} label="Whose" views=${views} />
    </header>
    ${view !== "mine" && html`<${Listed} view=${view} userId=${session.value?.is_admin ? "*" : undefined} />`}
    ${view === "mine" && html`<${Failure} error=${pendingError.value} again=${loadPending} />`}
    ${
      view === "mine" &&
      waiting.length === 0 &&
      !pendingError.value &&
      html`<div class="empty big">
        <${Icon} name="inbox" size=${20} />
        <p>Nothing needs your approval</p>
      </div>`
    }
    ${
      view === "mine" &&
      html`<${All}
          waiting=${waiting}
        />${waiting.map((item) => html`<${Question} key=${item.approval_id} approval=${item} onDecided=${tellDecided} />`)}`
    }
  </div>`;
}
