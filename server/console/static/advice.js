// Which model, at which effort, for which worker: the verdict first, then the money, then the doubts.
import { useEffect } from "./vendor.js";
import { useChange, useFields } from "./access.js";
import { get } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Crumbs, Empty, Failure, Status, Time, Wide, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatCost, formatOf, makeVisible } from "./words.js";

const LOOK_MS = 3_000; // while it goes on
const WAY = [
  ["Experiments", "#/experiments"],
  ["Advice", "#/advice"],
];
const FORMS = {
  passed: ["ok", "circle-check"],
  failed: ["bad", "circle-x"],
  undecided: ["", "circle-dashed"],
};
const Card = ({ kind, icon, title, children }) =>
  html`<section class=${`card verdict ${kind}`} aria-label="Verdict">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <h2>${makeVisible(title)}</h2>
      ${children}
    </div>
  </section>`;

const Table = ({ label, rows: [heads, ...rows] }) =>
  html`<${Wide} label=${label}>
    <thead>
      <tr>
        ${heads.map((name) => html`<th class="name">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td class="name">${makeVisible(cell)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </${Wide}>`;

/** A card for each change of called models: shutdown, price or re-route, and the way to a successor. */
export function Changes() {
  const { is_admin } = session.value;
  const { data } = useLoaded(
    () => get(`/api/usage?by=provider&avoided=false&caches=false${is_admin ? "&user_id=*" : ""}`),
    "",
  );
  return data?.changes?.map(
    (item) =>
      html`<${Card} key=${item.text} kind="warn" icon="calendar-clock" title=${item.models.join(", ")}
        ><p>${makeVisible(item.text)}.</p>
        ${item.cost_text && html`<p>${item.cost_text}.</p>`}${
          item.rehearsal &&
          item.to &&
          html`<p class="row">
            <a class="button" href="#/advice?new=1&successor=1">Try ${makeVisible(item.to)}</a>
          </p>`
        }</${Card}
      >`,
  );
}

/** @param {{id?: string, new?: string, successor?: string}} props successor: only of models that end */
export function Advice({ id, successor, ...rest }) {
  if (id) return html`<${One} id=${id} />`;
  return rest.new ? html`<${New} successor=${successor} />` : html`<${List} />`;
}

function List() {
  const { data, error, reload } = useLoaded(() => get("/api/advice"), "");
  return html`<${Crumbs} way=${WAY.slice(0, 1)} title="Advice"
      ><a class="button accent" href="#/advice?new=1">New advice</a></${Crumbs}
    >
    <${Changes} />
    <${Failure} error=${error} again=${reload} />
    ${
      data?.advice.length === 0 &&
      html`<${Empty}>Would a cheaper model or a lower effort be good enough? Advice tries them on stored conversations.</${Empty}>`
    }
    <ol class="plain rows">
      ${data?.advice.map(
        (item) =>
          html`<li key=${item.id}>
            <a href=${`#/advice/${item.id}`}
              ><b>${makeVisible(item.headline ?? item.error ?? "Searching")}</b
              ><${Status} status=${item.status} /><${Time} at=${item.created_at}
            /></a>
          </li>`,
      )}
    </ol>`;
}

function New({ successor }) {
  const { is_admin } = session.value;
  const [wanted, field, setWanted] = useFields({
    what: successor ? "successor" : "",
    models: "",
    sample: 300,
    ceiling: 5,
  });
  const { isBusy, error, change } = useChange(() => {});
  const body = {
    successor: !!wanted.what,
    user_id: is_admin ? "*" : null,
    candidates: wanted.what ? [] : wanted.models.split(/[\s,]+/).filter(Boolean),
    sample: Number(wanted.sample),
    max_cost_usd: Number(wanted.ceiling),
  };
  const key = JSON.stringify(body);
  const plan = wanted.key === key ? wanted.plan : null; // of what was asked then
  const go = async (event) => {
    event.preventDefault();
    const made = await change("POST", plan ? "/api/advice" : "/api/advice/plan", body);
    if (made?.advice) location.hash = `#/advice/${made.advice.id}`;
    else if (made) setWanted({ ...wanted, key, plan: made });
  };
  const repeat = async () => {
    const monthly = { name: "Advice", cron: "0 6 1 * *", task: { advise: body } };
    if (await change("POST", "/api/schedules", monthly)) location.hash = "#/settings/automation";
  };
  return html`<${Crumbs} way=${WAY} title="New advice" />
    <form class="card stack" onSubmit=${go}>
      <label
        >Try<select ...${field("what")}>
          <option value="">cheaper models, and less effort</option>
          <option value="successor">successors of models that will be shut down</option>
        </select></label
      >
      ${!wanted.what && html`<label>Models to try (optional)<input placeholder="MODEL@EFFORT" ...${field("models")} /></label>`}
      <label
        >Conversations for each worker or role<input
          type="number"
          min="5"
          max="10000"
          required
          ...${field("sample")}
      /></label>
      <label
        >Spending limit (USD)<input
          type="number"
          min="0.01"
          step="any"
          required
          ...${field("ceiling")}
      /></label>
      ${plan && html`<${Plan} plan=${plan} />`}
      <${Failure} error=${error} />
      <p class="row">
        <button class="accent" disabled=${isBusy}>
          ${plan ? `Start: at most ${formatCost(plan.max_cost_usd)}` : "Show the plan"}</button
        >${plan && is_admin && html`<button type="button" onClick=${repeat}>Every month</button>`}
      </p>
    </form>`;
}

const Plan = ({ plan }) =>
  html`<div role="status">${plan.lines.map((line) => html`<p>${makeVisible(line)}</p>`)}</div>`;

function One({ id }) {
  const path = `/api/advice/${id}`;
  const { data, error, reload } = useLoaded(() => get(path), id);
  const { change } = useChange(reload);
  useEffect(() => {
    if (!data || data.advice.ended_at) return;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [data]);
  const { advice, result, plan } = data ?? {};
  return html`<${Crumbs} way=${WAY} title=${advice?.successor ? "Successors" : "Cheaper models"} />
    <${Failure} error=${error} again=${reload} />${
      result
        ? html`<${Result} ...${data} path=${path} />`
        : data &&
          html`<section class="card">
            <p class="row">
              <${Status} status=${advice.status} />
              ${makeVisible(
                advice.error ??
                  `${formatOf(data.steps.length, "experiment")}, ${formatCost(data.spent_usd)} spent`,
              )}
              ${!advice.ended_at && html`<button onClick=${() => change("POST", `${path}/cancel`)}>Cancel</button>`}
            </p>
            ${plan && html`<${Plan} plan=${plan} />`}
          </section>`
    }`;
}

function Result({ advice, result, table, spent_usd, money, settings, watched, doubts, path }) {
  const [kind, icon] = FORMS[result.verdict];
  const file = (format, title) =>
    html`<a class="button small" href=${`${path}?format=${format}`} download
      ><${Icon} name="download" size=${14} />${title}</a
    >`;
  return html`<${Card} kind=${kind} icon=${icon} title=${advice.headline}
      ><p>${makeVisible(result.rules.join("; "))}. This advice cost ${formatCost(spent_usd)}.</p></${Card}
    >
    <${Table} label="workers" rows=${table} />
    <h2>Cost and time</h2>
    <ul>
      ${money.map((line) => html`<li>${makeVisible(line)}</li>`)}
    </ul>
    ${
      settings &&
      html`<h2>Settings to paste</h2>
        <pre tabindex="0">${makeVisible(settings)}</pre>
        <p class="row">
          <${Copy}
            text=${settings}
          />${file("rules", "Rules for a gate")}${file("markdown", "Markdown")}
        </p>`
    }
    ${
      watched.length > 0 &&
      html`<h2>After the switch</h2>
        <${Table}
          label="after the switch"
          rows=${[["Worker", "First week", "Why"], ...watched.map(({ worker, state, reason }) => [worker, state, reason])]}
        />`
    }
    <h2>Doubts</h2>
    <ul>
      ${doubts.map((line) => html`<li>${makeVisible(line)}</li>`)}
    </ul>`;
}
