// What people call what the service names: `crm_worker` is the Tracker.
import { makeVisible, toWords } from "../words.js";

/** A sentence of the service, with the names that people know. */
export const sayNames = (text) => makeVisible(text.replace(/\b[a-z]+(_[a-z]+)+\b/g, toWords));

/** A sentence of the service with a capital letter; a name that it begins with stays as it is. */
export const toSentence = (text) => text.replace(/^[a-z](?=[a-z]* )/, (sign) => sign.toUpperCase());

/** What most people say of the candidate, by their verdict. */
export const PREFERENCES = {
  better: "people prefer the candidate",
  same: "people see no difference",
  worse: "people prefer today's",
};
