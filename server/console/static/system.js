// The service itself: its processes, what runs and waits in it, what the doctor finds, its settings.
import { useEffect, useMemo, useState } from "./vendor.js";
import { get } from "./api.js";
import { html } from "./html.js";
import { Empty, Failure, Status, Time, Wide, useLoaded } from "./parts.js";
import { gather, session, signOut, useChanges } from "./session.js";
import { formatAge, formatCount, makeVisible } from "./words.js";

const LOOK_MS = 10_000;

function Who() {
  const { user_id, tenant_id, is_admin, expires_at } = session.value;
  return html`<p>You are <strong>${makeVisible(user_id)}</strong> of <strong>${makeVisible(tenant_id)}</strong>${is_admin && ", an administrator"}.
    ${expires_at && html` <button class="link" onClick=${signOut}>Sign out</button>`}</p>`;
}

const nameProcess = ({ host, pid }) => (pid ? `${host}, process ${pid}` : host);

function Replicas({ replicas, at }) {
  return html`<h2>Replicas</h2><${Wide} label="replicas">
    <thead><tr><th class="name">process</th><th class="name">state</th><th class="name">last seen</th><th>runs</th><th class="name">since</th></tr></thead>
    <tbody>${replicas.map((item) => html`<tr key=${item.owner}>
      <td class="name">${nameProcess(item)}${item.is_this && html`<small class="soft">it answers you now</small>`}</td>
      <td class="name"><${Status} status=${item.status} /></td>
      <td class="name">${item.seen_at ? `${formatAge(item.seen_at, at)} ago` : "–"}</td>
      <td>${formatCount(item.runs)}</td>
      <td class="name"><${Time} at=${item.started_at} /></td>
    </tr>`)}</tbody>
  </${Wide}>`;
}

function Queue({ queue, at }) {
  const tiles = [
    ["running", queue.running, queue.oldest_running_at],
    ["queued behind another one", queue.queued, queue.oldest_queued_at],
    ["waiting for a person", queue.waiting, queue.oldest_waiting_at],
  ];
  return html`<div class="tiles">${tiles.map(([name, count, since]) => html`<div class="tile"><b>${formatCount(count)}</b><span>${name}${since && `, the oldest for ${formatAge(since, at)}`}</span></div>`)}</div>
    ${queue.without_place > 0 && html`<p class="notice">${formatCount(queue.without_place)} of those that run wait for a place in the process that answers you: it works on as many at once as <code>limits.runs_at_once</code> says.</p>`}`;
}

/** One's own lead to their conversation; of others' it is seen that they are there. */
function Unfinished({ runs, replicas, at }) {
  const processes = new Map(replicas.map((item) => [item.owner, nameProcess(item)]));
  return html`<${Wide} label="runs that have not ended">
    <thead><tr><th class="name">begun</th><th class="name">state</th><th class="name">of</th><th class="name">next step</th><th class="name">process</th></tr></thead>
    <tbody>${runs.map((run) => {
      const begun = `${formatAge(run.created_at, at)} ago`;
      return html`<tr key=${run.run_id}>
        <td class="name">${run.user_id === session.value.user_id ? html`<a href=${`#/chat/${run.conversation_id}`}>${begun}</a>` : begun}</td>
        <td class="name"><${Status} status=${run.status} />${run.attempt > 1 && html`<small class="soft">attempt ${run.attempt}</small>`}</td>
        <td class="name">${makeVisible(run.user_id)}</td><td class="name">${run.next_node ?? "–"}</td>
        <td class="name">${processes.get(run.owner) ?? "–"}</td>
      </tr>`;
    })}</tbody>
  </${Wide}>`;
}

/** Who is there and what waits: looked at again as long as somebody looks here. */
function Now() {
  const { data, error, reload } = useLoaded(() => get("/api/system"), "");
  const again = useMemo(() => gather(reload), []);
  useChanges(again);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return html`<${Failure} error=${error} again=${reload} />
    ${data && html`<${Replicas} ...${data} />
      <h2>Runs that have not ended</h2>
      <${Queue} ...${data} />
      ${data.runs.length > 0 ? html`<${Unfinished} ...${data} />` : html`<${Empty}>Nothing runs and nothing waits.</${Empty}>`}`}`;
}

function Doctor() {
  const { data, error, isLoading, reload } = useLoaded(() => get("/api/system/doctor"), "");
  const found = data?.findings.filter((item) => item.what !== "settings" || item.level !== "note") ?? []; // those stand below
  const toRepair = found.filter((item) => item.level === "fail").length;
  return html`<h2>Doctor</h2>
    <${Failure} error=${error} again=${reload} />
    <p class="row"><strong role="status">${isLoading ? "Looking …" : data && (toRepair ? `${toRepair} to repair.` : "Everything that is needed is there.")}</strong>
      ${data && html`<button class="link" onClick=${reload}>Look again</button>`}</p>
    <dl>${[...new Set(found.map((item) => item.what))].map((what) => html`<dt key=${what}>${what}</dt><dd>${found.filter((item) => item.what === what).map((item) => html`<p class="finding"><${Status} status=${item.level} /> ${makeVisible(item.text)}${item.todo && html`<small class="soft">→ ${makeVisible(item.todo)}</small>`}</p>`)}</dd>`)}</dl>`;
}

const Table = ({ label, settings }) => html`<${Wide} label=${label}>
  <thead><tr><th class="name">setting</th><th class="name">value</th><th class="name">from</th></tr></thead>
  <tbody>${settings.map(({ key, value, source }) => html`<tr key=${key}><td class="name"><code>${key}</code></td><td class="name">${value || html`<span class="soft">–</span>`}</td><td class="name">${source}</td></tr>`)}</tbody>
</${Wide}>`;

function Settings({ all }) {
  const [isOpen, setOpen] = useState(false);
  const made = all.filter((item) => item.source !== "default");
  return html`<h2>Settings</h2>
    ${made.length > 0 ? html`<${Table} label="settings that were made" settings=${made} />` : html`<p class="soft">All have their default.</p>`}
    <details onToggle=${(event) => setOpen(event.target.open)}><summary>All of them (${all.length})</summary>${isOpen && html`<${Table} label="all settings" settings=${all} />`}</details>`;
}

function Service() {
  const { data, error, reload } = useLoaded(() => Promise.all([get("/api/health"), get("/api/config")]), "");
  if (!data) return html`<${Failure} error=${error} again=${reload} />`;
  const [health, config] = data;
  const facts = { version: health.version, provider: config.provider, model: config.model, design: config.design, packs: config.packs.join(", ") };
  return html`<h2>Service</h2>
    ${config.notice && html`<p class="notice">${config.notice}</p>`}
    <dl>${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    ${config.settings && html`<${Settings} all=${config.settings} />`}`;
}

export function System() {
  return html`<h1>System</h1>
    <${Who} />
    <p class="row"><a href="/docs">The HTTP API</a> <a href="/openapi.json">openapi.json</a></p>
    ${session.value.is_admin && html`<${Now} /><${Doctor} />`}
    <${Service} />`;
}
