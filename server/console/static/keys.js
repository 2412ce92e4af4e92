// What each key does, as settings list it and as `?` shows it.
import { html } from "./html.js";
import { Dialog } from "./parts.js";
import { listPackScreens } from "./session.js";

/** The first screen of packs at a place, with the letter that leads there. */
const findOwn = (letter, place) =>
  listPackScreens(place)
    .map(({ name, title }) => [letter, name, title])
    .slice(0, 1);

/** Where `g` and a letter lead: `[letter, name of the screen, its title]` each. */
export const listPlaces = () => [
  ["C", "chat", "Chat"],
  ["A", "approvals", "Approvals"],
  ...findOwn("T", "sidebar"),
  ["U", "usage", "Usage"],
  ["H", "history", "History"],
  ...findOwn("E", "operate"),
  ["S", "settings", "Settings"],
];

const GROUPS = {
  Everywhere: [
    ["Ctrl K", "Search or jump to"],
    ["/", "Go to the search field of this page, or to the message field"],
    ["N", "New chat"],
    ["[", "The sidebar"],
    ["Z, Ctrl Z", "Undo the action that the note at the bottom names"],
    ["?", "Show these shortcuts"],
  ],
  Chat: [
    ["Enter", "Send; Shift Enter is a new line"],
    ["Up", "Edit your last message, if the field is empty"],
    [
      "Esc",
      "Stop the answer that is being written; else close a window, or leave the empty message field so that letters are shortcuts",
    ],
    [".", "Show the run next to the chat"],
  ],
  "Lists and approvals": [
    ["J, K", "Next and previous step, approval or conversation"],
    ["A, D", "Approve or decline the focused action"],
    ["Ctrl Enter", "Approve"],
    ["Space", "Lift or drop a card; arrow keys choose its column"],
    ["1, 2, 3", "Choose the better of two answers in an experiment"],
  ],
};

export const KeyList = () => {
  const places = listPlaces();
  const [letters, titles] = [0, 2].map((at) => places.map((place) => place[at]).join(", "));
  const go = [`G, then one of ${letters}`, titles];
  return Object.entries(GROUPS).map(
    ([title, keys], n) =>
      html`<h3>${title}</h3>
        <dl class="keys-list">
          ${(n ? keys : [...keys, go]).map(
            ([key, what]) =>
              html`<dt><kbd>${key}</kbd></dt>
                <dd>${what}</dd>`,
          )}
        </dl>`,
  );
};

export const Help = ({ onClose }) =>
  html`<${Dialog} title="Keyboard shortcuts" onClose=${onClose}><${KeyList} /></${Dialog}>`;
