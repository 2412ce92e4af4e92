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
import { draft, tellChange } from "../session.js";
import { SureButton } from "../sure.js";
import { loadUploaded } from "../upload.js";
import { formatOf, makeVisible, toWords } from "../words.js";
import { Changes } from "./changes.js";
import { keepTyped, loadTyped } from "./drafts.js";
import { describeSources } from "./sources.js";
import "./style.js";

const FORMATS = { pdf: "PDF", docx: "Word", md: "Markdown" };
const ADDED = "Added from letters"; // the profile's part that sentences are added to
const KINDS = { cover_letter: "Cover letter" };

const write = (text) => {
  draft.value = text;
  openChat();
};

/** Which job a letter is for: the request that the chat is opened with names it. */
function ChooseJob({ onClose }) {
  const [sought, setSought] = useState("");
  const { data, error, reload } = useLoaded(
    () => get(withQuery("/api/jobs", { q: sought.trim(), limit: 50 })),
    sought.trim(),
  );
  const choose = (job) =>
    write(`write a cover letter for ${job.title} at ${job.company} (job ${job.job_id})`);
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

function List() {
  const { data, error, isLoading, reload } = useLoaded(() => get("/api/documents?limit=100"), "");
  const [isAsked, setAsked] = useState(false);
  const ask = () => setAsked(true);
  const letters = data?.documents.filter(
    ({ document_id: id }) => !removed.value.has(`/api/documents/${id}`),
  );
  return html`<header class="screen-head">
      <h1>Letters</h1>
      ${letters?.length > 0 && html`<button class="accent" onClick=${ask}><${Icon} name="plus" />Write a letter</button>`}
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
    <div class="rows">
      ${letters?.map(
        (item) =>
          html`<a key=${item.document_id} href=${`#/careers.letters/${item.document_id}`}
            ><${Icon} name="file-text" /><b>${makeVisible(item.title)}</b>
            <span class="soft"
              >${[
                KINDS[item.kind] ?? toWords(item.kind),
                item.company && makeVisible(item.company),
                formatOf(item.latest_version, "version"),
              ]
                .filter(Boolean)
                .join(" · ")}</span
            ><${Time} at=${item.updated_at}
          /></a>`,
      )}
    </div>
    ${data?.next_cursor && html`<p class="soft">The latest ${data.documents.length}.</p>`}
    ${isAsked && html`<${ChooseJob} onClose=${() => setAsked(false)} />`}`;
}

/** What the letter claims, in the order of the text: `{n, text, sources, problem, from, to}`; from: -1 where it is not in it. */
function findClaims({ content, sources, problems }) {
  const low = content.toLowerCase();
  const unproven = problems.map((problem) => {
    const text = problem.match(/“([^”]+)”/)?.[1] ?? "";
    const from = text ? low.indexOf(text.toLowerCase()) : -1;
    return { text: text || problem, problem, sources: [], from, to: from + text.length };
  });
  let at = 0;
  const proven = sources.map(({ sentence, sources: paths }) => {
    const from = content.indexOf(sentence, at);
    if (from >= 0) at = from + sentence.length;
    return { text: sentence, problem: null, sources: paths, from, to: at };
  });
  // What adds something unproven is not proven, and is one claim.
  const isWhole = ({ from, to }) =>
    from < 0 || !unproven.some((item) => item.from >= 0 && item.from < to && item.to > from);
  return [...unproven, ...proven.filter(isWhole)]
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .map((claim, n) => ({ ...claim, n: n + 1 }));
}

/** A part of the text cut at the claims; a claim without a source may stand within one that has. */
function cutText(content, claims, start, end) {
  const found = claims.filter((item) => item.from < end && item.to > start && item.from >= 0);
  const inside = found
    .flatMap((item) => [item.from, item.to])
    .filter((at) => at > start && at < end);
  const edges = [...new Set([start, end, ...inside])].sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, n) => {
    const to = edges[n + 1];
    const over = found.filter((item) => item.from <= from && item.to > from);
    const claim = over.find((item) => item.problem) ?? over[0];
    // Markdown's signs may stand behind the claim's last word: "**3,000 services**"
    const ending = over.filter((item) => content.slice(to, item.to).match(/^[*_~`]*$/));
    return { text: content.slice(from, to), claim, ending };
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

// Both as the service splits a letter: patterns.toml and sentences.py
const ABBREVIATION = new RegExp(
  String.raw`(?:\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Inc|Ltd|Corp|Co|St|No|vs|approx|Jr|Sr|Sra|Ph|Sc|Eng|Dept|Univ` +
    String.raw`|Bros|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mme|Mlle|Nr|Hr|Fr|Str|Tel|Dipl|Ing|Mio|Mrd` +
    String.raw`|[Cc]a|bzw|ggf|inkl|cf|[A-Za-z])|e\.g|i\.e|etc)$`,
);
const SENTENCE_END = /(?<![.!?])[.!?]+["”’)*_]*\s+(?=["“‘(*_]*[\p{Lu}\p{Lt}\p{Lo}\p{N}])/gu;

/** The sentence in which a claim stands. */
function findSentence(content, { from, to, text }) {
  if (from < 0) return text;
  const start = content.lastIndexOf("\n", from) + 1;
  const line = content.slice(start).split("\n", 1)[0];
  let first = 0;
  for (const { 0: sign, index } of line.matchAll(SENTENCE_END)) {
    if (sign.startsWith(".") && ABBREVIATION.test(line.slice(first, index))) continue;
    if (start + index >= to) return line.slice(first, index + sign.length).trim();
    if (start + index < from) first = index + sign.length;
  }
  return line.slice(first).trim();
}

/** The letter without a sentence; null: the sentence is not in it, or is all of it. */
function cutSentence(content, sentence) {
  const at = content.indexOf(sentence);
  if (at < 0) return null;
  const after = content.slice(at + sentence.length).replace(/^ +/, "");
  const before = content.slice(0, at).replace(/^\n|^$/.test(after) ? / +$/ : /$^/, "");
  return `${before}${after}`.replace(/\n{3,}/g, "\n\n").trim() || null;
}

function Page({ letter, claims, near, setNear }) {
  const mark = ({ text, claim, ending }) => {
    if (!claim) return makeVisible(text);
    const show = (event, n) => (
      event.preventDefault(),
      document.getElementById(`claim-${n}`)?.focus()
    );
    return html`<mark
      class=${`claim ${claim.problem ? "bad" : "ok"} ${near === claim.n ? "near" : ""}`}
      onMouseEnter=${() => setNear(claim.n)}
      onMouseLeave=${() => setNear(0)}
      >${makeVisible(text)}${ending.map(
        ({ n }) =>
          html`<sup key=${n}
            ><a
              href=${`#claim-${n}`}
              aria-label=${`Claim ${n}`}
              onFocus=${() => setNear(n)}
              onBlur=${() => setNear(0)}
              onClick=${(event) => show(event, n)}
              >${n}</a
            ></sup
          >`,
      )}</mark
    >`;
  };
  return html`<article class="card page prose" aria-label="The letter">
    ${renderAll(markTokens(letter.content, claims, mark))}
  </article>`;
}

/** A claim without the signs of Markdown. */
const toPlain = (text) => makeVisible(text.replace(/[*~`]+/g, ""));

/** The run that wrote it; a letter outlives the chat that it was written in. */
function Why({ runId }) {
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
        : html`<a href=${`#/runs/${runId}?tab=why`}>Why it wrote this</a>`
    }
  </p>`;
}

/** What the letter claims, the unproven first, and what one can do about those. */
function Claims({ letter, claims, resume, near, setNear, onSaved }) {
  const [error, setError] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const proven = claims.filter((claim) => !claim.problem);
  const open = claims.filter((claim) => claim.problem);
  const isChecked = claims.length > 0 || letter.passed !== null;
  /** describe: what is said about the version that was made */
  const attempt = async (work, describe) => {
    setBusy(true);
    setError(null);
    try {
      const content = await work();
      // A version is checked as it is kept: the same words once more are checked against what is known now.
      const saved = await request("POST", `/api/documents/${letter.document_id}/versions`, {
        content: content ?? letter.content,
      });
      showToast(describe(saved.version));
      onSaved(); // the newest is shown, also where an older one was checked
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const findCut = (claim) => cutSentence(letter.content, findSentence(letter.content, claim));
  const add = (claim) =>
    attempt(
      async () => {
        const { sections } = await get("/api/profile");
        const before = sections.find(({ name }) => name === ADDED)?.text ?? "";
        const text = `- ${findSentence(letter.content, claim)}\n${before}`;
        await request("PATCH", "/api/profile", { name: ADDED, text });
      },
      (version) => `Added to your profile. Checked again as version ${version}`,
    );
  // A claim without a source is a few words of its sentence, which alone say little.
  const shorten = (claim) => {
    const text = claim.problem ? findSentence(letter.content, claim) : claim.text;
    return text.length > 90 ? `${text.slice(0, 88)}…` : text;
  };
  const item = (claim) =>
    // A kind's own element: Chromium keeps an icon's colour if its item moves and changes its class.
    html`<li
      key=${`${claim.n}${claim.problem}`}
      id=${`claim-${claim.n}`}
      tabindex="-1"
      class=${`${claim.problem ? "bad" : ""} ${near === claim.n ? "near" : ""}`}
      onMouseEnter=${() => setNear(claim.n)}
      onMouseLeave=${() => setNear(0)}
    >
      <${Icon} name=${claim.problem ? "circle-alert" : "circle-check"} />
      <div>
        <b>${claim.n}.${" "}${toPlain(shorten(claim))}</b>
        <small>${toPlain(claim.problem ?? describeSources(claim.sources, resume))}</small>
        ${
          claim.problem &&
          html`<div class="row">
            <button
              class="small"
              disabled=${isBusy || !findCut(claim)}
              onClick=${() =>
                attempt(
                  async () => findCut(claim),
                  (version) => `Saved as version ${version}, without that sentence`,
                )}
            >
              Remove the sentence</button
            ><button class="small ghost" disabled=${isBusy} onClick=${() => add(claim)}>
              Add to my profile
            </button>
          </div>`
        }
      </div>
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
          aria-label="Claims that have a source"
        ></meter>
        <p>
          ${proven.length}${" "}of${" "}${formatOf(claims.length, "claim")}${" "}${proven.length === 1 ? "has" : "have"}${" "}a
          source.
        </p>`
    }
    ${claims.length === 0 && html`<p class="soft">${isChecked ? "No claims to check." : "Not checked yet."}</p>`}
    ${
      !isChecked &&
      letter.kind !== "other" &&
      html`<p>
        <button
          class="small"
          disabled=${isBusy}
          onClick=${() =>
            attempt(
              async () => {},
              (version) => `Checked as version ${version}`,
            )}
        >
          Check now
        </button>
      </p>`
    }
    <${Failure} error=${error} />
    <ol class="plain">
      ${[...open, ...proven].map(item)}
    </ol>
    ${letter.run_id && html`<${Why} key=${letter.run_id} runId=${letter.run_id} />`}
  </aside>`;
}

const toPlace = (path, { version }) => `${path} ${version}`; // of what is typed into it

/** The text as it is written. What is saved is the next version, whose claims are checked again. */
function Editor({ letter, path, isAsked, onSaved, onClose }) {
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
      >The letter, in Markdown<textarea
        ref=${field}
        name="content"
        rows="24"
        required
        defaultValue=${loadTyped(place) ?? letter.content}
        onInput=${({ target: { value } }) => keepTyped(place, value === letter.content ? null : value)}
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

/** The résumé as it was when a letter was written: later ones may have other entries at its places. */
async function loadResumeAt(at) {
  const versions = (await loadUploaded("/api/resume/versions"))?.versions ?? [];
  const then = versions.find((item) => Date.parse(item.created_at) <= Date.parse(at));
  return then ? (await loadUploaded(`/api/resume?version=${then.version}`))?.data : null;
}

function One({ id, version, view }) {
  const path = `/api/documents/${encodeURIComponent(id)}`;
  const [near, setNear] = useState(0);
  const [edited, setEdited] = useState(null); // null: where something is not saved yet
  const isLeft = useRef(false); // a check takes its time: who went elsewhere stays there
  useEffect(() => () => (isLeft.current = true), []);
  const load = async () => {
    const [shown, all] = await Promise.all([
      get(withQuery(path, { version })),
      get(`${path}/versions`),
    ]);
    const before = all.versions
      .map((item) => item.version)
      .filter((number) => number < shown.version)
      .at(0);
    const isOfResume = shown.sources.some(({ sources }) =>
      sources.some((source) => source.startsWith("resume.")),
    );
    return {
      shown,
      resume: isOfResume ? await loadResumeAt(shown.created_at) : null,
      versions: all.versions,
      before: before ? await get(withQuery(path, { version: before })) : null,
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
  const { shown, versions, before } = data;
  const claims = findClaims(shown);
  const problems = claims.filter((claim) => claim.problem).length;
  const showClaims = () => document.getElementById("claims").focus();
  const isEdited = edited ?? loadTyped(toPlace(path, shown)) !== undefined;
  const here = (change) => withQuery(`#/careers.letters/${id}`, { version, view, ...change });
  const isChanges = view === "changes" && before;
  const show = (hash) => isLeft.current || ((location.hash = hash), setEdited(false), reload());
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
              href=${withQuery(`${path}/export`, { format, version: shown.version })}
              >${name}</a
            >`,
        )}</${Menu}
      >
      <button class="small" aria-pressed=${isEdited} onClick=${() => setEdited(!isEdited)}>
        Edit
      </button>
      <${Copy} text=${shown.content} />
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
        problems > 0 &&
        html`<button class="small to-claims" onClick=${showClaims}>
          <${Icon} name="triangle-alert" size=${14} />${formatOf(problems, "claim")} to check
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
        An older version:
        <a href=${here({ version: "", view: "" })}>see version ${shown.latest_version}</a>. What you
        edit here begins from version ${shown.version}.
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
    <div class="letter">
      <div>
        ${
          isEdited
            ? html`<${Editor}
                key=${shown.version}
                letter=${shown}
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
              : html`<${Page} letter=${shown} claims=${claims} near=${near} setNear=${setNear} />`
        }
      </div>
      <${Claims}
        letter=${shown}
        claims=${claims}
        resume=${data.resume}
        near=${near}
        setNear=${setNear}
        onSaved=${() => show(here({ version: "", view: "" }))}
      />
    </div>`;
}

/** @param {{id?: string, version?: string, view?: string}} props */
export const Screen = ({ id, version, view }) =>
  id ? html`<${One} key=${id} id=${id} version=${version} view=${view} />` : html`<${List} />`;
