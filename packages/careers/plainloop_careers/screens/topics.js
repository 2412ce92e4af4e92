// The profile topic by topic, and the interview about it: each answer is written where it stands.
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor.js";
import { get, request } from "../api.js";
import { openChat } from "../focus.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Markdown } from "../markdown.js";
import { Copy, Failure, Menu, Time, showToast, useLoaded } from "../parts.js";
import { makeVisible } from "../words.js";
import { keepTyped, loadTyped } from "./drafts.js";
import { Progress, describeProgress, findState } from "./interview.js";
import "./style.js";

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
  const isLeft = useRef(false); // the first question takes seconds: who went elsewhere stays there
  useEffect(() => () => (isLeft.current = true), []);
  const begin = async () => {
    setSent(true);
    try {
      const begun = await request("POST", `${ROOM}/kick`, {});
      if (!isLeft.current) openChat(`#/chat/${begun.conversation_id}`);
    } catch (failure) {
      setError(failure);
      setSent(false);
    }
  };
  if (!talk)
    return html`<p class="soft">
      This service has no interview; describe your profile in the chat.
    </p>`;
  if (talk.conversation)
    return html`<p>
      <a class="button accent" href=${`#/chat/${talk.conversation.id}`}>Continue in the chat</a>
    </p>`;
  return html`<p>
      <button class="accent" disabled=${isSent} onClick=${begin}>
        ${isSent ? "Starting the interview …" : "Start the interview"}
      </button>
    </p>
    <${Failure} error=${error} />`;
}

/** Topics, what else stands in the profile, and the interview's chat. */
const loadProfile = async () => {
  const [profile, state, talk] = await Promise.all([
    get("/api/profile"),
    get("/api/profile/interview"),
    loadTalk(),
  ]);
  return { ...state, profile, talk };
};

/** A text of the profile as it is written. What is typed stays until it is saved or let go. */
function Editor({ place, title, about, text, rows, save, onClose }) {
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef(null);
  // Before anything can be typed: an effect runs a frame later, and took away a selection made meanwhile.
  useLayoutEffect(() => {
    field.current.focus({ preventScroll: true });
    field.current.setSelectionRange(-1, -1);
  }, []);
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await save(field.current.value);
      keepTyped(place, null);
      showToast("Saved");
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return html`<form class="answer" onSubmit=${send}>
    <label
      >${makeVisible(title)}${about && html`<small class="soft">${makeVisible(about)}</small>`}<textarea
        ref=${field}
        rows=${rows}
        defaultValue=${loadTyped(place) ?? text}
        onInput=${({ target: { value } }) => keepTyped(place, value === text ? null : value)}
      ></textarea>
    </label>
    <${Failure} error=${error} />
    <p class="row">
      <button class="accent" disabled=${isBusy}>Save</button
      ><button type="button" class="ghost" onClick=${() => (keepTyped(place, null), onClose())}>
        Cancel
      </button>
    </p>
  </form>`;
}

const ICONS = { answered: "circle-check", skipped: "circle-pause", open: "circle-dashed" };

/** A topic or another heading of the profile; `state`: of a topic. */
function Topic({ name, title = name, about, text, state, reload }) {
  const place = `profile ${name}`;
  const [isEdited, setEdited] = useState(loadTyped(place) !== undefined);
  const button = useRef(null);
  const isShut = useRef(false); // where one wrote, its button is held again
  useEffect(() => {
    if (isShut.current && !isEdited) button.current?.focus({ preventScroll: true });
    isShut.current = false;
  }, [isEdited]);
  const save = async (typed) => {
    await request("PATCH", "/api/profile", { name, text: typed });
    reload();
  };
  const close = () => ((isShut.current = true), setEdited(false));
  const body = isEdited
    ? html`<${Editor}
        place=${place}
        title=${title}
        about=${about}
        text=${text}
        rows="3"
        save=${save}
        onClose=${close}
      />`
    : html`<div class="told">
          <h3>
            ${makeVisible(title)}${
              state &&
              html`${" "}<span class=${state === "answered" ? "good" : "soft"}>${state}</span>`
            }
          </h3>
          ${
            text
              ? html`<${Markdown} text=${text} />`
              : html`<p class="soft">${makeVisible(about)}</p>`
          }
        </div>
        <button
          ref=${button}
          class=${text ? "square ghost" : "small"}
          title=${text ? "Edit" : null}
          aria-label=${`${text ? "Edit" : "Answer"} ${title}`}
          onClick=${() => setEdited(true)}
        >
          ${text ? html`<${Icon} name="pencil" size=${14} />` : "Answer"}
        </button>`;
  return html`<li class=${`topic ${state ?? ""}`}>
    ${state && html`<${Icon} name=${ICONS[state]} />`}${body}
  </li>`;
}

const WHOLE = "profile as Markdown"; // the place of what is typed there

/** What was noted and what is missing, as one takes it along. isText: without the signs of Markdown */
function writeProfile({ topics, profile, ...state }, isText) {
  const others = profile.sections.filter((section) => !section.is_topic);
  const all = [
    ...topics.map((topic) => [
      topic.name,
      topic.answer || (topic.is_skipped ? "Skipped" : "Not answered yet"),
    ]),
    ...others.map(({ name, text }) => [name || "About me", text]),
  ];
  const blocks = all.map(
    ([name, text]) => `${isText ? "" : "## "}${name}\n${isText ? "" : "\n"}${text}`,
  );
  const head = `${isText ? "" : "# "}My profile\n\n${describeProgress({ topics, ...state })}.`;
  return `${[head, ...blocks].join("\n\n")}\n`;
}

/** A text as a file on one's own computer. */
function download(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** How far the interview is and its answers, in one place: each is written or changed where it stands. */
export function Profile() {
  const { data, error, reload } = useLoaded(loadProfile, "");
  const [isWhole, setWhole] = useState(loadTyped(WHOLE) !== undefined);
  if (!data) return html`<${Failure} isWaiting error=${error} again=${reload} />`;
  const { profile, topics } = data;
  const others = profile.sections.filter((section) => !section.is_topic);
  const told = describeProgress(data);
  const missing = topics.filter((topic) => findState(topic) === "open").map(({ name }) => name);
  const save = async (content) => {
    await request("PUT", "/api/profile", { content });
    reload();
  };
  if (isWhole)
    return html`<section class="card" aria-label="Profile">
      <${Editor}
        place=${WHOLE}
        title="Your profile, in Markdown"
        text=${profile.content}
        rows="18"
        save=${save}
        onClose=${() => setWhole(false)}
      />
    </section>`;
  return html`<section class="card" aria-label="Interview">
      <div class="row spread">
        <h2>${data.onboarded ? `The interview is done: ${told}` : told}</h2>
        <${GoOn} talk=${data.talk} />
      </div>
      <${Progress} ...${data} />
      ${missing.length > 0 && html`<p class="soft missing">Still open: ${missing.join(", ")}</p>`}
    </section>
    <section class="card profile" aria-label="Profile">
      <div class="row spread">
        <p class="soft">
          ${
            profile.content
              ? html`Changed${" "}<${Time} at=${profile.updated_at} />. Letters use what stands
                  here.`
              : html`What you are looking for, and what you are good at. Letters use what stands
                here.`
          }
        </p>
        <span class="row"
          ><${Copy} text=${writeProfile(data, true)} /><${Menu}
            label="Download"
            icon="download"
            style="small button"
            ><button
              class="ghost"
              onClick=${() => download("profile.md", "text/markdown", writeProfile(data))}
            >
              Markdown</button
            ><button
              class="ghost"
              onClick=${() => download("profile.txt", "text/plain", writeProfile(data, true))}
            >
              Text
            </button></${Menu}
          ><button class="small ghost" onClick=${() => setWhole(true)}>Edit as Markdown</button></span
        >
      </div>
      <ol class="plain">
        ${topics.map(
          (topic) =>
            html`<${Topic}
              key=${topic.name}
              name=${topic.name}
              about=${topic.about}
              text=${topic.answer}
              state=${findState(topic)}
              reload=${reload}
            />`,
        )}
        ${others.map(
          ({ name, text }) =>
            html`<${Topic}
              key=${`#${name}`}
              name=${name}
              title=${name || "About you"}
              text=${text}
              reload=${reload}
            />`,
        )}
      </ol>
    </section>`;
}
