// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { signal, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { Question, Together } from "./approvals.js";
import { Composer, readFile, useDraft } from "./composer.js";
import { focusBox } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Markdown } from "./markdown.js";
import { CUT, Fields, Message, Struck, Tools } from "./message.js";
import { Failure, Menu, More, Status, copyText, useKeys, useLoaded } from "./parts.js";
import { CONTINUE } from "./own_message.js";
import { changeChat, removeChat } from "./remove.js";
import {
  config,
  draft,
  hasPack,
  isLocal,
  keepLook,
  order,
  session,
  suggest,
  useChanges,
} from "./session.js";
import { Mark, opened, recent } from "./sidebar.js";
import { Talk, writers } from "./talk.js";
import {
  describeStatus,
  describeTool,
  fillIn,
  findMarks,
  formatCost,
  formatCount,
  formatOf,
  makeVisible,
  nameChat,
  nameModel,
  toWords,
} from "./words.js";

const END_PX = 120; // so near to the end is at the end
const HIDDEN_PX = 24; // a line that is not seen
const GAP_PX = 28; // above a question at the top
const END_GAP_PX = 8; // below an answer's buttons
const GAP = /\[[^\]]+\]/; // in a suggestion, what one fills in

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

function describeWaiting(run, by) {
  if (run.status === "waiting") return "Waiting for your approval";
  const tool = run.steps.at(-1)?.tools.findLast((item) => item.status === "running");
  if (tool) return `${describeTool(tool.name).approve ?? toWords(tool.name)}…`;
  return run.place === null
    ? by
      ? `${by} is working…`
      : "Working…"
    : `Position ${run.place} in the queue`;
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

function Live({ run, writer, onAgain }) {
  const by = writer && nameModel(writer.replace(/^[^:]*:/, ""));
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
    ${!run.text && !isOver && html`<p class="soft">${describeWaiting(run, by)}</p>`}
    ${run.text && by && html`<p class="foot">${by}${!isOver && " is writing…"}</p>`}
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
      setAway(below > HIDDEN_PX && (isWaiting || !talk.isAtEnd));
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

// The line above a conversation: its title, cost and menu.

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
function Head({ talk, run }) {
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
  const isPlain = !session.value.is_admin; // cost and run are in the menu, as on a phone
  const address = withQuery("#/usage", { by: "run", chat_id: talk.id, days: "all" });
  return html`<header class=${`head ${isPlain ? "plain" : ""}`}>
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
        html`<a
          class="over bad"
          href=${isPlain ? undefined : "#/settings/prices"}
          title=${`Used up: ${over.description}${isPlain ? ". You can go on: nothing is refused." : ""}`}
          ><b>Over budget</b><span>${over.subject ? "" : " of everyone"}: ${sayOver(over)}</span></a
        >`
      }${
        total?.calls > 0 &&
        html`<a
          class="total"
          href=${address}
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
          >${exports && html`<${exports.Actions} chat=${talk} onFailure=${fail} />`}${
            run && html`<button class="in-menu" onClick=${toggleRun}>How it was answered</button>`
          }${total?.calls > 0 && html`<a class="in-menu" href=${address}>Cost: ${cost}</a>`}<button
            onClick=${() => removeChat({ id: talk.id, title: talk.title.value })}
          >
            Delete this chat</button
          ></${Menu}
        >`
      }
      ${
        run &&
        html`<button
          class="small run"
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
const isRunShown = signal(isBeside());
hasRoom.addEventListener("change", () => (isRunShown.value = isBeside()));
const toggleRun = () =>
  keepLook("run", (left = (isRunShown.value = !isRunShown.value) ? "shown" : "hidden"));

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
  const isPayer = session.value.is_admin && hasPack("operations");
  const { data: setUp } = useLoaded(async () => {
    const today = isPayer && (await import("./operations/today.js"));
    return { ...(await import("./aside.js")), today: today && (await today.loadToday()) };
  }, "");
  const prompts = shown?.prompts ?? [];
  // Of a row of one's own, where there is one: {path, rows, text}
  const load = ({ own, text }) =>
    own && get(own.path).then((page) => fillIn(own.text, page[own.rows][0] ?? {}) ?? text);
  const { data: texts } = useLoaded(() => Promise.all(prompts.map(load)), "");
  return html`<ul class="prompts" aria-label="Suggestions">
      ${prompts.map((prompt, n) => {
        const text = texts?.[n] ?? prompt.text;
        return html`<li key=${prompt.text}>
          <button class="card" onClick=${() => onPrompt(text)}>
            <${Icon} name=${prompt.icon} size=${20} /><b>${prompt.title}</b
            ><span
              >“${makeVisible(text)}”${prompt.needs && !isUploaded && `. ${prompt.needs}`}</span
            >
          </button>
        </li>`;
      })}
    </ul>
    ${setUp?.today}${shown && setUp && html`<${setUp.SetUp} shown=${shown} isRunning=${setUp.today && !isLocal()} onUploaded=${setUploaded} />`}`;
}

/** Bring the newest place of the text to the middle, and mark it. Gives whether there is one. */
function showHit(sought) {
  const words = sought.toLowerCase().split(/\s+/);
  const hit = [...document.querySelectorAll(".talk :is(.bubble, .prose)")].findLast(
    ({ textContent }) => words.every((word) => textContent.toLowerCase().includes(word)),
  );
  if (!hit) return false;
  const mark = (byWord) => {
    const texts = document.createTreeWalker(hit, NodeFilter.SHOW_TEXT);
    const ranges = [];
    for (let node; (node = texts.nextNode());)
      for (const [start, end] of findMarks(node.textContent, sought, byWord)) {
        const range = new Range();
        range.setStart(node, start);
        range.setEnd(node, end);
        ranges.push(range);
      }
    return ranges;
  };
  const whole = mark(false);
  const ranges = whole.length ? whole : mark(true);
  CSS.highlights?.set("hit", new Highlight(...ranges));
  (ranges[0]?.startContainer.parentElement ?? hit).scrollIntoView({ block: "center" });
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
    async () => (id || all.length ? (await import("./palette.js")).loadWritten() : null),
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
    let asked; // where the question of what comes next is
    let kept = ""; // an answer with what it continues
    return groups.map(({ message, calls, struck, isAfter }, n) => {
      const isOwn = message.role === "user";
      if (isOwn) asked = message.position;
      const isLast =
        message.role === "assistant" && groups[n + 1]?.message.run_id !== message.run_id;
      // What it continues is copied with it.
      const isJoined = !isOwn && groups[n - 1]?.message.content === CONTINUE;
      if (!isOwn) kept = isJoined ? `${kept} ${message.content}` : message.content;
      return html`<${Message}
        key=${message.id}
        message=${message}
        calls=${calls}
        results=${results}
        struck=${struck}
        isAfter=${isAfter}
        isLast=${isLast}
        whole=${kept}
        written=${isLast ? (written?.get(message.run_id) ?? []) : []}
        isNewest=${message === newest}
        past=${past?.id === message.run_id ? past : null}
        onAgain=${(model) => talk.replace(message.position, { model }, isBusy)}
        models=${talk.models.value}
        onEdit=${message.position === undefined ? null : (text) => edit(message, text)}
        versions=${versions.get(isOwn ? `Version ${asked}` : `Answer ${asked}`)}
        onContinue=${n === groups.length - 1 && !isBusy ? () => talk.say(CONTINUE) : null}
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
  const isShown = run && !isUnsent && !(run.isStored && past?.id === run.id);
  const shownRun = isShown ? run : past;
  const { data: beside } = useLoaded(
    async () => shownRun && isRunShown.value && import("./aside.js"),
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
  useEffect(() => {
    const measure = (part) =>
      [...place.current.querySelectorAll(part)].at(-1)?.getBoundingClientRect();
    const [acts, box] = [".acts", ".composer"].map(measure);
    if (acts?.top < box.top && acts.bottom > box.top - END_GAP_PX)
      scrollBy(0, acts.bottom - box.top + END_GAP_PX); // never half below the box
  }, [past?.id]);
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
    isUnsent=${isUnsent}
    unsent=${unsent}
    write=${write}
    placeholder=${aid?.placeholder ?? placeholder}
    >${aid && html`<${aid.Aid} talk=${talk} isBusy=${isBusy} turn=${all.length} />`}</${Composer}
  >`;
  useEffect(() => {
    const clear = () => write(({ text }) => ({ text: suggest(text, "") })); // what nobody changed
    addEventListener("newchat", clear);
    return () => removeEventListener("newchat", clear);
  }, []);
  /** Send a whole request; one with a gap, as "[title]", goes into the box, where that is selected. */
  const onPrompt = (prompt) => {
    const [gap] = prompt.match(GAP) ?? [];
    focusBox();
    if (!gap)
      return talk.say(prompt).catch(() => write(({ text }) => ({ text: suggest(text, prompt) })));
    const text = suggest(unsent.text, prompt);
    write(() => ({ text }));
    return requestAnimationFrame(() => {
      const at = text.lastIndexOf(prompt) + prompt.indexOf(gap);
      document.querySelector("#said")?.setSelectionRange(at, at + gap.length);
    });
  };
  useEffect(() => {
    if (order.value) void onPrompt(order.value);
    order.value = "";
  }, []);
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
      ${said}${showsLive && html`<${Live} run=${run} writer=${writers.get(talk.id)} onAgain=${() => again()} />`}
      <${Announcer} run=${run} />
      ${talk.error.value && html`<div class="newest"><${Failure} error=${talk.error.value} /></div>`}
      ${
        isAway &&
        html`<div class="newest">
          ${html`<button class="small" onClick=${() => ((talk.isAtEnd = true), scrollToEnd())}>
            <${Icon}
              name="arrow-down"
              size=${14}
            />${isWaiting ? "Needs your approval" : "Jump to latest"}
          </button>`}
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
