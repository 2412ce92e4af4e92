// What each key does, as settings list it and as `?` shows it.
import { html } from "./html.js";
import { Dialog } from "./parts.js";

const KEYS = [
  ["Ctrl K", "Search or jump to"],
  ["/", "Go to the search field of this page, or to the message field"],
  ["?", "Show these shortcuts"],
  ["Enter", "Send; Shift Enter is a new line"],
  ["Up", "Edit your last message, if the field is empty"],
  ["Z", "Undo the action that the note at the bottom names"],
  ["J, K", "Next and previous step, approval or conversation"],
  ["1, 2, 3", "Choose the better of two answers in an experiment"],
  ["N", "New chat"],
  [".", "Show the run next to the chat"],
  ["[", "The sidebar"],
  ["G, then one of C, A, U, H, E, S", "Chat, approvals, usage, history, experiments, settings"],
  ["A, D", "Approve or decline the focused action"],
  ["Space", "Lift or drop a card; arrow keys choose its column"],
  ["Ctrl Enter", "Approve"],
  ["Esc", "Close a window, or leave the message field so that letters are shortcuts"],
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
