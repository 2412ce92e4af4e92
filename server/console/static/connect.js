// Connecting a language model: a key is tried out, and kept nowhere; the line for `.env` is shown.
import { useState } from "./vendor.js";
import { get, request } from "./api.js";
import { html } from "./html.js";
import { Failure, useLoaded } from "./parts.js";
import { makeVisible } from "./words.js";

export function Connect() {
  const { data, error, reload } = useLoaded(() => get("/api/config/providers"), "");
  const [chosen, setChosen] = useState({ provider: "", api_key: "" });
  const [state, setState] = useState({ isBusy: false, result: null, error: null });
  if (!data) return html`<${Failure} error=${error} again=${reload} />`;
  const known = data.providers.filter((item) => item.id !== "offline");
  const provider = known.find((item) => item.id === chosen.provider) ?? known[0];
  const test = async (event) => {
    event.preventDefault();
    setState({ isBusy: true, result: null, error: null });
    try {
      const result = await request("POST", "/api/config/test", { provider: provider.id, ...(chosen.api_key && { api_key: chosen.api_key }) });
      setState({ isBusy: false, result, error: result.error });
    } catch (failure) {
      setState({ isBusy: false, result: null, error: failure });
    }
  };
  return html`<form class="connect" onSubmit=${test}>
      <label>Provider<select value=${provider.id} onChange=${(event) => setChosen({ ...chosen, provider: event.target.value })}>${known.map((item) => html`<option key=${item.id} value=${item.id}>${item.id}</option>`)}</select></label>
      <label>Key<input type="password" autocomplete="off" placeholder=${provider.has_key ? "as it is set" : ""} value=${chosen.api_key} onInput=${(event) => setChosen({ ...chosen, api_key: event.target.value })} /></label>
      <button class="accent" disabled=${state.isBusy}>${state.isBusy ? "Asking it…" : "Test the connection"}</button>
    </form>
    <p class="soft">The key is tried out by one small call and kept nowhere.</p>
    <${Failure} error=${state.error} />
    ${state.result?.ok && html`<p role="status"><span class="good">✓</span> ${makeVisible(state.result.model)} answered in ${state.result.duration_ms} ms. Write this into <code>.env</code>, and start the service again:</p>
      <pre tabindex="0">${[`AGENT_PROVIDER=${provider.id}`, ...(provider.key_variables[0] ? [`${provider.key_variables[0]}=${chosen.api_key ? "…your key…" : "(is set)"}`] : [])].join("\n")}</pre>`}`;
}
