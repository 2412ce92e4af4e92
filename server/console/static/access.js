// Programs' way in: API keys.
import { useState } from "./vendor.js";
import { get, request } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Copy, Empty, Failure, Menu, Time, focusMain, useLoaded } from "./parts.js";
import { session } from "./session.js";
import { formatTime, makeVisible } from "./words.js";

/** How something is changed: `change(method, path, body)` gives the answer, null where it failed. */
export function useChange(reload) {
  const [state, setState] = useState({ isBusy: false, error: null });
  const change = async (method, path, body) => {
    setState({ isBusy: true, error: null });
    try {
      const answer = await request(method, path, body);
      setState({ isBusy: false, error: null });
      reload();
      if (method === "DELETE") focusMain(); // what one held is gone
      return answer ?? {};
    } catch (error) {
      setState({ isBusy: false, error });
      return null;
    }
  };
  return { ...state, change };
}

/** What is typed into a form: `field(name)` are the properties of its input. */
export function useFields(first) {
  const [wanted, setWanted] = useState(first);
  const field = (name) => ({
    name,
    value: wanted[name],
    onInput: (event) => setWanted({ ...wanted, [name]: event.target.value }),
  });
  return [wanted, field, setWanted];
}

/** What nobody can read again. */
export const Once = ({ what, text }) =>
  html`<div role="status">
    <p><span class="good">✓</span> ${what} It is shown only once.</p>
    <div class="row">
      <pre tabindex="0">${text}</pre>
      <${Copy} text=${text} />
    </div>
  </div>`;

/** A list of what one has, what can be done with each, and how to make another. */
export const Listed = ({ title, told, error, again, isEmpty, empty, children }) =>
  html`<section class="card providers">
    <header>
      <h2>${title}</h2>
      <p class="soft">${told}</p>
    </header>
    <${Failure} error=${error} again=${again} />${
      isEmpty
        ? html`<${Empty}>${empty}</${Empty}>`
        : html`<ul class="plain">
            ${children}
          </ul>`
    }
  </section>`;

const SCOPES = { read: "Reads", write: "Reads and writes", admin: "Acts for everyone" };
const describeScope = (scopes) =>
  SCOPES[["admin", "write", "read"].find((scope) => scopes.includes(scope))];

function Key({ item, onRevoke }) {
  const isOver = new Date(item.expires_at) < new Date();
  const [style, icon, state] = item.revoked_at
    ? ["failed", "circle-x", "Revoked"]
    : isOver
      ? ["", "clock", "Expired"]
      : ["ready", "circle-check", describeScope(item.scopes)];
  return html`<li>
    <div>
      <b>${makeVisible(item.name)}</b
      ><small
        >ends with${" "}${item.ending},
        until${" "}${formatTime(item.expires_at)},${" "}${
          item.last_used_at ? html`used <${Time} at=${item.last_used_at} />` : "never used"
        }</small
      >
    </div>
    <span class=${`status ${style}`}><${Icon} name=${icon} size=${14} />${state}</span>
    ${
      !item.revoked_at &&
      !isOver &&
      html`<${Menu} title=${`Change ${makeVisible(item.name)}`} icon="ellipsis"
        ><button onClick=${onRevoke}>Revoke permanently</button></${Menu}
      >`
    }
  </li>`;
}

export function Keys() {
  const { data, error, reload } = useLoaded(() => get("/api/keys"), "");
  const [wanted, field, setWanted] = useFields({ name: "", scope: "write", days: "90" });
  const [made, setMade] = useState(null);
  const { isBusy, error: refused, change } = useChange(reload);
  const make = async (event) => {
    event.preventDefault();
    const answer = await change("POST", "/api/keys", {
      name: wanted.name.trim(),
      scopes: wanted.scope === "read" ? ["read"] : ["read", wanted.scope],
      valid_days: Number(wanted.days),
    });
    if (!answer) return;
    setMade(answer.key);
    setWanted({ ...wanted, name: "" });
  };
  return html`<${Listed}
      title="API keys"
      told="Programs use API keys. Whoever has a key can act as you."
      error=${error}
      again=${reload}
      isEmpty=${data?.keys.length === 0}
      empty="No keys yet."
    >
      ${data?.keys.map(
        (item) =>
          html`<${Key}
            key=${item.key_id}
            item=${item}
            onRevoke=${() => change("DELETE", `/api/keys/${item.key_id}`)}
          />`,
      )}</${Listed}
    >
    <section class="card">
      <h2>New API key</h2>
      <form class="fields-form" onSubmit=${make}>
        <label class="whole">Name<input required maxlength="100" ...${field("name")} /></label>
        <label
          >Permissions<select ...${field("scope")}>
            <option value="read">read</option>
            <option value="write">read and write</option>
            ${
              session.value.is_admin &&
              html`<option value="admin">act for everyone, as an administrator</option>`
            }
          </select></label
        >
        <label
          >Valid for (days)<input
            type="number"
            min="1"
            max="36500"
            required
            ...${field("days")} /></label
        ><button class="accent" disabled=${isBusy}>Create key</button>
      </form>
      <${Failure} error=${refused} />${made && html`<${Once} what="Key created." text=${made} />`}
    </section>`;
}
