// Talking, with the live timeline beside it. Leaving the page stops nothing: the run goes on, and
// whoever comes back sees the same.
import { signal, useEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { Question, Together } from "./approvals.js";
import { joinTexts, keepDraft, loadDraft, returnDraft } from "./drafts.js";
import { Beginnings, Greeting } from "./first.js";
import { focusBox, focusMain } from "./focus.js";
import { html } from "./html.js";
import { Markdown } from "./markdown.js";
import { Icon } from "./icon.js";
import {
  Failure,
  Menu,
  More,
  Status,
  Value,
  askToDelete,
  showToast,
  useKeys,
  useLoaded,
} from "./parts.js";
import { config, draft, keepLook, session, useChanges } from "./session.js";
import { Mark } from "./sidebar.js";
import { Talk } from "./talk.js";
import {
  cutLong,
  describeCall,
  describeTool,
  fillIn,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  makeVisible,
} from "./words.js";

const TOKENS = [
  "input_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_write_long_tokens",
  "output_tokens",
  "reasoning_tokens",
];
const END_PX = 120; // so near to the end is at the end

const CUT = {
  cancelled: "stopped before it was finished",
  failed: "was cut off",
  limit: "stopped at a limit",
};

const Struck = ({ text, reason }) =>
  html`<details class="struck">
    <summary>A draft was rejected${reason && `: ${reason}`}</summary>
    <del>${text}</del>
  </details>`;

/** The arguments and results of an answer's tools, below one line that says what they did. */
function Tools({ calls, results }) {
  const named = calls.map((part) => {
    const found = results.get(part.id);
    return {
      ...part,
      found,
      title: describeCall(part.name, found && !found.is_error, found?.refusal),
    };
  });
  const did = [...new Set(named.map(({ title }) => title))];
  const isRefused = named.every(({ found }) => found?.refusal);
  const failed = named.filter(({ found }) => found?.is_error && !found.refusal).length;
  return html`<details class=${`tools ${isRefused || failed ? "undone" : ""}`}>
    <summary>
      <${Icon}
        name=${failed ? "circle-alert" : isRefused ? "circle-x" : "circle-check"}
        size=${14}
      />${did.slice(0, 2).join(", ")}${did.length > 2 && ` and ${did.length - 2} more`}${" "}<span
        class="soft"
        >·${" "}${formatOf(calls.length, "tool")}${failed > 0 && `, ${failed} failed`}</span
      >
    </summary>
    ${named.map(
      ({ id, name, title, found, arguments: values }) =>
        html`<div key=${id} class="tool">
          <p><b>${title}</b> <code>${makeVisible(name)}</code></p>
          <${Value} label="Called with" value=${values} />${
            found?.refusal
              ? found.refusal.reason && html`<p>“${makeVisible(found.refusal.reason)}”</p>`
              : found &&
                html`<${Value} label="Result" value=${found.result ?? found.content ?? ""} />`
          }
        </div>`,
    )}
  </details>`;
}

const MadeCard = ({ icon, title, hint, href }) =>
  html`<div class="card made">
    <span class="sign"><${Icon} name=${icon ?? "file-text"} /></span>
    <div><b>${makeVisible(title)}</b>${hint && html`<small>${makeVisible(hint)}</small>`}</div>
    <a class="button" href=${href}>Open</a>
  </div>`;

function Made({ calls, results }) {
  return calls.map((part) => {
    const { made, made_title: title, icon, did } = describeTool(part.name);
    const found = results.get(part.id);
    if (!made || !found || found.is_error) return null;
    const [href, name] = [fillIn(made, found.result), fillIn(title ?? "", found.result)];
    return (
      href &&
      html`<${MadeCard}
        key=${part.id}
        icon=${icon}
        title=${name || did}
        hint=${did}
        href=${href}
      />`
    );
  });
}

function Fields({ output }) {
  const { data: part } = useLoaded(() => import("./output.js"), ""); // with the first such answer
  return part && html`<${part.Output} output=${output} />`;
}

const THUMBS = [
  ["up", "thumbs-up", "Good answer"],
  ["down", "thumbs-down", "Bad answer"],
];

/**
 * What the user thinks of an answer: up or down, and in words.
 * @param {{runId: string, known?: {rating: string, note: string}}} props known: what was said before
 */
function Rating({ runId, known }) {
  const [said, setSaid] = useState(known ?? { rating: null, note: "" });
  const [error, setError] = useState(null);
  const say = async (rating, note) => {
    setError(null);
    try {
      await request("PUT", `/api/runs/${runId}/rating`, { rating, note });
      setSaid({ rating, note });
    } catch (failure) {
      setError(failure);
    }
  };
  const onNote = (event) =>
    event.target.value !== said.note && say(said.rating, event.target.value);
  return html`<span class="rating" role="group" aria-label="Was this a good answer?">
    ${THUMBS.map(
      ([rating, icon, title]) =>
        html`<button
          key=${rating}
          type="button"
          class="square ghost"
          title=${title}
          aria-pressed=${said.rating === rating}
          onClick=${() => say(said.rating === rating ? null : rating, said.rating === rating ? "" : said.note)}
        >
          <${Icon} name=${icon} size=${14} label=${title} />
        </button>`,
    )}
    ${
      said.rating === "down" &&
      html`<input
        aria-label="What was wrong"
        placeholder="What was wrong?"
        maxlength="2000"
        value=${said.note}
        onChange=${onNote}
      />`
    }
    <${Failure} error=${error}
  /></span>`;
}

/**
 * @param {{message: object, calls: object[], results: Map, isAfter: boolean, isLast: boolean,
 *   written: object[], onAgain: () => void, past?: object, rating?: object}} props isAfter: the words
 *   come after the calls; isLast: of its run
 */
function Message({ message, calls, results, isAfter, isLast, written, onAgain, past, rating }) {
  const files = message.parts.filter((part) => part.type === "file");
  if (message.status === "superseded") return html`<${Struck} text=${message.content} />`;
  if (message.role === "user")
    return html`<article class="message user" aria-label="You">
      <p class="said">${cutLong(message.content, 20_000)}</p>
      ${files.map(
        (part) =>
          html`<p class="foot">
            ${
              part.url
                ? html`<a href=${part.url} target="_blank" rel="noopener"
                    >${makeVisible(part.name ?? part.media_type)}</a
                  >`
                : makeVisible(part.name ?? "file")
            }
          </p>`,
      )}
      ${message.isQueued && html`<p class="foot soft">In the queue</p>`}
    </article>`;
  if (!message.content && !calls.length && !files.length) return null;
  const said = message.output
    ? html`<${Fields} output=${message.output} />`
    : html`<${Markdown} text=${message.content} />`;
  return html`<article class="message assistant" aria-label="Answer">
    <${Mark} />
    ${message.content && !isAfter && said}
    ${calls.length > 0 && html`<${Tools} calls=${calls} results=${results} />`}${isAfter && said}
    ${calls.length > 0 && html`<${Made} calls=${calls} results=${results} />`}
    ${written.map((item) => html`<${MadeCard} key=${item.href} ...${item} />`)}
    ${CUT[message.status] && html`<p class="foot">${CUT[message.status]}</p>`}
    ${
      isLast &&
      message.content &&
      html`<div class="foot acts">
        <button
          class="square ghost"
          title="Copy"
          onClick=${() =>
            navigator.clipboard?.writeText(message.content).then(
              () => showToast("Copied"),
              () => {},
            )}
        >
          <${Icon} name="copy" size=${14} label="Copy" /></button
        ><button class="square ghost" title="Ask again" onClick=${onAgain}>
          <${Icon} name="refresh-cw" size=${14} label="Ask again" />
        </button>
        ${message.run_id && html`<${Rating} runId=${message.run_id} known=${rating} />`}
        ${message.run_id && html`<a href=${`#/runs/${message.run_id}`}>Why this answer</a>`}${
          past?.id === message.run_id &&
          past?.totals.ms !== null &&
          past &&
          html`<span class="soft"
            >${formatMs(past.totals.ms)}${" "}·${" "}${past.totals.cost === 0 ? "free" : formatCost(past.totals.cost)}</span
          >`
        }
      </div>`
    }
  </article>`;
}

/** Messages as they are shown: results go to the calls that they answer, calls without words to one line. */
function groupMessages(messages) {
  const groups = [];
  const results = new Map();
  for (const message of messages) {
    const parts = message.role === "user" ? [] : message.parts;
    for (const part of parts) if (part.type === "tool_result") results.set(part.id, part);
    if (message.role === "tool") continue;
    const calls = parts.filter((part) => part.type === "tool_call");
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
    else if (answers && !calls.length) Object.assign(before, { message, isAfter: true });
    else groups.push({ message, calls });
  }
  return { groups, results };
}

function describeWaiting(run) {
  if (run.status === "waiting") return "Waiting for your approval";
  return run.place === null ? "Working…" : `Position ${run.place} in the queue`;
}

function Live({ run, onAgain }) {
  const isOver = run.status !== "running" && run.status !== "waiting";
  const asked = [...run.questions.values()]
    .filter((item) => item.status === "pending")
    .map((item) => ({ ...item, run_id: run.id, tool_name: item.name }));
  return html`<article
    class="message assistant live"
    aria-label="Streaming answer"
    aria-busy=${!isOver}
  >
    <${Mark} />
    ${run.struck.map((attempt) => html`<${Struck} ...${attempt} />`)}
    ${run.output ? html`<${Fields} output=${run.output} />` : html`<${Markdown} text=${run.text} isOpen=${run.error === null} />`}
    ${!run.text && !isOver && html`<p class="soft">${describeWaiting(run)}</p>`}
    ${asked.map((item) => html`<${Question} key=${item.approval_id} approval=${item} />`)}
    <${Together} asked=${asked} hasDecline />
    ${run.error && run.error.code !== "CANCELLED" && html`<${Failure} error=${run.error} again=${onAgain} />`}
    ${run.error?.code === "CANCELLED" && html`<p class="foot soft">You stopped the answer. The text so far is kept.</p>`}
  </article>`;
}

/** What answers here, and what else may: a model, or rules where none is set. */
function Answers({ talk }) {
  const { data } = useLoaded(() => get("/api/models"), "");
  const own = config.value.is_offline ? "Offline rules" : config.value.model;
  const name = (id) =>
    id?.startsWith("offline:") ? "Offline rules" : (id?.replace(/^[^:]*:/, "") ?? own);
  const chosen = talk.model.value;
  const isOffline = chosen ? chosen.startsWith("offline:") : config.value.is_offline;
  const [error, setError] = useState(null);
  const choose = (id) => talk.choose(id).then(() => setError(null), setError);
  const label = html`${
    isOffline ? html`<span class="dot warn"></span>` : html`<${Icon} name="cpu" size=${14} />`
  }${makeVisible(name(chosen))}`;
  return html`<${Menu} label=${label} title="What answers" style="chip"
      ><p class="hint">Model of this chat</p>
      ${data?.models.map(
        (item) =>
          html`<button
            key=${item.id}
            type="button"
            aria-pressed=${(chosen ?? data.models.find((one) => one.is_default)?.id) === item.id}
            onClick=${() => choose(item.is_default ? null : item.id)}
          >
            ${makeVisible(name(item.id))}<small
              >${item.is_default ? "default" : item.provider}</small
            >
          </button>`,
      )}
      ${session.value.is_admin && html`<a href="#/settings/models">Connect a model</a>`}</${Menu}
    ><${Failure} error=${error} />`;
}

const readFile = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ name: file.name, media_type: file.type || null, data: reader.result });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** What is being written, kept for this chat; of a new one until it has its id, and then with it. */
function useDraft(talk) {
  const [unsent, setUnsent] = useState(() => {
    const { text, files } = loadDraft(talk.id);
    return { text: draft.value ? joinTexts(text, draft.value) : text, files };
  });
  const write = (change) =>
    setUnsent((now) => {
      const next = { ...now, ...change(now) };
      keepDraft(talk.id, next);
      return next;
    });
  return [unsent, write];
}

function Composer({ talk, isBusy, unsent, write, placeholder }) {
  const { text, files } = unsent;
  const setText = (next) => write(() => ({ text: next }));
  const setFiles = (change) => write((now) => ({ files: change(now.files) }));
  const attach = async (chosen) => {
    const read = await Promise.all([...chosen].map(readFile));
    setFiles((now) => [...now, ...read]);
  };
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
  const onKeyDown = (event) => {
    if (event.key === "Escape" && !event.isComposing) return focusMain(); // single letters act again
    if (event.key === "ArrowUp" && !text) {
      const last = talk.messages.value.findLast((message) => message.role === "user")?.content;
      if (last) setText(last);
      return;
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send("enqueue");
  };
  const onPaste = (event) =>
    event.clipboardData.files.length > 0 &&
    (event.preventDefault(), void attach(event.clipboardData.files));
  const isWriting = isBusy && text.trim();
  return html`<form
    class="composer"
    onSubmit=${(event) => (event.preventDefault(), void send("enqueue"))}
  >
    <label class="only-read" for="said">Your message</label>
    <textarea
      id="said"
      rows="1"
      value=${text}
      placeholder=${isBusy ? "Your next message is sent when this answer is done." : placeholder}
      onInput=${(event) => setText(event.target.value)}
      onKeyDown=${onKeyDown}
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
              aria-label=${`Without ${file.name}`}
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
        ><${Answers} talk=${talk}
      /></span>
      <span class="row"
        >${
          isWriting &&
          html`<button type="submit" class="small">Send after this one</button
            ><button type="button" class="small" onClick=${() => void send("interrupt")}>
              Send instead
            </button>`
        }
        ${
          isBusy
            ? html`<button type="button" class="square" title="Stop" onClick=${() => talk.cancel()}>
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

/** Its title, which a click renames; what it is doing, its address, and its run. */
function Head({ talk, run }) {
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
    ${run && html`<${Status} status=${run.status} />`}
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
        onClick=${() =>
          navigator.clipboard?.writeText(location.href).then(
            () => showToast("Link copied"),
            () => {},
          )}
      >
        <${Icon} name="link" label="Copy link" />
      </button>
      ${
        talk.id &&
        html`<button
          class="square ghost"
          title="Delete this chat"
          onClick=${() => askToDelete({ id: talk.id, title: talk.title.value })}
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
const isRunShown = signal(
  leftRun ? leftRun === "shown" : matchMedia("(min-width: 1100px)").matches,
);
const toggleRun = () =>
  keepLook("run", (isRunShown.value = !isRunShown.value) ? "shown" : "hidden");

/** Sentences for who listens, not tokens: what it came to. */
function Announcer({ run }) {
  if (!run) return html`<p class="only-read" role="status"></p>`;
  if (run.status === "waiting")
    return html`<p class="only-read" role="alert">A tool call needs your approval.</p>`;
  const says = {
    running: "The answer is being written.",
    succeeded: "The answer is finished.",
    failed: "The run failed.",
    cancelled: "The run was stopped.",
  };
  return html`<p class="only-read" role="status">${says[run.status]}</p>`;
}

const scrollToEnd = () => scrollTo({ top: document.documentElement.scrollHeight });

/**
 * Show what comes to whoever reads at the end of the page, not to who has scrolled up: also what grows
 * later, as a question does with the row that it is about. What waits for somebody is shown to all
 * who are near. Gives whether there is more below than one would look for.
 */
function useEndOfPage(talk, place, isNew, isWaiting) {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    let [lastY, opened] = [scrollY, null];
    const look = () => {
      const below = document.documentElement.scrollHeight - scrollY - innerHeight;
      if (below <= END_PX) talk.isAtEnd = true;
      else if (scrollY < lastY) talk.isAtEnd = false; // a person's: what comes scrolls down only
      lastY = scrollY;
      setAway(below > (isWaiting ? END_PX : 2 * innerHeight));
    };
    if (isWaiting && document.documentElement.scrollHeight - scrollY - innerHeight <= innerHeight)
      talk.isAtEnd = true;
    const grow = new ResizeObserver(() => {
      if (talk.isAtEnd && !opened) scrollToEnd();
      opened = null;
      look();
    });
    if (!isNew) grow.observe(place.current);
    // What one unfolds stays under one's eyes.
    const onClick = (event) => (opened = event.target.closest("summary, .link"));
    place.current.addEventListener("click", onClick);
    addEventListener("scroll", look, { passive: true });
    const { current } = place;
    return () => {
      grow.disconnect();
      current.removeEventListener("click", onClick);
      removeEventListener("scroll", look);
    };
  }, [talk, isNew, isWaiting]);
  return isAway;
}

/** @param {{id?: string}} props */
export function Chat({ id }) {
  const talk = useMemo(() => new Talk(id), [id]);
  const place = useRef(null);
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
  const past = talk.past.value;
  const isOver = run === null || run.isStored;
  const { data: written } = useLoaded(
    async () => (id || all.length ? (await import("./written.js")).loadWritten() : null),
    `${id} ${isOver} ${past?.id}`,
  );
  const again = (runId) => {
    const asked = all.findLast(
      (message) => message.role === "user" && (!runId || message.run_id === runId),
    )?.content;
    if (asked && !isBusy) talk.say(asked).catch(() => {});
  };
  // The same objects again are not looked through again, twenty times a second.
  const said = useMemo(() => {
    const { groups, results } = groupMessages(
      all.filter((item) => liveId === null || item.role === "user" || item.run_id !== liveId),
    );
    return groups.map(({ message, calls, isAfter }, n) => {
      const isLast =
        message.role === "assistant" && groups[n + 1]?.message.run_id !== message.run_id;
      return html`<${Message}
        key=${message.id}
        message=${message}
        calls=${calls}
        results=${results}
        isAfter=${isAfter}
        isLast=${isLast}
        written=${isLast ? (written?.get(message.run_id) ?? []) : []}
        past=${past?.id === message.run_id ? past : null}
        onAgain=${() => again(message.run_id)}
        rating=${talk.ratings.get(message.run_id)}
      />`;
    });
  }, [all, liveId, written, past, isBusy]);
  const shownRun =
    past && run && run.isStored && past.id === run.id && !run.error ? past : (run ?? past);
  const { data: beside } = useLoaded(
    async () => shownRun && import("./timeline.js"),
    Boolean(shownRun),
  ); // with the first run
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
  useKeys({ ".": toggleRun });
  const isNew = !id && !all.length && !run && !talk.error.value;
  const isWaiting = run?.status === "waiting";
  const isAway = useEndOfPage(talk, place, isNew, isWaiting);
  useChanges((change) => talk.hear(change));
  useEffect(() => {
    if (talk.isAtEnd && !isNew) scrollToEnd();
  }, [all.length, run?.text.length, run?.status]);
  const [unsent, write] = useDraft(talk);
  useEffect(() => {
    if (!draft.value) return;
    write(() => ({})); // it is kept as what was typed is
    focusBox();
    draft.value = "";
  }, []);
  const placeholder =
    config.value.screens.find((pack) => pack.placeholder)?.placeholder ?? "Ask something";
  const composer = html`<${Composer}
    talk=${talk}
    isBusy=${isBusy}
    unsent=${unsent}
    write=${write}
    placeholder=${placeholder}
  />`;
  const onPrompt = (prompt) => {
    const isPrompt = (text) =>
      config.value.screens.some(({ prompts }) => prompts?.some((item) => item.text === text));
    write(({ text }) => ({ text: isPrompt(text) ? prompt : joinTexts(text, prompt) }));
    focusBox();
  };
  // The box is the second of three in the same place before and after the first message: whoever
  // types goes on in it, with the focus, the selection and what an input method composes.
  const above = () =>
    html`${
      !talk.isOnline.value &&
      html`<p class="notice" role="status">
        ${
          talk.isUnsent.value
            ? "Connection lost. Your message is kept here and sent once, when the connection is back."
            : "Connection lost. The run continues; reconnecting…"
        }
      </p>`
    }
      <${More}
        isThere=${talk.hasEarlier.value}
        onMore=${() => talk.loadEarlier()}
        end="Start of this chat"
        >Show earlier messages</${More}
      >
      ${talk.isRead && talk.messages.value.length === 0 && !run && html`<p class="empty">Start of this chat</p>`}
      ${said}${showsLive && html`<${Live} run=${run} onAgain=${() => again()} />`}
      <${Failure} error=${talk.error.value} />
      <${Announcer} run=${run} />
      ${
        isAway &&
        html`<p class="newest">
          <button class="small" onClick=${scrollToEnd}>
            <${Icon} name="arrow-down" size=${14} />${isWaiting ? "Needs your approval" : "Newest"}
          </button>
        </p>`
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
