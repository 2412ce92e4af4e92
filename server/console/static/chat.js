// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor.js";
import { Question, Together } from "./approvals.js";
import { Composer, readFile, useDraft } from "./composer.js";
import { focusBox } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Markdown } from "./markdown.js";
import { CUT, Fields, Message, Struck, Tools } from "./message.js";
import { Failure, More, Status, useKeys, useLoaded } from "./parts.js";
import { config, draft, suggest, useChanges } from "./session.js";
import { Mark } from "./sidebar.js";
import { Talk } from "./talk.js";
import { Head, isRunShown, toggleRun } from "./talk_head.js";
import { describeStatus, describeTool, makeVisible, toWords } from "./words.js";
import { loadWritten } from "./palette.js";

const END_PX = 120; // so near to the end is at the end
const GAP_PX = 28; // above a question at the top

/** Messages as they are shown: results go to the calls that they answer, calls without words to one line. */
function groupMessages(messages) {
  const groups = [];
  const results = new Map();
  const struck = []; // drafts that the next answer replaces
  const keepStruck = () =>
    groups.push(...struck.splice(0).map((message) => ({ message, calls: [], struck: [] })));
  for (const message of messages) {
    const parts = message.role === "user" ? [] : message.parts;
    for (const part of parts) if (part.type === "tool_result") results.set(part.id, part);
    if (message.role === "tool") continue;
    if (message.role === "user") keepStruck();
    const calls = parts.filter((part) => part.type === "tool_call");
    if (message.status === "superseded" && !calls.length) {
      struck.push(message);
      continue;
    }
    const before = groups.at(-1);
    const joins =
      !message.content &&
      calls.length > 0 &&
      before?.calls.length > 0 &&
      before.message.run_id === message.run_id &&
      before.message.role === "assistant";
    const answers =
      message.content &&
      before &&
      !before.message.content &&
      before.calls.length > 0 &&
      before.message.run_id === message.run_id &&
      message.status !== "superseded";
    if (joins) before.calls.push(...calls);
    else if (answers && !calls.length) {
      before.struck.push(...struck.splice(0));
      Object.assign(before, { message, isAfter: true });
    } else groups.push({ message, calls, struck: struck.splice(0) });
  }
  keepStruck();
  return { groups, results };
}

/** Messages, with one without text where a run ended that left no answer. ends: by run */
const addEnds = (messages, ends) =>
  messages.flatMap((message, n) => {
    const { run_id, position, created_at } = message;
    const status = ends.get(run_id);
    if (!CUT[status] || messages[n + 1]?.run_id === run_id) return message;
    const end = {
      run_id,
      position,
      created_at,
      role: "assistant",
      content: "",
      parts: [],
      isEnd: true,
    };
    return [message, { ...end, id: `${run_id}-end`, status }];
  });

function describeWaiting(run) {
  if (run.status === "waiting") return "Waiting for your approval";
  const tool = run.steps.at(-1)?.tools.findLast((item) => item.status === "running");
  if (tool) return `${describeTool(tool.name).approve ?? toWords(tool.name)}…`;
  return run.place === null ? "Working…" : `Position ${run.place} in the queue`;
}

/** The tools of a run that goes on, as those of an answer: those that are done, and their results. */
function listDone(run) {
  const calls = run.steps
    .flatMap((step) => step.tools)
    .filter((tool) => ["done", "failed", "denied"].includes(tool.status));
  const results = calls.map(({ id, status, result, error, refusal }) => [
    id,
    { result: result ?? { error }, is_error: status !== "done", refusal },
  ]);
  return { calls, results: new Map(results) };
}

function Live({ run, onAgain }) {
  const done = listDone(run);
  const isOver = run.status !== "running" && run.status !== "waiting";
  const [asked, decided] = [true, false].map((isPending) =>
    [...run.questions.values()]
      .filter((item) => (item.status === "pending") === isPending)
      .map((item) => ({ ...item, run_id: run.id, tool_name: item.name })),
  );
  return html`<article
    class="message assistant live"
    aria-label="Streaming answer"
    aria-busy=${run.status === "running"}
  >
    <${Mark} />
    ${run.struck.map((attempt) => html`<${Struck} ...${attempt} />`)}
    ${done.calls.length > 0 && html`<${Tools} ...${done} />`}
    ${run.output ? html`<${Fields} output=${run.output} />` : html`<${Markdown} text=${run.text} isOpen=${run.error === null} />`}
    ${!run.text && !isOver && html`<p class="soft">${describeWaiting(run)}</p>`}
    ${
      run.status === "waiting" && // else it is among the tools
      decided.map(
        (item) =>
          html`<p key=${item.approval_id} class="row">
            <${Status} status=${item.status} />${makeVisible(item.question)}
          </p>`,
      )
    }
    ${asked.map((item) => html`<${Question} key=${item.approval_id} approval=${item} />`)}
    <${Together} asked=${asked} hasDecline />
    ${run.error && run.error.code !== "CANCELLED" && html`<${Failure} error=${run.error} again=${onAgain} />`}
    ${run.status === "cancelled" && html`<p class="foot">${CUT.cancelled}</p>`}
  </article>`;
}

/** Announce to screen readers the run's state, each decision, and each question that is pending. */
function Announcer({ run }) {
  if (!run) return html`<p class="only-read" role="status"></p>`;
  const questions = [...run.questions.values()];
  const decided = questions
    .filter((item) => item.status !== "pending")
    .map((item) => `${describeStatus(item.status)}: ${makeVisible(item.question)} `);
  const pending = questions
    .filter((item) => item.status === "pending")
    .map((item) => `Needs your approval: ${makeVisible(item.question)} `);
  if (run.status === "waiting")
    return html`<p class="only-read" role="alert">${decided}${pending}</p>`;
  const says = {
    running: "The answer is being written.",
    succeeded: "The answer is finished.",
    failed: "The run failed.",
    cancelled: "The run was stopped.",
  };
  return html`<p class="only-read" role="status">${decided}${says[run.status]}</p>`;
}

/**
 * Bring the question that was just asked to the top, of a long one the end, with room for its answer
 * below: it is read from its beginning while it grows, and nothing moves.
 */
function holdQuestion(talk, place) {
  const measure = (node) => node.getBoundingClientRect();
  const question = measure([...place.querySelectorAll(".message.user")].at(-1));
  const top = measure(document.querySelector(".head")).bottom + GAP_PX;
  const room = measure(place.querySelector(".composer")).top - top;
  const seen = Math.min(question.height, room / 3);
  place.style.setProperty("--room", `${room - seen - GAP_PX}px`);
  scrollBy(0, question.bottom - seen - top);
  Object.assign(talk, { isAsked: false, isAtEnd: false, heldY: scrollY });
}

const scrollToEnd = () => scrollTo({ top: document.documentElement.scrollHeight });

/**
 * Show what comes to whoever reads at the end of the page, not to who has scrolled up or reads from
 * the question on: also what grows later, as a question does with the row that it is about. What waits
 * for somebody is shown to all who are near. Gives whether there is more below than one would look for.
 */
function useEndOfPage(talk, place, isNew, isWaiting) {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let [lastY, opened] = [scrollY, null];
    const look = () => {
      const below = document.documentElement.scrollHeight - scrollY - innerHeight;
      const isHeld = scrollY <= talk.heldY + 1;
      if (!isHeld) talk.heldY = -Infinity;
      if (!isHeld && below <= END_PX && talk.messages.value.length) talk.isAtEnd = true;
      else if (scrollY < lastY) talk.isAtEnd = false; // a person's: what comes scrolls down only
      lastY = scrollY;
      setAway(below > END_PX && (isWaiting || !talk.isAtEnd));
    };
    if (isWaiting && document.documentElement.scrollHeight - scrollY - innerHeight <= innerHeight)
      Object.assign(talk, { isAtEnd: true, heldY: -Infinity });
    const grow = new ResizeObserver(() => {
      if (talk.isAtEnd && !opened) scrollToEnd();
      opened = null;
      look();
    });
    if (!isNew) grow.observe(place.current);
    const fit = () => {
      if (talk.heldY > -Infinity) holdQuestion(talk, place.current);
      else if (talk.isAtEnd && !isNew) scrollToEnd();
      look();
    };
    // What one unfolds stays under one's eyes.
    const onClick = (event) => (opened = event.target.closest("summary, .link, .acts button"));
    place.current.addEventListener("click", onClick);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", fit);
    const { current } = place;
    return () => {
      grow.disconnect();
      current.removeEventListener("click", onClick);
      removeEventListener("scroll", look);
      removeEventListener("resize", fit);
    };
  }, [talk, isNew, isWaiting]);
  return isAway;
}

const choosePack = () =>
  config.value.screens.find((pack) => pack.heading) ?? config.value.screens[0];

/** What stands above the box of a chat in which nothing was said. */
const Greeting = () =>
  html`<div class="greeting">
    <${Mark} />
    <h1>${choosePack()?.heading ?? "How can I help?"}</h1>
  </div>`;

/** What stands below it. @param {{onPrompt: (text: string) => void}} props */
function Beginnings({ onPrompt }) {
  const shown = choosePack();
  const [isUploaded, setUploaded] = useState(false);
  const { data: setUp } = useLoaded(() => import("./setup.js"), "");
  return html`<ul class="prompts" aria-label="Suggestions">
      ${(shown?.prompts ?? []).map(
        (prompt) =>
          html`<li key=${prompt.text}>
            <button class="card" onClick=${() => onPrompt(prompt.text)}>
              <${Icon} name=${prompt.icon} size=${20} /><b>${prompt.title}</b
              ><span>“${prompt.text}”${prompt.needs && !isUploaded && `. ${prompt.needs}`}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${shown && setUp && html`<${setUp.SetUp} shown=${shown} onUploaded=${setUploaded} />`}`;
}

/** Bring the newest place of the text to the middle, and mark it. Gives whether there is one. */
function showHit(sought) {
  const has = ({ textContent }) =>
    textContent.replace(/\s+/g, " ").toLowerCase().includes(sought.toLowerCase());
  const hit = [...document.querySelectorAll(".talk :is(.bubble, .prose)")].findLast(has);
  if (!hit) return false;
  const texts = document.createTreeWalker(hit, NodeFilter.SHOW_TEXT);
  let node = texts.nextNode();
  while (node && !has(node)) node = texts.nextNode();
  const at = node?.textContent.toLowerCase().indexOf(sought.toLowerCase()) ?? -1;
  if (at >= 0) {
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + sought.length);
    CSS.highlights?.set("hit", new Highlight(range));
  }
  (node?.parentElement ?? hit).scrollIntoView({ block: "center" });
  return true;
}

/** @param {{id?: string, find?: string}} props find: the text at which it is opened */
export function Chat({ id, find }) {
  const talk = useMemo(() => new Talk(id), [id]);
  const isSought = useRef(Boolean(find));
  if (isSought.current) talk.isAtEnd = false;
  const place = useRef(null);
  useEffect(() => {
    void talk.open();
    return () => talk.leave();
  }, [talk]);
  const run = talk.run.value;
  const isBusy = run !== null && (run.status === "running" || run.status === "waiting");
  // Its words stay until the stored ones are there; its error is not among the messages.
  const isOffline = !talk.isOnline.value;
  const isUnsent = isOffline && talk.isUnsent.value;
  const showsLive = run !== null && !isUnsent && (!run.isStored || run.status === "failed");
  // A run that goes on has stored some of it already; the stream tells all of it.
  const all = talk.messages.value;
  const liveId = showsLive ? run.id : null;
  const past = talk.past.value;
  const isOver = run === null || run.isStored;
  const { data: written } = useLoaded(
    async () => (id || all.length ? loadWritten() : null),
    `${id} ${isOver} ${past?.id}`,
  );
  const again = (runId) => {
    const asked = all.findLast(
      (message) => message.role === "user" && (!runId || message.run_id === runId),
    )?.content;
    if (asked && !isBusy) talk.say(asked).catch(() => {});
  };
  const edit = async (message, content) => {
    const kept = message.parts.filter((part) => part.type === "file" && part.url);
    const read = async ({ url, name, media_type: type }) =>
      readFile(new File([await (await fetch(url)).blob()], name ?? "file", { type }));
    const files = await Promise.all(kept.map(read));
    await talk.replace(message.position, { content, files }, isBusy);
  };
  const newest = all.findLast((message) => message.role === "assistant" && message.content);
  const versions = talk.versions.value;
  // The same objects again are not looked through again, twenty times a second.
  const said = useMemo(() => {
    const { groups, results } = groupMessages(
      addEnds(all, talk.ends.value).filter(
        (item) => item.role === "user" || !liveId || item.run_id !== liveId,
      ),
    );
    return groups.map(({ message, calls, struck, isAfter }, n) => {
      const isLast =
        message.role === "assistant" && groups[n + 1]?.message.run_id !== message.run_id;
      return html`<${Message}
        key=${message.id}
        message=${message}
        calls=${calls}
        results=${results}
        struck=${struck}
        isAfter=${isAfter}
        isLast=${isLast}
        written=${isLast ? (written?.get(message.run_id) ?? []) : []}
        isNewest=${message === newest}
        past=${past?.id === message.run_id ? past : null}
        onAgain=${(model) => talk.replace(message.position, { model }, isBusy)}
        models=${message === newest || message.isEnd ? talk.models.value : []}
        onEdit=${message.position === undefined ? null : (text) => edit(message, text)}
        versions=${versions.get(message.position)}
        isUnsent=${isOffline && (message.isUnsent || (message.isNew && isUnsent))}
        rating=${talk.ratings.get(message.run_id)}
      />`;
    });
  }, [
    all,
    liveId,
    written,
    past,
    isBusy,
    isOffline,
    isUnsent,
    versions,
    talk.ends.value,
    talk.models.value,
  ]);
  const shownRun = run && !(run.isStored && past?.id === run.id) ? run : past;
  const { data: beside } = useLoaded(
    async () => shownRun && isRunShown.value && import("./timeline.js"),
    Boolean(shownRun && isRunShown.value),
  ); // with the first run that is looked at
  const timeline = useMemo(
    () =>
      beside &&
      shownRun &&
      isRunShown.value &&
      html`<${beside.Timeline} run=${shownRun} onClose=${toggleRun} />`,
    [
      beside,
      shownRun?.id,
      shownRun?.told,
      shownRun?.known?.size,
      shownRun?.status,
      shownRun === past,
      isRunShown.value,
    ],
  );
  const { interview } =
    config.value.screens.find(({ pack }) => pack === talk.interview.value) ?? {};
  const { data: aid } = useLoaded(
    async () => interview && import(`./${talk.interview.value}/${interview}.js`),
    interview,
  );
  useKeys({ ".": toggleRun, Escape: run?.status === "running" && (() => void talk.cancel()) });
  const isNew = !id && !all.length && !run && !talk.error.value;
  const isWaiting = run?.status === "waiting";
  useLayoutEffect(() => {
    if (talk.isAsked && isBusy) holdQuestion(talk, place.current);
  });
  const isAway = useEndOfPage(talk, place, isNew, isWaiting);
  useChanges((change) => talk.hear(change));
  useEffect(() => {
    if (!isSought.current || !all.length) return;
    if (showHit(find) || !talk.hasEarlier.value) isSought.current = false;
    else void talk.loadEarlier();
  }, [all.length]);
  useEffect(() => {
    if (talk.isAtEnd && !isNew) scrollToEnd();
  }, [all.length, run?.text.length, run?.status, past?.id]); // with the past comes the line of its cost
  const [unsent, write] = useDraft(talk);
  useEffect(() => {
    write(() => ({})); // it is kept as what was typed is
    if (draft.value) focusBox();
    draft.value = "";
  }, []);
  const placeholder =
    config.value.screens.find((pack) => pack.placeholder)?.placeholder ?? "Ask something";
  const composer = html`<${Composer}
    talk=${talk}
    isBusy=${isBusy}
    unsent=${unsent}
    write=${write}
    placeholder=${aid?.placeholder ?? placeholder}
    >${aid && html`<${aid.Aid} talk=${talk} isBusy=${isBusy} turn=${all.length} />`}</${Composer}
  >`;
  const onPrompt = (prompt) => {
    const text = suggest(unsent.text, prompt);
    write(() => ({ text }));
    focusBox();
  };
  // The box is the second of three in the same place before and after the first message: whoever
  // types goes on in it, with the focus, the selection and what an input method composes.
  const above = () =>
    html`<${More}
        isThere=${talk.hasEarlier.value}
        onMore=${() => talk.loadEarlier()}
        end="Start of this chat"
        >Show earlier messages</${More}
      >
      ${talk.isRead && talk.messages.value.length === 0 && !run && html`<p class="empty">Start of this chat</p>`}
      ${said}${showsLive && html`<${Live} run=${run} onAgain=${() => again()} />`}
      <${Announcer} run=${run} />
      ${talk.error.value && html`<div class="newest"><${Failure} error=${talk.error.value} /></div>`}
      ${
        (isOffline || isAway) &&
        html`<div class="newest">
          ${
            isOffline &&
            html`<p class="notice" role="status">
              Connection lost.${" "}${isUnsent ? "Your message waits" : "The run continues"};
              reconnecting…
            </p>`
          }${
            isAway &&
            html`<button class="small" onClick=${() => ((talk.isAtEnd = true), scrollToEnd())}>
              <${Icon}
                name="arrow-down"
                size=${14}
              />${isWaiting ? "Needs your approval" : "Jump to latest"}
            </button>`
          }
        </div>`
      }`;
  const isWide = (shownRun || !talk.isRead || all.at(-1)?.run_id) && isRunShown.value;
  return html`<div class=${isNew ? "" : `room ${isWide ? "two-sided" : ""}`}>
    ${!isNew && html`<${Head} talk=${talk} run=${shownRun} />`}
    <section
      ref=${place}
      class=${isNew ? "first" : "talk"}
      aria-label=${isNew ? null : "Conversation"}
    >
      ${isNew ? html`<${Greeting} />` : above()}${composer}
      ${isNew && html`<${Beginnings} onPrompt=${onPrompt} />`}
    </section>
    ${timeline}
  </div>`;
}
