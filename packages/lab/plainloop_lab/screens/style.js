// The style sheet of these screens: imported by each of them, fetched once.
import { loadStyle } from "../parts.js";

await loadStyle(new URL("lab.css", import.meta.url));
