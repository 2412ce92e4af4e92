// The tracker: jobs as a board or as a table, moved from status to status.
import { useEffect, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { html } from "../html.js";
import { Empty, Failure, More, Time, Wide } from "../parts.js";
import { formatCount, makeVisible } from "../words.js";

const PAGE = 200;
const MOST_PAGES = 5;
const SHOWN = 50; // of a column, until more is wanted
const COLUMNS = ["company", "title", "status", "location", "salary", "job_fit", "updated_at"];
const SORTS = { company: "company", title: "title", status: "status", salary: "salary", job_fit: "fit", updated_at: "updated_at" };
const SIGNS = { "job_fit": "fit", "updated_at": "changed" };

async function loadJobs({ q, sort, order }) {
  const jobs = [];
  let cursor = null;
  let total = 0;
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await get(withQuery("/api/jobs", { q, sort, order, limit: PAGE, cursor }));
    jobs.push(...found.jobs);
    [cursor, total] = [found.next_cursor, found.total];
    if (!cursor) break;
  }
  return { jobs, total };
}

function formatSalary({ salary_min, salary_max, salary_currency, salary_period }) {
  const amounts = [salary_min, salary_max].filter((amount) => amount !== null).map(formatCount);
  if (!amounts.length) return "";
  return [[...new Set(amounts)].join("–"), salary_currency, salary_period && `a ${salary_period}`].filter(Boolean).join(" ");
}

const toFieldId = (job) => `status-${job.job_id}`;

function StatusChoice({ job, statuses, move }) {
  return html`<select id=${toFieldId(job)} aria-label=${`status of ${job.title} at ${job.company}`} value=${job.status} onChange=${(event) => move(job, event.target.value)}>${statuses.map((name) => html`<option value=${name}>${name}</option>`)}</select>`;
}

function Card({ job, statuses, move }) {
  const facts = [job.location, job.remote_type, formatSalary(job), job.job_fit !== null && `fit ${job.job_fit} of 5`, job.tags].filter(Boolean);
  return html`<li class="panel card" draggable="true" onDragStart=${(event) => event.dataTransfer.setData("text/plain", String(job.job_id))}>
    <strong>${makeVisible(job.title)}</strong><p>${makeVisible(job.company)}</p>
    ${facts.length > 0 && html`<p class="soft">${makeVisible(facts.join(" · "))}</p>`}
    <${StatusChoice} job=${job} statuses=${statuses} move=${move} />
  </li>`;
}

function Column({ name, jobs, statuses, move }) {
  const [shown, setShown] = useState(SHOWN);
  const drop = (event) => {
    event.preventDefault();
    const job = event.dataTransfer.getData("text/plain");
    move({ job_id: Number(job) }, name);
  };
  return html`<section class="column" aria-label=${name} onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
    <h2>${name} <span class="soft">${formatCount(jobs.length)}</span></h2>
    <ul class="plain">${jobs.slice(0, shown).map((job) => html`<${Card} key=${job.job_id} job=${job} statuses=${statuses} move=${move} />`)}</ul>
    <${More} isThere=${jobs.length > shown} onMore=${() => setShown(shown + SHOWN)} />
  </section>`;
}

function Table({ jobs, statuses, move, sort, order, hrefTo }) {
  const [shown, setShown] = useState(SHOWN * 2);
  const cells = {
    status: (job) => html`<${StatusChoice} job=${job} statuses=${statuses} move=${move} />`,
    salary: formatSalary,
    updated_at: (job) => html`<${Time} at=${job.updated_at} />`,
  };
  const head = (name) => {
    const key = SORTS[name];
    const title = SIGNS[name] ?? name;
    if (!key) return title;
    return html`<a href=${hrefTo({ sort: key, order: sort === key && order === "asc" ? "desc" : "asc" })}>${title}</a>`;
  };
  return html`<${Wide} label="jobs">
    <thead><tr>${COLUMNS.map((name) => html`<th class="name" aria-sort=${sort === SORTS[name] ? `${order}ending` : null}>${head(name)}</th>`)}</tr></thead>
    <tbody>${jobs.slice(0, shown).map((job) => html`<tr key=${job.job_id}>${COLUMNS.map((name) => html`<td class="name">${name in cells ? cells[name](job) : makeVisible(String(job[name] ?? "–"))}</td>`)}</tr>`)}</tbody>
  </${Wide}>
  <${More} isThere=${jobs.length > shown} onMore=${() => setShown(shown + SHOWN * 2)} />`;
}

/** @param {{view?: string, q?: string, sort?: string, order?: string}} props they stand in the address */
export function Screen({ view = "board", q = "", sort = "updated_at", order = "desc" }) {
  const [state, setState] = useState({ jobs: null, total: 0, statuses: [], error: null });
  const [sought, setSought] = useState(q);
  const load = async () => {
    try {
      const [found, stats] = await Promise.all([loadJobs({ q, sort, order }), get("/api/jobs/stats")]);
      setState({ ...found, statuses: Object.keys(stats.by_status), error: null });
    } catch (error) {
      setState((now) => ({ ...now, error }));
    }
  };
  useEffect(() => void load(), [q, sort, order]);
  const move = async (job, status) => {
    const known = state.jobs.find((item) => item.job_id === job.job_id);
    if (!known || known.status === status) return;
    try {
      const changed = await request("PATCH", `/api/jobs/${job.job_id}`, { status });
      const isHeld = document.activeElement?.id === toFieldId(job);
      setState((now) => ({ ...now, error: null, jobs: now.jobs.map((item) => (item.job_id === job.job_id ? changed : item)) }));
      if (isHeld) setTimeout(() => document.getElementById(toFieldId(job))?.focus()); // its card is in another column now
    } catch (error) {
      setState((now) => ({ ...now, error }));
    }
  };
  const hrefTo = (change) => withQuery("#/careers.tracker", { view, q, sort, order, ...change });
  const seek = (event) => {
    event.preventDefault();
    location.hash = hrefTo({ q: sought.trim() });
  };
  const { jobs, total, statuses, error } = state;
  return html`<h1>Tracker</h1>
    <form role="search" onSubmit=${seek}>
      <label>Words in company, title, place, tags, notes<input type="search" id="search" value=${sought} onInput=${(event) => setSought(event.target.value)} /></label>
      <button>Search</button>
      <span class="row">${["board", "table"].map((name) => html`<a key=${name} href=${hrefTo({ view: name })} aria-current=${view === name ? "true" : null}>${name}</a>`)}<a href="/api/jobs.csv">CSV</a></span>
    </form>
    <${Failure} error=${error} again=${load} />
    ${jobs?.length === 0 && html`<${Empty}>${q ? "No job has these words." : "No jobs yet: add one in the chat."}</${Empty}>`}
    ${jobs?.length > 0 && (view === "table"
      ? html`<${Table} jobs=${jobs} statuses=${statuses} move=${move} sort=${sort} order=${order} hrefTo=${hrefTo} />`
      : html`<div class="board" tabindex="0" role="group" aria-label="board">${statuses.map((name) => html`<${Column} key=${name} name=${name} jobs=${jobs.filter((job) => job.status === name)} statuses=${statuses} move=${move} />`)}</div>`)}
    ${jobs && total > jobs.length && html`<p class="soft">${formatCount(jobs.length)} of ${formatCount(total)}: search for the others.</p>`}`;
}
