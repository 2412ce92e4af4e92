// What models cost, since when and until when, and what their vendors announce.
import { useState } from "../vendor.js";
import { get } from "../api.js";
import { toOwnDates } from "../changes.js";
import { html } from "../html.js";
import { Crumbs, Failure, useLoaded } from "../parts.js";
import { PriceTable } from "../rules.js";
import { hasPack, session } from "../session.js";
import { formatDate, formatOf, makeVisible } from "../words.js";

const hasEnded = (item) => item.ends !== null && item.ends <= new Date().toISOString().slice(0, 10);

const isInUse = (item) => item.is_chosen || item.is_used;

/** Since when and until when; only of a model in use does no entry in a list mean that none is announced. */
function sayValid({ since, until, ends, ...item }) {
  if (hasEnded({ ends })) return `ended ${formatDate(ends)}`;
  const from = since ? `from ${formatDate(since)}` : "";
  const end = until ?? ends;
  if (end) return `${from} until ${formatDate(end)}`.trim();
  return [from, isInUse(item) ? "no end announced" : "end unknown"].filter(Boolean).join(", ");
}

const describeUse = (item) =>
  `${item.provider}${item.is_used ? ", used in the last 30 days" : item.is_chosen ? ", offered for chats, not used in 30 days" : ""}${
    item.is_own ? ", your price" : ""
  }`;

const Table = ({ models, label }) =>
  html`<${PriceTable}
    models=${models}
    label=${label}
    say=${describeUse}
    valid=${(item, isShort) => (isShort && !isInUse(item) && !item.until && !item.ends ? "" : sayValid(item))}
  />`;

/** Of all models that the service has a key for: the ones in use first, the ended ones apart. */
function Prices() {
  const { data, error, reload } = useLoaded(() => get("/api/prices"), "");
  const [sought, setSought] = useState("");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const { models, version, left_out: more } = data;
  const matching = models.filter((item) =>
    `${item.provider} ${item.model}`.toLowerCase().includes(sought.toLowerCase().trim()),
  );
  const ended = matching.filter((item) => hasEnded(item) && !isInUse(item));
  const shown = matching.filter((item) => !ended.includes(item));
  const soon = models.filter((item) => item.changes.length && (isInUse(item) || !hasEnded(item)));
  const chosen = soon.filter(isInUse);
  const others = soon.filter((item) => !isInUse(item));
  const tell = (item) =>
    html`<li key=${item.model}>
      <b>${makeVisible(item.model)}</b>${" "}${toOwnDates(item.changes.join("; "))}
    </li>`;
  return html`<section class="card">
      <h2>Announced changes</h2>
      ${
        chosen.length
          ? html`<ul>
              ${chosen.map(tell)}
            </ul>`
          : html`<p>
              No shutdown and no new price is announced for the models offered for chats or used in
              the last 30 days.
            </p>`
      }
      ${
        others.length > 0 &&
        html`<details>
          <summary>Other models (${others.length})</summary>
          <ul>
            ${others.map(tell)}
          </ul>
        </details>`
      }
      <p class="hint">
        From the vendors' shutdown lists, as read for this version, and the price list
        genai-prices${" "}${version}.
      </p>
    </section>
    <section class="card">
      <h2>Prices</h2>
      <p class="soft">
        US dollars per million tokens, from the public list or your own settings. Listed are the
        vendors that this service has a key for.
      </p>
      <div role="search" class="search">
        <input
          type="search"
          aria-label="Search models"
          placeholder="Search ${formatOf(models.length, "model")}"
          value=${sought}
          onInput=${(event) => setSought(event.target.value)}
        />
      </div>
      ${shown.length > 0 && html`<${Table} models=${shown} label="prices" />`}
      ${
        ended.length > 0 &&
        html`<details open=${shown.length === 0}>
          <summary>Ended models (${ended.length})</summary>
          <${Table} models=${ended} label="prices of ended models" />
        </details>`
      }
      ${matching.length === 0 && html`<p class="empty">No model matches. Vendors without a key are not listed.</p>`}
      ${more > 0 && html`<p class="soft">${formatOf(more, "further model")} of large lists not shown.</p>`}
    </section>`;
}

export const Screen = () =>
  html`<${Crumbs}
      way=${[["Prices and budgets", "#/settings/prices"]]}
      title="Prices of all models"
      ><span class="row"
        >${
          session.value.is_admin &&
          html`<a class="button small" href="#/settings/models">Models and keys</a>`
        }${session.value.is_admin && hasPack("lab") && html`<a class="button small" href="#/lab.advice">Find cheaper models</a>`}</span
      ></${Crumbs}
    >
    <${Prices} />`;
