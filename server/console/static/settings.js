// What the service runs with, who one is, and how other programs reach it. Its parts are addresses:
// `#/settings/models`.
import { useEffect, useState } from "./vendor.js";
import { Audit, Keys } from "./access.js";
import { get, request } from "./api.js";
import { Changes } from "./changes.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { KeyList } from "./keys.js";
import { Copy, Failure, Wide, hasKeys, useLoaded } from "./parts.js";
import { Limits, Tools } from "./rules.js";
import { config, hasPack, isLocal, keepLook, loadSession, session, signOut } from "./session.js";
import { makeVisible } from "./words.js";

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
      ><small
        >${tested?.error ? makeVisible(tested.error.message) : `${item.default_model}, small: ${item.small_model}`}</small
      >
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

function Models() {
  const { provider, model, is_offline: isOffline, notice, design, packs } = config.value;
  return html`<section class="card">
      <h2>Model in use</h2>
      <p><b>${isOffline ? "Offline rules" : `${provider}: ${model}`}</b></p>
      <p class="soft">
        ${
          isOffline ? "No model connected: only fixed phrases work." : (notice ?? "")
        }${" "}Design${" "}${design},${" "}${packs.length === 1 ? "pack" : "packs"}${" "}${packs.join(", ")}.
      </p>
      <p class="row">
        ${hasPack("operations") && html`<a href="#/operations.prices">Prices of all models</a>`}${
          session.value.is_admin &&
          hasPack("lab") &&
          html`<a href="#/lab.advice">Find cheaper models</a>`
        }
      </p>
    </section>
    <${Changes} none />
    ${session.value.is_admin && html`<${Connect} />`}`;
}

function People() {
  const {
    user_id: user,
    tenant_id: tenant,
    is_admin: isAdmin,
    expires_at: expires,
  } = session.value;
  return html`<section class="card">
      <h2>Account</h2>
      <p>
        <strong>${makeVisible(user)}</strong
        >${" "}of${" "}<strong>${makeVisible(tenant)}</strong>${isAdmin && ", administrator"}
      </p>
      ${
        expires
          ? html`<p><button onClick=${signOut}>Sign out</button></p>`
          : html`<p class="soft">
              This computer needs no sign-in. <code>plainloop token</code> creates access tokens for
              other users.
            </p>`
      }
    </section>
    <${Keys} />`;
}

const THEMES = { "": "Match system", light: "Light", dark: "Dark" };

function Appearance() {
  const { dataset } = document.documentElement;
  const [theme, setTheme] = useState(dataset.theme ?? "");
  const choose = (name) => {
    if (name) dataset.theme = name;
    else delete dataset.theme;
    keepLook("theme", name);
    setTheme(name);
  };
  return html`<section class="card">
    <h2>Theme</h2>
    <fieldset class="options">
      <legend class="only-read">Theme</legend>
      ${Object.entries(THEMES).map(
        ([name, word]) =>
          html`<label key=${name} class="check"
            ><input
              type="radio"
              name="theme"
              checked=${theme === name}
              onChange=${() => choose(name)}
            />${word}</label
          >`,
      )}
    </fieldset>
    <p class="soft">Stored only in a cookie of this browser.</p>
  </section>`;
}

/** What one may take along, and what goes for good. */
function Data() {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState(null);
  const [failed, setFailed] = useState(null);
  const [isGone, setGone] = useState(false);
  const { user_id: user, is_admin: isAdmin } = session.value;
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const saveChats = () =>
    import("./threads.js").then(({ exportAll }) => exportAll()).catch(setFailed);
  const erase = async (event) => {
    event.preventDefault();
    try {
      await request("DELETE", `/api/users/${encodeURIComponent(user)}`);
      setGone(true);
      setTyped("");
    } catch (failure) {
      setError(failure);
    }
  };
  return html`<section class="card">
      <h2>Export</h2>
      <p class="row">
        <button class="small" onClick=${saveChats}>All chats</button
        ><a class="button small" href="/api/usage?by=day,model&zone=${zone}&format=csv"
          >Usage as CSV</a
        >
      </p>
      <p class="soft">
        Chats: one a line, as JSON. Usage: a row for each day and model. One chat alone: its menu.
      </p>
      <${Failure} error=${failed} />
      ${
        isAdmin &&
        !isLocal() &&
        html`<p class="soft">
          For operators:${" "}<code>plainloop export</code>${" "}writes chats with all details of
          their runs.
        </p>`
      }
    </section>
    <section class="card">
      <h2>Erase all your data</h2>
      <p>
        Your conversations, runs, files, letters and profile are deleted from the database, on every
        server. Only usage numbers stay. This cannot be undone.
      </p>
      <form onSubmit=${erase}>
        <label
          >Type${" "}${makeVisible(user)}${" "}to confirm<input
            value=${typed}
            autocomplete="off"
            onInput=${(event) => setTyped(event.target.value)} /></label
        ><button class="danger" disabled=${typed !== user}>Erase everything</button>
      </form>
      ${isGone && html`<p role="status"><span class="good">✓</span> All data of ${makeVisible(user)} was erased.</p>`}<${Failure}
        error=${error}
      />
    </section>`;
}

const Keyboard = () =>
  html`<section class="card">
    <h2>Keyboard</h2>
    <${KeyList} />
    <label class="check"
      ><input
        type="checkbox"
        checked=${hasKeys.value}
        onChange=${() => (hasKeys.value = !hasKeys.value)}
      />Single-key shortcuts (letters and digits) are on until you leave this page</label
    >
  </section>`;

function Snippet({ title, text }) {
  return html`<section class="card">
    <div class="row spread">
      <h2>${title}</h2>
      <${Copy} text=${text} />
    </div>
    <pre tabindex="0">${text}</pre>
  </section>`;
}

const writeExample = (origin, model) =>
  [
    "from openai import OpenAI",
    "",
    `client = OpenAI(base_url="${origin}/v1", api_key=token)`,
    "client.chat.completions.create(",
    `    model="${model}", messages=[{"role": "user", "content": "list my jobs"}]`,
    ")",
  ].join("\n");

function Clients() {
  const { origin } = location;
  const [pack, design] = [config.value.packs[0], config.value.design];
  return html`<p class="row">
      <a href="/docs">The HTTP API</a> <a href="/openapi.json">openapi.json</a>
    </p>
    <${Snippet}
      title="curl"
      text=${`curl -s ${origin}/api/chat/conversations -H "authorization: Bearer $TOKEN"`}
    />
    <${Snippet}
      title="OpenAI's client (Python)"
      text=${writeExample(origin, `${pack}/${design}`)}
    />
    <${Snippet}
      title="AI SDK"
      text=${`useChat({ transport: new DefaultChatTransport({ api: "${origin}/api/ui/default/chat" }) })`}
    />
    <${Snippet} title="MCP" text=${`${origin}/mcp`} />`;
}

function All() {
  const { data, error, reload } = useLoaded(
    () => Promise.all([get("/api/health"), get("/api/config")]),
    "",
  );
  const [sought, setSought] = useState("");
  const [isChanged, setChanged] = useState(true);
  const all = data?.[1].settings ?? [];
  const shown = all.filter(
    (item) =>
      (!isChanged || item.source !== "default") &&
      `${item.key} ${item.value}`.toLowerCase().includes(sought.toLowerCase()),
  );
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  return html`<p class="soft">
      Version${" "}${data[0].version}. Settings are read when the service starts:
      from${" "}<code>plainloop.toml</code>,${" "}<code>.env</code>${" "}and the environment.
      Secrets are masked.
    </p>
    <div role="search" class="search">
      <label class="only-read" for="search">Search settings</label
      ><input
        type="search"
        id="search"
        placeholder="Search settings"
        value=${sought}
        onInput=${(event) => setSought(event.target.value)}
      />
      <label class="check"
        ><input type="checkbox" checked=${isChanged} onChange=${() => setChanged(!isChanged)} />Only
        changed</label
      >
    </div>
    ${
      shown.length === 0
        ? html`<p class="empty">
            ${sought ? "No setting matches." : "All settings are at their defaults."}
          </p>`
        : html`<${Wide} isStacked label="settings"
            ><thead>
              <tr>
                <th class="name">Setting</th>
                <th class="name">Value</th>
                <th class="name">Set in</th>
              </tr>
            </thead>
            <tbody>
              ${shown.map(
                ({ key, value, source }) =>
                  html`<tr key=${key}>
                    <td class="name" data-head="Setting"><code>${key}</code></td>
                    <td class="name" data-head="Value">
                      ${value || html`<span class="soft">–</span>`}
                    </td>
                    <td class="name" data-head="Set in">${source}</td>
                  </tr>`,
              )}
            </tbody></${Wide}
          >`
    }`;
}

const PARTS = {
  models: ["Models and keys", "key-round", Models],
  tools: ["Tools and approvals", "wrench", Tools],
  prices: ["Prices and budgets", "coins", Limits],
  people: ["People and access", "user-round", People],
  appearance: ["Appearance", "sun", Appearance],
  keyboard: ["Keyboard", "command", Keyboard],
  data: ["Data and privacy", "database", Data],
  clients: ["API and clients", "code-xml", Clients],
  audit: ["Audit trail", "shield-check", Audit],
  all: ["All settings", "settings", All],
};

/** A package's own part, loaded when it is opened. */
function Brought({ path }) {
  const { data, error, reload } = useLoaded(async () => [(await import(path)).Screen], path);
  return data ? html`<${data[0]} />` : html`<${Failure} error=${error} again=${reload} />`;
}

/** Those that this person may open, as [name, [title, icon, Part, path]]. */
export function listParts() {
  const brought = config.value.screens.flatMap(({ pack, screens }) =>
    screens
      .filter(({ place }) => place === "settings")
      .map(({ name, title, icon }) => [name, [title, icon, Brought, `./${pack}/${name}.js`]]),
  );
  const all = [...Object.entries(PARTS).slice(0, 6), ...brought, ...Object.entries(PARTS).slice(6)];
  return all.filter(([name]) => !["audit", "all"].includes(name) || session.value.is_admin);
}

/** @param {{id?: string}} props id: the part; others: what is chosen in it */
export function Settings({ id = "models", ...chosen }) {
  const parts = listParts();
  const known = parts.find(([name]) => name === id);
  const [title, , Part, path] = known?.[1] ?? PARTS.models;
  return html`<div class="parts-beside">
    <select
      class="on-phone"
      aria-label="Section of the settings"
      value=${id}
      onChange=${(event) => (location.hash = `#/settings/${event.target.value}`)}
    >
      ${parts.map(([name, [word]]) => html`<option key=${name} value=${name}>${word}</option>`)}
    </select>
    <nav aria-label="Sections of the settings">
      ${parts.map(
        ([name, [word, icon]]) =>
          html`<a
            key=${name}
            href=${`#/settings/${name}`}
            aria-current=${id === name ? "page" : null}
            ><${Icon} name=${icon} />${word}</a
          >`,
      )}
    </nav>
    <div>
      <h1>${title}</h1>
      <${Part} key=${id} path=${path} ...${chosen} />
    </div>
  </div>`;
}
