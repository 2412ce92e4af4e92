// What packs keep of what runs wrote, such as letters: shown with the run, and found by the palette.
import { get, withQuery } from "./api.js";
import { config } from "./session.js";
import { fillIn, readPath } from "./words.js";

/** A row's versions, each with what the row says; the row itself where no run wrote one. */
function listVersions(row, { each, version }) {
  const versions = each ? readPath(row, each) : [];
  return versions.length
    ? versions.map((item) => ({
        ...row,
        ...item,
        query: version ? { version: readPath(item, version) } : {},
      }))
    : [{ ...row, query: {} }];
}

/** What the packs keep of what runs wrote, by run, the newest version first: `{title, hint, href, icon}`. */
export async function loadWritten() {
  const found = new Map();
  for (const { written } of config.value.screens) {
    if (!written) continue;
    for (const row of (await get(written.path))[written.rows].flatMap((item) =>
      listVersions(item, written),
    )) {
      const run = readPath(row, written.run_id) ?? ""; // "": people wrote it
      const href = fillIn(written.href, row);
      const item = {
        icon: written.icon,
        title: String(readPath(row, written.title)),
        hint: written.hint && fillIn(written.hint, row),
        href: href && withQuery(href, row.query),
      };
      if (item.href) found.set(run, [...(found.get(run) ?? []), item]);
    }
  }
  return found;
}
