// What the user thinks of an answer: up or down, and in words.
import { useState } from "./vendor.js";
import { request } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Failure } from "./parts.js";

const THUMBS = [["up", "thumbs-up", "Good answer"], ["down", "thumbs-down", "Bad answer"]];

/** @param {{runId: string, known?: {rating: string, note: string}}} props known: what was said before */
export function Rating({ runId, known }) {
  const [said, setSaid] = useState(known ?? { rating: null, note: "" });
  const [error, setError] = useState(null);
  const say = async (rating, note) => {
    setError(null);
    try {
      await request("PUT", `/api/runs/${runId}/rating`, { rating, note });
      setSaid({ rating, note });
    } catch (failure) {
      setError(failure);
    }
  };
  const onNote = (event) => event.target.value !== said.note && say(said.rating, event.target.value);
  return html`<span class="rating" role="group" aria-label="Was this a good answer?">
    ${THUMBS.map(([rating, icon, title]) => html`<button key=${rating} type="button" class="square ghost" title=${title} aria-pressed=${said.rating === rating} onClick=${() => say(said.rating === rating ? null : rating, said.rating === rating ? "" : said.note)}><${Icon} name=${icon} size=${14} label=${title} /></button>`)}
    ${said.rating === "down" && html`<input aria-label="What was wrong" placeholder="What was wrong?" maxlength="2000" value=${said.note} onChange=${onNote} />`}
    <${Failure} error=${error} /></span>`;
}
