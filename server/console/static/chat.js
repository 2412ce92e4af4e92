// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { useEffect, useMemo, useRef, useState } from "./vendor.js";
import { Question } from "./approvals.js";
import { First } from "./first.js";
import { html } from "./html.js";
import { Markdown } from "./markdown.js";
import { Icon } from "./icon.js";
import { Failure, More, Status, Value } from "./parts.js";
import { config, useChanges } from "./session.js";
import { Mark } from "./sidebar.js";
import { Talk } from "./talk.js";
import { Timeline } from "./timeline.js";
import { cutLong, makeVisible, toWords } from "./words.js";

const END_PX = 120; // so near to the end is at the end

const CUT = { cancelled: "stopped before it was finished", failed: "broke off", limit: "ended at a limit" };

const Struck = ({ text, reason }) => html`<details class="struck"><summary>A draft was rejected${reason && `: ${reason}`}</summary><del>${text}</del></details>`;

/** @param {{message: object, next?: object}} props next: what was said after it */
function Message({ message, next }) {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const results = message.parts.filter((part) => part.type === "tool_result");
  if (message.role === "tool")
    return html`${results.map((part) => html`<details class="tool"><summary>Result of ${toWords(part.name)}</summary><${Value} value=${part.result ?? part.content ?? part} /></details>`)}`;
  const files = message.parts.filter((part) => part.type === "file" && part.url);
  if (!message.content && !calls.length && !files.length) return null;
  if (message.status === "superseded") return html`<${Struck} text=${message.content} />`;
  return html`<article class=${`message ${message.role}`} aria-label=${message.role === "user" ? "You" : "Answer"}>
    ${message.role !== "user" && html`<${Mark} />`}
    ${message.role === "user" ? html`<p class="said">${cutLong(message.content, 20_000)}</p>` : html`<${Markdown} text=${message.content} />`}
    ${files.map((part) => html`<p class="foot"><a href=${part.url} target="_blank" rel="noopener">${makeVisible(part.name ?? part.media_type)}</a></p>`)}
    ${calls.map((part) => html`<details class="tool"><summary><${Icon} name="wrench" size=${14} /> ${toWords(part.name)}</summary><${Value} value=${part.arguments} /></details>`)}
    ${CUT[message.status] && html`<p class="foot">${CUT[message.status]}</p>`}
    ${message.role === "assistant" && message.content && message.run_id && next?.run_id !== message.run_id && html`<p class="foot"><a href=${`#/runs/${message.run_id}`} >Why this answer</a></p>`}
  </article>`;
}

function describeWaiting(run) {
  if (run.status === "waiting") return "Waiting for your approval";
  return run.place === null ? "Working…" : `In the queue, place ${run.place}`;
}

function Live({ run }) {
  const isOver = run.status !== "running" && run.status !== "waiting";
  return html`<article class="message assistant live" aria-label="Answer, as it comes" aria-busy=${!isOver}><${Mark} />
    ${run.struck.map((attempt) => html`<${Struck} ...${attempt} />`)}
    <${Markdown} text=${run.text} isOpen=${run.error === null} />
    ${!run.text && !isOver && html`<p class="soft">${describeWaiting(run)}</p>`}
    ${[...run.questions.values()].filter((item) => item.status === "pending").map((item) => html`<${Question} key=${item.approval_id} approval=${{ ...item, run_id: run.id, tool_name: item.name }} />`)}
    ${run.error && html`<${Failure} error=${run.error} />`}
  </article>`;
}

/** What answers: a model, or rules where none is set. */
const Answers = () => html`<a class="chip" href="#/settings/models" title="What answers">${config.value.is_offline ? html`<span class="dot warn"></span>Offline rules` : html`<${Icon} name="cpu" size=${14} />${config.value.model}`}</a>`;

function Composer({ talk, isBusy, text, setText, placeholder }) {
  const send = async () => {
    const said = text.trim();
    if (!said || isBusy) return;
    setText("");
    try {
      await talk.say(said);
    } catch {
      setText(said); // nothing is lost
    }
  };
  const onKeyDown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  };
  return html`<form class="composer" onSubmit=${(event) => (event.preventDefault(), void send())}>
    <label class="only-read" for="said">Your message</label>
    <textarea id="said" rows="1" value=${text} placeholder=${placeholder} onInput=${(event) => setText(event.target.value)} onKeyDown=${onKeyDown}></textarea>
    <div class="row spread"><${Answers} />
      ${isBusy ? html`<button type="button" class="square" title="Stop" onClick=${() => talk.cancel()}><${Icon} name="square" label="Stop" /></button>` : html`<button type="submit" class="square accent" title="Send"><${Icon} name="arrow-up" label="Send" /></button>`}</div>
  </form>`;
}

/** Sentences for who listens, not tokens: what it came to. */
function Announcer({ run }) {
  if (!run) return html`<p class="only-read" role="status"></p>`;
  if (run.status === "waiting") return html`<p class="only-read" role="alert">A tool call needs your approval.</p>`;
  const says = { running: "The answer is being written.", succeeded: "The answer is finished.", failed: "The run failed.", cancelled: "The run was stopped." };
  return html`<p class="only-read" role="status">${says[run.status]}</p>`;
}

/** Whether somebody reads at the end of the page, and wants to see what comes: not who has scrolled up. */
function useEndOfPage(talk) {
  useEffect(() => {
    const look = () => {
      talk.isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - END_PX;
    };
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, [talk]);
}

/** @param {{id?: string}} props */
export function Chat({ id }) {
  const talk = useMemo(() => new Talk(id), [id]);
  const end = useRef(null);
  useEffect(() => {
    void talk.open();
    return () => talk.leave();
  }, [talk]);
  const run = talk.run.value;
  const isBusy = run !== null && (run.status === "running" || run.status === "waiting");
  // Its words stay until the stored ones are there; its end (an error) is not among the messages.
  const showsLive = run !== null && (!run.isStored || run.error !== null);
  // A run that goes on has stored some of it already; the stream tells all of it.
  const all = talk.messages.value;
  const liveId = showsLive ? run.id : null;
  // The same objects again are not looked through again, twenty times a second.
  const said = useMemo(
    () => all.filter((item) => liveId === null || item.role === "user" || item.run_id !== liveId).map((message, n, shown) => html`<${Message} key=${message.id} message=${message} next=${shown[n + 1]} />`),
    [all, liveId],
  );
  const timeline = useMemo(() => run && html`<${Timeline} run=${run} />`, [run?.id, run?.told, run?.status]);
  useEndOfPage(talk);
  useChanges((change) => talk.hear(change));
  useEffect(() => {
    if (talk.isAtEnd) end.current?.scrollIntoView({ block: "end" });
  }, [all.length, run?.text.length, run?.status]);
  const [text, setText] = useState("");
  const isNew = !id && !all.length && !run && !talk.error.value;
  const placeholder = config.value.screens.find((pack) => pack.placeholder)?.placeholder ?? "Ask something";
  const composer = html`<${Composer} talk=${talk} isBusy=${isBusy} text=${text} setText=${setText} placeholder=${placeholder} />`;
  const onPrompt = (prompt) => {
    setText(prompt);
    document.querySelector("#said").focus();
  };
  if (isNew) return html`<${First} composer=${composer} onPrompt=${onPrompt} />`;
  return html`<div class=${`room ${run ? "two-sided" : ""}`}>
    <section class="talk" aria-label="Conversation">
      <header class="head"><h1>${makeVisible(talk.title.value || "New chat")}</h1>${run && html`<${Status} status=${run.status} />`}</header>
      ${!talk.isOnline.value && html`<p class="notice" role="status">Connection lost. The run continues; reconnecting…</p>`}
      <${More} isThere=${talk.hasEarlier.value} onMore=${() => talk.loadEarlier()} end="Start of this chat">Show earlier messages</${More}>
      ${talk.messages.value.length === 0 && !run && html`<p class="empty">Start of this chat</p>`}
      ${said}
      ${showsLive && html`<${Live} run=${run} />`}
      <${Failure} error=${talk.error.value} />
      <${Announcer} run=${run} />
      ${composer}
      <div ref=${end}></div>
    </section>
    ${timeline}
  </div>`;
}
