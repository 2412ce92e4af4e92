// What a replay came to: every conversation of it compared, which takes the server a while at thousands.
// For who decides: one sentence, four figures, the rules behind it, and what to read before.
import { get } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Copy, Failure, Menu, Wide, useLoaded } from "../parts.js";
import { formatCost, formatCount, formatMs, formatOf, makeVisible, toWords } from "../words.js";
import { chooseCostFormat, chooseTimeFormat } from "./amounts.js";
import { loadEstimate } from "./experiment.js";
import { sayWorse } from "./names.js";
import { FORMS } from "./outcome.js";

const SURE = 0.05; // below it chance is no likely reason
const LISTED = 5;
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

function sayCost({ today, candidate }) {
  const share = today ? Math.abs(candidate / today - 1) : 0;
  return share < 0.01 ? null : `costs ${round(share)} ${candidate < today ? "less" : "more"}`;
}

function sayTime({ today, candidate, difference }) {
  if (
    !today ||
    difference?.p_adjusted >= SURE ||
    candidate === undefined ||
    Math.abs(candidate / today - 1) < 0.05 ||
    Math.abs(candidate - today) < FELT_MS
  )
    return null;
  return `answers ${formatMs(Math.abs(candidate - today))} ${candidate < today ? "faster" : "slower"}`;
}

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

/** What people judged, which the measures do not contain. */
function sayPeople(people) {
  const { better, worse, same, p } = people ?? {};
  const judged = better + worse + same;
  if (!judged) return "";
  if (p < SURE)
    return ` People clearly prefer ${worse > better ? "today's" : "the candidate's"} answers.`;
  return ` People judged ${formatOf(judged, "conversation")}: ${better} better, ${worse} worse.`;
}

/** The heading and the sentence below it. */
function sayVerdict({ report, decision, replay }) {
  const { summary } = report;
  const sides = nameSides(report);
  const rules = listRules(decision);
  const compared = countCompared(report);
  const worse = `${formatCount(summary.worse.conversations)} of ${formatOf(compared, "conversation")} got worse`;
  const { used, high_all: all } = rules.worse; // used null: all conversations used the change
  const that = used == null ? "" : " that use the change";
  const unused =
    used == null
      ? ""
      : ` ${formatCount(used)} of the ${formatCount(compared)} used it; the others sent today's requests${
          all == null ? "" : `. Of all conversations, at worst ${ofHundred(all)} of 100 get worse`
        }.`;
  const said = sayPeople(report.people);
  const [high, limit] = [sayBound(rules.worse), ofHundred(rules.worse.limit)];
  const gains = [sayCost(getCosts(report)), sayTime(getMeasure(report, "duration_ms"))].filter(
    Boolean,
  );
  const gain = (gains.length ? ` It ${gains.join(" and ")}.` : "") + said;
  if (decision.status === "passed") {
    if (isSame(summary))
      return [
        "Nothing differs",
        `Every request is the same as ${summary.reference === "recording" ? "the recorded one" : "today's"}, byte for byte.`,
      ];
    return [
      `${sides.candidate} can replace ${sides.reference}`,
      `${worse}. At worst, ${high} of 100${that} get worse; you allow ${limit}.${unused}${gain}`,
    ];
  }
  if (decision.status === "failed")
    return [
      `${sides.candidate} is worse`,
      `${worse}; you allow ${limit} of 100${that}.${unused}${gain}`,
    ];
  if (compared === 0)
    return ["Nothing to compare yet", "No conversation has an answer on both sides."];
  if (replay.ended_at === null) return ["Not proven yet", `Still running: ${worse} so far.`];
  if (rules.worse.high === null) return ["Nothing differs", "No conversation used the change."];
  if (rules.worse.status === "open")
    return [
      "Not proven yet",
      `${worse} so far, but up to ${high} of 100${that} may get worse. You allow ${limit}.${unused}${said}`,
    ];
  if (rules.complete.status === "open")
    return [
      "Not proven yet",
      summary.sharing.is_void
        ? "Today's answers differ from the recorded ones. Run both sides again."
        : `Only ${compared} of ${formatOf(summary.conversations, "conversation")} have an answer on both sides.`,
    ];
  return [
    "Not proven yet",
    `${worse}, but ${formatOf(rules.read.needed, "answer")} in different words ${
      rules.read.needed === 1 ? "has" : "have"
    } not been compared yet.${gain}`,
  ];
}

/** The way on from a verdict that is none yet. */
function WayOn({ report, decision, replay }) {
  const rules = listRules(decision);
  const compared = countCompared(report);
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
    const more = Math.max(0, report.stored - compared);
    const use =
      used == null
        ? ""
        : `, of which ${formatCount(Math.floor((needed * used) / compared))} use the change`;
    const takes = `It takes about ${formatOf(needed, "more conversation")}${use}`;
    if (more < needed)
      return html`<p>
        ${`${takes}: ${
          more
            ? `only ${formatCount(more)} more ${more === 1 ? "is" : "are"} stored`
            : "all that are stored were tried"
        }. Run it again when about ${formatOf(needed - more, "more chat")} ${
          needed - more === 1 ? "has" : "have"
        } been held; with fewer it would stay undecided.`}
      </p>`;
    return html`<p>${takes}.</p>
      <p class="row">
        <a
          class="button accent"
          href=${`#/lab.experiment?like=${replay.id}&sample=${compared + needed}`}
          ><${Icon} name="plus" />Try again with ${formatOf(compared + needed, "conversation")}</a
        >
      </p>
      <${Price} report=${report} sample=${compared + needed} />`;
  }
  if (status === "open" && rules.worse.high !== null && compared)
    return html`<p>
      At this rate no number of conversations would prove it. Read what got worse, change the
      candidate, and run it again.
    </p>`;
  if (status === "met" && rules.read.status === "open")
    return html`<p class="row">
      <a class="button accent" href=${`#/lab.experiments/${replay.id}?n=${report.worst[0]?.n ?? 0}`}
        ><${Icon} name="file-text" />Read them</a
      >
    </p>`;
  return null;
}

/** What another try costs, and what of it is not paid again. */
function Price({ report: { candidate, replay }, sample }) {
  const { name, ...kept } = candidate;
  const { data } = useLoaded(
    () => loadEstimate({ ...kept, sample, threads: {}, like: replay.id }),
    `${replay.id} ${sample}`,
  );
  return (
    data?.about_usd &&
    html`<p class="soft">
      About ${formatCost(data.about_usd)}: the candidate's answers are paid for again, today's only
      where they are not known yet.
    </p>`
  );
}

export function Verdict({ report, decision, replay }) {
  const [style, icon, word] = FORMS[decision.status];
  const [title, text] = sayVerdict({ report, decision, replay });
  const checked = decision.rules.filter((rule) => getState(rule) !== "none");
  const met = checked.filter((rule) => rule.status === "met").length;
  return html`<section class=${`card verdict ${style}`} aria-label="Verdict">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <p class="eyebrow">
        ${`${word} · ${formatOf(report.summary.conversations, "conversation")}${
          countCompared(report) ? `, ${met} of ${formatOf(checked.length, "rule")} met` : ""
        }`}
      </p>
      <h2>${makeVisible(title)}</h2>
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
  const share = today ? (part < 0.001 ? "less than 0.1%" : round(part)) : null;
  return {
    before,
    now,
    tone: !isSure || part < 0.001 ? "soft" : isLess ? "good" : "bad",
    icon: isLess ? "arrow-down" : "arrow-up",
    told: share && `${share} ${isLess ? "less" : "more"}${isSure ? "" : ", not certain"}`,
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
  const [cost, time] = [getCosts(report), getMeasure(report, "duration_ms")];
  const compared = countCompared(report);
  const none = compared ? "none used the change" : "nothing compared";
  const judged = people && people.better + people.worse + people.same;
  const users = rule.used == null ? "" : `of ${formatCount(rule.used)} that used the change, `;
  const byMeasures = judged ? "by the measures, without people's judgements; " : "";
  const kept = {
    met: ["ok good", "circle-check", "Few enough"],
    failed: ["bad", "circle-alert", "Too many"],
    open: ["soft", "circle-dashed", "Not proven"],
  }[rule.status];
  return html`<div class="tiles four">
    <${Figure}
      title="Conversations that got worse"
      now=${compared ? `${formatCount(summary.worse.conversations)} of ${formatCount(compared)}` : "unknown"}
      tone=${kept[0]}
      icon=${kept[1]}
      told=${kept[2]}
      note=${rule.high === null ? none : `${byMeasures}${users}at worst ${sayBound(rule)} of 100, ${ofHundred(rule.limit)} allowed`}
    />
    <${Figure}
      title="Cost per answer"
      ...${describeChange(cost, chooseCostFormat(cost.today, cost.candidate))}
      note=${cost.name === "uncached_usd" && "without the cache, which would favour today's prompt"}
    />
    <${Figure}
      title="Time to answer"
      ...${describeChange(time, chooseTimeFormat(time.today, time.candidate))}
      note="mean"
    />
    <${Figure} title="What people said" ...${describePeople(report)} />
  </div>`;
}

/** @param {{isAlike: boolean}} props isAlike: no answer differs */
export function ToRead({ report, replay, isAlike }) {
  const { better, worse } = report.summary;
  const compared = countCompared(report);
  const total = Math.max(1, compared);
  const [good, bad] = [better.conversations / total, Math.min(1, worse.conversations / total)];
  const same = Math.max(0, compared - better.conversations - worse.conversations);
  const listed = report.worst.filter((item) => item.severity > 0).slice(0, LISTED);
  const first = (report.worst.find((item) => item.differs) ?? listed[0])?.n;
  const { conversations: differing } = report.summary.differing;
  const tone = (count, style) => (count ? style : "soft");
  return html`<section class="card" aria-label="Read these before you decide">
    <div class="row spread">
      <h2>${isAlike ? sayAlike(report) : "Read these before you decide"}</h2>
      ${
        !isAlike &&
        first !== undefined &&
        html`<a class="button small" href=${`#/lab.experiments/${replay.id}?n=${first}`}
          >Start reading <${Icon} name="chevron-right" size=${14}
        /></a>`
      }
    </div>
    <svg class="axis parts" width="100%" height="12" aria-hidden="true">
      <rect class="same" width="100%" height="12" />
      <rect class="better" width=${`${100 * good}%`} height="12" />
      <rect class="worse" x=${`${100 * (1 - bad)}%`} width=${`${100 * bad}%`} height="12" />
    </svg>
    <p class="row spread">
      <span class=${tone(better.conversations, "good")}
        >${formatCount(better.conversations)} better</span
      ><span class="soft">${formatCount(same)} the same</span
      ><span class=${tone(worse.conversations, "bad")}
        >${formatCount(worse.conversations)} worse</span
      >
    </p>
    <p class="soft">
      ${
        differing
          ? `By the measures. ${formatCount(differing)} of ${formatOf(compared, "conversation")} ${
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
          html`<li key=${item.n}>
            <span class="soft">${at + 1}</span
            ><a href=${`#/lab.experiments/${replay.id}?n=${item.n}`}
              ><b>“${makeVisible(item.said || item.conversation_id)}”</b
              ><small
                >${sayWorse(item.worse, report.summary.measures) || "no answer from the candidate"}</small
              ></a
            >
            <span class=${`status ${item.severity >= MUCH ? "bad" : "warn"}`}
              >${item.severity >= MUCH ? "Much worse" : "Worse"}</span
            >
          </li>`,
      )}
    </ol>
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
  return html`<section class="card rules" aria-label="The rules">
    <div class="row spread">
      <h2>The rules</h2>
      <small class="soft"
        >${idle > 0 && `${formatOf(idle, "rule")} without anything to check · `}range: 95%
        confidence</small
      >
    </div>
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
  </section>`;
}

const LANES = { recording: "Then", baseline: "Today", candidate: "Candidate" };
const RECORDING = "recording";
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
  known = { ...report, ...rest };
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

/** What only a terminal can do. */
function Rollout({ candidate: { provider, design, model, models, prompts } }) {
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
  return html`<${Menu} label="Try with 10% of users" style="button small accent"
    ><p><b>Some real users get the candidate, as long as it is not worse.</b></p>
    <p class="soft">
      This candidate answers 10% of new conversations. An operator starts it in a
      terminal${isPrompted && html` (DIR: a folder with the changed prompts as files NAME.md)`}:
    </p>
    <pre tabindex="0">${makeVisible(command)}</pre>
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

export function Report({ report, error, isLoading, reload }) {
  if (!report)
    return error
      ? html`<${Failure} error=${error} again=${reload} />`
      : html`<div class="card verdict" role="status">
          <p class="soft">Comparing the conversations…</p>
        </div>`;
  const { decision, replay } = report;
  const isAlike = areAlike(decision) && !report.summary.worse.conversations;
  return html`<div aria-busy=${isLoading} class="report">
    <${Failure} error=${error} again=${reload} />
    <${Verdict} report=${report} decision=${decision} replay=${replay} />
    <${Figures} report=${report} decision=${decision} />
    <div class="beside">
      <${Rules} report=${report} decision=${decision} />${
        !isSame(report.summary) &&
        !(isAlike && countCompared(report) === 0) &&
        html`<${ToRead} report=${report} replay=${replay} isAlike=${isAlike} />`
      }
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
