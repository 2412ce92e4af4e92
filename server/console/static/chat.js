// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { useEffect, useMemo, useRef, useState } from "./vendor.js";
import { Question } from "./approvals.js";
import { html } from "./html.js";
import { Markdown } from "./markdown.js";
import { Failure, More, Value } from "./parts.js";
import { useChanges } from "./session.js";
import { Talk } from "./talk.js";
import { Timeline } from "./timeline.js";
import { cutLong, makeVisible } from "./words.js";

const END_PX = 120; // so near to the end is at the end

const CUT = { cancelled: "stopped before it was finished", failed: "broke off", limit: "ended at a limit" };

const Struck = ({ text, reason }) => html`<details class="struck"><summary>an attempt was taken back${reason && `: ${reason}`}</summary><del>${text}</del></details>`;

/** @param {{message: object, next?: object}} props next: what was said after it */
function Message({ message, next }) {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const results = message.parts.filter((part) => part.type === "tool_result");
  if (message.role === "tool")
    return html`${results.map((part) => html`<details class="tool"><summary>${part.name} gave</summary><${Value} value=${part.result ?? part.content ?? part} /></details>`)}`;
  const files = message.parts.filter((part) => part.type === "file" && part.url);
  if (!message.content && !calls.length && !files.length) return null;
  if (message.status === "superseded") return html`<${Struck} text=${message.content} />`;
  return html`<article class=${`message ${message.role}`} aria-label=${message.role === "user" ? "You" : "Answer"}>
    ${message.role === "user" ? html`<p class="said">${cutLong(message.content, 20_000)}</p>` : html`<${Markdown} text=${message.content} />`}
    ${files.map((part) => html`<p class="foot"><a href=${part.url} target="_blank" rel="noopener">${makeVisible(part.name ?? part.media_type)}</a></p>`)}
    ${calls.map((part) => html`<details class="tool"><summary>asks for ${part.name}</summary><${Value} value=${part.arguments} /></details>`)}
    ${CUT[message.status] && html`<p class="foot">${CUT[message.status]}</p>`}
    ${message.role === "assistant" && message.content && message.run_id && next?.run_id !== message.run_id && html`<p class="foot"><a href=${`#/runs/${message.run_id}`} aria-label="why this answer">why</a></p>`}
  </article>`;
}

function describeWaiting(run) {
  if (run.status === "waiting") return "waits for your decision";
  return run.place === null ? "works on it …" : `waits for its turn, place ${run.place}`;
}

function Live({ run }) {
  const isOver = run.status !== "running" && run.status !== "waiting";
  return html`<article class="message assistant live" aria-label="Answer, as it comes" aria-busy=${!isOver}>
    ${run.struck.map((attempt) => html`<${Struck} ...${attempt} />`)}
    <${Markdown} text=${run.text} isOpen=${run.error === null} />
    ${!run.text && !isOver && html`<p class="soft">${describeWaiting(run)}</p>`}
    ${[...run.questions.values()].filter((item) => item.status === "pending").map((item) => html`<${Question} key=${item.approval_id} approval=${{ ...item, run_id: run.id, tool_name: item.name }} />`)}
    ${run.error && html`<${Failure} error=${run.error} />`}
  </article>`;
}

function Composer({ talk, isBusy }) {
  const [text, setText] = useState("");
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
    <textarea id="said" rows="2" value=${text} placeholder="Ask, or tell what to do" onInput=${(event) => setText(event.target.value)} onKeyDown=${onKeyDown}></textarea>
    ${isBusy ? html`<button type="button" onClick=${() => talk.cancel()}>Stop</button>` : html`<button type="submit" class="accent">Send</button>`}
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
  return html`<div class="room">
    <section class="talk" aria-label="Conversation">
      <h1 class="only-read">Chat</h1>
      ${!talk.isOnline.value && html`<p class="notice" role="status">The connection broke off; the run goes on. Trying again …</p>`}
      <${More} isThere=${talk.hasEarlier.value} onMore=${() => talk.loadEarlier()} end="The conversation begins here.">Show earlier messages</${More}>
      ${talk.messages.value.length === 0 && !run && html`<p class="empty">Nothing said yet. The run's steps are shown beside the answer as they happen.</p>`}
      ${said}
      ${showsLive && html`<${Live} run=${run} />`}
      <${Failure} error=${talk.error.value} />
      <${Announcer} run=${run} />
      <${Composer} talk=${talk} isBusy=${isBusy} />
      <div ref=${end}></div>
    </section>
    ${timeline}
  </div>`;
}
