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
const NOW = { hour: "This hour", day: "Today", month: "This month", total: "So far" };
const ALMOST = 0.9; // of a limit: then its bar warns
export const namePerson = (user) =>
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
  const forecast = item[`forecast_${unit}`];
  const pace = forecast === null ? null : Math.max(Number(forecast), used);
  return { limit, used, held, rest, format, say, end, pace };
}

/** Within it or over it, now and at the period's end. */
function Pace({ end, limit, used, held, pace, format }) {
  const isOver =
    used > limit
      ? html`<b class="bad">Over by ${format(used - limit)} now.</b>${" "}`
      : held > 0 &&
        used + held >= limit &&
        html`<b class="bad">Running calls may use it up.</b>${" "}`;
  if (pace === null) return isOver && html`<p>${isOver}</p>`;
  const now = Date.now();
  const isSoon = end - now < 86_400_000;
  // When it is used up at this pace, from what share of the period is over.
  const usedUp = now + ((end - now) * (limit - used)) / (pace - used || 1);
  const sayEnd = (at) => (isSoon ? `${time.format(at)} UTC on ${formatDate(at)}` : formatDate(at));
  const last = sayEnd(isSoon ? end : end - 1);
  const over = `${used > limit ? "Then over" : "Over"} by ${format(pace - limit)}`;
  const when = used < limit ? `: used up ${isSoon ? "at" : "on"} ${sayEnd(usedUp)}` : "";
  return html`<p>
    ${isOver}<i class="mark-at"></i>At this
    pace${" "}<b>${format(pace)}</b>${` by ${last}. ${held > 0 ? "Held amounts come on top. " : ""}`}${
      pace > limit
        ? html`<b class="bad">${over + when}.</b>`
        : !isOver && html`<b class=${pace > limit * ALMOST ? "warn" : "good"}>Within budget.</b>`
    }
  </p>`;
}

export const describeEnd = (item) =>
  item.is_hard
    ? "When it is used up, calls are refused."
    : "It only warns: its chats say “Over budget” beside their cost.";

/** isShort: a smaller one, and of a budget that suffices without its pace; isPaced: with it still; isOwn: the reader's */
export function Budget({ item, isShort, isPaced, isOwn, children }) {
  const told = readBudget(item);
  const { limit, used, held, rest, format, say, pace } = told;
  const place = (value) => `${Math.min(100, (100 * value) / (limit || 1))}%`;
  const tone = used >= limit ? "bad" : pace > limit || used + held > limit * ALMOST ? "warn" : "ok";
  const hasPace = !isShort || isPaced || tone !== "ok"; // its words say what the mark in the bar is
  const person = item.user_id ?? (item.scope === "user" && item.subject);
  const isMine = person && person === session.value?.user_id && !isLocal();
  const whose = isMine ? "You" : person ? namePerson(person) : WHOSE[item.scope];
  const period = item.period === "total" ? "in all" : `per ${item.period}`;
  const zone = item.zone === "UTC" ? "" : ` (${item.zone})`;
  return html`<div class="budget">
    ${!isOwn && html`<p><b>${whose}</b>, ${period}${zone}${person && !item.user_id && !isMine && ", as each person"}</p>`}
    ${
      !isShort &&
      html`<p>
        <b class="large">${isOwn && `${NOW[item.period] + zone} `}${say(used)}</b>${" "}<span
          class="soft"
          >of ${format(limit)}, ${rest}</span
        >
      </p>`
    }
    <svg class=${`axis ${tone}`} width="100%" height="16" aria-hidden="true">
      <rect class="ground" rx="5" y="3" width="100%" height="10" />
      <rect class="used" rx="5" y="3" width=${place(used)} height="10" />
      ${hasPace && pace !== null && html`<rect class="mark-at" x=${place(Math.min(pace, limit * 0.995))} width="2" height="16" />`}
    </svg>
    <p class="hint">${isShort ? `${say(used)} of ${format(limit)}, ${rest}` : describeEnd(item)}</p>
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
 * isPast: the period is over, and neither this month's pace nor its budgets are of it;
 * pace: today, this month and its end; unpriced: calls without a known price, by model */
export function Budgets({
  budgets,
  pace,
  unpriced,
  unpricedHref,
  isPart,
  isPast,
  whose,
  user,
  children,
}) {
  const last = Date.parse(pace.month_ends_at) - 1;
  const isOf = (item) =>
    !user || [item.user_id, item.scope === "user" && item.subject].includes(user);
  const shown = budgets
    .filter((item) => isOf(item) || (session.value?.is_admin && item.scope === "tenant"))
    .sort((a, b) => isOf(b) - isOf(a) || getShare(b) - getShare(a))
    .slice(0, isPast ? 0 : SHOWN);
  // The pace of the same usage: said once, beside its budget.
  const paced = shown.find(
    (item) =>
      item.period === "month" &&
      item.zone === "UTC" &&
      item.forecast_usd !== null &&
      (user ? isOf(item) : item.scope === "tenant"),
  );
  const count = new Set(budgets.map((item) => item.budget_id)).size;
  const missing = unpriced.reduce((sum, row) => sum + row.calls, 0);
  return html`<section class="card budgets">
    <h2>
      ${isPast ? "Month by month" : month.format(last)}${session.value?.is_admin && ` · ${whose}`}
    </h2>
    ${isPart && html`<p class="soft">The whole month, with the filters above. Budgets count all usage.</p>`}
    ${
      !isPast &&
      html`<p>
        <b class="large">${formatCost(pace.month_usd)}</b>${" "}<span class="soft"
          >so far, ${formatCost(pace.today_usd)} today</span
        >
      </p>`
    }
    ${children}
    ${
      pace.forecast_usd !== null &&
      !isPast &&
      html`${!paced && html`<p>At this pace <b>${formatCost(pace.forecast_usd)}</b> by ${formatDate(last)}.</p>`}
        <p class="soft">
          <small>Pace: each day left costs what the same weekday did in the last 7 days.</small>
        </p>`
    }
    ${shown.length > 0 && html`<h3>${shown.length === 1 ? "Budget" : "Budgets"}</h3>`}
    ${shown.map((item) => html`<${Budget} key=${item.budget_id} item=${item} isShort isPaced=${item === paced} />`)}
    ${shown.length === 0 && !isPast && html`<p class="soft">No budget is set.</p>`}
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
          >${count > shown.length && !isPast ? `Prices and all ${count} budgets` : "Prices and budgets"}</a
        >${
          hasPack("operations") &&
          html`<a href="#/operations.invoices">Check an invoice</a
            ><a href="#/operations.statements">Statements by month</a>`
        }
      </p>`
    }
  </section>`;
}
