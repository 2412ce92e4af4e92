// The tracker: jobs as a board of five columns, or as a table; moved by dragging, by keys or by a menu.
import { useEffect, useMemo, useRef, useState } from "../vendor.js";
import { get, request, upload, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import {
  Dialog,
  Failure,
  Menu,
  More,
  Segmented,
  Wide,
  focusMain,
  showToast,
  useDrop,
  useKeys,
  useLoaded,
} from "../parts.js";
import { removeLater, removed } from "../remove.js";
import { tellChange } from "../session.js";
import { ChooseFile } from "../upload.js";
import { formatCount, formatDate, formatOf, formatTime, makeVisible, toWords } from "../words.js";
import { loadTyped } from "./drafts.js";
import {
  Choice,
  FOLLOW_UP_DAYS,
  Facts,
  Fit,
  JobSheet,
  STATUSES,
  countDays,
  describeMove,
  fillUnits,
  findUsual,
  formatSalary,
  nameJob,
  toUndo,
  readForm,
  toPlace,
} from "./job.js";
import "./style.js";

const PAGE = 200;
const MOST_PAGES = 5;
const SHOWN = 50; // of a column, until more is wanted
const SEARCH_MS = 250;
const SWIPE_PX = 60;
// Closed is three statuses: which one is asked where a card is dropped.
const COLUMNS = [
  ["saved"],
  ["applied"],
  ["interviewing"],
  ["offer"],
  ["accepted", "rejected", "withdrawn"],
].map((statuses) => ({ statuses, name: statuses.length > 1 ? "closed" : statuses[0] }));
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
const UNSORTED = ["location", "remote_type"]; // the API does not sort by these columns
const findColumn = (status) => COLUMNS.find((column) => column.statuses.includes(status));
const toPath = (job) => `/api/jobs/${job.job_id}`;
/** A job's place, unless it only repeats the workplace ("remote"). */
const findPlace = ({ location, remote_type: workplace }) =>
  location?.trim().toLowerCase() === workplace ? null : location;
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

const formatInitials = (name) =>
  name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase() || "–";

const formatApplied = (days) =>
  days === 0 ? "applied today" : `applied ${formatOf(days, "day")} ago`;

const sayLetter = ({ latest_version: version }) => `letter, version ${version}`;

/** The one line that helps most: `[icon, words, style]`; null: there is none. */
function findHint(job, letter) {
  if (loadTyped(toPlace(job))) return ["pencil", "unsaved changes", "late"];
  const days = countDays(job);
  if (findColumn(job.status).name === "closed")
    return [job.status === "accepted" ? "check" : "x", toWords(job.status), ""];
  if (job.status === "applied" && days >= FOLLOW_UP_DAYS)
    return ["clock", `${days} days: follow up?`, "late"];
  const said = [
    job.contact_name && `contact: ${job.contact_name}`,
    letter && sayLetter(letter),
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
  const where = [findPlace(job), job.remote_type && toWords(job.remote_type)]
    .filter(Boolean)
    .join(" · ");
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
      <p>${makeVisible(job.company)}</p>
      ${where && html`<p class="where">${makeVisible(where)}</p>`}
    </div>
    <${MoveMenu} job=${job} move=${move} />
    ${
      (salary || job.job_fit !== null) &&
      html`<p class="pay">${salary}<${Fit} fit=${job.job_fit} /></p>`
    }
    ${words && html`<p class=${`helps ${style}`}><${Icon} name=${icon} size=${14} />${makeVisible(words)}</p>`}
    ${
      letter &&
      style === "late" &&
      html`<p class="helps"><${Icon} name="file-text" size=${14} />${sayLetter(letter)}</p>`
    }
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
    } else if (!isLifted && step) focusBeside(step);
    else if (!isLifted && ["ArrowDown", "ArrowUp"].includes(event.key))
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

/** To the card at the same height in the next column that has one. */
function focusBeside(step) {
  const columns = [...document.querySelectorAll(".board .column")].map((column) => [
    ...column.querySelectorAll(".job .about a"),
  ]);
  const here = document.activeElement;
  let at = columns.findIndex((cards) => cards.includes(here));
  const row = columns[at]?.indexOf(here);
  do at += step;
  while (columns[at]?.length === 0);
  columns[at]?.[Math.min(row, columns[at].length - 1)]?.focus();
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
      Arrow keys go from card to card. Space lifts the card, arrow keys choose a column, Space drops
      it, Escape leaves the card in place.
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
    company: (job) => {
      const pay = [formatSalary(job), cells.remote_type(job)].filter(Boolean).join(" · ");
      const place = findPlace(job) && ` · ${makeVisible(findPlace(job))}`;
      return html`${makeVisible(job.company)}<span class="on-phone"
          >${place}${pay && html`<br />${pay}`}</span
        >`;
    },
    title: (job) =>
      html`<a id=${`job-${job.job_id}`} href=${open(job)}>${makeVisible(job.title)}</a>`,
    status: (job) => toWords(job.status),
    location: (job) => makeVisible(findPlace(job) ?? ""),
    remote_type: (job) => job.remote_type && toWords(job.remote_type),
    salary: formatSalary,
    fit: (job) => job.job_fit !== null && html`<${Fit} fit=${job.job_fit} />`,
    updated_at: (job) =>
      html`<time datetime=${job.updated_at} title=${formatTime(job.updated_at)}
        >${formatDate(job.updated_at)}</time
      >`,
  };
  const head = ([name, title]) => {
    if (UNSORTED.includes(name)) return title;
    return html`<a
      href=${hrefTo(now, { sort: name, order: now.sort === name && now.order === "asc" ? "desc" : "asc" })}
      >${title}${
        now.sort === name &&
        html`${" "}<${Icon} name=${now.order === "asc" ? "arrow-up" : "arrow-down"} size=${12} />`
      }</a
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
            html`<tr key=${job.job_id} class="job-row">
              ${Object.keys(TABLE).map((name) => {
                const value = name in cells ? cells[name](job) : makeVisible(job[name] ?? "");
                return html`<td class=${value ? "name" : "name none"}>${value || "–"}</td>`;
              })}
              <td class="move"><${MoveMenu} job=${job} move=${move} /></td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>
    <${More} isThere=${jobs.all.length > shown} onMore=${() => setShown(shown + SHOWN * 2)} />`;
}

// What a posting says, by the words that the form uses for it.
const READ = {
  title: ["title"],
  company: ["company"],
  place: ["location"],
  workplace: ["remote_type"],
  pay: ["salary_min", "salary_max"],
  currency: ["salary_currency"],
  period: ["salary_period"],
};
const isSameText = (one, other) => one.trim().toLowerCase() === other?.trim().toLowerCase();
const joinWords = (words) => new Intl.ListFormat("en").format(words);

/** What was read of a posting and what was not: `[found, missing]` in the form's words. */
function sortRead(job) {
  const has = (what) => READ[what].some((name) => job[name] !== undefined && job[name] !== null);
  const names = Object.keys(READ).filter(
    (name) => has("pay") || !["currency", "period"].includes(name),
  );
  return [names.filter(has), names.filter((name) => !has(name))];
}

/** A posting's text stays as it was: what is corrected in the fields is newer, for letters too. */
const markPosting = ({ notes, ...fields }) => ({
  ...fields,
  ...(notes && { notes: `Posting as pasted; what the fields say is newer:\n\n${notes}` }),
});

/** The user's job with this title and company, if there is one. */
async function findSame({ title, company }) {
  const { jobs } = await get(withQuery("/api/jobs", { title, company, limit: 50 }));
  return jobs.find((job) => isSameText(title, job.title) && isSameText(company, job.company));
}

/** `known`: what a posting or a sentence said already; what has no input is stored as it is. */
function AddJob({ status, known, usual, onDone, onClose, open }) {
  const [error, setError] = useState(null);
  const [posting, setPosting] = useState(known.text ?? "");
  const [job, setJob] = useState(known);
  const [read, setRead] = useState(known.source === "import" ? sortRead(known) : null);
  const [isBusy, setBusy] = useState(false);
  const [same, setSame] = useState(null); // the job that is there already
  const form = useRef(null);
  const filled = read ? read[0].flatMap((name) => READ[name]) : [];
  const add = async (isSure) => {
    const { text, applied_at, created_at, updated_at, ...rest } = job;
    const told = { ...rest, ...readForm(form.current) };
    if (told.salary_min === null && told.salary_max === null)
      Object.assign(told, { salary_currency: null, salary_period: null });
    const entries = Object.entries(told).filter(([, value]) => value !== null);
    setBusy(true);
    try {
      const there = isSure ? null : await findSame(told);
      if (there) setSame(there);
      else onDone(await request("POST", "/api/jobs", Object.fromEntries(entries)));
      setError(null);
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const fill = async () => {
    setBusy(true);
    setError(null);
    setSame(null);
    try {
      const file = new File([posting], "posting.txt", { type: "text/plain" });
      const { fields } = (await upload("/api/jobs/import/preview", file)).jobs[0];
      // What was typed by hand stays.
      const own = Object.entries(readForm(form.current)).filter(
        ([name, value]) => value !== null && name !== "status" && value !== (job[name] ?? null),
      );
      setRead(sortRead(fields));
      setJob({ ...known, ...markPosting(fields), ...Object.fromEntries(own) });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const isPasteFirst = !known.title && !known.company;
  const onInput = (event) => (event.target.classList.remove("filled"), setSame(null));
  return html`<${Dialog} title="Add a job" onClose=${onClose}>
    <div class="paste">
      <label
        >Paste a posting, or what you know of it<textarea
          rows="3"
          value=${posting}
          placeholder="Cook at Noma, Copenhagen, 45,000 to 52,000 EUR a year, on-site"
          autofocus=${isPasteFirst}
          onInput=${(event) => setPosting(event.target.value)}
        ></textarea>
      </label>
      <button type="button" disabled=${!posting.trim() || isBusy} aria-busy=${isBusy} onClick=${fill}>
        ${isBusy ? "Reading…" : "Fill in the form"}
      </button>
      <div class="read" role="status">
        ${
          read &&
          html`${
            read[0].length > 0 &&
            html`<p>
              <mark class="filled">Filled in:</mark
              >${` ${joinWords(read[0])}. Check what is marked.`}
            </p>`
          }${read[1].length > 0 && html`<p>${`Not found in the posting: ${joinWords(read[1])}.`}</p>`}`
        }
      </div>
    </div>
    <form
      key=${JSON.stringify(job)}
      ref=${form}
      class="fields-form facts of-job"
      onInput=${onInput}
      onChange=${(event) => fillUnits(event, usual)}
      onSubmit=${(event) => (event.preventDefault(), add(false))}
    >
      <${Facts} job=${job} usual=${usual} isNew isFirst=${!isPasteFirst} filled=${filled} /><${Choice}
        name="status"
        title="Status"
        value=${job.status ?? status}
        values=${STATUSES}
      />
      ${job.notes && html`<label class="whole">Notes<textarea name="notes" rows="4">${job.notes}</textarea></label>`}
      <div class="save-bar">
        <${Failure} error=${error} />
        ${
          same &&
          html`<p role="alert" class="same">
            ${`${makeVisible(nameJob(same))} is already in your tracker (${toWords(same.status)}${same.location ? `, ${makeVisible(same.location)}` : ""}).`}
          </p>`
        }
        ${
          same
            ? html`<button type="button" onClick=${() => add(true)}>Add it again</button
                ><a class="button accent" href=${open(same)}>Open that job</a>`
            : html`<p>* required</p>
                <button class="accent" disabled=${isBusy}>Add the job</button>`
        }
      </div>
    </form>
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

function Closing({ job, move, onClose }) {
  const choose = (status) => (onClose(), move(job, status));
  return html`<${Dialog} title="How did it end?" onClose=${onClose}
    ><p>${makeVisible(nameJob(job))}</p>
    <p class="row">
      ${COLUMNS.at(-1).statuses.map((status) => html`<button key=${status} onClick=${() => choose(status)}>${toWords(status)}</button>`)}
    </p></${Dialog}
  >`;
}

/** A job's link, once it is drawn. */
const focusJob = (id) => setTimeout(() => document.getElementById(`job-${id}`)?.focus());

/** The job behind one in its column or table, or the one before it. */
function findNeighbour(id) {
  const own = document.getElementById(`job-${id}`);
  const all = [...(own?.closest("ul, tbody").querySelectorAll("a[id^=job-]") ?? [])];
  const at = all.indexOf(own);
  return (all[at + 1] ?? all[at - 1])?.id.slice("job-".length);
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
  /** restored: what undoing a move restores (see `toUndo`) */
  const move = async (job, status, restored = null) => {
    const isUndo = restored !== null;
    if (job.status === status) return;
    const isHeld = isUndo || document.activeElement?.id === `job-${job.job_id}`;
    put({ ...job, status });
    if (isHeld) focusJob(job.job_id); // its card is in another column now
    try {
      const { taken_back: takenBack, ...changed } = await request(
        "PATCH",
        `/api/jobs/${job.job_id}`,
        restored ?? { status },
      );
      put(changed);
      if (!isUndo) {
        const undo = toUndo(job, changed, takenBack);
        showToast(describeMove(job, status, takenBack), () => move(changed, job.status, undo));
      }
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
  field,
  add,
  ...said
}) {
  const now = { view, q, sort, order };
  const { jobs: loaded, total: known, error, load, put, move } = useJobs(now);
  const jobs = loaded?.filter((item) => !removed.value.has(toPath(item))) ?? null;
  const total = known - (loaded?.length ?? 0) + (jobs?.length ?? 0);
  const { data: letters } = useLoaded(loadLetters, "");
  const { lifted, asked, lift, forget } = useLift(move);
  const timer = useRef(0);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState(null);
  const [sheet, setSheet] = useState(null); // {file, told}: its columns are looked at
  const [read, setRead] = useState(null); // what a posting's file says
  const go = (change) => (location.hash = hrefTo(now, change));
  const close = () => {
    if (field && history.length > 1) return history.back(); // to the letter that named the field
    go({ job: "" });
    document.getElementById(`job-${shown}`)?.focus();
  };
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
      else if (told.total === 1) (setRead(markPosting(told.jobs[0].fields)), go({ add: "saved" }));
      else await report(await upload("/api/jobs/import", file));
    } catch (failure) {
      setRefused(failure);
    }
    setBusy(false);
  };
  useDrop(take);
  const open = (job) => hrefTo(now, { job: job.job_id });
  const job = jobs?.find((item) => String(item.job_id) === shown);
  const given = useMemo(() => ({ all: jobs ?? [] }), [loaded, removed.value]);
  const active = given.all.filter((item) =>
    ["applied", "interviewing", "offer"].includes(item.status),
  ).length;
  const remove = () => {
    const next = findNeighbour(job.job_id);
    removeLater({
      key: toPath(job),
      path: toPath(job),
      text: `Deleted ${makeVisible(nameJob(job))}`,
      onRestored: () => focusJob(job.job_id),
      onErased: () => tellChange({ status: "changed" }), // the sidebar counts the jobs
    });
    go({ job: "" });
    if (next) focusJob(next);
  };
  const added = (saved) => {
    showToast(`Added ${makeVisible(nameJob(saved))}`);
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
        usual=${findUsual(jobs)}
        open=${(known) => hrefTo(now, { job: known.job_id })}
        onDone=${added}
        onClose=${() => (setRead(null), go({ add: "" }), focusMain())}
      />`
    }
    ${sheet && html`<${ImportSheet} ...${sheet} onDone=${report} onClose=${() => setSheet(null)} />`}
    ${
      job &&
      html`<${JobSheet}
        key=${job.job_id}
        job=${job}
        field=${field}
        usual=${findUsual(jobs)}
        onChanged=${put}
        onDeleted=${remove}
        onClose=${close}
      />`
    }`;
}
