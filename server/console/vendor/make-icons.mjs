// Lucide's drawings of the icons that the console has, as data: `node make-icons.mjs > icons.js`. A
// path, which most of them are made of, is its `d` alone.
import { readFileSync } from "node:fs";

const NAMES = `activity arrow-down arrow-up arrow-up-right book-open briefcase-business
  chart-column check chevron-down chevron-right circle-alert circle-check
  circle-dashed circle-pause circle-x clock coins command copy cpu database download
  ellipsis file-text inbox key-round layout-grid link list menu
  message-square panel-left panel-right paperclip pencil plus refresh-cw
  route scale search send settings shield-check sparkles square
  square-kanban sun thumbs-down thumbs-up trash triangle-alert upload user-round
  users wrench x`.split(/\s+/);
const drawings = JSON.parse(readFileSync("node_modules/lucide-static/icon-nodes.json", "utf8"));
const missing = NAMES.filter((name) => !drawings[name]);
if (missing.length) throw new Error(`Lucide has no ${missing.join(", ")}`);
const shorten = ([tag, attributes]) => (tag === "path" ? attributes.d : [tag, attributes]);
const chosen = Object.fromEntries(NAMES.map((name) => [name, drawings[name].map(shorten)]));
console.log(`export const ICONS = ${JSON.stringify(chosen)};`);
