// What a person said: its text, when it was sent, editing it, and its other versions.
import { useLayoutEffect, useRef, useState } from "./vendor.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { CopyIcon, Moment } from "./parts.js";
import { cutLong, makeVisible } from "./words.js";

export const CONTINUE = "Continue where you stopped.";
// What a button says in one's place: nobody wrote it.
export const BUTTONS = { __proto__: null, [CONTINUE]: "Continued", "skip this one": "Skipped" };

const chosen = new Map(); // of chats with several versions the one that was chosen, while the page lives

/** The address of a chat: of the version that was chosen last, of a chat with several. */
export const toChat = (id) => `#/chat/${chosen.get(id) ?? id}`;

let wanted = null; // the position whose versions one goes through, and in which direction

/** Whether a chat is opened at one of its messages' versions, and not at its end. */
export const isAtVersion = () => wanted !== null;

/** ‹ 2/3 ›: each version of a question, or of its answer, lies in a chat of its own. */
export function Versions({ of, position, ids, at }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    if (wanted?.position !== position || wanted.of !== of) return;
    const [back, on] = place.current.querySelectorAll("button");
    const next = wanted.step < 0 ? back : on;
    (next.disabled ? (next === on ? back : on) : next).focus({ preventScroll: true });
    scrollBy(0, next.getBoundingClientRect().top - wanted.top); // it stays under the pointer
    wanted = null;
  }, []);
  const go = (step) => {
    wanted = { of, position, step, top: place.current.getBoundingClientRect().top };
    for (const id of ids) chosen.set(id, ids[at + step]);
    location.hash = `#/chat/${ids[at + step]}`;
  };
  const make = (step, sign, label) =>
    html`<button
      class="square ghost"
      aria-label=${label}
      title=${label}
      disabled=${!ids[at + step]}
      onClick=${() => go(step)}
    >
      ${sign}
    </button>`;
  return html`<span
    class="versions"
    role="group"
    aria-label=${`${of} ${at + 1} of ${ids.length}`}
    ref=${place}
    >${make(-1, "‹", "Previous version")}<span>${at + 1}/${ids.length}</span>${make(1, "›", "Next version")}</span
  >`;
}

function Editor({ text, onSend, onClose }) {
  const [said, setSaid] = useState(text);
  const send = (event) => {
    event.preventDefault();
    if (said.trim()) onSend(said.trim());
  };
  const onKeyDown = (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.shiftKey) send(event);
  };
  return html`<form class="edit stack" onSubmit=${send}>
    <textarea
      aria-label="Edit your message"
      rows="3"
      value=${said}
      ref=${(field) => field && !field.matches(":focus") && field.focus()}
      onInput=${(event) => setSaid(event.target.value)}
      onKeyDown=${onKeyDown}
    ></textarea>
    <p class="row at-right">
      <button type="button" class="small" onClick=${onClose}>Cancel</button
      ><button class="small accent">Send</button>
    </p>
    <small class="soft">The version before stays: ‹ › under it leads back.</small>
  </form>`;
}

/**
 * @param {{message: object, isUnsent: boolean, versions?: object, onEdit?: (text: string) => void}} props
 *   isUnsent: it has not reached the service; onEdit: says another one in its place
 */
export function OwnMessage({ message, isUnsent, versions, onEdit }) {
  const button = !isUnsent && !message.isQueued && BUTTONS[message.content];
  const [isEditing, setEditing] = useState(false);
  const opener = useRef(null);
  const close = () => (setEditing(false), setTimeout(() => opener.current?.focus()));
  const files = message.parts.filter((part) => part.type === "file");
  if (button)
    return html`<article class="message user" aria-label="You">
      <p class="foot soft">${button}</p>
    </article>`;
  return html`<article class="message user" aria-label="You">
    ${
      isEditing
        ? html`<${Editor} text=${message.content} onSend=${onEdit} onClose=${close} />`
        : html`<div class="bubble">
            <p class="said">${cutLong(message.content, 20_000)}</p>
            ${files.map(
              (part) =>
                html`<p class="foot">
                  ${
                    part.url
                      ? html`<a href=${part.url} target="_blank" rel="noopener"
                          >${
                            part.media_type?.startsWith("image/") &&
                            html`<img src=${part.url} alt="" loading="lazy" />`
                          }${makeVisible(part.name ?? part.media_type)}</a
                        >`
                      : makeVisible(part.name ?? "file")
                  }
                </p>`,
            )}
          </div>`
    }
    ${
      isUnsent || message.isQueued
        ? html`<p class="foot soft">${isUnsent ? "Not sent yet" : "In the queue"}</p>`
        : message.created_at &&
          !isEditing &&
          html`<div class="foot acts">
            <${Moment} at=${message.created_at} />
            ${
              onEdit &&
              message.content &&
              html`<button
                class="square ghost"
                title="Edit and send again"
                ref=${opener}
                onClick=${() => setEditing(true)}
              >
                <${Icon} name="pencil" size=${14} label="Edit and send again" />
              </button>`
            }
            <${CopyIcon} text=${message.content} />
            ${versions && html`<${Versions} ...${versions} />`}
          </div>`
    }
  </article>`;
}
