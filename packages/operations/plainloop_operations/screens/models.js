// Models and keys: what answers today, and how a provider's key is brought.
import { useEffect, useState } from "../vendor.js";
import { get, request } from "../api.js";
import { Changes } from "../changes.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Copy, Failure, useLoaded } from "../parts.js";
import { config, hasPack, loadSession } from "../session.js";
import { makeVisible } from "../words.js";
import "./style.js";

// Connecting a language model: a key is tried out, and kept nowhere; the line for `.env` is shown, and
// the page waits until the service has it.
const LOOK_MS = 3000;
const NAMES = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  gemini: "Google Gemini",
  deepseek: "DeepSeek",
  kimi: "Kimi",
  glm: "GLM",
  minimax: "MiniMax",
  ollama: "Ollama",
  offline: "Offline rules",
};
const needsKey = (item) => item.id !== "ollama" && item.key_variables.length > 0;
const nameProvider = (id) => NAMES[id] ?? id;

/** Which models answer: of the provider in use those of the list above, of another one its usual ones. */
const sayModels = (item) =>
  item.is_active
    ? `answers with ${config.value.model} or the models listed above`
    : `by default ${item.default_model}, small: ${item.small_model}`;

function Provider({ item, tested, isChosen, onTest, onChoose }) {
  const state = tested
    ? tested.ok
      ? ["ready", "circle-check", `Works, ${tested.duration_ms} ms`]
      : ["failed", "circle-x", "Refused"]
    : item.has_key
      ? ["queued", "key-round", "Key found"]
      : ["", "circle-dashed", needsKey(item) ? "No key" : "On this computer"];
  return html`<li>
    <span class="initials" aria-hidden="true">${nameProvider(item.id)[0]}</span>
    <div>
      <b>${nameProvider(item.id)}</b
      ><small>${tested?.error ? makeVisible(tested.error.message) : sayModels(item)}</small>
    </div>
    ${item.is_active && html`<span class="status ok">In use</span>`}<span
      class=${`status ${state[0]}`}
      ><${Icon} name=${state[1]} size=${14} />${state[2]}</span
    >
    ${
      item.has_key || !needsKey(item)
        ? html`<button class="small" onClick=${onTest}>${tested ? "Test again" : "Test"}</button>`
        : html`<button class="small" aria-pressed=${isChosen} onClick=${onChoose}>Add key</button>`
    }
  </li>`;
}

/** A key of one provider: tried out, then its line, then waited for. */
function AddKey({ item, onSeen }) {
  const [key, setKey] = useState("");
  const [state, setState] = useState({ isBusy: false, result: null, error: null });
  const isWaiting = Boolean(state.result?.ok);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const look = async () => {
      const { providers } = await get("/api/config/providers");
      if (providers.find((one) => one.id === item.id)?.has_key) onSeen();
    };
    const timer = setInterval(() => look().catch(() => {}), LOOK_MS); // the service starts again: no answer is none yet
    return () => clearInterval(timer);
  }, [isWaiting]);
  const test = async (event) => {
    event.preventDefault();
    setState({ isBusy: true, result: null, error: null });
    try {
      const result = await request("POST", "/api/config/test", { provider: item.id, api_key: key });
      setState({ isBusy: false, result, error: result.error });
    } catch (error) {
      setState({ isBusy: false, result: null, error });
    }
  };
  const hidden = `${key.slice(0, 4)}…${key.slice(-3)}`;
  return html`<section class="card">
    <h2>Add a ${nameProvider(item.id)} key</h2>
    <form class="connect" onSubmit=${test}>
      <label
        >Key<input
          type="password"
          autocomplete="off"
          required
          value=${key}
          onInput=${(event) => setKey(event.target.value)} /></label
      ><button class="accent" disabled=${state.isBusy}>
        ${state.isBusy ? "Testing…" : "Test the key"}
      </button>
    </form>
    <p class="soft">The key is tested with one small call and not stored.</p>
    <${Failure} error=${state.error} />
    ${
      isWaiting &&
      html`<p role="status">
          <span class="good">✓</span> The key works:
          ${" "}${makeVisible(state.result.model)} answered in${" "}${state.result.duration_ms} ms.
          The key was not stored.
        </p>
        <p>
          To keep the key, put this line into the file <code>.env</code> in the project’s folder and
          restart the service. This page notices it automatically.
        </p>
        <div class="row">
          <pre tabindex="0">${item.key_variables[0]}=${hidden}</pre>
          <${Copy} text=${`${item.key_variables[0]}=${key}`}>Copy the line</${Copy}>
        </div>
        <p class="soft">Waiting for the key…</p>`
    }
  </section>`;
}

function Connect() {
  const { data, error, reload } = useLoaded(() => get("/api/config/providers"), "");
  const [tested, setTested] = useState({});
  const [chosen, setChosen] = useState(null);
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const shown = data.providers.filter((item) => item.id !== "offline");
  const test = async (item) => {
    try {
      const result = await request("POST", "/api/config/test", { provider: item.id });
      setTested((now) => ({ ...now, [item.id]: result }));
    } catch (failure) {
      setTested((now) => ({ ...now, [item.id]: { ok: false, error: failure } }));
    }
  };
  const item = shown.find((one) => one.id === chosen);
  return html`<section class="card providers">
      <header class="row spread">
        <div>
          <h2>Providers</h2>
          <p class="soft">The first provider with a key is used.</p>
        </div>
        <button class="small" onClick=${() => shown.filter((one) => one.has_key).forEach(test)}>
          <${Icon} name="refresh-cw" size=${14} />Test all
        </button>
      </header>
      <ul class="plain">
        ${shown.map(
          (one) =>
            html`<${Provider}
              key=${one.id}
              item=${one}
              tested=${tested[one.id]}
              isChosen=${chosen === one.id}
              onTest=${() => test(one)}
              onChoose=${() => setChosen(one.id)}
            />`,
        )}
      </ul>
    </section>
    ${item && html`<${AddKey} key=${item.id} item=${item} onSeen=${() => (setChosen(null), reload(), loadSession())} />`}`;
}

/** The models that answer, and the providers' keys. */
export function Screen() {
  const { provider, model, is_offline: isOffline, notice } = config.value;
  const { data: parts, error } = useLoaded(
    async () => hasPack("lab") && !isOffline && import("../lab/what_runs.js"),
    "",
  );
  return html`${
      parts
        ? html`<${parts.WhatRuns} />`
        : parts === false &&
          html`<section class="card">
            <h2>Model in use</h2>
            <p><b>${isOffline ? "Offline rules" : `${provider}: ${model}`}</b></p>
            <p class="soft">
              ${isOffline ? "No model connected: only fixed phrases work." : (notice ?? "")}
            </p>
            <p class="row">
              ${hasPack("operations") && html`<a href="#/operations.prices">Prices of all models</a>`}${
                hasPack("lab") && html`<a href="#/lab.advice">Find cheaper models</a>`
              }
            </p>
          </section>`
    }
    <${Failure} error=${error} />
    <${Changes} none />
    <${Connect} />`;
}
