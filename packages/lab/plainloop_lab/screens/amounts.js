// Amounts of two sides, beside the percentage between them.
import { formatCost, formatMs } from "../words.js";

const FEWEST = 4; // places
const MOST = 8;

/** An amount of a column, whose rows all have as many places. */
export const formatEven = (usd) =>
  Number(usd) >= 0.0001 ? `$${Number(usd).toFixed(FEWEST)}` : formatCost(usd);

/** Both with two places where these say all of both, else both with four. */
const choosePlaces = (a, b) =>
  [a, b].every((usd) => Number(usd.toFixed(2)) === Number(usd.toFixed(FEWEST)))
    ? formatCost
    : formatEven;

/** How two amounts are written so that they agree with the percentage between them: with more places where they need them. */
export function chooseCostFormat(a, b) {
  if (!(a > 0 && b > 0)) return formatCost;
  const part = b / a - 1;
  for (let places = FEWEST; places <= MOST; places += 1) {
    const [first, second] = [a, b].map((usd) => Number(usd.toFixed(places)));
    const isNear = Math.abs(second / first - 1 - part) <= Math.max(0.0005, 0.02 * Math.abs(part));
    if (isNear)
      return places === FEWEST ? choosePlaces(a, b) : (usd) => `$${Number(usd).toFixed(places)}`;
  }
  return (usd) => `$${Number(usd).toFixed(MOST)}`;
}

/** How two times are written beside each other: both in seconds where one alone would be in ms. */
export const chooseTimeFormat = (a, b) =>
  Math.min(a, b) < 1000 && Math.max(a, b) >= 1000 && Math.max(a, b) < 60_000
    ? (ms) => `${(ms / 1000).toFixed(2)} s`
    : formatMs;

/** What something costs about: two digits, rounded up, as more would differ at each look. */
export function formatAbout(usd) {
  if (!(usd > 0)) return formatCost(usd);
  const unit = 10 ** (Math.floor(Math.log10(usd)) - 1);
  return formatCost(Number((Math.ceil(Number((usd / unit).toFixed(6))) * unit).toPrecision(2)));
}
