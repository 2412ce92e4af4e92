// How an experiment or advice ended: its verdict, else its status.
import { html } from "../html.js";
import { Status } from "../parts.js";

export const FORMS = {
  passed: ["ok", "circle-check", "Passed"],
  failed: ["bad", "circle-alert", "Failed"],
  undecided: ["", "circle-dashed", "Undecided"],
};

/** @param {{of: {status: string, verdict: string | null}}} props of: an experiment or advice */
export function Outcome({ of: { status, verdict } }) {
  if (!verdict || status !== "succeeded") return html`<${Status} status=${status} />`;
  const [style, , word] = FORMS[verdict];
  return html`<span class=${`status ${style}`}>${word}</span>`;
}
