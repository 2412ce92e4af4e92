// Memory: what is remembered of the user, from where, to be searched, corrected and erased.
import { useState } from "../vendor.js";
import { get, request } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Failure, Time, useLoaded } from "../parts.js";
import { SureButton } from "../sure.js";
import { makeVisible } from "../words.js";

const PATH = "/api/memories";

function Memory({ memory, act }) {
  const [text, setText] = useState(null); // while it is corrected
  const path = `${PATH}/${memory.memory_id}`;
  const correct = async (event) => {
    event.preventDefault();
    if (await act("PATCH", path, { text })) setText(null);
  };
  const from = memory.conversation_id
    ? html`<a href=${`#/chat/${memory.conversation_id}`}>From a conversation</a>`
    : html`<span>Written by you</span>`;
  return html`<li class="card" aria-label=${`Memory ${memory.memory_id}`}>
    ${
      text === null
        ? html`<p>${makeVisible(memory.text)}</p>`
        : html`<form class="row" onSubmit=${correct}>
            <input
              aria-label="Corrected text"
              value=${text}
              autofocus
              onInput=${(event) => setText(event.target.value)}
            /><button class="accent" disabled=${!text.trim()}>Save</button
            ><button type="button" onClick=${() => setText(null)}>Cancel</button>
          </form>`
    }
    <p class="soft row">
      ${from}${" "}·${" "}<${Time} at=${memory.created_at} />${
        memory.is_untrusted &&
        html` ·${" "}<span class="status warn"
            ><${Icon} name="triangle-alert" size=${14} />Untrusted: not shown to the model</span
          >`
      }
    </p>
    ${
      text === null &&
      html`<p class="row">
        <button onClick=${() => setText(memory.text)}>
          <${Icon} name="pencil" size=${14} />Correct</button
        ><button onClick=${() => act("DELETE", path)}>
          <${Icon} name="trash" size=${14} />Erase
        </button>
      </p>`
    }
  </li>`;
}

export function Screen() {
  const [query, setQuery] = useState("");
  const { data, error, reload } = useLoaded(
    () => get(`${PATH}?q=${encodeURIComponent(query)}`),
    query,
  );
  const [failure, setFailure] = useState(null);
  const act = async (method, path, body) => {
    setFailure(null);
    try {
      await request(method, path, body);
      await reload();
      return true;
    } catch (problem) {
      setFailure(problem);
      return false;
    }
  };
  const memories = data?.memories ?? [];
  return html`<div class="reading">
    <header class="screen-head">
      <h1>Memory</h1>
      ${
        memories.length > 0 &&
        !query &&
        html`<${SureButton}
          name="Erase all"
          question=${`Really erase all ${memories.length}?`}
          onSure=${() => act("DELETE", PATH)}
        />`
      }
    </header>
    <p class="soft">
      Facts from your chats that later chats can use. Erased facts disappear from every prompt.
    </p>
    <input
      type="search"
      placeholder="Search"
      aria-label="Search memories"
      value=${query}
      onInput=${(event) => setQuery(event.target.value)}
    />
    <${Failure} error=${error ?? failure} again=${error ? reload : undefined} />
    ${
      data &&
      memories.length === 0 &&
      html`<div class="empty big">
        <${Icon} name="book-open" size=${20} />
        <p>
          ${query ? "No memory matches." : "No memories yet. Ask the assistant to remember something."}
        </p>
      </div>`
    }
    <ul class="plain">
      ${memories.map((memory) => html`<${Memory} key=${memory.memory_id} memory=${memory} act=${act} />`)}
    </ul>
  </div>`;
}
