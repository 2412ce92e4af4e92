// What is typed into a form and not saved yet: kept while one looks elsewhere, as a chat's draft is, and
// only for the user who typed it. Before the page itself is left, the browser asks.
import { session } from "../session.js";

const kept = new Map();
const toKey = (place) =>
  [session.value?.tenant_id, session.value?.user_id, place].map(String).join("\n");

export const loadTyped = (place) => kept.get(toKey(place));

/** @param {unknown} typed null: it is saved, or not wanted any more */
export function keepTyped(place, typed) {
  if (typed === null) kept.delete(toKey(place));
  else kept.set(toKey(place), typed);
}

addEventListener("beforeunload", (event) => {
  if ([...kept.keys()].some((key) => key.startsWith(toKey("")))) event.preventDefault();
});
