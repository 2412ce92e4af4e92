// The process as it sees itself: health, settings with secrets masked.
import { get } from "./api.js";
import { html } from "./html.js";
import { Failure, useLoaded } from "./parts.js";
import { session, signOut } from "./session.js";
import { makeVisible } from "./words.js";

export function System() {
  const { data, error, reload } = useLoaded(() => Promise.all([get("/api/health"), get("/api/config")]), "");
  const config = data?.[1];
  return html`<h1>System</h1>
    <${Failure} error=${error} again=${reload} />
    ${session.value && html`<p>You are <strong>${makeVisible(session.value.user_id)}</strong> of <strong>${makeVisible(session.value.tenant_id)}</strong>${session.value.is_admin && ", an administrator"}.
      ${session.value.expires_at && html` <button class="link" onClick=${signOut}>Sign out</button>`}</p>`}
    <p><a href="/docs">The HTTP API</a> · <a href="/openapi.json">openapi.json</a></p>
    ${config && html`
      ${config.notice && html`<p class="notice">${config.notice}</p>`}
      <h2>Service</h2>
      <dl>${Object.entries({ health: data[0].status, provider: config.provider, model: config.model, design: config.design, packs: config.packs.join(", ") }).map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>
      ${config.settings && html`<h2>Settings</h2><div class="wide" tabindex="0" role="group" aria-label="settings"><table>
        <thead><tr><th class="name">setting</th><th class="name">value</th><th class="name">from</th></tr></thead>
        <tbody>${config.settings.map((item) => html`<tr><td class="name"><code>${item.key}</code></td><td class="name">${item.value === "" || item.value === null ? html`<span class="soft">–</span>` : item.value}</td><td class="name">${item.source}</td></tr>`)}</tbody>
      </table></div>`}`}`;
}
