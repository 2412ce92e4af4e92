// Beginning an experiment: which chats are answered again, by which model, for how much at most.
import { useState } from "./vendor.js";
import { get, request } from "./api.js";
import { html } from "./html.js";
import { Crumbs, Failure, useLoaded } from "./parts.js";
import { getKnownReport } from "./report.js";
import { config } from "./session.js";

const CEILING_USD = 5;
const CHATS = 50;

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
        >Model<input maxlength="200" placeholder="the provider's default" ...${field("model")}
      /></label>
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
