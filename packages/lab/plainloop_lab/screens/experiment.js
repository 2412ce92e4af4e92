// Beginning an experiment: which chats are answered again, by which model, for how much at most.
import { useEffect, useState } from "../vendor.js";
import { useFields } from "../access.js";
import { get, request } from "../api.js";
import { compare, listWords, markWords } from "../diffs.js";
import { html } from "../html.js";
import { Crumbs, Failure, useLoaded } from "../parts.js";
import { config, keepDraft, loadDraft, session } from "../session.js";
import {
  cutLong,
  formatCost,
  formatRate,
  formatCount,
  formatOf,
  makeVisible,
  nameChat,
  toWords,
} from "../words.js";
import "./style.js";

const CEILING_USD = 5;
const CHATS = 50;
const CONTEXT_LINES = 2; // unchanged ones that a diff shows around a change
const RESTED_MS = 300;
const ALL = "/api/replays";
const OTHER = " "; // the choice of a model that is not listed

/** `$1.25 in, $10 out, per million tokens` */
const sayPrice = (model) =>
  model?.input_usd
    ? `${formatRate(model.input_usd)} in, ${formatRate(model.output_usd)} out, per million tokens`
    : "no known price";

/** The models of a list as its options, each with its price. */
export const Models = ({ models }) =>
  models?.map(
    (item) => html`<option key=${item.id} value=${item.id}>${item.id}: ${sayPrice(item)}</option>`,
  );

/** The models that a provider offers, and what it is asked with where none is named. */
export async function loadModels(provider) {
  if (!session.value.is_admin) return [];
  return request("POST", "/api/config/models", {
    provider: provider || config.value.provider,
    prices: true,
  });
}

export const loadTalk = (chat) => get(`/api/chat/conversations/${chat}?limit=1`);

/** The answers of a chat that its user rated bad, and why. */
export const sayDisliked = (talk) =>
  talk &&
  talk.ratings
    .filter(({ rating }) => rating === "down")
    .map(
      ({ note }) =>
        html`<p class="notice">An answer was rated bad${note && `: “${makeVisible(note)}”`}</p>`,
    );

export const loadEstimate = (body) => request("POST", `${ALL}/estimate`, body);

/** What an experiment would cost, asked for once nobody types any more; {}: not known yet. */
function useEstimate(body) {
  const key = JSON.stringify(body);
  const [rested, setRested] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(key), RESTED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const load = async () => rested && [key, await loadEstimate(body)];
  const { data, error } = useLoaded(load, rested);
  if (rested !== key) return { stored: data?.[1].stored };
  return { stored: data?.[1].stored, error, found: data?.[0] === key ? data[1] : null };
}

// Where the length of the candidate's answers is known from.
const BASES = {
  paired: " The length of its answers is known from conversations that both models answered.",
  seen: " The length of its answers is known from other conversations.",
  unknown: " How long its answers will be is not known yet: after a first small run it is.",
};

/** The estimate in words, and what is wrong with the spending limit. isSame: no change is chosen */
export function Estimate({ found, ceiling, isSame }) {
  if (!found) return "Estimating…";
  const { about_usd: about, most_usd: most, least_usd: least, conversations, unpriced } = found;
  if (unpriced.length)
    return html`<span class="bad"
      >${`No estimate: the price of ${unpriced.join(" and ")} is not known, so no spending limit can hold.`}
      ${` Add it to plainloop.toml: [prices."${unpriced[0]}"].`}</span
    >`;
  if (about === null) return "No estimate: no conversation has used a model yet.";
  const many = formatOf(conversations, "conversation");
  const used = isSame
    ? "no change is chosen yet"
    : `${formatCount(found.touched)} of them ${found.touched === 1 ? "uses" : "use"} the change`;
  const [low, high] = [found.low_usd, found.high_usd];
  const spread = low && formatCost(low) !== formatCost(high);
  const range = spread ? `, likely ${formatCost(low)} to ${formatCost(high)}` : "";
  const bound = most ? `, at most ${formatCost(most)}` : "";
  return html`${"About "}<b>${formatCost(about)}</b>
    ${`${range}${bound} for ${many} on both sides; ${used}.${BASES[found.basis] ?? ""}`}${
      isTooLow(found, ceiling)
        ? html` <b class="bad"
            >${`The limit is too low: one conversation may need ${formatCost(least)}.`}</b
          >`
        : about > Number(ceiling)
          ? html` <b class="bad">The run stops at the spending limit.</b>`
          : most > Number(ceiling) &&
            " It may stop at the spending limit; you can then continue it."
    }`;
}

const isTooLow = (found, ceiling) => found.least_usd !== null && Number(ceiling) < found.least_usd;

/** Lines of two texts as `[today, edited]`: null where one side lacks the line, equal where nothing changed. */
function alignLines(a, b) {
  const rows = [];
  let gone = [];
  const flush = () => rows.push(...gone.splice(0).map((line) => [line, null]));
  for (const { tokens, added, removed } of compare(a.split("\n"), b.split("\n"))) {
    if (removed) gone = tokens;
    else if (added) rows.push(...tokens.map((line) => [gone.shift() ?? null, line]));
    if (!removed) flush();
    if (!removed && !added) rows.push(...tokens.map((line) => [line, line]));
  }
  flush();
  return rows;
}

const isChanged = ([before, after]) => before !== after;

/** Whether at least half of the words of two texts are the same: else marked words would be a muddle. */
export function areRelated(a, b) {
  const [from, to] = [a, b].map((line) =>
    listWords(line).filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );
  const kept = compare(from, to, (word) => word.trimEnd())
    .filter((part) => !part.added && !part.removed)
    .reduce((sum, part) => sum + part.tokens.length, 0);
  return 2 * kept >= Math.max(from.length, to.length);
}

/** The rows near a change; a number stands for so many others that are the same. */
function foldSame(rows) {
  const folded = [];
  rows.forEach((row, at) => {
    const near = rows.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
    if (near.some(isChanged)) folded.push(row);
    else folded.push(1 + (typeof folded.at(-1) === "number" ? folded.pop() : 0));
  });
  return folded;
}

/** Lines with a sign before each changed one: + is new, − is removed, ± has other words. */
function Lines({ rows }) {
  const line = (sign, text) => html`<li><b>${sign}</b><span>${text}</span></li>`;
  return html`<ol class="edits" aria-label="Changes from today's prompt">
    ${foldSame(rows).map((row) => {
      if (typeof row === "number")
        return html`<li class="soft">
          <b>⋮</b><small>${formatOf(row, "unchanged line")}</small>
        </li>`;
      const [before, after] = row;
      const isPair = before !== null && after !== null;
      const words = isPair && areRelated(before, after) && markWords(before, after);
      if (words) return line(isChanged(row) ? "±" : "", words);
      return html`${
        before !== null && line("−", html`<del>${makeVisible(before)}</del>`)
      }${after !== null && line("+", html`<ins>${makeVisible(after)}</ins>`)}`;
    })}
  </ol>`;
}

const loadPrompts = async () => (session.value.is_admin ? (await get("/api/prompts")).prompts : []);
const findPrompt = (prompts, name) => prompts?.find((item) => item.name === name)?.text ?? "";

/** What an experiment's prompts change. */
export function Changed({ prompts }) {
  const { data } = useLoaded(loadPrompts, "");
  const names = Object.keys(prompts);
  if (!data || !names.length) return null;
  const show = (name) =>
    html`<${Lines} rows=${alignLines(findPrompt(data, name), prompts[name])} />`;
  return html`<details>
    <summary>
      ${`Changed prompt${names.length > 1 ? "s" : ""}: ${makeVisible(names.map(toWords).join(", "))}`}
    </summary>
    ${
      names.length === 1
        ? show(names[0])
        : names.map(
            (name) =>
              html`<h2 key=${name}>${makeVisible(toWords(name))}</h2>
                ${show(name)}`,
          )
    }
  </details>`;
}

/** Today's prompt of a worker to be edited, and below it what was changed. edited: names of changed ones */
function PromptEditor({ names, today, name, text, edited, onChoose, onEdit, onUndo }) {
  const rows = name && alignLines(today, text);
  const changed = name && rows.filter(isChanged).length;
  return html`<label
      >Prompt to change<select value=${name} onChange=${(event) => onChoose(event.target.value)}>
        <option value="">none</option>
        ${names.map(
          (item) =>
            html`<option key=${item} value=${item}>
              ${makeVisible(toWords(item))}${edited.includes(item) && " (edited)"}
            </option>`,
        )}
      </select></label
    >${
      name &&
      html`<label
          >Edited prompt<textarea
            class="code"
            rows="12"
            required
            maxlength="200000"
            value=${text}
            onInput=${(event) => onEdit(event.target.value)}
          ></textarea>
        </label>
        <p class="row spread">
          <span role="status"
            >${changed ? `${formatOf(changed, "line")} changed` : "The same as today"}</span
          ><span class="row"
            >${
              changed > 0 &&
              edited.length > 1 &&
              html`<button type="button" class="small" onClick=${() => onEdit(today)}>
                Undo this prompt
              </button>`
            }${
              edited.length > 0 &&
              html`<button type="button" class="small" onClick=${onUndo}>Undo all changes</button>`
            }</span
          >
        </p>
        ${changed > 0 && html`<${Lines} rows=${rows} />`}`
    }`;
}

/** @param {{like?: string, sample?: string, chat?: string}} props like: an experiment whose candidate is tried again; chat: this one alone */
export function Screen({ like, ...rest }) {
  const { data, error, reload } = useLoaded(
    async () => (like ? get(`/api/replays/${like}?report=false`) : {}),
    like,
  );
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"]]}
      title="New experiment"
      isScreen
    />
    <${Failure} error=${error} again=${reload} />
    ${data && html`<${Form} key=${like} like=${like} ...${data} ...${rest} />`}`;
}

function Form({ candidate = {}, replay, like, sample, chat }) {
  const { provider, model: tried, prompts: given = {}, name, ...kept } = candidate;
  const first = {
    provider: provider ?? "",
    model: tried ?? "",
    sample: sample ?? CHATS,
    ceiling: Number(replay?.max_cost_usd ?? CEILING_USD), // 5, not 5.0
    prompt: Object.keys(given)[0] ?? "",
    prompts: given,
    name: name ?? "",
  };
  // Among the chats' drafts: there as long as the page and its user are.
  const draft = `lab.experiment ${[like, sample, chat].join(" ")}`;
  const [isRestored, setRestored] = useState(loadDraft(draft).text !== "");
  const [wanted, field, setWanted] = useFields(
    isRestored ? JSON.parse(loadDraft(draft).text) : first,
  );
  const keep = (now) => {
    const text = JSON.stringify(now);
    keepDraft(draft, { text: text === JSON.stringify(first) ? "" : text, files: [] });
  };
  useEffect(() => keep(wanted), [wanted]);
  const { data: talk } = useLoaded(async () => chat && loadTalk(chat), chat);
  const title = talk && `“${cutLong(nameChat(talk.conversation), 80)}”`;
  const [state, setState] = useState({});
  const { data } = useLoaded(() => get("/api/config/providers"), "");
  const known = (data?.providers ?? []).filter(
    (item) => item.has_key || item.is_active || item.id === wanted.provider,
  );
  const { data: models, error: noModels } = useLoaded(
    () => loadModels(wanted.provider),
    wanted.provider,
  );
  const { data: prompted } = useLoaded(loadPrompts, "");
  const named = wanted.model.trim();
  const model = models?.find((item) => item.id === named.split("@")[0]);
  const isUnlisted = named && models?.length > 0 && !model;
  // Until they are known the field is a list: what somebody types into would be taken away.
  const isTyped =
    wanted.isTyped || (models ? !models.length : noModels) || (named && named !== model?.id);
  const getPrompt = (name) => findPrompt(prompted, name);
  const edited = Object.entries(wanted.prompts).filter(([name, text]) => text !== getPrompt(name));
  const names = [...new Set([...(prompted ?? []).map((item) => item.name), ...Object.keys(given)])];
  const isToday = !named && !wanted.provider;
  const change = (some) => setWanted({ ...wanted, ...some });
  const isSame =
    isToday && !edited.length && !kept.design && !Object.keys(kept.models ?? {}).length;
  const tries = [
    named || wanted.provider,
    ...Object.entries(kept.models ?? {}).map(([of, name]) => `${name} for ${toWords(of)}`),
    ...edited.map(([name]) => `prompt of ${toWords(name)}`),
    kept.design && `design ${kept.design}`,
  ].filter(Boolean);
  const body = {
    ...kept,
    provider: wanted.provider || null,
    model: named || null,
    sample: chat ? null : Number(wanted.sample) || 1,
    prompts: Object.fromEntries(edited),
    threads: chat ? { ids: [chat] } : {},
    ...(like && { like }), // today's answers of that one are not bought again
  };
  const { stored, found, error: refused } = useEstimate(body);
  const sampled = stored && wanted.sample > stored ? stored : wanted.sample;
  const isImpossible =
    refused || (found && (found.unpriced.length > 0 || isTooLow(found, wanted.ceiling)));
  const begin = async (event) => {
    event.preventDefault();
    if (isSame)
      return setState({
        error: { message: "Nothing is changed: choose another model, or edit a prompt." },
      });
    setState({ isSent: true });
    const sent = {
      ...body,
      name: wanted.name || title || undefined,
      sample: chat ? null : Number(sampled),
      max_cost_usd: Number(wanted.ceiling),
    };
    try {
      const { id } = await request("POST", ALL, sent);
      keep(first);
      location.hash = `#/lab.experiments/${id}`;
    } catch (error) {
      setState({ error });
    }
  };
  return html`<form
    class="card stack"
    onSubmit=${begin}
    onInput=${() => state.error && setState({})}
  >
    <p>
      Today's configuration (${config.value.is_offline ? "offline rules" : config.value.model}) and
      a candidate answer ${title ? html`<b>${title}</b>` : "your conversations"} again. Tools answer
      from the recording.
    </p>
    ${
      isRestored &&
      html`<p class="notice row spread">
        What you entered before is still here.<button
          type="button"
          class="small"
          onClick=${() => (setRestored(false), setWanted(first))}
        >
          Start over
        </button>
      </p>`
    }
    ${sayDisliked(talk)}
    <label
      >Provider of the candidate<select ...${field("provider")}>
        <option value="">same as now</option>
        ${known.map((item) => html`<option key=${item.id} value=${item.id}>${item.id}</option>`)}
      </select></label
    >
    ${
      !isTyped &&
      html`<label
        >Model<select
          aria-label="Model"
          aria-describedby="price"
          value=${wanted.model}
          onChange=${(event) =>
            event.target.value === OTHER
              ? change({ isTyped: true })
              : change({ model: event.target.value })}
        >
          <option value="">${wanted.provider ? "the provider's default" : "same as now"}</option>
          <${Models} models=${models} />
          <option value=${OTHER}>another name…</option>
        </select></label
      >`
    }${
      isTyped &&
      html`<label
        >Model<input
          maxlength="200"
          autocomplete="off"
          placeholder=${wanted.provider ? "the provider's default" : "same as now"}
          aria-describedby="price"
          ...${field("model")}
      /></label>`
    }
    <p id="price" class="hint">
      ${isTyped && model && sayPrice(model)}${isUnlisted && html`<span class="warn">Not in the list of models: check the name.</span>`}
    </p>
    ${
      names.length > 0 &&
      html`<${PromptEditor}
        names=${names}
        today=${getPrompt(wanted.prompt)}
        name=${wanted.prompt}
        text=${wanted.prompts[wanted.prompt] ?? getPrompt(wanted.prompt)}
        edited=${edited.map(([name]) => name)}
        onChoose=${(prompt) => change({ prompt })}
        onUndo=${() => change({ prompts: {} })}
        onEdit=${(text) => change({ prompts: { ...wanted.prompts, [wanted.prompt]: text } })}
      />`
    }
    ${
      !chat &&
      html`<label
          >Number of conversations (random sample)<input
            type="number"
            min="1"
            required
            ...${field("sample")}
            value=${sampled} /></label
        >${wanted.sample > stored && stored > 0 && html`<p class="hint">Only ${formatCount(stored)} exist: all are answered again.</p>`}`
    }
    <label
      >Name (optional)<input
        maxlength="100"
        placeholder=${title || "what is changed, and the date"}
        ...${field("name")}
    /></label>
    <label
      >Spending limit (USD)<input
        type="number"
        min="0"
        max="1000000"
        step="any"
        required
        ...${field("ceiling")}
    /></label>
    ${tries.length > 0 && html`<p>The candidate has changed: <b>${makeVisible(tries.join(" · "))}</b></p>`}
    <p role="status">
      ${!refused && html`<${Estimate} found=${found} ceiling=${wanted.ceiling} isSame=${isSame} />`}
    </p>
    ${like && html`<p class="hint">Today's answers of the experiment before are reused. The candidate's are paid for again.</p>`}
    <${Failure} error=${state.error ?? refused} />
    <p class="row">
      <button class="accent" disabled=${state.isSent || isImpossible}>
        ${state.isSent ? "Beginning…" : "Start experiment"}</button
      >${" "}<a href="#/lab.experiments">Cancel</a>
    </p>
  </form>`;
}
