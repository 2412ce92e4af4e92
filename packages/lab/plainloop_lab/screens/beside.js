// One conversation of a replay side by side, and what people say of it; its answers that differ, the
// worst first, and each on a page of its own. `plainloop label` keeps the same verdicts.
import { signal, useEffect, useRef, useState } from "../vendor.js";
import { get, request } from "../api.js";
import { Words } from "../diffs.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Markdown } from "../markdown.js";
import { Copy, Crumbs, Failure, Time, useKeys, useLoaded } from "../parts.js";
import { keepLook, session } from "../session.js";
import {
  describePath,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  makeVisible,
  toWords,
} from "../words.js";
import { Calls, Sides, findClosed, sayDone, sayWanted } from "./calls.js";
import { areRelated, loadTalk, sayDisliked } from "./experiment.js";
import { noteJudged, sayJudged, useJudged } from "./judged.js";
import { listPassages, useMarks } from "./marks.js";
import { dropMarkup, sayDifference, sayExplained, sayTried, sayWorse } from "./names.js";
import { expectNewJudgements, getKnownReport, loadReport } from "./report.js";

function sumTokens(side) {
  const known = Object.values(side.tokens).filter((count) => count !== null);
  return known.length || side.models.length === 0
    ? `${formatCount(known.reduce((sum, count) => sum + count, 0))} tokens`
    : "tokens unknown";
}

/** What a side took: its models, tokens, cost and time. isEarlier: it was answered in another run */
function SideFacts({ side, isEarlier }) {
  const models = side.models.map((model) => model.split(":").slice(1).join(":")).join(", ");
  const { cost_usd: cost, uncached_usd: full } = side;
  const priced = full && Number(full) !== Number(cost);
  const paid = priced
    ? `${formatCost(full)} at full price, ${formatCost(cost)} with the cache`
    : formatCost(cost);
  return html`<p class="soft">
    ${`${models || "no model"} · ${sumTokens(side)} · cost ${paid} · ${formatMs(side.duration_ms)}${isEarlier ? ", timed in another run" : ""}`}
  </p>`;
}

const PASSAGES = 6; // that are shown at once

const phone = matchMedia("(max-width: 699px)");
const isPhone = signal(phone.matches);
phone.addEventListener("change", () => (isPhone.value = phone.matches));

const FEW = 2; // passages for which a phone has room before the answers, with both sides in one view
const BRIEF = 280; // characters of an answer that a phone shows below the other

/** The passages that differ, before whole answers are read; many are folded on a phone. */
function Passages({ a, b, names }) {
  const found = listPassages(a, b);
  if (!found.length) return null;
  const count = `${formatOf(found.length, "difference")} in the words`;
  const table = html`<${Sides} label="Words that differ" first=${count} names=${names}>
        <tbody>
          ${found.slice(0, PASSAGES).map(
            (sides, at) =>
              html`<tr key=${at}>
                <th class="name at" scope="row">${at + 1}</th>
                ${sides.map((parts) => html`<td class="name diff">${parts}</td>`)}
              </tr>`,
          )}
        </tbody>
      </${Sides}
      ><p class="soft">
        ${found.length > PASSAGES && `The first ${PASSAGES} are listed. `}<mark>Marked</mark>: words
        that only this side has; in the answers below, too.
      </p>`;
  return isPhone.value
    ? html`<details class="passages" open=${found.length <= FEW}>
        <summary>${count}</summary>
        ${table}
      </details>`
    : table;
}

/**
 * Two answers as a chat shows them, each below its side's name, after the words that differ where both
 * have much in common; on a phone one of them at a time, unless both are short. facts: what is shown of each
 * side before its answer; ends: what after it; instead: what stands in the place of a side's answer
 */
export function Texts({ a, b, names, facts = [], ends = [], instead = [] }) {
  const [shown, setShown] = useState(0);
  const ref = useRef(null);
  const isMarked = a !== b && areRelated(a, b);
  useMarks(ref, isMarked, a, b);
  const heads = names.map(
    (name, at) =>
      html`<h3>${name}</h3>
        ${facts[at]}`,
  );
  if (a === b)
    return html`${
        [...facts, ...ends].some(Boolean) &&
        html`<div class="two">${heads.map((head, at) => html`<div>${head}${ends[at]}</div>`)}</div>`
      }
      <h3>Both answers</h3>
      <${Markdown} text=${a || "No text."} />
      <p class="soft"><small>The same on both sides.</small></p>`;
  const isBrief = [a, b].every((text) => text.length <= BRIEF);
  return html`${
      isMarked &&
      !instead.some(Boolean) &&
      html`<${Passages} a=${dropMarkup(a)} b=${dropMarkup(b)} names=${names} />`
    }
    ${
      !isBrief &&
      html`<div class="switch" role="group" aria-label="Shown answer">
        ${names.map(
          (name, at) =>
            html`<button key=${name} aria-current=${shown === at} onClick=${() => setShown(at)}>
              ${name}
            </button>`,
        )}
      </div>`
    }
    <div class=${`two answers ${isBrief ? "brief" : shown ? "shows-b" : "shows-a"}`} ref=${ref}>
      ${[a, b].map(
        (text, at) =>
          html`<div role="group" aria-label=${names[at]}>
            ${heads[at]}${instead[at] || html`<${Markdown} text=${text || "No text."} />`}${ends[at]}
          </div>`,
      )}
    </div>`;
}

const SIDES = ["Today", "Candidate"];
const BLIND_SIDES = ["Answer A", "Answer B"];

const RATINGS = { up: ["good", "Rated good in the chat"], down: ["bad", "Rated bad in the chat"] };

const READABLE = { share: (value) => (value ? "yes" : "no") };

/** @param {{isSwapped: boolean, isHidden: boolean, names: string[]}} props who judges blind does not see which side is which */
function Turn({
  turn,
  reference,
  isSwapped,
  isHidden,
  names,
  titles,
  measures,
  isFirst,
  isAlike,
  children,
}) {
  const sides = [turn.lanes[reference], turn.lanes.candidate];
  const [a, b] = isSwapped ? [...sides].reverse() : sides;
  const rated = RATINGS[turn.lanes.recording?.rating];
  const facts = [a, b].map((side) => side && side.error && html`<p class="bad">${side.error}</p>`);
  const ends = [a, b].map(
    (side) =>
      side &&
      !isHidden &&
      html`<${SideFacts}
        side=${side}
        isEarlier=${turn.is_untimed && side !== turn.lanes.candidate}
      />`,
  );
  const instead = isHidden || !a || !b ? [] : [sayInstead(a, b), sayInstead(b, a)];
  const tell = ({ measure, reference: before, candidate }) =>
    `${titles(measure)}: ${[before, candidate].map(titles(measure, true)).join(" → ")}`;
  const changes = isHidden
    ? []
    : [
        ...turn.worse.map((item) => ["bad", "Worse", item]),
        ...turn.better.map((item) => ["good", "Better", item]),
      ];
  const told = sayWorse(
    turn.worse.map(({ measure }) => measure),
    measures,
  );
  if (isAlike)
    return html`<li>
      <details class="panel neutral alike">
        <summary>
          ${turn.user ? `“${makeVisible(turn.user)}”` : "The agent speaks first"}${" "}
          <span class="soft">the same on both sides</span>
        </summary>
        <${Markdown} text=${isHidden ? hideOrigin(a.text) : a.text || "No text."} />
      </details>
    </li>`;
  return html`<li class=${`panel ${isHidden ? "neutral" : ""}`}>
    ${isFirst && html`<p class="notice">First difference</p>`}
    <h2>${turn.user ? `“${makeVisible(turn.user)}”` : "The agent speaks first"}</h2>
    ${rated && html`<p class=${rated[0]}>${rated[1]}</p>`}${
      !a || !b
        ? html`<p class="soft">
            ${sides[0] ? "The candidate" : "Today's side"} has no answer yet.
          </p>`
        : html` <${Texts}
              a=${isHidden ? hideOrigin(a.text) : a.text}
              b=${isHidden ? hideOrigin(b.text) : b.text}
              names=${names}
              facts=${facts}
              ends=${ends}
              instead=${instead}
            />
            ${!isHidden && told && html`<p class="bad">Worse: ${told}</p>`}
            <h3>Tools</h3>
            <${Calls} a=${a.tools} b=${b.tools} names=${names} />
            ${
              !isHidden &&
              html`<details class="measured">
                <summary>Path and measures</summary>
                <p><${Words} a=${describePath(a.path)} b=${describePath(b.path)} /></p>
                ${changes.map(([style, word, item]) => html`<p class=${style}>${word}: ${tell(item)}</p>`)}
              </details>`
            }`
    }
    ${children}
  </li>`;
}

/** What stands in the place of an answer that only says that a replay did not execute a call; undefined: none. */
function sayInstead(side, other) {
  const [call, theirs] = [findClosed(side), findClosed(other)];
  if (call && CLOSED.test(side.text))
    return html`<p>
        <b>No answer: it wanted to ${sayWanted(call)}, which a replay does not do.</b>
      </p>
      <details>
        <summary>What it said to that</summary>
        <${Markdown} text=${side.text} />
      </details>`;
  const done =
    theirs && CLOSED.test(other.text) && side.tools.findLast(({ name }) => name === theirs.name);
  return (
    done &&
    html`<p><b>${sayDone(done)}.</b></p>
      <${Markdown} text=${side.text || "No text."} />`
  );
}

const countWords = (text) => text.trim().split(/\s+/).join(" ");
const keyCalls = ({ tools }) => JSON.stringify(tools.map((call) => [call.name, call.arguments]));

/** Whether both sides answered a turn, and not alike: as the service knows it. */
function isDiffering({ lanes }, reference) {
  const [a, b] = [lanes[reference], lanes.candidate];
  return (
    a &&
    b &&
    (countWords(a.text) !== countWords(b.text) ||
      a.error !== b.error ||
      keyCalls(a) !== keyCalls(b))
  );
}

/** Whether a turn that does not differ tells nothing by itself, beside others that do. */
const isAlike = ({ lanes, worse, better }, reference, isHidden) =>
  lanes[reference] &&
  lanes.candidate &&
  !lanes.candidate.error &&
  (isHidden || !(worse.length + better.length));

/** The user's verdict on one answer of several that differ: most of them make the conversation's. */
function TurnVotes({ id, path, turn, own, choices, isHidden, onJudged }) {
  const [error, setError] = useState(null);
  const said = own?.turns[turn]?.verdict;
  const choose = async (name) => {
    try {
      setError(null);
      const body = { verdict: said === name ? null : name, seen: isHidden ? "hidden" : "names" };
      onJudged((await request("PUT", `${path}/turns/${turn}/verdict`, body)).verdicts);
      expectNewJudgements(id);
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<div class="votes of-turn" role="group" aria-label="Only this answer">
      <span class="soft">Only this answer</span>
      ${choices.map(
        ([name, label]) =>
          html`<button
            key=${name}
            class="small"
            aria-pressed=${said === name}
            onClick=${() => choose(name)}
          >
            ${label}
          </button>`,
      )}
    </div>
    <${Failure} error=${error} />`;
}

/** What a person saw of the sides while judging. */
const SEEN = {
  hidden: "judged without names",
  revealed: "judged without names, shown afterwards",
  changed: "changed after the names were shown",
  names: "seen with names",
};

/** What a person said, with what was seen, and when. */
const Said = ({ item, who, words }) =>
  html`<p class="soft">
    ${who}:${" "}${words[item.verdict]}${item.note && ` – ${makeVisible(item.note)}`}${
      item.seen && ` · ${SEEN[item.seen]}`
    }${" · "}<${Time} at=${item.judged_at} />
  </p>`;

const last = signal(null); // the verdict that can be taken back: the next answer is there already

/** The user's own verdict, in view however long the answers are, and those of others. turn: of which answer;
 * undefined: of the whole conversation; words: what each verdict is called; isHidden: the user does not see
 * which side is which; before, next: the addresses of what is judged before and next; undefined: this is the
 * last one; number: which one of them this is; place: how far one is, `3 of 5 judged`; several: how many of its answers differ, if more than one */
export function Judging({
  id,
  path,
  turn,
  verdicts,
  onJudged,
  choices,
  words,
  isHidden,
  before,
  next,
  number,
  place = "",
  several = 0,
}) {
  const said = verdicts
    .map((item) =>
      turn === undefined
        ? item
        : { ...item, note: "", ...item.turns[turn], verdict: item.turns[turn]?.verdict },
    )
    .filter((item) => item.verdict);
  const own = said.find((item) => item.user_id === session.value.user_id);
  const [note, setNote] = useState(own?.note ?? "");
  const [error, setError] = useState(null);
  const say = async (verdict, note) => {
    try {
      setError(null);
      const body = { verdict, note, seen: isHidden ? "hidden" : "names" };
      onJudged((await request("PUT", `${path}/verdict`, body)).verdicts);
      expectNewJudgements(id);
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    }
  };
  // Another verdict from now on is not one without names.
  const isRevealed = !isHidden && own?.seen === "hidden";
  useEffect(() => void (isRevealed && say(own.verdict, own.note)), [isRevealed]);
  const choose = async (name) => {
    const isTaken = own?.verdict !== name;
    if (!(await say(isTaken ? name : null, note)) || !isTaken) return;
    last.value = {
      id,
      path,
      here: location.hash,
      number,
      label: choices.find(([of]) => of === name)[1],
      former: { verdict: own?.verdict ?? null, note: own?.note ?? "" },
    };
    if (next && isHidden) location.hash = next; // who looks at the names wants to stay
  };
  const undo = async () => {
    const { path: judged, here, former } = last.value;
    try {
      const body = { ...former, seen: isHidden ? "hidden" : "names" };
      const { verdicts: left } = await request("PUT", `${judged}/verdict`, body);
      last.value = null;
      expectNewJudgements(id);
      if (here === location.hash) onJudged(left);
      else {
        noteJudged(id, Number(/[?&]n=(\d+)/.exec(here)[1]), left.length > 0);
        location.hash = here;
      }
    } catch (failure) {
      setError(failure);
    }
  };
  const isUndone = last.value?.id === id;
  // Of another one that was judged it is told on the one after it only, which came by itself.
  const isBefore = isUndone && !own && before === last.value.here;
  const takeBack = () =>
    isUndone && last.value.here === location.hash ? undo() : choose(own.verdict);
  useKeys({
    ...Object.fromEntries(choices.map(([name], at) => [String(at + 1), () => choose(name)])),
    u: () => isUndone && undo(),
  });
  // Why may be told after the verdict, too.
  const explain = () => own && note !== own.note && say(own.verdict, note);
  const others = said.filter((item) => item !== own);
  return html`${
      others.length > 0 &&
      html`<section class="panel" aria-label="What others say">
        ${others.map((item) => html`<${Said} key=${item.user_id} item=${item} who=${makeVisible(item.user_id)} words=${words} />`)}
      </section>`
    }
    <section class=${`panel judging ${own ? "judged" : ""}`} aria-label="Your verdict">
      ${
        own
          ? html`<div class="row spread said">
              <${Said} item=${own} who="You" words=${words} />
              <span class="soft place">${place}</span>
              <button class="small" onClick=${takeBack}>
                Undo${isUndone && last.value.here === location.hash && html` <kbd aria-hidden="true">u</kbd>`}
              </button>
              ${
                next
                  ? html`<a class="button small" href=${next}
                      >Next <kbd aria-hidden="true">j</kbd></a
                    >`
                  : html`<a class="button small" href=${`#/lab.experiments/${id}`}
                      >Back to the result</a
                    >`
              }
            </div>`
          : html`<div class=${`row spread asks ${several ? "several" : ""}`}>
              <b
                >${several ? `${several} answers differ: which side is better?` : "Which answer is better?"}</b
              >
              <span class="soft place">${place}</span>${
                isBefore &&
                html`<span class="soft told"
                    >${`Number ${last.value.number}: ${last.value.label}`}</span
                  >
                  <button class="small" onClick=${undo}>
                    ${`Undo number ${last.value.number}`} <kbd aria-hidden="true">u</kbd>
                  </button>`
              }
            </div>`
      }
      <div class="votes">
        ${choices.map(
          ([name, label], at) =>
            html`<button
              key=${name}
              aria-pressed=${own?.verdict === name}
              onClick=${() => choose(name)}
            >
              ${label} <kbd aria-hidden="true">${at + 1}</kbd>
            </button>`,
        )}
      </div>
      <label
        >Why<input
          value=${note}
          maxlength="2000"
          placeholder="optional"
          onInput=${(event) => setNote(event.target.value)}
          onChange=${explain}
      /></label>
      <${Failure} error=${error} />
    </section>`;
}

/** The next and the one before, by j and k too: of those that differ the worst first, as far as the
 * report names them, else as they lie. */
function useNeighbours(id, n, total) {
  const { data } = useLoaded(async () => getKnownReport(id) ?? loadReport(id), id);
  const report = getKnownReport(id) ?? data;
  const listed = report?.worst.filter((item) => item.differs) ?? [];
  const worst = listed.map((item) => item.n);
  const at = worst.indexOf(n);
  const { count } = sayJudged(worst, useJudged(id, at >= 0));
  const [before, after] =
    at < 0
      ? [n > 0 ? n - 1 : undefined, n + 1 < total ? n + 1 : undefined]
      : [worst[at - 1], worst[at + 1]];
  const go = (place) =>
    place !== undefined && (location.hash = `#/lab.experiments/${id}?n=${place}`);
  useKeys({ j: () => go(after), k: () => go(before) });
  return {
    before,
    after,
    report,
    first: worst.find((one) => one !== n),
    number: (at < 0 ? n : at) + 1,
    progress: count === null ? "" : `${formatCount(count)} of ${formatCount(worst.length)} judged`,
    title:
      at < 0
        ? `Conversation ${n + 1} of ${formatCount(total)}`
        : worst.length === 1
          ? "The only conversation that differs"
          : `Conversation ${at + 1} of the ${formatCount(worst.length)} that differ${
              listed[at].severity > 0 ? ", worst first" : ""
            }`,
  };
}

const SAID = { better: "the candidate", same: "equally good", worse: "today's" };

/** Which side stands first where nobody shall know: the same one each time that one comes back. By
 * FNV-1a with the number first: as the last sign it would make the sides alternate. */
const isSwappedBlind = (id, n) =>
  ([...`${n}${id}`].reduce(
    (sum, sign) => Math.imul(sum ^ sign.codePointAt(0), 16777619),
    2166136261,
  ) >>>
    16) %
    2 ===
  1;

/** Whether the sides' names are hidden until somebody reveals them: "on", "off", or "" as the verdict needs it. */
const blindness = signal(/(?:^|; )plainloop_blind=(\w*)/.exec(document.cookie)?.[1] ?? "");

/** Whether the names are hidden: unless somebody chose, as long as judgements may decide the experiment. */
export const areNamesHidden = (verdict) =>
  blindness.value ? blindness.value !== "off" : !["failed", "passed"].includes(verdict);

function setBlindness(value) {
  blindness.value = value;
  keepLook("blind", value);
}

const revealed = signal([]); // conversations: who has seen the names has seen them

/** How a conversation is judged: what its sides are called, and whether that is hidden until it is revealed. */
function useSides(id, n, verdict) {
  const key = `${id} ${n}`;
  const isBlind = areNamesHidden(verdict);
  const isHidden = isBlind && !revealed.value.includes(key);
  const isSwapped = isBlind && isSwappedBlind(id, n); // it stays where it was when it is revealed
  const labels = isHidden ? ["A is better", "B is better"] : ["Today's", "The candidate's"];
  if (isSwapped && !isHidden) labels.reverse();
  const choices = [
    [isSwapped ? "better" : "worse", labels[0]],
    ["same", "The same"],
    [isSwapped ? "worse" : "better", labels[1]],
  ];
  const names = isSwapped ? [...SIDES].reverse() : SIDES;
  return {
    isBlind,
    isHidden,
    isSwapped,
    choices,
    names: isHidden ? BLIND_SIDES : names,
    words: isHidden ? { ...Object.fromEntries(choices), same: SAID.same } : SAID,
    onReveal: () => (revealed.value = [...revealed.value, key]),
  };
}

const hasSeen = (verdicts) =>
  verdicts.some(
    ({ user_id, seen }) => user_id === session.value.user_id && seen && seen !== "hidden",
  );

/** Whether the sides' names are shown, and whether the user has seen them here before. */
const Blind = ({ isBlind, isHidden, onReveal, verdicts }) =>
  html`<div class="row blind">
    <label class="check"
      ><input
        type="checkbox"
        checked=${isBlind}
        onChange=${() => setBlindness(isBlind ? "off" : "on")}
      />Hide which side is which</label
    >${
      isHidden
        ? html`<button class="small" onClick=${onReveal}>Reveal here</button>${
              hasSeen(verdicts) && html`<span class="soft seen">You have seen its names</span>`
            }`
        : isBlind && html`<span class="soft">Revealed here; the others stay hidden</span>`
    }
  </div>`;

/** The ways to the conversation or answer before, and to the next. */
const Steps = ({ before, after, children }) =>
  (before || after || children) &&
  html`<nav class="row steps" aria-label="Neighbours">
    ${
      before &&
      html`<a class="button small" href=${before}
        ><${Icon} name="chevron-right" size=${14} /><span>Previous</span>
        <kbd aria-hidden="true">k</kbd></a
      >`
    }${
      after &&
      html`<a class="button small" href=${after}
        ><span>Next</span><${Icon} name="chevron-right" size=${14} />
        <kbd aria-hidden="true">j</kbd></a
      >`
    }${children}
  </nav>`;

// What a tool says in an experiment whose recording has no answer for it: it would name the candidate.
const CLOSED = /not executed: this is a replay, and its recording has no result of such a call/;

/** An answer as who does not know its side may read it. */
const hideOrigin = (text) => text.replaceAll(new RegExp(CLOSED, "g"), "the tool gave no result");

/** What stands for the judgement where there is none. first: a conversation that differs */
const Alike = ({ id, report, first, isUnfinished }) =>
  html`<section class="card" aria-label="Nothing to judge">
    <p>
      <b>Nothing to judge: no answer that both sides gave differs.</b>
      ${!isUnfinished && " That counts as the same by itself."}
      ${report && first === undefined && " In this experiment no conversation differs."}
    </p>
    ${
      first !== undefined &&
      html`<p class="row">
        <a class="button accent" href=${`#/lab.experiments/${id}?n=${first}`}
          >Go to one that differs <${Icon} name="chevron-right" size=${14}
        /></a>
      </p>`
    }
  </section>`;

/** @param {{id: string, n: number, name: string, total: number}} props a replay, a conversation's place in it, and how many there are */
export function Conversation({ id, n, name, total, verdict }) {
  const path = `/api/replays/${id}/conversations/${n}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const [judged, setJudged] = useState(null);
  const { report, before, after, first, title, number, progress } = useNeighbours(id, n, total);
  const sides = useSides(id, n, verdict);
  const { isHidden } = sides;
  const rated = data?.conversation.turns.some(({ lanes }) => lanes.recording?.rating === "down");
  const { data: talk } = useLoaded(
    async () => rated && loadTalk(data.conversation.conversation_id),
    `${path} ${rated}`,
  );
  const way = [
    ["Experiments", "#/lab.experiments"],
    [sayTried(name), `#/lab.experiments/${id}`],
  ];
  if (!data)
    return html`<${Crumbs} way=${way} title=${title} /><${Failure}
        isWaiting
        error=${error}
        again=${reload}
      />`;
  const { conversation, reference, verdicts, differs, explanation, command } = data;
  const isEmpty = conversation.turns.length === 0;
  const said = judged ?? verdicts;
  const note = (left) => {
    setJudged(left);
    noteJudged(id, n, left.length > 0);
  };
  const own = said.find((item) => item.user_id === session.value.user_id);
  const differing = conversation.turns.filter((turn) => isDiffering(turn, reference));
  const several = differs && differing.length > 1 ? differing.length : 0;
  const measures = report?.summary.measures ?? [];
  const titles = (measure, isValue) => {
    const found = measures.find((item) => item.name === measure);
    return isValue ? (READABLE[found?.unit] ?? String) : toWords(found?.title ?? measure);
  };
  return html`<${Crumbs} way=${way} title=${title}>
      <${Steps}
        before=${before !== undefined && `#/lab.experiments/${id}?n=${before}`}
        after=${after !== undefined && `#/lab.experiments/${id}?n=${after}`}
      /></${Crumbs}
    >
    ${
      isEmpty &&
      html`<p class="notice">
        Nothing to compare: no answer was recorded in this conversation, or its chat was deleted.
      </p>`
    }
    ${!isEmpty && !differs && html`<${Alike} id=${id} report=${report} first=${first} isUnfinished=${Object.keys(conversation.unfinished).length > 0} />`}
    ${differs && html`<${Blind} ...${sides} verdicts=${said} />`}
    ${sayDisliked(talk)}
    ${Object.entries(conversation.unfinished).map(
      ([lane, why]) =>
        html`<p class="notice" key=${lane}>
          ${toWords(lane)}: ${why.status} ${why.code} ${makeVisible(why.message)}
        </p>`,
    )}
    <ol class="plain">
      ${conversation.turns.map(
        (turn) =>
          html`<${Turn}
            key=${turn.turn}
            turn=${turn}
            reference=${reference}
            ...${differs ? sides : { names: SIDES }}
            titles=${titles}
            measures=${measures}
            isAlike=${differs && differing.length > 0 && isAlike(turn, reference, isHidden) && !differing.includes(turn)}
            isFirst=${explanation?.turn === turn.turn && !(isHidden && differs)}
            >${
              several > 0 &&
              differing.includes(turn) &&
              html`<${TurnVotes}
                ...${sides}
                id=${id}
                path=${path}
                turn=${turn.turn}
                own=${own}
                onJudged=${note}
              />`
            }</${Turn}
          >`,
      )}
    </ol>
    ${
      explanation &&
      !(isHidden && differs) &&
      html`<section class="panel" aria-label="First difference">
        <p><b>${sayExplained(explanation.sentence)}</b></p>
        <p class="soft">
          Cause: ${explanation.cause} · <a href=${`${path}?format=html`} download>Page as a file</a>
        </p>
        <details>
          <summary>Run it again in a terminal</summary>
          <p class="row"><code>${makeVisible(command)}</code> <${Copy} text=${command} /></p>
        </details>
      </section>`
    }
    ${
      differs &&
      html`<${Judging}
        id=${id}
        path=${path}
        verdicts=${said}
        onJudged=${note}
        before=${before !== undefined && `#/lab.experiments/${id}?n=${before}`}
        next=${after !== undefined && `#/lab.experiments/${id}?n=${after}`}
        number=${number}
        place=${progress}
        several=${several}
        ...${sides}
      />`
    }`;
}

const toAddress = (id, { n, turn }) => `#/lab.experiments/${id}?n=${n}&turn=${turn}`;
const goTo = (id, answer) => answer && (location.hash = toAddress(id, answer));

/** @param {{id: string, n: string, turn: string, name: string}} props a replay, a conversation's place in it, and a turn of it */
export function Answer({ id, n, turn, name, verdict }) {
  const path = `/api/replays/${id}/conversations/${n}/turns/${turn}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const list =
    useLoaded(() => get(`/api/replays/${id}/answers?limit=200`), `${id} answers`).data?.answers ??
    [];
  const [judged, setJudged] = useState(null);
  const sides = useSides(id, Number(n), verdict);
  const { isHidden, isSwapped, names } = sides;
  const at = list.findIndex((item) => item.n === Number(n) && item.turn === Number(turn));
  useKeys({ j: () => goTo(id, list[at + 1]), k: () => goTo(id, list[at - 1]) });
  const title = at < 0 ? "Answer" : `Answer ${at + 1} of ${list.length}, worst first`;
  const head = html`<${Crumbs}
    way=${[
      ["Experiments", "#/lab.experiments"],
      [sayTried(name), `#/lab.experiments/${id}`],
    ]}
    title=${title}
  >
    <${Steps}
      before=${list[at - 1] && toAddress(id, list[at - 1])}
      after=${list[at + 1] && toAddress(id, list[at + 1])}
      ><a class="button small" href=${`#/lab.experiments/${id}?n=${n}`}>Whole conversation</a></${Steps}
    ></${Crumbs}
  >`;
  if (!data) return html`${head}<${Failure} isWaiting error=${error} again=${reload} />`;
  const answers = [data.turn.lanes[data.reference], data.turn.lanes.candidate];
  const [a, b] = isSwapped ? answers.reverse() : answers;
  return html`${head}
    ${data.differs && html`<${Blind} ...${sides} verdicts=${judged ?? data.verdicts} />`}
    ${!data.differs && html`<p class="soft">Both sides have the same words and tool calls: nothing to judge.</p>`}
    <section class=${`panel ${isHidden ? "neutral" : ""}`} aria-label="Answers">
      <h2>“${makeVisible(data.turn.user)}”</h2>
      ${
        a &&
        b &&
        html`<${Texts}
            a=${isHidden ? hideOrigin(a.text) : a.text}
            b=${isHidden ? hideOrigin(b.text) : b.text}
            names=${names}
          />${
            data.differs &&
            html`<h3>Tools</h3>
              <${Calls} a=${a.tools} b=${b.tools} names=${names} />`
          }`
      }
    </section>
    ${
      (!isHidden || !data.differs) &&
      html`<details class="panel" aria-label="Differences" open=${!data.differs}>
        <summary>All differences in words</summary>
        <ul>
          ${data.differences.map((told) => html`<li key=${told}>${sayDifference(told)}</li>`)}
        </ul>
        ${!data.differences.length && html`<p class="soft">Nothing.</p>`}
      </details>`
    }
    ${
      data.differs &&
      html`<${Judging}
        id=${id}
        path=${path}
        turn=${turn}
        verdicts=${judged ?? data.verdicts}
        onJudged=${setJudged}
        before=${list[at - 1] && toAddress(id, list[at - 1])}
        next=${list[at + 1] && toAddress(id, list[at + 1])}
        number=${at + 1}
        place=${at < 0 ? "" : `${at + 1} of ${list.length}`}
        ...${sides}
      />`
    }`;
}
