// A provider's export beside the ledger: what it comes to, and the days on which both differ.
import { useState } from "../vendor.js";
import { upload, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Crumbs, More, Wide, useDrop } from "../parts.js";
import { ChooseFile } from "../upload.js";
import { formatCount, formatDate, formatOf, makeVisible, toWords } from "../words.js";

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
const VENDORS = { openai: "OpenAI", xai: "xAI" }; // as they spell it; others by a capital
const ROWS = 100; // at once
/** One rounding for the whole comparison: cents, or 4 places where any amount has parts of a cent. */
function readMoney({ export_usd: invoice, ledger_usd: ledger, differences }) {
  const known = [invoice, ledger, ...differences.map((row) => row.money_gap_usd)].filter(Boolean);
  const places = known.some((usd) => Number((100 * usd).toFixed(2)) % 1) ? 4 : 2;
  const round = (usd) => Number(Number(usd).toFixed(places));
  const say = (usd) => (usd === null ? "not stated" : `$${round(Math.abs(usd)).toFixed(places)}`);
  /** `+$0.12`, `−$1.00`: what the invoice has more or less. */
  const sayGap = (usd) =>
    usd !== null && Math.abs(usd) < 0.00005
      ? "the same"
      : usd !== null && Math.abs(usd) < 0.001
        ? "less than $0.001"
        : `${usd > 0 ? "+" : usd < 0 ? "−" : ""}${say(usd)}`;
  const isKnown = invoice !== null && ledger !== null;
  const gap = isKnown ? round(round(invoice) - round(ledger)) : null;
  const exact = differences.reduce((sum, row) => sum + Number(row.money_gap_usd), 0);
  const listed = differences.reduce((sum, row) => sum + round(row.money_gap_usd), 0);
  const rest = isKnown ? invoice - ledger - exact : 0; // of rows that are not listed
  return { gap, rest: Math.abs(rest) < 0.001 ? rest : round(gap - listed), say, sayGap };
}

const FAULTS = {
  not_in_ledger: (n) => `${n === 1 ? "is" : "are"} not in the ledger`,
  not_in_export: (n) => `${n === 1 ? "is" : "are"} not in the invoice`,
  cost: (n) => `${n === 1 ? "has" : "have"} another cost`,
  tokens: (n) => `${n === 1 ? "has" : "have"} other token counts`,
};
/** `1 of 3 rows is not in the ledger, 1 has other token counts`. */
const sayFaults = ({ faults, compared }) =>
  Object.entries(FAULTS)
    .filter(([kind]) => faults[kind])
    .map(([kind, say], at) => {
      const [n, word] = [faults[kind], say(faults[kind])];
      return at
        ? `${formatCount(n)} ${word}`
        : `${formatCount(n)} of ${formatOf(compared, "row")} ${word}`;
    })
    .join(", ");

/** One sentence, and how it is to be taken: money first, then rows that one side lacks. */
function sayVerdict(found, { gap, say }) {
  const { differing, faults } = found;
  if (Math.abs(gap) >= 0.01) {
    const more = gap > 0 ? "more" : "less";
    return ["bad", "circle-alert", `The invoice is ${say(gap)} ${more} than the ledger`];
  }
  if (!differing)
    return found.is_running
      ? ["warn", "circle-alert", "The invoice matches the ledger so far"]
      : ["ok", "circle-check", "The invoice matches the ledger"];
  const isBad = faults.not_in_ledger || faults.not_in_export;
  return [isBad ? "bad" : "warn", "circle-alert", sayFaults(found)];
}

const HEADS = ["Day", "Model", "Invoice", "Ledger", "Difference", "Tokens", "Possible cause"];
/** What the rows that are not listed have in common. */
const sayRest = ({ differing, differences }) =>
  differing > differences.length ? "together" : "each the same to the cent";

/** Each kind's count on both sides; where they agree, once. */
function Tokens({ row }) {
  const { export_tokens: invoice, ledger_tokens: ledger, token_gaps: gaps } = row;
  const kinds = Object.keys(invoice).filter((kind) => gaps[kind] || invoice[kind]);
  const cached = (invoice.cached ?? 0) + (invoice.written ?? 0);
  // Files that count cached tokens apart state only the others: one looks for that number.
  const isAll = invoice.input > cached && ledger.input - invoice.input < cached / 2;
  const uncached = cached > 0 && isAll && `${formatCount(invoice.input - cached)} uncached`;
  const lines = [...new Set([...kinds, ...Object.keys(gaps)])].map((kind) => {
    const [count, own] = [invoice[kind] ?? 0, ledger[kind] ?? 0].map(formatCount);
    const by = `${gaps[kind] > 0 ? "+" : "−"}${formatCount(Math.abs(gaps[kind]))}`;
    const less = kind === "input" && uncached;
    return gaps[kind]
      ? html`<b>${toWords(kind)} ${by}</b> (${count}, ledger ${own}${less && `; ${less}`})`
      : `${toWords(kind)} ${count}${less ? ` (${less})` : ""}, the same`;
  });
  return lines.length ? lines.map((line, at) => html`${at > 0 && html`<br />`}${line}`) : "–";
}

/** onAll: lists the rows that agree too; null where they are listed */
function Found({ found, name, onAll }) {
  const [most, setMost] = useState(ROWS);
  const money = readMoney(found);
  const [tone, icon, title] = sayVerdict(found, money);
  const others = found.compared - found.differences.length;
  const hasRows = found.differences.length > 0 || Math.abs(money.rest) >= 0.01;
  const faults = Math.abs(money.gap) >= 0.01 && found.differing > 0 && sayFaults(found);
  const tile = (word, value, note) =>
    html`<div class="tile">
      <span>${word}</span><b>${value}</b>${note && html`<small>${note}</small>`}
    </div>`;
  const matching = (rows) => `${formatCount(rows)} of ${formatCount(found.compared)}`;
  return html`<section class=${`card verdict ${tone}`} role="status" aria-label="Result">
      <span class="seal"><${Icon} name=${icon} size=${24} /></span>
      <div>
        <p class="eyebrow">
          ${[
            makeVisible(name),
            found.provider && (VENDORS[found.provider] ?? toWords(found.provider)),
            found.first_day && `${formatDate(found.first_day)} to ${formatDate(found.last_day)}`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
        <h2>${title}</h2>
        ${
          Math.abs(money.gap) >= 0.01 &&
          html`<p>
            ${
              money.gap > 0
                ? "This is in the vendor's favour: it charges more than the calls of the ledger cost."
                : "This is in your favour: it charges less than the calls of the ledger cost."
            }
          </p>`
        }${faults && html`<p>${faults}.</p>`}
        <p>
          A row is a day (UTC) and a
          model.${
            found.is_running &&
            html`${" "}<b>Today is still running: its rows are final when the day is over.</b>`
          }
        </p>
        <button class="small" title="Print the result, or save it as PDF" onClick=${() => print()}>
          <${Icon} name="file-text" size=${14} />Print or save
        </button>
      </div>
    </section>
    <div class="tiles four">
      ${tile("Invoice", money.say(found.export_usd))}${
        found.ledger_usd === null && found.export_usd !== null
          ? tile("Ledger", "unknown", "not all calls have a known price")
          : tile("Ledger", money.say(found.ledger_usd))
      }${tile(
        "Same cost",
        found.money_rows === null ? "–" : matching(found.money_rows),
        found.money_rows === null ? "the file states no cost" : "rows, to the cent",
      )}${tile(
        "Same tokens",
        found.token_rows === null ? "–" : matching(found.token_rows),
        found.token_rows === null ? "the file states no tokens" : "rows",
      )}
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
              ${HEADS.map((name, at) => html`<th class=${at > 1 && at < 5 ? null : "name"}>${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${found.differences.slice(0, most).map(
              (row) =>
                html`<tr key=${`${row.day} ${row.model}`}>
                  <td class="name" data-head=${HEADS[0]}>
                    <span
                      ><a href=${withQuery("#/usage", { everybody: 1, day: row.day })}>${row.day}</a
                      >${row.is_running && html`<br /><small>still running</small>`}</span
                    >
                  </td>
                  <td class="name" data-head=${HEADS[1]}>
                    <span class="whole">${makeVisible(row.model)}</span>
                  </td>
                  <td data-head=${HEADS[2]}>
                    ${row.is_in_export ? money.say(row.export_usd) : "none"}
                  </td>
                  <td data-head=${HEADS[3]}>
                    ${row.is_in_ledger ? money.say(row.ledger_usd) : "none"}
                  </td>
                  <td data-head=${HEADS[4]}>${money.sayGap(row.money_gap_usd)}</td>
                  <td class="name" data-head=${HEADS[5]}>
                    ${found.token_rows === null ? "not stated" : html`<span><${Tokens} row=${row} /></span>`}
                  </td>
                  <td class="name" data-head=${HEADS[6]}>
                    ${makeVisible(row.reason || (row.differs ? "unknown" : "–"))}
                  </td>
                </tr>`,
            )}${
              others > 0 &&
              Math.abs(money.rest) >= 0.00005 &&
              html`<tr>
                <td class="name" colspan="4" data-head=${HEADS[1]}>
                  ${`${formatOf(others, "other row")}, ${sayRest(found)}`}
                </td>
                <td data-head=${HEADS[4]}>${money.sayGap(money.rest)}</td>
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
    } catch (failure) {
      // A browser sends no file that changed on the disk since it was chosen.
      const isSame = await file
        .slice(0, 1)
        .arrayBuffer()
        .catch(() => null);
      const error = isSame ? failure : { message: "The file has changed: choose it again" };
      setState({ isBusy: false, file, map, read: isSame && read, error });
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
