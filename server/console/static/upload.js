// A file that a pack works with: chosen or dropped, read by the server, and what is uncertain in it.
import { useState } from "./vendor.js";
import { get, request, upload } from "./api.js";
import { html } from "./html.js";
import { Failure } from "./parts.js";
import { formatOf, makeVisible, readPath } from "./words.js";

/** What is there of it; null: nothing yet. */
export async function loadUploaded(path) {
  try {
    return await get(path);
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/** What it says after a file came: `{isBusy, told, error, take}`. */
export function useUpload({ path }, onDone) {
  const [state, setState] = useState({ isBusy: false, told: null, error: null });
  const take = async (file) => {
    if (!file) return;
    setState({ isBusy: true, told: null, error: null });
    try {
      let told = await upload(path, file);
      if (!told.is_parsed)
        told = { ...told, ...(await request("POST", `${path}/parse`, {})), is_parsed: true };
      setState({ isBusy: false, told, error: null });
    } catch (error) {
      setState({ isBusy: false, told: null, error });
    }
    onDone?.();
  };
  return { ...state, take };
}

export function ChooseFile({ accept, isBusy, take, children = "Choose a file" }) {
  return html`<label class=${`button ${isBusy ? "busy" : ""}`}
    >${isBusy ? "Reading…" : children}<input
      class="only-read"
      type="file"
      accept=${accept}
      disabled=${isBusy}
      onChange=${(event) => (take(event.target.files[0]), (event.target.value = ""))}
  /></label>`;
}

/** `Mara Lindqvist · 2 jobs · 1 degree`: what was read, as the pack counts it. */
function describeRead(data, { named, counts = {} }) {
  const parts = Object.entries(counts).map(
    ([name, what]) => data?.[name]?.length > 0 && formatOf(data[name].length, what),
  );
  return [named && readPath(data, named), ...parts].filter(Boolean).map(makeVisible).join(" · ");
}

/** What came of it, in words. */
export function Uploaded({ told, error, screen, upload }) {
  if (error) return html`<${Failure} error=${error} />`;
  if (!told) return null;
  const doubts = told.please_check.length;
  const read = describeRead(told.data, upload);
  return html`<p role="status">
    <span class="good">✓</span>${" "}${read || html`${makeVisible(told.name)} was read`}.${
      doubts > 0 && ` ${doubts === 1 ? "1 thing" : `${doubts} things`} to check.`
    }${" "}${
      screen &&
      html`<a href=${screen}
        >${doubts > 0 ? "Check and correct the values" : "See what was read"}</a
      >`
    }
  </p>`;
}
