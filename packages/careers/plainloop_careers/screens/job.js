// One job: where it stands, what comes next, its notes, letters and details. What is changed is saved
// when its field is left.
import { useEffect, useRef, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { openChat } from "../focus.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { toChat } from "../own_message.js";
import { Dialog, Failure, Menu, showToast, useLoaded } from "../parts.js";
import { draft } from "../session.js";
import { SureButton } from "../sure.js";
import { formatCount, formatOf, makeDates, makeVisible, nameChat, toWords } from "../words.js";
import { keepTyped, loadTyped } from "./drafts.js";
import "./style.js";

const ORDER = ["saved", "applied", "interviewing", "offer", "accepted"];
const ENDS = ["rejected", "withdrawn"];
export const STATUSES = [...ORDER, ...ENDS];
export const FOLLOW_UP_DAYS = 10;
export const DAY_MS = 86_400_000;
const WORKPLACES = ["remote", "hybrid", "onsite"];
const PERIODS = ["hour", "day", "week", "month", "year"];
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

export const nameJob = (job) => `${job.title} at ${job.company}`;

/** Days since one applied. */
export const countDays = (job) =>
  job.applied_at ? Math.floor((Date.now() - new Date(job.applied_at)) / DAY_MS) : 0;

/** What a move did, with what it removed: statuses reached within the last day, by mistake. */
export function describeMove(job, status, takenBack) {
  const lost = Object.keys(takenBack).map(toWords);
  const removed = `The date${lost.length === 1 ? "" : "s"} of ${lost.join(" and ")}`;
  return (
    `Moved ${makeVisible(nameJob(job))} to ${toWords(status)}` +
    (lost.length ? `. ${removed} ${lost.length === 1 ? "was" : "were"} removed.` : "")
  );
}

/** The change that undoes a move: with the dates that it removed, and the time of the change before. */
export const toUndo = ({ status, updated_at: before }, { updated_at }, reached) => ({
  status,
  reached,
  undone: { updated_at, before },
});

export function formatSalary({
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

export const toPlace = (job) => `job ${job.job_id}`; // of what is typed into its form

/** What stands in a form, as the API takes it. */
export function readForm(form) {
  const told = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, value.trim() || null]),
  );
  for (const name of ["salary_min", "salary_max"]) if (told[name]) told[name] = Number(told[name]);
  return told;
}

export const NEEDED = ["title", "company"];

export const Inputs = ({ job, names, isNew }) =>
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

export const Choice = ({ name, title, value, values }) =>
  html`<label
    >${title}<select name=${name}>
      ${values.map((each) => html`<option value=${each} selected=${each === value}>${each ? toWords(each) : "Not given"}</option>`)}
    </select></label
  >`;

export const PaidPer = ({ value }) =>
  html`<${Choice}
    name="salary_period"
    title="Paid per"
    value=${value ?? ""}
    values=${["", ...PERIODS]}
  />`;

export const Workplace = ({ value }) =>
  html`<${Choice}
    name="remote_type"
    title="Workplace"
    value=${value ?? ""}
    values=${["", ...WORKPLACES]}
  />`;

export const SHOWN_FIELDS = [
  "title",
  "company",
  "location",
  "url",
  "salary_min",
  "salary_max",
  "salary_currency",
];

const formatDay = (iso) =>
  makeDates({
    day: "numeric",
    month: "short",
    ...(new Date(iso).getFullYear() !== new Date().getFullYear() && { year: "numeric" }),
  }).format(new Date(iso));

/** The statuses on the way, each with the day on which it was reached. */
function Steps({ job, statuses }) {
  const dates = new Map(statuses.map((item) => [item.status, item.reached_at]));
  const isEnded = ENDS.includes(job.status);
  const way = isEnded
    ? [...ORDER.filter((status) => dates.has(status)), job.status]
    : ORDER.filter((status) => status !== "accepted" || job.status === status);
  return html`<ol class="plain reached" aria-label="Statuses">
    ${way.map(
      (status) =>
        html`<li
          key=${status}
          class=${dates.has(status) || status === job.status ? "done" : ""}
          aria-current=${status === job.status ? "step" : null}
        >
          <b>${toWords(status)}</b
          >${dates.get(status) && html`<time datetime=${dates.get(status)}>${formatDay(dates.get(status))}</time>`}
        </li>`,
    )}
  </ol>`;
}

/** What one does next for a job: `[words, label?, request?]`; null: nothing. */
function findNext(job, letter) {
  const days = countDays(job);
  const followUp = new Date(new Date(job.applied_at).getTime() + FOLLOW_UP_DAYS * DAY_MS);
  if (job.status === "saved")
    return [letter ? "Send your application, then choose Applied." : "Write a letter, then apply."];
  if (job.status === "applied" && job.applied_at)
    return days < FOLLOW_UP_DAYS
      ? [`Wait for an answer. Follow up from ${formatDay(followUp)}.`]
      : [`No answer for ${formatOf(days, "day")}: follow up?`];
  if (job.status === "interviewing")
    return [
      "Prepare for the interview.",
      "Questions to ask",
      `what should I ask in an interview at ${job.company}?`,
    ];
  if (job.status === "offer") return ["Decide on the offer, then choose Accepted or Withdrawn."];
  return null;
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

/** Saving a job's form: what differs is sent when a field is left, and when the sheet is shut. */
function useSaved({ job, onChanged }) {
  const place = toPlace(job);
  const form = useRef(null);
  const hold = (element) => element && (form.current = element); // also once it is gone: it is read then
  const known = useRef(job); // as the server has it
  const queue = useRef(Promise.resolve());
  const isShut = useRef(false);
  const [error, setError] = useState(null);
  const [typed, setTyped] = useState(loadTyped(place) ?? null); // what is not saved yet, by field
  const [isHeld, setHeld] = useState(typed !== null); // it was left unsaved before
  const [told, setTold] = useState(null); // what was saved last: {text, undo}
  const keep = () => {
    const changes = findChanges(form.current, known.current);
    const now = changes.length ? Object.fromEntries(changes) : null;
    keepTyped(place, now);
    setTyped(now);
  };
  const send = async (changes, isUndo = false) => {
    const before = known.current;
    try {
      const { taken_back: takenBack, ...changed } = await request(
        "PATCH",
        `/api/jobs/${job.job_id}`,
        changes,
      );
      known.current = changed;
      const undo = () => add(toUndo(before, changed, takenBack), true);
      setTold(
        changes.status && !isUndo
          ? { text: describeMove(changed, changed.status, takenBack), undo }
          : { text: "Saved" },
      );
      setError(null);
      setHeld(false);
      onChanged(changed);
      if (isShut.current) return keepTyped(place, null);
      // The server may have written it otherwise ("a,b" as "a, b").
      for (const [name, value] of Object.entries(changes)) {
        const field = form.current.elements[name];
        if (field && field.value.trim() === String(value ?? "")) field.value = changed[name] ?? "";
      }
      keep();
    } catch (failure) {
      if (isShut.current)
        showToast(`The changes to ${makeVisible(nameJob(job))} are not saved: ${failure.message}`);
      setError(failure);
    }
  };
  const add = (changes, isUndo) =>
    (queue.current = queue.current.then(() => send(changes, isUndo)));
  const save = () => {
    const changes = Object.fromEntries(findChanges(form.current, known.current));
    if (Object.keys(changes).length && form.current.reportValidity()) add(changes);
  };
  // What was changed elsewhere is no change any more; fields that nobody typed into follow.
  useEffect(() => ((known.current = job), keep()), [job]);
  const leave = useRef(null);
  leave.current = () => {
    if (!isHeld) save();
    isShut.current = true;
  };
  useEffect(() => () => leave.current(), []);
  const discard = () => {
    keepTyped(place, null);
    for (const { name } of [...form.current.elements].filter((field) => field.name))
      form.current.elements[name].value = known.current[name] ?? "";
    setTyped(null);
    setHeld(false);
    setError(null);
  };
  return { hold, error, typed, isHeld: isHeld || error !== null, told, keep, save, add, discard };
}

/** @param {{job: object, letter?: object, onChanged: Function, onDeleted: Function, onClose: Function}} props */
export function JobSheet({ job, letter, onChanged, onDeleted, onClose }) {
  const saved = useSaved({ job, onChanged });
  const { typed, told, isHeld } = saved;
  const [isOpen] = useState(() => Object.keys(typed ?? {}).some((name) => name !== "notes"));
  const { data: chats } = useLoaded(
    () =>
      get(
        withQuery("/api/chat/conversations", { text: job.company, branches: "newest", limit: 5 }),
      ),
    job.company,
  );
  const { data: history } = useLoaded(
    () => get(`/api/jobs/${job.job_id}/statuses`),
    `${job.status} ${job.applied_at}`,
  );
  const remove = () => {
    saved.discard();
    onDeleted();
  };
  const ask = (text) => {
    draft.value = text;
    openChat();
  };
  // Escape shuts the menu alone, not the sheet around it.
  const keepOpen = (event) =>
    event.key === "Escape" && event.currentTarget.querySelector("[open]") && event.preventDefault();
  const known = { ...job, ...typed };
  const next = findNext(job, letter);
  const facts = [
    job.location,
    job.remote_type && toWords(job.remote_type),
    formatSalary(job),
    job.contact_name && `contact: ${job.contact_name}`,
  ].filter(Boolean);
  const isMain = job.status === "saved" && !letter;
  return html`<${Dialog} title=${makeVisible(nameJob(job))} isSide=${true} onClose=${onClose}>
    ${facts.length > 0 && html`<p class="soft">${makeVisible(facts.join(" · "))}</p>`}
    <p class="row">
      ${
        job.url &&
        /^https?:/.test(job.url) &&
        html`<a class="button" href=${job.url} target="_blank" rel="noopener noreferrer nofollow"
          >Open the posting<${Icon} name="arrow-up-right" size=${14}
        /></a>`
      }<button
        class=${isMain ? "accent" : ""}
        onClick=${() => ask(`write a cover letter for ${nameJob(job)} (job ${job.job_id})`)}
      >
        <${Icon} name="file-text" />Write a letter
      </button>
    </p>
    <form
      id="job-fields"
      class="stack"
      ref=${saved.hold}
      onInput=${saved.keep}
      onChange=${() => saved.save()}
      onSubmit=${(event) => event.preventDefault()}
    >
      <div class="standing">
        <${Steps} job=${job} statuses=${history?.statuses ?? []} />
        <p class="row" onKeyDownCapture=${keepOpen}>
          Status
          <${Menu}
            label=${toWords(job.status)}
            title=${`Status: ${toWords(job.status)}`}
            style="small button left"
            >${STATUSES.filter((status) => status !== job.status).map(
              (status) =>
                html`<button
                  key=${status}
                  type="button"
                  class="ghost"
                  onClick=${() => saved.add({ status })}
                >
                  ${toWords(status)}
                </button>`,
            )}</${Menu}
          >
        </p>
        ${
          next &&
          html`<p class="next">
            <span><b>Next:</b> ${makeVisible(next[0])}</span>${
              next[1] &&
              html`<button type="button" class="small" onClick=${() => ask(next[2])}>
                ${next[1]}
              </button>`
            }
          </p>`
        }
      </div>
      <label
        >Notes<textarea
          name="notes"
          rows="3"
          placeholder="Whom you spoke to, what to ask, when to call"
          defaultValue=${known.notes ?? ""}
        ></textarea>
      </label>
      <details open=${isOpen}>
        <summary>Title, place, salary and more</summary>
        <div class="fields-form facts">
          <${Inputs} job=${known} names=${SHOWN_FIELDS} /><${PaidPer}
            value=${known.salary_period}
          /><${Workplace} value=${known.remote_type} /><${Inputs}
            job=${known}
            names=${["contact_name", "tags"]}
          />
        </div>
      </details>
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
                html`<a key=${chat.id} href=${toChat(chat.id)}
                  ><${Icon} name="message-square" /><b>${nameChat(chat)}</b></a
                >`,
            )}
          </div>`
        : chats && html`<p class="soft">None yet</p>`
    }
    <p class="end">
      <${SureButton}
        name="Delete the job"
        question="Delete the job for good"
        style="ghost"
        onSure=${remove}
      />
    </p>
    <div class="save-bar">
      <${Failure} error=${saved.error} />
      <p role="status">
        ${typed ? "Not saved yet" : (told?.text ?? "Changes are saved when you leave a field.")}
      </p>
      ${!typed && told?.undo && html`<button class="small" onClick=${told.undo}>Undo</button>`}
      ${
        typed &&
        isHeld &&
        html`<button class="ghost" onClick=${saved.discard}>Discard</button
          ><button class="accent" onClick=${() => saved.save()}>Save</button>`
      }
    </div>
  </${Dialog}>`;
}
