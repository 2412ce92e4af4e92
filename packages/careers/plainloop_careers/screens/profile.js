// The résumé as it was read, and the profile interview: what is answered, what is open, where it goes on.
import { useState } from "../vendor.js";
import { get, request } from "../api.js";
import { html } from "../html.js";
import { Markdown } from "../markdown.js";
import { Failure, useLoaded } from "../parts.js";
import { ChooseFile, Uploaded, loadUploaded, useDrop, useUpload } from "../upload.js";
import { makeVisible } from "../words.js";

const ROOM = "/api/chat/onboarding";

/** The conversation of it; null where this service holds none, or another pack's. */
async function loadTalk() {
  try {
    const found = await get(`${ROOM}?limit=1`);
    return found.pack === "careers" ? found : null;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

function GoOn({ talk }) {
  const [error, setError] = useState(null);
  const [isSent, setSent] = useState(false);
  const begin = async () => {
    setSent(true);
    try {
      location.hash = `#/chat/${(await request("POST", `${ROOM}/kick`, {})).conversation_id}`;
    } catch (failure) {
      setError(failure);
      setSent(false);
    }
  };
  if (!talk) return html`<p class="soft">This service holds no interview for it; the profile can be told in the chat.</p>`;
  if (talk.conversation) return html`<p><a href=${`#/chat/${talk.conversation.id}`}>Go on in the chat</a></p>`;
  return html`<p><button class="accent" disabled=${isSent} onClick=${begin}>${isSent ? "It asks its first question …" : "Begin the interview"}</button></p><${Failure} error=${error} />`;
}

function Topic({ topic }) {
  return html`<li class="panel">
    <h3>${makeVisible(topic.name)} <span class=${topic.answer ? "good" : "soft"}>${topic.answer ? "✓ answered" : "○ open"}</span></h3>
    <p class="soft">${makeVisible(topic.about)}</p>
    ${topic.answer && html`<${Markdown} text=${topic.answer} />`}
  </li>`;
}

const RESUME = { path: "/api/resume" };
const ACCEPTED = ".pdf,.docx,.md,.txt,.json";

const name = (item) => [item.position ?? item.studyType ?? item.name ?? item.language ?? item.title, item.name && item.position ? item.name : item.institution ?? item.area ?? item.fluency].filter(Boolean).join(", ");

/** A section of a JSON Resume as a list. */
function Section({ title, items }) {
  if (!items?.length) return null;
  return html`<h3>${title}</h3><ul>${items.map((item) => html`<li>${makeVisible(typeof item === "string" ? item : name(item))}
    ${(item.startDate || item.endDate) && html` <span class="soft">${makeVisible(`${item.startDate ?? "?"} – ${item.endDate ?? "today"}`)}</span>`}
    ${item.keywords?.length > 0 && html` <span class="soft">${makeVisible(item.keywords.join(", "))}</span>`}
    ${item.highlights?.length > 0 && html`<ul>${item.highlights.map((line) => html`<li>${makeVisible(line)}</li>`)}</ul>`}</li>`)}</ul>`;
}

function Resume() {
  const { data, error, isLoading, reload } = useLoaded(() => loadUploaded(RESUME.path), "");
  const state = useUpload(RESUME, reload);
  const isOver = useDrop(state.take);
  const found = data?.data;
  return html`<section class="card" aria-label="Résumé">
    <div class="row spread"><h2>Résumé</h2><${ChooseFile} accept=${ACCEPTED} ...${state}>${data ? "Replace it" : "Choose a file"}</${ChooseFile}></div>
    <${Failure} error=${error} again=${reload} />
    ${!isLoading && !data && !error && html`<p class="empty">${isOver ? "Let go to read it." : "Drop a PDF, Word, text or JSON Resume file anywhere on this page."}</p>`}
    <${Uploaded} ...${state} />
    ${data && html`<p class="soft">${makeVisible(data.name)}, version ${data.version}${data.is_corrected ? ", corrected by you" : ""}</p>`}
    ${!state.told && data?.please_check.length > 0 && html`<div class="notice"><b>Please check</b><ul>${data.please_check.map((doubt) => html`<li>${makeVisible(doubt)}</li>`)}</ul></div>`}
    ${found && html`<p><strong>${makeVisible(found.basics?.name ?? "")}</strong>${found.basics?.label && ` ${makeVisible(found.basics.label)}`}</p>
      ${found.basics?.summary && html`<p>${makeVisible(found.basics.summary)}</p>`}
      <${Section} title="Work" items=${found.work} /><${Section} title="Education" items=${found.education} />
      <${Section} title="Skills" items=${found.skills} /><${Section} title="Languages" items=${found.languages} />`}
    ${data && !found && html`<details><summary>Its text</summary><pre tabindex="0">${makeVisible(data.raw_text)}</pre></details>`}
  </section>`;
}

function Interview() {
  const load = async () => {
    const [state, talk] = await Promise.all([get("/api/profile/interview"), loadTalk()]);
    return { ...state, talk };
  };
  const { data, error, reload } = useLoaded(load, "");
  if (!data) return html`<${Failure} error=${error} again=${reload} />`;
  const open = data.topics.filter((topic) => !topic.answer).length;
  return html`<h2>Interview</h2>
    <p>${data.onboarded ? "The interview is done." : open ? `${data.topics.length - open} of ${data.topics.length} topics are answered.` : "All topics are answered; the interviewer has not said that it is done."}</p>
    <${GoOn} talk=${data.talk} />
    <ol class="plain">${data.topics.map((topic) => html`<${Topic} key=${topic.name} topic=${topic} />`)}</ol>`;
}

export const Screen = () => html`<h1>Résumé and profile</h1><${Resume} /><${Interview} />`;
