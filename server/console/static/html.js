// Components are written as templates. `spread` is for objects of our own code only: a key of data
// could be one that sets HTML.
import { h, htm } from "./vendor.js";

export const html = htm.bind(function (...parts) {
  // No static part is kept for the next time: it would hold the tree that it stood in first, a run of
  // thousands of steps (test_load.py weighs the page after it).
  this[0] = 3;
  return h(...parts);
});
