// Live replays: how far each is, what it came to, and its conversations.
import { useEffect, useRef, useState } from "../vendor.js";
import { useChange, useFields } from "../access.js";
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, Empty, Failure, More, Time, useKeys, useLoaded, usePages } from "../parts.js";
import "./style.js";
import { formatCost, formatCount, formatDate, formatOf, makeVisible } from "../words.js";
import { formatEven } from "./amounts.js";
import { Answer, Conversation } from "./beside.js";
import { Changed, loadPrompts } from "./experiment.js";
import { PREFERENCES, sayAdvised, sayFound, sayTried, sayWorse, toSentence } from "./names.js";
import { End, Outcome } from "./outcome.js";
import { Repair, useRepair } from "./repair.js";
import { Actions, Report, getKnownReport, loadReport, sayOpen } from "./report.js";
import { EARLIEST, Early, Running } from "./running.js";
import { Search } from "./search.js";

const LOOK_MS = 3_000; // while it goes on
const MOST_LOOKS = 60; // at a list for verdicts
const OUTCOMES = {
  "": "All",
  worse: "Worse",
  better: "Better",
  same: "The same",
  unfinished: "Unfinished",
  empty: "Nothing to compare",
};
const ONLY = {
  differing: "With answers that differ",
  used: "Used the change",
  judged: "Judged by people",
};
const STYLES = { worse: "bad", better: "good" };

/** @param {{id?: string, n?: string, outcome?: string, text?: string}} props n: a conversation's place in the replay */
export function Screen({ id, n, outcome = "", text = "", ...rest }) {
  const { data, error, reload } = useLoaded(
    () => (id ? get(`/api/replays/${id}?report=false`) : loadList()),
    id,
  );
  const looks = useRef(0);
  // A verdict is computed after the end; of a run that was stopped or failed there may be none.
  const isDue = data?.replays?.some(awaitsVerdict);
  useEffect(() => {
    if (!isDue || looks.current === MOST_LOOKS) return;
    looks.current += 1;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [data]);
  if (!data)
    return html`<h1>Experiments</h1>
      <${Failure} isWaiting error=${error} again=${reload} />`;
  if (!id) return html`<${List} ...${data} />`;
  const name = data.candidate.name || data.replay.name;
  if (n && rest.turn)
    return html`<${Answer}
      key=${`${n} ${rest.turn}`}
      id=${id}
      n=${n}
      turn=${rest.turn}
      name=${name}
      verdict=${data.replay.verdict}
    />`;
  if (n)
    return html`<${Conversation}
      key=${n}
      id=${id}
      n=${Number(n)}
      name=${name}
      verdict=${data.replay.verdict}
      total=${data.replay.conversations}
    />`;
  return html`<${One}
    key=${id}
    id=${id}
    ...${data}
    error=${error}
    reload=${reload}
    outcome=${outcome}
    text=${text}
  />`;
}

/** An experiment: looked at again until it has ended, and the report of its end is there. */
function One({ id, replay, candidate, error, reload, outcome, text }) {
  const [turn, setTurn] = useState(0);
  const isRunning = replay.ended_at === null;
  const isEarly = isRunning && replay.compared < EARLIEST; // too few for a report
  const found = useLoaded(
    async () => (isEarly ? null : loadReport(id)),
    `${id} ${turn} ${replay.ended_at} ${isEarly}`,
  );
  const report = found.data ?? getKnownReport(id);
  const again = () => (setTurn((now) => now + 1), reload());
  const repair = useRepair(id, !isRunning && findChat(report));
  // After a stop, what is being answered still ends.
  const isOpen =
    isRunning ||
    (found.data && found.data.replay.ended_at === null) ||
    (turn < MOST_LOOKS && isEnding(replay));
  useEffect(() => {
    if (!isOpen || found.isLoading) return;
    const timer = setTimeout(again, LOOK_MS);
    return () => clearTimeout(timer);
  }, [isOpen, found.isLoading, turn]);
  const conversations = html`<${Conversations}
    id=${id}
    turn=${turn}
    outcome=${outcome}
    text=${text}
    isRunning=${isRunning}
  />`;
  // The same element before and after the end, so that a screen reader tells of the end.
  const state = html`<p class="only-read" role="status">
    ${isRunning ? "The experiment is running." : "The experiment has ended."}
  </p>`;
  if (isRunning)
    return html`${state}<${Head}
        replay=${replay}
        shown=${replay}
        candidate=${candidate}
        again=${again}
      />
      <${Failure} error=${error ?? found.error} again=${reload} />
      <${Running} replay=${replay} report=${report} again=${again} />
      <${Early} id=${id} done=${replay.compared} />
      <details class="report" open=${Boolean(outcome || text)}>
        <summary>Conversations so far</summary>
        ${conversations}
      </details>`;
  return html`${state}<${Head}
      replay=${replay}
      shown=${report?.replay ?? replay}
      candidate=${candidate}
      again=${again}
      chat=${findChat(report)}
      >${report && html`<${Actions} report=${report} />`}</${Head}
    >
    <${Failure} error=${error} again=${reload} />
    ${
      repair
        ? html`<div class="report">
            <${Repair}
              repair=${repair}
              again=${toAgain(replay, findChat(report))}
              more=${toAgain({ ...replay, conversations: MORE })}
            />
            <details>
              <summary>Measures of this conversation</summary>
              <${Report} ...${found} report=${report} />
            </details>
          </div>`
        : html`<${Report} ...${found} report=${report} verdict=${replay.verdict} />
            ${(report || found.error) && conversations}`
    }`;
}

/** The chat of an experiment on one chat alone, which is tried again on it. */
const findChat = (report) =>
  report?.replay.source === "stored threads" &&
  report.replay.conversations === 1 &&
  report.worst[0]?.conversation_id;

/** Where an experiment is tried again, changed. chat: the only one that it answered; none: all that it drew */
const toAgain = (replay, chat) =>
  `#/lab.experiment?like=${replay.id}&${chat ? `chat=${chat}` : `sample=${replay.conversations}`}`;

const MORE = 20; // chats on which what repaired one answer is tried next

/** Whether stored chats were answered, which can be answered once more; else it was a file. */
const isOfChats = ({ source }) => source.startsWith("stored threads");

const awaitsVerdict = ({ verdict, status }) =>
  !verdict && ["queued", "running", "succeeded"].includes(status);

/** The newest experiments, and the advice that began some of them. */
async function loadList() {
  const [{ replays }, { advice }] = await Promise.all([
    get(`/api/replays?limit=${LISTED}`),
    get(`/api/advice?limit=${LISTED}`),
  ]);
  // A list counts nothing: of the few that run or broke off the page asks how far each is.
  const states = await Promise.all(
    replays
      .filter(({ status }) => status !== "succeeded")
      .slice(0, MOST_OPEN)
      .map(({ id }) => get(`/api/replays/${id}?report=false`).catch(() => null)),
  );
  const open = new Map(states.map((state) => [state?.replay.id, state?.replay]));
  return { replays: replays.map((item) => open.get(item.id) ?? item), advice };
}

const MOST_OPEN = 8;

const LISTED = 200;
const PAGE = matchMedia("(max-width: 699px)").matches ? 8 : 50; // conversations at once
const SHOWN = {
  "": "All",
  passed: "Passed",
  failed: "Worse",
  undecided: "Undecided",
  open: "Running",
  early: "Broke off or stopped",
};
const readState = ({ ended_at, status, verdict }) =>
  ended_at ? (status === "succeeded" ? verdict : "early") : "open";

/** The experiments as they are listed: those of one advice as its own entry. */
function listEntries(replays, advice) {
  const groups = new Map();
  for (const item of replays) {
    const key = item.advice_id ?? item.id;
    const entry = groups.get(key) ?? { key, items: [], advice: null };
    if (item.advice_id)
      entry.advice = advice.find(({ id }) => id === key) ?? { id: key, status: item.status };
    groups.set(key, { ...entry, items: [...entry.items, item] });
  }
  return [...groups.values()];
}

const nameAdvice = ({ headline, error, unread }) =>
  `Advice: ${sayFound({ headline: headline ?? error ?? "searching", unread })}`;

const sumCosts = (items) =>
  items.some((item) => item.cost_usd === null)
    ? null
    : items.reduce((sum, item) => sum + Number(item.cost_usd), 0);

// Why an experiment's verdict is what it is, as far as a list can know.
const REASONS = {
  passed: "No more got worse than you allow",
  failed: "More got worse than you allow",
  undecided: "Not proven either way",
};

/** What would decide the undecided ones, by their ids, one after the other: a report compares all answers. */
function useOpen(replays) {
  const [known, setKnown] = useState({});
  const sought = replays
    .filter(({ status, verdict }) => status === "succeeded" && verdict === "undecided")
    .slice(0, MOST_OPEN)
    .map(({ id }) => id);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const prompts = await loadPrompts().catch(() => []);
      for (const id of sought) {
        if (isGone) return;
        const found = await get(`/api/replays/${id}`).catch(() => null);
        if (found?.report) setKnown((now) => ({ ...now, [id]: sayOpen(found, prompts) }));
      }
    };
    load();
    return () => void (isGone = true);
  }, [sought.join()]);
  return known;
}

const sayReason = ({ ended_at, status, verdict, reason, open }) => {
  if (!ended_at) return "";
  if (open) return open;
  return status === "succeeded" ? REASONS[verdict] : reason && makeVisible(toSentence(reason));
};

/** `Run 2 of 3`: which of those of the same name an experiment is, by their time; "": the only one. */
function sayRun({ id, name }, replays) {
  const same = replays.filter((item) => !item.advice_id && sayTried(item.name) === sayTried(name));
  const at = same.findIndex((item) => item.id === id);
  return same.length > 1 && at >= 0 ? `Run ${same.length - at} of ${same.length}` : "";
}

function saySize({ ended_at, done, compared, conversations }) {
  const [count, word] = ended_at ? [compared, "compared"] : [done, "done"];
  return count === null || count === conversations
    ? formatOf(conversations, "conversation")
    : `${formatCount(count)} of ${formatCount(conversations)} ${word}`;
}

const sayBelow = (item) => [item.run, sayReason(item)].filter(Boolean).join(" · ");

const Line = ({ item }) =>
  html`<a href=${`#/lab.experiments/${item.id}`}
    ><b
      >${sayTried(item.name)}${sayBelow(item) && html`<small class="soft">${sayBelow(item)}</small>`}</b
    ><span class="soft">${saySize(item)}</span><span class="soft">${formatEven(item.cost_usd)}</span
    ><${Outcome} of=${item} /><${Time} at=${item.created_at}
  /></a>`;

function Entry({ advice, items }) {
  if (!advice) return html`<${Line} item=${items[0]} />`;
  return html`<a href=${`#/lab.advice/${advice.id}`}
      ><b>${nameAdvice(advice)}<small class="soft">${sayAdvised(advice)}</small></b
      ><span class="soft">${formatOf(items.length, "experiment")}</span
      ><span class="soft">${formatEven(sumCosts(items))}</span><${Outcome} of=${advice} /><${Time}
        at=${advice.created_at ?? items.at(-1).created_at}
    /></a>
    <details>
      <summary>Experiments of this advice</summary>
      <ol class="plain rows whole experiments">
        ${items.map((item) => html`<li key=${item.id}><${Line} item=${item} /></li>`)}
      </ol>
    </details>`;
}

/** Focus the entry after the focused one, or before it: Enter opens it. */
function walk(step) {
  const links = [...document.querySelectorAll("main .experiments > li > a")];
  const at = links.indexOf(document.activeElement);
  links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}

function List({ replays, advice }) {
  useKeys({ j: () => walk(1), k: () => walk(-1) });
  const open = useOpen(replays);
  const [wanted, field] = useFields({ text: "", state: "" });
  const fits = (text) => text.toLowerCase().includes(wanted.text.trim().toLowerCase());
  const told = replays.map((item) => ({
    ...item,
    open: open[item.id],
    run: sayRun(item, replays),
  }));
  const shown = listEntries(told, advice).filter(
    (entry) =>
      (!wanted.state ||
        [entry.advice ?? entry.items[0]].some((one) => readState(one) === wanted.state)) &&
      (fits(entry.advice ? nameAdvice(entry.advice) : "") ||
        entry.items.some(({ name }) => fits(name))),
  );
  return html`<div class="row spread experiments-head">
      <h1>Experiments</h1>
      <span class="row"
        ><a class="button" href="#/lab.advice">Advice</a
        ><a class="button" href="#/lab.compare">Compare two runs</a
        ><a class="button accent" href="#/lab.experiment"
          ><${Icon} name="plus" />New experiment</a
        ></span
      >
    </div>
    ${
      replays.length === 0 &&
      html`<${Empty}
        ><${Icon} name="scale" size=${20} /> Could another model answer? An experiment answers your
        conversations again with both models, and shows which answers got worse.</${Empty}
      >`
    }
    ${
      replays.length > 0 &&
      html`<form
        role="search"
        class="experiments-search"
        onSubmit=${(event) => event.preventDefault()}
      >
        <label
          >Result<select ...${field("state")}>
            ${Object.entries(SHOWN).map(([value, title]) => html`<option value=${value}>${title}</option>`)}
          </select></label
        >
        <label>Name<input type="search" id="search" ...${field("text")} /></label>
      </form>`
    }
    ${replays.length > 0 && shown.length === 0 && html`<${Empty}>No experiment matches.</${Empty}>`}
    ${
      shown.length > 0 &&
      html`<p class="heads" aria-hidden="true">
        <span>Tried</span><span>Size</span><span>Cost</span><span>Result</span><span>Started</span>
      </p>`
    }
    <ol class="plain rows whole experiments">
      ${shown.map((entry) => html`<li key=${entry.key}><${Entry} ...${entry} /></li>`)}
    </ol>
    ${replays.length === LISTED && html`<p class="soft">These are the newest ${LISTED}.</p>`}`;
}

const isEnding = ({ ended_at, items }) => ended_at !== null && items.running > 0;

const SPARE = 1.25; // of the estimate, which a new limit leaves

/** What the next request may cost at most, as the reason of the stop says; 0: it was another one. */
const readNext = (reason) =>
  Number(/next request may cost up to \$([\d.]+)/.exec(reason)?.[1] ?? 0);

/** A limit that lets the missing conversations be answered; without an estimate, twice the old one.
 * It has room for what the next request may cost at most beside them, or it would stop at once again. */
const chooseLimit = ({ max_cost_usd: limit, cost_usd: cost, reason }, rest) => {
  const needed = Number(cost) + (rest ? SPARE * rest : limit) + readNext(reason);
  return Math.ceil(100 * Math.max(limit, needed)) / 100;
};

const CHANGED = "REPLAY_CHANGED";

const sayAnew = (count) =>
  `${formatOf(count, "conversation")} of them ${count === 1 ? "is" : "are"} answered anew on both sides, ` +
  "with the prompts, settings and data of today.";

/** The way on from an experiment that did not come to its end: what is paid stays. */
function Continue({ replay, candidate, chat, again }) {
  const { isBusy, error, change } = useChange(again);
  const isLimited = replay.status === "stopped";
  const left = replay.conversations - replay.compared;
  const rest = replay.estimate_usd && (replay.estimate_usd * left) / replay.conversations;
  const [wanted, field] = useFields({ limit: isLimited ? chooseLimit(replay, rest) : "" });
  const startAnew = async () => {
    const { name, ...kept } = candidate;
    const limit = replay.max_cost_usd && Number(replay.max_cost_usd);
    const threads = chat ? { ids: [chat] } : {};
    const sample = chat ? null : replay.conversations;
    const sent = { ...kept, name, threads, sample, max_cost_usd: limit, like: replay.id };
    const made = await change("POST", "/api/replays", sent);
    if (made) location.hash = `#/lab.experiments/${made.id}`;
  };
  const resume = (event) => {
    event.preventDefault();
    const body = isLimited ? { max_cost_usd: Number(wanted.limit) } : {};
    return change("POST", `/api/replays/${replay.id}/resume`, body);
  };
  return html`<form class="row" onSubmit=${resume}>
      ${
        isLimited &&
        html`<label
          >New limit (USD)<input
            type="number"
            min="0"
            max="1000000"
            step="any"
            required
            ...${field("limit")}
        /></label>`
      }
      <button class="small accent" disabled=${isBusy}>Continue</button>
      <span class="soft"
        >${`Pays only for the ${formatOf(left, "conversation")} that ${left === 1 ? "is" : "are"} missing${
          rest ? `, about ${formatCost(rest)}` : ""
        }. ${replay.changed ? sayAnew(replay.changed) : "What was answered is kept."}`}</span
      >
    </form>
    <${Failure} error=${error} />
    ${
      error?.code === CHANGED &&
      isOfChats(replay) &&
      html`<p class="row">
        <button class="small accent" disabled=${isBusy} onClick=${startAnew}>
          Start anew with the same settings
        </button>
      </p>`
    }`;
}

/** @param {{replay: object, shown: object, chat?: string}} props shown: the replay as the report below counts it;
 * chat: the only chat that was answered again */
export function Head({ replay, shown, candidate, again, chat, children }) {
  const { items } = replay;
  const { name: own } = candidate;
  const { conversations, compared, cost_usd, max_cost_usd, estimate_usd } = shown;
  const isOver = replay.ended_at !== null;
  const isUnfinished = isOver && !isEnding(replay) && replay.status !== "succeeded";
  const ending = isEnding(replay)
    ? `. ${formatOf(items.running, "answer")} still being finished; then you can continue it here`
    : "";
  // The setup of the day on which it ran.
  const sayDated = (name) =>
    `${sayTried(name)} against the setup of ${formatDate(replay.created_at)}`;
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"], ...(replay.advice_id ? [["Advice", `#/lab.advice/${replay.advice_id}`]] : [])]}
      title=${own ? makeVisible(own) : toSentence(sayDated(replay.name))}
      ><span class="row">${
        isOver &&
        isOfChats(replay) &&
        html`<a class="button small" href=${toAgain(replay, chat)}>Change and run again</a>`
      }${children}</span></${Crumbs}
    >
    ${own && html`<p class="soft">${sayDated(replay.name.slice(own.length + 2))}</p>`}
    <${Changed} prompts=${candidate.prompts} />
    ${
      isOver &&
      html`<p class="row soft">
        <${End} status=${shown.status} /><span title=${makeVisible(replay.source)}
          >${`${formatCount(compared)} of ${formatOf(conversations, "conversation")} compared, cost ${formatCost(cost_usd)}${
            estimate_usd ? `, estimated ${formatCost(estimate_usd)}` : ""
          }${max_cost_usd && !replay.advice_id ? `, ${formatCost(max_cost_usd)} allowed` : ""}${ending}`}</span
        >
      </p>`
    }
    ${
      replay.deleted > 0 &&
      html`<p class="notice">
        ${formatOf(replay.deleted, "conversation")} ${replay.deleted === 1 ? "was" : "were"} deleted
        since this began, with what people judged of ${replay.deleted === 1 ? "it" : "them"}. The
        cost still includes ${replay.deleted === 1 ? "it" : "them"}, the other numbers do not.
      </p>`
    }
    ${replay.reason && html`<p class="notice">${makeVisible(toSentence(replay.reason))}</p>`}
    ${isUnfinished && html`<${Continue} replay=${replay} candidate=${candidate} chat=${chat} again=${again} />`}`;
}

function Row({ id, item, isRunning }) {
  const isWaiting = isRunning && item.outcome === "unfinished";
  const worse = item.worse.length > 0 && `: ${sayWorse(item.worse, [], 1)}`;
  return html`<li>
    <a href=${`#/lab.experiments/${id}?n=${item.n}`}
      ><b>${makeVisible(item.said)}</b>
      <span class=${STYLES[item.outcome] ?? "soft"}
        >${isWaiting ? "Not answered yet" : item.outcome === "same" && item.differs ? "Differs, not worse" : OUTCOMES[item.outcome]}${worse}</span
      ><span class="soft"
        >${item.turns > 0 && formatOf(item.turns, "question")}${item.people && ` · ${PREFERENCES[item.people]}`}</span
      ></a
    >
  </li>`;
}

function Conversations({ id, turn, outcome, text, isRunning }) {
  const path = `/api/replays/${id}/conversations`;
  const load = async (cursor) => {
    const chosen = outcome in ONLY ? { only: outcome } : { outcome };
    const found = await get(withQuery(path, { ...chosen, text, cursor }));
    return { rows: found.conversations, cursor: found.next_cursor };
  };
  const { rows, cursor, error, isLoading, more } = usePages(load, `${turn} ${outcome} ${text}`);
  const [shown, setShown] = useState(PAGE);
  const showMore = () => {
    setShown(shown + PAGE);
    if (rows.length < shown + PAGE && cursor !== null) more();
  };
  const go = (change) =>
    (location.hash = withQuery(`#/lab.experiments/${id}`, { outcome, text, ...change }));
  return html`${!isRunning && html`<h2>All conversations</h2>`}
    <${Search} label="Text in the conversation" text=${text} onSeek=${(sought) => go({ text: sought })}>
      <label
        >Show<select value=${outcome} onChange=${(event) => go({ outcome: event.target.value })}>
          ${Object.entries({ ...OUTCOMES, ...ONLY }).map(([value, title]) => html`<option value=${value}>${title}</option>`)}
        </select></label
      >
    </${Search}>
    <${Failure} error=${error} again=${more} />
    ${!isLoading && !error && rows.length === 0 && html`<${Empty}>No conversation matches.</${Empty}>`}
    <ol class="plain rows outcomes">
      ${rows.slice(0, shown).map((item) => html`<${Row} key=${item.n} id=${id} item=${item} isRunning=${isRunning} />`)}
    </ol>
    ${isLoading && html`<p class="soft" role="status">Loading…${cursor && ` ${formatCount(Number(cursor))} seen`}</p>`}
    <${More} key=${`${turn} ${outcome} ${text}`} isThere=${cursor !== null || rows.length > shown} onMore=${showMore} />`;
}
