// The line above a conversation: its title, model and menu.
import { signal, useRef, useState } from "./vendor.js";
import { withQuery } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Status, copyText } from "./parts.js";
import { removeChat } from "./remove.js";
import { keepLook } from "./session.js";
import { formatCost, formatCount, makeVisible } from "./words.js";

const TOKENS = [
  "input_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_long_tokens",
  "output_tokens",
  "reasoning_tokens",
];
/** Its title, which a click renames; what it is doing, its address, and its run. */
export function Head({ talk, run }) {
  const [isRenaming, setRenaming] = useState(false);
  const rename = (event) => {
    const title = event.target.value.trim();
    setRenaming(false);
    if (title && title !== talk.title.value)
      talk.rename(title).catch((error) => (talk.error.value = error));
  };
  const isDone = useRef(false); // by a key: the focus stays here
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault(); // else the button that comes takes the same key
    if (event.key === "Escape") event.target.value = "";
    isDone.current = true;
    event.target.blur();
  };
  const title = makeVisible(talk.title.value || "New chat");
  const total = talk.total.value;
  const tokens = total && TOKENS.reduce((sum, bucket) => sum + total[bucket], 0);
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
    ${
      total?.calls > 0 &&
      html`<a
        class="total"
        href=${withQuery("#/usage", { thread_id: talk.id, days: "all" })}
        title="Total usage of this chat"
        >${
          total.unpriced_calls === total.calls ? "cost unknown" : formatCost(total.cost_usd)
        }${" "}·${" "}${formatCount(tokens)}${" "}tokens</a
      >`
    }
    <span class="row at-right"
      ><button
        class="square ghost"
        title="Copy link"
        onClick=${() => copyText(location.href, "Link copied")}
      >
        <${Icon} name="link" label="Copy link" />
      </button>
      ${
        talk.id &&
        html`<button
          class="square ghost"
          title="Delete this chat"
          onClick=${() => removeChat({ id: talk.id })}
        >
          <${Icon} name="trash" label="Delete this chat" />
        </button>`
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

// Whether the run is seen beside the talk: where there is room, then as one has left it.
const { run: leftRun } = document.documentElement.dataset;
export const isRunShown = signal(
  leftRun ? leftRun === "shown" : matchMedia("(min-width: 1100px)").matches,
);
export const toggleRun = () =>
  keepLook("run", (isRunShown.value = !isRunShown.value) ? "shown" : "hidden");
