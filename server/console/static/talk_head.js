// The line above a conversation: its title, model and menu.
import { signal, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Menu, Status, copyText, useLoaded } from "./parts.js";
import { changeChat, removeChat } from "./remove.js";
import { keepLook, session } from "./session.js";
import { opened, recent } from "./sidebar.js";
import { formatCost, formatCount, formatOf, nameChat } from "./words.js";

const sumTokens = (usage) =>
  Object.entries(usage).reduce((sum, [name, n]) => sum + (name.endsWith("_tokens") && n), 0);

/** Of one of the reader's budgets that only warns, and is used up: `$0.03 of $0.02`. */
function sayOver(item) {
  if (item.is_hard || !["", session.value.user_id].includes(item.subject)) return "";
  const [used, limit] = ["used", "limit"].map((n) => (unit) => item[`${n}_${unit}`]);
  const unit = ["usd", "tokens"].find((it) => limit(it) !== null && +used(it) >= +limit(it));
  if (!unit) return "";
  return unit === "usd"
    ? `${formatCost(item.used_usd)} of ${formatCost(item.limit_usd)}`
    : `${formatCount(item.used_tokens)} of ${formatOf(item.limit_tokens, "token")}`;
}

/** Its title, which a click renames; what it is doing, its address, and its run. */
export function Head({ talk, run }) {
  const [isRenaming, setRenaming] = useState(false);
  const fail = (error) => (talk.error.value = error);
  const isPinned = recent.value.some(
    ({ id, is_pinned }) => is_pinned && (id === talk.id || opened.value.includes(id)),
  );
  const rename = (event) => {
    const title = event.target.value.trim();
    setRenaming(false);
    if (title && title !== talk.title.value) talk.rename(title).catch(fail);
  };
  const isDone = useRef(false); // by a key: the focus stays here
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault(); // else the button that comes takes the same key
    if (event.key === "Escape") event.target.value = "";
    isDone.current = true;
    event.target.blur();
  };
  const { data: exports } = useLoaded(() => import("./threads.js"), "");
  const title = nameChat({ title: talk.title.value });
  const total = talk.total.value;
  const cost = total?.unpriced_calls === total?.calls ? "cost unknown" : formatCost(total.cost_usd);
  const { data: limits } = useLoaded(
    async () => total?.calls > 0 && get("/api/budgets?forecast=false"),
    total,
  );
  const over = limits?.budgets?.find(sayOver);
  return html`<header class="head">
    <h1>
      ${
        isRenaming
          ? html`<input
              aria-label="Title"
              defaultValue=${talk.title.value}
              maxlength="200"
              onBlur=${rename}
              onKeyDown=${onKeyDown}
              ref=${(field) => field?.focus()}
            />`
          : html`<button
              class="plain"
              title="Rename"
              ref=${(button) => isDone.current && ((isDone.current = false), button?.focus())}
              onClick=${() => setRenaming(true)}
            >
              ${title}
            </button>`
      }
    </h1>
    ${run && run.status !== "succeeded" && html`<${Status} status=${run.status} />`}
    <span class="row at-right"
      >${
        over &&
        html`<a class="over bad" href="#/settings/prices" title=${`Used up: ${over.description}`}
          ><b>Over budget</b><span>: ${sayOver(over)}</span></a
        >`
      }${
        total?.calls > 0 &&
        html`<a
          class="total"
          href=${withQuery("#/usage", { by: "run", chat_id: talk.id, days: "all" })}
          title=${`What this chat cost, with all versions${
            total.hidden_usd ? `: ${formatCost(total.hidden_usd)} of it in other versions` : ""
          }`}
          ><span>${cost}</span
          ><span
            >${
              total.hidden_usd
                ? " with other versions"
                : ` · ${formatCount(sumTokens(total))} tokens`
            }</span
          ></a
        >`
      }${
        talk.id &&
        html`<${Menu} icon="ellipsis" title="More for this chat" style="square ghost"
          ><button onClick=${() => copyText(location.href, "Link copied")}>Copy link</button
          ><button onClick=${() => changeChat(talk, { is_pinned: !isPinned }).catch(fail)}>
            ${isPinned ? "Unpin" : "Pin"}</button
          >${exports && html`<${exports.Actions} chat=${talk} onFailure=${fail} />`}<button
            onClick=${() => removeChat({ id: talk.id, title: talk.title.value })}
          >
            Delete this chat
          </button></${Menu}
        >`
      }
      ${
        run &&
        html`<button
          class="small"
          aria-pressed=${isRunShown.value}
          title="This run (.)"
          onClick=${toggleRun}
        >
          <${Icon} name="panel-right" size=${14} />Run
        </button>`
      }</span
    >
  </header>`;
}

// Whether the run is seen beside the talk: where there is room, if one has left it open. In a narrow
// window it would cover the talk.
const hasRoom = matchMedia("(min-width: 1100px)");
let left = document.documentElement.dataset.run;
const isBeside = () => hasRoom.matches && left === "shown";
export const isRunShown = signal(isBeside());
hasRoom.addEventListener("change", () => (isRunShown.value = isBeside()));
export const toggleRun = () =>
  keepLook("run", (left = (isRunShown.value = !isRunShown.value) ? "shown" : "hidden"));
