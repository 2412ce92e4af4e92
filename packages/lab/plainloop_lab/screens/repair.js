// An experiment on one chat with an answer that was rated bad: whether the candidate repairs it.
import { get } from "../api.js";
import { Card } from "../changes.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Markdown } from "../markdown.js";
import { useLoaded } from "../parts.js";
import { session } from "../session.js";
import { makeVisible } from "../words.js";
import { Texts } from "./beside.js";
import { loadTalk } from "./experiment.js";
import { ANSWERS } from "./report.js";

const areSame = (a, b) =>
  a.text.trim().split(/\s+/).join(" ") === b.text.trim().split(/\s+/).join(" ");

/** The rated turn of an experiment's only chat on all sides, and what was said of it; null: none was rated bad. */
export function useRepair(id, chat) {
  const { data } = useLoaded(async () => {
    if (!chat) return null;
    const [{ conversation, reference, verdicts }, talk] = await Promise.all([
      get(`/api/replays/${id}/conversations/0`),
      loadTalk(chat),
    ]);
    const turn = conversation.turns.find(({ lanes }) => lanes.recording?.rating === "down");
    return turn?.lanes.candidate
      ? { ...turn.lanes, today: turn.lanes[reference], talk, id, turn, verdicts }
      : null;
  }, `${id} ${chat}`);
  return data?.id === id ? data : null;
}

/** What the user said of the answers, else the last one who did; undefined: nobody. */
const findVerdict = (verdicts = []) =>
  verdicts.find((item) => item.user_id === session.value.user_id) ?? verdicts.at(-1);

/** The title and the sentence below it. */
export function sayRepair({ recording, candidate, today, verdicts }) {
  const isRepeated = today && areSame(recording, today);
  const now = isRepeated ? "Today's setup still gives the bad answer, too." : "";
  if (candidate.error) return ["Not repaired: the candidate gave no answer", now];
  if (areSame(recording, candidate))
    return ["Not repaired: the new answer is the same as the one that was rated bad", now];
  const judged = findVerdict(verdicts);
  if (judged) {
    const whose = judged.user_id === session.value.user_id ? "Your" : "A colleague's";
    return [`${whose} comparison: ${ANSWERS[judged.verdict]}`, now];
  }
  return [
    "Changed: judge whether it is better",
    today && !isRepeated && areSame(candidate, today)
      ? "Today's setup gives this other answer, too: the candidate changes nothing."
      : now,
  ];
}

// The kind and the icon of the result, by what people said of the new answer.
const FORMS = { better: ["ok", "circle-check"], worse: ["bad", "circle-x"] };

/**
 * @param {{repair: object, again: string, more: string}} props again: the address where another change
 *   is tried on the same chat; more: where the same change is tried on other chats
 */
export function Repair({ repair, again, more }) {
  const { recording, candidate, today, talk, id } = repair;
  const [title, text] = sayRepair(repair);
  const isChanged = !title.startsWith("Not repaired");
  const judged = isChanged && findVerdict(repair.verdicts)?.verdict;
  const [kind, icon] = FORMS[isChanged ? judged : "worse"] ?? ["", "circle-dashed"];
  const notes = talk.ratings.filter(({ rating, note }) => rating === "down" && note);
  return html`<${Card} kind=${kind} icon=${icon} title=${title}
      >${notes.map(({ note }) => html`<p>The complaint: “${makeVisible(note)}”</p>`)}
      ${text && html`<p>${text}</p>`}
      <p class="row">
        ${
          isChanged &&
          html`<a class=${`button ${judged ? "" : "accent"}`} href=${`#/lab.experiments/${id}?n=0`}
            ><${Icon} name="scale" />${judged ? "Judge it again" : "Judge it"}</a
          >`
        }${
          judged === "better" &&
          html`<a class="button accent" href=${more}>Try it on more conversations</a>`
        }<a class=${`button ${isChanged && judged !== "worse" ? "" : "accent"}`} href=${again}>Try another change</a>
      </p></${Card}
    >
    <section class="card" aria-label="The answers">
      <h2>“${makeVisible(repair.turn.user)}”</h2>
      <${Texts} a=${recording.text} b=${candidate.text} names=${["Rated bad", "New answer"]} />
      ${
        today &&
        ![recording, candidate].some((side) => areSame(side, today)) &&
        html`<details>
          <summary>What today's setup answers now</summary>
          <${Markdown} text=${today.text || "No text."} />
        </details>`
      }
    </section>`;
}
