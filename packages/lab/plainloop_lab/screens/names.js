// What people call what the service names: `crm_worker` is the Tracker.
import { describeCall, makeVisible, toInner, toWords } from "../words.js";

/** A sentence of the service, with the names that people know. */
export const sayNames = (text) => makeVisible(text.replace(/\b[a-z]+(_[a-z]+)+\b/g, toWords));

/** A sentence of the service with a capital letter; a name that it begins with stays as it is. */
export const toSentence = (text) => text.replace(/^[a-z](?=[a-z]* )/, (sign) => sign.toUpperCase());

const CALLED = /^(only [^“]+?) calls ([\w.-]+)(?=[ ,;]|$)|^([\w.-]+)(?=: )/;

/** A difference as the chat tells of tools: `only today: Saved a job (Title: “Cook”)`. */
export function sayDifference(text) {
  const told = text.replace(CALLED, (_, side, only, both) =>
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

/** The sentence that explains the first difference, which stands at its end. */
export function sayExplained(sentence) {
  const [change, difference] = sentence.split(/(?<= is the first that differs: )/);
  return difference
    ? `${makeVisible(change)}${toInner(sayDifference(difference))}`
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

/** `Triage: claude-haiku-5-5 (effort low) → claude-haiku-5-5 (effort none)` and so on, of advice in a list. */
export const sayAdvised = ({ workers = [] }) =>
  makeVisible(
    workers
      .map(
        ({ worker, today, candidates }) =>
          `${toWords(worker)}: ${sayModels([today])} → ${sayModels(candidates) || "no cheaper model"}`,
      )
      .join("; "),
  );

// What a measure's getting worse means, where its title would say the opposite.
const WORSE = {
  json_kept: "no JSON where the recording has it",
  judged: "the judge prefers today's",
  problems: "more findings of the worker's check",
  review_passed: "sent back by the evaluator",
  same_arguments: "other arguments of tools",
  same_path: "other nodes, or in another order",
  same_route: "another worker or fast path",
  same_tools: "other tools",
};

/** What got worse. @param {string[]} names of measures @param {{name: string, title: string}[]} measures that have titles */
export const sayWorse = (names, measures = []) =>
  makeVisible(
    names
      .map(
        (name) =>
          WORSE[name] ??
          measures.find((item) => item.name === name)?.title ??
          toWords(name).toLowerCase(),
      )
      .join(", "),
  );
