// The form that searches a list of conversations.
import { useEffect, useState } from "../vendor.js";
import { html } from "../html.js";

/** @param {{label: string, text: string, onSeek: (text: string) => void}} props text: what is searched for now; children stand before it */
export function Search({ label, text, onSeek, children }) {
  const [sought, setSought] = useState(text);
  useEffect(() => setSought(text), [text]);
  const seek = (event) => (event.preventDefault(), onSeek(sought.trim()));
  return html`<form role="search" onSubmit=${seek}>
    ${children}
    <label
      >${label}<input
        type="search"
        id="search"
        maxlength="200"
        value=${sought}
        onInput=${(event) => setSought(event.target.value)}
    /></label>
    <button>Search</button>
  </form>`;
}
