// One conversation of a replay side by side, and what people say of it; its answers that differ, the
// worst first, and each on a page of its own. `plainloop label` keeps the same verdicts.
import { signal, useEffect, useState } from "../vendor.js";
import { get, request } from "../api.js";
import { Words, markWords } from "../diffs.js";
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
import { Calls } from "./calls.js";
import { areRelated, loadTalk, sayDisliked } from "./experiment.js";
import { PREFERENCES, sayDifference, sayExplained } from "./names.js";
import { expectNewJudgements, getKnownReport, loadReport } from "./report.js";

function sumTokens(side) {
  const known = Object.values(side.tokens).filter((count) => count !== null);
  return known.length || side.models.length === 0
    ? `${formatCount(known.reduce((sum, count) => sum + count, 0))} tokens`
    : "tokens unknown";
}

/** What a side took: its models, tokens, cost and time. */
function SideFacts({ side }) {
  const models = side.models.map((model) => model.split(":").slice(1).join(":")).join(", ");
  return html`<p class="soft">
    ${`${models || "no model"} · ${sumTokens(side)} · cost ${formatCost(side.cost_usd)} · ${formatMs(side.duration_ms)}`}
  </p>`;
}

/**
 * Two answers as a chat shows them, each below its side's name, and then the changed words, where both
 * have much in common. facts: what is shown of each side before its answer
 */
export function Texts({ a, b, names, facts = [] }) {
  const heads = names.map(
    (name, at) =>
      html`<h3>${name}</h3>
        ${facts[at]}`,
  );
  if (a === b)
    return html`${
        facts.some(Boolean) &&
        html`<div class="two">${heads.map((head) => html`<div>${head}</div>`)}</div>`
      }
      <h3>Both answers</h3>
      <${Markdown} text=${a || "No text."} />
      <p class="soft"><small>The same on both sides.</small></p>`;
  const marked = areRelated(a, b) && markWords(a, b);
  return html`<div class="two answers">
      ${[a, b].map(
        (text, at) =>
          html`<div role="group" aria-label=${names[at]}>
            ${heads[at]}<${Markdown} text=${text || "No text."} />
          </div>`,
      )}
    </div>
    ${
      marked &&
      html`<details open>
        <summary>Changed words</summary>
        <p class="diff">${marked}</p>
      </details>`
    }`;
}

const SIDES = ["Today", "Candidate"];
const BLIND_SIDES = ["Answer A", "Answer B"];

const RATINGS = { up: ["good", "Rated good in the chat"], down: ["bad", "Rated bad in the chat"] };

const READABLE = { share: (value) => (value ? "yes" : "no") };

/** @param {{isSwapped: boolean, isHidden: boolean, names: string[]}} props who judges blind does not see which side is which */
function Turn({ turn, reference, isSwapped, isHidden, names, titles, isFirst }) {
  const sides = [turn.lanes[reference], turn.lanes.candidate];
  const [a, b] = isSwapped ? [...sides].reverse() : sides;
  const rated = RATINGS[turn.lanes.recording?.rating];
  const facts = [a, b].map(
    (side) =>
      side &&
      html`${!isHidden && html`<${SideFacts} side=${side} />`}${
        side.error && html`<p class="bad">${side.error}</p>`
      }`,
  );
  const tell = ({ measure, reference: before, candidate }) =>
    `${titles(measure)}: ${[before, candidate].map(titles(measure, true)).join(" → ")}`;
  const changes = isHidden
    ? []
    : [
        ...turn.worse.map((item) => ["bad", "Worse", item]),
        ...turn.better.map((item) => ["good", "Better", item]),
      ];
  return html`<li class="panel">
    ${isFirst && html`<p class="notice">First difference</p>`}
    <h2>${turn.user ? `“${makeVisible(turn.user)}”` : "The agent speaks first"}</h2>
    ${rated && html`<p class=${rated[0]}>${rated[1]}</p>`}${
      !a || !b
        ? html`<p class="soft">
            ${sides[0] ? "The candidate" : "Today's side"} has no answer yet.
          </p>`
        : html`${changes.map(([style, word, item]) => html`<p class=${style}>${word}: ${tell(item)}</p>`)}
            <${Texts}
              a=${a.text}
              b=${b.text}
              names=${names}
              facts=${isHidden && !a.error && !b.error ? [] : facts}
            />
            <h3>Path</h3>
            <${Words} a=${describePath(a.path)} b=${describePath(b.path)} />
            <h3>Tools</h3>
            <${Calls} a=${a.tools} b=${b.tools} names=${names} />`
    }
  </li>`;
}

/** What a person saw of the sides while judging. */
const SEEN = {
  hidden: "judged without names",
  revealed: "judged without names",
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

/** The user's own verdict, in view however long the answers are, and those of others. turn: of which answer;
 * undefined: of the whole conversation; words: what each verdict is called; isHidden: the user does not see
 * which side is which; next: the address of what is judged next; undefined: this is the last one */
export function Judging({ id, path, turn, verdicts, onJudged, choices, words, isHidden, next }) {
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
    } catch (failure) {
      setError(failure);
    }
  };
  // Another verdict from now on is not one without names.
  const isRevealed = !isHidden && own?.seen === "hidden";
  useEffect(() => void (isRevealed && say(own.verdict, own.note)), [isRevealed]);
  const choose = (name) => say(own?.verdict === name ? null : name, note);
  useKeys(Object.fromEntries(choices.map(([name], at) => [String(at + 1), () => choose(name)])));
  // Why may be told after the verdict, too.
  const explain = () => own && note !== own.note && say(own.verdict, note);
  const others = said.filter((item) => item !== own);
  return html`${
      others.length > 0 &&
      html`<section class="panel" aria-label="What others say">
        ${others.map((item) => html`<${Said} key=${item.user_id} item=${item} who=${makeVisible(item.user_id)} words=${words} />`)}
      </section>`
    }
    <section class="panel judging" aria-label="Your verdict">
      <p><b>Which answer is better?</b></p>
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
      ${
        own &&
        html`<div class="row spread">
          <${Said} item=${own} who="You" words=${words} />${
            next
              ? html`<a class="button small" href=${next}>Next <kbd aria-hidden="true">j</kbd></a>`
              : html`<a class="button small" href=${`#/lab.experiments/${id}`}
                  >Back to the result</a
                >`
          }
        </div>`
      }
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
    place:
      at < 0
        ? `${n + 1} of ${formatCount(total)}`
        : `${at + 1} of the ${formatCount(worst.length)} that ${worst.length === 1 ? "differs" : "differ"}${
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

/** Whether the sides' names are hidden until somebody reveals them: "off": they are not. */
const blindness = signal(/(?:^|; )plainloop_blind=(\w*)/.exec(document.cookie)?.[1] ?? "on");

function setBlindness(value) {
  blindness.value = value;
  keepLook("blind", value);
}

const revealed = signal([]); // conversations: who has seen the names has seen them

/** How a conversation is judged: what its sides are called, and whether that is hidden until it is revealed. */
function useSides(id, n) {
  const key = `${id} ${n}`;
  const isBlind = blindness.value !== "off";
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

/** Whether the sides' names are shown. */
const Blind = ({ isBlind, isHidden, onReveal }) =>
  html`<div class="row">
    <label class="check"
      ><input
        type="checkbox"
        checked=${isBlind}
        onChange=${() => setBlindness(isBlind ? "off" : "on")}
      />Hide which side is which</label
    >${
      isHidden
        ? html`<button class="small" onClick=${onReveal}>Reveal here</button>`
        : isBlind && html`<span class="soft">Revealed here</span>`
    }
  </div>`;

/** The ways to the conversation or answer before, and to the next. */
const Steps = ({ before, after, children }) =>
  (before || after || children) &&
  html`<nav class="row" aria-label="Neighbours">
    ${
      before &&
      html`<a class="button small" href=${before}>Previous <kbd aria-hidden="true">k</kbd></a>`
    }${
      after && html`<a class="button small" href=${after}>Next <kbd aria-hidden="true">j</kbd></a>`
    }${children}
  </nav>`;

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
export function Conversation({ id, n, name, total }) {
  const path = `/api/replays/${id}/conversations/${n}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const [judged, setJudged] = useState(null);
  const { report, before, after, first, place } = useNeighbours(id, n, total);
  const sides = useSides(id, n);
  const { isHidden } = sides;
  const rated = data?.conversation.turns.some(({ lanes }) => lanes.recording?.rating === "down");
  const { data: talk } = useLoaded(
    async () => rated && loadTalk(data.conversation.conversation_id),
    `${path} ${rated}`,
  );
  const way = [
    ["Experiments", "#/lab.experiments"],
    [makeVisible(name), `#/lab.experiments/${id}`],
  ];
  if (!data)
    return html`<${Crumbs} way=${way} title=${`Conversation ${place}`} /><${Failure}
        isWaiting
        error=${error}
        again=${reload}
      />`;
  const { conversation, reference, verdicts, differs, explanation, command } = data;
  const isEmpty = conversation.turns.length === 0;
  const measures = report?.summary.measures ?? [];
  const titles = (measure, isValue) => {
    const found = measures.find((item) => item.name === measure);
    return isValue ? (READABLE[found?.unit] ?? String) : toWords(found?.title ?? measure);
  };
  return html`<${Crumbs} way=${way} title=${`Conversation ${place}`}>
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
    ${differs && html`<${Blind} ...${sides} />`}
    ${sayDisliked(talk)}
    ${
      explanation &&
      !(isHidden && differs) &&
      html`<section class="panel" aria-label="First difference">
        <p><b>${sayExplained(explanation.sentence)}</b></p>
        <p class="soft">
          Cause: ${explanation.cause} · <a href=${`${path}?format=html`} download>Page as a file</a>
        </p>
        <p class="row"><code>${makeVisible(command)}</code> <${Copy} text=${command} /></p>
      </section>`
    }
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
            isFirst=${explanation?.turn === turn.turn && !(isHidden && differs)}
          />`,
      )}
    </ol>
    ${
      differs &&
      html`<${Judging}
        id=${id}
        path=${path}
        verdicts=${judged ?? verdicts}
        onJudged=${setJudged}
        next=${after !== undefined && `#/lab.experiments/${id}?n=${after}`}
        ...${sides}
      />`
    }`;
}

const toAddress = (id, { n, turn }) => `#/lab.experiments/${id}?n=${n}&turn=${turn}`;
const goTo = (id, answer) => answer && (location.hash = toAddress(id, answer));

/** @param {{id: string, n: string, turn: string, name: string}} props a replay, a conversation's place in it, and a turn of it */
export function Answer({ id, n, turn, name }) {
  const path = `/api/replays/${id}/conversations/${n}/turns/${turn}`;
  const { data, error, reload } = useLoaded(() => get(path), path);
  const list =
    useLoaded(() => get(`/api/replays/${id}/answers?limit=200`), `${id} answers`).data?.answers ??
    [];
  const [judged, setJudged] = useState(null);
  const sides = useSides(id, Number(n));
  const { isHidden, isSwapped, names } = sides;
  const at = list.findIndex((item) => item.n === Number(n) && item.turn === Number(turn));
  useKeys({ j: () => goTo(id, list[at + 1]), k: () => goTo(id, list[at - 1]) });
  const title = at < 0 ? "Answer" : `Answer ${at + 1} of ${list.length}, worst first`;
  const head = html`<${Crumbs}
    way=${[
      ["Experiments", "#/lab.experiments"],
      [makeVisible(name), `#/lab.experiments/${id}`],
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
    <h2>“${makeVisible(data.turn.user)}”</h2>
    ${data.differs && html`<${Blind} ...${sides} />`}
    ${
      (!isHidden || !data.differs) &&
      html`<section class="panel" aria-label="Differences">
        <p><b>Differences</b></p>
        <ul>
          ${data.differences.map((told) => html`<li key=${told}>${sayDifference(told)}</li>`)}
        </ul>
        ${!data.differences.length && html`<p class="soft">Nothing.</p>`}
      </section>`
    }
    ${!data.differs && html`<p class="soft">Both sides have the same words and tool calls: nothing to judge.</p>`}
    ${
      a &&
      b &&
      html`<${Texts} a=${a.text} b=${b.text} names=${names} /> ${
          data.differs &&
          html`<h3>Tools</h3>
            <${Calls} a=${a.tools} b=${b.tools} names=${names} />`
        }`
    }
    ${
      data.differs &&
      html`<${Judging}
        id=${id}
        path=${path}
        turn=${turn}
        verdicts=${judged ?? data.verdicts}
        onJudged=${setJudged}
        next=${list[at + 1] && toAddress(id, list[at + 1])}
        ...${sides}
      />`
    }`;
}

const sayDiffering = ({ differing, judged }) =>
  `${formatOf(differing, "answer")} ${differing === 1 ? "differs" : "differ"}. ` +
  `People judged ${judged} of them, each by itself or with its conversation.`;

/** What is to be read, the worst first. @param {{id: string}} props */
export function Answers({ id }) {
  const { data, error, reload } = useLoaded(
    () => get(`/api/replays/${id}/answers?limit=20`),
    `${id} worst`,
  );
  return html`<section class="card" aria-label="Different answers">
    <h2>Different answers</h2>
    <${Failure} error=${error} again=${reload} />${
      data &&
      html`<p class="soft">
          ${data.differing ? sayDiffering(data) : "No compared answer differs."}
        </p>
        <ol class="plain lines">
          ${data.answers.map(
            (item, at) =>
              html`<li key=${`${item.n} ${item.turn}`}>
                <span class="soft">${at + 1}</span
                ><a href=${toAddress(id, item)}
                  ><b>${item.said ? `“${makeVisible(item.said)}”` : "The agent speaks first"}</b
                  ><small>${sayDifference(item.differences[0])}</small></a
                >${item.people && html`<span class="soft">${PREFERENCES[item.people]}</span>`}
              </li>`,
          )}
        </ol>`
    }
  </section>`;
}
