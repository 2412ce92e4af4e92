// Where a message is written: text, files, and what waits to be sent.
import { useLayoutEffect, useRef, useState } from "./vendor.js";
import { get } from "./api.js";
import { focusBox, focusMain } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Failure, Menu, showToast, useDrop, useLoaded } from "./parts.js";
import { config, draft, keepDraft, loadDraft, returnDraft, session, suggest } from "./session.js";
import { writers } from "./talk.js";
import { makeVisible, nameModel } from "./words.js";

/** What answers here, and what else may: a model, or rules where none is set. */
function Answers({ talk, isBusy }) {
  const { data } = useLoaded(async () => {
    const found = await get("/api/models");
    talk.models.value = found.models;
    return found;
  }, "");
  const own = config.value.is_offline ? "Offline rules" : config.value.model;
  const name = (id) =>
    id?.startsWith("offline:") ? "Offline rules" : nameModel(id?.replace(/^[^:]*:/, "") ?? own);
  const chosen = talk.model.value;
  const shown = (isBusy && writers.get(talk.id)) || chosen;
  const isOffline = chosen ? chosen.startsWith("offline:") : config.value.is_offline;
  const [error, setError] = useState(null);
  const choose = (id) => talk.choose(id).then(() => setError(null), setError);
  const label = html`${
    isOffline ? html`<span class="dot warn"></span>` : html`<${Icon} name="cpu" size=${14} />`
  }${name(shown)}`;
  return html`<${Menu} label=${label} title="Choose a model" style="chip"
      ><p class="hint">Model of this chat</p>
      ${data?.models.map(
        (item) =>
          html`<button
            key=${item.id}
            type="button"
            aria-pressed=${(chosen ?? data.models.find((one) => one.is_default)?.id) === item.id}
            onClick=${() => choose(item.is_default ? null : item.id)}
          >
            ${name(item.id)}<small>${item.is_default ? "default" : item.provider}</small>
          </button>`,
      )}
      ${session.value.is_admin && html`<a href="#/settings/models">Connect a model</a>`}</${Menu}
    ><${Failure} error=${error} />`;
}

export const readFile = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ name: file.name, media_type: file.type || null, data: reader.result });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** What is being written, kept for this chat; of a new one until it has its id, and then with it. */
export function useDraft(talk) {
  const [unsent, setUnsent] = useState(() => {
    const { text, files } = loadDraft(talk.id);
    return { text: suggest(text, draft.value), files };
  });
  const write = (change) =>
    setUnsent((now) => {
      const next = { ...now, ...change(now) };
      keepDraft(talk.id, next);
      return next;
    });
  return [unsent, write];
}

export function Composer({ talk, isBusy, isUnsent, unsent, write, placeholder, children }) {
  const { text, files } = unsent;
  // Nobody has chosen anything on a page that was just loaded: what is typed is a message.
  useLayoutEffect(() => void (document.activeElement === document.body && focusBox()), []);
  const setText = (next) => write(() => ({ text: next }));
  const setFiles = (change) => write((now) => ({ files: change(now.files) }));
  const attach = async (chosen) => {
    const all = [...chosen];
    const read = await Promise.allSettled(all.map(readFile));
    setFiles((now) => [...now, ...read.flatMap(({ value }) => value ?? [])]);
    const failed = all.filter((_, n) => read[n].reason).map(({ name }) => makeVisible(name));
    if (failed[0])
      showToast(`Cannot read ${failed.join(", ")}. If it is a folder, attach its files.`);
  };
  // Else the browser would open the file in place of the chat. An upload of the set-up takes one.
  const isOver = useDrop((_, all) => {
    const isTaken = document.querySelector(".set-up [type=file]");
    void attach([...all].slice(isTaken ? 1 : 0));
  });
  const send = async (whenBusy) => {
    const said = text.trim();
    if ((!said && !files.length) || (isBusy && !whenBusy)) return;
    write(() => ({ text: "", files: [] }));
    if (document.activeElement?.id !== "said") focusBox(); // the button may be gone
    try {
      await (isBusy ? talk.sayMore(said, whenBusy) : talk.say(said, files));
    } catch {
      returnDraft(talk.id, { text: said, files }); // nothing is lost, wherever one is by now
      write(() => loadDraft(talk.id));
    }
  };
  // Esc may come just after the answer's end, and what is typed next is still for the box.
  const hasStreamed = useRef(false);
  useLayoutEffect(() => void (isBusy && (hasStreamed.current = true)), [isBusy]);
  const onKeyDown = (event) => {
    if (event.key === "Escape" && !event.isComposing) {
      const wasForAnswer = hasStreamed.current;
      hasStreamed.current = false;
      if (talk.run.value?.status === "running") void talk.cancel();
      else if (!text && !wasForAnswer) focusMain(); // single letters act again
      return;
    }
    if (event.key === "ArrowUp" && !text) {
      const pencils = document.querySelectorAll("[title='Edit and send again']");
      return pencils[pencils.length - 1]?.click();
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send("enqueue");
  };
  const onPaste = (event) =>
    event.clipboardData.files.length > 0 &&
    (event.preventDefault(), void attach(event.clipboardData.files));
  const isWorking = isBusy && !isUnsent; // what has not been sent is not worked on
  const isWriting = isWorking && text.trim();
  return html`<form
    class=${`composer ${isOver ? "over" : ""}`}
    onSubmit=${(event) => (event.preventDefault(), void send("enqueue"))}
  >
    ${children}${
      !talk.isOnline.value &&
      html`<p class="notice" role="status">
        Connection
        lost.${" "}${
          isWorking
            ? "The answer goes on; reconnecting…"
            : "What you send waits here and is sent once it is back."
        }
      </p>`
    }<label class="only-read" for="said">Your message</label>
    <textarea
      id="said"
      rows="1"
      value=${text}
      placeholder=${isWorking ? "Your next message is sent when this answer is done." : placeholder}
      onInput=${(event) => setText(event.target.value)}
      onKeyDown=${onKeyDown}
      onBlur=${() => document.hasFocus() && (hasStreamed.current = false)}
      onPaste=${onPaste}
    ></textarea>
    ${
      files.length > 0 &&
      html`<div class="row">
        ${files.map(
          (file, n) =>
            html`<button
              key=${n}
              type="button"
              class="chip"
              aria-label=${`Remove ${file.name}`}
              onClick=${() => setFiles((now) => now.filter((_, at) => at !== n))}
            >
              ${makeVisible(file.name)}<${Icon} name="x" size=${14} />
            </button>`,
        )}
      </div>`
    }
    <div class="row spread">
      <span class="row"
        ><label class="square ghost button" title="Attach a file"
          ><${Icon} name="paperclip" /><span class="only-read">Attach a file</span
          ><input
            class="only-read"
            type="file"
            multiple
            onChange=${(event) => (void attach(event.target.files), (event.target.value = ""))} /></label
        ><${Answers} talk=${talk} isBusy=${isBusy}
      /></span>
      <span class="row"
        >${!isWriting && html`<small class="for-keys">Enter to send, Shift+Enter for a new line</small>`}${
          isWriting &&
          html`<button type="submit" class="small">Send after this one</button
            ><button type="button" class="small" onClick=${() => void send("interrupt")}>
              Send instead
            </button>`
        }
        ${
          isWorking
            ? html`<button
                type="button"
                class="square"
                title="Stop (Esc)"
                onClick=${() => void talk.cancel()}
              >
                <${Icon} name="square" label="Stop" />
              </button>`
            : html`<button type="submit" class="square accent" title="Send">
                <${Icon} name="arrow-up" label="Send" />
              </button>`
        }</span
      >
    </div>
  </form>`;
}
