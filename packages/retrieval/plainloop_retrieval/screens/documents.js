// Documents that workers answer from: listed; added, removed and searched by administrators.
import { useState } from "../vendor.js";
import { get, request, upload, withQuery } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Failure, Time, focusMain, useDrop, useLoaded } from "../parts.js";
import { session } from "../session.js";
import { SureButton } from "../sure.js";
import { ChooseFile } from "../upload.js";
import { formatOf, makeVisible, toWords } from "../words.js";

const PATH = "/api/knowledge";
const KINDS = ".md,.markdown,.txt,.pdf,.docx";

const Outside = () =>
  html`<span class="status warn"
    ><${Icon} name="triangle-alert" size=${14} />Written by others</span
  >`;

function describeVectors({ passages, embedded }) {
  if (embedded === 0) return "searched by words only";
  return embedded < passages
    ? `${passages - embedded} of them can be found by words only`
    : "searched by words and meaning";
}

/** remove: undefined where it may not be. */
function Document({ item, remove }) {
  const name = makeVisible(item.name);
  return html`<li class="card" aria-label=${name}>
    <div class="row spread">
      <b>${name}</b>${
        remove &&
        html`<${SureButton}
          name="Delete"
          question=${`Really delete ${name}?`}
          style="small"
          onSure=${remove}
        />`
      }
    </div>
    <p class="soft">
      ${formatOf(item.passages, "passage")},${" "}${describeVectors(item)}${" "}·${" "}<${Time}
        at=${item.created_at}
      />${item.origin === "pack" && html` · <span>Built in</span>`}${item.is_outside && html` · <${Outside} />`}
    </p>
  </li>`;
}

/** A file that is chosen or dropped, and what became of it. */
function Add({ collection, reload }) {
  const [isOutside, setOutside] = useState(false);
  const [{ isBusy, added, error }, setState] = useState({});
  const take = async (file) => {
    if (!file || isBusy) return;
    setState({ isBusy: true });
    try {
      setState({ added: await upload(PATH, file, { collection, is_outside: isOutside }) });
      reload();
    } catch (failure) {
      setState({ error: failure });
    }
  };
  const isOver = useDrop(take);
  return html`<div class="row">
      <${ChooseFile} accept=${KINDS} isBusy=${isBusy} take=${take}
        ><${Icon}
          name="upload"
          size=${14}
        />${isOver ? "Drop a file anywhere" : "Add a document"}</${ChooseFile}
      >
      <label class="check"
        ><input
          type="checkbox"
          checked=${isOutside}
          onChange=${() => setOutside(!isOutside)}
        />Untrusted: others wrote it</label
      >
    </div>
    <p role="status">
      ${
        added &&
        html`<span class="good">✓</span>${" "}${makeVisible(added.name)}${" "}was
          added:${" "}${formatOf(added.passages, "passage")}.${" "}${
            added.problem &&
            `The document can be found by words only: ${makeVisible(added.problem)}`
          }`
      }
    </p>
    <${Failure} error=${error} />`;
}

/** `handbook.pdf · passage 3 · page 2 · Holidays` */
const describePlace = ({ document, position, page, heading }) =>
  [document, `passage ${position}`, page && `page ${page}`, heading]
    .filter(Boolean)
    .map(makeVisible)
    .join(" · ");

/** As workers search: sent when it is asked for, since each search by meaning is paid for. */
function Search({ collection }) {
  const [query, setQuery] = useState("");
  const [asked, setAsked] = useState("");
  const { data, error, reload } = useLoaded(
    async () => (asked ? get(withQuery(`${PATH}-search`, { query: asked, collection })) : null),
    `${asked} ${collection}`,
  );
  const send = (event) => (event.preventDefault(), setAsked(query.trim()));
  const type = ({ target }) => (setQuery(target.value), target.value || setAsked(""));
  const found = asked && !error && data;
  return html`<form class="search" role="search" onSubmit=${send}>
      <input
        type="search"
        id="search"
        maxlength="500"
        placeholder="Search as the assistant does"
        aria-label="Search the documents"
        value=${query}
        onInput=${type}
      /><button disabled=${!query.trim()}>Search</button>
    </form>
    <${Failure} error=${asked && error} again=${reload} />
    <p class="soft" role="status">
      ${
        found &&
        `${
          found.passages.length
            ? `${formatOf(found.passages.length, "passage")} found`
            : "No passage was found"
        }${found.words_alone && `, by words alone: ${makeVisible(found.words_alone)}`}.`
      }
    </p>
    ${
      found &&
      html`<ul class="plain" aria-label="Passages found">
        ${found.passages.map(
          (item) =>
            html`<li class="card" key=${`${item.document} ${item.position}`}>
              <p class="soft">
                ${describePlace(item)}${item.is_outside && html` · <${Outside} />`}
              </p>
              <p class="diff">${makeVisible(item.text)}</p>
            </li>`,
        )}
      </ul>`
    }`;
}

export function Screen() {
  const [collection, setCollection] = useState(null); // null: the first pack's
  const { data, error, reload } = useLoaded(() => get(withQuery(PATH, { collection })), collection);
  const [failure, setFailure] = useState(null);
  const isAdmin = session.value.is_admin;
  const remove = async (name) => {
    setFailure(null);
    try {
      await request("DELETE", withQuery(`${PATH}/${encodeURIComponent(name)}`, { collection }));
      reload();
      focusMain(); // what one held is gone
    } catch (problem) {
      setFailure(problem);
    }
  };
  const all = data?.collections ?? [];
  return html`<div class="reading">
    <header class="screen-head">
      <h1>Documents</h1>
      ${
        all.length > 1 &&
        html`<label
          >Collection<select
            value=${collection ?? all[0]}
            onChange=${(event) => setCollection(event.target.value)}
          >
            ${all.map((name) => html`<option key=${name} value=${name}>${toWords(name)}</option>`)}
          </select></label
        >`
      }
    </header>
    <p class="soft">
      Workers answer from these documents, which are the same for everyone
      here.${!isAdmin && " Administrators add and delete them."}
    </p>
    ${
      isAdmin &&
      html`<${Add} key=${`add ${collection}`} collection=${collection} reload=${reload} /><${Search}
          key=${`search ${collection}`}
          collection=${collection}
        />`
    }
    <${Failure} error=${error ?? failure} again=${error ? reload : undefined} />
    ${
      data?.documents.length === 0 &&
      html`<div class="empty big">
        <${Icon} name="file-text" size=${20} />
        <p>No documents yet.</p>
      </div>`
    }
    ${data?.documents.length > 0 && html`<h2>All documents</h2>`}
    <ul class="plain" aria-label="Documents">
      ${data?.documents.map(
        (item) =>
          html`<${Document}
            key=${`${item.origin} ${item.name}`}
            item=${item}
            remove=${isAdmin && item.origin === "tenant" ? () => remove(item.name) : undefined}
          />`,
      )}
    </ul>
  </div>`;
}
