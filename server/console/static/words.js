// Numbers, times and foreign text as people read them.

const count = new Intl.NumberFormat("en");
// In English, as all else here, but in the order and on the clock that the reader's region has.
const { region = "US" } = new Intl.Locale(navigator.language).maximize();
/** Dates as every page writes them (tests/console/test_files.py: no page makes its own). */
export const makeDates = (parts) => new Intl.DateTimeFormat(`en-${region}`, parts);
const time = makeDates({ dateStyle: "medium", timeStyle: "short" });

export const formatCount = (n) => (n === null || n === undefined ? "?" : count.format(n));

/** `1 message`, `2 messages` */
export const formatOf = (n, what) => `${formatCount(n)} ${what}${n === 1 ? "" : "s"}`;

let words = {}; // the packs' own, by name
let tools = {};

const SHORT = 3; // letters; shorter words are marked where nothing else is

/** Where a text that was searched for stands in `text`, else its words: `[start, end]` each. */
export function findMarks(text, sought, byWord) {
  const words = sought
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const find = (pattern) =>
    [...text.matchAll(new RegExp(pattern, "giu"))].map(({ 0: { length }, index }) => [
      index,
      index + length,
    ]);
  const whole = sought.trim() ? find(words.join("\\s+")) : [];
  if (whole.length || !byWord) return whole;
  const long = words.filter((word) => word.length >= SHORT);
  return find((long.length ? long : words).join("|"));
}

/** The words of a search that a chat's title lacks: one message of the chat has them. */
export const listMissing = (sought, title) =>
  sought
    .split(/\s+/)
    .filter((word) => !title.toLowerCase().includes(word.toLowerCase()))
    .join(" ");

/** Take over what the packs call their fields, nodes and tools. */
export function learnWords(packs) {
  words = Object.assign({}, ...packs.map((pack) => pack.words));
  tools = Object.assign({}, ...packs.map((pack) => pack.tools));
}

/** What people are told of a tool: what it did, its verb, what comes of it. */
export const describeTool = (name) => (Object.hasOwn(tools, name) ? tools[name] : {});

const REFUSED = { denied: "Declined", expired: "Not approved in time", consumed: "Not repeated" };

/**
 * A call by what it did, or by what it is where it did nothing: `Declined: delete the job`.
 * refusal: `{status}` of one that a person did not allow
 */
export function describeCall(name, isDone, refusal) {
  const { did, approve } = describeTool(name);
  if (!refusal) return (isDone && did) || toWords(name);
  return `${REFUSED[refusal.status]}: ${toInner(approve ?? toWords(name))}`;
}

/** `Looked up your jobs` → `looked up your jobs`: as it stands inside a sentence. */
export const toInner = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** `salary_min` → `Salary min`: names of fields and nodes are not for people. */
export const toWords = (name) =>
  Object.hasOwn(words, name)
    ? words[name]
    : name.charAt(0).toUpperCase() + name.slice(1).replace(/[_.]+/g, " ");

const NODES = {
  intent_classifier: "Sorted the request",
  agent_router: "Chose a worker",
  format_result: "Wrote the answer",
  tools: "Used tools",
  evaluator: "Checked the answer",
};

/** What a step did: of a worker's own node that it wrote, `crm_worker.tools` used tools. */
export function describeNode(node) {
  const part = node.split(".").at(-1);
  if (part.startsWith("fast_")) return "Answered from the database, without a model";
  return NODES[part] ?? toWords(part);
}

export const describePath = (nodes) => nodes.map(describeNode).join(" → ");

const STATUSES = {
  succeeded: "Completed",
  running: "Running",
  waiting: "Waiting for you",
  failed: "Failed",
  cancelled: "Stopped",
  stopped: "Ended early",
  queued: "In the queue",
  limit: "Limit reached",
  ready: "Ready",
  draining: "Finishing",
  silent: "Not responding",
  approved: "Approved",
  consumed: "Approved",
  denied: "Declined",
  expired: "Expired",
  pending: "Waiting",
};

export const describeStatus = (status) => STATUSES[status] ?? toWords(status);

export const clock = makeDates({ timeStyle: "short" });
const ofYear = makeDates({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** When something was: of today the time, else with the day, of other years with the year. */
export function formatMoment(iso, now = new Date()) {
  const at = new Date(iso);
  if (at.getFullYear() !== now.getFullYear()) return formatTime(iso);
  return (at.toDateString() === now.toDateString() ? clock : ofYear).format(at);
}

const date = makeDates({ dateStyle: "medium", timeZone: "UTC" });
/** A day without a time: `Jan 22, 2027` */
export const formatDate = (day) => date.format(new Date(day));
export const formatTime = (iso) => (iso ? time.format(new Date(iso)) : "–");

export function formatMs(ms) {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 2 * AGES[0][1]) return formatOf(Math.floor(ms / AGES[0][1]), "day");
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}

const AGES = [
  ["day", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** How long ago something was, in the largest unit that there are two of: `12 s`, `90 min`, `3 days` */
export function formatAge(iso, now) {
  const ms = Math.max(0, new Date(now) - new Date(iso));
  const [unit, size] = AGES.find(([, size]) => ms >= 2 * size) ?? AGES.at(-1);
  return unit === "day"
    ? formatOf(Math.floor(ms / size), unit)
    : `${Math.floor(ms / size)} ${unit}`;
}

/** `just now`, `4 min ago`, then the time itself. */
export function formatAgo(iso, now = Date.now()) {
  const ms = now - new Date(iso);
  if (ms < 0 || ms >= AGES[0][1]) return formatMoment(iso);
  return ms < 60_000
    ? "just now"
    : ms < 3_600_000
      ? `${Math.floor(ms / 60_000)} min ago`
      : `${Math.floor(ms / 3_600_000)} h ago`;
}

const [cents, parts] = [2, 4].map(
  (places) =>
    new Intl.NumberFormat("en", {
      style: "currency",
      currency: "USD",
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    }),
);

/**
 * Dollars with four places, so that the rows of a page add up; with two where those say all of it.
 * Unknown ones are never shown as none.
 */
export function formatCost(usd) {
  if (usd === null || usd === undefined) return "unknown";
  const value = Number(usd);
  if (value === 0) return "$0";
  if (value < 0) return `−${formatCost(-value)}`;
  if (value < 0.0001) return "<$0.0001";
  // From $100 on hundredths of a cent are noise; below, rows without them would not add up.
  const isShort = value >= 100 || Number(value.toFixed(4)) === Number(value.toFixed(2));
  return (isShort ? cents : parts).format(value);
}

/** A price per million tokens: `$0.10`, `$0.125` */
export const formatRate = (usd) =>
  usd === null
    ? "unknown"
    : `$${Number(usd).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

export const formatDuration = (from, to) => (to ? formatMs(new Date(to) - new Date(from)) : "–");

const PLAIN = /^[a-z][a-z0-9.]*(-[a-z0-9.]+)+$/;

/** `claude-sonnet-5-5` → `Claude Sonnet 5.5`; other forms as they are. */
export const nameModel = (model) =>
  PLAIN.test(model)
    ? model
        .replace(/\bgpt\b/, "GPT")
        .replace(/(?<!\d)(\d)-(?=\d(?!\d))/g, "$1.")
        .replace(/-(?!\d\d)/g, " ")
        .replace(/(?<= |^)[a-z](?=[a-z])/g, (letter) => letter.toUpperCase())
    : makeVisible(model);

// What does not show, or turns the writing round: somebody agrees to what is read here.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The text with every character that would not be seen written as its number. */
export const makeVisible = (text) =>
  text.replace(
    HIDDEN,
    (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

export const toText = (value) =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A stored moment as a date for people, a large number in groups; any other value as it is. */
export const toReadable = (value) =>
  MOMENT.test(value)
    ? formatTime(value)
    : typeof value === "number" && Math.abs(value) >= 10_000
      ? formatCount(value)
      : toText(value);

/** Beginning, end and length of what is too long to read at once. */
export function cutLong(text, most = 2000) {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n… ${formatCount(text.length - 2 * half)} characters …\n${text.slice(-half)}`;
}

export const readPath = (value, path) => path.split(".").reduce((at, name) => at?.[name], value);

/** `#/x?job={job.job_id}` with the values of a result; null: one of them is not there. */
export function fillIn(template, value) {
  const missing = [];
  const text = template.replace(/\{([\w.]+)\}/g, (_, path) => {
    const found = readPath(value, path);
    if (found === undefined || found === null) missing.push(path);
    return String(found ?? "");
  });
  return missing.length ? null : text;
}

const KINDS = {
  run: "Answer",
  onboarding: "Interview",
  parse: "Reading of a file",
  helper: "Helper",
};

/** A chat's title, a run's message; of other people only whose it is (`title` is null). */
export const nameChat = ({ title, kind = "chat", user_id: user, created_at: at }) =>
  makeVisible(
    title ||
      (title === "" && kind === "chat"
        ? "New chat"
        : `${KINDS[kind] ?? "Chat"} of ${user}, ${formatTime(at)}`),
  );
