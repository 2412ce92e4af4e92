// The tracker: jobs as a board of five columns, or as a table; moved by dragging, by keys or by a menu.
import { useEffect, useMemo, useRef, useState } from "../vendor.js";
import { get, request, upload, withQuery } from "../api.js";
import { openChat } from "../focus.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import {
  Dialog,
  Failure,
  Menu,
  More,
  Segmented,
  Time,
  Wide,
  focusMain,
  showToast,
  useDrop,
  useKeys,
  useLoaded,
} from "../parts.js";
import { draft, tellChange } from "../session.js";
import { ChooseFile } from "../upload.js";
import { formatCount, formatOf, makeVisible, nameChat, toWords } from "../words.js";
import { keepTyped, loadTyped } from "./drafts.js";
import "./style.js";

const PAGE = 200;
const MOST_PAGES = 5;
const SHOWN = 50; // of a column, until more is wanted
const SEARCH_MS = 250;
const FOLLOW_UP_DAYS = 10;
const DAY_MS = 86_400_000;
const SWIPE_PX = 60;
// Closed is three statuses: which one is asked where a card is dropped.
const COLUMNS = [
  ["saved"],
  ["applied"],
  ["interviewing"],
  ["offer"],
  ["accepted", "rejected", "withdrawn"],
].map((statuses) => ({ statuses, name: statuses.length > 1 ? "closed" : statuses[0] }));
const STATUSES = COLUMNS.flatMap((column) => column.statuses);
const TABLE = {
  company: "Company",
  title: "Title",
  status: "Status",
  location: "Place",
  remote_type: "Workplace",
  salary: "Salary",
  fit: "Fit",
  updated_at: "Changed",
};
const WORKPLACES = ["remote", "hybrid", "onsite"];
const PERIODS = ["hour", "day", "week", "month", "year"];
const UNSORTED = ["location", "remote_type"]; // the API does not sort by these columns
const FIELDS = [
  ["title", "Title"],
  ["company", "Company"],
  ["location", "Place"],
  ["url", "Link"],
  ["salary_min", "Salary from"],
  ["salary_max", "Salary to"],
  ["salary_currency", "Currency"],
  ["contact_name", "Contact"],
  ["tags", "Tags"],
];

const findColumn = (status) => COLUMNS.find((column) => column.statuses.includes(status));
const nameJob = (job) => `${job.title} at ${job.company}`;
const hrefTo = (now, change) => withQuery("#/careers.tracker", { ...now, ...change });

async function loadJobs({ q, sort, order }) {
  const jobs = [];
  let [cursor, total] = [null, 0];
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await get(withQuery("/api/jobs", { q, sort, order, limit: PAGE, cursor }));
    jobs.push(...found.jobs);
    [cursor, total] = [found.next_cursor, found.total];
    if (!cursor) break;
  }
  return { jobs, total };
}

/** The newest version of each job's letter, by the job. */
async function loadLetters() {
  const { documents } = await get("/api/documents?kind=cover_letter&limit=200");
  return new Map(documents.map((item) => [item.job_id, item]));
}

function formatSalary({
  salary_min: least,
  salary_max: most,
  salary_currency: currency,
  salary_period: period,
}) {
  if (least === null && most === null) return "";
  const isKnown = /^[A-Z]{3}$/.test(currency ?? "");
  const format = new Intl.NumberFormat("en", {
    maximumFractionDigits: 0,
    ...(isKnown && { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
  });
  const amount =
    least === null || most === null || least === most
      ? `${most === null ? "from " : least === null ? "up to " : ""}${format.format(least ?? most)}`
      : `${format.format(least)}–${formatCount(most)}`;
  return [amount, !isKnown && currency, period && period !== "year" && `a ${period}`]
    .filter(Boolean)
    .join(" ");
}

const formatInitials = (name) =>
  name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase() || "–";

const Fit = ({ fit }) =>
  fit !== null &&
  html`<span class="fit" role="img" aria-label=${`Fit ${fit} of 5`} title=${`Fit ${fit} of 5`}
    >${[1, 2, 3, 4, 5].map((n) => html`<i class=${n <= fit ? "on" : ""}></i>`)}</span
  >`;

const formatApplied = (days) =>
  days === 0 ? "applied today" : `applied ${formatOf(days, "day")} ago`;

const toPlace = (job) => `job ${job.job_id}`; // of what is typed into its form

/** The one line that helps most: `[icon, words, style]`; null: there is none. */
function findHint(job, letter) {
  if (loadTyped(toPlace(job))) return ["pencil", "unsaved changes", "late"];
  const days = job.applied_at ? Math.floor((Date.now() - new Date(job.applied_at)) / DAY_MS) : 0;
  if (findColumn(job.status).name === "closed")
    return [job.status === "accepted" ? "check" : "x", toWords(job.status), ""];
  if (job.status === "applied" && days >= FOLLOW_UP_DAYS)
    return ["clock", `${days} days: follow up?`, "late"];
  const said = [
    job.contact_name && `contact: ${job.contact_name}`,
    letter && `letter, version ${letter.latest_version}`,
    job.status === "applied" && job.applied_at && formatApplied(days),
  ].filter(Boolean);
  const icon = job.contact_name ? "user-round" : letter ? "file-text" : "clock";
  if (said.length) return [icon, said.join(" · "), ""];
  return job.url ? ["link", "posting saved", ""] : null;
}

const MoveMenu = ({ job, move }) =>
  html`<${Menu} icon="ellipsis" title=${`Move ${nameJob(job)}`} style="square ghost"
    ><p class="hint">Move to</p>
    ${STATUSES.filter((status) => status !== job.status).map(
      (status) =>
        html`<button key=${status} class="ghost" onClick=${() => move(job, status)}>
          ${toWords(status)}
        </button>`,
    )}</${Menu}
  >`;

function Card({ job, letter, lifted, lift, move, open }) {
  const [icon, words, style] = findHint(job, letter) ?? [];
  const salary = formatSalary(job);
  const isLifted = lifted?.job.job_id === job.job_id;
  const onKeyDown = (event) => lift.onKeyDown(event, job);
  const onDragStart = (event) => (
    event.dataTransfer.setData("text/plain", String(job.job_id)),
    (event.dataTransfer.effectAllowed = "move")
  );
  return html`<li
    class=${`job ${isLifted ? "lifted" : ""}`}
    draggable="true"
    onDragStart=${onDragStart}
  >
    <span class="initials" aria-hidden="true">${makeVisible(formatInitials(job.company))}</span>
    <div class="about">
      <a
        id=${`job-${job.job_id}`}
        href=${open(job)}
        aria-describedby="lifting"
        onKeyDown=${onKeyDown}
        >${makeVisible(job.title)}</a
      >
      <p>
        ${makeVisible([job.company, job.location].filter(Boolean).join(" · "))}${
          job.remote_type && html`${" "}<span class="workplace">${toWords(job.remote_type)}</span>`
        }
      </p>
    </div>
    <${MoveMenu} job=${job} move=${move} />
    ${
      (salary || job.job_fit !== null) &&
      html`<p class="pay">${salary}<${Fit} fit=${job.job_fit} /></p>`
    }
    ${words && html`<p class=${`helps ${style}`}><${Icon} name=${icon} size=${14} />${makeVisible(words)}</p>`}
  </li>`;
}

/** Where a card may be dropped: whether one is held over it, and what its element listens to. */
function useDropPlace(column, { jobs, lift }) {
  const [isOver, setOver] = useState(false);
  const onDrop = (event) => {
    event.preventDefault();
    setOver(false);
    const job = jobs.all.find(
      (item) => String(item.job_id) === event.dataTransfer.getData("text/plain"),
    );
    if (job) lift.drop(job, column);
  };
  const onDragOver = (event) => (event.preventDefault(), setOver(true));
  const onDragLeave = (event) =>
    event.currentTarget.contains(event.relatedTarget) || setOver(false);
  return [isOver, { onDragOver, onDragLeave, onDrop }];
}

function Column({ column, jobs, isHere, letters, lifted, lift, move, open, onAdd }) {
  const [shown, setShown] = useState(SHOWN);
  const [isOver, onDrags] = useDropPlace(column, { jobs, lift });
  const isAim = isOver || lifted?.to === column.name;
  const own = jobs.all.filter((job) => column.statuses.includes(job.status));
  return html`<section
    class=${`column ${isAim ? "aim" : ""} ${isHere ? "here" : ""}`}
    aria-label=${toWords(column.name)}
    ...${onDrags}
  >
    <header>
      <i class=${`dot ${column.name}`}></i>
      <h2>${toWords(column.name)}</h2>
      <span class="soft">${formatCount(own.length)}</span
      ><button class="square ghost" onClick=${() => onAdd(column.statuses[0])}>
        <${Icon} name="plus" label=${`Add a job to ${toWords(column.name)}`} />
      </button>
    </header>
    <ul class="plain">
      ${own
        .slice(0, shown)
        .map(
          (job) =>
            html`<${Card}
              key=${job.job_id}
              job=${job}
              letter=${letters?.get(job.job_id)}
              lifted=${lifted}
              lift=${lift}
              move=${move}
              open=${open}
            />`,
        )}
    </ul>
    <${More} isThere=${own.length > shown} onMore=${() => setShown(shown + SHOWN)} />
  </section>`;
}

/** Lifting by Space, choosing a column by arrows, dropping by Space; and dropping by the mouse. */
function useLift(move) {
  const [lifted, setLifted] = useState(null); // {job, to}
  const [asked, setAsked] = useState(null); // a job that was dropped on Closed
  const drop = (job, column) =>
    column.statuses.length > 1 && !column.statuses.includes(job.status)
      ? setAsked(job)
      : move(job, column.statuses.includes(job.status) ? job.status : column.statuses[0]);
  const onKeyDown = (event, job) => {
    const isLifted = lifted?.job.job_id === job.job_id;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === " ") {
      if (isLifted)
        drop(
          job,
          COLUMNS.find((column) => column.name === lifted.to),
        );
      setLifted(isLifted ? null : { job, to: findColumn(job.status).name });
    } else if (isLifted && step) {
      const at = COLUMNS.findIndex((column) => column.name === lifted.to) + step;
      setLifted({ job, to: COLUMNS[Math.min(COLUMNS.length - 1, Math.max(0, at))].name });
    } else if (isLifted && (event.key === "Escape" || event.key === "Tab")) {
      setLifted(null);
      return; // Tab goes on
    } else if (!isLifted && ["ArrowDown", "ArrowUp"].includes(event.key))
      focusNext(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  };
  return { lifted, asked, lift: { drop, onKeyDown }, forget: () => setAsked(null) };
}

/** From card to card, down and up the columns. */
function focusNext(step) {
  const cards = [...document.querySelectorAll(".job .about a")].filter((item) => item.offsetParent);
  const at = cards.indexOf(document.activeElement);
  cards[at < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, at + step))]?.focus();
}

/** A column's name on a phone, where one column is seen: it chooses, and takes what is dropped. */
function Chip({ column, jobs, lift, isHere, onChoose }) {
  const [isOver, onDrags] = useDropPlace(column, { jobs, lift });
  const count = jobs.all.filter((job) => column.statuses.includes(job.status)).length;
  return html`<button
    class=${`chip ${isOver ? "aim" : ""}`}
    aria-pressed=${isHere}
    onClick=${() => onChoose(column.name)}
    ...${onDrags}
  >
    ${toWords(column.name)} ${count}
  </button>`;
}

function Board(given) {
  const { lifted } = given;
  const [here, setHere] = useState("saved"); // on a phone one column is seen
  const start = useRef(null);
  const swipe = ({ changedTouches: [end] }) => {
    const [right, down] = [
      end.clientX - start.current.clientX,
      end.clientY - start.current.clientY,
    ];
    const at = COLUMNS.findIndex((column) => column.name === here) - Math.sign(right);
    const isSwipe = Math.abs(right) > Math.max(SWIPE_PX, Math.abs(down)); // else one scrolls
    if (isSwipe && COLUMNS[at]) setHere(COLUMNS[at].name);
  };
  useKeys({ j: () => focusNext(1), k: () => focusNext(-1) });
  return html`<div class="column-chips" role="group" aria-label="Columns">
      ${COLUMNS.map((column) => html`<${Chip} key=${column.name} ...${given} column=${column} isHere=${here === column.name} onChoose=${setHere} />`)}
    </div>
    <p id="lifting" class="only-read lifting">
      Space lifts the card, arrow keys choose a column, Space drops it, Escape leaves the card in
      place.
    </p>
    <p class="only-read" role="status">
      ${lifted && `${nameJob(lifted.job)}: ${toWords(lifted.to)}`}
    </p>
    <div
      class="board"
      onTouchStart=${(event) => (start.current = event.touches[0])}
      onTouchEnd=${swipe}
    >
      ${COLUMNS.map((column) => html`<${Column} key=${column.name} ...${given} column=${column} isHere=${here === column.name} />`)}
    </div>`;
}

function Table({ jobs, now, open, move }) {
  const [shown, setShown] = useState(SHOWN * 2);
  const cells = {
    title: (job) => html`<a href=${open(job)}>${makeVisible(job.title)}</a>`,
    status: (job) => toWords(job.status),
    remote_type: (job) => (job.remote_type ? toWords(job.remote_type) : "–"),
    salary: formatSalary,
    fit: (job) => html`<${Fit} fit=${job.job_fit} />`,
    updated_at: (job) => html`<${Time} at=${job.updated_at} />`,
  };
  const head = ([name, title]) => {
    if (UNSORTED.includes(name)) return title;
    return html`<a
      href=${hrefTo(now, { sort: name, order: now.sort === name && now.order === "asc" ? "desc" : "asc" })}
      >${title}</a
    >`;
  };
  return html`<${Wide} label="Jobs">
      <thead>
        <tr>
          ${Object.entries(TABLE).map(
            (entry) =>
              html`<th
                class="name"
                aria-sort=${now.sort === entry[0] ? `${now.order}ending` : null}
              >
                ${head(entry)}
              </th>`,
          )}
          <th class="name"><span class="only-read">Move</span></th>
        </tr>
      </thead>
      <tbody>
        ${jobs.all.slice(0, shown).map(
          (job) =>
            html`<tr key=${job.job_id}>
              ${Object.keys(TABLE).map(
                (name) =>
                  html`<td class="name">
                    ${name in cells ? cells[name](job) : makeVisible(String(job[name] ?? "–"))}
                  </td>`,
              )}
              <td><${MoveMenu} job=${job} move=${move} /></td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>
    <${More} isThere=${jobs.all.length > shown} onMore=${() => setShown(shown + SHOWN * 2)} />`;
}

/** What stands in a form, as the API takes it. */
function readForm(form) {
  const told = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, value.trim() || null]),
  );
  for (const name of ["salary_min", "salary_max"]) if (told[name]) told[name] = Number(told[name]);
  return told;
}

const NEEDED = ["title", "company"];

const Inputs = ({ job, names, isNew }) =>
  FIELDS.filter(([name]) => names.includes(name)).map(
    ([name, title]) =>
      html`<label key=${name}
        ><span
          >${title}${isNew && NEEDED.includes(name) && html`<span class="soft" aria-hidden="true"> required</span>`}</span
        ><input
          name=${name}
          defaultValue=${job?.[name] ?? ""}
          type=${name.startsWith("salary_m") ? "number" : "text"}
          min="0"
          required=${NEEDED.includes(name)}
          autofocus=${isNew && name === "title"}
      /></label>`,
  );

const Choice = ({ name, title, value, values }) =>
  html`<label
    >${title}<select name=${name}>
      ${values.map((each) => html`<option value=${each} selected=${each === value}>${each ? toWords(each) : "Not given"}</option>`)}
    </select></label
  >`;

const PaidPer = ({ value }) =>
  html`<${Choice}
    name="salary_period"
    title="Paid per"
    value=${value ?? ""}
    values=${["", ...PERIODS]}
  />`;

const Workplace = ({ value }) =>
  html`<${Choice}
    name="remote_type"
    title="Workplace"
    value=${value ?? ""}
    values=${["", ...WORKPLACES]}
  />`;

const SHOWN_FIELDS = [
  "title",
  "company",
  "location",
  "url",
  "salary_min",
  "salary_max",
  "salary_currency",
];

/** `known`: what a posting or a sentence said already; what has no input is stored as it is. */
function AddJob({ status, known, onDone, onClose }) {
  const [error, setError] = useState(null);
  const [posting, setPosting] = useState(known.text ?? "");
  const [job, setJob] = useState(known);
  const save = async (event) => {
    event.preventDefault();
    const { text, applied_at, created_at, updated_at, ...read } = job;
    const told = Object.entries({ ...read, ...readForm(event.target) }).filter(
      ([, value]) => value !== null,
    );
    try {
      onDone(await request("POST", "/api/jobs", Object.fromEntries(told)));
    } catch (failure) {
      setError(failure);
    }
  };
  const read = async () => {
    try {
      const file = new File([posting], "posting.txt", { type: "text/plain" });
      setJob((await upload("/api/jobs/import/preview", file)).jobs[0].fields);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  };
  const missing = NEEDED.filter((name) => !job[name]);
  return html`<${Dialog} title="Add a job" onClose=${onClose}>
    <form key=${JSON.stringify(job)} class="fields-form facts" onSubmit=${save}>
      <${Inputs} job=${job} names=${SHOWN_FIELDS} isNew /><${PaidPer}
        value=${job.salary_period}
      /><${Workplace} value=${job.remote_type} /><${Choice}
        name="status"
        title="Status"
        value=${job.status ?? status}
        values=${STATUSES}
      />
      ${job.notes && html`<label class="whole">Notes<textarea name="notes" rows="4">${job.notes}</textarea></label>`}<button
        class="accent"
      >
        Add the job
      </button>
    </form>
    ${
      job.source === "import" &&
      missing.length > 0 &&
      html`<p role="status">The posting does not clearly state: ${missing.join(" and ")}.</p>`
    }
    <${Failure} error=${error} />
    <label
      >Or paste a posting<textarea
        rows="3"
        value=${posting}
        onInput=${(event) => setPosting(event.target.value)}
      ></textarea>
    </label>
    <p><button disabled=${!posting.trim()} onClick=${read}>Fill in the form</button></p>
  </${Dialog}>`;
}

const Select = ({ label, value, names, onChange }) =>
  html`<select
    aria-label=${label}
    value=${value}
    onChange=${(event) => onChange(event.target.value)}
  >
    ${names.map((name) => html`<option value=${name} selected=${name === value}>${toWords(name)}</option>`)}
  </select>`;

/** What a sheet's columns are: seen, and changed, before anything is stored. */
function ImportSheet({ file, told, onDone, onClose }) {
  const [error, setError] = useState(null);
  const [columns, setColumns] = useState({});
  const [statuses, setStatuses] = useState({});
  const known = told.columns.find((column) => column.field === "status")?.name;
  const unclear = [
    ...new Set(
      told.noted
        .filter(({ error: said }) => known && said.startsWith(`${known}: `))
        .map(({ error: said }) => said.slice(known.length + 2)),
    ),
  ];
  const save = async () => {
    try {
      const { [""]: _, ...meant } = statuses;
      onDone(
        await upload("/api/jobs/import", file, {
          mapping: JSON.stringify({ columns, statuses: meant }),
        }),
      );
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<${Dialog} title=${`Import ${formatOf(told.total, "job")}`} onClose=${onClose}>
    <${Wide} label="Columns"
      ><thead>
        <tr>
          <th class="name">Column, first value</th>
          <th class="name">Tracker field</th>
        </tr>
      </thead>
      <tbody>
        ${told.columns.map(
          (column) =>
            html`<tr key=${column.name}>
              <td class="name">
                ${makeVisible(column.name)}<br /><span class="soft"
                  >${makeVisible(column.sample)}</span
                >
              </td>
              <td class="name">
                <${Select}
                  label=${column.name}
                  value=${columns[column.name] ?? column.field}
                  names=${told.fields}
                  onChange=${(name) => setColumns({ ...columns, [column.name]: name })}
                />
              </td>
            </tr>`,
        )}
        ${unclear.map(
          (said) =>
            html`<tr key=${`=${said}`}>
              <td class="name">
                ${makeVisible(known)}<br /><span class="soft">${makeVisible(said)}</span>
              </td>
              <td class="name">
                <${Select}
                  label=${said}
                  value=${statuses[said] ?? "notes"}
                  names=${["notes", ...STATUSES]}
                  onChange=${(name) =>
                    setStatuses(
                      name === "notes"
                        ? Object.fromEntries(
                            Object.entries(statuses).filter(([key]) => key !== said),
                          )
                        : { ...statuses, [said]: name },
                    )}
                />
              </td>
            </tr>`,
        )}
      </tbody></${Wide}
    >
    ${
      told.rejected.length > 0 &&
      html`<p role="status">
        ${formatOf(told.rejected.length, "row")}${" "}cannot be read yet:
        row${" "}${told.rejected[0].row},${" "}${makeVisible(told.rejected[0].error)}
      </p>`
    }
    <${Failure} error=${error} />
    <p><button class="accent" onClick=${save}>Import</button></p>
  </${Dialog}>`;
}

/** What a form says otherwise than the job: the rest may have been changed elsewhere meanwhile. */
const findChanges = (form, job) =>
  Object.entries(readForm(form)).filter(
    ([name, value]) =>
      String(value ?? "") !==
      String(job[name] ?? "")
        .trim()
        .replaceAll("\r\n", "\n"),
  );

/** One job: its fields, its letters and the chats about it. */
function JobSheet({ job, letter, onChanged, onDeleted, onClose }) {
  const place = toPlace(job);
  const form = useRef(null);
  const isSaving = useRef(false);
  const [error, setError] = useState(null);
  const [isSure, setSure] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [typed, setTyped] = useState(loadTyped(place) ?? null); // what is not saved yet, by field
  const [turn, setTurn] = useState(0); // the fields are drawn anew from the job
  const { data: chats } = useLoaded(
    () => get(withQuery("/api/chat/conversations", { text: job.company, limit: 5 })),
    job.company,
  );
  // What was saved here or changed elsewhere is no change any more; fields that nobody typed into follow.
  useEffect(() => keep(findChanges(form.current, job)), [job]);
  const keep = (changes) => {
    const now = changes.length ? Object.fromEntries(changes) : null;
    keepTyped(place, now);
    setTyped(now);
  };
  const attempt = (work) => async (event) => {
    event.preventDefault();
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    }
  };
  const save = attempt(async () => {
    const changes = Object.fromEntries(findChanges(form.current, job));
    isSaving.current = true;
    const changed = await request("PATCH", `/api/jobs/${job.job_id}`, changes).finally(
      () => (isSaving.current = false),
    );
    keepTyped(place, null); // also where the sheet was shut meanwhile
    onChanged(changed);
    setSaved(true);
  });
  const remove = attempt(async () => {
    if (!isSure) return setSure(true);
    await request("DELETE", `/api/jobs/${job.job_id}`);
    keep([]);
    onDeleted();
  });
  const discard = () => {
    keep([]);
    setTurn(turn + 1);
    setError(null);
  };
  const note = () => (setSaved(false), keep(findChanges(form.current, job)));
  const close = () => {
    if (loadTyped(place) && !isSaving.current)
      showToast("Your changes are kept, but not saved yet.");
    onClose();
  };
  const write = () => {
    draft.value = `write a cover letter for ${nameJob(job)} (job ${job.job_id})`;
    openChat();
  };
  const known = { ...job, ...typed };
  return html`<${Dialog} title=${makeVisible(nameJob(job))} isSide=${true} onClose=${close}>
    <p class="row">
      <button class="accent" onClick=${write}><${Icon} name="file-text" />Write a letter</button>${
        job.url &&
        /^https?:/.test(job.url) &&
        html`<a class="button" href=${job.url} target="_blank" rel="noopener noreferrer nofollow"
          >Open the posting<${Icon} name="arrow-up-right" size=${14}
        /></a>`
      }
    </p>
    ${job.applied_at && html`<p class="soft">Applied <${Time} at=${job.applied_at} /></p>`}
    <form
      id="job-fields"
      key=${turn}
      ref=${form}
      class="fields-form facts"
      onInput=${note}
      onSubmit=${save}
    >
      <${Choice} name="status" title="Status" value=${known.status} values=${STATUSES} /><${Workplace}
        value=${known.remote_type}
      />
      <label class="whole"
        >Notes<textarea name="notes" rows="3" defaultValue=${known.notes ?? ""}></textarea></label
      ><${Inputs} job=${known} names=${SHOWN_FIELDS} /><${PaidPer}
        value=${known.salary_period}
      /><${Inputs} job=${known} names=${["contact_name", "tags"]} />
    </form>
    ${
      job.requirements &&
      html`<h3>Requirements</h3>
        <ul class="compact">
          ${job.requirements.split("\n").map((line) => line.trim() && html`<li>${makeVisible(line)}</li>`)}
        </ul>`
    }
    <h3>Letters</h3>
    ${
      letter
        ? html`<div class="rows">
            <a href=${`#/careers.letters/${letter.document_id}`}
              ><${Icon} name="file-text" /><b>${makeVisible(letter.title)}</b
              ><span class="soft">version ${letter.latest_version}</span></a
            >
          </div>`
        : html`<p class="soft">None yet</p>`
    }
    <h3>Chats about ${makeVisible(job.company)}</h3>
    ${
      chats?.conversations.length > 0
        ? html`<div class="rows">
            ${chats.conversations.map(
              (chat) =>
                html`<a key=${chat.id} href=${`#/chat/${chat.id}`}
                  ><${Icon} name="message-square" /><b>${nameChat(chat)}</b></a
                >`,
            )}
          </div>`
        : html`<p class="soft">None yet</p>`
    }
    <p class="end">
      <button class=${isSure ? "danger" : "ghost"} onClick=${remove}>
        <${Icon} name="trash" size=${14} />${isSure ? "Delete the job for good" : "Delete the job"}
      </button>
    </p>
    <div class="save-bar">
      <${Failure} error=${error} />
      <p role="status">${typed ? "Unsaved changes" : isSaved && "Saved"}</p>
      ${
        typed && html`<button type="button" class="ghost" onClick=${discard}>Discard</button>`
      }<button class=${typed ? "accent" : ""} form="job-fields">Save</button>
    </div>
  </${Dialog}>`;
}

function Closing({ job, move, onClose }) {
  const choose = (status) => (onClose(), move(job, status));
  return html`<${Dialog} title="How did it end?" onClose=${onClose}
    ><p>${makeVisible(nameJob(job))}</p>
    <p class="row">
      ${COLUMNS.at(-1).statuses.map((status) => html`<button key=${status} onClick=${() => choose(status)}>${toWords(status)}</button>`)}
    </p></${Dialog}
  >`;
}

/** The jobs, and what is done with them: seen at once, and taken back where the server refuses. */
function useJobs({ q, sort, order }) {
  const [state, setState] = useState({ jobs: null, total: 0, error: null });
  const load = async () => {
    try {
      setState({ ...(await loadJobs({ q, sort, order })), error: null });
    } catch (error) {
      setState((now) => ({ ...now, error }));
    }
  };
  useEffect(() => void load(), [q, sort, order]);
  const put = (job, error = null) =>
    setState((now) => ({
      ...now,
      error,
      jobs: now.jobs.map((item) => (item.job_id === job.job_id ? job : item)),
    }));
  const move = async (job, status, isUndo = false) => {
    if (job.status === status) return;
    const isHeld = isUndo || document.activeElement?.id === `job-${job.job_id}`;
    put({ ...job, status });
    if (isHeld) setTimeout(() => document.getElementById(`job-${job.job_id}`)?.focus()); // its card is in another column now
    try {
      const changed = await request("PATCH", `/api/jobs/${job.job_id}`, { status });
      put(changed);
      if (!isUndo)
        showToast(`Moved ${makeVisible(nameJob(job))} to ${toWords(status)}`, () =>
          move(changed, job.status, true),
        );
    } catch (error) {
      put(job, error);
    }
  };
  return { ...state, load, put, move };
}

/** @param {{view?: string, q?: string, sort?: string, order?: string, job?: string, add?: string}} props they stand in the address */
export function Screen({
  view = "board",
  q = "",
  sort = "updated_at",
  order = "desc",
  job: shown,
  add,
  ...said
}) {
  const now = { view, q, sort, order };
  const { jobs, total, error, load, put, move } = useJobs(now);
  const { data: letters } = useLoaded(loadLetters, "");
  const { lifted, asked, lift, forget } = useLift(move);
  const timer = useRef(0);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState(null);
  const [sheet, setSheet] = useState(null); // {file, told}: its columns are looked at
  const [read, setRead] = useState(null); // what a posting's file says
  const go = (change) => (location.hash = hrefTo(now, change));
  const seek = (event) => {
    const said = event.target.value.trim();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => location.replace(hrefTo(now, { q: said })), SEARCH_MS);
  };
  const report = async ({ created, updated, known, rejected }) => {
    setSheet(null);
    showToast(
      [
        `${formatOf(created.length, "job")} added`,
        updated.length && `${updated.length} updated`,
        known.length && `${known.length} known`,
        rejected.length &&
          `${rejected.length} not imported: row ${rejected[0].row}, ${rejected[0].error}`,
      ]
        .filter(Boolean)
        .join(", "),
    );
    tellChange({ status: "changed" }); // the sidebar counts the jobs
    await load();
  };
  const take = async (file) => {
    if (!file) return;
    setBusy(true);
    setRefused(null);
    try {
      const told = await upload("/api/jobs/import/preview", file);
      if (told.columns.length) setSheet({ file, told });
      else if (told.total === 1) (setRead(told.jobs[0].fields), go({ add: "saved" }));
      else await report(await upload("/api/jobs/import", file));
    } catch (failure) {
      setRefused(failure);
    }
    setBusy(false);
  };
  useDrop(take);
  const open = (job) => hrefTo(now, { job: job.job_id });
  const job = jobs?.find((item) => String(item.job_id) === shown);
  const given = useMemo(() => ({ all: jobs ?? [] }), [jobs]);
  const active = given.all.filter((item) =>
    ["applied", "interviewing", "offer"].includes(item.status),
  ).length;
  const done = (said) => (saved) => {
    showToast(`${said} ${makeVisible(nameJob(saved ?? job))}`);
    setRead(null);
    tellChange({ status: "changed" });
    go({ job: "", add: "" });
    void load();
  };
  const body = () => {
    if (jobs === null) return null;
    if (view === "table" && jobs.length)
      return html`<${Table} jobs=${given} now=${now} open=${open} move=${move} />`;
    if (!jobs.length && q)
      return html`<p class="empty">
        No job matches. <a href=${hrefTo(now, { q: "" })}>Clear the search</a>
      </p>`;
    if (!jobs.length)
      return html`<div class="empty big">
        <${Icon} name="briefcase-business" size=${20} />
        <p>No jobs yet. Add one, import a list, or paste a posting into the chat.</p>
        <button class="accent" onClick=${() => go({ add: "saved" })}>Add a job</button>
      </div>`;
    return html`<${Board}
      jobs=${given}
      letters=${letters}
      lifted=${lifted}
      lift=${lift}
      move=${move}
      open=${open}
      onAdd=${(status) => go({ add: status })}
    />`;
  };
  return html`<header class="screen-head">
      <div class="row">
        <h1>Tracker</h1>
        ${jobs && html`<span class="soft">${formatOf(total, "job")}, ${formatOf(active, "open application")}</span>`}
      </div>
      <div class="row" role="search">
        <label class="only-read" for="search">Company, title, place</label
        ><input
          type="search"
          id="search"
          placeholder="Company, title, place"
          defaultValue=${q}
          onInput=${seek}
        />
        <${Segmented}
          label="View"
          views=${[
            ["Board", hrefTo(now, { view: "board" }), view !== "table"],
            ["Table", hrefTo(now, { view: "table" }), view === "table"],
          ]}
        />
        <${ChooseFile}
          accept=".csv,.tsv,.xlsx,.json,.xml,.html,.htm,.txt,.md"
          isBusy=${isBusy}
          take=${take}
          >Import</${ChooseFile}
        >
        <a class="button" href="/api/jobs.csv" title="Export as CSV"
          ><${Icon} name="download" label="Export as CSV"
        /></a>
        <button class="accent" onClick=${() => go({ add: "saved" })}>
          <${Icon} name="plus" />Add job
        </button>
      </div>
    </header>
    <${Failure} error=${error ?? refused} again=${error ? load : undefined} />
    ${body()}
    ${
      jobs &&
      total > jobs.length &&
      html`<p class="soft">
        Showing ${formatCount(jobs.length)} of ${formatCount(total)}; search to find others.
      </p>`
    }
    ${asked && html`<${Closing} job=${asked} move=${move} onClose=${forget} />`}
    ${
      add &&
      html`<${AddJob}
        key=${JSON.stringify(read)}
        status=${add}
        known=${read ?? said}
        onDone=${done("Added")}
        onClose=${() => (setRead(null), go({ add: "" }), focusMain())}
      />`
    }
    ${sheet && html`<${ImportSheet} ...${sheet} onDone=${report} onClose=${() => setSheet(null)} />`}
    ${
      job &&
      html`<${JobSheet}
        key=${job.job_id}
        job=${job}
        letter=${letters?.get(job.job_id)}
        onChanged=${put}
        onDeleted=${() => done("Deleted")(null)}
        onClose=${() => (go({ job: "" }), document.getElementById(`job-${job.job_id}`)?.focus())}
      />`
    }`;
}
