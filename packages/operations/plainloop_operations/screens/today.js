// Below the start page's suggestions, for administrators: today's figures, each leading to its page.
import { get } from "../api.js";
import { html } from "../html.js";
import { hasPack } from "../session.js";
import { formatCost, formatCount, makeDates } from "../words.js";
import { LEAST_DAYS, judge, loadPast, weekday } from "./spending.js";

const month = makeDates({ month: "long", timeZone: "UTC" });
const USAGE = "/api/usage?user_id=*&pace=true&avoided=false&endings=false&caches=false";

/** Whether today is usual, as the usage page says it: [words, tone]. */
async function judgeToday(cost) {
  const at = Date.now();
  const { costs, used } = await loadPast({ day: "", who: { user_id: "*" }, at });
  const name = weekday.format(at);
  if (used < LEAST_DAYS) return [`too few ${name}s to compare`, "soft"];
  const [words, tone] = judge(cost, costs);
  const isTimes = words.includes("times");
  return [
    isTimes ? words.replace("usual cost", `cost of a usual ${name}`) : `${words} for a ${name}`,
    tone,
  ];
}

/** Of this month: its name, its cost, and of how much that is, where everyone together has a budget. */
function readMonth({ month_usd: used, month_ends_at: end }, budgets) {
  const limit = budgets.find(
    (item) => item.scope === "tenant" && item.period === "month" && item.limit_usd !== null,
  );
  const share = limit && Math.round((100 * used) / (limit.limit_usd || 1));
  return [
    month.format(Date.parse(end) - 1),
    formatCost(used),
    limit ? `of ${formatCost(limit.limit_usd)}, ${formatCount(share)}%` : "no budget",
    share >= 100 ? "bad" : share >= 90 ? "warn" : "soft",
  ];
}

/** A card of links; null before the first call, or where a figure cannot be loaded. */
export async function loadToday() {
  try {
    const [{ usage, pace }, { budgets }, { queue }, running] = await Promise.all([
      get(USAGE),
      get("/api/budgets"),
      get("/api/system?limit=1"),
      hasPack("lab") ? import("../lab/count.js").then((lab) => lab.countRunning()) : 0,
    ]);
    if (!usage[0].calls) return null;
    const today = Number(pace.today_usd);
    const figures = [
      [
        "#/usage?everybody=1&days=1",
        "Everyone today",
        formatCost(today),
        ...(await judgeToday(today)),
      ],
      ["#/settings/prices", ...readMonth(pace, budgets)],
      queue.waiting > 0 && [
        "#/approvals?view=everyone",
        queue.waiting === 1 ? "Answer waits" : "Answers wait",
        formatCount(queue.waiting),
        "for people to decide",
      ],
      running > 0 && [
        "#/lab.experiments",
        running === 1 ? "Experiment" : "Experiments",
        formatCount(running),
        "running",
      ],
    ];
    return html`<nav class="card today" aria-label="Today, for administrators">
      ${figures
        .filter(Boolean)
        .map(
          ([href, title, figure, told, tone = "soft"]) =>
            html`<a key=${href} href=${href}
              ><small class="soft">${title}</small>${" "}<b>${figure}</b>${" "}<small class=${tone}
                >${told}</small
              ></a
            >`,
        )}
    </nav>`;
  } catch {
    return null;
  }
}
