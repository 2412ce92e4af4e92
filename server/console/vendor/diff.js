export { diffWords } from "diff";
