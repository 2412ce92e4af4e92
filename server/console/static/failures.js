// Failed runs by cause, for who runs the service: what to repair first.
import { get } from "./api.js";
import { html } from "./html.js";
import { Failure, Time, Wide, useLoaded } from "./parts.js";
import { formatCount, makeVisible } from "./words.js";

export function Failures() {
  const { data, error, reload } = useLoaded(() => get("/api/failures"), "failures");
  if (data && !data.causes.length) return html`<h2>Failed runs</h2><p class="soft">No run failed in the last seven days.</p>`;
  return html`<h2>Failed runs</h2><${Failure} error=${error} again=${reload} />
    ${data && html`<${Wide} label="failed runs by cause"><thead><tr><th class="name">Cause</th><th>Runs</th><th>People</th><th class="name">Last</th></tr></thead>
      <tbody>${data.causes.map((cause) => html`<tr key=${`${cause.code} ${cause.provider} ${cause.model} ${cause.reason}`}>
        <td class="name"><code>${cause.code ?? "–"}</code>${cause.provider && ` ${cause.provider}:${cause.model}`}<small class="soft">${makeVisible(cause.reason)}</small></td>
        <td>${formatCount(cause.runs)}</td><td>${formatCount(cause.users)}</td><td class="name"><${Time} at=${cause.last_at} /></td></tr>`)}</tbody></${Wide}>`}`;
}
