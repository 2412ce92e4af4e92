// What calls models today: each part of the assistant with its model, prices, tools and prompt.
import { useState } from "../vendor.js";
import { get, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Copy, Failure, useLoaded } from "../parts.js";
import { getPeriod, toQuery } from "../usage_data.js";
import { describeTool, formatCost, formatOf, formatRate, makeVisible, toWords } from "../words.js";
import { NONE_SAID, sayPart } from "./part_names.js";
import "./style.js";

const USED = {
  by: "worker,role,model",
  user_id: "*",
  origin: "own",
  avoided: false,
  caches: false,
  endings: false,
  limit: 100,
};

const load = async () => {
  const used = withQuery("/api/usage", { ...USED, ...toQuery(getPeriod({ days: "30" })) });
  const [{ parts }, { usage }] = await Promise.all([get("/api/prompts"), get(used)]);
  return parts.map((part) => {
    const own = usage.filter(
      (row) =>
        row.role === part.role &&
        (row.worker === part.name || (part.name === part.role && isShared(row, parts))),
    );
    return { ...part, used: own, calls: own.reduce((sum, row) => sum + row.calls, 0) };
  });
};

/** Whether a call is of a role as such, such as the sorting of requests, and of no part of its own. */
const isShared = (row, parts) =>
  !parts.some((part) => part.role === row.role && part.name === row.worker);

const sumCost = (rows) =>
  rows.some((row) => row.cost_usd === null)
    ? null
    : rows.reduce((sum, row) => sum + Number(row.cost_usd), 0);

/** What other models cost than today's; "": nothing. */
function sayOthers({ model, used }) {
  const others = used.filter((row) => row.model !== model && Number(row.cost_usd) > 0);
  return others.length
    ? `${formatCost(sumCost(others))} of it by ${others.length === 1 ? makeVisible(others[0].model) : formatOf(others.length, "other model")}`
    : "";
}

const Prompt = ({ part }) =>
  html`<div class="row spread">
      <b>Today's prompt of ${sayPart(part).title}</b
      ><span class="row"
        ><small class="soft">version <code>${part.version}</code></small
        ><${Copy} text=${part.text}
      /></span>
    </div>
    <pre tabindex="0" class="whole-prompt">${makeVisible(part.text)}</pre>
    <p class="soft">
      Each answer's own prompt: open its run and choose a step,
      then${" "}<b>Prompt</b>.${
        part.role === "worker" &&
        html`${" "}<a href="#/lab.experiment">Try another text or model</a>`
      }
    </p>`;

const Tools = ({ part }) =>
  html`<ul class="plain tool-names">
    ${part.tools.map(
      (name) =>
        html`<li key=${name}>
          ${makeVisible(describeTool(name).approve ?? describeTool(name).did ?? toWords(name))}${" "}<code
            class="soft"
            >${makeVisible(name)}</code
          >
        </li>`,
    )}
  </ul>`;

const Used = ({ part }) =>
  html`<ul class="plain tool-names">
    ${part.used.map(
      (row) =>
        html`<li key=${row.model}>
          ${makeVisible(row.model)}${" "}<span class="soft"
            >${formatOf(row.calls, "call")}, ${formatCost(row.cost_usd)}</span
          >
        </li>`,
    )}
  </ul>`;

const DETAILS = { tools: Tools, prompt: Prompt, used: Used };

/** One part, and below it what was unfolded of it. */
function Part({ part }) {
  const [open, setOpen] = useState("");
  const { title, does } = sayPart(part);
  const unfold = (name, label) =>
    html`<button
      class="link"
      aria-expanded=${open === name}
      onClick=${() => setOpen(open === name ? "" : name)}
    >
      ${label}<${Icon} name=${open === name ? "chevron-down" : "chevron-right"} size=${14} />
    </button>`;
  const Detail = DETAILS[open];
  const sum = `${formatOf(part.calls, "call")}, ${formatCost(sumCost(part.used))}`;
  return html`<tr class=${open ? "unfolded" : ""}>
      <td class="name part">
        <span
          ><b>${makeVisible(title)}</b>${does && html`<small class="soft">${does}</small>`}</span
        >
      </td>
      <td class="name" data-head="Model">
        <span class="model-name"
          >${makeVisible(part.model)}<small class="soft"
            >${part.provider}${part.effort && `, effort ${part.effort}`}</small
          ></span
        >
      </td>
      <td class="rate" data-head="in">${formatRate(part.input_usd ?? null)}</td>
      <td class="rate" data-head="out">${formatRate(part.output_usd ?? null)}</td>
      <td class="name" data-head="Tools">
        ${part.tools.length ? unfold("tools", formatOf(part.tools.length, "tool")) : NONE_SAID}
      </td>
      <td class="name" data-head="Prompt">
        ${
          part.text
            ? html`${unfold("prompt", "Prompt")}<small class="soft version"
                  ><code title="Version">${part.version}</code></small
                >`
            : NONE_SAID
        }
      </td>
      <td class="name" data-head="Last 30 days">
        ${
          part.calls
            ? html`${unfold("used", sum)}<small class="soft">${sayOthers(part)}</small>`
            : html`<span class="soft">not called</span>`
        }
      </td>
    </tr>
    ${
      Detail &&
      html`<tr class="unfolding">
        <td class="name" colspan="7"><${Detail} part=${part} /></td>
      </tr>`
    }`;
}

const HEADS = ["Part", "Model", "In", "Out", "Tools", "Prompt", "Last 30 days"];

export function WhatRuns() {
  const { data, error, reload } = useLoaded(load, "");
  return html`<section class="card what-runs" aria-label="What runs">
    <h2>What runs</h2>
    <p class="soft">
      The model that each part of the assistant uses today. Prices: US dollars per million tokens.
      “Last 30 days” counts each part's own calls for chats, without experiments.
    </p>
    <${Failure} isWaiting=${!data} error=${error} again=${reload} />
    ${
      data &&
      html`<div class="wide stacked" tabindex="0" role="group" aria-label="what runs">
        <table>
          <thead>
            <tr>
              ${HEADS.map((name, at) => html`<th key=${name} class=${[2, 3].includes(at) ? "" : "name"}>${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${data.map((part) => html`<${Part} key=${`${part.pack} ${part.name}`} part=${part} />`)}
          </tbody>
        </table>
      </div>`
    }
    <p class="soft">
      Where a person chooses another model for a chat, its workers use that one: unfold “Last 30
      days” to see which were used.
    </p>
    <p class="row">
      <a href="#/lab.experiment">Try another model or prompt</a
      ><a href="#/lab.advice">Find cheaper models</a
      ><a href="#/operations.prices">Prices of all models</a>
    </p>
  </section>`;
}
