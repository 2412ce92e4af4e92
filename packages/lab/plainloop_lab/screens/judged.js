// Which conversations of an experiment people have judged: how many, and which is to be judged next.
import { signal } from "../vendor.js";
import { get } from "../api.js";
import { useLoaded } from "../parts.js";

const MOST = 200; // of one answer of the service
const known = signal({ id: "", places: [] });

/** Load them once, however many parts of a page ask at the same time. */
let underway = { id: "" };
function load(id) {
  if (underway.id !== id)
    underway = { id, done: loadAll(id).finally(() => (underway = { id: "" })) };
  return underway.done;
}

async function loadAll(id) {
  const path = `/api/replays/${id}/conversations?only=judged&limit=${MOST}`;
  const places = [];
  for (let cursor = ""; cursor !== null;) {
    const found = await get(cursor ? `${path}&cursor=${cursor}` : path);
    places.push(...found.conversations.map((item) => item.n));
    cursor = found.next_cursor;
  }
  known.value = { id, places };
}

/** The places of the conversations that somebody judged; null: it is not known yet. */
export function useJudged(id, isWanted = true) {
  useLoaded(async () => isWanted && (await load(id)), `${id} ${isWanted}`);
  return known.value.id === id ? known.value.places : null;
}

/** Keep that a conversation has verdicts now, or none any more. */
export function noteJudged(id, n, isJudged) {
  const { id: of, places } = known.value;
  if (of !== id) return;
  const others = places.filter((place) => place !== n);
  known.value = { id, places: isJudged ? [...others, n] : others };
}

/** Of conversations in their order: how many are judged, and the first that is not. */
export const sayJudged = (places, judged) => {
  const left = judged ? places.filter((n) => !judged.includes(n)) : places;
  return { count: judged ? places.length - left.length : null, next: left[0] };
};
