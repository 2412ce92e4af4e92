// How an experiment or advice ended: its verdict, else what became of it.
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Status } from "../parts.js";

export const FORMS = {
  passed: ["ok", "circle-check", "Passed"],
  failed: ["bad", "arrow-down", "Worse"],
  undecided: ["", "circle-dashed", "Undecided"],
};

const KEPT = ["", "circle-check", "Keep today's"];

// One that has no verdict is not called as one whose candidate is bad.
const ENDS = {
  failed: ["warn", "circle-x", "Broke off"],
  stopped: ["warn", "circle-pause", "Ended early"],
  cancelled: ["", "square", "Stopped"],
};

const MAY = ["warn", "circle-alert", "May switch"];
const SWITCH = ["ok", "circle-check", "Switch"];

/** The form of advice's verdict: to switch nothing is no alarm, unless today's model ends. */
export function chooseForm({ verdict, successor, unread }) {
  if (verdict === "passed") return unread ? MAY : SWITCH;
  return verdict === "failed" && !successor ? KEPT : FORMS[verdict];
}

const Sign = ({ form: [style, icon, word] }) =>
  html`<span class=${`status ${style}`}><${Icon} name=${icon} size=${14} />${word}</span>`;

/** What became of the run of an experiment, whatever its candidate is worth. */
export const End = ({ status }) =>
  ENDS[status] ? html`<${Sign} form=${ENDS[status]} />` : html`<${Status} status=${status} />`;

/** @param {{of: {status: string, verdict: string | null, headline?: string, open?: string}}} props of: an experiment
 * or advice; open: what would decide it, or what people say of its only answer */
export function Outcome({ of }) {
  const { status, verdict } = of;
  if (!verdict || status !== "succeeded") return html`<${End} status=${status} />`;
  if (of.open?.startsWith("Compared")) return html`<${Sign} form=${["", "scale", "Compared"]} />`;
  return html`<${Sign} form=${of.headline ? chooseForm(of) : FORMS[verdict]} />`;
}
