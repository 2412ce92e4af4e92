// The door: what one signs in with, and what to do where it does not open.
import { useEffect, useState } from "./vendor.js";
import { focusMain } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Failure } from "./parts.js";
import { loadSession, sessionError, signIn } from "./session.js";
import { Mark } from "./sidebar.js";

const NEW = "Ask whoever runs this service for a new one.";

/** What is wrong in words for whoever holds the token: `[what, what to do]`. */
function explain({ code }) {
  if (code === "SESSION_ENDED") return ["Your session has ended.", "Sign in again."];
  if (code === "TOKEN_EXPIRED") return ["This access token has expired.", NEW];
  if (code === "KEY_NOT_HELD") return ["This access token is no longer accepted.", NEW];
  return [
    "This access token is not valid.",
    "Check that you copied all of it and nothing more. If it still fails, ask who runs this service for a new one.",
  ];
}

function Form() {
  const [token, setToken] = useState("");
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(
    sessionError.value.code === "UNAUTHENTICATED" ? null : sessionError.value, // nothing was tried yet
  );
  const field = () => document.querySelector("#token");
  useEffect(() => {
    field().focus();
    return () => setTimeout(focusMain); // it is another's by then
  }, []);
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(token.trim().replace(/^bearer\s+/i, ""));
    } catch (failure) {
      setError(failure);
      setBusy(false);
      field()?.select();
    }
  };
  const [what, next] = error?.status === 401 ? explain(error) : [];
  const toggle = isShown ? "Hide" : "Show";
  return html`<h1>Sign in</h1>
    <p class="soft">Paste the access token you were given.</p>
    <form onSubmit=${send}>
      <label for="token">Access token</label>
      <span class="token"
        ><input
          type=${isShown ? "text" : "password"}
          id="token"
          autocomplete="off"
          spellcheck="false"
          required
          aria-invalid=${Boolean(what)}
          aria-describedby=${what ? "wrong" : null}
          value=${token}
          onInput=${(event) => (setToken(event.target.value), setError(null))}
        /><button
          type="button"
          class="ghost small"
          aria-controls="token"
          aria-label=${`${toggle} the access token`}
          onClick=${() => (setShown(!isShown), field().focus())}
        >
          ${toggle}
        </button></span
      >
      ${
        what &&
        html`<p id="wrong" class="wrong" role="alert">
          <${Icon} name="circle-alert" size=${16} /><span><b>${what}</b> ${next}</span>
        </p>`
      }
      <button class="accent" disabled=${isBusy}>Sign in</button>
    </form>
    ${error && !what && html`<${Failure} error=${error} />`}
    <p class="hint">This browser stays signed in until you sign out or the token expires.</p>
    <details>
      <summary>I have no token</summary>
      <p>Ask whoever runs this service for one.</p>
      <p>If you run it yourself, create one on the server:</p>
      <pre>plainloop token NAME</pre>
    </details>`;
}

/** Where nobody is signed in; a service that does not answer asks for no token. */
export function SignIn() {
  const { status } = sessionError.value;
  return html`<main class="door" tabindex="-1">
    <p class="brand"><${Mark} />plainloop</p>
    <div class="card">
      ${
        status === 401 || status === 403
          ? html`<${Form} />`
          : html`<h1>Not available</h1>
              <${Failure} error=${sessionError.value} again=${loadSession} />`
      }
    </div>
  </main>`;
}
