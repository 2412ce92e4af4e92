// The profile interview: what is answered, what is open, and where it goes on.
import { useState } from "../vendor.js";
import { get, request } from "../api.js";
import { html } from "../html.js";
import { Markdown } from "../markdown.js";
import { Failure, useLoaded } from "../parts.js";
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
    <h2>${makeVisible(topic.name)} <span class=${topic.answer ? "good" : "soft"}>${topic.answer ? "✓ answered" : "○ open"}</span></h2>
    <p class="soft">${makeVisible(topic.about)}</p>
    ${topic.answer && html`<${Markdown} text=${topic.answer} />`}
  </li>`;
}

export function Screen() {
  const load = async () => {
    const [state, talk] = await Promise.all([get("/api/profile/interview"), loadTalk()]);
    return { ...state, talk };
  };
  const { data, error, reload } = useLoaded(load, "");
  if (!data) return html`<h1>Interview</h1><${Failure} error=${error} again=${reload} />`;
  const open = data.topics.filter((topic) => !topic.answer).length;
  return html`<h1>Interview</h1>
    <p>${data.onboarded ? "The interview is done." : open ? `${data.topics.length - open} of ${data.topics.length} topics are answered.` : "All topics are answered; the interviewer has not said that it is done."}</p>
    <${GoOn} talk=${data.talk} />
    <ol class="plain">${data.topics.map((topic) => html`<${Topic} key=${topic.name} topic=${topic} />`)}</ol>`;
}
