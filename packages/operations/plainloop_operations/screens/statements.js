// A month's usage as a page to print: the running month so far, and those before it.
import { useState } from "../vendor.js";
import { withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, Empty, Failure, useLoaded } from "../parts.js";
import { countUnpriced, getAll, getCost } from "../usage_data.js";
import { formatCost, formatCount, formatOf, makeDates } from "../words.js";

const MONTHS = 12;
const title = makeDates({ month: "long", year: "numeric", timeZone: "UTC" });

/** The months with usage of this one and the eleven before it, the newest first: by month its sums. */
async function loadMonths() {
  const now = new Date();
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1));
  const rows = await getAll({ by: "day", user_id: "*", since: since.toISOString() });
  const months = new Map();
  for (const row of rows.filter(({ calls }) => calls > 0)) {
    const month = row.day.slice(0, 7);
    const { cost = 0, calls = 0, unpriced = 0 } = months.get(month) ?? {};
    months.set(month, {
      cost: cost + getCost(row),
      calls: calls + row.calls,
      unpriced: unpriced + countUnpriced(row),
    });
  }
  return [...months].reverse();
}

export function Screen() {
  const [markup, setMarkup] = useState("");
  const { data: months, error, reload } = useLoaded(loadMonths, "");
  const running = new Date().toISOString().slice(0, 7);
  const isValid = markup === "" || (Number(markup) >= 0 && Number(markup) <= 1000);
  return html`<${Crumbs} way=${[["Usage", "#/usage"]]} title="Statements by month" />
    <section class="card providers">
      <p class="soft">
        The usage of everyone together, by model, person and day (UTC), as one HTML file to read or
        print.
      </p>
      <p class="row at-end">
        <label
          >Mark-up on the cost (%)<input
            type="number"
            min="0"
            max="1000"
            step="any"
            inputmode="decimal"
            placeholder="0"
            value=${markup}
            onInput=${(event) => setMarkup(event.target.value)}
        /></label>
      </p>
      ${!isValid && html`<p class="bad" role="alert">The mark-up must be between 0 and 1,000 %.</p>`}
      ${!months && html`<${Failure} isWaiting error=${error} again=${reload} />`}
      ${months?.length === 0 && html`<${Empty}>No usage in the last ${MONTHS} months.</${Empty}>`}
      <ul class="plain">
        ${months?.map(([month, { cost, calls, unpriced }]) => {
          const name = title.format(new Date(month));
          const amount = cost * (1 + (isValid ? Number(markup) : 0) / 100);
          return html`<li key=${month}>
            <div>
              <b>${name}</b
              ><small
                >${[
                  month === running && "so far",
                  `${formatCost(amount)}${markup > 0 && isValid ? ` with ${Number(markup)}% mark-up` : ""}`,
                  formatOf(calls, "call"),
                  unpriced > 0 && `${formatCount(unpriced)} without a known price`,
                ]
                  .filter(Boolean)
                  .join(" · ")}</small
              >
            </div>
            ${
              isValid &&
              html`<a
                class="button small"
                href=${withQuery("/api/usage/statement", { month, markup })}
                aria-label=${`Download the statement of ${name}`}
                download
                ><${Icon} name="download" size=${14} />Download</a
              >`
            }
          </li>`;
        })}
      </ul>
    </section>`;
}
