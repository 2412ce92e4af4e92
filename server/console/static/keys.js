// What each key does, as settings list it and as `?` shows it.
import { html } from "./html.js";
import { Dialog } from "./parts.js";

const KEYS = [
  ["Ctrl K", "Search or jump to"],
  ["/", "Go to the search of this page, or to the message"],
  ["?", "Show these keys"],
  ["Enter", "Send; Shift Enter is a new line"],
  ["Up", "Your last message again, in an empty field"],
  ["Z", "Undo what the note at the bottom says"],
  ["J, K", "Next and previous, in a run and between conversations"],
  ["1, 2, 3", "Choose the better of two answers in an experiment"],
  ["N", "New chat"],
  [".", "Show the run next to the chat"],
  ["[", "The sidebar"],
  ["G, then one of C, A, U, H, E, S", "Chat, approvals, usage, history, experiments, settings"],
  ["A, D", "Approve or decline the focused action"],
  ["Space", "Lift or drop a card; arrow keys choose its column"],
  ["Ctrl Enter", "Approve"],
  ["Esc", "Close; leave the message, so that letters are shortcuts"],
];

export const KeyList = () =>
  html`<dl class="keys-list">
    ${KEYS.map(
      ([key, what]) =>
        html`<dt><kbd>${key}</kbd></dt>
          <dd>${what}</dd>`,
    )}
  </dl>`;

export const Help = ({ onClose }) =>
  html`<${Dialog} title="Keyboard shortcuts" onClose=${onClose}><${KeyList} /></${Dialog}>`;
