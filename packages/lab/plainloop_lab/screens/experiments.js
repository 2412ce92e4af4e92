// Live replays: how far each is, what it came to, and its conversations.
import { useEffect, useRef, useState } from "../vendor.js";
import { useChange, useFields } from "../access.js";
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, Empty, Failure, More, Time, useLoaded, usePages } from "../parts.js";
import "./style.js";
import { formatCost, formatCount, formatOf, makeVisible } from "../words.js";
import { formatEven } from "./amounts.js";
import { Answer, Answers, Conversation } from "./beside.js";
import { Changed } from "./experiment.js";
import {
  PREFERENCES,
  sayAdvised,
  sayHeadline,
  sayTitle,
  sayTried,
  sayWorse,
  toSentence,
} from "./names.js";
import { End, Outcome } from "./outcome.js";
import { Actions, Report, getKnownReport, loadReport } from "./report.js";
import { EARLIEST, Running } from "./running.js";
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
    />`;
  if (n)
    return html`<${Conversation}
      key=${n}
      id=${id}
      n=${Number(n)}
      name=${name}
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
    <${Report} ...${found} report=${report} />
    ${!isOpen && html`<${Answers} id=${id} />`} ${conversations}`;
}

/** The chat of an experiment on one chat alone, which is tried again on it. */
const findChat = (report) =>
  report?.replay.source === "stored threads" &&
  report.replay.conversations === 1 &&
  report.worst[0]?.conversation_id;

const awaitsVerdict = ({ verdict, status }) =>
  !verdict && ["queued", "running", "succeeded"].includes(status);

/** The newest experiments, and the advice that began some of them. */
async function loadList() {
  const [{ replays }, { advice }] = await Promise.all([
    get(`/api/replays?limit=${LISTED}`),
    get(`/api/advice?limit=${LISTED}`),
  ]);
  return { replays, advice };
}

const LISTED = 200;
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

const nameAdvice = ({ headline, error }) =>
  `Advice: ${sayHeadline(headline ?? error ?? "searching")}`;

const sumCosts = (items) =>
  items.some((item) => item.cost_usd === null)
    ? null
    : items.reduce((sum, item) => sum + Number(item.cost_usd), 0);

const Line = ({ item }) =>
  html`<a href=${`#/lab.experiments/${item.id}`}
    ><b>${sayTried(item.name)}</b
    ><span class="soft">${formatOf(item.conversations, "conversation")}</span
    ><span class="soft">${formatEven(item.cost_usd)}</span><${Outcome} of=${item} /><${Time}
      at=${item.created_at}
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

function List({ replays, advice }) {
  const [wanted, field] = useFields({ text: "", state: "" });
  const fits = (text) => text.toLowerCase().includes(wanted.text.trim().toLowerCase());
  const shown = listEntries(replays, advice).filter(
    (entry) =>
      (!wanted.state ||
        [entry.advice ?? entry.items[0]].some((one) => readState(one) === wanted.state)) &&
      (fits(entry.advice ? nameAdvice(entry.advice) : "") ||
        entry.items.some(({ name }) => fits(name))),
  );
  return html`<div class="row spread">
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
      html`<form role="search" onSubmit=${(event) => event.preventDefault()}>
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
      (chat || replay.source.includes("drawn")) &&
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
    ? `. ${formatOf(items.running, "answer")} still being finished…`
    : "";
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"], ...(replay.advice_id ? [["Advice", `#/lab.advice/${replay.advice_id}`]] : [])]}
      title=${own ? makeVisible(own) : toSentence(sayTitle(replay.name))}
      ><span class="row">${
        isOver &&
        (chat || replay.source.includes("drawn")) &&
        html`<a
          class="button small"
          href=${`#/lab.experiment?like=${replay.id}&${chat ? `chat=${chat}` : `sample=${conversations}`}`}
          >Change and run again</a
        >`
      }${children}</span></${Crumbs}
    >
    ${own && html`<p class="soft">${makeVisible(replay.name.slice(own.length + 2))}</p>`}
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
  const worse = item.worse.length > 0 && `: ${sayWorse(item.worse)}`;
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
      ${rows.map((item) => html`<${Row} key=${item.n} id=${id} item=${item} isRunning=${isRunning} />`)}
    </ol>
    ${isLoading && html`<p class="soft" role="status">Loading…${cursor && ` ${formatCount(Number(cursor))} seen`}</p>`}
    <${More} key=${`${turn} ${outcome} ${text}`} isThere=${cursor !== null} onMore=${more} />`;
}
