// How many experiments run, for pages of the service.
import { get } from "../api.js";

const LOOKED_AT = 100; // the newest: one that runs is among them

export async function countRunning() {
  const { replays } = await get(`/api/replays?limit=${LOOKED_AT}`);
  return replays.filter(({ ended_at: end }) => end === null).length;
}
