// What every screen takes from others (and `signal`, ours), in one module; what only some need is a module of its own.
export { h, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { signal } from "./signal.js";
export { default as htm } from "htm";
export { Lexer } from "marked";
