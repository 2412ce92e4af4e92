// Beginning an experiment: which chats are answered again, by which model, for how much at most.
import { useState } from "./vendor.js";
import { get, request, withQuery } from "./api.js";
import { html } from "./html.js";
import { Crumbs, Failure, useLoaded } from "./parts.js";
import { getKnownReport } from "./report.js";
import { config, session } from "./session.js";
import { getCost, getInput, getTokens, sum } from "./usage_data.js";
import { formatCost, formatOf } from "./words.js";

const CEILING_USD = 5;
const CHATS = 50;

const MILLION = 1_000_000;

/** `$1.25 in, $10 out, per million tokens` */
const sayPrice = (model) =>
  model?.input_usd
    ? `${formatCost(model.input_usd)} in, ${formatCost(model.output_usd)} out, per million tokens`
    : "no known price";

/** The models that a provider offers, and what it is asked with where none is named. */
async function loadModels(provider) {
  if (!session.value.is_admin) return [];
  return request("POST", "/api/config/models", {
    provider: provider || config.value.provider,
    prices: true,
  });
}

/** What a chat took on average so far, and today's price; `many`: of how many chats that is known. */
async function loadUse(chat) {
  const { usage } = await get(
    withQuery("/api/usage", {
      by: "thread",
      origin: "own",
      thread_id: chat,
      avoided: false,
      caches: false,
    }),
  );
  const many = usage.filter((row) => row.thread).length;
  const output = sum(usage, getTokens) - sum(usage, getInput);
  return {
    many,
    input: sum(usage, getInput) / many,
    output: output / many,
    cost: sum(usage, getCost) / many,
  };
}

/** Both sides of so many chats, from what such chats took; null: a price or the use is not known. */
function estimate({ use, model, chats }) {
  if (!use?.many || !model?.input_usd) return null;
  const candidate = (use.input * model.input_usd + use.output * model.output_usd) / MILLION;
  return Number(chats) * (candidate + use.cost);
}

/** @param {{like?: string, sample?: string, chat?: string}} props like: an experiment whose candidate is tried again; chat: this one alone */
export function NewExperiment({ like, sample, chat }) {
  const { settings = {} } = getKnownReport(like)?.lanes.candidate ?? {};
  const [wanted, setWanted] = useState({
    provider: settings.AGENT_PROVIDER ?? "",
    model: settings.AGENT_MODEL ?? "",
    sample: sample ?? CHATS,
    ceiling: CEILING_USD,
  });
  const [state, setState] = useState({ isSent: false, error: null });
  const { data } = useLoaded(() => get("/api/config/providers"), "");
  const known = (data?.providers ?? []).filter(
    (item) => item.has_key || item.is_active || item.id === wanted.provider,
  );
  const { data: models } = useLoaded(() => loadModels(wanted.provider), wanted.provider);
  const { data: use } = useLoaded(() => loadUse(chat), chat);
  const model = models?.find((item) => item.id === wanted.model.trim());
  const chats = chat ? 1 : Number(wanted.sample);
  const cost = estimate({ use, model, chats });
  const field = (name) => ({
    name,
    value: wanted[name],
    onInput: (event) => setWanted({ ...wanted, [name]: event.target.value }),
  });
  const begin = async (event) => {
    event.preventDefault();
    setState({ isSent: true, error: null });
    const chosen = {
      provider: wanted.provider || null,
      model: wanted.model.trim() || null,
      sample: chat ? null : Number(wanted.sample),
      max_cost_usd: Number(wanted.ceiling),
    };
    try {
      location.hash = `#/experiments/${(await request("POST", "/api/replays", { ...chosen, threads: chat ? { ids: [chat] } : {} })).id}`;
    } catch (error) {
      setState({ isSent: false, error });
    }
  };
  return html`<${Crumbs} way=${[["Experiments", "#/experiments"]]} title="New experiment" />
    <form class="card stack" onSubmit=${begin}>
      <p>
        ${chat ? "This chat is" : "Your chats are"}${" "}answered again, by today's configuration
        (${config.value.is_offline ? "offline rules" : config.value.model}) and by a candidate.
        Tools answer from the recording: nothing is changed.
      </p>
      <label
        >Provider of the candidate<select ...${field("provider")}>
          <option value="">same as now</option>
          ${known.map((item) => html`<option key=${item.id} value=${item.id}>${item.id}</option>`)}
        </select></label
      >
      <label
        >Model<input
          maxlength="200"
          list="models"
          autocomplete="off"
          placeholder="the provider's default"
          aria-describedby="price"
          ...${field("model")}
      /></label>
      <datalist id="models">
        ${models?.map((item) => html`<option key=${item.id} value=${item.id}>${sayPrice(item)}</option>`)}
      </datalist>
      <p id="price" class="hint">
        ${model ? sayPrice(model) : models ? `${formatOf(models.length, "model")} to choose from` : ""}
      </p>
      ${
        !chat &&
        html`<label
          >Number of chats (random sample)<input
            type="number"
            min="1"
            max="100000"
            required
            ...${field("sample")}
        /></label>`
      }
      <label
        >Spending limit (USD)<input
          type="number"
          min="0"
          max="1000000"
          step="any"
          required
          ...${field("ceiling")}
      /></label>
      <p role="status">
        ${
          cost === null
            ? "No estimate: choose a model with a known price, after some chats."
            : html`About <b>${formatCost(cost)}</b> for ${formatOf(chats, "chat")} on both sides,
                from what ${formatOf(use.many, "chat")} took so
                far.${
                  cost > wanted.ceiling &&
                  html` <b class="bad"
                    >This is more than the spending limit: once it is reached, the remaining chats
                    are not answered.</b
                  >`
                }`
        }
      </p>
      <p class="soft">
        Identical requests of both sides are paid for only once. To try a new prompt or design, run
        in a terminal:${" "}<code>plainloop replay live --prompts FOLDER</code>
      </p>
      <${Failure} error=${state.error} />
      <p class="row">
        <button class="accent" disabled=${state.isSent}>
          ${state.isSent ? "Beginning…" : "Start experiment"}</button
        >${" "}<a href="#/experiments">Cancel</a>
      </p>
    </form>`;
}
