// How far the interview is, above its message box, and the way past a question.
import { get } from "../api.js";
import { focusBox } from "../focus.js";
import { html } from "../html.js";
import { useLoaded } from "../parts.js";
import "./style.js";

/** "2 of 7 topics are answered, 1 skipped" */
export const describeProgress = ({ answered, skipped, topics }) =>
  `${answered} of ${topics.length} topics are answered${skipped ? `, ${skipped} skipped` : ""}`;

export const Progress = ({ answered, skipped, topics }) =>
  html`<meter
    min="0"
    max=${topics.length}
    value=${answered + skipped}
    aria-label="Topics answered or skipped"
  ></meter>`;

/** @param {{talk: object, isBusy: boolean, turn: number}} props turn: it is read again when this changes */
export function Aid({ talk, isBusy, turn }) {
  const { data } = useLoaded(() => get("/api/profile/interview"), `${isBusy} ${turn}`);
  if (!data) return null;
  const skip = () => {
    focusBox(); // a blank in the next answer would press the button again
    talk.say("skip this one").catch(() => {});
  };
  return html`<div class="interview" role="group" aria-label="Interview">
    <${Progress} ...${data} />
    <a href="#/careers.profile?tab=interview">${describeProgress(data)}</a>
    ${
      !data.onboarded &&
      html`<button class="small" disabled=${isBusy} onClick=${skip}>Skip this question</button>`
    }
  </div>`;
}
