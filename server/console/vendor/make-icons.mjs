// Lucide's drawings of the icons that the console has, as data: `node make-icons.mjs > icons.js`.
import { readFileSync } from "node:fs";

const NAMES = `activity arrow-down arrow-up arrow-up-right briefcase-business calendar-clock chart-column check
  chevron-down chevron-right circle-alert circle-check circle-dashed circle-pause copy cpu download ellipsis
  file-text rotate-ccw-clock inbox key-round layout-grid link list log-out menu message-square panel-left panel-right
  paperclip pencil plus refresh-cw route scale search send settings shield-check sparkles square square-kanban
  thumbs-down thumbs-up trash triangle-alert upload user-round wrench x`.split(/\s+/);
const drawings = JSON.parse(readFileSync("node_modules/lucide-static/icon-nodes.json", "utf8"));
const missing = NAMES.filter((name) => !drawings[name]);
if (missing.length) throw new Error(`Lucide has no ${missing.join(", ")}`);
const chosen = Object.fromEntries(NAMES.map((name) => [name, drawings[name]]));
console.log(`export const ICONS = ${JSON.stringify(chosen)};`);
