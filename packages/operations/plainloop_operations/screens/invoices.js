// A provider's export beside the ledger: what it comes to, and the days on which both differ.
import { useState } from "../vendor.js";
import { upload } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, More, Wide, useDrop } from "../parts.js";
import { ChooseFile } from "../upload.js";
import { formatCount, formatOf, makeVisible, toWords } from "../words.js";

const FIELDS = {
  date: ["Date"],
  model: ["Model"],
  cost: ["Cost", "in US dollars"],
  output: ["Output"],
  input: ["Input", "all input tokens, cached ones included"],
  uncached: ["Input without cached tokens", "if the file counts cached tokens apart"],
  cached: ["Read from cache"],
  written: ["Written to cache", "for any lifetime"],
  written_long: ["Of it for an hour or longer"],
  reasoning: ["Reasoning", "if not part of the output"],
};
const ROWS = 100; // at once
/** One rounding for the whole comparison: cents, or 4 places where any amount has parts of a cent. */
function readMoney({ export_usd: invoice, ledger_usd: ledger, differences }) {
  const known = [invoice, ledger, ...differences.map((row) => row.money_gap_usd)].filter(Boolean);
  const places = known.some((usd) => Number((100 * usd).toFixed(2)) % 1) ? 4 : 2;
  const round = (usd) => Number(Number(usd).toFixed(places));
  const say = (usd) => (usd === null ? "not stated" : `$${round(Math.abs(usd)).toFixed(places)}`);
  /** `+$0.12`, `−$1.00`: what the invoice has more or less. */
  const sayGap = (usd) =>
    usd !== null && round(usd) === 0
      ? "the same"
      : `${usd > 0 ? "+" : usd < 0 ? "−" : ""}${say(usd)}`;
  const gap = invoice === null || ledger === null ? null : round(round(invoice) - round(ledger));
  const listed = differences.reduce((sum, row) => sum + round(row.money_gap_usd), 0);
  return { gap, rest: gap === null ? 0 : round(gap - listed), say, sayGap };
}

/** One sentence, and how it is to be taken: money decides where both sides state it. */
function sayVerdict({ differing, compared, money_rows: same }, { gap, say }) {
  if (Math.abs(gap) >= 0.01) {
    const more = gap > 0 ? "more" : "less";
    return ["bad", "circle-alert", `The invoice is ${say(gap)} ${more} than the ledger`];
  }
  if (!differing) return ["ok", "circle-check", "The invoice matches the ledger"];
  if (same === compared)
    return ["ok", "circle-check", "Every cost matches to the cent; some token counts differ"];
  const days = `${differing} of ${formatOf(compared, "row")} ${differing === 1 ? "differs" : "differ"}`;
  return ["warn", "circle-alert", days];
}

const HEADS = ["Day", "Model", "Invoice − ledger", "Tokens, invoice − ledger", "Possible cause"];
/** What the rows that are not listed have in common. */
const sayRest = ({ differing, differences }) =>
  differing > differences.length ? "together" : "each the same to the cent";

const sayTokens = (gaps) =>
  Object.entries(gaps)
    .map(([kind, n]) => `${toWords(kind)} ${n > 0 ? "+" : "−"}${formatCount(Math.abs(n))}`)
    .join(", ") || "the same";

/** onAll: lists the rows that agree too; null where they are listed */
function Found({ found, name, onAll }) {
  const [most, setMost] = useState(ROWS);
  const money = readMoney(found);
  const [tone, icon, title] = sayVerdict(found, money);
  const others = found.compared - found.differences.length;
  const hasRows = found.differences.length > 0 || Math.abs(money.rest) >= 0.01;
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
      ${tile("Invoice", money.say(found.export_usd))}${
        found.ledger_usd === null && found.export_usd !== null
          ? tile("Ledger", "unknown", "not all calls have a known price")
          : tile("Ledger", money.say(found.ledger_usd))
      }${tile(
        "Same cost",
        matching(found.money_rows),
        "rows, to the cent",
      )}${tile("Same tokens", matching(found.token_rows), "rows")}
    </div>
    <section class="card stacked">
      <header class="row spread">
        <h2>${onAll ? (hasRows ? "Differences" : "Rows") : "All rows"}</h2>
        ${
          onAll &&
          found.compared > found.differences.length &&
          html`<button class="small" onClick=${onAll}>
            Show all ${formatOf(found.compared, "row")}
          </button>`
        }
      </header>
      ${
        hasRows &&
        html`<${Wide} label="differences"
          ><thead>
            <tr>
              ${HEADS.map((name, at) => html`<th class=${at === 2 ? null : "name"}>${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${found.differences.slice(0, most).map(
              (row) =>
                html`<tr key=${`${row.day} ${row.model}`}>
                  <td class="name" data-head=${HEADS[0]}>
                    <span
                      >${row.day}${row.is_running && html`<br /><small>still running</small>`}</span
                    >
                  </td>
                  <td class="name" data-head=${HEADS[1]}>
                    <span class="whole">${makeVisible(row.model)}</span>
                  </td>
                  <td data-head=${HEADS[2]}>${money.sayGap(row.money_gap_usd)}</td>
                  <td class="name" data-head=${HEADS[3]}>
                    ${found.token_rows === null ? "not stated" : sayTokens(row.token_gaps)}
                  </td>
                  <td class="name" data-head=${HEADS[4]}>
                    ${makeVisible(row.reason || (row.differs ? "unknown" : "–"))}
                  </td>
                </tr>`,
            )}${
              money.rest !== 0 &&
              html`<tr>
                <td class="name" colspan="2" data-head=${HEADS[1]}>
                  ${others > 0 ? `${formatOf(others, "other row")}, ${sayRest(found)}` : "Rounding"}
                </td>
                <td data-head=${HEADS[2]}>${money.sayGap(money.rest)}</td>
              </tr>`
            }
          </tbody></${Wide}
        >`
      }
      <${More} isThere=${found.differences.length > most} onMore=${() => setMost(most + ROWS)} />
      ${
        found.differing > found.differences.length &&
        html`<p class="soft">
          These are the largest ${formatCount(found.differences.length)} of
          ${formatCount(found.differing)}.
        </p>`
      }
    </section>`;
}

/** Which of the file's own columns each field is read from. */
function Columns({ columns, map, isOpen, isBusy, onCompare }) {
  const onSubmit = (event) => {
    event.preventDefault();
    onCompare(
      Object.fromEntries([...new FormData(event.currentTarget)].filter(([, column]) => column)),
    );
  };
  return html`<details class="card" open=${isOpen}>
    <summary>Columns of the file</summary>
    <p class="soft">
      “Input” counts cached tokens too: if your file counts them apart, use “Input without cached
      tokens”.
    </p>
    <form class="fields-form" onSubmit=${onSubmit}>
      ${Object.entries(FIELDS).map(
        ([field, [word, hint]]) =>
          html`<label key=${field} title=${hint}
            >${word}<select name=${field}>
              <option value="">not in the file</option>
              ${columns.map(
                (column) =>
                  html`<option key=${column} value=${column} selected=${map[field] === column}>
                    ${makeVisible(column)}
                  </option>`,
              )}
            </select></label
          >`,
      )}
      <button class="accent" disabled=${isBusy}>Compare again</button>
    </form>
  </details>`;
}

const PATH = "/api/usage/reconcile";

export function Screen() {
  const [state, setState] = useState({ isBusy: false });
  /** map: chosen columns, by field; isEvery: the rows that agree too */
  const compare = async (file, { map, isEvery, read }) => {
    setState((now) => ({ ...now, isBusy: true, error: null }));
    const asked = { map: map && JSON.stringify(map), every: isEvery || null };
    try {
      const found = await upload(PATH, file, asked);
      setState({ isBusy: false, file, map, read, found, isEvery });
    } catch (error) {
      setState({ isBusy: false, file, map, read, error });
    }
  };
  const take = async (file) => {
    if (!file) return;
    setState({ isBusy: true });
    const read = await upload(`${PATH}/columns`, file).catch(() => null); // compare says what is wrong
    await compare(file, { read });
  };
  const isOver = useDrop(take);
  const { found, error, isBusy, file, read, map, isEvery } = state;
  return html`<${Crumbs} way=${[["Usage", "#/usage"]]} title="Check an invoice" />
    <div class=${`empty drop ${found ? "" : "big"}`}>
      <${Icon} name="upload" size=${20} />
      <p>
        ${isOver ? "Drop the file to compare it." : "Drop a provider's usage or cost export on this page."}
      </p>
      ${
        !found &&
        html`<p class="hint">
          Accepted: JSON of Anthropic's or OpenAI's usage or cost API, CSV of Anthropic's console,
          the CSV "By day and model" of Usage, and any CSV with columns for date and model and for
          tokens or cost. The file is compared and not stored.
        </p>`
      }
      <${ChooseFile} accept=".json,.csv,.txt" isBusy=${isBusy} take=${take} />
    </div>
    ${
      error &&
      html`<div class="failure" role="alert">
        <p>${makeVisible(error.message)} (${makeVisible(file.name)})</p>
        ${error.hint && html`<p>${makeVisible(error.hint)}</p>`}
      </div>`
    }
    ${
      found &&
      html`<${Found}
        found=${found}
        name=${file.name}
        onAll=${isEvery ? null : () => compare(file, { map, read, isEvery: true })}
      />`
    }
    ${
      read?.columns.length > 0 &&
      html`<${Columns}
        key=${file}
        ...${read}
        map=${map ?? read.map}
        isOpen=${Boolean(error)}
        isBusy=${isBusy}
        onCompare=${(chosen) => compare(file, { map: chosen, read })}
      />`
    }`;
}
