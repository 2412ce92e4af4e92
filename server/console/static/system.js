// The service itself: its processes, what runs and waits in it, what the doctor finds.
import { useEffect, useMemo } from "./vendor.js";
import { Changes, toOwnDates } from "./changes.js";
import { get, withQuery } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Status, Time, Wide, useLoaded } from "./parts.js";
import { gather, hasPack, light, session, useChanges } from "./session.js";
import { describeNode, formatAge, formatCount, formatOf, makeVisible, toWords } from "./words.js";

const LOOK_MS = 10_000;

const nameProcess = ({ host, pid }) => (pid ? `${host}, process ${pid}` : host);

function Replicas({ replicas, at }) {
  return html`<h2>Servers</h2>
    <${Wide} isStacked label="servers">
      <thead>
        <tr>
          <th class="name">Server</th>
          <th class="name">State</th>
          <th class="name">Last sign of life</th>
          <th>Works on</th>
          <th class="name">Started</th>
        </tr>
      </thead>
      <tbody>
        ${replicas.map(
          (item) =>
            html`<tr key=${item.owner}>
              <td class="name" data-head="Server">
                <span
                  >${nameProcess(item)}${item.is_this && html`<small class="soft">serves this page</small>`}</span
                >
              </td>
              <td class="name" data-head="State"><${Status} status=${item.status} /></td>
              <td class="name" data-head="Last sign of life">
                ${item.seen_at ? `${formatAge(item.seen_at, at)} ago` : "–"}
              </td>
              <td data-head="Works on">${formatOf(item.runs, "run")}</td>
              <td class="name" data-head="Started"><${Time} at=${item.started_at} /></td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>`;
}

function Queue({ queue, at, trials }) {
  const tiles = [
    ["running", queue.running, queue.oldest_running_at],
    ["in the queue", queue.queued, queue.oldest_queued_at],
    ["waiting for a person", queue.waiting, queue.oldest_waiting_at],
    ...(trials ? [[trials === 1 ? "experiment runs" : "experiments run", trials]] : []),
  ];
  return html`<div class="tiles">
      ${tiles.map(
        ([name, count, since]) =>
          html`<div class="tile">
            <b>${formatCount(count)}</b
            ><span>${name}${since && `, the oldest for ${formatAge(since, at)}`}</span>
          </div>`,
      )}
    </div>
    ${
      queue.without_place > 0 &&
      html`<p class="notice">
        ${formatCount(queue.without_place)}${" "}of the active runs wait for a free slot in this
        process.${" "}<code>limits.runs_at_once</code>${" "}sets the number of slots.
      </p>`
    }`;
}

/** What goes on without a person. One's own lead to their conversation; others' are only seen to be there. */
function Working({ runs, replicas, at }) {
  const hosts = new Map(replicas.map((item) => [item.owner, item.host]));
  return html`<${Wide} isStacked label="in progress">
    <thead>
      <tr>
        <th class="name">Person</th>
        <th class="name">State</th>
        <th class="name">Started</th>
        <th class="name">Last step</th>
        <th class="name">Server</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map((run) => {
        const begun = `${formatAge(run.created_at, at)} ago`;
        return html`<tr key=${run.run_id}>
          <td class="name" data-head="Person">${makeVisible(run.user_id)}</td>
          <td class="name" data-head="State">
            <span
              ><${Status}
                status=${run.status}
              />${run.attempt > 1 && html`<small class="soft">attempt ${run.attempt}</small>`}</span
            >
          </td>
          <td class="name" data-head="Started">
            ${isOwn(run) ? html`<a href=${`#/chat/${run.conversation_id}`}>${begun}</a>` : begun}
          </td>
          <td class="name" data-head="Last step">
            ${run.next_node ? describeNode(run.next_node) : "–"}
          </td>
          <td class="name" data-head="Server">${hosts.get(run.owner) ?? "–"}</td>
        </tr>`;
      })}
    </tbody>
  </${Wide}>`;
}

const isOwn = (run) => run.user_id === session.value.user_id;

/** What waits for a person's decision, by person: who waits the longest first. */
function Waiting({ runs, at, count }) {
  const people = Object.values(Object.groupBy(runs, (run) => run.user_id));
  return html`<h2>Waiting for people</h2>
    <p class="soft">
      Each question is about a person's own data: only that person can answer it, under
      Approvals.${
        count > runs.length && ` Listed are the oldest ${runs.length} of ${formatCount(count)}.`
      }
    </p>
    <${Wide} label="waiting for people">
      <thead>
        <tr>
          <th class="name">Person</th>
          <th>Answers</th>
          <th>Oldest waits for</th>
        </tr>
      </thead>
      <tbody>
        ${people.map((own) => {
          const [first] = own;
          return html`<tr key=${first.user_id}>
            <td class="name">
              <a href=${withQuery("#/approvals", { user_id: isOwn(first) ? null : first.user_id })}
                >${isOwn(first) ? "You: decide under Approvals" : makeVisible(first.user_id)}</a
              >
            </td>
            <td>${formatCount(own.length)}</td>
            <td>${formatAge(first.created_at, at)}</td>
          </tr>`;
        })}
      </tbody>
    </${Wide}>`;
}

/** The worst that is known, for the light beside the entry too; findings: undefined before they are there. */
function judge(system, findings) {
  if (!findings) return ["", "activity", "Checking…"];
  const failed = findings.filter((item) => item.level === "fail").length;
  const silent = system.replicas.filter((item) => item.status === "silent").length;
  if (failed) return ["bad", "circle-alert", `${formatOf(failed, "problem")} to fix`];
  if (silent) return ["warn", "triangle-alert", `${formatOf(silent, "server")} not responding`];
  if (findings.some((item) => item.level === "warn"))
    return ["warn", "triangle-alert", "Working, with warnings"];
  return system.queue.waiting
    ? ["ok", "circle-check", "Nothing is broken"]
    : ["ok", "circle-check", "All is well"];
}

function State({ system, findings }) {
  const [style, icon, word] = judge(system, findings);
  useEffect(() => void (style && (light.value = style)), [style]);
  const { waiting, oldest_waiting_at: since } = system.queue;
  const ready = system.replicas.filter((item) => item.status === "ready").length;
  return html`<section class=${`card verdict ${style}`} aria-label="State">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <h2>${word}</h2>
      <p>
        ${ready}${" "}of${" "}${formatOf(system.replicas.length, "server")}${" "}ready,${" "}${formatCount(system.queue.running)}${" "}in
        progress,${" "}${formatCount(system.queue.queued)}${" "}in the queue.
      </p>
      ${
        waiting > 0 &&
        html`<p class="row">
          <${Icon} name="clock" /><span
            >${formatOf(waiting, "answer")} ${waiting === 1 ? "waits" : "wait"} for people, the
            oldest for ${formatAge(since, system.at)}.</span
          >
        </p>`
      }
    </div>
  </section>`;
}

/** What is wrong, for the first view. */
function Problems({ examined }) {
  const found = listFindings(examined.data).filter(isProblem);
  if (!found.length) return null;
  return html`<h2>To fix</h2>
    <p class="row soft">
      Whoever runs the server can fix this.${" "}<button class="link" onClick=${examined.reload}>
        Check again
      </button>
    </p>
    <${Findings} found=${found} />`;
}

/** Servers and checks: names of processes and settings, which say nothing to others. */
function Inside({ system, examined }) {
  const { data, error, isLoading, reload } = examined;
  const found = listFindings(data);
  const toRepair = found.filter((item) => item.level === "fail").length;
  const passed = found.filter(({ level }) => level === "ok").length;
  return html`<details
    class="card"
    open=${system.replicas.some(({ status }) => status === "silent")}
  >
    <summary>
      For whoever runs the
      server:${" "}${formatOf(system.replicas.length, "server")}${
        data && `, ${formatOf(passed, "check")} passed`
      }
    </summary>
    <${Replicas} ...${system} />
    <h2>Checks</h2>
    <${Failure} error=${error} again=${reload} />
    <p class="row">
      <strong role="status"
        >${isLoading ? "Checking…" : data && (toRepair ? formatOf(toRepair, "problem") : "All checks passed")}</strong
      >
      ${data && html`<button class="link" onClick=${reload}>Check again</button>`}
    </p>
    <${Findings} found=${found.filter((item) => !isProblem(item))} />
  </details>`;
}

const isProblem = ({ level }) => level === "fail" || level === "warn";

function Findings({ found }) {
  return html`<dl>
    ${[...new Set(found.map((item) => item.what))].map(
      (what) =>
        html`<dt key=${what}>${toWords(what)}</dt>
          <dd>
            ${found
              .filter((item) => item.what === what)
              .map(
                (item) =>
                  html`<p class="finding">
                    <${Status}
                      status=${item.level}
                    />${" "}${toOwnDates(item.text)}${item.todo && html`<small class="soft">→ ${toOwnDates(item.todo)}</small>`}
                  </p>`,
              )}
          </dd>`,
    )}
  </dl>`;
}

const listFindings = (data) =>
  data?.findings.filter((item) => item.what !== "settings" || item.level !== "note") ?? []; // those are the settings' own

/** Failed runs by cause, for who runs the service: what to repair first. */
function Failures() {
  const { data, error, reload } = useLoaded(() => get("/api/failures"), "failures");
  if (data && !data.causes.length)
    return html`<h2>Failed runs</h2>
      <p class="soft">No run failed in the last seven days.</p>`;
  return html`<h2>Failed runs</h2>
    <${Failure} error=${error} again=${reload} />${
      data &&
      html`<${Wide} label="failed runs by cause"
        ><thead>
          <tr>
            <th class="name">Cause</th>
            <th>Runs</th>
            <th>People</th>
            <th class="name">Last</th>
          </tr>
        </thead>
        <tbody>
          ${data.causes.map(
            (cause) =>
              html`<tr key=${`${cause.code} ${cause.provider} ${cause.model} ${cause.reason}`}>
                <td class="name">
                  <code>${cause.code ?? "–"}</code
                  >${cause.provider && ` ${cause.provider}:${cause.model}`}<small class="soft"
                    >${makeVisible(cause.reason)}</small
                  >
                </td>
                <td>${formatCount(cause.runs)}</td>
                <td>${formatCount(cause.users)}</td>
                <td class="name"><${Time} at=${cause.last_at} /></td>
              </tr>`,
          )}
        </tbody></${Wide}
      >`
    }`;
}

/** How many experiments go on; their answers are no runs of people. */
async function countTrials() {
  if (!hasPack("lab") || !session.value.is_admin) return 0;
  return (await import("./lab/count.js")).countRunning();
}

/** Who is there and what waits: looked at again as long as somebody looks here. */
function Now() {
  const { data, error, reload } = useLoaded(() => get("/api/system?limit=100"), "");
  const examined = useLoaded(() => get("/api/system/doctor"), "");
  const tried = useLoaded(countTrials, "");
  const lookAgain = () => (reload(), tried.reload());
  const again = useMemo(() => gather(lookAgain), []);
  useChanges(again);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && lookAgain(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const [working, waiting] = [false, true].map((waits) =>
    (data?.runs ?? []).filter(({ status }) => (status === "waiting") === waits),
  );
  return html`<${Failure} error=${error} again=${reload} />
    ${
      data &&
      html`<${State} system=${data} findings=${examined.data && listFindings(examined.data)} />
        <${Problems} examined=${examined} />
        <${Changes} />
        <h2>In progress</h2>
        <${Queue} ...${data} trials=${tried.data} />
        ${working.length > 0 && html`<${Working} ...${data} runs=${working} />`}
        ${waiting.length > 0 && html`<${Waiting} runs=${waiting} at=${data.at} count=${data.queue.waiting} />`}
        ${data.runs.length === 0 && !tried.data && html`<${Empty}>Nothing is running or queued.</${Empty}>`}`
    }
    <${Failures} />${data && html`<${Inside} system=${data} examined=${examined} />`}`;
}

export function System() {
  return html`<h1>Health</h1>
    ${session.value.is_admin ? html`<div class="health"><${Now} /></div>` : html`<${Empty}>Only administrators can see the service's health.</${Empty}>`}`;
}
