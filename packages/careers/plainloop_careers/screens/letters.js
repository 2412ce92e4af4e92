// Letters and other documents: their versions, what changed, and where each claim comes from.
import { get, withQuery } from "../api.js";
import { Words } from "../diffs.js";
import { html } from "../html.js";
import { Empty, Failure, Time, useLoaded } from "../parts.js";
import { formatOf, makeVisible } from "../words.js";

const FORMATS = ["pdf", "docx", "md"];

const Checked = ({ passed }) => (passed === null ? html`<span class="soft">not checked</span>` : html`<span class=${passed ? "good" : "bad"}>${passed ? "✓ passed" : "✕ did not pass"}</span>`);

function List() {
  const { data, error, reload } = useLoaded(() => get("/api/documents?limit=100"), "");
  return html`<h1>Letters</h1>
    <${Failure} error=${error} again=${reload} />
    ${data?.documents.length === 0 && html`<${Empty}>No letters yet: ask for one in the chat.</${Empty}>`}
    <ol class="plain">${data?.documents.map((item) => html`<li class="panel" key=${item.document_id}>
      <a class="title" href=${`#/careers.letters/${item.document_id}`}>${makeVisible(item.title)}</a>
      <p class="soft">${item.kind.replaceAll("_", " ")}${item.company && ` · ${makeVisible(item.company)}`} · ${formatOf(item.latest_version, "version")} · <${Time} at=${item.updated_at} /></p>
    </li>`)}</ol>
    ${data?.next_cursor && html`<p class="soft">The latest ${data.documents.length}.</p>`}`;
}

function Sources({ sources }) {
  if (!sources.length) return html`<p class="soft">None of its sentences claims a fact, or nobody has looked.</p>`;
  return html`<ol>${sources.map((item, n) => html`<li key=${n}>${makeVisible(item.sentence)} <span class="soft">${item.sources.map((path) => html`<code>${makeVisible(path)}</code> `)}</span></li>`)}</ol>`;
}

function One({ id, version }) {
  const path = `/api/documents/${encodeURIComponent(id)}`;
  const load = async () => {
    const [shown, all] = await Promise.all([get(withQuery(path, { version })), get(`${path}/versions`)]);
    const before = all.versions.map((item) => item.version).filter((number) => number < shown.version).at(0);
    return { shown, versions: all.versions, before: before ? await get(withQuery(path, { version: before })) : null };
  };
  const { data, error, reload } = useLoaded(load, `${id} ${version}`);
  if (!data) return html`<h1>Letter</h1><${Failure} error=${error} again=${reload} />`;
  const { shown, versions, before } = data;
  return html`<h1>${makeVisible(shown.title)}</h1>
    <p class="row"><a href="#/careers.letters">All letters</a>${shown.run_id && html`<a href=${`#/runs/${shown.run_id}`}>The run that wrote it</a>`}${FORMATS.map((format) => html`<a key=${format} href=${withQuery(`${path}/export`, { format, version: shown.version })}>${format}</a>`)}</p>
    <p>Version ${shown.version} of ${shown.latest_version} · <${Time} at=${shown.created_at} /> · <${Checked} passed=${shown.passed} /></p>
    ${shown.problems.map((text) => html`<p class="bad">${makeVisible(text)}</p>`)}
    <div class="two">
      <section aria-label="the text"><h2>Text</h2><p class="diff">${makeVisible(shown.content)}</p></section>
      <section aria-label="sources"><h2>Where each claim comes from</h2><${Sources} sources=${shown.sources} /></section>
    </div>
    ${before && html`<h2>Since version ${before.version}</h2><${Words} a=${before.content} b=${shown.content} />`}
    <h2>Versions</h2>
    <ul class="plain">${versions.map((item) => html`<li key=${item.version}><a href=${`#/careers.letters/${id}?version=${item.version}`} aria-current=${item.version === shown.version ? "true" : null}>${item.version}</a> <${Time} at=${item.created_at} /> <${Checked} passed=${item.passed} /></li>`)}</ul>`;
}

/** @param {{id?: string, version?: string}} props */
export const Screen = ({ id, version }) => (id ? html`<${One} id=${id} version=${version} />` : html`<${List} />`);
