// What models cost, since when and until when, and what their vendors announce.
import { useState } from "../vendor.js";
import { get } from "../api.js";
import { html } from "../html.js";
import { Crumbs, Failure, Wide, useLoaded } from "../parts.js";
import { formatOf, makeVisible } from "../words.js";

const RATES = {
  input_usd: "In",
  output_usd: "Out",
  cache_read_usd: "From cache",
  cache_write_usd: "Into cache",
};
const formatRate = (usd) =>
  usd === null
    ? "unknown"
    : `$${Number(usd).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

/** Of all models that the service has a key for, the ones in use first. */
function Prices() {
  const { data, error, reload } = useLoaded(() => get("/api/prices"), "");
  const [sought, setSought] = useState("");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const { models, version, left_out: more } = data;
  const shown = models.filter((item) =>
    `${item.provider} ${item.model}`.toLowerCase().includes(sought.toLowerCase().trim()),
  );
  const soon = models.filter((item) => item.changes.length);
  const chosen = soon.filter((item) => item.is_chosen);
  const tell = (item) =>
    html`<li key=${item.model}><b>${makeVisible(item.model)}</b> ${item.changes.join("; ")}</li>`;
  return html`<section class="card">
      <h2>Announced changes</h2>
      ${
        chosen.length
          ? html`<ul>
              ${chosen.map(tell)}
            </ul>`
          : html`<p>No shutdown and no new price is announced for the models in use.</p>`
      }
      ${
        soon.length > chosen.length &&
        html`<details>
          <summary>Other models (${soon.length - chosen.length})</summary>
          <ul>
            ${soon.filter((item) => !item.is_chosen).map(tell)}
          </ul>
        </details>`
      }
      <p class="hint">From the vendors' shutdown lists and the price list genai-prices ${version}.</p>
    </section>
    <section class="card">
      <h2>Prices</h2>
      <p class="soft">US dollars per million tokens, from the public list or your own settings.</p>
      <div role="search" class="search">
        <input
          type="search"
          aria-label="Search models"
          placeholder="Search ${formatOf(models.length, "model")}"
          value=${sought}
          onInput=${(event) => setSought(event.target.value)}
        />
      </div>
      <${Wide} label="prices"
        ><thead>
          <tr>
            <th class="name">Model</th>
            ${Object.values(RATES).map((word) => html`<th key=${word}>${word}</th>`)}
            <th>Valid</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (item) =>
              html`<tr key=${`${item.provider}:${item.model}`}>
                <td class="name">
                  ${makeVisible(item.model)}${" "}<small class="soft"
                    >${item.provider}${item.is_own && ", your price"}</small
                  >
                </td>
                ${Object.keys(RATES).map((name) => html`<td key=${name}>${formatRate(item[name])}</td>`)}
                <td>
                  ${item.since && `from ${item.since} `}${
                    (item.until ?? item.ends)
                      ? `${item.ends < new Date().toISOString() ? "ended" : "until"} ${item.until ?? item.ends}`
                      : !item.since && "no end known"
                  }
                </td>
              </tr>`,
          )}
        </tbody></${Wide}
      >
      ${shown.length === 0 && html`<p class="empty">No model matches.</p>`}
      ${more > 0 && html`<p class="soft">${formatOf(more, "further model")} of large lists not shown.</p>`}
    </section>`;
}

export const Screen = () =>
  html`<${Crumbs}
      way=${[["Prices and budgets", "#/settings/prices"]]}
      title="Prices of all models"
    />
    <${Prices} />`;
