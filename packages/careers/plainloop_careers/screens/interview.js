// How far the interview is, in its message box, and the way past a question.
import { get } from "../api.js";
import { focusBox } from "../focus.js";
import { html } from "../html.js";
import { useLoaded } from "../parts.js";
import "./style.js";

/** "2 of 7 topics are answered, 1 skipped" */
export const describeProgress = ({ answered, skipped, topics }) =>
  `${answered} of ${topics.length} topics are answered${skipped ? `, ${skipped} skipped` : ""}`;

export const placeholder = "Your answer, or a question about it";

export const findState = ({ answer, is_skipped: isSkipped }) =>
  isSkipped ? "skipped" : answer ? "answered" : "open";

/** A piece for each topic: as many are full as the words beside it count. */
export const Progress = (state) =>
  html`<div
    class="topic-bar"
    role="meter"
    aria-label="Topics answered"
    aria-valuemin="0"
    aria-valuemax=${state.topics.length}
    aria-valuenow=${state.answered}
    aria-valuetext=${describeProgress(state)}
  >
    ${state.topics.map((topic) => html`<i key=${topic.name} class=${findState(topic)}></i>`)}
  </div>`;

/** @param {{talk: object, isBusy: boolean, turn: number}} props turn: it is read again when this changes */
export function Aid({ talk, isBusy, turn }) {
  const { data } = useLoaded(() => get("/api/profile/interview"), `${isBusy} ${turn}`);
  if (!data) return null;
  const names = data.topics.filter((topic) => topic.is_skipped).map(({ name }) => name);
  const skip = () => {
    focusBox(); // a blank in the next answer would press the button again
    talk.say("skip this one").catch(() => {});
  };
  return html`<div class="interview" role="group" aria-label="Interview">
    <${Progress} ...${data} />
    <a href="#/careers.profile?tab=profile"
      >${data.answered} of ${data.topics.length}<span class="wide-only"> topics are</span
      >${" "}answered${
        data.skipped > 0 && `, ${data.skipped} skipped`
      }${data.onboarded && data.skipped > 0 && `: ${names.join(", ")}`}</a
    >
    ${
      !data.onboarded &&
      html`<button type="button" class="small" disabled=${isBusy} onClick=${skip}>
        <span>Skip<span class="wide-only"> this question</span></span>
      </button>`
    }
  </div>`;
}
