// What an answer is based on, as its run recorded it: jobs, lines of the résumé and the profile, and
// the claims of the letter that it wrote.
import { get } from "../api.js";
import { listResults } from "../fold.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { useLoaded } from "../parts.js";
import { formatOf, makeVisible, toWords } from "../words.js";
import { formatSalary } from "./job.js";
import { Parts, loadLetter, toPlain } from "./letter.js";
import "./style.js";

const RESUME = "#/careers.profile";
const PROFILE = "#/careers.profile?tab=profile";
const SHOWN = 8; // of a list, before the rest is folded away
const COMMON = new Set(
  (
    "and are but for from had has have her his how into its not our that the their them then " +
    "they this was were what when where which who will with you your"
  ).split(" "),
);
const SIGNS = { gte: "from", gt: "above", lte: "up to", lt: "below", ne: "not" };

const toJob = (id) => `#/careers.tracker?job=${id}`;
const nameJob = (job) => `${job.title} at ${job.company}`;
/** What was read of a job: `Applied · Hamburg · €64,000–72,000` */
const describeJob = (job) =>
  [
    job.status && toWords(job.status),
    job.location,
    formatSalary({ salary_min: null, salary_max: null, ...job }),
  ]
    .filter(Boolean)
    .join(" · ");
const listWords = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}+#]{3,}/gu) ?? []).filter((word) => !COMMON.has(word));

const YEAR = /^(19|20)\d\d$/;

/** The words of a text, joined by a blank, to find one text in another by whole words. */
const toPhrase = (text) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}+#]+/gu) ?? []).join(" ")} `;

/**
 * The lines that an answer repeats whole, or half of whose words it has: one of them a word that no
 * other line has, as many lines have the same title, year or skill.
 */
export function findLines(all, answer) {
  const lines = [...new Set(all)];
  const [phrase, said] = [toPhrase(answer), new Set(listWords(answer))];
  const words = new Map(lines.map((line) => [line, [...new Set(listWords(line))]]));
  const counts = new Map();
  for (const word of [...words.values()].flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return lines.filter((line) => {
    if (toPhrase(line).trim() && phrase.includes(toPhrase(line))) return true;
    const shared = words.get(line).filter((word) => said.has(word));
    return (
      shared.length >= Math.max(2, words.get(line).length / 2) &&
      shared.some((word) => counts.get(word) === 1 && !YEAR.test(word))
    );
  });
}

/** Employers and schools of a résumé that a letter does not name. */
const listLeftOut = ({ resume }, { content }) =>
  [...(resume?.work ?? []), ...(resume?.education ?? [])]
    .filter(({ name, institution }) => !content.includes(name ?? institution ?? ""))
    .map(({ position, studyType, name, institution }) =>
      [position ?? studyType, name ?? institution].filter(Boolean).join(" at "),
    );

/** A résumé's fields as lines: an entry's short values are one, each of its texts is another. */
function listLines(value) {
  if (value === null || typeof value !== "object") return [String(value ?? "")];
  const all = Object.values(value);
  const isShort = (item) => item !== null && typeof item !== "object";
  if (Array.isArray(value)) return all.flatMap(listLines);
  return [
    all.filter(isShort).join(", "),
    ...all.filter((item) => !isShort(item)).flatMap(listLines),
  ];
}

/** `Status: applied or later`: what was sought in the tracker. */
const describeFilter = ({ field, op, value }) =>
  `${toWords(field)}: ${
    op === "gte" && typeof value === "string"
      ? `${value} or later`
      : [SIGNS[op], [value].flat().join(", ")].filter(Boolean).join(" ")
  }`;

/** What the run read, by kind. */
function readRun(steps) {
  const asked = steps.find(({ update }) => update.entity_type)?.update;
  const jobs = new Map();
  const found = { asked, jobs, resume: {}, profile: null, fast: null };
  for (const step of steps) {
    if (step.node.split(".").at(-1).startsWith("fast_")) {
      found.fast = step.update.result;
      const rows = asked?.entity_type === "jobs" ? (found.fast?.rows ?? []) : [];
      rows.forEach(({ id, title }) => jobs.set(id, { name: title, isNamed: true }));
    }
    for (const { name, result, is_error: isError } of listResults(step)) {
      if (isError || !result) continue;
      for (const job of [...(result.jobs ?? []), ...(result.job?.job_id ? [result.job] : [])])
        if (job.job_id) jobs.set(job.job_id, { ...job, name: nameJob(job), isNamed: !result.jobs });
      if (name === "read_resume") found.resume = result;
      if (name === "read_user_profile") found.profile = result.content ?? "";
    }
  }
  return found;
}

/** Of a letter: the version that the run wrote. Of any answer of a model: the profile as it was sent along. */
async function loadMore(run, steps) {
  const call = steps.flatMap((step) => step.calls).findLast(({ role }) => role === "worker");
  const [written, sent] = await Promise.all([
    call && get("/api/documents?limit=200"),
    call && get(`/api/runs/${run.id}/calls/${call.call_id}`).catch(() => null),
  ]);
  const item = written?.documents.find((own) =>
    own.written.some(({ run_id: id }) => id === run.id),
  );
  const version = item?.written.find(({ run_id: id }) => id === run.id).version;
  return {
    letter: item && (await loadLetter(item.document_id, version)),
    profile: sent?.system?.match(/^Profile of the user:.*\n([^]*?)\n\nRésumé: /m)?.[1] ?? "",
  };
}

/** @param {{icon: string, href: string, title: string, note: string, children: object}} props */
const Source = ({ icon, href, title, note, children }) =>
  html`<div class="card based">
    <span class="sign"><${Icon} name=${icon} /></span>
    <div>
      <p>
        <a href=${href}>${makeVisible(title)}</a> <span class="soft">${makeVisible(note)}</span>
      </p>
      ${children}
    </div>
  </div>`;

/** A list, its end folded away. */
function Items({ items }) {
  const [shown, rest] = [items.slice(0, SHOWN), items.slice(SHOWN)];
  return html`<ul>
      ${shown}
    </ul>
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${rest.length} more</summary>
        <ul>
          ${rest}
        </ul>
      </details>`
    }`;
}

const Lines = ({ lines }) =>
  html`<${Items} items=${lines.map((line) => html`<li key=${line}>${makeVisible(line)}</li>`)} />`;

function Jobs({ asked, jobs, fast, answer }) {
  const all = [...jobs].map(([id, job]) => ({ id, ...job }));
  const named = all.filter(({ company, isNamed }) => isNamed || answer.includes(company));
  const sought = asked?.query?.filters?.map(describeFilter).join("; ");
  const note = fast
    ? `${fast.total ?? all.length} found${sought ? ` for ${sought}` : ""}`
    : all.length > named.length
      ? `${formatOf(all.length, "job")} read; the answer names ${named.length || "none"} of them`
      : "";
  return html`<${Source}
    icon="briefcase-business"
    href="#/careers.tracker"
    title="Your tracker"
    note=${note}
    ><${Items}
      items=${named.map(
        (job) =>
          html`<li key=${job.id}>
            <a href=${toJob(job.id)}>${makeVisible(job.name)}</a>
            <small class="soft">${makeVisible(describeJob(job))}</small>
          </li>`,
      )}
    /></${Source}
  >`;
}

/** The sources of the letter's claims; the sentence itself where one is missing, or the letter is not beside. */
function Letter({ shown, claims, job }) {
  const proven = claims.filter(({ state }) => state === "ok").length;
  return html`<${Source}
    icon="file-text"
    href=${`#/careers.letters/${shown.document_id}?version=${shown.version}`}
    title=${shown.title}
    note=${`Version ${shown.version} · ${formatOf(proven, "sentence")} with a source, ${claims.length - proven} without`}
    ><${Items}
      items=${claims.map(
        (claim) =>
          html`<li key=${claim.n}>
            <span class=${claim.state === "ok" ? "claimed" : ""}>${toPlain(claim.text)}</span
            ><${Parts} claim=${claim} job=${job} />
          </li>`,
      )}
  /></${Source}>`;
}

/** @param {{run: object, steps: object[], answer: string}} props */
export function Based({ run, steps, answer }) {
  const { data: more } = useLoaded(() => loadMore(run, steps), run.id);
  if (!more) return null;
  const { letter } = more;
  const { asked, jobs, fast, resume, profile } = readRun(steps);
  const isRead = resume.resume || resume.resume_text;
  const text = (profile ?? more.profile).replace(/^---\n[^]*?\n---\n?/, "");
  const ofProfile = text.split("\n").map((line) => line.replace(/^[-*\s]+/, ""));
  const facts = ofProfile.filter((line) => line && !/^(#|\(empty\))/.test(line));
  const [fromResume, fromProfile] = [
    resume.resume ? listLines(resume.resume) : (resume.resume_text ?? "").split("\n"),
    facts,
  ].map((lines) => findLines(lines, answer));
  // The lines that a letter uses stand above, below its sentences.
  const leftOut = letter ? listLeftOut(resume, letter.shown) : [];
  const describeLines = (lines, read) =>
    lines.length
      ? `${read}; the answer shares words with:`
      : `${read}; the answer repeats none of it`;
  const isOfJobs = asked ? asked.entity_type === "jobs" : jobs.size > 0;
  if (!isOfJobs && !letter && !isRead && !facts.length)
    return html`<section aria-label="What it is based on">
      <h2>What it is based on</h2>
      <p>Nothing of yours was read for this answer.</p>
    </section>`;
  return html`<section aria-label="What it is based on">
    <h2>What it is based on</h2>
    ${letter && html`<${Letter} ...${letter} />`}
    ${isOfJobs && html`<${Jobs} asked=${asked} jobs=${jobs} fast=${fast} answer=${answer} />`}
    ${
      isRead &&
      html`<${Source}
        icon="user-round"
        href=${RESUME}
        title="Your résumé"
        note=${
          letter
            ? `It was read; the letter above names the lines that it uses.${leftOut.length ? " Not in the letter:" : ""}`
            : describeLines(fromResume, "It was read")
        }
        ><${Lines} lines=${letter ? leftOut : fromResume}
      /></${Source}>`
    }
    ${
      facts.length > 0 &&
      html`<${Source}
        icon="message-square"
        href=${PROFILE}
        title="Your profile"
        note=${describeLines(fromProfile, profile === null ? "It was sent along" : "It was read")}
        ><${Lines} lines=${fromProfile}
      /></${Source}>`
    }
  </section>`;
}
