// A table whose rows are read one below another where there is no room.
import { html } from "../html.js";
import { Wide } from "../parts.js";
import { makeVisible } from "../words.js";

/** @param {{label: string, rows: any[][]}} props rows: the first has the heads; cells are texts or nodes */
export const Table = ({ label, rows: [heads, ...rows] }) =>
  html`<div class="stacked">
    <${Wide} label=${label}>
      <thead>
        <tr>
          ${heads.map((name) => html`<th class="name">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(
                (cell, at) =>
                  html`<td class="name" data-head=${heads[at]}>
                    ${typeof cell === "string" ? makeVisible(cell) : cell}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </${Wide}>
  </div>`;
