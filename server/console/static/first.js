// What a stranger sees first: what this is for, where to type, three sentences that work, and what is
// left to set up.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { useState } from "./vendor.js";
import { useLoaded } from "./parts.js";
import { config } from "./session.js";
import { Mark } from "./sidebar.js";

const choosePack = () =>
  config.value.screens.find((pack) => pack.heading) ?? config.value.screens[0];

/** What stands above the box of a chat in which nothing was said. */
export const Greeting = () =>
  html`<div class="greeting">
    <${Mark} />
    <h1>${choosePack()?.heading ?? "How can I help?"}</h1>
  </div>`;

/** What stands below it. @param {{onPrompt: (text: string) => void}} props */
export function Beginnings({ onPrompt }) {
  const shown = choosePack();
  const [isUploaded, setUploaded] = useState(false);
  const { data: setUp } = useLoaded(() => import("./setup.js"), "");
  return html`<ul class="prompts" aria-label="Suggestions">
      ${(shown?.prompts ?? []).map(
        (prompt) =>
          html`<li key=${prompt.text}>
            <button class="card" onClick=${() => onPrompt(prompt.text)}>
              <${Icon} name=${prompt.icon} size=${20} /><b>${prompt.title}</b
              ><span>“${prompt.text}”${prompt.needs && !isUploaded && `. ${prompt.needs}`}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${shown && setUp && html`<${setUp.SetUp} shown=${shown} onUploaded=${setUploaded} />`}`;
}
