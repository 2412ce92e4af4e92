// A month's usage as a page to print: the running month so far, and those before it.
import { useState } from "../vendor.js";
import { withQuery } from "../api.js";
import { namePerson } from "../budgets.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, Empty, Failure, useLoaded } from "../parts.js";
import { countUnpriced, getAll, getCost } from "../usage_data.js";
import { formatCost, formatCount, formatOf, makeDates } from "../words.js";

const MONTHS = 12;
const title = makeDates({ month: "long", year: "numeric", timeZone: "UTC" });

/** The months with usage of this one and the eleven before it, the newest first: by month its sums.
 * user: "": everyone */
async function loadMonths(user) {
  const now = new Date();
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1));
  const rows = await getAll({ by: "day", user_id: user || "*", since: since.toISOString() });
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

/** Who used the service in these months. */
async function loadPeople() {
  const now = new Date();
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1));
  const rows = await getAll({ by: "user", user_id: "*", since: since.toISOString() });
  return rows.map((row) => row.user).filter(Boolean);
}

export function Screen() {
  const [markup, setMarkup] = useState("");
  const [user, setUser] = useState("");
  const people = useLoaded(loadPeople, "");
  const { data, error, reload } = useLoaded(
    async () => ({ of: user, months: await loadMonths(user) }),
    user,
  );
  const months = data?.of === user ? data.months : null; // never the sums of whoever was chosen before
  const running = new Date().toISOString().slice(0, 7);
  const isValid = markup === "" || (Number(markup) >= 0 && Number(markup) <= 1000);
  const link = (month, inline) =>
    withQuery("/api/usage/statement", { month, markup, user_id: user || null, inline });
  return html`<${Crumbs} way=${[["Usage", "#/usage"]]} title="Statements by month" />
    <section class="card providers">
      <div class="row at-end">
        <label
          >Whose usage<select value=${user} onChange=${(event) => setUser(event.target.value)}>
            <option value="">Everyone together</option>
            <optgroup label="One person">
              ${people.data?.map((name) => html`<option key=${name} value=${name}>${namePerson(name)}</option>`)}
            </optgroup>
          </select></label
        >
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
      </div>
      <p class="soft">
        A month to read or to print,
        for${" "}<b>${user ? `${namePerson(user)} alone` : "everyone together"}</b>. The first page
        is for a board: cost by day, feature, model${!user && " and person"}, the month before and
        the budget. The details follow.
      </p>
      <${Failure} error=${people.error} again=${people.reload} />
      ${!isValid && html`<p class="bad" role="alert">The mark-up must be between 0 and 1,000 %.</p>`}
      ${!months && html`<${Failure} isWaiting error=${error} again=${reload} />`}
      ${
        months?.length === 0 &&
        html`<${Empty}>No usage${user && ` of ${namePerson(user)}`} in the last ${MONTHS} months.</${Empty}>`
      }
      <ul class="plain">
        ${months?.map(([month, { cost, calls, unpriced }]) => {
          const name = title.format(new Date(month));
          const amount = cost * (1 + (isValid ? Number(markup) : 0) / 100);
          return html`<li key=${month}>
            <div>
              <b>${name}${user && ` · ${namePerson(user)}`}</b
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
              html`<span class="row"
                ><a
                  class="button small"
                  href=${link(month, true)}
                  target="_blank"
                  rel="noopener"
                  aria-label=${`Open the statement of ${name}${user && `, ${namePerson(user)}`}, to read or print`}
                  ><${Icon} name="file-text" size=${14} />Open</a
                ><a
                  class="button small"
                  href=${link(month, null)}
                  aria-label=${`Download the statement of ${name}${user && `, ${namePerson(user)}`}`}
                  download
                  ><${Icon} name="download" size=${14} />Download</a
                ></span
              >`
            }
          </li>`;
        })}
      </ul>
    </section>`;
}
