// The résumé as it was read, what is doubtful in it first; beside it the profile and its interview.
import { useEffect, useRef, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Dialog, Failure, Menu, Segmented, Time, showToast, useDrop, useLoaded } from "../parts.js";
import { config } from "../session.js";
import { ChooseFile, Uploaded, loadUploaded, useUpload } from "../upload.js";
import { makeVisible, toWords } from "../words.js";
import { listFacts } from "./claims.js";
import { Document, listLines, nameLines } from "./document.js";
import { keepTyped, loadTyped } from "./drafts.js";
import { formatDate, sayCheck } from "./sources.js";
import "./style.js";
import { Profile } from "./topics.js";

const HERE = "#/careers.profile";
const NARROW = "(max-width: 1199px)"; // as in careers.css
const HOME = ["location.city", "location.region", "location.countryCode"];
// What is asked and shown of an entry, in this order; lists are a line each.
const FIELDS = {
  basics: ["name", "label", "email", "phone", "url", ...HOME, "summary"],
  work: ["position", "name", "location", "startDate", "endDate", "summary", "highlights"],
  education: ["studyType", "area", "institution", "startDate", "endDate"],
  skills: ["name", "keywords"],
  languages: ["language", "fluency"],
  projects: ["name", "description", "highlights"],
  certificates: ["name", "issuer", "date"],
};
const SECTIONS = {
  work: "Work",
  education: "Education",
  skills: "Skills",
  languages: "Languages",
  projects: "Projects",
  certificates: "Certificates",
};
const LABELS = {
  name: "Name",
  position: "Position",
  label: "Title",
  url: "Website",
  location: "Place",
  countryCode: "Country",
  startDate: "From",
  endDate: "To",
  studyType: "Degree",
  area: "Subject",
  institution: "School",
  highlights: "What was done",
  keywords: "Skills",
  fluency: "Level",
};
const LISTS = new Set(["highlights", "keywords"]);

const nameField = (field, section) =>
  field === "name" && section === "work" ? "Employer" : (LABELS[field] ?? toWords(field));

const toSteps = (path) =>
  [...path.matchAll(/([A-Za-z]+)|\[(\d+)\]/g)].map(([, name, n]) => name ?? Number(n));
const readAt = (data, path) => toSteps(path).reduce((at, step) => at?.[step], data);

/** `work[0].name` → `Cook, Noma: Employer`; of an entry without a title `Work 1: Employer` */
function describePlace(path, data) {
  const [section, n, field] = [
    path.match(/^[a-z]+/)[0],
    path.match(/^[a-z]+\[(\d+)\]/)?.[1],
    path.match(/\.([A-Za-z]+)$/)?.[1],
  ];
  const entry = n !== undefined && FIELDS[section] && readAt(data, `${section}[${n}]`);
  const where =
    section === "basics"
      ? ""
      : (entry && titleOf(section, entry)) ||
        `${SECTIONS[section] ?? toWords(section)}${n === undefined ? "" : ` ${Number(n) + 1}`}`;
  return [where, field && nameField(field, section)].filter(Boolean).join(": ") || "Yourself";
}

const toField = (value) => (Array.isArray(value) ? value.join("\n") : (value ?? ""));
/** As it is shown: a date by its month's name. */
const toShown = (path, value) =>
  /[dD]ate$/.test(path) ? formatDate(toField(value)) : toField(value);
const isSame = (path, text, value) => [toField(value), toShown(path, value)].includes(text);
const fromField = (name, text) =>
  LISTS.has(name)
    ? text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean)
    : text.trim() || null;

const DATE = {
  pattern:
    "(19|20)\\d\\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?|\\p{L}{3,}\\.? (19|20)\\d\\d",
  title: "2019, March 2019, 2019-03 or 2019-03-14",
  placeholder: "2019 or Mar 2019",
};
// As the server has them; the browser says it beside the field.
const FORMS = {
  email: { pattern: "[^\\s@]+@[^\\s@]+\\.[^\\s@]+", title: "An address like ann@example.org" },
  startDate: DATE,
  endDate: DATE,
  date: DATE,
};

/** The form that a field's text must have; what a file had in another one may stay. */
function findForm(field, value) {
  const form = FORMS[field];
  return form && (!value || new RegExp(`^(${form.pattern})$`, "u").test(value)) ? form : {};
}

/** typed: what stands in it instead of the value, not saved yet */
function Input({ path, value, typed, checks, isFirst }) {
  const [field] = path.match(/[A-Za-z]+$/) ?? [""];
  const label = describePlace(path).replace(/^[^:]*: /, "");
  const isLong = LISTS.has(field) || ["summary", "description"].includes(field);
  const own = checks && { id: toId(path), form: CHECKS, "aria-describedby": `${toId(path)}-why` };
  return html`<label class=${isLong || field === "location" ? "whole" : ""}
    >${label}${
      isLong
        ? html`<textarea
            name=${path}
            rows="4"
            defaultValue=${typed ?? toField(value)}
            ...${own}
          ></textarea>`
        : html`<input
            name=${path}
            defaultValue=${typed ?? toShown(field, value)}
            autofocus=${isFirst}
            ...${findForm(field, value)}
            ...${own}
          />`
    }</label
  >`;
}

/** Ask whether a position goes on: one with a start and no end would count as such. */
const Ongoing = ({ place, isOngoing, form }) =>
  html`<label class="check whole"
    ><input type="checkbox" data-ongoing=${place} defaultChecked=${isOngoing} form=${form} />I still
    work here</label
  >`;

/** Whether each position of a form has an end, or is said to go on; asks beside the field if not. */
function hasEnds(form) {
  const fieldOf = ({ dataset }, name) => form.elements[`${dataset.ongoing}.${name}`];
  const open = [...form.elements].find(
    (item) =>
      item.dataset.ongoing &&
      !item.checked &&
      fieldOf(item, "startDate").value.trim() &&
      !fieldOf(item, "endDate").value.trim(),
  );
  if (!open) return true;
  const why = "When did it end? If you still work there, tick “I still work here”.";
  return refuse(fieldOf(open, "endDate"), why);
}

/** Say beside a field why it is not saved, until something is typed. */
function refuse(field, why) {
  field.setCustomValidity(why);
  field.reportValidity();
  document.addEventListener("input", () => field.setCustomValidity(""), { once: true });
  return false;
}

/** `Mar 2021` → `2021-03`; a month in another language is left out. */
function toMonth(text) {
  const [year] = text.match(/\d{4}/) ?? [""];
  if (text.startsWith(year)) return text;
  const date = new Date(`${text.replace(year, "")} 1 ${year} UTC`);
  return Number.isNaN(date.getTime()) ? year : date.toISOString().slice(0, 7);
}

/** Whether a period ends before it begins, as far as both dates tell. */
function isImpossible(start, end) {
  const [from, to] = [start, end].map((each) => toMonth((each ?? "").trim()));
  const length = Math.min(from.length, to.length);
  return length >= 4 && to.slice(0, length) < from.slice(0, length);
}

/** Whether no period of a form was changed to one that ends before it begins. */
function hasOrder(form, data) {
  const told = readChanges(form, data);
  const wrong = Object.keys(told).find((path) => {
    const [start, end] = ["startDate", "endDate"].map((field) => {
      const each = path.replace(/\w+$/, field);
      return each in told ? told[each] : readAt(data, each);
    });
    return /\.(start|end)Date$/.test(path) && isImpossible(start, end);
  });
  if (!wrong) return true;
  return refuse(form.elements[wrong], "It would end before it begins. Correct one of the dates.");
}

/** Of a form, what differs from what is there: place → value. */
function readChanges(form, data) {
  const told = [...new FormData(form)].map(([path, text]) => [
    path,
    fromField(path.match(/[A-Za-z]+$/)[0], text),
  ]);
  return Object.fromEntries(
    told.filter(([path, value]) => !isSame(path, toField(value), readAt(data, path))),
  );
}

const CHECKS = "checks"; // the form that the doubtful fields belong to, wherever they stand
const toId = (path) => `check-${path.replace(/\W+/g, "-")}`;

/** What the file itself says there. show: marks the line in the document */
const Source = ({ check, show }) =>
  check.line &&
  html`<small class="soft"
    ><button type="button" class="link" onClick=${() => show([check.line])}>
      Line ${check.line} of the file</button
    >: “${makeVisible(check.source)}”</small
  >`;

// Two fields that a file often has the wrong way round: corrected together, so neither is lost.
const PAIRS = { education: ["institution", "studyType"], work: ["position", "name"] };

/** Exchange the texts of two inputs. */
function swap(paths) {
  const [one, other] = paths.map((path) => document.getElementById(toId(path)));
  [one.value, other.value] = [other.value, one.value];
  one.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The doubtful fields of one place, each with what is to be checked. */
function Beside({ place, checks, data }) {
  const own = checks.filter(({ path }) => path?.startsWith(`${place}.`));
  const pair = (PAIRS[place.match(/^[a-z]+/)[0]] ?? []).map((field) => `${place}.${field}`);
  const isPair = own.some(({ path }) => pair.includes(path));
  const dates = ["startDate", "endDate"].map((field) => `${place}.${field}`);
  const isUndated =
    place.startsWith("work[") &&
    own.some(({ path }) => path === dates[0]) &&
    !readAt(data, dates[1]);
  const paths = [
    ...new Set([
      ...(isPair ? pair : []),
      ...(isUndated || own.some((check) => isLasting(check, data)) ? dates : []), // From above To
      ...own.map(({ path }) => path),
    ]),
  ];
  return html`${paths.map(
    (path) =>
      html`<div class="check-beside" key=${path}>
        <${Input} path=${path} value=${readAt(data, path)} checks />
        <div id=${`${toId(path)}-why`}>
          ${own
            .filter((check) => check.path === path)
            .map((check) => html`<p key=${check.message} class="only-read">${sayCheck(check)}</p>`)}
        </div>
      </div>`,
  )}
  ${
    isPair &&
    html`<button type="button" class="small" onClick=${() => swap(pair)}>
      Swap ${pair.map((path) => describePlace(path).replace(/^[^:]*: /, "")).join(" and ")}
    </button>`
  }${isUndated && html`<${Ongoing} place=${place} form=${CHECKS} />`}${
    own.length > 0 &&
    html`<p><button form=${CHECKS} class="small" title="Save all corrections">Save</button></p>`
  }`;
}

function focusField(path) {
  const field = document.getElementById(toId(path));
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
  return Boolean(field);
}

/** `work[0].name` → `["work[0]", "work"]` */
const splitField = (path) => [path.replace(/\.\w+$/, ""), path.match(/^\w+/)[0]];
const toEntry = (place) => `entry-${place.replace(/\W+/g, "-")}`;

/** Show where on the page a line of the document is, with focus: a field to check, else its entry. */
function focusLine(line, checks, facts) {
  const doubtful = checks.find((check) => check.line === line && check.path);
  if (doubtful) return focusField(doubtful.path);
  const [, place] =
    facts.find((fact) => fact.line === line)?.path.match(/^resume\.(\w+(?:\[\d+\])?)/) ?? [];
  const entry =
    place &&
    (document.getElementById(toEntry(place)) ??
      document.getElementById(toEntry(place.replace(/\[.*/, ""))));
  (entry?.querySelector("[aria-current]") ?? entry)?.scrollIntoView({ block: "center" });
  entry?.focus({ preventScroll: true });
  return Boolean(entry);
}

/** Whether a thing to check stays after a correction: a period that cannot be. */
const isLasting = ({ path }, data) =>
  /\.endDate$/.test(path) &&
  isImpossible(readAt(data, path.replace(/\w+$/, "startDate")), readAt(data, path));

/** All that is doubtful, each leading to its field; what is right as it is stays. */
function Doubts({ resume, save, show }) {
  const { checks, data } = resume;
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    // The fields stand all over the page: their form hears of none.
    const note = () =>
      setChanged(Object.keys(readChanges(document.getElementById(CHECKS), data)).length > 0);
    document.addEventListener("input", note);
    return () => document.removeEventListener("input", note);
  }, [data]);
  // Of a period both dates are meant.
  const nameOf = (check) =>
    isLasting(check, data) ? check.path.replace(/\.endDate$/, "") : check.path;
  const dismiss = (kept) =>
    save({
      "meta.dismissed": [
        ...(data.meta?.dismissed ?? []),
        ...kept.map(({ path, message }) => `${path ?? ""}: ${message}`),
      ],
    });
  const confirm = (event) => {
    event.preventDefault();
    if (!isChanged) return void showToast("Nothing is corrected yet.");
    if (!hasEnds(event.target) || !hasOrder(event.target, data)) return;
    void save(readChanges(event.target, data));
  };
  // What is empty cannot be kept: an address that cannot be used is none.
  const nameKept = (check) =>
    isLasting(check, data)
      ? "Keep these dates"
      : check.path && !toField(readAt(data, check.path))
        ? "Leave it empty"
        : "Keep as it is";
  return html`<form id=${CHECKS} class="card doubts" onSubmit=${confirm} aria-label="Please check">
    <h2>
      <${Icon}
        name="triangle-alert"
      />${" "}${checks.length === 1 ? "1 thing to check" : `${checks.length} things to check`}
    </h2>
    <p class="soft">
      Letters use the facts on this page. Each stays on this list until you fix or keep it.
    </p>
    <ol class="plain lines">
      ${checks.map(
        (check, n) =>
          html`<li key=${n} class="row spread">
            <span
              ><b
                >${check.path ? makeVisible(describePlace(nameOf(check), data)) : "The whole résumé"}</b
              >${" "}${sayCheck(check)}${" "}<${Source} check=${check} show=${show} />${
                check.path &&
                !isShown(check.path, data) &&
                html`<${Beside}
                  place=${check.path.replace(/\.\w+$/, "")}
                  checks=${[check]}
                  data=${data}
                />`
              }</span
            >
            ${
              check.path &&
              html`<button
                type="button"
                class="small accent"
                aria-label=${`Fix ${describePlace(check.path, data)}`}
                onClick=${() => focusField(check.path)}
              >
                Fix
              </button>`
            }
            <button
              type="button"
              class="small"
              aria-label=${`${nameKept(check)}: ${check.path ? describePlace(nameOf(check), data) : "the whole résumé"}`}
              onClick=${() => dismiss([check])}
            >
              ${nameKept(check)}
            </button>
          </li>`,
      )}
    </ol>
    ${isChanged && html`<button class="accent">Save corrections</button>`}
  </form>`;
}

/** Whether its place is on this page: else the field stands beside the check itself. */
const isShown = (path, data) => {
  const [section] = path.match(/^[a-z]+/);
  return section === "basics" || (section in SECTIONS && data[section]?.length > 0);
};

/** field: the path of the one that is held first */
function EditEntry({ resume, path, section, field: first, error, save, onClose }) {
  const { data } = resume;
  const isNew = path.endsWith("[+]");
  const place = `résumé ${resume.version} ${path}`; // of what is typed and not saved
  const [typed, setTyped] = useState(loadTyped(place) ?? null);
  const [turn, setTurn] = useState(0); // the fields are drawn anew
  const keep = (now) => (keepTyped(place, now), setTyped(now));
  const note = ({ currentTarget: form }) => {
    const now = [...new FormData(form)];
    const isKept = ([name, text]) => isSame(name, text, isNew ? "" : readAt(data, name));
    keep(now.every(isKept) ? null : Object.fromEntries(now));
  };
  const close = () => {
    if (loadTyped(place)) showToast("Your changes are kept, but not saved yet.");
    onClose();
  };
  const store = async (set) => (await save(set)) && (keepTyped(place, null), onClose());
  const send = async (event) => {
    event.preventDefault();
    if (!hasEnds(event.target) || !hasOrder(event.target, data)) return undefined;
    if (!isNew) return store(readChanges(event.target, data));
    const told = [...new FormData(event.target)].map(([name, text]) => [
      name.match(/[A-Za-z]+$/)[0],
      fromField(name.match(/[A-Za-z]+$/)[0], text),
    ]);
    return store({
      [path]: Object.fromEntries(told.filter(([, value]) => value !== null && value.length)),
    });
  };
  return html`<${Dialog}
    title=${isNew ? `${SECTIONS[section]}: one more` : makeVisible(titleOf(section, readAt(data, path)) || describePlace(path))}
    onClose=${close}
    ><form key=${turn} class="fields-form facts" onInput=${note} onSubmit=${send}>
      ${FIELDS[section].map(
        (field) =>
          html`<${Input}
              key=${field}
              path=${`${path}.${field}`}
              value=${isNew ? "" : readAt(data, `${path}.${field}`)}
              typed=${typed?.[`${path}.${field}`]}
              isFirst=${first === `${path}.${field}`}
            />${
              section === "work" &&
              field === "endDate" &&
              html`<${Ongoing}
                place=${path}
                isOngoing=${Boolean(readAt(data, `${path}.startDate`) && !readAt(data, `${path}.endDate`))}
              />`
            }`,
      )}<button class="accent">Save</button>
    </form>
    <${Failure} error=${error} />
    <p class="row end">
      ${
        !isNew &&
        section !== "basics" &&
        html`<button class="ghost" onClick=${() => store({ [path]: null })}>
          <${Icon} name="trash" size=${14} />Remove
        </button>`
      }${
        typed &&
        html`<button class="ghost" onClick=${() => (keep(null), setTurn(turn + 1))}>
          Discard changes
        </button>`
      }
    </p></${Dialog}
  >`;
}

const titleOf = (section, item) =>
  FIELDS[section]
    .slice(0, section === "education" ? 3 : 2)
    .filter((field) => !LISTS.has(field))
    .map((field) => item[field])
    .filter(Boolean)
    .join(", ");

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
/** `DE` → `Germany`; what is no country's code stays. */
const nameCountry = (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : code);

/** Where one lives and how one is reached, a piece each. */
function Contacts({ basics }) {
  const home = HOME.map((field) => nameCountry(readAt(basics, field))).filter(Boolean);
  const sites = (basics.profiles ?? []).map((item) => item.url ?? item.username);
  const told = [home.join(", "), basics.email, basics.phone, basics.url, ...sites].filter(Boolean);
  return html`${basics.label && html`<p>${makeVisible(basics.label)}</p>`}
    <ul class="plain contacts">
      ${told.map((each) => html`<li key=${each}>${makeVisible(each)}</li>`)}
    </ul>`;
}

/** Where a position or school was, and from when to when. */
function describeStay(section, { location, startDate, endDate, date }) {
  const [start, end] = [startDate, endDate].map((each) => each && formatDate(each));
  const period =
    (startDate || endDate) &&
    `${start || "Start not given"} – ${end || (section === "work" ? "today" : "end not given")}`;
  return [location, period || (date && formatDate(date))].filter(Boolean).join(" · ");
}

/** Whether an entry is a word or two: it needs no line of its own. */
const isShort = (item) =>
  Object.values(item).flat().filter(Boolean).join(" ").length < 40 && !item.keywords?.length;
const SHORT = ["skills", "languages"]; // entries of these may stand side by side

/** A section of a JSON Resume, each entry to be opened and put right. edit: null: an old version */
function Section({ section, items = [], edit, checks, data, facts, near, show, hint }) {
  const placed = items.map((item, n) => ({ item, n, place: `${section}[${n}]` }));
  const isChip = ({ item, place }) =>
    SHORT.includes(section) &&
    isShort(item) &&
    !checks.some(({ path }) => path?.startsWith(`${place}.`));
  const { true: chips = [], false: whole = [] } = Object.groupBy(placed, isChip);
  // What a letter's claim led to: of an entry its own line, or one of its points.
  const isNear = (lines) => (lines.some((each) => near.includes(each)) ? "true" : null);
  const hover = (place) => ({
    onMouseEnter: () => hint(listLines(facts, `resume.${place}`)),
    onMouseLeave: () => hint([]),
  });
  return html`<section
    class="card entry-list"
    id=${toEntry(section)}
    tabindex="-1"
    aria-label=${SECTIONS[section]}
  >
    <${SectionHead} section=${section} edit=${edit} />
    ${
      chips.length > 0 &&
      html`<ul class="plain short">
        ${chips.map(({ item, n, place }) => {
          const title = titleOf(section, item) || "Untitled";
          return html`<li
            key=${n}
            aria-current=${isNear(listLines(facts, `resume.${place}`))}
            ...${hover(place)}
          >
            ${
              edit
                ? html`<button
                    class="chip"
                    aria-label=${`Edit ${title}`}
                    onClick=${() => edit(place, section)}
                  >
                    ${makeVisible(title)}
                  </button>`
                : html`<span class="chip">${makeVisible(title)}</span>`
            }
          </li>`;
        })}
      </ul>`
    }
    ${whole.map(({ item, n, place }) => {
      const lines = listLines(facts, `resume.${place}`);
      const listed = (item.highlights ?? []).map((_, at) =>
        listLines(facts, `resume.${place}.highlights[${at}]`),
      );
      const ofHead = lines.filter((each) => !listed.flat().includes(each));
      return html`<article key=${n} id=${toEntry(place)} tabindex="-1" ...${hover(place)}>
        <div class="row spread">
          <h3 aria-current=${isNear(ofHead)}>
            ${makeVisible(titleOf(section, item) || "Untitled")}
          </h3>
          <span class="row"
            >${
              lines.length > 0 &&
              html`<button class="small ghost from" onClick=${() => show(lines)}>
                ${nameLines(lines)}
              </button>`
            }${edit && html`<${Pencil} label=${`Edit ${titleOf(section, item)}`} onClick=${() => edit(place, section)} />`}</span
          >
        </div>
        <${Beside} place=${place} checks=${checks} data=${data} />
        ${describeStay(section, item) && html`<p class="soft">${makeVisible(describeStay(section, item))}</p>`}
        ${(item.summary ?? item.description) && html`<p>${makeVisible(item.summary ?? item.description)}</p>`}
        ${item.keywords?.length > 0 && html`<p class="soft">${makeVisible(item.keywords.join(", "))}</p>`}
        ${
          item.highlights?.length > 0 &&
          html`<ul>
            ${item.highlights.map(
              (line, at) => html`<li aria-current=${isNear(listed[at])}>${makeVisible(line)}</li>`,
            )}
          </ul>`
        }
      </article>`;
    })}
    ${items.length === 0 && html`<p class="soft">The résumé has no entries here.</p>`}
  </section>`;
}

const Pencil = ({ label, onClick }) =>
  html`<button class="square ghost" title="Edit" onClick=${onClick}>
    <${Icon} name="pencil" size=${14} label=${label} />
  </button>`;

const SectionHead = ({ section, edit }) =>
  html`<div class="row spread">
    <h2>${SECTIONS[section]}</h2>
    ${
      edit &&
      html`<button class="small ghost" onClick=${() => edit(`${section}[+]`, section)}>
        <${Icon} name="plus" size=${14} />Add
      </button>`
    }
  </div>`;

/** An old version is looked at, not corrected: it can be used again. */
function OldVersion({ path, version, newest }) {
  const [error, setError] = useState(null);
  const use = async () => {
    try {
      const made = await request("POST", `${path}/versions`, { version });
      showToast(`Version ${version} is used again, as version ${made.version}`);
      location.hash = HERE;
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<div class="card old-version">
    <p>
      <${Icon} name="clock" size=${14} />${" "}<b>This is version ${version} of ${newest}.</b
      >${" "}Letters use version ${newest}.
    </p>
    <span class="row"
      ><button class="small accent" onClick=${use}>Use this version</button
      ><a class="button small" href=${HERE}>Show the newest</a></span
    >
    <${Failure} error=${error} />
  </div>`;
}

/** Of which file it is, and what became of that. */
const describeVersion = ({ name, is_corrected: isCorrected, same_as: same }) =>
  `${name}${isCorrected ? ", corrected by you" : ""}${same ? `, the same as version ${same}` : ""}`;

function Resume({ version, line, field }) {
  const upload = config.value.screens.find((pack) => pack.pack === "careers").upload;
  const { data, error, isLoading, reload } = useLoaded(async () => {
    const found = await loadUploaded(withQuery(upload.path, { version }));
    return found && { resume: found, versions: (await get(`${upload.path}/versions`)).versions };
  }, version);
  const state = useUpload(upload, () =>
    location.hash === HERE ? reload() : (location.hash = HERE),
  );
  const isOver = useDrop(state.take);
  const [edited, setEdited] = useState(null);
  const [refused, setRefused] = useState(null);
  const [near, setNear] = useState(line ? [Number(line)] : []); // lines of the document
  const [hinted, setHinted] = useState([]); // those of what the pointer is on
  const [isOpened, setOpened] = useState(false);
  const led = useRef(null); // set below, once the page is there; called once
  const isThere = Boolean(data);
  useEffect(() => void led.current?.(), [isThere]);
  const show = (lines) => {
    setNear(lines);
    setOpened(matchMedia(NARROW).matches);
  };
  const save = async (set) => {
    try {
      await request("PATCH", upload.path, { set, version: data.resume.version });
      setRefused(null);
      showToast("Saved");
      if (version) location.hash = HERE;
      else reload();
      return true;
    } catch (failure) {
      setRefused(failure);
      return false;
    }
  };
  if (isLoading && !data) return null;
  const chooser = (words) =>
    html`<${ChooseFile} accept=${upload.accept} ...${state}>${words}</${ChooseFile}>`;
  if (error && !data) return html`<${Failure} error=${error} again=${reload} />`; // whether there is one is not known
  if (!data)
    return html`<div class="empty big drop">
      <${Icon} name="upload" size=${20} />
      <p>
        ${isOver ? "Drop the file to upload it." : "Drop a PDF, Word, text or JSON Resume file anywhere on this page."}
      </p>
      ${chooser("Choose a file")}<${Uploaded} ...${state} upload=${upload} />
    </div>`;
  const { resume, versions } = data;
  const found = resume.data;
  const newest = versions[0].version;
  const isOld = resume.version !== newest;
  const checks = isOld ? [] : resume.checks;
  const close = () => (setEdited(null), setRefused(null));
  const hasDocument = found && resume.format !== "json" && resume.raw_text.trim();
  const isOnPage = ({ path }) =>
    /^resume\.basics\./.test(path) || path.match(/^resume\.(\w+)/)?.[1] in SECTIONS;
  const facts = hasDocument ? listFacts({ resume }).filter(isOnPage) : [];
  const doubtful = new Set(checks.map((check) => check.line).filter(Boolean));
  const document = {
    name: resume.name,
    text: resume.raw_text,
    used: new Set(facts.map((fact) => fact.line)),
    doubtful,
    near: hinted.length ? hinted : near,
  };
  led.current = () => {
    if (field && focusField(field)) return;
    if (field && found && !isOld) setEdited([...splitField(field), field]);
    else if (line && !focusLine(Number(line), checks, facts)) setOpened(matchMedia(NARROW).matches);
  };
  const body = html`<div class="row spread">
      <p class="soft">
        ${makeVisible(describeVersion(versions.find((item) => item.version === resume.version) ?? resume))},${" "}<${Time}
          at=${resume.created_at}
        />
      </p>
      <span class="row"
        >${
          versions.length > 1 &&
          html`<${Menu} label=${`Version ${resume.version}`} style="small button left"
            >${versions.map(
              (item) =>
                html`<a
                  key=${item.version}
                  href=${withQuery(HERE, { version: item.version })}
                  aria-current=${item.version === resume.version ? "true" : null}
                  ><span
                    >Version ${item.version}${" "}<small
                      >${makeVisible(describeVersion(item))},${" "}<${Time}
                        at=${item.created_at} /></small></span
                ></a>`,
            )}</${Menu}
          >`
        }${
          hasDocument &&
          html`<button class="small to-document" onClick=${() => setOpened(true)}>
            <${Icon} name="file-text" size=${14} />My document
          </button>`
        }${chooser("Upload a new résumé")}</span
      >
    </div>
    <${Failure} error=${state.error ?? (edited ? null : refused) ?? error} />
    ${isOld && html`<${OldVersion} path=${upload.path} version=${resume.version} newest=${newest} />`}
    ${found && checks.length > 0 && html`<${Doubts} key=${resume.version} resume=${resume} save=${save} show=${show} />`}
    ${
      found &&
      html`<section class="card entry-list" id="entry-basics" tabindex="-1" aria-label="Yourself">
          <div class="row spread">
            <h2>${makeVisible(found.basics?.name ?? "The résumé has no name")}</h2>
            ${!isOld && html`<${Pencil} label="Edit name and address" onClick=${() => setEdited(["basics", "basics"])} />`}
          </div>
          <${Contacts} basics=${found.basics ?? {}} />
          <${Beside} place="basics" checks=${checks} data=${found} />
          ${found.basics?.summary && html`<p>${makeVisible(found.basics.summary)}</p>`}
        </section>
        ${Object.keys(SECTIONS)
          .filter(
            (section) =>
              found[section]?.length || ["work", "education", "skills"].includes(section),
          )
          .map(
            (section) =>
              html`<${Section}
                key=${section}
                section=${section}
                items=${found[section]}
                checks=${checks}
                data=${found}
                facts=${facts}
                near=${near}
                show=${show}
                hint=${setHinted}
                edit=${isOld ? null : (path, name) => setEdited([path, name])}
              />`,
          )}`
    }
    ${
      !found &&
      html`<section class="card">
        <h2>Text</h2>
        <p class="soft">
          ${
            config.value.is_offline
              ? "Without a language model, the text is not sorted into jobs and skills. Connect one, then upload the file again."
              : "This text could not be sorted into jobs and skills."
          }
        </p>
        <pre tabindex="0">${makeVisible(resume.raw_text)}</pre>
      </section>`
    }
    ${
      edited &&
      html`<${EditEntry}
        resume=${resume}
        path=${edited[0]}
        section=${edited[1]}
        field=${edited[2]}
        error=${refused}
        save=${save}
        onClose=${close}
      />`
    }
    ${isOpened && hasDocument && html`<${Document} ...${document} isOpened onClose=${() => setOpened(false)} />`}`;
  if (!hasDocument) return body;
  return html`<div class="with-document">
    <div>${body}</div>
    <${Document} ...${document} />
  </div>`;
}

const TABS = {
  resume: ["Résumé", Resume],
  profile: ["Profile and interview", Profile],
};

/** @param {{tab?: string, version?: string, line?: string, field?: string}} props line: of the document, to be
 * shown; field: to be filled in, such as `basics.email` */
export function Screen({ tab = "resume", version, line, field }) {
  const [, Tab] = TABS[tab === "interview" ? "profile" : tab] ?? TABS.resume; // its former name
  return html`<div class="reading">
    <header class="screen-head">
      <h1>Résumé and profile</h1>
      <${Segmented}
        label="Parts"
        views=${Object.entries(TABS).map(([name, [word]]) => [
          word,
          name === "resume" ? HERE : `${HERE}?tab=${name}`,
          Tab === TABS[name][1],
        ])}
      />
    </header>
    <${Tab} key=${`${line} ${field}`} version=${version} line=${line} field=${field} />
  </div>`;
}
