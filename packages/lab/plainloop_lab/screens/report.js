// What a replay came to: every conversation of it compared, which takes the server a while at thousands.
// For who decides: one sentence, four figures, the rules behind it, and what to read before.
import { get } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Copy, Failure, Menu, Wide, useLoaded } from "../parts.js";
import { formatCost, formatCount, formatMs, formatOf, makeVisible, toWords } from "../words.js";
import { chooseCostFormat, chooseTimeFormat, formatAbout } from "./amounts.js";
import { areNamesHidden } from "./beside.js";
import { sayJudged, useJudged } from "./judged.js";
import { findScope, loadEstimate, loadPrompts } from "./experiment.js";
import { PREFERENCES, sayCauses, sayListed, sayMostChanged, sayWorse } from "./names.js";
import { FORMS } from "./outcome.js";

const RECORDING = "recording";
const SURE = 0.05; // below it chance is no likely reason
const IS_NARROW = matchMedia("(max-width: 699px)").matches;
const LISTED = IS_NARROW ? 3 : 5;
const TOLD_ANSWERS = 200; // by which a failure is told
const FELT_MS = 50; // nobody waits less
const MUCH = 45; // as bad as what a judge prefers less, or worse
const STATES = {
  none: ["", null, "Nothing to check"],
  met: ["ok", "check", "Met"],
  failed: ["bad", "x", "Not met"],
  open: ["", "circle-dashed", "Open"],
};
const TOLD = ["review_passed", "judged", "same_tools"]; // what readers ask for next, and decides nothing

const round = (share) => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)}%`;
const ofHundred = (share) => (100 * share).toFixed(0);

/** The upper bound of 100: with a place, rounded up, where a whole number would hide that it is above the limit. */
function sayBound({ high, limit }) {
  const isHidden = high > limit && Number(ofHundred(high)) <= Number(ofHundred(limit));
  return isHidden ? (Math.ceil(Number((1000 * high).toFixed(6))) / 10).toFixed(1) : ofHundred(high);
}

/** What both sides are called: by the models that only one of them has. */
/** The candidate and its reference, by what differs: models, and the prompts that are changed. */
export function nameSides({ summary, candidate: changes }) {
  const list = (lane) => summary.models[lane] ?? [];
  const name = (lane, other) =>
    list(lane)
      .filter((model) => !list(other).includes(model))
      .map((model) => model.split(":").slice(1).join(":"))
      .join(" and ");
  const { reference: today } = summary;
  const [candidate, reference] = [name("candidate", today), name(today, "candidate")];
  const prompts = Object.keys(changes?.prompts ?? {}).map(toWords);
  const changed =
    prompts.length > 0 && `changed prompt${prompts.length > 1 ? "s" : ""} of ${prompts.join(", ")}`;
  if (candidate && reference)
    return {
      candidate: changed ? `${candidate} with the ${changed}` : candidate,
      reference,
    };
  // A worker's new model may be one that another worker has today.
  const own = Object.entries(changes?.models ?? {})
    .map(([of, label]) => `${label.split(":").slice(1).join(":") || label} for ${toWords(of)}`)
    .join(" and ");
  if (own) return { candidate: changed ? `${own} with the ${changed}` : own, reference: "today's" };
  return { candidate: changed ? `The ${changed}` : "The candidate", reference: "today's" };
}

const getMeasure = (report, name) => {
  const found = report.summary.measures.find((item) => item.name === name);
  return {
    ...found,
    today: found?.lanes[report.summary.reference]?.mean,
    candidate: found?.lanes.candidate?.mean,
  };
};

/** As if nothing came from a prompt cache, which has today's prompt and not the changed one. */
const getCosts = (report) =>
  ["uncached_usd", "cost_usd"]
    .map((name) => getMeasure(report, name))
    .find((item) => item.difference) ?? {};

/** The time to answer, where both sides bought their answers in the same run; else why there is none. */
function describeTime({ summary }) {
  const time = getMeasure({ summary }, "duration_ms");
  const { untimed = 0, compared } = summary.answers ?? {};
  const ofThen = summary.reference === RECORDING;
  const told = ofThen ? "The recorded answers" : "Today's answers";
  if (untimed && !time.difference)
    return {
      now: "Not compared",
      note: `${told} are from ${ofThen ? "their chats" : "an earlier experiment"}: they were timed under other conditions`,
    };
  return {
    ...describeChange(time, chooseTimeFormat(time.today, time.candidate)),
    note: untimed
      ? `mean of ${formatOf(compared - untimed, "answer")}; for the others, today's were timed in an earlier experiment`
      : "mean",
  };
}

const MANY = 3; // times as much is said so, and not in percent

/** `6% less`, `about 28 times as much` */
export function sayShare(before, now) {
  const times = now / before;
  return times >= MANY
    ? `about ${Number(times.toFixed(times < 10 ? 1 : 0))} times as much`
    : `${round(Math.abs(times - 1))} ${times < 1 ? "less" : "more"}`;
}

/** What the cost of an answer contains that the run did not pay. */
function sayPaid({ name }, { sharing, reference }) {
  const calls = sharing?.shared_calls ?? 0;
  return [
    name === "uncached_usd" && "without the cache, which would favour today's prompt",
    calls > 0 &&
      `with ${formatOf(calls, "call")} that ${calls === 1 ? "was" : "were"} ${reference === RECORDING ? "recorded" : "today's"} and not paid twice`,
  ]
    .filter(Boolean)
    .join("; ");
}

function sayCost({ today, candidate }) {
  const share = today ? Math.abs(candidate / today - 1) : 0;
  return share < 0.01 ? null : `costs ${sayShare(today, candidate)}`;
}

function sayTime({ today, candidate, difference }) {
  if (
    !today ||
    !(difference?.p_adjusted < SURE) ||
    candidate === undefined ||
    Math.abs(candidate / today - 1) < 0.05 ||
    Math.abs(candidate - today) < FELT_MS
  )
    return null;
  return `answers ${formatMs(Math.abs(candidate - today))} ${candidate < today ? "faster" : "slower"}`;
}

/** `makes 1 model call fewer per answer`, where that is so in every conversation or no chance. */
function sayCalls({ difference }, compared) {
  const {
    mean,
    p_adjusted: p,
    conversations_better: fewer,
    conversations_worse: more,
  } = difference ?? {};
  const count = Number(Math.abs(mean).toFixed(1));
  if (!count || !(p < SURE || Math.max(fewer, more) === compared)) return null;
  return `makes ${count} model ${count === 1 ? "call" : "calls"} ${mean < 0 ? "fewer" : "more"} per answer`;
}

const listAll = (parts) =>
  parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join("");

/** Whether the candidate sent no other request than its reference. */
const isSame = ({ sharing }) => sharing.shared_calls > 0 && !sharing.touched;

/** A rule's state; "none": it is met because there is nothing that could break it. */
const getState = ({ status, value }) => (status === "met" && value === null ? "none" : status);

const listRules = ({ rules }) => Object.fromEntries(rules.map((rule) => [rule.name, rule]));

const countCompared = ({ summary }) => summary.conversations - summary.uncompared;

/** That no answer differs: of how many, while some are not compared. */
const sayAlike = ({ summary }) =>
  summary.worse.conversations
    ? "Where both sides answered, nothing differs"
    : summary.uncompared
      ? `No answer of the ${formatCount(countCompared({ summary }))} compared differs`
      : "No answer differs";

/** Whether no answer has other words. */
const areAlike = (decision) => listRules(decision).read?.value === null;

const hasSides = (people) => people && people.better + people.worse > 0;

/** `2 worse, 1 better`, what most said first */
const countSides = ({ better, worse }) =>
  (worse >= better
    ? [`${worse} worse`, `${better} better`]
    : [`${better} better`, `${worse} worse`]
  ).join(", ");

/** What people judged, which the measures do not contain. */
function sayPeople(people) {
  const { better, worse, same } = people ?? {};
  const judged = better + worse + same;
  if (!judged) return "";
  const sides = hasSides(people) ? `${countSides(people)}, ` : "";
  return `People judged ${formatOf(judged, "conversation")}: ${sides}${same} the same.`;
}

/** What people's judgements add to a heading. */
function headPeople(people) {
  if (!hasSides(people)) return "";
  if (people.p < SURE)
    return `people clearly prefer ${people.worse > people.better ? "today's" : "the candidate's"} answers`;
  return `people found ${countSides(people)}`;
}

/** The heading, with what people say where they say it, and the sentences below it. */
function sayVerdict(about) {
  const [title, text, reason] = sayByMeasures(about);
  const { people } = about.report;
  const head = headPeople(people);
  const joint = about.decision.status === "passed" ? ", but" : ":";
  const isAgainst = about.decision.status !== "passed" || people?.worse > 0;
  if (!head || !isAgainst) return [title, text, [reason, sayPeople(people)]];
  const same = people.same ? `, ${people.same} of them the same` : "";
  const judged = formatOf(people.better + people.worse + people.same, "conversation");
  return [`${title}${joint} ${head}`, `People judged ${judged}${same}. ${text}`, [reason]];
}

function sayByMeasures({ report, decision, replay }) {
  const { summary } = report;
  const sides = nameSides(report);
  const rules = listRules(decision);
  const compared = countCompared(report);
  const by = sayPeople(report.people) ? "By the measures, " : "";
  const worse = `${by}${formatCount(summary.worse.conversations)} of ${formatOf(compared, "conversation")} got worse`;
  const { used, high_all: all } = rules.worse; // used null: all conversations used the change
  const that = used == null ? "" : " that use the change";
  const unused =
    used == null
      ? ""
      : ` ${formatCount(used)} of the ${formatCount(compared)} used it; the others sent today's requests${
          all == null ? "" : `. Of all conversations, at worst ${ofHundred(all)} of 100 get worse`
        }.`;
  const [high, limit] = [sayBound(rules.worse), ofHundred(rules.worse.limit)];
  const calls = sayCalls(getMeasure(report, "calls"), compared);
  const gains = [
    sayCost(getCosts(report)),
    sayTime(getMeasure(report, "duration_ms")),
    calls,
  ].filter(Boolean);
  const gain = gains.length ? ` It ${listAll(gains)}.` : "";
  const causes = sayCauses(summary);
  const changed = sayMostChanged(report.listed?.answers ?? []);
  if (decision.status === "passed") {
    if (isSame(summary))
      return [
        "Nothing differs",
        `Every request is the same as ${summary.reference === RECORDING ? "the recorded one" : "today's"}, byte for byte.`,
      ];
    return [
      `${sides.candidate} can replace ${sides.reference}`,
      `${worse}. At worst, ${high} of 100${that} get worse; you allow ${limit}.${unused}${gain}`,
    ];
  }
  if (decision.status === "failed")
    return [
      `${sides.candidate} is worse`,
      `${worse}; you allow ${limit} of 100${that}.${changed || !causes ? "" : ` Why: ${causes}.`}${unused}${gain}`,
      changed && `${changed} of ${formatOf(compared, "conversation")}.`,
    ];
  if (compared === 0)
    return ["Nothing to compare yet", "No conversation has an answer on both sides."];
  if (replay.ended_at === null) return ["Not proven yet", `Still running: ${worse} so far.`];
  if (rules.worse.high === null) return ["Nothing differs", "No conversation used the change."];
  const unread = rules.read?.needed;
  const reading =
    rules.read?.status === "open"
      ? ` ${formatOf(unread, "answer")} in different words ${unread === 1 ? "has" : "have"} not been compared yet.`
      : "";
  if (rules.worse.status === "open")
    return [
      "Not proven yet",
      `${worse} so far, but up to ${high} of 100${that} may get worse. You allow ${limit} of 100.${
        unused
      }${calls ? ` It ${calls}.` : ""}${reading}`,
    ];
  if (rules.complete.status === "open")
    return [
      "Not proven yet",
      summary.sharing.is_void
        ? "Today's answers differ from the recorded ones. Run both sides again."
        : `Only ${compared} of ${formatOf(summary.conversations, "conversation")} have an answer on both sides.`,
    ];
  return ["Not proven yet", `${worse}.${reading}${gain}`];
}

/** How many more conversations a verdict needs. Where one worker alone is changed, those that it answered
 * in suffice: all of them use the change. tried: of those that count, how many there were; more: how many
 * others are stored */
function countMissing(report, decision, prompts) {
  const { needed, used } = listRules(decision).worse;
  const compared = countCompared(report);
  const using = used == null ? needed : Math.floor((needed * used) / compared);
  const scope = findScope(report.candidate, prompts);
  const [tried, missing] = scope ? [used ?? compared, using] : [compared, needed];
  const stored = scope ? prompts.find(({ name }) => name === scope).conversations : report.stored;
  return { scope, tried, missing, using, more: Math.max(0, (stored ?? Infinity) - tried) };
}

const THEN = ", then your comparison of the answers that differ";

/** What would decide an experiment that is undecided, in a line of a list. */
export function sayOpen({ report, decision, candidate, stored }, prompts) {
  const { worse, complete, read } = listRules(decision);
  const compared = countCompared({ summary: report.summary });
  if (!compared) return "No conversation has an answer on both sides";
  if (report.summary.conversations === 1) {
    const { better, worse: old, same } = report.people ?? {};
    if (better + old + same)
      return `Compared: ${ANSWERS[better ? "better" : old ? "worse" : "same"]}`;
    return read?.status === "open"
      ? "Your comparison of the answers decides"
      : "The answers do not differ";
  }
  const reading = read?.status === "open";
  if (worse.status === "open" && worse.needed) {
    const { missing, more } = countMissing({ ...report, candidate, stored }, decision, prompts);
    if (more < missing)
      return `Needs about ${formatOf(missing, "more conversation")}, of which ${more ? formatCount(more) : "none"} ${more < 2 ? "is" : "are"} stored`;
    return `Needs about ${formatOf(missing, "more conversation")}${reading ? THEN : ""}`;
  }
  if (worse.status === "open")
    return worse.high === null
      ? "No conversation used the change"
      : "At this rate no number of conversations would prove it";
  if (complete.status === "open") return "Too few have an answer on both sides";
  return `Needs your comparison of ${formatOf(read.needed, "answer")}`;
}

/** What people's comparison of one answer came to. */
export const ANSWERS = {
  better: "the new answer is better",
  same: "both answers are equally good",
  worse: "today's answer is better",
};

/** The way on from a verdict that is none yet. */
function WayOn({ report, decision, replay }) {
  const rules = listRules(decision);
  const compared = countCompared(report);
  const { data: prompts, error } = useLoaded(loadPrompts, "");
  if (replay.advice_id)
    return html`<p>
      This is a part of an advice and decides nothing by itself.${" "}<a
        href=${`#/lab.advice/${replay.advice_id}`}
        >Back to the advice</a
      >
    </p>`;
  // What did not come to its end is continued, at the head of the page.
  if (replay.status !== "succeeded") return null;
  const { status, needed, used } = rules.worse;
  if (status === "open" && needed) {
    if (!prompts && !error)
      return html`<p class="way-on soft" role="status">Counting what is stored…</p>`;
    const { scope, tried, more, missing, using } = countMissing(report, decision, prompts);
    const use = used == null || scope ? "" : `, of which ${formatCount(using)} use the change`;
    const isRead = rules.read?.status === "open";
    const sample = tried + missing;
    const takes = `It takes about ${formatOf(missing, "more conversation")}${use}`;
    if (more < missing)
      return html`<p>
        ${`${takes}: ${
          more
            ? `only ${formatCount(more)} more ${more === 1 ? "is" : "are"} stored`
            : "all that are stored were tried"
        }. Run it again when about ${formatOf(missing - more, "more chat")} ${
          missing - more === 1 ? "has" : "have"
        } been held; with fewer it would stay undecided.`}
      </p>`;
    return html`<p>${`${takes}${isRead ? THEN : ""}.`}</p>
      <p class="row">
        <a class="button accent" href=${`#/lab.experiment?like=${replay.id}&sample=${sample}`}
          ><${Icon} name="plus" />Try again with ${formatOf(sample, "conversation")}</a
        >
      </p>
      <${Price} report=${report} sample=${sample} scope=${scope} />
      ${isRead && html`<p class="row"><${ReadThem} report=${report} /></p>`}`;
  }
  if (status === "open" && rules.worse.high !== null && compared)
    return html`<p>
      At this rate no number of conversations would prove it. Read what got worse, change the
      candidate, and run it again.
    </p>`;
  if (status === "met" && rules.read.status === "open")
    return html`<p class="row"><${ReadThem} report=${report} isFirst /></p>`;
  return null;
}

/** The way to the answers that nobody compared. isFirst: nothing else is to be done */
function ReadThem({ report: { replay, worst }, isFirst }) {
  const differing = worst.filter((item) => item.differs).map((item) => item.n);
  const { next } = sayJudged(differing, useJudged(replay.id, differing.length > 0));
  return html`<a
    class=${`button ${isFirst ? "accent" : ""}`}
    href=${`#/lab.experiments/${replay.id}?n=${next ?? differing[0] ?? worst[0]?.n ?? 0}`}
    ><${Icon} name="file-text" />Compare the answers yourself</a
  >`;
}

/** What another try costs, and what of it is not paid again. */
function Price({ report: { candidate, replay }, sample, scope }) {
  const { name, ...kept } = candidate;
  const threads = scope ? { worker: scope } : {};
  const { data } = useLoaded(
    () => loadEstimate({ ...kept, sample, threads, like: replay.id }),
    `${replay.id} ${sample} ${scope}`,
  );
  if (data && !data.about_usd) return null;
  return html`<p class="soft" role="status">
    ${data ? `About ${formatAbout(data.about_usd)}` : "Estimating the price"}: the candidate's
    answers are paid for again, today's only where they are not known yet.
  </p>`;
}

/** `41 conversations`, `6 of 32 conversations compared` */
function sayCompared(report) {
  const all = report.summary.conversations;
  const compared = countCompared(report);
  if (compared === all) return formatOf(all, "conversation");
  return `${formatCount(compared)} of ${formatOf(all, "conversation")} compared`;
}

export function Verdict({ report, decision, replay }) {
  const [style, icon, word] = FORMS[decision.status];
  const [title, text, reasons] = sayVerdict({ report, decision, replay });
  const checked = decision.rules.filter((rule) => getState(rule) !== "none");
  const met = checked.filter((rule) => rule.status === "met").length;
  return html`<section class=${`card verdict ${style}`} aria-label="Verdict">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <p class="eyebrow">
        ${`${word} · ${sayCompared(report)}${
          countCompared(report) ? `, ${met} of ${formatOf(checked.length, "rule")} met` : ""
        }`}
      </p>
      <h2>${makeVisible(title)}</h2>
      ${reasons.map((reason) => reason && html`<p><b>${makeVisible(reason)}</b></p>`)}
      <p>${makeVisible(text)}</p>
      ${decision.status === "undecided" && html`<${WayOn} report=${report} decision=${decision} replay=${replay} />`}
    </div>
  </section>`;
}

const Figure = ({ title, before, now, tone, icon, told, note }) =>
  html`<div class="tile">
    <span>${title}</span>
    <p class="figure">${before && html`<small>${before} →</small>`} <b>${now}</b></p>
    ${told && html`<p class=${tone}>${icon && html`<${Icon} name=${icon} size=${14} /> `}${told}</p>`}<small
      >${note}</small
    >
  </div>`;

function describeChange({ today, candidate, difference }, format) {
  if ([today, candidate].includes(undefined)) return { now: "unknown" };
  const [before, now] = [format(today), format(candidate)];
  const isSure = difference?.p_adjusted < SURE;
  if (before === now && before[0] !== "<" && !isSure) return { before, now, told: "The same" };
  const isLess = candidate < today;
  const part = Math.abs(candidate / today - 1);
  const small = `less than 0.1% ${isLess ? "less" : "more"}`;
  const share = today ? (part < 0.001 ? small : sayShare(today, candidate)) : null;
  return {
    before,
    now,
    tone: !isSure || part < 0.001 ? "soft" : isLess ? "good" : "bad",
    icon: isLess ? "arrow-down" : "arrow-up",
    told: share && `${share}${isSure ? "" : ", not certain"}`,
  };
}

/** What people judged so far; people null: it is being counted. */
function describePeople({ people, summary }) {
  if (!people) return { now: "Counting…" };
  if (!countCompared({ summary })) return { now: "unknown", note: "nothing compared" };
  const differing = summary.differing.conversations;
  const { better, worse, same, named, p } = people;
  if (!(better + worse + same))
    return {
      now: differing ? "Nobody yet" : `Nothing to judge${summary.uncompared ? " yet" : ""}`,
      tone: "soft",
      told: differing ? `${formatOf(differing, "conversation")} to judge` : sayAlike({ summary }),
      note: differing ? "side by side, without names" : "",
    };
  const now = `${better} better, ${worse} worse, ${same} the same`;
  const seen = named ? `, ${named} seen with names` : "";
  const tell = (told, why) => ({ now, tone: "soft", told, note: why + seen });
  // Of those judged some may be the same since: answered anew, or gone with their chat.
  const judged = better + worse + same;
  const open =
    judged > differing
      ? `${formatOf(judged, "conversation")} judged`
      : `${formatCount(judged)} of ${formatCount(differing)} that differ judged`;
  if (better + worse === 0) return tell("Equally good so far", open);
  if (p >= SURE) return tell("No clear winner", "could easily be chance");
  return tell(better > worse ? "Clearly better" : "Clearly worse", "more than by chance");
}

export function Figures({ report, decision }) {
  const { summary, people } = report;
  const rule = decision.rules.find((item) => item.name === "worse");
  const cost = getCosts(report);
  const compared = countCompared(report);
  const none = compared ? "none used the change" : "nothing compared";
  const judged = people && people.better + people.worse + people.same;
  const users = rule.used == null ? "" : `of ${formatCount(rule.used)} that used the change, `;
  const byMeasures = judged ? "without people's judgements; " : "";
  const kept = {
    met: ["ok good", "circle-check", "Few enough"],
    failed: ["bad", "circle-alert", "Too many"],
    open: ["soft", "circle-dashed", "Not proven"],
  }[rule.status];
  const said = html`<${Figure} key="said" title="What people said" ...${describePeople(report)} />`;
  return html`<div class="tiles four">
    <${Figure}
      key="worse"
      title=${judged > 0 ? "Got worse by the measures" : "Conversations that got worse"}
      now=${compared ? `${formatCount(summary.worse.conversations)} of ${formatCount(compared)}` : "unknown"}
      tone=${kept[0]}
      icon=${kept[1]}
      told=${kept[2]}
      note=${rule.high === null ? none : `${byMeasures}${users}at worst ${sayBound(rule)} of 100, ${ofHundred(rule.limit)} allowed`}
    />
    ${judged > 0 && said}
    <${Figure}
      key="cost"
      title="Cost per answer"
      ...${describeChange(cost, chooseCostFormat(cost.today, cost.candidate))}
      note=${sayPaid(cost, summary)}
    />
    <${Figure} key="time" title="Time to answer" ...${describeTime(report)} />
    ${!(judged > 0) && said}
  </div>`;
}

const LEADING = 2; // differences that a list names

const rate = (severity) =>
  severity >= MUCH ? ["bad", "Much worse"] : severity > 0 ? ["warn", "Worse"] : ["", "Differs"];

/** @param {{isAlike: boolean}} props isAlike: no answer differs */
export function ToRead({ report, replay, isAlike }) {
  // Whoever is to judge without names shall not read here which side is which.
  const isBlind = report.decision?.status === "undecided" && areNamesHidden("undecided");
  const { better, worse } = report.summary;
  const compared = countCompared(report);
  const total = Math.max(1, compared);
  const [won, lost] = [better.conversations / total, Math.min(1, worse.conversations / total)];
  const same = Math.max(0, compared - better.conversations - worse.conversations);
  const bad = report.worst.filter((item) => item.severity > 0).slice(0, LISTED);
  const worst = report.worst.filter((item) => item.differs).map((item) => item.n);
  const { count, next } = sayJudged(worst, useJudged(replay.id, worst.length > 0));
  const first = next ?? worst[0] ?? bad[0]?.n;
  const { data } = useLoaded(
    async () => report.listed ?? get(`/api/replays/${replay.id}/answers?limit=${LISTED}`),
    `${replay.id} ${compared}`,
  );
  const listed = data?.answers.length ? data.answers.slice(0, LISTED) : bad;
  const { conversations: differing } = report.summary.differing;
  const tone = (count, style) => (count ? style : "soft");
  return html`<section class="card" aria-label="Read these before you decide">
    <div class="row spread">
      <h2>${isAlike ? sayAlike(report) : "Read these before you decide"}</h2>
      ${
        !isAlike &&
        first !== undefined &&
        html`<a class="button small" href=${`#/lab.experiments/${replay.id}?n=${first}`}
          >${count && next !== undefined ? `Go on: ${formatCount(count)} of ${formatCount(worst.length)} judged` : "Start reading"}
          <${Icon} name="chevron-right" size=${14}
        /></a>`
      }
    </div>
    <svg class="axis parts" width="100%" height="12" aria-hidden="true">
      <rect class="same" width="100%" height="12" />
      <rect class="better" width=${`${100 * won}%`} height="12" />
      <rect class="worse" x=${`${100 * (1 - lost)}%`} width=${`${100 * lost}%`} height="12" />
    </svg>
    <p class="row spread">
      <span class=${tone(better.conversations, "good")}
        >${formatCount(better.conversations)} better</span
      ><span class="soft">${formatCount(same)} ${differing ? "neither" : "the same"}</span
      ><span class=${tone(worse.conversations, "bad")}
        >${formatCount(worse.conversations)} worse</span
      >
    </p>
    <p class="soft">
      ${
        differing
          ? `By the measures, which do not read the words. ${formatCount(differing)} of ${formatOf(compared, "conversation")} ${
              differing === 1 ? "differs" : "differ"
            }${differing < compared ? "; the others are the same on both sides" : ""}.`
          : worse.conversations
            ? `${sayAlike(report)}.`
            : compared
              ? "All compared answers are the same on both sides."
              : "No conversation has an answer on both sides."
      }
    </p>
    <ol class="plain lines">
      ${listed.map(
        (item, at) =>
          html`<li key=${`${item.n} ${item.turn}`}>
            <span class="soft">${at + 1}</span
            ><a
              href=${`#/lab.experiments/${replay.id}?n=${item.n}${item.turn === undefined ? "" : `&turn=${item.turn}`}`}
              ><b>“${makeVisible(item.said || item.conversation_id)}”</b
              ><small
                >${
                  sayListed(item, LEADING, isBlind && !item.people) ||
                  sayWorse(item.worse ?? [], report.summary.measures) ||
                  "no answer from the candidate"
                }</small
              ></a
            >
            <span class=${`status ${rate(item.severity)[0]}`}
              >${item.people ? PREFERENCES[item.people] : rate(item.severity)[1]}</span
            >
          </li>`,
      )}
    </ol>
    ${
      data?.differing > listed.length &&
      html`<p>
        <a href=${`#/lab.experiments/${replay.id}?outcome=differing`}
          >All that differ: ${formatOf(data.differing, "answer")}</a
        >
      </p>`
    }
  </section>`;
}

const Limits = () =>
  html`<section class="card remark" aria-label="What this does not prove">
    <${Icon} name="circle-alert" size=${20} />
    <p>
      <b>What this does not prove.</b> A replay judges single answers. Only people show whether
      whole conversations go well: begin with a few users.
    </p>
  </section>`;

const WIDTH = 220;
const HEIGHT = 24;

/** From where to where the true value lies; the limit as a red line, the forbidden side tinted. Told beside it in words. */
function Range({ low, mean, high, limit, from, to, tone }) {
  const place = (value) =>
    Math.round((WIDTH * (Math.min(Math.max(value, from), to) - from)) / (to - from || 1));
  return html`<svg
    class=${`axis ${tone}`}
    width=${WIDTH}
    height=${HEIGHT}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    aria-hidden="true"
  >
    ${
      limit !== undefined &&
      html`<rect
          class="forbidden"
          x=${place(limit)}
          y="3"
          width=${WIDTH - place(limit)}
          height=${HEIGHT - 6}
        /><line class="limit" x1=${place(limit)} x2=${place(limit)} y1="2" y2=${HEIGHT - 2} />`
    }
    ${limit === undefined && html`<line class="zero" x1=${place(0)} x2=${place(0)} y1="2" y2=${HEIGHT - 2} />`}
    <line class="range" x1=${place(low)} x2=${place(high)} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
    <circle cx=${place(mean)} cy=${HEIGHT / 2} r="4" />
  </svg>`;
}

const RULES = {
  worse: [
    "Conversations that get worse",
    (rule) =>
      `not more than ${ofHundred(rule.limit)} of 100${rule.used == null ? "" : " that use the change"}`,
  ],
  complete: ["All conversations are compared", (rule) => `${round(rule.limit)} or more`],
  read: [
    "Differently worded answers are compared",
    (rule) => `by people or a judge, ${round(rule.limit)} or more`,
  ],
};

function State({ status }) {
  const [style, icon, word] = STATES[status];
  return html`<span class=${`status ${style}`}
    >${icon && html`<${Icon} name=${icon} size=${14} />`}${word}</span
  >`;
}

function Rule({ rule }) {
  const [title, hint] = RULES[rule.name];
  const shown = rule.value === null ? "–" : round(rule.value);
  const range =
    rule.high === null
      ? html`<span class="soft">${rule.value === null ? "nothing compared" : ""}</span>`
      : html`<${Range}
            low=${0}
            mean=${rule.value}
            high=${rule.high}
            limit=${rule.limit}
            from=${0}
            to=${Math.max(2 * rule.limit, rule.high * 1.1)}
            tone=${rule.status}
          /><small class="soft"
            >at worst ${rule.name === "worse" ? `${sayBound(rule)}%` : round(rule.high)}</small
          >`;
  return html`<tr>
    <td class="name"><b>${title}</b><small class="soft">${hint(rule)}</small></td>
    <td>${shown}</td>
    <td class="name">${range}</td>
    <td class="name"><${State} status=${getState(rule)} /></td>
  </tr>`;
}

/** A difference that is the same in all conversations that have the measure on both sides. */
function sayAlikeInAll({ difference: { mean, turns }, lanes }, reference) {
  const both = `in ${formatOf(turns, "answer")} with both`;
  if (Math.abs(mean) > 1e-9)
    return `${round(Math.abs(mean))} ${mean > 0 ? "more" : "less"} ${both}`;
  return lanes[reference]?.mean === lanes.candidate.mean
    ? "no difference"
    : `no difference ${both}`;
}

function Told({ item, reference }) {
  const { difference, lanes } = item;
  const most = Math.max(
    Math.abs(difference.low ?? difference.mean),
    Math.abs(difference.high ?? difference.mean),
    0.1,
  );
  return html`<tr>
    <td class="name">
      <b>${toWords(item.title)}</b
      ><small class="soft">${round(lanes[reference]?.mean ?? 0)} today</small>
    </td>
    <td>${round(lanes.candidate.mean)}</td>
    <td class="name">
      ${
        difference.low === null
          ? html`<span class="soft">${sayAlikeInAll(item, reference)}</span>`
          : html`<${Range}
              low=${difference.low}
              mean=${difference.mean}
              high=${difference.high}
              from=${-most}
              to=${most}
              tone="told"
            />`
      }
    </td>
    <td></td>
  </tr>`;
}

function Rules({ report, decision }) {
  const { measures, reference } = report.summary;
  const told = measures.filter(
    (item) => TOLD.includes(item.name) && item.difference && item.lanes.candidate,
  );
  const idle = decision.rules.filter((rule) => getState(rule) === "none").length;
  const met = decision.rules.filter((rule) => getState(rule) === "met").length;
  const checked = decision.rules.length - idle;
  return html`<details class="card rules" aria-label="The rules" open=${!IS_NARROW}>
    <summary><h2>The rules</h2>${
      countCompared(report) > 0 &&
      html` <span class="soft">${met} of ${formatOf(checked, "rule")} met</span>`
    }</summary>
    <p class="soft">
      ${idle > 0 && `${formatOf(idle, "rule")} without anything to check · `}range: 95% confidence
    </p>
    <${Wide} label="rules">
      <thead>
        <tr>
          <th class="name">Rule</th>
          <th>Candidate</th>
          <th class="name">Range</th>
          <th class="name">State</th>
        </tr>
      </thead>
      <tbody>
        ${decision.rules.map((rule) => html`<${Rule} key=${rule.name} rule=${rule} />`)}
      </tbody>
      ${
        told.length > 0 &&
        html`<tbody>
          <tr>
            <th class="name" colspan="4" scope="rowgroup">For information, decides nothing</th>
          </tr>
          ${told.map((item) => html`<${Told} key=${item.name} item=${item} reference=${reference} />`)}
        </tbody>`
      }</${Wide}
    >
  </details>`;
}

const LANES = { recording: "Then", baseline: "Today", candidate: "Candidate" };
const FILE_NAMES = {
  html: "Page as HTML",
  csv: "A table of all answers (CSV)",
  json: "Everything (JSON)",
};
let known = null; // the last one: who goes on to a conversation comes back to it

const FORMATS = {
  share: (value) => `${(100 * value).toFixed(0)}%`,
  ratio: (value) => value.toFixed(2),
  count: (value) => value.toFixed(2),
  tokens: (value) => formatCount(Math.round(value)),
  usd: formatCost,
  ms: formatMs,
};

/** The report as it was last loaded; null: of this replay none was. */
export const getKnownReport = (id) => (known && known.replay.id === id ? known : null);

/** Show no old counts of people's judgements until the report is loaded again. */
export function expectNewJudgements(id) {
  if (getKnownReport(id)) known.people = null;
}

/** The report, with the state of the replay when it was made. */
export async function loadReport(id) {
  const { report, ...rest } = await get(`/api/replays/${id}`);
  // A failure is told by what its answers do otherwise; that list may be missing, the verdict not.
  const listed =
    rest.decision?.status === "failed" &&
    (await get(`/api/replays/${id}/answers?limit=${TOLD_ANSWERS}`).catch(() => null));
  known = { ...report, ...rest, listed: listed || undefined };
  return known;
}

function Interval({ found, format }) {
  if (!found) return "–";
  return html`${format(found.mean)}${
    found.low !== null &&
    html`<small class="soft">${format(found.low)} to ${format(found.high)}</small>`
  }`;
}

const excludesZero = ({ low, high }) => low !== null && (low > 0 || high < 0);

function Measures({ summary }) {
  const lanes = [...new Set(summary.measures.flatMap((item) => Object.keys(item.lanes)))];
  const shown = summary.measures.filter((item) =>
    Object.keys(item.lanes).some((lane) => lane !== RECORDING || item.name === "liked"),
  );
  return html`<div class="measures"><${Wide} label="measures">
    <thead>
      <tr>
        <th class="name">Per answer</th>
        ${lanes.map((lane) => html`<th>${LANES[lane] ?? lane}</th>`)}
        <th>Difference</th>
        <th>Better, worse</th>
        <th>Due to chance?</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map((item) => {
        const format = FORMATS[item.unit];
        const told = item.difference;
        return html`<tr>
          <td class="name">${toWords(item.title)}</td>
          ${lanes.map((lane) => html`<td><${Interval} found=${item.lanes[lane]} format=${format} /></td>`)}
          <td><${Interval} found=${told} format=${format} /></td>
          <td>
            ${told && item.better ? `${told.conversations_better}, ${told.conversations_worse}` : "–"}
          </td>
          <td title=${told && item.better ? `p ${told.p_adjusted.toPrecision(2)}` : null}>
            ${told && item.better ? (told.p_adjusted < SURE ? "no" : excludesZero(told) ? "possibly, of many measures" : "possibly") : "–"}
          </td>
        </tr>`;
      })}
    </tbody>
  </${Wide}></div>`;
}

/** The settings of plainloop.toml with which everybody gets the candidate. */
export function listSettings({ provider, design, model, models }) {
  const write = (pairs) =>
    pairs.filter(([, value]) => value).map(([key, value]) => `${key} = "${value}"`);
  const split = (name) => {
    const [label, effort] = name.split("@");
    const [first, ...rest] = label.split(":");
    const own = rest.length
      ? [
          ["provider", first],
          ["model", rest.join(":")],
        ]
      : [["model", first]];
    return write([...own, ["effort", effort]]);
  };
  const whole = model ? split(model) : [];
  const lines = [...write([["provider", provider]]), ...whole];
  const tables = Object.entries(models ?? {}).flatMap(([of, name]) => [
    "",
    `[agents.${of}]`,
    ...split(name),
  ]);
  return [...lines, ...tables, ...(design ? ["", "[agent]", ...write([["design", design]])] : [])]
    .join("\n")
    .trim();
}

/** How the candidate goes live: for everybody by settings, or for some people first by a command. */
function Rollout({ candidate }) {
  const { provider, design, model, models, prompts } = candidate;
  const isPrompted = Object.keys(prompts).length > 0;
  const options = [
    ...Object.entries({ provider, design, model }).filter(([, value]) => value),
    ...Object.entries(models).map(([name, value]) => ["model", `${name}=${value}`]),
    ...(isPrompted ? [["prompts", "DIR"]] : []),
  ].map(
    ([name, value]) =>
      ` --${name} ${/^[\w.:@/=-]+$/.test(value) ? value : `'${value.replaceAll("'", "")}'`}`,
  );
  const command = `plainloop canary start --share 10%${options.join("")}`;
  const settings = listSettings(candidate);
  return html`<${Menu} label="Go live" style="button small accent"
    >${
      settings &&
      html`<p><b>For everybody:</b> set this in plainloop.toml, and restart the service.</p>
        <pre tabindex="0" class="settings">${makeVisible(settings)}</pre>
        <${Copy} text=${settings} />`
    }${Object.entries(prompts).map(
      ([name, text]) =>
        html`<p key=${name}>
            <b>Prompt of ${toWords(name)}:</b> put the changed text in place of the pack's.
          </p>
          <${Copy} text=${text} />`,
    )}
    <p><b>For some people first:</b> 10% of new conversations, as long as it is not worse.</p>
    <p class="soft">
      An operator starts it in a
      terminal${isPrompted && html` (DIR: a folder with the changed prompts as files NAME.md)`}:
    </p>
    <pre tabindex="0" class="command">${makeVisible(command)}</pre>
    <${Copy} text=${command}
  /></${Menu}>`;
}

const Files = ({ replay }) =>
  html`<${Menu} label="Report"
    >${Object.entries(FILE_NAMES).map(
      ([format, word]) => html`<a href=${`/api/replays/${replay.id}?format=${format}`}>${word}</a>`,
    )}</${Menu}
  >`;

/** What is done with a report: its files, and what only a terminal can do. */
export const Actions = ({ report }) =>
  html`<${Files}
      replay=${report.replay}
    />${report.decision.status === "passed" && report.summary.sharing.touched > 0 && html`<${Rollout} candidate=${report.candidate} />`}`;

/** What a report is shown as until it is there: what is known already, and the room of the rest. */
export function Waiting({ verdict }) {
  const [style, icon, word] = FORMS[verdict] ?? FORMS.undecided;
  return html`<div class="report waiting">
    <div class=${`card verdict ${style}`} role="status">
      <span class="seal"><${Icon} name=${icon} size=${24} /></span>
      <div>
        <p class="eyebrow">${verdict && word}</p>
        <p class="soft">Comparing the conversations…</p>
      </div>
    </div>
    <div class="tiles four" aria-hidden="true">
      ${[1, 2, 3, 4].map((n) => html`<div key=${n} class="tile"></div>`)}
    </div>
  </div>`;
}

export function Report({ report, error, isLoading, reload, verdict }) {
  if (!report)
    return error
      ? html`<${Failure} error=${error} again=${reload} />`
      : html`<${Waiting} verdict=${verdict} />`;
  const { decision, replay } = report;
  const isAlike = areAlike(decision) && !report.summary.worse.conversations;
  const toRead =
    !isSame(report.summary) &&
    !(isAlike && countCompared(report) === 0) &&
    html`<${ToRead} report=${report} replay=${replay} isAlike=${isAlike} />`;
  return html`<div aria-busy=${isLoading} class="report">
    <${Failure} error=${error} again=${reload} />
    <${Verdict} report=${report} decision=${decision} replay=${replay} />
    <div class="found">
      ${!isAlike && toRead}
      <${Figures} report=${report} decision=${decision} />
      ${isAlike && toRead}
      <${Rules} report=${report} decision=${decision} />
    </div>
    <${Limits} />
    <details>
      <summary>All measures</summary>
      ${report.summary.verdict.reasons.map((reason) => html`<p class="soft">${makeVisible(reason)}</p>`)}
      <p class="soft">
        Ranges: 95% confidence, each by itself. Of many measures one range may exclude 0 by chance:
        the last column allows for that.
      </p>
      <${Measures} summary=${report.summary} />
    </details>
  </div>`;
}
