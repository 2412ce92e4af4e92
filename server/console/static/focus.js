// Where the keyboard is. Whatever is drawn anew, closed or taken away, it never falls back to nowhere
// (the body), where the next letters would be shortcuts.

/** To the screen's beginning, where what one held is gone. */
export const focusMain = () => document.querySelector("main")?.focus({ preventScroll: true });

// A finger's focus calls up a keyboard over half of the screen: only who writes already wants that.
const isByFinger = matchMedia("(pointer: coarse)");

/** To where one writes in a chat; on other screens, and where fingers type, to the beginning. */
export function focusBox() {
  const box = !isByFinger.matches && document.querySelector("#said");
  if (box) box.focus({ preventScroll: true });
  else focusMain();
}

let wantsBox = false;

/** Open a chat to write in it: the box has the focus then, also where it is open already. */
export function openChat(href = "#/chat") {
  if (location.hash === href) return (dispatchEvent(new Event("newchat")), focusBox());
  wantsBox = true;
  location.hash = href;
}

/** To the beginning of the screen that was opened, or to the box of the chat that was asked for. */
export function focusScreen() {
  if (wantsBox) focusBox();
  else focusMain();
  wantsBox = false;
}

/** Whether letters go into something, or a dialog lies above what shortcuts would do. */
export const isTyping = ({ target, isComposing }) =>
  isComposing ||
  target.isContentEditable ||
  Boolean(
    target.closest?.(
      "input:not([type=radio], [type=checkbox]), textarea, select, [role='textbox']",
    ),
  ) ||
  document.querySelector("dialog:modal") !== null;

/** The key as shortcuts name it: Caps Lock does not change a letter, Shift does. */
export const readKey = ({ key = "", shiftKey }) =>
  key.length === 1 && !shiftKey ? key.toLowerCase() : key;

let held = []; // what had the focus last, and what it lay in, from the inside out
const TAKES_FOCUS = "main, [tabindex]";

const listAbove = (node) =>
  node && node !== document.body ? [node, ...listAbove(node.parentElement)] : [];

/** What goes on where one was: the thing itself, if it was only moved; else what it belonged to. */
function findNext() {
  const [own] = held;
  if (own.isConnected && own.checkVisibility() && !own.disabled) return own;
  const left = held.filter((node) => node.isConnected && node.checkVisibility());
  const menu = left.find((node) => node.matches("details"))?.firstElementChild;
  if (menu) return menu;
  const dialog = left.find((node) => node.matches("dialog"));
  if (dialog) return dialog.querySelector("input, textarea, select, a[href], button");
  return document.querySelector("#said") ? null : left.find((node) => node.matches(TAKES_FOCUS)); // a chat goes on in its box
}

function restore() {
  if (document.activeElement !== document.body || !held.length) return;
  const next = findNext();
  held = [];
  if (next) next.focus({ preventScroll: true });
  else if (document.querySelector(".frame")) focusBox();
}

// A button that is off while it works has lost the focus too, and takes it again.
const concerns = (record) =>
  record.type === "attributes"
    ? record.target === held[0] && !record.target.disabled
    : [...record.removedNodes].some((node) => held.includes(node));

// After a dialog, Chromium writes no letter into the field that it gives the focus back to, now and
// then, until the field has it anew: test_keystrokes_reach_the_message_box_after_each_action[shut_palette].
const holdAnew = () =>
  setTimeout(() => {
    const at = document.activeElement;
    if (!at?.matches("input, textarea")) return;
    at.blur();
    at.focus({ preventScroll: true });
  });

/** Watch what is taken away while it has the focus, however that came about. */
export function keepFocus() {
  document.addEventListener("focusin", (event) => (held = listAbove(event.target)));
  document.addEventListener("close", (event) => event.target.matches("dialog") && holdAnew(), {
    capture: true,
  });
  new MutationObserver((records) => records.some(concerns) && restore()).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled"],
  });
}
