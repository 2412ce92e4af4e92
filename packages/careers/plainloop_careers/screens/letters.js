// Letters and other documents: the text as a page, each claim with where it comes from, versions and
// what changed between them.
import { Lexer, useEffect, useLayoutEffect, useRef, useState } from "../vendor.js";
import { get, request, withQuery } from "../api.js";
import { openChat } from "../focus.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { renderAll } from "../markdown.js";
import {
  Copy,
  Crumbs,
  Dialog,
  Failure,
  Menu,
  Segmented,
  Time,
  showToast,
  useLoaded,
} from "../parts.js";
import { removeLater, removed } from "../remove.js";
import { draft, order, tellChange } from "../session.js";
import { SureButton } from "../sure.js";
import { formatDate, formatOf, formatTime, makeVisible, toInner, toWords } from "../words.js";
import { Changes } from "./changes.js";
import { keepTyped, loadTyped } from "./drafts.js";
import { askAbout } from "./job.js";
import { Open, Parts, countOpen, loadLetter, toPlain } from "./letter.js";
import { sayCheck } from "./sources.js";
import "./style.js";

const FORMATS = { pdf: "PDF", docx: "Word", md: "Markdown" };
const ADDED = "Added from letters"; // the profile's part that sentences are added to
const NARROW = "(max-width: 1099px)"; // as in careers.css
const KINDS = { cover_letter: "Cover letter" };

/** Say something in a new chat; what ends with a blank is only begun. */
const write = (text) => {
  (text.endsWith(" ") ? draft : order).value = text;
  openChat();
};

/** Which job a letter is for: the request that the chat is opened with names it. */
function ChooseJob({ onClose }) {
  const [sought, setSought] = useState("");
  const { data, error, reload } = useLoaded(
    () => get(withQuery("/api/jobs", { q: sought.trim(), limit: 50 })),
    sought.trim(),
  );
  const choose = (job) => askAbout(job, (name) => `write a cover letter for ${name}`);
  return html`<${Dialog} title="Which job is the letter for?" onClose=${onClose}>
    <input
      type="search"
      aria-label="Search your jobs"
      placeholder="Company, title, place"
      autofocus
      value=${sought}
      onInput=${(event) => setSought(event.target.value)}
    />
    <${Failure} error=${error} again=${reload} />
    <ul class="plain jobs">
      ${data?.jobs.map(
        (job) =>
          html`<li key=${job.job_id}>
            <button class="ghost" onClick=${() => choose(job)}>
              <b>${makeVisible(job.title)}</b
              ><small
                >${makeVisible([job.company, job.location, toWords(job.status)].filter(Boolean).join(" · "))}</small
              >
            </button>
          </li>`,
      )}
    </ul>
    ${
      data?.jobs.length === 0 &&
      html`<p class="soft">${sought.trim() ? "No job matches." : "No jobs are saved yet."}</p>`
    }
    <p class="row">
      <a class="button" href="#/careers.tracker?add=saved">Add a job</a
      ><button class="ghost" onClick=${() => write("write a cover letter for the ")}>
        For another job
      </button>
    </p>
  </${Dialog}>`;
}

const COUNTED = 40; // of the latest letters, what is to be checked is counted

async function loadList() {
  const found = await get("/api/documents?limit=100");
  const counted = await countOpen(found.documents.slice(0, COUNTED));
  return { ...found, documents: [...counted, ...found.documents.slice(COUNTED)] };
}

function List({ view }) {
  const { data, error, isLoading, reload } = useLoaded(loadList, "");
  const [isAsked, setAsked] = useState(false);
  const ask = () => setAsked(true);
  const letters = data?.documents.filter(
    ({ document_id: id }) => !removed.value.has(`/api/documents/${id}`),
  );
  const open = letters?.filter((item) => item.open > 0);
  const isOpen = view === "check";
  const describe = (item) =>
    [
      !item.title.startsWith(KINDS[item.kind]) && (KINDS[item.kind] ?? toWords(item.kind)),
      item.company && makeVisible(item.company),
      formatOf(item.latest_version, "version"),
    ].filter(Boolean);
  return html`<header class="screen-head">
      <h1>Letters</h1>
      ${
        letters?.length > 0 &&
        html`<div class="row">
          ${
            (open.length > 0 || isOpen) &&
            html`<${Segmented}
              label="Letters"
              views=${[
                [`All ${letters.length}`, "#/careers.letters", !isOpen],
                [`To check ${open.length}`, "#/careers.letters?view=check", isOpen],
              ]}
            />`
          }<button class="accent" onClick=${ask}><${Icon} name="plus" />Write a letter</button>
        </div>`
      }
    </header>
    <${Failure} error=${error} again=${reload} />
    ${
      !isLoading &&
      letters?.length === 0 &&
      html`<div class="empty big">
        <${Icon} name="file-text" size=${20} />
        <p>Your letters will be listed here, with the source of each claim.</p>
        <button class="accent" onClick=${ask}>Write a letter</button>
      </div>`
    }
    ${isOpen && open?.length === 0 && letters.length > 0 && html`<p class="empty">No letter has claims to check.</p>`}
    <div class="rows letters">
      ${(isOpen ? open : letters)?.map(
        (item) =>
          html`<a key=${item.document_id} href=${`#/careers.letters/${item.document_id}`}
            ><${Icon} name="file-text" /><b>${makeVisible(item.title)}</b>
            <span class="soft">${describe(item).join(" · ")}</span><${Open} item=${item} /><time
              datetime=${item.updated_at}
              title=${formatTime(item.updated_at)}
              >${formatDate(item.updated_at)}</time
            ></a
          >`,
      )}
    </div>
    ${data?.next_cursor && html`<p class="soft">The latest ${data.documents.length}.</p>`}
    ${isAsked && html`<${ChooseJob} onClose=${() => setAsked(false)} />`}`;
}

/** A part of the text cut at the marked parts and at the ends of sentences, which have a number. */
function cutText(content, claims, start, end) {
  const parts = claims.flatMap((claim) => claim.parts.map((part) => ({ ...part, n: claim.n })));
  const inside = [...parts.flatMap(({ from, to }) => [from, to]), ...claims.map(({ to }) => to)];
  const edges = [...new Set([start, end, ...inside.filter((at) => at > start && at < end)])];
  edges.sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, n) => {
    const to = edges[n + 1];
    const part = parts.find((item) => item.from <= from && item.to > from);
    // Markdown's signs may stand behind the last word: "**3,000 services**"
    const ending = claims.filter(
      (item) => item.to > from && /^[*_~`]*$/.test(content.slice(to, item.to)) && item.to >= to,
    );
    return { text: content.slice(from, to), part, ending };
  });
}

/** The tokens of the Markdown, each text cut at the claims: `{type: "claims", raw: components}`. */
function markTokens(content, claims, mark) {
  let at = 0; // what is before it belongs to earlier tokens
  const walk = (token) => {
    const start = token.raw ? content.indexOf(token.raw, at) : -1;
    const end = start < 0 ? at : start + token.raw.length;
    if (token.type === "text" && !token.tokens && start >= 0) {
      at = end;
      return { type: "claims", raw: cutText(content, claims, start, end).map(mark) };
    }
    if (start >= 0) at = start;
    const found = { ...token };
    for (const name of ["tokens", "items", "header"])
      if (Array.isArray(token[name])) found[name] = token[name].map(walk);
    if (token.rows) found.rows = token.rows.map((row) => row.map(walk));
    at = Math.max(at, end);
    return found;
  };
  return new Lexer({ gfm: true, breaks: true }).lex(content).map(walk);
}

/** The letter without a part; null: nothing would be left. */
function cutOut(content, { from, to }) {
  const after = content.slice(to).replace(/^ +/, "");
  const isLine = /^\n|^$/.test(after);
  const before = content.slice(0, from).replace(isLine ? /(?:\n[-*•>] *| +)$/ : /$^/, "");
  return `${before}${after}`.replace(/\n{3,}/g, "\n\n").trim() || null;
}

function Page({ letter, head, claims, near, setNear, open }) {
  const mark = ({ text, part, ending }) => {
    const numbers = ending.map(
      ({ n, state }) =>
        html`<sup key=${n} class=${`claim-number ${state}`}
          ><a
            href=${`#claim-${n}`}
            aria-label=${`Claim ${n}`}
            onFocus=${() => setNear(n)}
            onBlur=${() => setNear(0)}
            onClick=${(event) => (event.preventDefault(), open(n))}
            >${n}</a
          ></sup
        >`,
    );
    if (!part) return html`${makeVisible(text)}${numbers}`;
    return html`<mark
        class=${`claim ${part.kind} ${near === part.n ? "near" : ""}`}
        title=${part.where ?? KINDS_OF_PART[part.kind]}
        onMouseEnter=${() => setNear(part.n)}
        onMouseLeave=${() => setNear(0)}
        onClick=${() => open(part.n)}
        >${makeVisible(text)}</mark
      >${numbers}`;
  };
  return html`<article class="card page prose" aria-label="The letter">
    ${head}${renderAll(markTokens(letter.content, claims, mark))}
  </article>`;
}

/** The run that wrote it; a letter outlives the chat that it was written in. */
function Why({ runId, version }) {
  const load = () =>
    get(`/api/runs/${runId}`).then(
      () => true,
      ({ status }) => status !== 404,
    );
  const { data: isThere } = useLoaded(load, runId);
  return html`<p class="foot">
    ${
      isThere === false
        ? html`<span class="soft">The chat that wrote this was deleted.</span>`
        : html`<a href=${`#/runs/${runId}?tab=why`}
            >${version ? `Why version ${version}, which it comes from, was written so` : "Why it wrote this"}</a
          >`
    }
  </p>`;
}

const KINDS_OF_PART = {
  own: "In your résumé or profile",
  posted: "In the posting",
  bad: "Not in your résumé or profile",
  open: "No source found",
};
const STATES = { ok: "circle-check", open: "triangle-alert", bad: "circle-alert" };

/** A sentence of the letter, where its parts come from, and what one can do about it. */
function Claim({ claim, letter, job, onSaved, onDone }) {
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const [isEdited, setEdited] = useState(false);
  const field = useRef(null);
  useLayoutEffect(() => void (isEdited && field.current.focus()), [isEdited]);
  const path = `/api/documents/${letter.document_id}/versions`;
  // A version is checked as it is kept: the same words once more are checked against what is known now.
  const keep = (content) => request("POST", path, { content });
  /** describe: what is said about the version that was made */
  const attempt = async (work, describe) => {
    setBusy(true);
    setError(null);
    try {
      const saved = await work();
      const undo = async () => {
        await keep(letter.content);
        onSaved();
      };
      showToast(describe(saved.version), saved.content === letter.content ? undefined : undo);
      onDone?.();
      onSaved(); // the newest is shown, also where an older one was checked
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const isPlaced = claim.from >= 0;
  const rest = isPlaced && cutOut(letter.content, claim);
  const remove = () =>
    attempt(
      () => keep(rest),
      (version) => `Saved as version ${version}, without that sentence`,
    );
  const correct = (event) => {
    event.preventDefault();
    const text = field.current.value.trim();
    const content = text
      ? `${letter.content.slice(0, claim.from)}${text}${letter.content.slice(claim.to)}`
      : rest;
    return void attempt(
      () => keep(content),
      (version) => `Saved as version ${version}, checked again`,
    );
  };
  const add = () =>
    attempt(
      async () => {
        const { sections } = await get("/api/profile");
        const before = sections.find(({ name }) => name === ADDED)?.text ?? "";
        const text = `- ${claim.text}\n${before}`;
        await request("PATCH", "/api/profile", { name: ADDED, text });
        return keep(letter.content);
      },
      (version) => `Added to your profile. Checked again as version ${version}`,
    );
  if (isEdited)
    return html`<form class="answer" onSubmit=${correct}>
      <label
        >Correct the sentence<textarea
          ref=${field}
          rows="3"
          defaultValue=${letter.content.slice(claim.from, claim.to)}
        ></textarea>
      </label>
      <${Failure} error=${error} />
      <p class="row">
        <button class="small accent" disabled=${isBusy}>Save</button
        ><button type="button" class="small ghost" onClick=${() => setEdited(false)}>Cancel</button>
      </p>
    </form>`;
  return html`<b>${claim.n}.${" "}${toPlain(claim.text)}</b>
    <${Parts} claim=${claim} job=${job} />
    ${
      isPlaced &&
      html`<div class="row">
        <button class="small" onClick=${() => setEdited(true)}>Correct</button
        ><button
          class="small ghost"
          aria-label="Remove the sentence"
          disabled=${isBusy || !rest}
          onClick=${remove}
        >
          Remove</button
        >${
          claim.state !== "ok" &&
          html`<button class="small ghost" disabled=${isBusy} onClick=${add}>
            Add to my profile
          </button>`
        }
      </div>`
    }
    <${Failure} error=${error} />`;
}

/** What the letter claims, sentence by sentence, the unproven first. */
function Claims({ letter, versions, claims, job, near, setNear, onSaved }) {
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const proven = claims.filter(({ state }) => state === "ok");
  const open = ["bad", "open"].flatMap((state) => claims.filter((claim) => claim.state === state));
  const isChecked = claims.length > 0 || letter.passed !== null;
  // What was corrected by hand comes from what a chat wrote before it.
  const written = versions.find((item) => item.run_id && item.version <= letter.version);
  const check = async () => {
    setBusy(true);
    setError(null);
    try {
      const { document_id: id, content } = letter;
      const saved = await request("POST", `/api/documents/${id}/versions`, { content });
      showToast(`Checked as version ${saved.version}`);
      onSaved();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const item = (claim) =>
    // A kind's own element: Chromium keeps an icon's colour if its item moves and changes its class.
    html`<li
      key=${`${letter.version} ${claim.n} ${claim.state}`}
      id=${`claim-${claim.n}`}
      tabindex="-1"
      class=${`${claim.state} ${near === claim.n ? "near" : ""}`}
      onMouseEnter=${() => setNear(claim.n)}
      onMouseLeave=${() => setNear(0)}
    >
      <${Icon} name=${STATES[claim.state]} />
      <div><${Claim} claim=${claim} letter=${letter} job=${job} onSaved=${onSaved} /></div>
    </li>`;
  return html`<aside class="claims" id="claims" tabindex="-1" aria-label="Claims">
    <header class="row spread">
      <h2>Claims</h2>
      ${open.length > 0 && html`<span class="status waiting"><${Icon} name="triangle-alert" size=${14} />${open.length} to check</span>`}
    </header>
    ${
      claims.length > 0 &&
      html`<meter
          min="0"
          max=${claims.length}
          value=${proven.length}
          aria-label="Sentences that have a source"
        ></meter>
        <p>
          ${proven.length}${" "}of${" "}${formatOf(claims.length, "sentence")}${" "}${proven.length === 1 ? "has" : "have"}${" "}a
          source. Words that are not underlined were not checked.
        </p>
        <ul class="plain legend">
          ${Object.entries(KINDS_OF_PART)
            .filter(([kind]) =>
              claims.some(({ parts }) => parts.some((part) => part.kind === kind)),
            )
            .map(
              ([kind, words]) =>
                html`<li key=${kind}><span class=${`key ${kind}`}>${words}</span></li>`,
            )}
        </ul>`
    }
    ${claims.length === 0 && html`<p class="soft">${isChecked ? "No claims to check." : "Not checked yet."}</p>`}
    ${
      !isChecked &&
      letter.kind !== "other" &&
      html`<p><button class="small" disabled=${isBusy} onClick=${check}>Check now</button></p>`
    }
    <${Failure} error=${error} />
    <ol class="plain">
      ${[...open, ...proven].map(item)}
    </ol>
    ${
      written &&
      html`<${Why}
        key=${written.run_id}
        runId=${written.run_id}
        version=${written.version < letter.version && written.version}
      />`
    }
  </aside>`;
}

// A line each on a phone, where what stands beside each other wraps after its dot.
const isPhone = () => matchMedia("(max-width: 699px)").matches;

/** Sender, date and subject, as files and copies have them above the letter. */
const Letterhead = ({ text, resume, edit, leaveOut }) =>
  html`<section class="letterhead" aria-label="Sender, date and subject">
    ${renderAll(new Lexer({ gfm: true, breaks: true }).lex(makeVisible(isPhone() ? text.replaceAll(" · ", "\n") : text)))}
    ${
      resume?.data &&
      !resume.data.basics?.email &&
      html`<p class="notice">
        No e-mail address: your résumé has none that can be used.${" "}<a
          href=${withQuery("#/careers.profile", {
            field: "basics.email",
            line: resume.checks?.find(({ path }) => path === "basics.email")?.line,
          })}
          >Add it to your résumé</a
        >
      </p>`
    }
    <p class="row">
      <small class="soft">From your résumé and the job</small
      ><button class="small ghost" onClick=${edit}>Edit these lines</button
      ><button class="small ghost" onClick=${leaveOut}>Leave out</button>
    </p>
  </section>`;

const DATED = /^work\[(\d+)\]\.(?:start|end)Date$/;

/** The positions of a résumé whose dates cannot be: `{entry, check}` */
const listUndated = ({ data, checks = [] } = {}) =>
  checks.flatMap((check) => {
    const entry = data?.work?.[check.path?.match(DATED)?.[1]];
    return entry?.name ? [{ entry, check }] : [];
  });

const writeAgain = ({ title, company }, job) =>
  job
    ? askAbout(job, (name) => `write a new cover letter for ${name}`)
    : write(`write this letter again: ${title}${company ? ` for ${company}` : ""}`);

/** Positions that a letter leaves out because their dates in the résumé could not be. now: the newest
 * résumé; newest: the letter's newest version */
function LeftOut({ letter, newest, job, resume, now }) {
  const isOpen = ({ entry }) => listUndated(now ?? {}).find((one) => one.entry.name === entry.name);
  const left = listUndated(resume ?? {}).filter(
    ({ entry }) => !letter.content.includes(entry.name),
  );
  return left.map((one) => {
    const { position, name } = one.entry;
    const still = isOpen(one);
    return html`<p class="notice" key=${`${position} ${name}`}>
      <b>${makeVisible([position, name].filter(Boolean).join(" at "))} is not in this letter.</b>
      ${" "}${
        still
          ? html`The dates in your résumé are not
              clear:${" "}${toInner(sayCheck(still.check))}.${" "}<a
                href=${withQuery("#/careers.profile", { field: still.check.path, line: still.check.line })}
                >Put them right</a
              >, then have the letter written again.`
          : newest.content.includes(name)
            ? html`When this version was written, its dates were not clear. Version
              ${newest.version} has it.`
            : html`When this letter was written, its dates were not clear. They are
                now.${" "}<button class="link" onClick=${() => writeAgain(letter, job)}>
                  Write again
                </button>`
      }
    </p>`;
  });
}

const toPlace = (path, { version }) => `${path} ${version}`; // of what is typed into it

/** The text as it is written. What is saved is the next version, whose claims are checked again. */
function Editor({ letter, head, path, isAsked, onSaved, onClose }) {
  const place = toPlace(path, letter);
  const field = useRef(null);
  // Drawn and focused at once: what is typed right after "Edit" is no shortcut.
  useLayoutEffect(() => void (isAsked && field.current.focus()), []);
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (event) => {
    event.preventDefault();
    const content = new FormData(event.target).get("content");
    setBusy(true);
    setError(null);
    try {
      await request("POST", `${path}/versions`, { content });
      keepTyped(place, null);
      onSaved();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return html`<form class="card stack" onSubmit=${save}>
    <label
      >The letter<textarea
        ref=${field}
        name="content"
        rows="24"
        required
        defaultValue=${loadTyped(place) ?? head + letter.content}
        onInput=${({ target: { value } }) => keepTyped(place, value === head + letter.content ? null : value)}
      ></textarea>
    </label>
    <${Failure} error=${error} />
    <div class="row">
      <button class="accent" disabled=${isBusy}>Save as a new version</button
      ><button type="button" class="ghost" onClick=${() => (keepTyped(place, null), onClose())}>
        Cancel
      </button>
    </div>
  </form>`;
}

function One({ id, version, view }) {
  const path = `/api/documents/${encodeURIComponent(id)}`;
  const [near, setNear] = useState(0);
  const [opened, setOpened] = useState(0); // a claim above the letter, where there is no room beside it
  const [isBare, setBare] = useState(false); // without sender, date and subject
  const [isHeadEdited, setHeadEdited] = useState(false);
  const [edited, setEdited] = useState(null); // null: where something is not saved yet
  const isLeft = useRef(false); // a check takes its time: who went elsewhere stays there
  useEffect(() => () => (isLeft.current = true), []);
  const load = async () => {
    const [{ shown, ...known }, all] = await Promise.all([
      loadLetter(id, version),
      get(`${path}/versions`),
    ]);
    const before = all.versions
      .map((item) => item.version)
      .filter((number) => number < shown.version)
      .at(0);
    return {
      shown,
      ...known,
      versions: all.versions,
      before: before ? await get(withQuery(path, { version: before })) : null,
      newest: shown.version < shown.latest_version ? await get(path) : shown,
    };
  };
  const { data, error, reload } = useLoaded(load, `${id} ${version}`);
  const way = [["Letters", "#/careers.letters"]];
  if (!data)
    return html`<${Crumbs} way=${way} title="Letter" /><${Failure}
        isWaiting
        error=${error}
        again=${reload}
      />`;
  const { shown, versions, before, claims, resume, now, job } = data;
  const hasHead = shown.letterhead !== "" && !isBare;
  const head = hasHead ? `${shown.letterhead}\n\n` : "";
  const problems = claims.filter(({ state }) => state !== "ok").length;
  const showClaims = () => {
    const list = document.getElementById("claims");
    list.focus({ preventScroll: true });
    list.scrollIntoView();
  };
  const isEdited = edited ?? loadTyped(toPlace(path, shown)) !== undefined;
  const here = (change) => withQuery(`#/careers.letters/${id}`, { version, view, ...change });
  const isChanges = view === "changes" && before;
  const show = (hash) => isLeft.current || ((location.hash = hash), setEdited(false), reload());
  const onSaved = () => show(here({ version: "", view: "" }));
  const openClaim = (n) => {
    const item = document.getElementById(`claim-${n}`);
    if (matchMedia(NARROW).matches) return setOpened(n);
    return item?.focus();
  };
  const editHead = () => (setHeadEdited(true), setEdited(true));
  const top =
    hasHead &&
    html`<${Letterhead}
      text=${shown.letterhead}
      resume=${now}
      edit=${editHead}
      leaveOut=${() => setBare(true)}
    />`;
  const openedClaim = claims.find(({ n }) => n === opened);
  const remove = () => {
    const { hash } = location;
    removeLater({
      key: path,
      path,
      text: "Letter deleted",
      onRestored: () => (location.hash = hash),
      onErased: () => tellChange({ status: "changed" }),
    });
    location.hash = "#/careers.letters";
  };
  return html`<${Crumbs} way=${way} title=${makeVisible(shown.title)} />
    <div class="row letter-tools">
      <${Menu} label="Download" icon="download" style="small button accent left"
        >${problems > 0 && html`<p class="hint">${formatOf(problems, "claim")} without a source</p>`}${Object.entries(
          FORMATS,
        ).map(
          ([format, name]) =>
            html`<a
              key=${format}
              href=${withQuery(`${path}/export`, { format, version: shown.version, letterhead: hasHead || null })}
              >${name}</a
            >`,
        )}</${Menu}
      >
      <button
        class="small"
        aria-pressed=${isEdited}
        onClick=${() => (setHeadEdited(false), setEdited(!isEdited))}
      >
        Edit
      </button>
      ${
        isBare &&
        shown.letterhead &&
        html`<button class="small" onClick=${() => setBare(false)}>Add sender and date</button>`
      }
      <${Copy} text=${head + shown.content} />
      <${Menu}
        label=${`Version ${shown.version} of ${shown.latest_version}`}
        style="small button left"
        >${versions.map(
          (item) =>
            html`<a
              key=${item.version}
              href=${here({ version: item.version })}
              aria-current=${item.version === shown.version ? "true" : null}
              >Version ${item.version} <small><${Time} at=${item.created_at} /></small
            ></a>`,
        )}</${Menu}
      >
      ${
        before &&
        html`<${Segmented}
          label="View"
          views=${[
            ["Letter", here({ view: "" }), !isChanges],
            ["Changes", here({ view: "changes" }), isChanges],
          ]}
        />`
      }
      ${
        claims.length > 0 &&
        !isEdited &&
        html`<button class=${`small to-claims ${problems ? "late" : ""}`} onClick=${showClaims}>
          <${Icon} name=${problems ? "triangle-alert" : "circle-check"} size=${14} />${
            problems
              ? `${formatOf(problems, "claim")} to check`
              : `${formatOf(claims.length, "claim")} with sources`
          }
        </button>`
      }
      <${SureButton}
        name="Delete"
        question="Delete all versions for good"
        style="small square ghost"
        onSure=${remove}
      />
    </div>
    ${
      shown.version < shown.latest_version &&
      html`<p class="notice">
        An older version:${" "}<a href=${here({ version: "", view: "" })}
          >see version ${shown.latest_version}</a
        >. What you edit here begins from version ${shown.version}.
      </p>`
    }
    ${
      shown.run_id &&
      before &&
      !before.run_id &&
      html`<p class="hint">
        Written anew from your résumé and profile: your version ${before.version} is not part of it.
      </p>`
    }
    <${LeftOut} letter=${shown} newest=${data.newest} job=${job} resume=${resume} now=${now} />
    <div class="letter">
      <div>
        ${
          isEdited
            ? html`<${Editor}
                key=${shown.version}
                letter=${shown}
                head=${isHeadEdited ? head : ""}
                path=${path}
                isAsked=${edited}
                onSaved=${() => show(here({ version: "", view: "" }))}
                onClose=${() => setEdited(false)}
              />`
            : isChanges
              ? html`<article class="card page prose" aria-label="Changes">
                  <h2>
                    ${`${before.content === shown.content ? "No changes" : "Changes"} since version ${before.version}`}
                  </h2>
                  <${Changes} a=${before.content} b=${shown.content} />
                </article>`
              : html`<${Page}
                  letter=${shown}
                  head=${top}
                  claims=${claims}
                  near=${near}
                  setNear=${setNear}
                  open=${openClaim}
                />`
        }
      </div>
      <${Claims}
        letter=${shown}
        versions=${versions}
        claims=${claims}
        job=${job}
        near=${near}
        setNear=${setNear}
        onSaved=${onSaved}
      />
    </div>
    ${
      openedClaim &&
      html`<${Dialog} title=${`Claim ${opened} of ${claims.length}`} onClose=${() => setOpened(0)}
        ><div class="claims one">
          <${Claim}
            claim=${openedClaim}
            letter=${shown}
            job=${job}
            onSaved=${onSaved}
            onDone=${() => setOpened(0)}
          /></div
      ></${Dialog}>`
    }`;
}

/** @param {{id?: string, version?: string, view?: string}} props */
export const Screen = ({ id, version, view }) =>
  id
    ? html`<${One} key=${id} id=${id} version=${version} view=${view} />`
    : html`<${List} view=${view} />`;
