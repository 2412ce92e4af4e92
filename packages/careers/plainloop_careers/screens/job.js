// One job: where it stands, what comes next, its notes, letters and details. What is changed is saved
// when its field is left.
import { useEffect, useRef, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { openChat } from "../focus.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { toChat } from "../own_message.js";
import { Dialog, Failure, Menu, Time, showToast, useLoaded } from "../parts.js";
import { config, order } from "../session.js";
import { SureButton } from "../sure.js";
import { formatCount, formatOf, makeDates, makeVisible, nameChat, toWords } from "../words.js";
import { keepTyped, loadTyped } from "./drafts.js";
import { Open, countOpen } from "./letter.js";
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
  ["contact_name", "Contact"],
  ["tags", "Tags"],
];

export const nameJob = (job) => `${job.title} at ${job.company}`;

/**
 * Ask about a job in a new chat. Its number is only in the request where the company has other jobs.
 * @param {(name: string) => string} toText
 */
export async function askAbout(job, toText) {
  const found = await get(withQuery("/api/jobs", { company: job.company, limit: 2 })).catch(
    () => null,
  );
  const isAlone = found?.jobs.length === 1;
  order.value = toText(isAlone ? nameJob(job) : `${nameJob(job)} (job ${job.job_id})`);
  openChat();
}

export const Fit = ({ fit }) =>
  fit !== null &&
  html`<span class="fit" role="img" aria-label=${`Fit ${fit} of 5`} title=${`Fit ${fit} of 5`}
    >${[1, 2, 3, 4, 5].map((n) => html`<i class=${n <= fit ? "on" : ""}></i>`)}</span
  >`;

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

const AMOUNTS = ["salary_min", "salary_max"];
const UNITS = ["salary_currency", "salary_period"];
// Offered beside those that the user's jobs have.
const CURRENCIES =
  "EUR USD GBP CHF AUD BRL CAD CZK DKK HKD HUF ILS INR JPY KRW MXN NOK NZD PLN RON SEK SGD TRY ZAR";

/** An amount as people type it: "82,000", "82.000", "82 000", "82k", "45.50". */
function parseAmount(text) {
  const plain = text.toLowerCase().replace(/[\s'’]/g, "");
  const [, whole, part = ""] = /^(.*?)(?:[.,](\d{1,2}))?k?$/.exec(plain);
  return Number(`${whole.replace(/[.,]/g, "")}.${part}`) * (plain.endsWith("k") ? 1000 : 1);
}

/** A field's value as its input shows it: amounts with their thousands grouped. */
const toShown = (name, value) =>
  AMOUNTS.includes(name) && typeof value === "number"
    ? new Intl.NumberFormat("en", { maximumFractionDigits: 2 }).format(value)
    : (value ?? "");

/** What stands in a form, as the API takes it. */
export function readForm(form) {
  const told = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, value.trim() || null]),
  );
  for (const name of AMOUNTS) if (told[name]) told[name] = parseAmount(told[name]);
  return told;
}

/** The currency and period of the user's last job that has pay: what the next one probably has. */
export const findUsual = (jobs) =>
  jobs?.find((job) => /^[A-Z]{3}$/.test(job.salary_currency ?? "")) ?? {};

/** Give pay that was typed the usual currency and period, unless it has its own. */
export function fillUnits({ target }, usual) {
  if (!AMOUNTS.includes(target.name) || !target.value.trim()) return;
  for (const name of UNITS) {
    const field = target.form.elements[name];
    if (!field.value) field.value = usual[name] ?? "";
  }
}

export const NEEDED = ["title", "company"];

/** `filled`: names of the fields that a posting filled, to be checked. */
const Inputs = ({ job, names, isNew, isFirst, filled = [] }) =>
  FIELDS.filter(([name]) => names.includes(name)).map(
    ([name, title]) =>
      html`<label key=${name}
        ><span
          >${title}${isNew && NEEDED.includes(name) && html`<span class="needed" aria-hidden="true"> *</span>`}</span
        ><input
          name=${name}
          class=${filled.includes(name) ? "filled" : ""}
          defaultValue=${toShown(name, job?.[name])}
          inputmode=${AMOUNTS.includes(name) ? "decimal" : undefined}
          pattern=${AMOUNTS.includes(name) ? "\\s*\\d[\\d.,'’\\s]*[kK]?\\s*" : undefined}
          title=${AMOUNTS.includes(name) ? "An amount such as 82,000 or 82k" : undefined}
          required=${NEEDED.includes(name)}
          aria-required=${NEEDED.includes(name) ? "true" : undefined}
          autofocus=${isFirst && name === "title"}
      /></label>`,
  );

export const Choice = ({ name, title, value, values, filled = [] }) =>
  html`<label
    >${title}<select name=${name} class=${filled.includes(name) ? "filled" : ""}>
      ${values.map((each) => html`<option value=${each} selected=${each === value}>${each ? toWords(each) : "Not given"}</option>`)}
    </select></label
  >`;

/** What a job is, where, and its pay with currency and period: the same for a new and a known one. */
export const Facts = ({ job, usual = {}, isNew, isFirst, filled }) => {
  const currency = job.salary_currency ?? "";
  const currencies = new Set(
    ["", currency, usual.salary_currency ?? "", ...CURRENCIES.split(" ")].sort(
      (one, other) => Number(other === "") - Number(one === ""),
    ),
  );
  const inputs = (...names) =>
    html`<${Inputs}
      job=${job}
      names=${names}
      isNew=${isNew}
      isFirst=${isFirst}
      filled=${filled}
    />`;
  return html`${inputs("title")}${inputs("company")}${inputs("location")}<${Choice}
      name="remote_type"
      title="Workplace"
      value=${job.remote_type ?? ""}
      values=${["", ...WORKPLACES]}
      filled=${filled}
    />${inputs("url")}
    <div class="pay-fields">
      ${inputs("salary_min", "salary_max")}<${Choice}
        name="salary_currency"
        title="Currency"
        value=${currency}
        values=${[...currencies]}
        filled=${filled}
      /><${Choice}
        name="salary_period"
        title="Paid per"
        value=${job.salary_period ?? ""}
        values=${["", ...PERIODS]}
        filled=${filled}
      />
    </div>`;
};

// What is read most stands open; these are folded away.
const REST = ["contact_name", "tags"];

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

/** What one does next for a job: `{text, label?, toText?, href?}`; null: nothing. */
function findNext(job, documents) {
  const days = countDays(job);
  const followUp = new Date(new Date(job.applied_at).getTime() + FOLLOW_UP_DAYS * DAY_MS);
  const [letter, reminder] = ["cover_letter", "follow_up"].map((kind) =>
    documents.find((item) => item.kind === kind),
  );
  if (job.status === "saved")
    return letter
      ? {
          text: "Send your application, then choose Applied.",
          label: "Open the letter",
          href: toLetter(letter),
        }
      : {
          text: "Write a letter, then apply.",
          label: "Write a letter",
          toText: askForLetter,
          isMain: true,
        };
  if (job.status === "applied" && job.applied_at && days < FOLLOW_UP_DAYS)
    return { text: `Wait for an answer. Follow up from ${formatDay(followUp)}.` };
  if (job.status === "applied" && job.applied_at)
    return {
      text: `No answer for ${formatOf(days, "day")}.${reminder ? " Send your follow-up." : ""}`,
      ...(reminder
        ? { label: "Open the follow-up", href: toLetter(reminder) }
        : {
            label: "Write a follow-up",
            toText: (name) => `write a follow-up letter for ${name}`,
            isMain: true,
          }),
    };
  if (job.status === "interviewing")
    return {
      text: "Prepare for the interview.",
      label: "Questions to ask",
      toText: () => `what should I ask in an interview at ${job.company}?`,
    };
  if (job.status === "offer")
    return { text: "Decide on the offer, then choose Accepted or Withdrawn." };
  return null;
}

const toLetter = ({ document_id: id }) => `#/careers.letters/${id}`;
const askForLetter = (name) => `write a cover letter for ${name}`;
const askForNew = (name) => `write a new cover letter for ${name}`;
const askForFit = (name) =>
  `compare ${name} with my résumé and profile, save its fit from 0 to 5 in the tracker, and say why`;
const nameFit = (fit) => (fit === null ? "Not rated" : `${fit} of 5`);

/** How well a job suits, how that is set, and how one gets it. */
const Rating = ({ job, add }) =>
  html`<p class="row">
      <${Menu}
        label=${job.job_fit === null ? "Fit: not rated" : html`<${Fit} fit=${job.job_fit} />`}
        title=${`Fit: ${nameFit(job.job_fit)}`}
        style="small button left"
        >${[5, 4, 3, 2, 1, 0, null]
          .filter((fit) => fit !== job.job_fit)
          .map(
            (fit) =>
              html`<button
                key=${fit}
                type="button"
                class="ghost"
                onClick=${() => add({ job_fit: fit })}
              >
                ${nameFit(fit)}
              </button>`,
          )}</${Menu}
      >
    </p>
    <p class="soft fit-source">
      How well the job suits
      you.${
        !config.value.is_offline &&
        html`${" "}<button type="button" class="link" onClick=${() => askAbout(job, askForFit)}>
            Ask in a chat
          </button>`
      }
    </p>`;

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
        const isSame = String(readForm(form.current)[name] ?? "") === String(value ?? "");
        if (field && isSame) field.value = toShown(name, changed[name]);
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
      form.current.elements[name].value = toShown(name, known.current[name]);
    setTyped(null);
    setHeld(false);
    setError(null);
  };
  return { hold, error, typed, isHeld: isHeld || error !== null, told, keep, save, add, discard };
}

const MOST_CHATS = 2;

/** A job's letters, its company's chats, and when it reached its statuses, as far as to be had. */
async function loadAround({ job_id: id, company }) {
  const [{ documents }, { statuses }, { conversations: chats }] = await Promise.all([
    get(`/api/documents?job_id=${id}&limit=20`).catch(() => ({ documents: [] })),
    get(`/api/jobs/${id}/statuses`).catch(() => ({ statuses: [] })),
    get(
      withQuery("/api/chat/conversations", {
        text: company,
        branches: "newest",
        limit: MOST_CHATS,
      }),
    ).catch(() => ({ conversations: [] })),
  ]);
  return { documents, statuses, chats };
}

/**
 * @param {{job: object, field?: string, usual: object, onChanged: Function, onDeleted: Function, onClose: Function}} props
 *   field: the one to begin at
 */
export function JobSheet({ onClose, ...given }) {
  const { job } = given;
  const { data } = useLoaded(
    () => loadAround(job),
    `${job.status} ${job.applied_at} ${job.company}`,
  );
  // Its letters and chats stand above the fields, which are drawn once these are there: nothing moves.
  return html`<${Dialog} title=${makeVisible(nameJob(job))} isSide=${true} onClose=${onClose}>
    ${data ? html`<${Body} ...${given} ...${data} />` : html`<p class="soft wait">Loading…</p>`}
  </${Dialog}>`;
}

function Papers({ job, documents, chats, hasMain }) {
  const { data: counted } = useLoaded(() => countOpen(documents), documents);
  return html`<section class="of-this-job" aria-label="Letters">
      <div class="row spread">
        <h3>Letters</h3>
        ${
          !hasMain &&
          html`<button
            type="button"
            class="small ghost"
            onClick=${() => askAbout(job, documents.length ? askForNew : askForLetter)}
          >
            <${Icon}
              name="plus"
              size=${14}
            />${documents.length ? "Write a new letter" : "Write a letter"}
          </button>`
        }
      </div>
      ${
        documents.length
          ? html`<div class="rows">
              ${(counted ?? documents).map(
                (item) =>
                  html`<a key=${item.document_id} href=${toLetter(item)}
                    ><${Icon} name="file-text" /><b
                      >${makeVisible(item.title.replace(` for ${nameJob(job)}`, ""))}</b
                    ><${Open} item=${item} /><span class="soft"
                      >version ${item.latest_version}</span
                    ></a
                  >`,
              )}
            </div>`
          : html`<p class="soft">None yet</p>`
      }
    </section>
    <section class="of-this-job chats" aria-label="Chats">
      <div class="row spread">
        <h3>Chats about ${makeVisible(job.company)}</h3>
        <a class="button small ghost" href=${withQuery("#/history", { text: job.company })}>All</a>
      </div>
      ${
        chats.length > 0
          ? html`<div class="rows">
              ${chats.map(
                (chat) =>
                  html`<a key=${chat.id} href=${toChat(chat.id)}
                    ><${Icon} name="message-square" /><b>${nameChat(chat)}</b
                    ><span class="wide-only"><${Time} at=${chat.updated_at} /></span
                  ></a>`,
              )}
            </div>`
          : html`<p class="soft">None yet</p>`
      }
    </section>`;
}

function Body({ job, field, usual, documents, statuses, chats, onChanged, onDeleted }) {
  const saved = useSaved({ job, onChanged });
  const { typed, told, isHeld } = saved;
  const [isOpen] = useState(() =>
    [field, ...Object.keys(typed ?? {})].some((name) => REST.includes(name)),
  );
  useEffect(() => {
    const named = field && document.getElementById("job-fields").elements.namedItem(field);
    named?.scrollIntoView({ block: "center" });
    named?.focus({ preventScroll: true });
  }, []);
  const remove = () => {
    saved.discard();
    onDeleted();
  };
  // Escape shuts the menu alone, not the sheet around it.
  const keepOpen = (event) =>
    event.key === "Escape" && event.currentTarget.querySelector("[open]") && event.preventDefault();
  const known = { ...job, ...typed };
  const next = findNext(job, documents);
  const workplace = job.remote_type ? toWords(job.remote_type) : "";
  const isSame = workplace.toLowerCase() === job.location?.toLowerCase();
  const facts = [
    !isSame && job.location,
    workplace,
    formatSalary(job),
    job.contact_name && `contact: ${job.contact_name}`,
  ].filter(Boolean);
  return html`${facts.length > 0 && html`<p class="soft">${makeVisible(facts.join(" · "))}</p>`}
    ${
      job.url &&
      /^https?:/.test(job.url) &&
      html`<p>
        <a class="button small" href=${job.url} target="_blank" rel="noopener noreferrer nofollow"
          >Open the posting<${Icon} name="arrow-up-right" size=${14}
        /></a>
      </p>`
    }
    <div class="standing" onKeyDownCapture=${keepOpen}>
      <${Steps} job=${job} statuses=${statuses} />
      <div class="states">
        <p class="row">
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
        <${Rating} job=${job} add=${saved.add} />
      </div>
      ${
        next &&
        html`<p class="next">
          <span><b>Next:</b> ${makeVisible(next.text)}</span>${
            next.href && html`<a class="button small" href=${next.href}>${next.label}</a>`
          }${
            next.toText &&
            html`<button
              type="button"
              class=${next.isMain ? "small accent" : "small"}
              onClick=${() => askAbout(job, next.toText)}
            >
              ${next.label}
            </button>`
          }
        </p>`
      }
    </div>
    <${Papers}
      job=${job}
      documents=${documents}
      chats=${chats}
      hasMain=${next?.toText === askForLetter}
    />
    <form
      id="job-fields"
      class="stack"
      ref=${saved.hold}
      onInput=${saved.keep}
      onChange=${(event) => (fillUnits(event, usual), saved.save())}
      onSubmit=${(event) => event.preventDefault()}
    >
      <h3>Details</h3>
      <label
        >Notes<textarea
          name="notes"
          rows="3"
          placeholder="Whom you spoke to, what to ask, when to call"
          defaultValue=${known.notes ?? ""}
        ></textarea>
      </label>
      <div class="fields-form facts of-job"><${Facts} job=${known} usual=${usual} /></div>
      <details open=${isOpen}>
        <summary>Contact and tags</summary>
        <div class="fields-form facts"><${Inputs} job=${known} names=${REST} /></div>
      </details>
    </form>
    ${
      job.requirements &&
      html`<h3>Requirements</h3>
        <ul class="compact">
          ${job.requirements.split("\n").map((line) => line.trim() && html`<li>${makeVisible(line)}</li>`)}
        </ul>`
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
    </div>`;
}
