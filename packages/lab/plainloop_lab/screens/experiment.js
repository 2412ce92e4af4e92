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
import { Outcome } from "./outcome.js";
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

const WRITTEN = 4; // tokens that are read for one that is written, as far as one price shall stand for both

/** How a model's price relates to today's: `about 1/20 of today's price`; "": one of them is not known. */
export function sayRelation(model, today) {
  const [own, other] = [model, today].map(
    (item) => WRITTEN * Number(item?.input_usd ?? 0) + Number(item?.output_usd ?? 0),
  );
  if (!own || !other) return "";
  if (model.id === today.id) return "today's";
  const times = own / other;
  if (times < 0.55) return `about 1/${Math.round(1 / times)} of today's price`;
  if (times < 0.95) return `about ${Math.round(100 * times)}% of today's price`;
  if (times <= 1.05) return "about today's price";
  return `about ${Number(times.toFixed(times < 3 ? 1 : 0))} times today's price`;
}

/** What two models cost, one below the other. models: `[what it is, the model or null]` each */
function Rates({ models }) {
  const known = models.filter(([, item]) => item);
  const [[, today]] = models;
  return html`<table class="rates-beside">
    <thead>
      <tr>
        <th>Side</th>
        <th>Model</th>
        <th class="amount">In</th>
        <th class="amount">Out</th>
      </tr>
    </thead>
    <tbody>
      ${known.map(
        ([what, item]) =>
          html`<tr key=${what}>
            <td class="soft">${what}</td>
            <td>
              ${makeVisible(cutProvider(item.id))}${
                item !== today && html` <small class="soft">${sayRelation(item, today)}</small>`
              }
            </td>
            <td class="amount">${item.input_usd ? formatRate(item.input_usd) : "–"}</td>
            <td class="amount">${item.output_usd ? formatRate(item.output_usd) : "–"}</td>
          </tr>`,
      )}
    </tbody>
    <caption>
      In US dollars per million tokens
    </caption>
  </table>`;
}

/** The models of a list as its options, each with its price. today: the one that answers now, if it is known */
export const Models = ({ models, today }) =>
  models?.map((item) => {
    const told = [sayPrice(item), sayRelation(item, today)].filter(Boolean).join(", ");
    return html`<option key=${item.id} value=${item.id}>${item.id}: ${told}</option>`;
  });

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

/** The prompt with which an answer was written that its user rated bad; undefined: there is none. */
async function findBlamed(talk, prompts) {
  const run = talk?.ratings.find(({ rating }) => rating === "down")?.run_id;
  if (!run) return undefined;
  const { steps } = await get(`/api/runs/${run}/steps`);
  const step = steps.findLast(({ calls }) => calls.some(({ role }) => role === "worker"));
  const name = step?.node.split(".").at(-1);
  return prompts.find((item) => item.name.split(".").at(-1) === name)?.name;
}

export const loadEstimate = (body) => request("POST", `${ALL}/estimate`, body);

/** What an experiment would cost, asked for once nobody types any more; {}: not known yet. */
function useEstimate(body) {
  const key = JSON.stringify(body);
  const [rested, setRested] = useState(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(key), RESTED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  // How many are stored is known as long as the same ones are sought.
  const sought = JSON.stringify(body.threads);
  const load = async () => rested && [key, await loadEstimate(body), sought];
  const { data, error } = useLoaded(load, rested);
  const stored = data?.[2] === sought ? data[1].stored : undefined;
  if (rested !== key) return { stored };
  return { stored, error, found: data?.[0] === key ? data[1] : null };
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
  const used = isSame
    ? "change the model or a prompt first"
    : `${formatCount(found.touched)} of them ${found.touched === 1 ? "uses" : "use"} the change`;
  const [low, high] = [found.low_usd, found.high_usd];
  const isBound = most > Number(ceiling);
  const sums = {
    About: formatCost(about),
    [found.basis === "unknown" ? "Roughly" : "Likely"]:
      low && formatCost(low) !== formatCost(high) && `${formatCost(low)} to ${formatCost(high)}`,
    "At most": most && (isBound ? `${formatCost(ceiling)} (your limit)` : formatCost(most)),
  };
  const warnings = [
    isTooLow(found, ceiling)
      ? ["bad", `The limit is too low: one conversation may need ${formatCost(least)}.`]
      : about > Number(ceiling)
        ? ["bad", sayStop(found, ceiling)]
        : isBound && ["soft", "It may stop at the spending limit; you can then continue it."],
    !isSame &&
      found.touched < found.needed &&
      conversations > 1 && [
        "warn",
        `Too few to decide: it takes ${formatOf(found.needed, "conversation")} that use the change, even if none gets worse.`,
      ],
  ];
  return html`<dl class="sums">
      ${Object.entries(sums)
        .filter(([, sum]) => sum)
        .map(
          ([name, sum]) =>
            html`<div key=${name}>
              <dt>${name}</dt>
              ${" "}
              <dd>${sum}</dd>
            </div>`,
        )}
    </dl>
    <p class="hint">
      ${`For ${formatOf(conversations, "conversation")} on both sides; ${used}.${(!isSame && BASES[found.basis]) || ""}`}
    </p>
    ${warnings.filter(Boolean).map(([tone, text]) => html`<p class=${tone}>${text}</p>`)}`;
}

/** The newest experiment with the same candidate, and what budgets leave for another one. */
function Before({ id, ceiling }) {
  const { data: earlier } = useLoaded(
    async () => id && (await get(`${ALL}/${id}?report=false`)).replay,
    id,
  );
  const { data } = useLoaded(() => get("/api/budgets?forecast=false"), "");
  const own = (data?.budgets ?? []).filter(
    ({ left_usd: left, subject }) => left !== null && ["", session.value.user_id].includes(subject),
  );
  return html`${
    earlier &&
    html`<p class="notice">
      Tried before:
      <a href=${`#/lab.experiments/${id}`}>${makeVisible(earlier.name)}</a>
      ${` (${formatOf(earlier.conversations, "conversation")})`} <${Outcome} of=${earlier} />
    </p>`
  }${own.map(
    ({ budget_id, left_usd: left, reserved_usd: held, is_hard: isHard, description }) =>
      html`<p key=${budget_id} class=${isHard && Number(left) < Number(ceiling) ? "warn" : "hint"}>
        ${`${formatCost(left)} left of the ${makeVisible(description)}`}${
          held > 0 && `; ${formatCost(held)} is held for running calls`
        }
      </p>`,
  )}`;
}

/** Where an experiment ends whose limit is lower than what it is likely to cost. */
function sayStop({ about_usd: about, conversations }, ceiling) {
  const some = Math.floor((conversations * Number(ceiling)) / Number(about));
  return `It stops at the spending limit, after about ${formatCount(some)} of ${formatOf(conversations, "conversation")}; you can then continue it.`;
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

/** The prompts of today, those of workers with what they run with; none for who does not run the service. */
export async function loadPrompts() {
  if (!session.value.is_admin) return [];
  const { prompts, parts } = await get("/api/prompts");
  const fits = (part, { name, pack }) =>
    part.role === "worker" && part.pack === pack && part.name === name.split(".").at(-1);
  return prompts.map((item) => ({ ...item, part: parts.find((part) => fits(part, item)) }));
}

/** The worker that alone is changed: its model, its prompt or both; "": none, or more than it. prompts: today's */
export function findScope({ provider, model, models, prompts, design }, today) {
  const changed = [...Object.keys(models ?? {}), ...Object.keys(prompts ?? {})];
  const [name] = changed;
  const isOne = !provider && !model && !design && changed.every((other) => other === name);
  return isOne && today?.some((item) => item.name === name && item.conversations) ? name : "";
}
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
  const { data, error, reload } = useLoaded(async () => {
    const [tried, prompts] = await Promise.all([
      like ? get(`/api/replays/${like}?report=false`) : {},
      loadPrompts(),
    ]);
    return { ...tried, prompts, tried: like };
  }, like);
  return html`<${Crumbs}
      way=${[["Experiments", "#/lab.experiments"]]}
      title="New experiment"
      isScreen
    />
    <${Failure} error=${error} again=${reload} />
    ${data && data.tried === like && html`<${Form} key=${like} like=${like} ...${data} ...${rest} />`}`;
}

/** The name of a model without its provider. */
const cutProvider = (label) => label.split(":").slice(1).join(":") || label;

/** What is entered at first: nothing, or the candidate of an experiment that is tried again. */
function readCandidate({ candidate, replay, prompts, sample }) {
  const { provider, model, prompts: edited = {}, models = {}, name } = candidate;
  const worker = findScope(candidate, prompts);
  const [own, ...rest] = (models[worker] ?? "").split(":");
  return {
    worker,
    provider: provider ?? (rest.length && own !== config.value.provider ? own : ""),
    model: model ?? (rest.length ? rest.join(":") : own),
    models: worker ? {} : models,
    sample: sample ?? CHATS,
    ceiling: Number(replay?.max_cost_usd ?? CEILING_USD), // 5, not 5.0
    prompt: Object.keys(edited)[0] ?? "",
    prompts: edited,
    name: name ?? "",
  };
}

/** `+1 line, 2 lines changed`: what an edited prompt has of the kind. */
function sayEdits(rows) {
  const count = (fits) => rows.filter((row) => isChanged(row) && fits(row)).length;
  const added = count(([before]) => before === null);
  const removed = count(([, after]) => after === null);
  const other = rows.filter(isChanged).length - added - removed;
  return [
    added && `+${formatOf(added, "line")}`,
    removed && `−${formatOf(removed, "line")}`,
    other && `${formatOf(other, "line")} changed`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** What a candidate changes, each as `[what, how]`. getToday: is given a prompt's name */
function listChanges({ worker, provider, model, models, design }, edited, todays, getToday) {
  const named = model.trim();
  return [
    (named || provider) && [
      worker ? `Model of ${toWords(worker)}` : "Model",
      `${todays} → ${named || `the default of ${provider}`}`,
    ],
    ...Object.entries(models).map(([of, name]) => [
      `Model of ${toWords(of)}`,
      `today's → ${cutProvider(name)}`,
    ]),
    ...edited.map(([name, text]) => [
      `Prompt of ${toWords(name)}`,
      sayEdits(alignLines(getToday(name), text)),
    ]),
    design && ["Design", design],
  ].filter(Boolean);
}

/** A draft that was left, in a line: `claude-haiku-5-5 + prompt of Letters`. */
const sayDraft = ({ worker, provider, model, prompts }) =>
  [
    (model.trim() || provider) &&
      `${model.trim() || provider}${worker ? ` for ${toWords(worker)}` : ""}`,
    ...Object.keys(prompts).map((name) => `prompt of ${toWords(name)}`),
  ]
    .filter(Boolean)
    .join(" + ") || "other numbers";

const sayAll = (stored) =>
  stored === 1
    ? "Only 1 exists: it is answered again."
    : `Only ${formatCount(stored)} exist: all are answered again.`;

/** What is about to begin, beside the button that begins it. */
/** What is tried and what it costs; the start stays in reach on a phone, where the form is long. */
function Summary({ changes, on, start, children }) {
  return html`<aside class="tried" aria-label="What is tried">
    <div class="card stack">
      <h2>What is tried</h2>
      <dl>
        ${changes.map(
          ([what, how]) =>
            html`<dt>${makeVisible(what)}</dt>
              <dd><b>${makeVisible(how)}</b></dd>`,
        )}
        ${
          !changes.length &&
          html`<dt>Changes</dt>
            <dd class="soft">nothing yet: choose a model, or edit a prompt</dd>`
        }
        <dt>Answered again</dt>
        <dd>${on}</dd>
      </dl>
      ${children}
    </div>
    <p class="row start">${start}</p>
  </aside>`;
}

function Form({ candidate = {}, replay, prompts: prompted, like, sample, chat }) {
  const { provider, model: tried, prompts: given = {}, models: others, name, ...kept } = candidate;
  const first = readCandidate({ candidate, replay, prompts: prompted, sample });
  // Among the chats' drafts: there as long as the page and its user are.
  const draft = `lab.experiment ${[like, sample, chat].join(" ")}`;
  // What was left is offered: whoever comes for something else would start a mixture of both.
  const [offer, setOffer] = useState(() => {
    const { text } = loadDraft(draft);
    return text ? JSON.parse(text) : null;
  });
  const [wanted, field, setWanted] = useFields(first);
  const keep = (now) => {
    const text = JSON.stringify(now);
    keepDraft(draft, { text: text === JSON.stringify(first) ? "" : text, files: [] });
  };
  const isTouched = JSON.stringify(wanted) !== JSON.stringify(first);
  useEffect(() => keep(offer && !isTouched ? offer : wanted), [wanted, offer]);
  const { data: talk } = useLoaded(async () => chat && loadTalk(chat), chat);
  const { data: blamed } = useLoaded(() => findBlamed(talk, prompted), `${chat} ${!talk}`);
  if (blamed && !like) first.prompt = blamed;
  useEffect(() => blamed && !like && !wanted.prompt && change({ prompt: blamed }), [blamed]);
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
  const { data: ownModels } = useLoaded(() => loadModels(), "");
  const scopes = prompted.filter((item) => item.conversations);
  const scope = scopes.find((item) => item.name === wanted.worker);
  const todays = scope?.part.model ?? config.value.model;
  const today = scope ? { ...scope.part, id: todays } : ownModels?.find(({ id }) => id === todays);
  const named = wanted.model.trim();
  const model = models?.find((item) => item.id === named.split("@")[0]);
  const isUnlisted = named && models?.length > 0 && !model;
  // Until they are known the field is a list: what somebody types into would be taken away.
  const isTyped =
    wanted.isTyped || (models ? !models.length : noModels) || (named && named !== model?.id);
  const getPrompt = (name) => findPrompt(prompted, name);
  const edited = Object.entries(wanted.prompts).filter(([name, text]) => text !== getPrompt(name));
  const names = [...new Set([...prompted.map((item) => item.name), ...Object.keys(given)])];
  const change = (some) => setWanted({ ...wanted, ...some });
  const changes = listChanges({ ...wanted, design: kept.design }, edited, todays, getPrompt);
  const isSame = !changes.length;
  const ofWorker = wanted.worker && named; // of it alone the model is changed
  const label = `${wanted.provider || config.value.provider}:${named}`;
  const chosen = ofWorker ? { ...wanted.models, [wanted.worker]: label } : wanted.models;
  const threads = wanted.worker ? { worker: wanted.worker } : {};
  const body = {
    ...kept,
    ...((like || ofWorker) && { models: chosen }),
    provider: (!ofWorker && wanted.provider) || null,
    model: (!ofWorker && named) || null,
    sample: chat ? null : Number(wanted.sample) || 1,
    prompts: Object.fromEntries(edited),
    threads: chat ? { ids: [chat] } : threads,
    ...(like && { like }), // today's answers of that one are not bought again
  };
  const { stored, found, error: refused } = useEstimate(body);
  const atMost = stored ?? scope?.conversations;
  const sampled = atMost && wanted.sample > atMost ? atMost : wanted.sample;
  const isImpossible =
    refused || (found && (found.unpriced.length > 0 || isTooLow(found, wanted.ceiling)));
  const own = wanted.worker && `${toWords(wanted.worker)} `;
  const on = chat
    ? (title ?? "this chat")
    : `${formatOf(Number(sampled) || 0, `${own}conversation`)}${stored > sampled ? `, drawn from ${formatCount(stored)} of yours` : ""}`;
  // Of a prompt whose worker answers in few of those that are drawn, the others cost and show nothing.
  const narrow =
    !chat &&
    !wanted.worker &&
    found?.touched < found?.conversations &&
    findScope({ prompts: body.prompts, models: chosen, ...(named && { model: named }) }, prompted);
  const begin = async (event) => {
    event.preventDefault();
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
  return html`<form class="trial" onSubmit=${begin} onInput=${() => state.error && setState({})}>
    <div class="card stack">
      <p>
        Today's configuration and a candidate
        answer${" "}${title ? html`<b>${title}</b>` : "your conversations"} again. Tools answer from
        the recording: nothing is changed by it.
      </p>
      ${
        offer &&
        html`<p class="notice row spread">
          <span>You left a draft: <b>${makeVisible(sayDraft(offer))}</b></span
          ><span class="row"
            ><button
              type="button"
              class="small"
              onClick=${() => (setWanted(offer), setOffer(null))}
            >
              Go on with your draft</button
            ><button
              type="button"
              class="small"
              onClick=${() => (setOffer(null), setWanted(first), keep(first))}
            >
              Start fresh
            </button></span
          >
        </p>`
      }
      ${sayDisliked(talk)}
      ${
        !chat &&
        scopes.length > 0 &&
        html`<label
          >Conversations<select
            aria-label="Conversations"
            aria-describedby="scope"
            value=${wanted.worker}
            onChange=${({ target }) =>
              change({
                worker: target.value,
                prompt: edited.length || !wanted.prompt ? wanted.prompt : target.value,
              })}
          >
            <option value="">All of yours</option>
            ${scopes.map(
              (item) =>
                html`<option key=${item.name} value=${item.name}>
                  ${`${toWords(item.name)}: ${formatOf(item.conversations, "conversation")}`}
                </option>`,
            )}
          </select></label
        >`
      }
      ${
        wanted.worker &&
        html`<p id="scope" class="hint">
          Only those in which ${toWords(wanted.worker)} answered; a model chosen below answers for
          it alone.
        </p>`
      }
      <div class="two">
        <label
          >Provider<select
            value=${wanted.provider}
            onChange=${({ target }) => change({ provider: target.value, model: "", isTyped: false })}
          >
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
              <option value="">
                ${wanted.provider ? "the provider's default" : `same as now: ${todays}`}
              </option>
              <${Models} models=${models} today=${today} />
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
      </div>
      <div id="price">
        <${Rates} models=${[
          ["Today", today],
          ["Candidate", model?.id !== today?.id && model],
        ]} />
        ${isUnlisted && html`<p class="warn">Not in the list of models: check the name.</p>`}
      </div>
      ${Object.entries(wanted.models).map(
        ([of, label]) =>
          html`<p class="row spread" key=${of}>
            <span>${toWords(of)} is answered by <b>${makeVisible(cutProvider(label))}</b></span
            ><button
              type="button"
              class="small"
              onClick=${() =>
                change({
                  models: Object.fromEntries(
                    Object.entries(wanted.models).filter(([other]) => other !== of),
                  ),
                })}
            >
              Leave it as today
            </button>
          </p>`,
      )}
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
    </div>
    <${Summary}
      changes=${changes}
      on=${on}
      start=${html`<button class="accent" disabled=${state.isSent || isImpossible || isSame}>
          ${state.isSent ? "Beginning…" : "Start experiment"}</button
        >${found?.about_usd && html`<span class="about">about ${formatCost(found.about_usd)}</span>`}<a
          class="at-right"
          href="#/lab.experiments"
          >Cancel</a
        >`}
    >
      <div class="two">
        ${
          !chat &&
          html`<label
            >Number of conversations<input
              type="number"
              min="1"
              required
              ...${field("sample")}
              value=${sampled}
          /></label>`
        }
        <label
          >Spending limit (USD)<input
            type="number"
            min="0"
            max="1000000"
            step="any"
            required
            ...${field("ceiling")}
        /></label>
      </div>
      ${wanted.sample > stored && stored > 0 && html`<p class="hint">${sayAll(stored)}</p>`}
      <label
        >Name (optional)<input
          maxlength="100"
          placeholder=${title || "what is changed, and the date"}
          ...${field("name")}
      /></label>
      <div role="status" class="stack">
        ${!refused && html`<${Estimate} found=${found} ceiling=${wanted.ceiling} isSame=${isSame} />`}
        <${Before} id=${!like && !isSame && found?.tried_id} ceiling=${wanted.ceiling} />
      </div>
      ${
        narrow &&
        html`<p>
          <button type="button" class="small" onClick=${() => change({ worker: narrow })}>
            Only conversations of ${toWords(narrow)}
          </button>
        </p>`
      }
      ${like && html`<p class="hint">Today's answers of the experiment before are reused. The candidate's are paid for again.</p>`}
      <${Failure} error=${state.error ?? refused} />
    </${Summary}>
  </form>`;
}
