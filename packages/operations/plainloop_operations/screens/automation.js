// What happens without anybody asking: messages at certain times, and other programs that are told.
import { useState } from "../vendor.js";
import { get } from "../api.js";
import { Listed, Once, useChange, useFields } from "../access.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Empty, Failure, Menu, Time, useLoaded } from "../parts.js";
import { session } from "../session.js";
import { formatTime, makeVisible } from "../words.js";

const DAYS = {
  "* * *": "Every day",
  "* * MON-FRI": "Every weekday",
  "* * MON": "Every Monday",
  "1 * *": "On the first day of every month",
};
const REASONS = {
  NOBODY_THERE: "no server was running",
  STILL_RUNNING: "the previous run had not ended",
  NOTHING_ENDS: "no model in use has a shutdown date",
  ALREADY_REHEARSED: "all successors were already tried",
  BUDGET_EXCEEDED: "a budget is used up",
  TOO_MANY_REQUESTS: "you had too many active runs",
};

/** `30 7 * * MON-FRI` → `Every weekday at 07:30`; what is more than that stays as it is. */
function describeTimes(cron) {
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) (.*)$/.exec(cron) ?? [];
  return DAYS[days]
    ? `${DAYS[days]} at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`
    : html`<code>${makeVisible(cron)}</code>`;
}

/** What is loaded once somebody opens it. */
function Opened({ title, path, children }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, reload } = useLoaded(async () => (isOpen ? get(path) : null), `${isOpen}`);
  return html`<details onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${title}</summary>
    <${Failure} error=${error} again=${reload} />${data && children(data)}
  </details>`;
}

function Schedule({ item, change }) {
  const path = `/api/schedules/${item.schedule_id}`;
  const name = makeVisible(item.name);
  const isOwn = item.user_id === session.value.user_id;
  return html`<li>
    <div>
      <b>${name}</b
      ><small
        >${describeTimes(item.cron)}, ${makeVisible(item.time_zone)}:
        “${makeVisible(item.message)}”${!isOwn && html`, for ${makeVisible(item.user_id)}`}</small
      >
    </div>
    <span class=${`status ${item.next_at ? "ready" : ""}`}
      ><${Icon} name=${item.next_at ? "clock" : "circle-pause"} size=${14} />${
        item.next_at ? `Next ${formatTime(item.next_at)}` : item.paused_at ? "Paused" : "Ended"
      }</span
    >
    <${Menu} title=${`Change ${name}`} icon="ellipsis"
      >${
        item.paused_at
          ? html`<button onClick=${() => change("POST", `${path}/resume`)}>Resume</button>`
          : html`<button onClick=${() => change("POST", `${path}/pause`)}>Pause</button>`
      }<button onClick=${() => change("DELETE", path)}>Delete</button></${Menu}
    >
    <${Opened} title="History" path=${`${path}/history`}
      >${({ history }) =>
        history.length === 0
          ? html`<${Empty}>No runs yet.</${Empty}>`
          : history.map(
              (due) =>
                html`<p key=${due.due_at}>
                  <${Time} at=${due.due_at} />${" "}${
                    due.conversation_id && isOwn
                      ? html`<a href=${`#/chat/${due.conversation_id}`}>Answered in a chat</a>`
                      : due.run_id
                        ? "Answered in a chat"
                        : due.status === "begun"
                          ? "Started"
                          : `Skipped: ${REASONS[due.reason] ?? due.reason}`
                  }
                </p>`,
            )}</${Opened}
    >
  </li>`;
}

/** A form behind the button that opens it: what exists already stands first. */
function Adding({ word, children }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen
    ? html`<section class="card">
        <h2>${word}</h2>
        ${children(() => setOpen(false))}
      </section>`
    : html`<p class="row">
        <button onClick=${() => setOpen(true)}><${Icon} name="plus" size=${16} />${word}</button>
      </p>`;
}

const ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

function NewSchedule({ reload, close }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [wanted, field] = useFields({
    name: "",
    message: "",
    days: "* * MON-FRI",
    time: "07:30",
    cron: "",
    zone,
  });
  const { isBusy, error, change } = useChange(reload);
  const isOwn = wanted.days === "own";
  const make = async (event) => {
    event.preventDefault();
    const [hour, minute] = wanted.time.split(":").map(Number);
    const cron = isOwn ? wanted.cron : `${minute} ${hour} ${wanted.days}`;
    const answer = await change("POST", "/api/schedules", {
      name: wanted.name,
      message: wanted.message,
      cron,
      time_zone: wanted.zone,
    });
    if (answer) close();
  };
  return html`<form class="fields-form" onSubmit=${make}>
      <label class="whole">Name<input required maxlength="200" ...${field("name")} /></label>
      <label class="whole"
        >Message<textarea required rows="2" ...${field("message")}></textarea>
      </label>
      <label
        >When<select ...${field("days")}>
          ${Object.entries(DAYS).map(([days, word]) => html`<option key=${days} value=${days}>${word}</option>`)}
          <option value="own">Other times (cron)</option>
        </select></label
      >
      ${
        isOwn
          ? html`<label
              >Cron expression<input
                required
                maxlength="200"
                placeholder="30 7 * * MON-FRI"
                ...${field("cron")}
            /></label>`
          : html`<label>At<input type="time" required ...${field("time")} /></label>`
      }
      <label class="whole"
        >Time zone<select ...${field("zone")}>
          ${[...new Set([zone, ...ZONES])].map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select></label
      >
      <p class="row">
        <button class="accent" disabled=${isBusy}>Add the schedule</button
        ><button type="button" class="ghost" onClick=${close}>Cancel</button>
      </p>
    </form>
    <${Failure} error=${error} />`;
}

const EVENTS = {
  "run.ended": "An answer is finished",
  "approval.pending": "An action waits for approval",
  "budget.reached": "A budget is nearly used up",
  "replay.ended": "An experiment has ended",
  "rollout.ended": "A trial on live chats has ended",
  "gate.decided": "An experiment is judged by its rules",
  "advice.ended": "Advice on models is ready",
  "model.ending": "A model gets a shutdown date",
  "model.changed": "A model’s price changes, or another answers",
};

function Delivery({ item }) {
  return html`<p>
    <${Time} at=${item.created_at} />${" "}${EVENTS[item.event]}:${" "}${
      item.delivered_at
        ? `delivered (${item.status})`
        : `tried ${item.attempts} times${item.answer ? `, “${makeVisible(item.answer)}”` : ""}`
    }
  </p>`;
}

function Webhook({ item, change }) {
  const path = `/api/webhooks/${item.webhook_id}`;
  return html`<li>
    <div>
      <b>${makeVisible(item.url)}</b
      ><small
        >${Object.keys(EVENTS)
          .filter((event) => item.events.includes(event))
          .map((event) => EVENTS[event])
          .join(", ")}${
          item.user_id === null
            ? ": everyone’s"
            : item.user_id !== session.value.user_id && `: of ${makeVisible(item.user_id)}`
        }</small
      >${item.disabled_at && html`<small>${makeVisible(item.disabled_reason ?? "")}</small>`}
    </div>
    <span class=${`status ${item.disabled_at ? "failed" : "ready"}`}
      ><${Icon} name=${item.disabled_at ? "circle-x" : "circle-check"} size=${14} />${
        item.disabled_at
          ? "Disabled"
          : item.waiting
            ? `${item.waiting} waiting to be sent`
            : "Active"
      }</span
    >
    <${Menu} title=${`Change ${makeVisible(item.url)}`} icon="ellipsis"
      >${
        item.disabled_at &&
        html`<button onClick=${() => change("POST", `${path}/enable`)}>Enable again</button>`
      }<button onClick=${() => change("DELETE", path)}>Delete</button></${Menu}
    >
    <${Opened} title="Last events" path=${`${path}/deliveries`}
      >${({ deliveries }) =>
        deliveries.length === 0
          ? html`<${Empty}>No events sent yet.</${Empty}>`
          : deliveries.map(
              (one) => html`<${Delivery} key=${one.message_id} item=${one} />`,
            )}</${Opened}
    >
  </li>`;
}

const USUAL = ["run.ended", "approval.pending", "budget.reached"]; // the others are about models

function NewWebhook({ reload, close }) {
  const [wanted, field, setWanted] = useFields({ url: "", events: ["run.ended"], isOfAll: false });
  const [secret, setSecret] = useState(null);
  const { isBusy, error, change } = useChange(reload);
  const toggle = (event) =>
    setWanted({
      ...wanted,
      events: wanted.events.includes(event)
        ? wanted.events.filter((one) => one !== event)
        : [...wanted.events, event],
    });
  const make = async (event) => {
    event.preventDefault();
    const answer = await change("POST", "/api/webhooks", {
      url: wanted.url.trim(),
      events: wanted.events,
      everybody: wanted.isOfAll,
    });
    if (!answer) return;
    setSecret(answer.secret);
  };
  if (secret)
    return html`<${Once}
        what="Webhook created. Its requests are signed with this secret."
        text=${secret}
      />
      <button onClick=${close}>Done</button>`;
  const choose = (names) =>
    names.map(
      (name) =>
        html`<label key=${name} class="check"
          ><input
            type="checkbox"
            checked=${wanted.events.includes(name)}
            onChange=${() => toggle(name)}
          />${EVENTS[name]}</label
        >`,
    );
  return html`<form class="fields-form" onSubmit=${make}>
      <label class="whole"
        >Address<input
          type="url"
          required
          maxlength="2000"
          placeholder="https://"
          ...${field("url")}
      /></label>
      <fieldset class="options whole">
        <legend>Events</legend>
        ${choose(USUAL)}
        ${
          session.value.is_admin &&
          html`<details>
            <summary>Events about models and experiments</summary>
            ${choose(Object.keys(EVENTS).filter((name) => !USUAL.includes(name)))}
          </details>`
        }
      </fieldset>
      ${
        session.value.is_admin &&
        html`<label class="check whole"
          ><input
            type="checkbox"
            checked=${wanted.isOfAll}
            onChange=${() => setWanted({ ...wanted, isOfAll: !wanted.isOfAll })}
          />Events of all users</label
        >`
      }
      <p class="row">
        <button class="accent" disabled=${isBusy || wanted.events.length === 0}>
          Add the webhook</button
        ><button type="button" class="ghost" onClick=${close}>Cancel</button>
      </p>
    </form>
    <${Failure} error=${error} />`;
}

export function Screen() {
  const { data, error, reload } = useLoaded(
    () => Promise.all([get("/api/schedules"), get("/api/webhooks")]),
    "",
  );
  const { error: refused, change } = useChange(reload);
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const [{ schedules }, { webhooks }] = data;
  return html`<${Failure} error=${refused ?? error} />
    <${Listed}
      title="Schedules"
      told="Messages sent to the assistant at set times, each in a new chat."
      isEmpty=${schedules.length === 0}
      empty="No schedules yet."
      >${schedules.map(
        (item) => html`<${Schedule} key=${item.schedule_id} item=${item} change=${change} />`,
      )}</${Listed}
    >
    <${Adding} word="New schedule"
      >${(close) => html`<${NewSchedule} reload=${reload} close=${close} />`}</${Adding}
    >
    <${Listed}
      title="Webhooks"
      told="Other programs receive events at these URLs. Chat text is never sent."
      isEmpty=${webhooks.length === 0}
      empty="No webhooks yet."
      >${webhooks.map(
        (item) => html`<${Webhook} key=${item.webhook_id} item=${item} change=${change} />`,
      )}</${Listed}
    >
    <${Adding} word="New webhook"
      >${(close) => html`<${NewWebhook} reload=${reload} close=${close} />`}</${Adding}
    >`;
}
