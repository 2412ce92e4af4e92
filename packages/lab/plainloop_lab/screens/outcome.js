// How an experiment or advice ended: its verdict, else its status.
import { html } from "../html.js";
import { Status } from "../parts.js";

export const FORMS = {
  passed: ["ok", "circle-check", "Passed"],
  failed: ["bad", "circle-alert", "Failed"],
  undecided: ["", "circle-dashed", "Undecided"],
};

const KEPT = ["", "circle-check", "Keep today's"];

/** The form of advice's verdict: to switch nothing is no alarm, unless today's model ends. */
export const chooseForm = ({ verdict, successor }) =>
  verdict === "failed" && !successor ? KEPT : FORMS[verdict];

/** @param {{of: {status: string, verdict: string | null, headline?: string}}} props of: an experiment or advice */
export function Outcome({ of }) {
  const { status, verdict } = of;
  if (!verdict || status !== "succeeded") return html`<${Status} status=${status} />`;
  const [style, , word] = of.headline ? chooseForm(of) : FORMS[verdict];
  return html`<span class=${`status ${style}`}>${word}</span>`;
}
