// What a letter says about the writer, sentence by sentence: which of its words stand in a line of the
// résumé, in the profile or in the posting, and which do not. A mark covers found words only.
import { describeSource } from "./sources.js";

// Both as the service splits a letter: patterns.toml and sentences.py
const ABBREVIATION = new RegExp(
  String.raw`(?:\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Inc|Ltd|Corp|Co|St|No|vs|approx|Jr|Sr|Sra|Ph|Sc|Eng|Dept|Univ` +
    String.raw`|Bros|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mme|Mlle|Nr|Hr|Fr|Str|Tel|Dipl|Ing|Mio|Mrd` +
    String.raw`|[Cc]a|bzw|ggf|inkl|cf|[A-Za-z])|e\.g|i\.e|etc)$`,
);
const SENTENCE_END = /(?<![.!?])[.!?]+["”’)*_]*\s+(?=["“‘(*_]*[\p{Lu}\p{Lt}\p{Lo}\p{N}])/gu;
const SHORT_LINE = 50; // what is shorter is a line of its own, as in an address
const toSet = (words) => new Set(words.split(" "));
// They join words, or are said in any letter: without a source they claim nothing.
const JOINING = toSet(
  "dr mr mrs ms mx approx e g i.e etc a an the and or but of at in on with for to from by as into onto that this these those it its i me my " +
    "myself we our us am is are was were be been being have has had ve do did also then there here before after during " +
    "while when where which who whom whose what since so both all them their they he she his her",
);
const COMMON_WORDS = toSet(
  "hold speak together bring skill experience role position job name include work worked working currently studied study year " +
    "career background knowledge candidate january february march april may june july august september " +
    "october november december",
);
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const CLAUSE_END = /[,;:()—–]\s|\s-\s|\b(?:but|while|whereas|because|where|who|and I)\b/gi;
const OF_WRITER = /\b(?:I|me|[Mm]y|myself)\b/;
const DENIAL = /^(?:never|not|no|nor|neither)$|n['’]t$/i;
const DENIES = toSet("never not no hardly without");
const TELLS =
  /\b(?:I(?:'|’)ve|I (?:also |then |have |had )?(?:have|had|hold|led|was|built|ran|won|\w+ed))\b/;
const OF_OTHERS = new RegExp(
  String.raw`\b(?:you|your|yours|would|will|hope|look(?:ing)? forward|appl(?:y|ying|ication)|keen|eager` +
    String.raw`|excited|glad|welcome|thank|interest(?:ed)?|want|wish|this (?:role|position|opportunity)` +
    String.raw`|the (?:role|posting|advert))\b`,
  "i",
);

const toStem = (word) => {
  const low = word
    .toLowerCase()
    .replace(/['’]s?$/, "")
    .replace(/(?<=\d)[,.\s](?=\d{3}\b)/g, "");
  if (/\d/.test(low)) return low;
  const n = NUMBERS.indexOf(low);
  if (n >= 0) return String(n);
  return low.length < 4
    ? low
    : low.replace(/(?:ing|ed|es|s|e)$/, "").replace(/([^aeiou])\1$/, "$1");
};
const COMMON = new Set([...COMMON_WORDS].map(toStem));
const WORD = /\d+(?:[.,]\d+)*|[\p{L}\p{N}+#&]+(?:['’-](?=\p{L})[\p{L}]+)*/gu;
const listTokens = (text) =>
  [...text.matchAll(WORD)].map(({ 0: raw, index }) => ({
    raw,
    from: index,
    to: index + raw.length,
    stem: toStem(raw),
    isJoining: JOINING.has(raw.toLowerCase()),
  }));

/** The sentences of a text with their places; each line of an address or list by itself. */
export function listSentences(content) {
  const sentences = [];
  const put = (from, to) => {
    const text = content.slice(from, to);
    const start =
      from + text.length - text.trimStart().replace(/^(?:#+|[-*•>]|\d+[.)])\s+/, "").length;
    const isItem = /^\s*(?:[-*•]|\d+[.)])\s/.test(text); // what one did, without "I"
    if (content.slice(start, to).trim())
      sentences.push({ from: start, to: from + text.trimEnd().length, isItem });
  };
  let at = 0;
  for (const block of content.split(/(\n(?:[ \t]*\n)+|\n(?=[ \t]*(?:[-*•>#]|\d+[.)])))/)) {
    let line = at;
    const lines = block.split("\n");
    lines.forEach((text, n) => {
      const end = line + text.length;
      const isLast = n === lines.length - 1;
      if (isLast || text.length < SHORT_LINE || /[.!?:,]\s*$/.test(text)) {
        let first = at;
        const own = content.slice(at, end);
        for (const { 0: sign, index } of own.matchAll(SENTENCE_END)) {
          if (sign.startsWith(".") && ABBREVIATION.test(content.slice(first, at + index))) continue;
          put(first, at + index + sign.length);
          first = at + index + sign.length;
        }
        put(first, end);
        at = end + 1;
      }
      line = end + 1;
    });
    at = line - 1;
  }
  return sentences;
}

const isText = (value) => typeof value === "string";

/** The texts in a tree, each with its path: `[{path, text}]`. */
const listLeaves = (value, path) =>
  value === null || typeof value !== "object"
    ? [{ path, text: String(value ?? "") }]
    : Object.entries(value).flatMap(([key, item]) =>
        listLeaves(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
      );

const squash = (text) =>
  text
    .replace(/[*_`#>[\]]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

const VEILED_AT = /\s?[([{]\s?(?:at|@|ät)\s?[)\]}]\s?/gi;

/** The line of the document that a text was read from, from 1 on; null: it says it otherwise. */
export function findLine(text, near, rawText) {
  const wanted = squash(text);
  if (!wanted) return null;
  // An address may be written so that no robot reads it: "ann(at)example.org".
  const lines = (rawText ?? "").split("\n").map((line) => squash(line.replace(VEILED_AT, "@")));
  const found = lines.flatMap((line, n) => (line.includes(wanted) ? [n] : []));
  if (!found.length) return null;
  const beside = near.map(squash).filter(Boolean);
  const rank = (n) => beside.filter((word) => lines[n].includes(word)).length;
  return found.reduce((best, n) => (rank(n) > rank(best) ? n : best)) + 1;
}

/** What a letter's words are looked up in. job: the tracker's row; profile: Markdown */
export function listFacts({ resume, job, profile }) {
  const { data, raw_text: rawText, format } = resume ?? {};
  const raw = format === "json" ? "" : rawText;
  const ofResume = data
    ? listLeaves({ ...data, meta: null, $schema: null }, "resume").map(({ path, text }) => {
        const entry = path.match(/^resume\.(\w+)\[(\d+)\]/);
        const own = entry ? (data[entry[1]]?.[entry[2]] ?? {}) : {};
        const near = [own.name, own.position, own.institution].filter(isText);
        const line = findLine(text, near, raw);
        const names = [own.name, own.institution, own.organization].filter(isText).map(squash);
        const where = line ? `Résumé, line ${line}` : describeSource(path, data);
        return { path, text, kind: "own", line, where, names };
      })
    : (raw ?? "").split("\n").map((text, n) => ({
        path: `resume.text[${n}]`,
        text,
        kind: "own",
        line: n + 1,
        where: `Résumé, line ${n + 1}`,
      }));
  const ofProfile = (profile ?? "")
    .split("\n")
    .map((text) => ({ path: "profile", text, kind: "own", where: "Profile" }));
  const posted = ["company", "title", "location", "requirements", "nice_to_haves", "notes"]
    .flatMap((field) => (job?.[field] ?? "").split("\n").map((text) => ({ field, text })))
    .map(({ field, text }) => ({
      path: `job.${field}`,
      text,
      kind: "posted",
      where: "The posting",
    }));
  return [...ofResume, ...ofProfile, ...posted]
    .filter(({ text }) => text.trim())
    .map((fact) => ({ ...fact, words: listTokens(fact.text).filter((word) => !word.isJoining) }))
    .filter(({ words }) => words.length);
}

const MOST_SKIPPED = 1; // words of a line that the letter may leave out between two
const SHORT = 5; // words of a name, title or skill

const toBare = (word) => word.toLowerCase().replace(/['’]?s$/, "");

/** The longest run of words from `at` on that a fact has in this order: `{count, fact, places}` or null; of equals the likelier. */
function findRun(words, at, facts, isProof, weigh) {
  let best = null;
  for (const fact of facts)
    for (let first = 0; first < fact.words.length; first++) {
      if (fact.words[first].stem !== words[at].stem) continue;
      const places = [first];
      while (at + places.length < words.length) {
        const from = places.at(-1) + 1;
        const next = fact.words
          .slice(from, from + 1 + MOST_SKIPPED)
          .findIndex(({ stem }) => stem === words[at + places.length].stem);
        if (next < 0) break;
        places.push(from + next);
      }
      const count = places.length;
      // A lone word in its own form: who is a cook need not have cooked.
      const isSame = count > 1 || toBare(words[at].raw) === toBare(fact.words[first].raw);
      const isBetter =
        count > (best?.count ?? 0) || (count === best?.count && weigh(fact) > weigh(best.fact));
      if (isBetter && isSame && isProof(fact, count)) best = { count, fact, places };
    }
  return best;
}

/** A number that stands before an earlier one in its line: "from three hours to two days". */
function dropReversed(words, told) {
  const last = new Map();
  for (const word of words) {
    const own = told.get(word);
    if (!own || !/^\d/.test(word.stem)) continue;
    const before = last.get(own.fact);
    last.set(own.fact, { place: own.place, word });
    if (before && own.place < before.place) {
      told.set(before.word, null);
      told.set(word, null);
    }
  }
}

/** The clauses of a sentence that say something of the writer: `[{from, to, isOwn}]`. */
function listClauses(text, isItem) {
  const ends = [...text.matchAll(CLAUSE_END)].map(({ index }) => index).filter((end) => end > 0);
  let isOwn = isItem ? !OF_OTHERS.test(text) : OF_WRITER.test(text);
  let from = 0;
  return [...ends, text.length].map((to) => {
    const clause = text.slice(from, to);
    if (TELLS.test(clause)) isOwn = true;
    else if (OF_OTHERS.test(clause)) isOwn = false;
    const found = { from, to, isOwn };
    from = to;
    return found;
  });
}

/** One sentence in parts: `{from, to, kind: "own" | "posted" | "bad" | "open", where, line, text}`. */
function cutParts(content, { from, to, isItem }, { paths, problems, facts }) {
  const text = content.slice(from, to);
  const plain = squash(text);
  const clauses = listClauses(text, isItem);
  const isOwnAt = (at) => clauses.find((clause) => at < clause.to)?.isOwn ?? false;
  const tokens = listTokens(text);
  const bad = problems.map(({ quoted }) => findQuoted(text, quoted)).filter(Boolean);
  const isBad = (token) => bad.some((span) => token.from < span.to && token.to > span.from);
  const words = tokens.filter((token) => !token.isJoining && !isBad(token));
  const told = new Map(); // word → {fact, place}; null: it stands there otherwise
  const isNear = (one, other) => !/[.;!?]/.test(text.slice(one.to, other.from).replace(".", ""));
  for (let at = 0; at < words.length;) {
    const isOwn = isOwnAt(words[at].from);
    let last = at;
    while (last + 1 < words.length && isNear(words[last], words[last + 1])) last++;
    // What the posting says is no proof of what one did oneself.
    const isProof = ({ kind, path, words: all }, count) =>
      (kind === "own" || !isOwn) &&
      (all.length > SHORT
        ? count > 1
        : count === all.length || (paths.has(path) && path !== "resume.basics.name"));
    // A title is of the position that the sentence names; what one applies for is the posting's.
    const weigh = ({ kind, names = [] }) =>
      kind === "posted" ? !isOwn : names.some((name) => name && plain.includes(name));
    const run = findRun(words.slice(0, last + 1), at, facts, isProof, weigh);
    run?.places.forEach((place, n) => told.set(words[at + n], { fact: run.fact, place }));
    at += run?.count ?? 1;
  }
  // A single word of a line that another part of the sentence was taken from.
  words.forEach((word, n) => {
    const { fact } = told.get(words[n - 1]) ?? told.get(words[n + 1]) ?? {};
    const place = fact?.words.findIndex(({ stem }) => stem === word.stem) ?? -1;
    if (!told.has(word) && place >= 0) told.set(word, { fact, place });
  });
  dropReversed(words, told);
  // What a clause denies is not what its line says: "I never kept the service running".
  for (const { from: start, to: end } of clauses) {
    const inside = words.filter((word) => word.from >= start && word.from < end);
    const isDenied = inside.some((word) => DENIAL.test(word.raw) && !told.get(word));
    if (isDenied && !/\bnot only\b/i.test(text.slice(start, end)))
      for (const word of inside) if (told.get(word)?.fact.kind === "own") told.set(word, null);
  }
  const names = new Set(
    facts
      .filter(({ path }) => /^job\.(company|title)/.test(path))
      .flatMap((fact) => fact.words.map(({ stem }) => stem)),
  );
  const kindOf = (token) => {
    if (isBad(token)) return { kind: "bad" };
    const own = told.get(token);
    if (own) return own.fact;
    if (own === null) return { kind: "open", count: 2 };
    if (!isOwnAt(token.from) || COMMON.has(token.stem) || /^\d/.test(token.stem)) return null;
    const isLoud = DENIES.has(token.stem) || /^\p{Lu}/u.test(token.raw);
    return { kind: "open", isName: names.has(token.stem), count: isLoud ? 2 : 1 };
  };
  const parts = [];
  let joined = false; // only joining words since the last part
  for (const token of tokens) {
    if (token.isJoining && !isBad(token)) continue;
    const own = kindOf(token);
    const last = parts.at(-1);
    const between = last ? text.slice(last.to, token.from) : "";
    const isOne =
      last &&
      joined &&
      own?.kind === last.kind &&
      own.path === last.path &&
      !/[.;!?]\s|[;!?]/.test(between);
    if (own && isOne) {
      last.to = token.to;
      last.isName &&= own.isName;
      last.count += own.count;
    } else if (own) parts.push({ ...own, from: token.from, to: token.to });
    joined = Boolean(own);
  }
  const hasProof = ({ from: at }) => {
    const clause = clauses.find((item) => at < item.to);
    return parts.some(
      (part) => part.kind === "own" && part.from >= clause.from && part.to <= clause.to,
    );
  };
  return (
    parts
      // Not the company that one writes to, nor a single word within what has a source.
      .filter(
        (part) => part.kind !== "open" || !(part.isName || (part.count < 2 && hasProof(part))),
      )
      .map(({ kind, where, line, path, from: start, to: end }) => ({
        kind,
        where,
        line,
        path,
        text: text.slice(start, end),
        from: from + start,
        to: from + (kind === "own" && text[end] === "%" ? end + 1 : end),
      }))
  );
}

/** Where a text has another one, by whole words and without Markdown: `{from, to}` or null. */
function findQuoted(text, quoted) {
  if (!quoted) return null;
  const pattern = quoted
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s*_`]+");
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  if (!found) return null;
  // "25 people at": the last word belongs to the next claim
  const end =
    found.index + found[0].replace(/\s+(?:at|on|in|of|for|with|to|from|and)$/i, "").length;
  return {
    from: found.index,
    to: end + text.slice(end).match(/^(?:\.\p{L}+)*\.?(?=\S)|^/u)[0].length,
  };
}

/**
 * The sentences of a letter that claim something, in the order of the text:
 * `{n, text, from, to, parts, problems, state: "ok" | "open" | "bad"}`; from: -1 where it is of no one sentence.
 */
export function findClaims({ content, sources, problems }, known) {
  const facts = listFacts(known);
  const told = problems.map((problem) => ({
    problem,
    quoted: problem.match(/“([^”]+)”/)?.[1] ?? "",
    isPlaced: false,
  }));
  const proven = sources.map((item) => ({ ...item, text: squash(item.sentence), isPlaced: false }));
  const claims = [];
  for (const place of listSentences(content)) {
    const text = content.slice(place.from, place.to);
    const plain = squash(text);
    const own = proven.filter(
      (item) => item.text && (plain.includes(item.text) || item.text.includes(plain)),
    );
    const isOfWriter = listClauses(text, place.isItem).some(({ isOwn }) => isOwn);
    const bad = told.filter(
      (item) => findQuoted(text, item.quoted) && (!item.isPlaced || isOfWriter),
    );
    for (const item of bad) item.isPlaced = true;
    const paths = new Set(own.flatMap((item) => item.sources));
    const parts = cutParts(content, place, { paths, problems: bad, facts });
    const isOpen = parts.some(({ kind }) => kind === "open");
    // One of the writer's with a source is counted, also where the service names none.
    const isTold = isOfWriter && parts.some(({ kind }) => kind === "own");
    if (!own.length && !bad.length && !isOpen && !isTold) continue;
    const state = bad.length ? "bad" : isOpen ? "open" : "ok";
    claims.push({
      ...place,
      text: text.replace(/\s+/g, " "),
      parts,
      problems: bad.map(({ problem }) => problem),
      state,
    });
  }
  const apart = told
    .filter(({ isPlaced }) => !isPlaced)
    .map(({ problem }) => ({
      from: -1,
      to: -1,
      text: problem,
      parts: [],
      problems: [problem],
      state: "bad",
    }));
  return [...apart, ...claims].map((claim, n) => ({ ...claim, n: n + 1 }));
}
