// What the console takes from others, in one module.
export { h, render, Fragment } from "preact";
export { useEffect, useMemo, useRef, useState } from "preact/hooks";
export { signal, computed, effect, batch } from "@preact/signals";
export { default as htm } from "htm";
export { default as uPlot } from "uplot";
export { Lexer } from "marked";
export { diffWords, diffLines } from "diff";
