// A month's usage as a page to print: the running month so far, and those before it.
import { useState } from "../vendor.js";
import { withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs } from "../parts.js";

const MONTHS = 12;
const title = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** The first days of the running month and of those before it, in UTC. */
const listMonths = (now) =>
  Array.from(
    { length: MONTHS },
    (_, n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n)),
  );

export function Screen() {
  const [markup, setMarkup] = useState("");
  const isValid = markup === "" || (Number(markup) >= 0 && Number(markup) <= 1000);
  return html`<${Crumbs} way=${[["Usage", "#/usage"]]} title="Statements by month" />
    <section class="card providers">
      <p class="soft">
        The usage of everyone together, by model, person and day (UTC), as one HTML file to read or
        print.
      </p>
      <div class="row at-end">
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
      ${!isValid && html`<p class="bad" role="alert">The mark-up must be between 0 and 1,000 %.</p>`}
      <ul class="plain">
        ${listMonths(new Date()).map((first, n) => {
          const month = first.toISOString().slice(0, 7);
          const name = title.format(first);
          return html`<li key=${month}>
            <div><b>${name}</b>${n === 0 && html`<small>so far</small>`}</div>
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
