// A provider's export beside the ledger: what it comes to, and the days on which both differ.
import { useState } from "../vendor.js";
import { upload } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, Wide, useDrop } from "../parts.js";
import { ChooseFile } from "../upload.js";
import { formatCost, formatCount, formatOf, makeVisible, toWords } from "../words.js";

const FIELDS = {
  date: ["Date"],
  model: ["Model"],
  input: ["Input", "all input tokens, cached ones included"],
  uncached: ["Input without cached tokens", "if the file counts cached tokens apart"],
  cached: ["Read from cache"],
  written: ["Written to cache", "for any lifetime"],
  written_long: ["Of it for an hour or longer"],
  output: ["Output"],
  reasoning: ["Reasoning", "if not part of the output"],
  cost: ["Cost", "in US dollars"],
};
/** `+$0.12`, `−$1.00`: what the invoice has more or less. */
const sayGap = (usd) =>
  usd === null
    ? "not stated"
    : Math.abs(usd) < 0.01
      ? "the same, to the cent"
      : `${usd > 0 ? "+" : ""}${formatCost(usd)}`;

/** One sentence, and how it is to be taken: money decides where both sides state it. */
function sayVerdict({ differing, compared, money_rows: same, difference_usd: gap }) {
  if (!differing) return ["ok", "circle-check", "The invoice matches the ledger"];
  if (same === compared)
    return ["ok", "circle-check", "Every cost matches to the cent; some token counts differ"];
  const days = `${differing} of ${formatOf(compared, "row")} ${differing === 1 ? "differs" : "differ"}`;
  if (gap === null || Math.abs(gap) < 0.01) return ["warn", "circle-alert", days];
  const more = gap > 0 ? "more" : "less";
  return [
    "bad",
    "circle-alert",
    `The invoice is ${formatCost(Math.abs(gap))} ${more} than the ledger`,
  ];
}

function Found({ found, name }) {
  const [tone, icon, title] = sayVerdict(found);
  const tile = (word, value, note) =>
    html`<div class="tile">
      <span>${word}</span><b>${value}</b>${note && html`<small>${note}</small>`}
    </div>`;
  const matching = (rows) =>
    rows === null ? "not stated" : `${formatCount(rows)} of ${formatCount(found.compared)}`;
  return html`<section class=${`card verdict ${tone}`} role="status" aria-label="Result">
      <span class="seal"><${Icon} name=${icon} size=${24} /></span>
      <div>
        <p class="eyebrow">
          ${makeVisible(name)}${found.provider && ` · ${toWords(found.provider)}`}
        </p>
        <h2>${title}</h2>
        <p>
          A row is a day (UTC) and a
          model.${
            found.differences.some((row) => row.is_running) &&
            html`${" "}<b>Today is still running: its rows can match only when the day is over.</b>`
          }
        </p>
      </div>
    </section>
    <div class="tiles four">
      ${tile("Invoice", formatCost(found.export_usd))}${tile("Ledger", formatCost(found.ledger_usd))}${tile(
        "Same cost",
        matching(found.money_rows),
        "rows, to the cent",
      )}${tile("Same tokens", matching(found.token_rows), "rows")}
    </div>
    ${
      found.differences.length > 0 &&
      html`<section class="card">
        <h2>Differences</h2>
        <${Wide} label="differences"
          ><thead>
            <tr>
              <th class="name">Day</th>
              <th class="name">Model</th>
              <th>Invoice − ledger</th>
              <th class="name">Tokens, invoice − ledger</th>
              <th class="name">Possible cause</th>
            </tr>
          </thead>
          <tbody>
            ${found.differences.map(
              (row) =>
                html`<tr key=${`${row.day} ${row.model}`}>
                  <td class="name">
                    ${row.day}${row.is_running && html`<br /><small>still running</small>`}
                  </td>
                  <td class="name">${makeVisible(row.model)}</td>
                  <td>${sayGap(row.money_gap_usd)}</td>
                  <td class="name">
                    ${
                      found.token_rows === null
                        ? "not stated"
                        : Object.entries(row.token_gaps)
                            .map(
                              ([kind, n]) =>
                                `${toWords(kind)} ${n > 0 ? "+" : "−"}${formatCount(Math.abs(n))}`,
                            )
                            .join(", ") || "the same"
                    }
                  </td>
                  <td class="name">${makeVisible(row.reason || "unknown")}</td>
                </tr>`,
            )}
          </tbody></${Wide}
        >
        ${
          found.differing > found.differences.length &&
          html`<p class="soft">
            These are the largest ${formatCount(found.differences.length)} of
            ${formatCount(found.differing)}.
          </p>`
        }
      </section>`
    }`;
}

export function Screen() {
  const [state, setState] = useState({ isBusy: false });
  const [columns, setColumns] = useState({});
  const take = async (file) => {
    if (!file) return;
    setState({ isBusy: true, file });
    const map = Object.entries(columns)
      .filter(([, column]) => column.trim())
      .map(([name, column]) => `${name}=${column.trim()}`)
      .join(",");
    try {
      const found = await upload("/api/usage/reconcile", file, { map });
      setState({ isBusy: false, file, found, name: file.name });
    } catch (error) {
      setState({ isBusy: false, file, error });
    }
  };
  const isOver = useDrop(take);
  const { found, error, isBusy, name, file } = state;
  const again = (event) => (event.preventDefault(), take(file));
  return html`<${Crumbs} way=${[["Usage", "#/usage"]]} title="Check an invoice" />
    <div class="empty big drop">
      <${Icon} name="upload" size=${20} />
      <p>
        ${isOver ? "Drop the file to compare it." : "Drop a provider's usage or cost export on this page."}
      </p>
      <p class="hint">
        Accepted: JSON of Anthropic's or OpenAI's usage or cost API, CSV of Anthropic's console, the
        CSV "By day and model" of Usage, and any CSV with columns for date and model and for tokens
        or cost. The file is compared and not stored.
      </p>
      <${ChooseFile} accept=".json,.csv,.txt" isBusy=${isBusy} take=${take} />
    </div>
    ${
      error &&
      html`<div class="failure" role="alert">
        <p>${makeVisible(error.message)}${file && ` (${makeVisible(file.name)})`}</p>
        ${error.hint && html`<p>${makeVisible(error.hint)}</p>`}
      </div>`
    }
    <details class="card" open=${Boolean(error)}>
      <summary>Columns of another CSV</summary>
      <p class="soft">
        The name that the column has in your file; leave out what it does not have. “Input” counts
        cached tokens too: if your file counts them apart, use “Input without cached tokens”.
      </p>
      <form class="fields-form" onSubmit=${again}>
        ${Object.entries(FIELDS).map(
          ([field, [word, hint]]) =>
            html`<label key=${field} title=${hint}
              >${word}<input
                value=${columns[field] ?? ""}
                placeholder=${field}
                onInput=${(event) => setColumns({ ...columns, [field]: event.target.value })}
            /></label>`,
        )}
        ${file && html`<button class="accent" disabled=${isBusy}>Compare ${makeVisible(file.name)} again</button>`}
      </form>
    </details>
    ${found && html`<${Found} found=${found} name=${name} />`}`;
}
