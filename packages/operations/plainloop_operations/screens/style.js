// The style sheet of these screens: imported by those that need it, fetched once.
import { loadStyle } from "../parts.js";

await loadStyle(new URL("operations.css", import.meta.url));
