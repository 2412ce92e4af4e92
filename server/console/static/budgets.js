// What may be spent, how it stands, and what it comes to at this pace.
import { get } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { useLoaded } from "./parts.js";
import { hasPack, isLocal, session } from "./session.js";
import { formatCost, formatCount, formatDate, formatOf, makeDates, makeVisible } from "./words.js";

const time = makeDates({ timeStyle: "short", timeZone: "UTC" });
const month = makeDates({ month: "long", timeZone: "UTC" });
export const WHOSE = { tenant: "Everyone together", user: "Each person", run: "Each run" };
const ALMOST = 0.9; // of a limit: then its bar warns
const namePerson = (user) =>
  isLocal() && user === session.value.user_id ? "Local user" : makeVisible(user);

/** Of a budget what there is, what is used, and how that goes on. */
function readBudget(item) {
  const isUsd = item.limit_usd !== null;
  const unit = isUsd ? "usd" : "tokens";
  const [limit, used, held] = ["limit", "used", "reserved"].map((n) =>
    Number(item[`${n}_${unit}`]),
  );
  const format = isUsd ? formatCost : (n) => formatOf(Math.round(n), "token");
  const say = isUsd ? formatCost : (n) => formatCount(Math.round(n)); // where the limit says what it is
  // Rounded as they are shown: what is used, held and left adds up to the limit.
  const left = Math.max(0, limit - used.toFixed(4) - held.toFixed(4));
  const rest = `${say(left)} left${held ? `, ${say(held)} held for running calls` : ""}`;
  const end = item.until && Date.parse(item.until);
  const pace = item[`forecast_${unit}`] === null ? null : Number(item[`forecast_${unit}`]);
  return { limit, used, rest, format, say, end, pace };
}

/** Within it or over it, now and at the period's end. */
function Pace({ end, limit, used, pace, format }) {
  const isOver =
    used > limit && html`<b class="bad">Over by ${format(used - limit)} now.</b>${" "}`;
  if (pace === null) return isOver && html`<p>${isOver}</p>`;
  const now = Date.now();
  const isSoon = end - now < 86_400_000;
  // When it is used up at this pace, from what share of the period is over.
  const usedUp = now + ((end - now) * (limit - used)) / (pace - used || 1);
  const sayEnd = (at) => (isSoon ? `${time.format(at)} UTC on ${formatDate(at)}` : formatDate(at));
  const last = sayEnd(isSoon ? end : end - 1);
  const over = `${isOver ? "Then over" : "Over"} by ${format(pace - limit)}`;
  const when = used < limit ? `: used up ${isSoon ? "at" : "on"} ${sayEnd(usedUp)}` : "";
  return html`<p>
    ${isOver}<i class="mark-at"></i>At this pace <b>${format(pace)}</b> by ${last}.${" "}<b
      class=${pace > limit ? "bad" : "good"}
      >${pace > limit ? over + when : "Within budget"}.</b
    >
  </p>`;
}

/** isShort: a smaller one, and of a budget that suffices without its pace */
export function Budget({ item, isShort, children }) {
  const told = readBudget(item);
  const { limit, used, rest, format, say, pace } = told;
  const place = (value) => `${Math.min(100, (100 * value) / (limit || 1))}%`;
  const tone = used >= limit ? "bad" : pace > limit || used > limit * ALMOST ? "warn" : "ok";
  const hasPace = !isShort || tone !== "ok"; // its words say what the mark in the bar is
  const person = item.user_id ?? (item.scope === "user" && item.subject);
  const whose = person ? namePerson(person) : WHOSE[item.scope];
  const period = item.period === "total" ? "in all" : `per ${item.period}`;
  const zone = item.zone === "UTC" ? "" : ` (${item.zone})`;
  return html`<div class="budget">
    <p><b>${whose}</b>, ${period}${zone}${person && !item.user_id && ", as each person"}</p>
    ${!isShort && html`<p><b class="large">${say(used)}</b> <span class="soft">of ${format(limit)}, ${rest}</span></p>`}
    <svg class=${`axis ${tone}`} width="100%" height="16" aria-hidden="true">
      <rect class="ground" rx="5" y="3" width="100%" height="10" />
      <rect class="used" rx="5" y="3" width=${place(used)} height="10" />
      ${hasPace && pace !== null && html`<rect class="mark-at" x=${place(Math.min(pace, limit * 0.995))} width="2" height="16" />`}
    </svg>
    <p class="hint">
      ${
        isShort
          ? `${say(used)} of ${format(limit)}, ${rest}`
          : item.is_hard
            ? "When it is used up, calls are refused."
            : "When it is used up, calls are still made, and the chats it applies to say “Over budget” beside their cost."
      }
    </p>
    ${item.note && html`<p class="bad">${makeVisible(item.note)}</p>`}
    ${hasPace && html`<${Pace} ...${told} />`}${children}
  </div>`;
}

const SHOWN = 2; // budgets beside the chart: those that are used up first
const getShare = (item) =>
  Math.max(
    ...["usd", "tokens"].map((unit) =>
      item[`limit_${unit}`] === null
        ? 0
        : Math.max(item[`used_${unit}`], item[`forecast_${unit}`] ?? 0) /
          (item[`limit_${unit}`] || 1),
    ),
  );

/** Who has used the service, and the reader. */
async function loadPeople() {
  const path = "/api/usage?by=user&user_id=*&avoided=false&endings=false&caches=false";
  const { usage } = await get(path);
  return new Set([session.value.user_id, ...usage.map(({ user }) => user).filter(Boolean)]);
}

/** The id of the person whose name was typed: one may type the name in the sidebar for oneself. */
export const readPerson = (text) =>
  isLocal() && text?.trim().toLowerCase() === "local user" ? session.value.user_id : text?.trim();

/** A person who has used the service, or a name that an identity provider will bring. */
export function Person({ user }) {
  const { data } = useLoaded(loadPeople, "");
  const you = isLocal() ? "Local user (you)" : "you";
  return html`<label
    >Person<input
      name="user"
      list="people"
      autocomplete="off"
      placeholder="Choose, or type a name"
      required
      defaultValue=${user}
    /><datalist id="people">
      ${[...(data ?? [])].map((name) => html`<option key=${name} value=${name}>${name === session.value.user_id && you}</option>`)}
    </datalist></label
  >`;
}

/** @param {{budgets: object[], pace: object, unpriced: object[]}} props isPart: filters leave usage out;
 * pace: today, this month and its end; unpriced: calls without a known price, by model */
export function Budgets({ budgets, pace, unpriced, unpricedHref, isPart, whose }) {
  const last = Date.parse(pace.month_ends_at) - 1;
  const shown = [...budgets].sort((a, b) => getShare(b) - getShare(a)).slice(0, SHOWN);
  const missing = unpriced.reduce((sum, row) => sum + row.calls, 0);
  return html`<section class="card budgets">
    <h2>${month.format(last)}${session.value?.is_admin && ` · ${whose}`}</h2>
    ${isPart && html`<p class="soft">The whole month, with the filters above. Budgets count all usage.</p>`}
    <p>
      <b class="large">${formatCost(pace.month_usd)}</b>${" "}<span class="soft"
        >so far, ${formatCost(pace.today_usd)} today</span
      >
    </p>
    ${
      pace.forecast_usd !== null &&
      html`<p>At this pace <b>${formatCost(pace.forecast_usd)}</b> by ${formatDate(last)}.</p>
        <p class="soft">
          <small
            >Pace: each day left costs what the same weekday cost in the last 7 days, without
            growth. In the first week of usage, it costs the average so far.</small
          >
        </p>`
    }
    ${budgets.length > 0 && html`<h3>${budgets.length === 1 ? "Budget" : "Budgets"}</h3>`}
    ${shown.map((item) => html`<${Budget} key=${item.budget_id} item=${item} isShort />`)}
    ${budgets.length === 0 && html`<p class="soft">No budget is set.</p>`}
    ${
      missing > 0 &&
      html`<p class="row top">
        <${Icon} name="circle-alert" /><span
          >Not included in these sums:${" "}<a href=${unpricedHref}
            >${formatOf(missing, "call")} without a known price</a
          >${" "}(${unpriced.map(({ model }) => makeVisible(model ?? "no model")).join(", ")}).</span
        >
      </p>`
    }
    ${
      session.value?.is_admin &&
      html`<p class="row">
        <a href="#/settings/prices"
          >${budgets.length > SHOWN ? `Prices and all ${budgets.length} budgets` : "Prices and budgets"}</a
        >${
          hasPack("operations") &&
          html`<a href="#/operations.invoices">Check an invoice</a
            ><a href="#/operations.statements">Statements by month</a>`
        }
      </p>`
    }
  </section>`;
}
