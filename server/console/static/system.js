// The service itself: its processes, what runs and waits in it, what the doctor finds.
import { useEffect, useMemo } from "./vendor.js";
import { Changes, toOwnDates } from "./changes.js";
import { get } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Empty, Failure, Status, Time, Wide, useLoaded } from "./parts.js";
import { gather, light, session, useChanges } from "./session.js";
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
          <th class="name">Last seen</th>
          <th>Runs</th>
          <th class="name">Since</th>
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
              <td class="name" data-head="Last seen">
                ${item.seen_at ? `${formatAge(item.seen_at, at)} ago` : "–"}
              </td>
              <td data-head="Runs">${formatCount(item.runs)}</td>
              <td class="name" data-head="Since"><${Time} at=${item.started_at} /></td>
            </tr>`,
        )}
      </tbody>
    </${Wide}>`;
}

function Queue({ queue, at }) {
  const tiles = [
    ["running", queue.running, queue.oldest_running_at],
    ["in the queue", queue.queued, queue.oldest_queued_at],
    ["waiting for a person", queue.waiting, queue.oldest_waiting_at],
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

/** One's own lead to their conversation; of others' it is seen that they are there. */
function Unfinished({ runs, replicas, at }) {
  const processes = new Map(replicas.map((item) => [item.owner, nameProcess(item)]));
  return html`<${Wide} isStacked label="in progress">
    <thead>
      <tr>
        <th class="name">Started</th>
        <th class="name">State</th>
        <th class="name">Person</th>
        <th class="name">Next step</th>
        <th class="name">Server</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map((run) => {
        const begun = `${formatAge(run.created_at, at)} ago`;
        return html`<tr key=${run.run_id}>
          <td class="name" data-head="Started">
            ${run.user_id === session.value.user_id ? html`<a href=${`#/chat/${run.conversation_id}`}>${begun}</a>` : begun}
          </td>
          <td class="name" data-head="State">
            <span
              ><${Status}
                status=${run.status}
              />${run.attempt > 1 && html`<small class="soft">attempt ${run.attempt}</small>`}</span
            >
          </td>
          <td class="name" data-head="Person">${makeVisible(run.user_id)}</td>
          <td class="name" data-head="Next step">
            ${run.next_node ? describeNode(run.next_node) : "–"}
          </td>
          <td class="name" data-head="Server">${processes.get(run.owner) ?? "–"}</td>
        </tr>`;
      })}
    </tbody>
  </${Wide}>`;
}

/** The worst that is known, for the light beside the entry too. */
function judge(system, findings) {
  const failed = findings.filter((item) => item.level === "fail").length;
  const silent = system.replicas.filter((item) => item.status === "silent").length;
  if (failed) return ["bad", "circle-alert", `${formatOf(failed, "problem")} to fix`];
  if (silent) return ["warn", "triangle-alert", `${formatOf(silent, "server")} not responding`];
  if (findings.some((item) => item.level === "warn"))
    return ["warn", "triangle-alert", "Working, with warnings"];
  return ["ok", "circle-check", "All is well"];
}

function State({ system, findings }) {
  const [style, icon, word] = judge(system, findings);
  useEffect(() => void (light.value = style), [style]);
  const ready = system.replicas.filter((item) => item.status === "ready").length;
  return html`<section class=${`card verdict ${style}`} aria-label="State">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <h2>${word}</h2>
      <p>
        ${ready}${" "}of${" "}${formatOf(system.replicas.length, "server")}${" "}ready,${" "}${formatCount(system.queue.running)}${" "}in
        progress,${" "}${formatCount(system.queue.queued)}${" "}in the queue.
      </p>
    </div>
  </section>`;
}

function Doctor({ examined }) {
  const { data, error, isLoading, reload } = examined;
  const found = listFindings(data);
  const toRepair = found.filter((item) => item.level === "fail").length;
  return html`<h2>Checks</h2>
    <${Failure} error=${error} again=${reload} />
    <p class="row">
      <strong role="status"
        >${isLoading ? "Checking…" : data && (toRepair ? formatOf(toRepair, "problem") : "All checks passed")}</strong
      >
      ${data && html`<button class="link" onClick=${reload}>Check again</button>`}
    </p>
    <${Findings} found=${found.filter((item) => item.level !== "ok")} />
    ${
      data &&
      html`<details>
        <summary>
          ${formatOf(found.filter((item) => item.level === "ok").length, "check")} passed
        </summary>
        <${Findings} found=${found.filter((item) => item.level === "ok")} />
      </details>`
    }`;
}

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

/** Who is there and what waits: looked at again as long as somebody looks here. */
function Now() {
  const { data, error, reload } = useLoaded(() => get("/api/system"), "");
  const examined = useLoaded(() => get("/api/system/doctor"), "");
  const again = useMemo(() => gather(reload), []);
  useChanges(again);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return html`<${Failure} error=${error} again=${reload} />
    ${
      data &&
      html`${examined.data && html`<${State} system=${data} findings=${listFindings(examined.data)} />`}
        <${Changes} />
        <${Replicas} ...${data} />
        <h2>In progress</h2>
        <${Queue} ...${data} />
        ${data.runs.length > 0 ? html`<${Unfinished} ...${data} />` : html`<${Empty}>Nothing is running or queued.</${Empty}>`}`
    }
    <${Doctor} examined=${examined} />
    <${Failures} />`;
}

export function System() {
  return html`<h1>Health</h1>
    ${session.value.is_admin ? html`<${Now} />` : html`<${Empty}>Only administrators can see the service's health.</${Empty}>`}`;
}
