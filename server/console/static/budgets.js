// What may be spent, how it stands, and what it comes to at this pace.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { session } from "./session.js";
import { formatCost, formatCount, formatOf, makeVisible } from "./words.js";

const DAY_MS = 86_400_000;
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const BEGINS = {
  hour: (end) => end - DAY_MS / 24,
  day: (end) => end - DAY_MS,
  month: (end) => new Date(end).setUTCMonth(new Date(end).getUTCMonth() - 1),
};

/** What it comes to at this pace when the time is over; null: too early to tell. */
function forecast(used, begin, end, now = Date.now()) {
  const gone = (now - begin) / (end - begin);
  return gone > 0.03 && gone < 1 ? used / gone : null;
}

/** Of a budget what there is, what is used, and how that goes on. */
function readBudget(item) {
  const isUsd = item.limit_usd !== null;
  const [limit, used] = (
    isUsd ? [item.limit_usd, item.used_usd] : [item.limit_tokens, item.used_tokens]
  ).map(Number);
  const format = isUsd ? formatCost : (n) => `${formatCount(Math.round(n))} tokens`;
  const end = item.until && Date.parse(item.until);
  const begin = end && item.period in BEGINS ? BEGINS[item.period](end) : null;
  const pace = begin === null ? null : forecast(used, begin, end);
  return { limit, used, format, end, begin, pace };
}

/** Within it or over it, in a sentence. */
function Pace({ begin, end, limit, pace, format }) {
  if (pace === null) return null;
  const last = day.format(end - 1);
  if (pace <= limit)
    return html`<p>
      At this pace <b>${format(pace)}</b> by ${last}. <b class="good">Within budget.</b>
    </p>`;
  return html`<p>
    At this pace${" "}<b>${format(pace)}</b>${" "}by${" "}${last}.${" "}<b class="bad"
      >Over by${" "}${format(pace - limit)}: used up
      on${" "}${day.format(begin + ((end - begin) * limit) / pace)}.</b
    >
  </p>`;
}

export function Budget({ item, children }) {
  const told = readBudget(item);
  const { limit, used, format, pace } = told;
  const place = (value) => `${Math.min(100, (100 * value) / (limit || 1))}%`;
  const tone = used >= limit ? "bad" : pace !== null && pace > limit ? "warn" : "ok";
  return html`<div class="budget">
    <p><b class="large">${format(used)}</b> <span class="soft">of ${format(limit)}</span></p>
    <svg
      class=${`axis ${tone}`}
      width="100%"
      height="16"
      role="img"
      aria-label=${`${format(used)} of ${format(limit)} used`}
    >
      <rect class="ground" rx="5" y="3" width="100%" height="10" />
      <rect class="used" rx="5" y="3" width=${place(used)} height="10" />
      ${pace !== null && html`<rect class="mark-at" x=${place(Math.min(pace, limit * 0.995))} width="2" height="16" />`}
    </svg>
    <p class="hint">${makeVisible(item.description)}</p>
    <${Pace} ...${told} />${children}
  </div>`;
}

/** @param {{budgets: object[], month: number, unpriced: number}} props month: what this month cost so far */
export function Budgets({ budgets, month: cost, unpriced }) {
  const now = new Date();
  const [begin, end] = [
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  ];
  const pace = forecast(cost, begin, end);
  return html`<section class="card budgets">
    <h2>${budgets.length ? `Budget for ${month.format(now)}` : month.format(now)}</h2>
    ${budgets.map((item) => html`<${Budget} key=${item.budget_id} item=${item} />`)}
    ${
      budgets.length === 0 &&
      html`<p><b class="large">${formatCost(cost)}</b> <span class="soft">so far</span></p>
        ${pace !== null && html`<p>At this pace <b>${formatCost(pace)}</b> by ${day.format(end - 1)}.</p>`}
        <p class="soft">No budget is set.</p>`
    }
    ${
      unpriced > 0 &&
      html`<p class="row top">
        <${Icon} name="circle-alert" /><span
          >${formatOf(unpriced, "call")}${" "}${unpriced === 1 ? "has" : "have"}${" "}no known price
          and${" "}${unpriced === 1 ? "is" : "are"}${" "}not included in these sums.</span
        >
      </p>`
    }
    ${session.value?.is_admin && html`<p><a href="#/settings/prices">Prices and budgets</a></p>`}
  </section>`;
}
