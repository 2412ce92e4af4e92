// Where a claim of a letter comes from, in words, and what is to be checked in a résumé.
import { makeDates, makeVisible, toWords } from "../words.js";

const monthOf = makeDates({ month: "short", year: "numeric", timeZone: "UTC" });

/** `2021-03` → `Mar 2021`; what is no month stays. */
export const formatDate = (date) =>
  /^\d{4}-\d\d/.test(date) && !Number.isNaN(Date.parse(date))
    ? monthOf.format(new Date(date))
    : date;

/** What is to be checked, its dates as the page has them. */
export const sayCheck = ({ message }) =>
  makeVisible(message.replace(/\b\d{4}-\d\d(-\d\d)?\b/g, (date) => formatDate(date)));

const SOURCES = {
  text: "line",
  work: "work",
  education: "education",
  skills: "skills",
  projects: "project",
  languages: "language",
  certificates: "certificate",
  awards: "award",
  publications: "publication",
  volunteer: "volunteering",
  interests: "interest",
  references: "reference",
};

/** `resume.work[0].highlights[1]` → `Résumé: Cook at Noma`; without such an entry `Résumé: work 1` */
export function describeSource(path, resume) {
  if (path.startsWith("profile")) return "Profile";
  if (path.startsWith("job")) return "The job";
  const [, section, n] = path.match(/^(?:resume\.)?(\w+)(?:\[(\d+)\])?/) ?? [];
  if (section === "basics") return "Résumé: about you";
  const entry = resume?.[section]?.[n] ?? {};
  const at = entry.institution ?? entry.organization ?? (section === "work" ? entry.name : null);
  const what = entry.position ?? entry.area ?? entry.studyType ?? entry.title ?? entry.language;
  const title = [what ?? (at ? null : entry.name), at].filter(Boolean).join(" at ");
  const place = SOURCES[section] ?? toWords(section ?? "").toLowerCase();
  return `Résumé: ${title || [place, n && Number(n) + 1].filter(Boolean).join(" ")}`;
}
