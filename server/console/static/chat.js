// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { signal, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, request, untilAnswered, watchRun } from "./api.js";
import { Question } from "./approvals.js";
import { foldEvent, startRun } from "./fold.js";
import { html } from "./html.js";
import { Markdown } from "./markdown.js";
import { Failure, More, Value } from "./parts.js";
import { Timeline } from "./timeline.js";
import { loadPending, useChanges } from "./session.js";
import { cutLong, makeVisible } from "./words.js";

const PAGE = 50;
const SHOW_EVERY_MS = 50;
const END_PX = 120; // so near to the end is at the end
const ROOM = "/api/chat/conversations";

/** A conversation on the screen: what was said, and the run that answers now. */
class Talk {
  constructor(id) {
    this.id = id;
    this.messages = signal([]);
    this.hasEarlier = signal(false);
    this.run = signal(null);
    this.isOnline = signal(true);
    this.error = signal(null);
    this.follows = true; // what comes is scrolled to
    this.following = null; // who reads and watches at present
    this.isOutdated = false; // there is more than was read
    this.left = new AbortController();
    this.view = { signal: this.left.signal, onState: (isOpen) => (this.isOnline.value = isOpen) };
  }

  /** Show what is stored, and what runs. Who follows a run already looks again behind it. */
  async open() {
    this.isOutdated = true;
    if (!this.id || this.following) return;
    try {
      await this.follow(null);
    } catch (error) {
      if (error.name !== "AbortError") this.error.value = error;
    }
  }

  /** Another run than the one that is shown: of another tab, of another client. */
  hear(change) {
    const isOurs = change.conversation_id === this.id && change.run_id && change.run_id !== this.run.value?.id;
    if (isOurs || change.status === "reset") void this.open();
  }

  /** The run, and one after the other those that others begin, as long as there are some. */
  async follow(what) {
    const own = (this.following = {}); // who says something while this still reads takes over
    try {
      for (let next = what; (next || this.isOutdated) && this.following === own; )
        next = await (next ? this.watch(next) : untilAnswered(() => this.refresh(), this.view));
    } finally {
      if (this.following === own) this.following = null;
    }
  }

  /** Read what is stored; the run to be watched then, or null. */
  async refresh() {
    this.isOutdated = false;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}`);
    const first = found.messages[0]?.position;
    const earlier = this.messages.value.filter((item) => item.position < first);
    const isKept = earlier.at(-1)?.position === first - 1; // who has gone back reads there
    this.messages.value = isKept ? [...earlier, ...found.messages] : found.messages;
    if (!isKept) this.hasEarlier.value = found.has_earlier;
    if (found.conversation.kind === "onboarding") this.path = "/api/chat/onboarding/messages";
    return found.active_run_id ? { conversation: this.id, runId: found.active_run_id } : null;
  }

  async loadEarlier() {
    const first = this.messages.value[0]?.position;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}&before=${first}`);
    this.messages.value = [...found.messages, ...this.messages.value];
    this.hasEarlier.value = found.has_earlier;
  }

  async say(content) {
    this.follows = true;
    this.error.value = null;
    try {
      if (!this.id) {
        this.id = (await request("POST", ROOM, {})).id;
        history.replaceState(null, "", `#/chat/${this.id}`);
      }
      const shown = { id: `new-${content.length}-${Date.now()}`, role: "user", content, parts: [] };
      this.messages.value = [...this.messages.value, shown];
      await this.follow({ conversation: this.id, message: { content }, path: this.path });
    } catch (error) {
      this.run.value = null;
      this.error.value = error;
      throw error;
    }
  }

  /**
   * Fold what comes; the screen changes as often as one can read, however many tokens there are.
   * Gives the run to be watched then, or null.
   */
  async watch(what) {
    const run = startRun(what.runId);
    let timer = 0;
    const show = () => {
      timer = 0;
      this.run.value = { ...run };
    };
    show();
    const view = { ...this.view, onRun: (id) => (run.id = id) };
    for await (const event of watchRun(what, view)) {
      foldEvent(run, event, performance.now());
      if (event.event.startsWith("approval_")) void loadPending();
      // A run that was queued: what was said is stored only now.
      if (event.event === "run_start" && what.runId && !this.messages.value.some((item) => item.run_id === run.id)) void this.refresh().catch(() => {}); // it is read at the end too
      timer ||= setTimeout(show, SHOW_EVERY_MS);
    }
    clearTimeout(timer);
    if (this.left.signal.aborted) return null;
    show();
    const next = await untilAnswered(() => this.refresh(), this.view);
    run.isStored = true;
    show();
    return next?.runId === run.id ? null : next;
  }

  cancel() {
    return request("POST", `${ROOM}/${this.id}/cancel`);
  }

  leave() {
    this.following = null;
    this.left.abort();
  }
}

/** An answer without a call that another one of its run follows: a retry made it void. */
const isTakenBack = (message, next) =>
  message.role === "assistant" && message.content && !message.parts.some((part) => part.type === "tool_call") && next?.role === "assistant" && next.run_id === message.run_id;

const Struck = ({ text, reason }) => html`<details class="struck"><summary>an attempt was taken back${reason && `: ${reason}`}</summary><del>${text}</del></details>`;

/** @param {{message: object, next?: object}} props next: what was said after it */
function Message({ message, next }) {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const results = message.parts.filter((part) => part.type === "tool_result");
  if (message.role === "tool")
    return html`${results.map((part) => html`<details class="tool"><summary>${part.name} gave</summary><${Value} value=${part.result ?? part.content ?? part} /></details>`)}`;
  const files = message.parts.filter((part) => part.type === "file" && part.url);
  if (!message.content && !calls.length && !files.length) return null;
  if (isTakenBack(message, next)) return html`<${Struck} text=${message.content} />`;
  return html`<article class=${`message ${message.role}`} aria-label=${message.role === "user" ? "You" : "Answer"}>
    ${message.role === "user" ? html`<p class="said">${cutLong(message.content, 20_000)}</p>` : html`<${Markdown} text=${message.content} />`}
    ${files.map((part) => html`<p class="foot"><a href=${part.url} target="_blank" rel="noopener">${makeVisible(part.name ?? part.media_type)}</a></p>`)}
    ${calls.map((part) => html`<details class="tool"><summary>asks for ${part.name}</summary><${Value} value=${part.arguments} /></details>`)}
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
function useFollowing(talk) {
  useEffect(() => {
    const look = () => {
      talk.follows = scrollY + innerHeight >= document.documentElement.scrollHeight - END_PX;
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
  useFollowing(talk);
  useChanges((change) => talk.hear(change));
  useEffect(() => {
    if (talk.follows) end.current?.scrollIntoView({ block: "end" });
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
