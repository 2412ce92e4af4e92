// What people call what the service names: `crm_worker` is the Tracker.
import { describeCall, formatCount, makeVisible, toInner, toWords } from "../words.js";

/** A sentence of the service, with the names that people know. */
export const sayNames = (text) => makeVisible(text.replace(/\b[a-z]+(_[a-z]+)+\b/g, toWords));

/** A sentence of the service with a capital letter; a name that it begins with stays as it is. */
export const toSentence = (text) => text.replace(/^[a-z](?=[a-z]* )/, (sign) => sign.toUpperCase());

const CALLED = /^(only [^“]+?) calls ([\w.-]+)(?=[ ,;]|$)|^([\w.-]+)(?=: )/;

/** A difference as the chat tells of tools: `only today: Saved a job (Title: “Cook”)`. */
export function sayDifference(text) {
  const told = dropMarkup(text).replace(CALLED, (_, side, only, both) =>
    side ? `${side}: ${describeCall(only, true)}` : describeCall(both, true),
  );
  return toSentence(
    makeVisible(
      told.replace(/“[^”]*”|\b[a-z]+(_[a-z]+)+\b/g, (found) =>
        found.startsWith("“") ? found : toWords(found),
      ),
    ),
  );
}

const FIELD = /^([\w.-]+): (.+?) is (.*) in today, (.*) in the candidate$/s;
const ONLY = /^only (today|the candidate) calls ([\w.-]+)/;
const SAYS = /^today says (“.*”) where the candidate says (“.*”)$/s;
const ADDS = /^only (today|the candidate) says (“.*”)$/s;

/** A quoted answer without the signs of its markup, which a quotation may cut in two. */
export const dropMarkup = (text) => text.replace(/\*\*|^#+ /gm, "");

/** What the candidate does otherwise, shorter than `sayDifference`: `Job number 1 instead of 22`. */
export function sayPlainly(text) {
  const [field, only, says, adds] = [FIELD, ONLY, SAYS, ADDS].map((form) =>
    form.exec(dropMarkup(text)),
  );
  if (field) return makeVisible(`${toWords(field[2])} ${field[4]} instead of ${field[3]}`);
  if (only) {
    const did = `“${describeCall(only[2], true)}”`;
    return makeVisible(only[1] === "today" ? `without ${did}` : `also ${did}`);
  }
  if (says) return makeVisible(`says ${says[2]} instead of ${says[1]}`);
  if (adds) return makeVisible(`${adds[1] === "today" ? "does not say" : "also says"} ${adds[2]}`);
  return toInner(sayDifference(text));
}

const PAIR = /^(.*) instead of (.*)$/s;
const ALONE = /^(?:without|also says|also|does not say) /;

/** The same where the sides are still to be judged without names: `Job number 1 or 22`. */
export function sayNeutrally(text) {
  const told = sayPlainly(text);
  if (ALONE.test(told)) return `${told.replace(ALONE, "")} on one side only`;
  const [, now, before] = PAIR.exec(told) ?? [];
  if (!now) return /today|candidate/i.test(told) ? "another end, route or check" : told;
  const [name, value] = /^([^“]*?) ?(“.*”|\S+)$/s.exec(now)?.slice(1) ?? ["", now];
  return `${name === "says" ? "" : `${name} `}${[value, before].sort().join(" or ")}`;
}

/** The sentence that explains the first difference, which stands at its end. */
export function sayExplained(sentence) {
  const [change, difference] = sentence.split(/(?<= is the first that differs: )/);
  return difference
    ? `${sayNames(change)}${toInner(sayDifference(difference))}`
    : makeVisible(sentence);
}

/** An experiment's name in a list, which has a column for its date: what is tried. */
export const sayTried = (name) =>
  sayTitle(name.replace(/, \d{1,2} \w+ \d{4}$/, "").replace(/ against today$/, ""));

/** An experiment's name; `haiku@none for classifier` as `haiku (effort none) for Classifier`. */
export const sayTitle = (name) =>
  makeVisible(
    name
      .replace(/([\w.-]+)@(none|minimal|low|medium|high|max)\b/g, "$1 (effort $2)")
      .replace(/(?<= for )[a-z_]+(?=, routing only)/g, toWords),
  );

/** What most people say of the candidate, by their verdict. */
export const PREFERENCES = {
  better: "people prefer the candidate",
  same: "people see no difference",
  worse: "people prefer today's",
};

/** `anthropic:claude-haiku-5-5@low` and so on: each model once, with its efforts. */
export function sayModels(names) {
  const efforts = {};
  for (const name of names) {
    const [model, effort] = name.split("@");
    (efforts[model.split(":").slice(1).join(":") || model] ??= []).push(
      ...(effort ? [effort] : []),
    );
  }
  return Object.entries(efforts)
    .map(([model, levels]) => {
      const many = levels.length > 3 ? `${levels.length} efforts` : `effort ${levels.join(", ")}`;
      return model + (levels.length ? ` (${many})` : "");
    })
    .join("; ");
}

/** A headline of advice; its model as `claude-haiku-5-5 (effort none)`. */
export const sayHeadline = (text) =>
  sayNames(text.replace(/\b[a-z]+:[\w.-]+@\w+/g, (name) => sayModels([name])));

/** What advice found; that somebody may switch who has not read the answers yet. */
export const sayFound = ({ headline, unread }) =>
  sayHeadline(headline).replace(/^Switch/, unread ? "May switch" : "Switch");

/**
 * Of advice in a list: `Triage: claude-haiku-5-5 (effort low) → claude-haiku-5-5 (effort none)`; of several
 * workers their names.
 */
export const sayAdvised = ({ workers = [] }) =>
  makeVisible(
    workers
      .map(({ worker, today, candidates }) =>
        workers.length > 1
          ? toWords(worker)
          : `${toWords(worker)}: ${sayModels([today])} → ${sayModels(candidates) || "no cheaper model"}`,
      )
      .join(", "),
  );

// What a measure's getting worse means; the first ones say the most.
const WORSE = {
  failed: "ended in an error",
  limit_hit: "ended at a limit",
  unrecorded_changes: "changes something that today's does not",
  asks_for_outside: "acts on a text from outside",
  json_kept: "no JSON where the recording has it",
  review_passed: "sent back by the evaluator",
  judged: "the judge prefers today's",
  problems: "more findings of the worker's check",
  same_route: "answered by another part of the assistant",
  unmatched_calls: "asks a tool for what today's did not ask",
  same_tools: "uses other tools",
  same_arguments: "gives tools other values",
  same_path: "takes other steps",
};
const TOLD = 2; // the others follow from them

/** In how many conversations what got worse, the most first: `takes other steps in 9`; "": nothing did. */
export const sayCauses = ({ measures, lost }) => {
  const order = Object.keys(WORSE);
  const counts = measures
    .filter(({ name, difference }) => name in WORSE && difference?.conversations_worse)
    .map(({ name, difference }) => [WORSE[name], difference.conversations_worse, name])
    .sort((a, b) => b[1] - a[1] || order.indexOf(a[2]) - order.indexOf(b[2]));
  if (lost?.conversations) counts.unshift(["gives no answer", lost.conversations]);
  return counts
    .slice(0, TOLD)
    .map(([told, count]) => `${told} in ${formatCount(count)}`)
    .join(", ");
};

/** What an answer does otherwise with its tools: `“Updated a job” with another job number`; "": nothing. */
function sayKind(text) {
  const [field, only] = [FIELD, ONLY].map((form) => form.exec(text));
  if (only) return `${only[1] === "today" ? "without" : "also"} “${describeCall(only[2], true)}”`;
  if (!field) return "";
  const [, tool, name, before, now] = field;
  const how = before === "nothing" ? "with a new" : now === "nothing" ? "without" : "with another";
  return `“${describeCall(tool, true)}” ${how} ${toInner(toWords(name))}`;
}

/** What most answers that got worse do otherwise with their tools, and in how many conversations. */
export function sayMostChanged(answers) {
  const found = {};
  for (const { n, worse, differences } of answers)
    for (const kind of worse.length ? differences.map(sayKind) : [])
      if (kind) (found[kind] ??= new Set()).add(n);
  // What is done wrongly says more than what is left out.
  const weigh = ([kind, { size }]) => (kind.startsWith("without") ? size / 2 : size);
  const told = Object.entries(found)
    .sort((a, b) => weigh(b) - weigh(a))
    .slice(0, TOLD)
    .map(([kind, { size }]) => `${kind} in ${formatCount(size)}`)
    .join(", ");
  return told && told[0].toUpperCase() + told.slice(1);
}

// Of these a list of differences has no line.
const UNLISTED = ["asks_for_outside", "json_kept", "judged", "same_path"];

/** What a list says of an answer: why it is worse, where its differences do not, and then these. */
export function sayListed({ worse = [], differences = [] }, most, isBlind) {
  const isTold = worse.some((name) => !UNLISTED.includes(name));
  const told = differences.slice(0, most).map(isBlind ? sayNeutrally : sayPlainly);
  return (worse.length && !isTold ? [sayWorse(worse), ...told] : told).join("; ");
}

/** What got worse, the worst first. @param {string[]} names of measures @param {{name: string, title: string}[]} measures that have titles */
export const sayWorse = (names, measures = [], most = TOLD) => {
  const order = Object.keys(WORSE);
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return makeVisible(
    [...names]
      .sort((a, b) => place(a) - place(b))
      .slice(0, most)
      .map(
        (name) =>
          WORSE[name] ??
          measures.find((item) => item.name === name)?.title ??
          toWords(name).toLowerCase(),
      )
      .join(", "),
  );
};
