// How other programs reach the service: its addresses, as lines to copy.
import { html } from "../html.js";
import { Copy } from "../parts.js";
import { config } from "../session.js";

function Snippet({ title, text }) {
  return html`<section class="card">
    <div class="row spread">
      <h2>${title}</h2>
      <${Copy} text=${text} />
    </div>
    <div class="code"><pre tabindex="0">${text}</pre></div>
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

/** How other programs reach the service. */
export function Screen() {
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
