// Components are written as templates. `spread` is for objects of our own code only: a key of data
// could be one that sets HTML.
import { h, htm } from "./vendor.js";

export const html = htm.bind(h);
