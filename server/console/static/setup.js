// What is left to set up, on the first screen until it is done.
import { useState } from "./vendor.js";
import { focusBox } from "./focus.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { useDrop, useLoaded } from "./parts.js";
import { config, session } from "./session.js";
import { ChooseFile, Uploaded, loadUploaded, useUpload } from "./upload.js";
import { makeVisible } from "./words.js";

function Step({ icon, isDone, title, hint, children }) {
  return html`<li>
    <span class=${`sign ${isDone ? "ok" : icon === "key-round" ? "todo" : ""}`}
      ><${Icon} name=${isDone ? "check" : icon} size=${14}
    /></span>
    <div><b>${title}</b><small>${hint}</small></div>
    ${children}
  </li>`;
}

function UploadStep({ upload, pack, uploaded, reload }) {
  const state = useUpload(upload, reload);
  const isOver = useDrop(state.take);
  const screen = `#/${pack}.${upload.screen}`;
  return html`<${Step}
      icon="upload"
      isDone=${Boolean(uploaded)}
      title=${
        isOver ? "Drop the file to upload it" : uploaded ? makeVisible(uploaded.name) : upload.title
      }
      hint=${uploaded ? html`The file was read. <a href=${screen}>Review and correct</a>` : upload.hint}
    >
      <${ChooseFile} accept=${upload.accept} ...${state}
        >${uploaded ? "Another file" : "Choose a file"}</${ChooseFile}
      ></${Step}
    >
    ${
      (state.told || state.error) &&
      html`<li>
        <span></span>
        <div><${Uploaded} ...${state} screen=${screen} upload=${upload} /></div>
      </li>`
    }`;
}

export function SetUp({ shown, onUploaded }) {
  const [isShut, setShut] = useState(false);
  const { upload, pack } = shown;
  const { data: uploaded, reload } = useLoaded(async () => {
    const found = upload && (await loadUploaded(upload.path));
    onUploaded(Boolean(found));
    return found;
  }, "");
  const { is_offline: isOffline, model, provider } = config.value;
  const steps = [true, ...(upload ? [Boolean(uploaded)] : []), !isOffline];
  if (isShut || steps.every(Boolean)) return null;
  return html`<section class="card set-up" aria-label="Get set up">
    <header>
      <h2>Get set up</h2>
      <span class="soft">${steps.filter(Boolean).length} of ${steps.length} done</span>
      <button class="square ghost" onClick=${() => (setShut(true), focusBox())}>
        <${Icon} name="x" label="Hide this" />
      </button>
    </header>
    <ul>
      <${Step} isDone=${true} title="The service is running" hint="The database is ready." />
      ${upload && html`<${UploadStep} upload=${upload} pack=${pack} uploaded=${uploaded} reload=${reload} />`}
      <${Step}
        icon="key-round"
        isDone=${!isOffline}
        title=${isOffline ? "Connect a language model" : `${provider}: ${model}`}
        hint=${
          isOffline
            ? "Until then, only fixed phrases work."
            : "Requests that rules cannot answer go to this model."
        }
      >
        ${isOffline && session.value.is_admin && html`<a class="button" href="#/settings/models">Connect</a>`}</${Step}
      >
    </ul>
  </section>`;
}
