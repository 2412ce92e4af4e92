// New colleagues: an interview each, what it has recorded, what is missing, and its export.
import { useState } from "../vendor.js";
import { get, request } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Failure, Time, useLoaded } from "../parts.js";
import { makeVisible, toWords } from "../words.js";

const KICK = "/api/chat/onboarding/kick";

const sayValue = (value) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : makeVisible(String(value));

function Colleague({ interview }) {
  const { fields, missing, conversation_id: id } = interview;
  const asked = Object.entries(fields).filter(([name]) => name !== "conversation_summary");
  // What the export needs counts; the rest may stay open.
  const open = interview.required.filter((name) => missing.includes(name));
  const needed = interview.required.length;
  return html`<section
    class="card"
    aria-label=${makeVisible(fields.employee_name ?? "No name yet")}
  >
    <div class="row spread">
      <h2>${makeVisible(fields.employee_name ?? "No name yet")}</h2>
      <span class=${`status ${interview.is_exported ? "ok" : ""}`}
        ><${Icon}
          name=${interview.is_exported ? "circle-check" : "circle-dashed"}
          size=${14}
        />${interview.is_exported ? "Done" : open.length ? `${needed - open.length} of ${needed} required` : "Ready to export"}</span
      >
    </div>
    <p class="soft">Last message <${Time} at=${interview.updated_at} /></p>
    <meter min="0" max=${needed} value=${needed - open.length} aria-label="Required fields"></meter>
    <dl class="fields">
      ${asked.map(
        ([name, value]) =>
          html`<dt>${toWords(name)}</dt>
            <dd>
              ${
                (value ?? "") === ""
                  ? html`<span class="soft"
                      >${interview.required.includes(name) ? "missing" : "open, optional"}</span
                    >`
                  : sayValue(value)
              }
            </dd>`,
      )}
    </dl>
    <p class="row">
      <a class=${`button ${interview.is_exported ? "" : "accent"}`} href=${`#/chat/${id}`}
        >${interview.is_exported ? "Read" : "Continue"}</a
      >${
        open.length === 0 &&
        html`<a class="button" href=${`/api/staff/interviews/${id}/export`}
          ><${Icon} name="download" size=${14} />Export</a
        >`
      }
    </p>
  </section>`;
}

export function Screen() {
  const { data, error, reload } = useLoaded(() => get("/api/staff/interviews"), "");
  const [state, setState] = useState({ isBusy: false, error: null });
  const begin = async () => {
    setState({ isBusy: true, error: null });
    try {
      location.hash = `#/chat/${(await request("POST", KICK, { new: true })).conversation_id}`;
    } catch (failure) {
      setState({ isBusy: false, error: failure });
    }
  };
  const button = html`<button class="accent" disabled=${state.isBusy} onClick=${begin}>
    <${Icon} name="plus" />${state.isBusy ? "Starting the interview…" : "Interview a colleague"}
  </button>`;
  return html`<div class="reading">
    <header class="screen-head">
      <h1>New colleagues</h1>
      ${data?.interviews.length > 0 && button}
    </header>
    <${Failure} error=${error ?? state.error} again=${error ? reload : undefined} />
    ${
      data?.interviews.length === 0 &&
      html`<div class="empty big">
        <${Icon} name="users" size=${20} />
        <p>Interviews of new colleagues will be listed here.</p>
        ${button}
      </div>`
    }
    ${data?.interviews.map((interview) => html`<${Colleague} key=${interview.conversation_id} interview=${interview} />`)}
  </div>`;
}
