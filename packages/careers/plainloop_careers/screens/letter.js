// A stored letter with its claims, for each screen that says where its sentences come from.
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { loadUploaded } from "../upload.js";
import { makeVisible } from "../words.js";
import { findClaims } from "./claims.js";

/** Whether a text is checked: of other documents than letters nothing is claimed. */
export const isChecked = ({ kind, sources, problems }) =>
  kind !== "other" || sources.length + problems.length > 0;

/**
 * A version of a letter, and its claims as `findClaims` describes them: each screen that shows the
 * sources of a letter's sentences takes them from here, so that no two screens differ.
 * @param {string|number} id the document
 * @param {string|number} [version] the newest one if missing
 * @param {Map<string, Promise>} [known] answers for other letters, which are not asked for again
 * @returns {Promise<{shown: object, claims: object[], resume: object, now: object, job: object}>}
 *   resume: as it was when the letter was written; now: the newest one
 */
export async function loadLetter(id, version, known = new Map()) {
  const once = (path, load = get) => known.get(path) ?? known.set(path, load(path)).get(path);
  /** The résumé as it was when the letter was written: later ones may have other entries at its places. */
  const loadResumeAt = async (at) => {
    const versions = (await once("/api/resume/versions", loadUploaded))?.versions ?? [];
    const then = versions.find((item) => Date.parse(item.created_at) <= Date.parse(at));
    return then ? once(`/api/resume?version=${then.version}`, loadUploaded) : null;
  };
  const shown = await get(withQuery(`/api/documents/${encodeURIComponent(id)}`, { version }));
  const [resume, now, profile, job] = await Promise.all([
    loadResumeAt(shown.created_at),
    once("/api/resume", loadUploaded),
    once("/api/profile"),
    shown.job_id ? once(`/api/jobs/${shown.job_id}`).catch(() => null) : null,
  ]);
  const facts = { resume, job, profile: profile.content };
  return { shown, resume, now, job, claims: isChecked(shown) ? findClaims(shown, facts) : [] };
}

/** Letters with the number of claims of their newest version that are to be checked; null: not known. */
export function countOpen(letters) {
  const known = new Map();
  const count = async ({ document_id: id }) =>
    (await loadLetter(id, undefined, known)).claims.filter(({ state }) => state !== "ok").length;
  return Promise.all(
    letters.map(async (item) => ({ ...item, open: await count(item).catch(() => null) })),
  );
}

/** What is to be checked in a letter of `countOpen`. */
export const Open = ({ item }) =>
  item.open > 0 &&
  html`<span class="status waiting"
    ><${Icon} name="triangle-alert" size=${14} />${item.open} to check</span
  >`;

/** A claim without the signs of Markdown. */
export const toPlain = (text) => makeVisible(text.replace(/[*~`]+/g, ""));

const quoteAll = (parts) => [...new Set(parts.map(({ text }) => `“${toPlain(text)}”`))].join(", ");
const UNKNOWN = " is not in the résumé or the profile.";

/** Where each part of a sentence comes from, a line each. */
export function Parts({ claim, job }) {
  const found = claim.parts.filter(({ where }) => where);
  const [bad, open] = ["bad", "open"].map((kind) =>
    claim.parts.filter((part) => part.kind === kind),
  );
  const told = claim.problems.filter((problem) => !problem.endsWith(UNKNOWN) || !bad.length);
  const toLink = ({ kind, line, where, path }) =>
    kind === "posted" && job
      ? `#/careers.tracker?job=${job.job_id}&field=${path.replace("job.", "")}`
      : line
        ? `#/careers.profile?line=${line}`
        : where === "Profile"
          ? "#/careers.profile?tab=profile"
          : "#/careers.profile";
  return html`<ul class="plain parts">
    ${
      bad.length > 0 &&
      html`<li class="bad">
        ${quoteAll(bad)}${bad.length > 1 ? " are" : " is"} not in your résumé or profile.
      </li>`
    }
    ${told.map((problem) => html`<li key=${problem} class="bad">${toPlain(problem)}</li>`)}
    ${open.length > 0 && html`<li class="open">${quoteAll(open)}: no source found.</li>`}
    ${Object.entries(Object.groupBy(found, ({ where }) => where)).map(
      ([where, parts]) =>
        html`<li key=${where} class=${parts[0].kind}>
          ${quoteAll(parts)}${" "}<a href=${toLink(parts[0])}>${makeVisible(where)}</a>
        </li>`,
    )}
  </ul>`;
}
