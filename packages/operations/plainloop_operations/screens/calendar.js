// Two months to choose a period from, by mouse or by keys.
import { useEffect, useRef, useState } from "../vendor.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { UNIT_MS, toDay, toMonth } from "../usage_data.js";
import { clock, makeDates } from "../words.js";

// One day begins it, the next one that is chosen ends it.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const month = makeDates({ month: "long", year: "numeric", timeZone: "UTC" });

/** When a day of UTC begins where one is. */
const sayZone = (today) =>
  `Days are UTC: they begin at ${clock.format(Date.parse(today))} in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;

function Month({ first, from, to, today, held, onChoose }) {
  const next = toMonth(toDay(first), 1);
  const before = (new Date(first).getUTCDay() + 6) % 7; // a week begins on Monday
  const days = Array.from({ length: (next - first) / UNIT_MS.day }, (_, n) =>
    toDay(first + n * UNIT_MS.day),
  );
  return html`<div role="group" aria-label=${month.format(first)}>
    <b>${month.format(first)}</b>
    <div class="days">
      ${["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map(
        (name) => html`<small aria-hidden="true">${name}</small>`,
      )}${Array.from({ length: before }, () => html`<i></i>`)}
      ${days.map(
        (day) =>
          html`<button
            key=${day}
            type="button"
            data-day=${day}
            class=${from && to && day >= from && day <= to ? "within" : ""}
            aria-pressed=${day === from || day === to}
            aria-label=${`${Number(day.slice(8))} ${month.format(first)}`}
            disabled=${day > today}
            tabindex=${day === held ? 0 : -1}
            onClick=${() => onChoose(day)}
          >
            ${Number(day.slice(8))}
          </button>`,
      )}
    </div>
  </div>`;
}

/** @param {{from: string, to: string, onChoose: (from: string, to: string) => void}} props days, as `2026-11-22`; "": none yet */
export function Calendar({ from, to, onChoose }) {
  // With the calendar, not with this file: the first page brings it along for its figures.
  useEffect(() => void import("./style.js"), []);
  const today = toDay(Date.now());
  const place = useRef(null);
  const [held, setHeld] = useState(to || from || today); // what Tab leads to
  const [shown, setShown] = useState(() => toMonth(held, -1)); // and the month after it
  const [isBegun, setBegun] = useState(false); // by one day, which is the whole period so far
  const hold = (day) => {
    if (day > today) return;
    setHeld(day);
    if (toMonth(day) < shown) setShown(toMonth(day));
    else if (toMonth(day) > toMonth(toDay(shown), 1)) setShown(toMonth(day, -1));
    // Behind the rendering, which is queued alike, and before the next key.
    queueMicrotask(() => place.current?.querySelector(`[data-day="${day}"]`)?.focus());
  };
  const choose = (day) => {
    hold(day);
    onChoose(...(isBegun ? [from, day].sort() : [day, day]));
    setBegun(!isBegun);
  };
  const onKeyDown = (event) => {
    const by = STEPS[event.key];
    if (!by || !event.target.dataset.day) return;
    event.preventDefault();
    hold(toDay(Date.parse(event.target.dataset.day) + by * UNIT_MS.day));
  };
  const turn = (by) => {
    const first = toMonth(toDay(shown), by);
    setShown(first);
    setHeld(toDay(first));
  };
  return html`<div
    ref=${place}
    class="calendar"
    onKeyDown=${onKeyDown}
    onClick=${(event) => event.stopPropagation()}
  >
    <button type="button" class="square ghost back" onClick=${() => turn(-1)}>
      <${Icon} name="chevron-right" label="Previous month" />
    </button>
    ${[shown, toMonth(toDay(shown), 1)].map(
      (first) =>
        html`<${Month}
          key=${first}
          first=${first}
          from=${from}
          to=${to}
          today=${today}
          held=${held}
          onChoose=${choose}
        />`,
    )}
    <button
      type="button"
      class="square ghost"
      disabled=${toMonth(toDay(shown), 2) > Date.parse(today)}
      onClick=${() => turn(1)}
    >
      <${Icon} name="chevron-right" label="Next month" />
    </button>
    <p class="hint">${sayZone(today)}</p>
  </div>`;
}
