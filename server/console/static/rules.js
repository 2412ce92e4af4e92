// What the assistant may do, and what that may cost: tools with who is asked, prices, budgets.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { Budget, describeEnd, namePerson } from "./budgets.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Failure, Wide, showToast, useLoaded } from "./parts.js";
import { config, hasPack, session } from "./session.js";
import { SureButton } from "./sure.js";
import {
  describeTool,
  formatCost,
  formatAge,
  formatOf,
  formatRate,
  makeVisible,
  toWords,
} from "./words.js";

const EFFECTS = {
  read: "Only reads",
  write: "Changes your data",
  external: "Reaches other services",
};
const SOME = {
  after_outside_text: "asks each time in such a chat, as nothing undoes it",
  unnamed_values: "asks before it saves what only such a text says",
  unnamed_addresses: "asks before it opens a web address from such a text",
};
// What asks most comes first: [icon, style, title, hint, what `asks` says of its tools]
const GROUPS = [
  [
    "shield-check",
    "waiting",
    "Asks you every time",
    "Nothing happens until you agree.",
    ["always"],
  ],
  [
    "circle-alert",
    "queued",
    "Sometimes asks you",
    "Only in a chat with text that you did not write, such as a web page.",
    Object.keys(SOME),
  ],
  ["check", "succeeded", "Never asks", "It only looks something up, or can be undone.", ["never"]],
];

export function Tools() {
  const { data, error, reload } = useLoaded(() => get("/api/tools"), "");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  // A tool that several packs have is one row, where it does the same in each.
  const all = [...new Map(data.tools.map((tool) => [`${tool.name} ${tool.asks}`, tool])).entries()];
  const expires = config.value.settings?.find(({ key }) => key === "limits.approval_s");
  return html`<p class="soft">
      Questions wait under${" "}<a href="#/approvals">Approvals</a
      >${expires && ` and expire after ${formatAge(0, 1000 * Number(expires.value))}`}. A declined
      or expired call is not made. Who runs this service decides which tools ask.
    </p>
    ${GROUPS.map(([icon, style, title, hint, asks]) => {
      const tools = asks.flatMap((name) => all.filter(([, tool]) => tool.asks === name));
      return (
        tools.length > 0 &&
        html`<section key=${title} class="card providers">
          <h2>
            <span class=${`status ${style}`}><${Icon} name=${icon} size=${14} />${title}</span
            >${" "}<span class="soft">${tools.length}</span>
          </h2>
          <p class="soft">${hint}</p>
          <ul class="plain">
            ${tools.map(
              ([key, tool]) =>
                html`<li key=${key}>
                  <div>
                    <b>${describeTool(tool.name).approve ?? toWords(tool.name)}</b
                    ><small
                      >${[EFFECTS[tool.effect], SOME[tool.asks]].filter(Boolean).join(" · ")}${
                        session.value.is_admin &&
                        html` · <code>${makeVisible(tool.name)}</code>${
                            tool.source === "mcp" && " from a tool server"
                          }${
                            tool.workers.length > 0 &&
                            `, used by ${makeVisible(tool.workers.map(toWords).join(", "))}`
                          }`
                      }</small
                    >
                  </div>
                </li>`,
            )}
          </ul>
        </section>`
      );
    })}`;
}

const RATES = {
  input_usd: "In",
  output_usd: "Out",
  cache_read_usd: "From cache",
  cache_write_usd: "Into cache",
  cache_write_long_usd: "Into cache, for longer",
};
const FEW = ["input_usd", "output_usd"]; // columns on a phone; the others are below the model there
const ofWidth = (name) => (FEW.includes(name) ? "" : "wider");

/** @param {{models: object[], label: string, say: Function, valid?: Function}} props
 * say: what stands beside a model's name; valid: since and until when, the second parameter: on a phone */
export const PriceTable = ({ models, label, say, valid }) =>
  html`<${Wide} label=${label}
    ><thead>
      <tr>
        <th class="name">Model</th>
        ${Object.entries(RATES).map(([name, word]) => html`<th key=${name} class=${ofWidth(name)}>${word}</th>`)}
        ${valid && html`<th class="name wider">Valid</th>`}
      </tr>
    </thead>
    <tbody>
      ${models.map(
        (item) =>
          html`<tr key=${`${item.provider}:${item.model}`}>
              <td class="name">
                ${makeVisible(item.model)}${" "}<small class="soft wider">${say(item)}</small>
              </td>
              ${Object.keys(RATES).map(
                (name) =>
                  html`<td key=${name} class=${ofWidth(name)}>${formatRate(item[name])}</td>`,
              )}
              ${valid && html`<td class="name wider">${valid(item)}</td>`}
            </tr>
            <tr key=${`few ${item.provider}:${item.model}`} class="few">
              <td class="name" colspan="3">
                <span class="rates"
                  >${Object.entries(RATES)
                    .filter(([name]) => !FEW.includes(name) && item[name] !== null)
                    .map(
                      ([name, word]) =>
                        html`<span key=${name}
                          ><small class="soft">${word.replace("Into cache, f", "F")}</small
                          >${` ${formatRate(item[name])}`}</span
                        >`,
                    )}</span
                >
                <small class="soft"
                  >${[say(item), valid?.(item, true)].filter(Boolean).join(" · ")}</small
                >
              </td>
            </tr>`,
      )}
    </tbody></${Wide}
  >`;

/** A card, or a fold for whom it is not. */
export const Card = ({ title, isFolded, children }) =>
  isFolded
    ? html`<details class="card">
        <summary>${title}</summary>
        ${children}
      </details>`
    : html`<section class="card">
        <h2>${title}</h2>
        ${children}
      </section>`;

/** What models cost, and the lines that say it where the public list does not. */
function Prices() {
  const { data, error, reload } = useLoaded(() => get("/api/models"), "");
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const unknown = data.models.find((item) => item.input_usd === null || item.output_usd === null);
  const lines = `[prices."${unknown?.id ?? "openai:a-model"}"]\ninput = 1.25\noutput = 10`;
  return html`<${Card} title="Prices" isFolded=${!session.value.is_admin}>
    <p class="soft">
      US dollars per million tokens, from the public list or your own settings. In: what is sent to
      a model. Out: what it writes.
    </p>
    <${PriceTable} models=${data.models} label="prices" say=${(item) => item.provider} />
    ${
      hasPack("operations") &&
      html`<p class="row">
        <a href="#/operations.prices">All models, announced changes</a
        >${session.value.is_admin && html`<a href="#/settings/models">Models and keys</a>`}
      </p>`
    }
    ${
      session.value.is_admin &&
      html`<details open=${Boolean(unknown)}>
        <summary>Set a price</summary>
        <p>
          Put these lines into <code>plainloop.toml</code> and restart the service. Until then,${" "}${
            unknown
              ? html`<b>${makeVisible(unknown.model)}</b> counts`
              : "a model without a price counts"
          }${" "}in no sum and in no budget in dollars.
        </p>
        <div class="row">
          <pre tabindex="0">${lines}</pre>
          <${Copy} text=${lines}>Copy the lines</${Copy}>
        </div>
      </details>`
    }</${Card}
  >`;
}

/** One budget, or one of each person with what each used of it. */
function Rule({ items, children }) {
  const [item] = items;
  const isOwn = item.scope === "user" && !session.value.is_admin; // others have theirs
  if (item.scope !== "user" || item.user_id || isOwn)
    return html`<${Budget} item=${item} isOwn=${isOwn}>${children}</${Budget}>`;
  const people = items.filter(({ subject }) => subject !== null);
  const isUsd = item.limit_usd !== null;
  const say = (one, name) =>
    isUsd ? formatCost(one[`${name}_usd`]) : formatOf(Number(one[`${name}_tokens`]), "token");
  return html`<div class="budget">
    <p><b>Each person</b>, per ${item.period === "total" ? "person, in all" : item.period}</p>
    <p><b class="large">${say(item, "limit")}</b> <span class="soft">each</span></p>
    <p class="hint">${describeEnd(item)}</p>
    ${
      people.length > 0 &&
      html`<${Wide} label="what each person used"
        ><thead>
          <tr>
            <th class="name">Person</th>
            <th>Used</th>
            <th class="wider" title="For running calls">Held</th>
            <th>Left</th>
          </tr>
        </thead>
        <tbody>
          ${people.map(
            (one) =>
              html`<tr key=${one.subject}>
                <td class="name">
                  <a href=${withQuery("#/usage", { everybody: 1, user_id: one.subject })}
                    >${namePerson(one.subject)}</a
                  >
                </td>
                <td>${say(one, "used")}</td>
                <td class="wider">${say(one, "reserved")}</td>
                <td>
                  ${say(one, "left")}${
                    Number(one.reserved_usd) + one.reserved_tokens > 0 &&
                    html`<small class="few soft">${say(one, "reserved")} held</small>`
                  }
                </td>
              </tr>`,
          )}
        </tbody></${Wide}
      >`
    }
    ${children}
  </div>`;
}

/** @param {{user?: string}} props the person for whom a budget is to be set */
export function Limits({ user }) {
  const { data, error, reload } = useLoaded(() => get("/api/budgets"), "");
  const [failure, setFailure] = useState(null);
  const [edited, setEdited] = useState(null);
  const onSaved = (text) => (showToast(text), setEdited(null), reload());
  const remove = (item) =>
    request("DELETE", `/api/budgets/${item.budget_id}`).then(
      () => (showToast("Budget removed"), setFailure(null), reload()),
      setFailure,
    );
  const isAdmin = session.value.is_admin;
  const { data: own } = useLoaded(
    async () => isAdmin && hasPack("operations") && import("./operations/limits.js"),
    "",
  );
  return html`<div class=${own ? "beside limits" : ""}>
      <section class="card budgets">
        <h2>Budgets</h2>
        <${Failure} error=${error ?? failure} again=${error && reload} />
        ${data?.budgets.length === 0 && html`<p class="soft">No budgets yet: only the limits of single runs apply.</p>`}
        ${[...new Set(data?.budgets.map(({ budget_id: id }) => id))].map((id) => {
          const items = data.budgets.filter((item) => item.budget_id === id);
          return html`<${Rule} key=${id} items=${items}
            >${own && html`<${own.Others} item=${items[0]} budgets=${data.budgets} />`}${
              own &&
              (edited === id
                ? html`<${own.EditLimit}
                    item=${items[0]}
                    onSaved=${onSaved}
                    onClose=${() => setEdited(null)}
                  />`
                : html`<p class="row">
                    <button class="small" onClick=${() => setEdited(id)}>
                      <${Icon} name="pencil" size=${14} />Edit</button
                    ><${SureButton}
                      name="Remove"
                      question="Really remove it?"
                      style="small"
                      onSure=${() => remove(items[0])}
                    />
                  </p>`)
            }</${Rule}
          >`;
        })}
      </section>
      ${own && html`<${own.AddBudget} budgets=${data?.budgets ?? []} user=${user} onSaved=${onSaved} />`}
    </div>
    <${Prices} />`;
}
