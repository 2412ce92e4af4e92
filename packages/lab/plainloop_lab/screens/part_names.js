// What the callers of models are called where people read of them.
import { html } from "../html.js";
import { toWords } from "../words.js";

const AROUND = {
  classifier: "Chooses the worker, or answers from the database",
  evaluator: "Reads an answer before the person does",
  parser: "Makes data of an uploaded text",
  titles: "Names a chat after its first answer",
};
// As a step of its own: the titles of chats are of the same role (words of operations/screens.json).
const SORTING = "Sorting of requests";

export const NONE_SAID = html`<span class="soft">–</span>`;

/** A worker, or another caller of models: its name, and what it does where the name does not say so. */
export function sayPart({ name, role, description }) {
  const title = name === "classifier" ? SORTING : toWords(name);
  return { title, does: (role !== "worker" && AROUND[name]) || (description ?? "") };
}
