// Lucide's icons as components: drawings are data, so no markup is made of text.
import { h } from "./vendor.js";
import { ICONS } from "./icons.js";

/** label: what it means where no word stands beside it */
export function Icon({ name, size = 16, label }) {
  const said = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const drawn = (ICONS[name] ?? ICONS["layout-grid"]).map((part) =>
    typeof part === "string" ? h("path", { d: part }) : h(...part),
  );
  return h(
    "svg",
    { class: "icon", width: size, height: size, viewBox: "0 0 24 24", ...said },
    drawn,
  );
}
