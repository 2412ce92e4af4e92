// Which model, at which effort, for which worker: the verdict first, then the money, then the doubts.
import { useEffect, useRef, useState } from "../vendor.js";
import { useChange, useFields } from "../access.js";
import { get, request, withQuery } from "../api.js";
import { Card, Changes } from "../changes.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { Copy, Crumbs, Failure, Status, Time, useLoaded } from "../parts.js";
import { hasPack, session } from "../session.js";
import { formatCost, formatCount, formatOf, formatTime, makeVisible, toWords } from "../words.js";
import { Models, loadModels } from "./experiment.js";
import { sayAdvised, sayFound, sayHeadline, sayModels, toSentence } from "./names.js";
import { Outcome, chooseForm } from "./outcome.js";
import { Table } from "./table.js";
import "./style.js";

const LOOK_MS = 3_000; // while it goes on
const WAY = [
  ["Experiments", "#/lab.experiments"],
  ["Advice", "#/lab.advice"],
];
/** @param {{id?: string, new?: string, successor?: string, worker?: string, margin?: string}} props
 * successor: only of models that end; margin: what may get worse, of 100 */
export function Screen({ id, successor, worker, margin, ...rest }) {
  if (id) return html`<${One} id=${id} />`;
  if (!rest.new) return html`<${List} />`;
  return html`<${New} successor=${successor} worker=${worker} margin=${Number(margin)} />`;
}

function List() {
  const { data, error, reload } = useLoaded(() => get("/api/advice"), "");
  const body = { max_cost_usd: TYPED.ceiling, margin: `${USUAL}pp`, user_id: getWhose() };
  const plan = useLoaded(() => planAdvice(body), "");
  const passed = useLoaded(loadPassed, "").data ?? {};
  const last = data?.advice.find((item) => item.headline);
  return html`<${Crumbs} way=${WAY.slice(0, 1)} title="Advice"
      >${hasPack("operations") && html`<a class="button" href="#/operations.prices">Prices of all models</a>`}</${Crumbs}
    >
    <section class="card">
      <h2>Would a cheaper model or a lower effort be good enough?</h2>
      <p>
        Advice answers your stored conversations again with cheaper models. It names for each worker
        the cheapest one that is proven not to be worse, and what a month then saves. It switches
        nothing: you get the settings to paste.
      </p>
      ${
        last &&
        html`<p>
          ${"Last found: "}<a href=${`#/lab.advice/${last.id}`}>${sayFound(last)}</a>${", "}
          <${Time} at=${last.ended_at} />
        </p>`
      }
      <${Price} plan=${plan} passed=${passed} />
    </section>
    <${Failure} error=${error} again=${reload} />
    <${Changes} none />
    ${plan.data && html`<${Workers} workers=${plan.data.workers} passed=${passed} />`}
    ${data?.advice.length > 0 && html`<h2>Earlier advice</h2>`}
    ${
      data?.advice.length > 0 &&
      html`<p class="heads three" aria-hidden="true">
        <span>Found</span><span>Result</span><span>Asked</span>
      </p>`
    }
    <ol class="plain rows whole experiments three">
      ${data?.advice.map(
        (item) =>
          html`<li key=${item.id}>
            <a href=${`#/lab.advice/${item.id}`}
              ><b
                >${sayFound({ ...item, headline: item.headline ?? item.error ?? "Searching" })}<small
                  class="soft"
                  >${sayAdvised(item)}</small
                ></b
              ><${Outcome} of=${item} /><${Time} at=${item.created_at}
            /></a>
          </li>`,
      )}
    </ol>`;
}

const planAdvice = (body) => request("POST", "/api/advice/plan", body);

/** Whose conversations are tried: everybody's, if one may. */
const getWhose = () => (session.value.is_admin ? "*" : null);

/** Where advice on one worker alone begins. */
const toNew = (worker) => withQuery("#/lab.advice", { new: "1", worker });

/** The first thing to do: the worker on which advice can save the most; and what all of them would cost. */
function Price({ plan: { data, error }, passed }) {
  // Without a cheaper model or a conversation there is no plan: the form says what to do.
  if (error)
    return html`<p class="soft">${makeVisible(error.message)}</p>
      <p class="row"><a class="button" href=${toNew()}>New advice</a></p>`;
  if (!data) return html`<p class="soft">Counting the stored conversations: some seconds.</p>`;
  const { workers, estimate_usd } = data;
  const ready = workers.filter(isDecidable).length;
  const best = findBest(workers.filter((item) => !getProven(item, passed)));
  const all =
    workers.length > 1 && html`<a class="button" href=${toNew("")}>All workers at once</a>`;
  if (!best)
    return html`<p><b>No advice can be had yet:</b> each worker below says what it needs.</p>
      <p class="row"><a class="button" href=${toNew()}>New advice</a></p>`;
  return html`<p>
      <b>${toWords(best.worker)}</b>${
        best.saves_usd > 0
          ? ` can save the most: up to ${formatCost(best.saves_usd)} a month.`
          : " can come first."
      }${best.cost_usd != null && ` To find out costs at most ${formatCost(best.cost_usd)}.`}
    </p>
    <p class="row">
      <a class="button accent" href=${toNew(best.worker)}>Begin with ${toWords(best.worker)}</a
      >${all}
    </p>
    ${
      all &&
      html`<p class="soft">
        ${`All at once cost at most ${formatCost(estimate_usd)}.`}${
          ready < workers.length &&
          ` Of ${formatOf(workers.length, "worker")} ${formatCount(ready)} can be decided so:`
        }${ready < workers.length && " to be right about several takes more conversations of each."}
      </p>`
    }`;
}

/** How many conversations decide about a worker alone. */
const countAlone = ({ alone, needed }) => alone?.[`${USUAL}pp`] ?? needed;

/** Whether advice on this worker alone can be had now. */
const isReady = (item) =>
  item.candidates.length > 0 &&
  countAlone(item) !== null &&
  (isDecidable(item) || item.conversations >= countAlone(item));

/** What can be done about a worker, in a few words. */
function sayStatus(item) {
  if (!item.candidates.length) return "No cheaper model known";
  if (isReady(item)) return "Can be decided now";
  return countAlone(item) === null
    ? "Cannot be decided"
    : `Needs ${formatOf(countAlone(item) - item.conversations, "more conversation")}`;
}

/** By worker the newest experiment that a cheaper model passed in it: what is known already. */
async function loadPassed() {
  const { replays } = await get("/api/replays?limit=200");
  const found = replays.filter((item) => item.verdict === "passed" && !item.advice_id);
  const states = await Promise.all(
    found.slice(0, MOST_PASSED).map(({ id, ended_at }) =>
      get(`/api/replays/${id}?report=false`).then(
        ({ candidate }) => ({ id, ended_at, candidate }),
        () => ({}), // one that cannot be read proves nothing
      ),
    ),
  );
  const passed = {};
  for (const { id, ended_at, candidate } of states) {
    const { models = {}, prompts = {} } = candidate ?? {};
    // With another prompt beside it, what passed is not the model alone.
    if (Object.keys(prompts).length || Object.keys(models).length !== 1) continue;
    const [[worker, model]] = Object.entries(models);
    passed[worker] ??= { id, model, ended_at };
  }
  return passed;
}

const MOST_PASSED = 20;

/** The experiment in which a cheaper model passed, unless that model answers today. */
const getProven = ({ worker, today }, passed) =>
  passed[worker] && passed[worker].model !== today ? passed[worker] : null;

/** That a cheaper model passed already. */
const Known = ({ proven }) =>
  proven &&
  html`<small class="soft known"
    ><a href=${`#/lab.experiments/${proven.id}`}>${sayModels([proven.model])} passed</a
    >${" "}<${Time} at=${proven.ended_at}
  /></small>`;

/** One row for each worker: what is known of it, and the one thing to do next. */
function Workers({ workers, passed }) {
  const rows = workers.map((item) => {
    const proven = getProven(item, passed);
    const name = toWords(item.worker);
    const isNow = isReady(item);
    return [
      html`<b>${name}</b>`,
      makeVisible(sayModels([item.today])),
      proven
        ? html`<span
            ><b>Already proven:</b>${` ${sayModels([proven.model])} passed on `}<${Time}
              at=${proven.ended_at}
          /></span>`
        : html`<span class=${isNow ? "" : "soft"}>${sayStatus(item)}</span>`,
      item.saves_usd == null ? "–" : `up to ${formatCost(item.saves_usd)}`,
      proven
        ? html`<a
            class="button small accent"
            href=${`#/lab.experiments/${proven.id}`}
            aria-label=${`Go live: ${sayModels([proven.model])} for ${name}`}
            >Go live</a
          >`
        : html`<a
            class="button small"
            href=${toNew(item.worker)}
            aria-label=${`${isNow ? "Get advice" : "Settings"}: ${name}`}
            >${isNow ? "Get advice" : "Settings"}</a
          >`,
    ];
  });
  const heads = ["Worker", "Model today", "Status", "Saves a month", "Next"];
  return html`<section class="advice-workers" aria-label="Workers">
    <h2>Each worker</h2>
    <p class="soft">
      A cheaper model is good enough if at most ${USUAL} of 100 conversations may get worse, as in
      an experiment; the next page can change that.
      ${session.value.is_admin && " Everybody's conversations count, in an experiment only yours."}
    </p>
    <${Table} label="each worker" rows=${[heads, ...rows]} />
  </section>`;
}

const OTHER = "?"; // as a model: it is typed
const MARGINS = [5, 10, 20];
const USUAL = 10; // of 100, as experiments allow
const TYPED = { models: "", sample: 300, ceiling: 5 }; // to begin with
const MOST = 1000; // conversations, at most

const isDecidable = ({ candidates, conversations, needed }) =>
  candidates.length > 0 && needed !== null && conversations >= needed;

const sayMargin = (margin) => `at most ${margin} of 100`;

/** The narrowest margin that a worker's stored conversations can decide by themselves. */
const findMargin = ({ candidates, conversations, alone }) =>
  candidates.length > 0 &&
  MARGINS.find((each) => alone?.[`${each}pp`] && conversations >= alone[`${each}pp`]);

/** The worker with the most conversations that can be decided, and its margin; null: none can. */
function findSettings(workers) {
  const found = workers.filter(findMargin).map((item) => ({ ...item, margin: findMargin(item) }));
  found.sort((a, b) => b.conversations - a.conversations || a.margin - b.margin);
  return found.length ? { worker: found[0].worker, margin: found[0].margin } : null;
}

/** Of the workers that can be decided alone the one that can save the most; null: none can. */
const findBest = (workers) =>
  workers.filter(isReady).sort((a, b) => (b.saves_usd ?? 0) - (a.saves_usd ?? 0))[0] ?? null;

/** An error without what a terminal or a program would do about it. */
const sayPlainly = (error) =>
  error && (error.status === 400 || error.status === 404 ? { message: error.message } : error);

/** No model can be tried: why, and which would be cheaper. onTry: is given a choice of the field "Try" */
function NoCandidate({ error, asked, offered, onTry }) {
  const others = { ...asked, candidates: [] };
  const { data: plan } = useLoaded(
    async () => asked.candidates.length > 0 && planAdvice(others).catch(() => null),
    JSON.stringify(asked),
  );
  const names = [...new Set(plan ? plan.workers.flatMap((item) => item.candidates) : [])];
  const used = plan ? plan.workers.map(({ today }) => today.split(":").slice(1).join(":")) : [];
  const today = offered?.find(({ id }) => id === used[0]?.split("@")[0]);
  const cheaper = (today?.input_usd ? offered : []).filter(
    (item) => item.input_usd < today.input_usd && item.output_usd < today.output_usd,
  );
  return html`<div class="notice" role="alert">
    <p>${makeVisible(toSentence(error.message))}.</p>
    ${names.length + cheaper.length > 0 && html`<p>These are cheaper than today's model:</p>`}
    <p class="row">
      ${
        names.length > 0 &&
        html`<button type="button" class="small" onClick=${() => onTry("")}>
          Try ${makeVisible(sayModels(names))}
        </button>`
      }${cheaper.map(
        ({ id }) =>
          html`<button type="button" class="small" key=${id} onClick=${() => onTry(id)}>
            Try ${makeVisible(id)}
          </button>`,
      )}<button type="button" class="small" onClick=${() => onTry(OTHER)}>Name other models</button>
    </p>
  </div>`;
}

const sayStored = ({ stored }, { worker }) =>
  `At most so many: ${formatCount(stored)} are stored${worker ? "" : ", and no worker has more"}.`;

/** Those of the last plan for all, and the chosen one: an address may name it. */
const listWorkers = (all, chosen) => [...new Set([...all, chosen])].filter(Boolean);

function New({ successor, worker, margin }) {
  const { is_admin } = session.value;
  const [wanted, field, setWanted] = useFields({
    what: successor ? "successor" : "",
    worker: worker ?? "",
    margin: MARGINS.includes(margin) ? margin : USUAL,
    ...TYPED,
  });
  const { isBusy, error, change } = useChange(() => {});
  const { what } = wanted;
  // What is typed is planned when its field is left: each sign would plan anew.
  const [left, setLeft] = useState({});
  const late = (name) => ({
    ...field(name),
    onChange: (event) => setLeft({ ...left, [name]: event.target.value }),
  });
  const write = ({ what, models, ...given }) => ({
    successor: what === "successor",
    user_id: is_admin ? "*" : null,
    candidates:
      what === OTHER
        ? models.split(/[\s,]+/).filter(Boolean)
        : [what].filter((model) => model && model !== "successor"),
    workers: given.worker ? [given.worker] : [],
    margin: `${given.margin}pp`,
    sample: Number(given.sample),
    max_cost_usd: Number(given.ceiling),
  });
  const body = write(wanted);
  const asked = write({ ...wanted, ...TYPED, ...left });
  const { data: offered } = useLoaded(() => loadModels(), "");
  const { data: passed } = useLoaded(loadPassed, "");
  const all = useRef([]); // workers, of the plan for all of them
  const planned = useLoaded(async () => {
    const plan = await planAdvice(asked);
    if (!wanted.worker) all.current = plan.workers.map((item) => item.worker);
    return { ...plan, stored: Math.max(...plan.workers.map((item) => item.conversations)) };
  }, JSON.stringify(asked));
  const plan = planned.error ? null : planned.data;
  const use = (some) => setWanted((now) => ({ ...now, ...some }));
  // The form begins with what can start, unless somebody has begun to change it.
  const [fit, setFit] = useState(null);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || !plan) return;
    isBegun.current = true;
    const found = plan.workers.some(isDecidable) ? null : findSettings(plan.workers);
    setFit(found);
    if (found) use(found);
  }, [plan]);
  const isFit = fit?.worker === wanted.worker && fit.margin === Number(wanted.margin);
  const go = async (event) => {
    event.preventDefault();
    const from = location.hash;
    const made = await change("POST", "/api/advice", body);
    // Whoever has gone on in the meantime is not called back: the list shows it.
    if (made && location.hash === from) location.hash = `#/lab.advice/${made.advice.id}`;
  };
  const repeat = async () => {
    const monthly = { name: "Advice", cron: "0 6 1 * *", task: { advise: body } };
    if (await change("POST", "/api/schedules", monthly)) location.hash = "#/settings/automation";
  };
  return html`<${Crumbs} way=${WAY} title="New advice" />
    <form class="advice" onSubmit=${go} onInput=${() => (isBegun.current = true)}>
      <section class="card" aria-label="What to try">
        <h2>What to try</h2>
        <div class="row at-end">
          <label
            >For<select ...${field("worker")}>
              <option value="">all workers</option>
              ${listWorkers(all.current, wanted.worker).map((name) => html`<option value=${name}>${toWords(name)}</option>`)}
            </select></label
          >
          <label
            >Try<select ...${field("what")}>
              <option value="">cheaper models, and less effort</option>
              <option value="successor">successors of models that will be shut down</option>
              <${Models} models=${offered} />
              <option value=${OTHER}>other models…</option>
            </select></label
          >
          ${what === OTHER && html`<label>Models to try<input placeholder="MODEL@EFFORT" ...${late("models")} /></label>`}
        </div>
      </section>
      <section class="card" aria-label="How sure it must be">
        <h2>How sure it must be</h2>
        <p class="soft">
          A worker may switch when it is proven that no more of its conversations get worse than
          this. A smaller number takes more conversations to prove.
        </p>
        <div class="row at-end">
          <label
            >May get worse<select ...${field("margin")}>
              ${MARGINS.map((each) => html`<option value=${each}>${sayMargin(each)}</option>`)}
            </select></label
          >
          <label
            >Conversations per worker<input
              type="number"
              min="5"
              max=${MOST}
              required
              ...${late("sample")}
          /></label>
        </div>
        ${plan?.stored < wanted.sample && html`<p class="soft">${sayStored(plan, wanted)}</p>`}
        ${
          isFit &&
          html`<p class="soft">
            Chosen because the stored conversations can decide it: ${toWords(fit.worker)},
            ${` ${sayMargin(fit.margin)}`}. All workers together need more conversations.
          </p>`
        }
      </section>
      <section class="card" aria-label="What it costs">
        <h2>What it costs</h2>
        <div class="row at-end">
          <label
            >Spending limit (USD)<input
              type="number"
              min="0.01"
              step="any"
              required
              ...${late("ceiling")}
          /></label>
        </div>
        ${
          planned.error?.code === "NO_CANDIDATE"
            ? html`<${NoCandidate}
                error=${planned.error}
                asked=${asked}
                offered=${offered}
                onTry=${(what) => use({ what })}
              />`
            : html`<${Failure}
                error=${sayPlainly(planned.error ?? error)}
                isWaiting=${planned.isLoading}
              />`
        }
        ${plan && html`<${Plan} plan=${plan} asked=${asked} onUse=${use} passed=${passed} />`}
        ${plan && html`<${Asked} plan=${plan} />`}
        <p class="row">
          <button
            class="accent"
            disabled=${isBusy || planned.isLoading || !plan?.workers.some(isDecidable)}
          >
            ${isBusy ? "Starting…" : "Start advice"}</button
          >${
            plan?.workers.some(isDecidable) &&
            is_admin &&
            html`<button type="button" onClick=${repeat}>Repeat every month</button>`
          }
        </p>
      </section>
    </form>`;
}

/** What a worker's verdict still takes. */
function sayMissing({ candidates, conversations, needed }) {
  if (!candidates.length) return "a cheaper model";
  if (needed === null) return "more conversations than can be tried";
  const more = needed - conversations;
  return more > 0 ? `${formatOf(more, "more conversation")}` : "nothing";
}

const RECENT_MS = 30 * 24 * 3_600_000;

/** Whether advice was made for the same workers and candidates, with a result, within a month. */
const isSameAdvice = ({ workers: planned }, { workers, headline, created_at }) =>
  headline &&
  Date.now() - Date.parse(created_at) < RECENT_MS &&
  workers.length === planned.length &&
  planned.every((item) =>
    workers.some(
      ({ worker, today, candidates }) =>
        worker === item.worker &&
        today === item.today &&
        candidates.join() === item.candidates.join(),
    ),
  );

/** The last advice of the month that tried the same. */
function Asked({ plan }) {
  const { data } = useLoaded(() => get("/api/advice"), "");
  const last = data?.advice.find((item) => isSameAdvice(plan, item));
  return (
    last &&
    html`<p class="notice">
      The same was asked <${Time} at=${last.created_at} />:${" "}<a
        href=${`#/lab.advice/${last.id}`}
        >${sayHeadline(last.headline)}</a
      >. More conversations or other models can change that.
    </p>`
  );
}

/** Whether the settings ask for one worker alone, and whether with the widest margin. */
const readAsked = ({ workers, margin }) => ({
  isAlone: workers.length === 1,
  isWidest: margin === `${MARGINS.at(-1)}pp`,
});

/** What is missing, and the settings that need no more. onUse: sets them; none: they are fixed */
function Missing({ item, asked, onUse }) {
  const margin = findMargin(item);
  const widest = MARGINS.at(-1);
  const least = item.alone?.[`${widest}pp`] - item.conversations;
  if (isDecidable(item) || !onUse || !item.candidates.length) return sayMissing(item);
  const { isAlone, isWidest } = readAsked(asked);
  if (isAlone && isWidest) return sayMissing(item);
  return html`<span
    >${sayMissing(item)}${
      margin
        ? html`<br /><button
              type="button"
              class="small"
              onClick=${() => onUse({ worker: item.worker, margin })}
            >
              Try it alone, ${sayMargin(margin)}
            </button>`
        : least > 0 &&
          html`<small class="soft"
            >${`alone and with ${sayMargin(widest)}: ${formatCount(least)} more`}</small
          >`
    }</span
  >`;
}

const MONTHS = 12; // in which advice should have paid for itself

/** How long the savings take to pay for the advice; nothing where that is soon. */
function sayWorth(workers, estimate) {
  const saved = workers.filter(isDecidable).map((item) => item.saves_usd);
  if (!saved.length || saved.includes(null)) return "";
  const month = saved.reduce((sum, usd) => sum + usd, 0);
  if (estimate <= MONTHS * month) return "";
  const months = month > 0 ? Math.ceil(estimate / month) : Infinity;
  return months > 10 * MONTHS
    ? " What it can save never pays for it."
    : ` It pays for itself after ${formatCount(months)} months at best.`;
}

/** What else can be set so that something can be decided. */
function sayOthers({ isAlone, isWidest }) {
  const ways = [
    !isAlone && "try one worker alone",
    !isWidest && "raise “May get worse”",
    "use the service and import conversations",
  ].filter(Boolean);
  return ways.length > 1 ? `${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}` : ways[0];
}

/** @param {{plan: object, asked?: object, onUse?: (some: object) => void, passed?: object}} props
 * asked: the request; none: it has begun; passed: by worker what an experiment proved */
function Plan({ plan: { workers, estimate_usd, max_cost_usd }, asked, onUse, passed }) {
  const rows = workers.map((item) => [
    toWords(item.worker),
    sayModels([item.today]),
    html`<span
      >${makeVisible(sayModels(item.candidates) || "none")}<${Known}
        proven=${getProven(item, passed ?? {})}
    /></span>`,
    item.saves_usd === null ? "unknown" : `up to ${formatCost(item.saves_usd)}`,
    `${formatCount(item.conversations)} stored`,
    html`<${Missing} item=${item} asked=${asked} onUse=${onUse} />`,
  ]);
  const heads = ["Worker", "Today", "To try", "Saves a month", "Conversations", "Missing"];
  return html`<div role="status">
    <${Table} label="plan" rows=${[heads, ...rows]} />
    ${
      workers.some(isDecidable)
        ? html`<p>
            It costs at most ${formatCost(estimate_usd)} by its estimate, and stops at
            ${` ${formatCost(max_cost_usd)}.`}<b>${asked && sayWorth(workers, estimate_usd)}</b>
          </p>`
        : html`<p>
            <b>Nothing can be decided with these settings,</b> so it cannot start. Each verdict
            takes more conversations than an experiment's, as all proposals together must be
            right${asked && `: ${sayOthers(readAsked(asked))}`}.
          </p>`
    }
  </div>`;
}

/** `2 of 4 workers begun, `: those that can be decided; without a plan nothing. */
function sayBegun({ plan, steps }) {
  const workers = plan?.workers.filter(isDecidable) ?? [];
  const begun = workers.filter(({ worker }) =>
    steps.some(({ name }) => name.startsWith(`${worker} `)),
  );
  return workers.length ? `${begun.length} of ${formatOf(workers.length, "worker")} begun, ` : "";
}

const sayProgress = ({ advice, plan, steps, spent_usd }) =>
  [
    `${sayBegun({ plan, steps })}${formatOf(steps.length, "experiment")}`,
    `${formatCost(spent_usd)} spent`,
    `stops at ${formatCost(advice.max_cost_usd)}`,
  ].join(", ");

/** The part of the estimate that is spent, at most 1: most searches end before they need all of it. */
function sharePaid({ advice, plan, spent_usd }) {
  const bound = Math.min(plan?.estimate_usd || advice.max_cost_usd, advice.max_cost_usd);
  return bound ? Math.min(1, spent_usd / bound) : 0;
}

/** `Cheaper models for Triage, Nov 30, 2026, 1:05 PM` */
const sayAdvice = ({ successor, workers = [], created_at: at }) =>
  [
    `${successor ? "Successors" : "Cheaper models"}${
      workers.length === 1 ? ` for ${toWords(workers[0].worker)}` : ""
    }`,
    ...(at ? [formatTime(at)] : []),
  ].join(", ");

function One({ id }) {
  const path = `/api/advice/${id}`;
  const { data, error, reload } = useLoaded(() => get(path), id);
  const { change } = useChange(reload);
  useEffect(() => {
    if (!data || data.advice.ended_at) return;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [data]);
  const { advice, result, plan } = data ?? {};
  return html`<${Crumbs} way=${WAY} title=${advice ? sayAdvice(advice) : "Advice"} />
    <${Failure} isWaiting=${!data} error=${error} again=${reload} />${
      result
        ? html`<${Result} ...${data} path=${path} />`
        : data &&
          html`<section class="card">
            <p class="row">
              <${Status} status=${advice.status} />
              <span>${makeVisible(advice.error ?? sayProgress(data))}</span>
              ${!advice.ended_at && html`<button onClick=${() => change("POST", `${path}/cancel`)}>Cancel</button>`}
            </p>
            ${!advice.ended_at && html`<progress aria-label="spent of the estimate" max=${1} value=${sharePaid(data)}></progress>`}
            ${plan && html`<${Plan} plan=${plan} />`}
          </section>`
    }`;
}

const KINDS = {
  switch: "May switch",
  keep: "Keep",
  worse: "Keep: it got worse",
  undecided: "Not proven",
  not_judged: "Not judged",
};
const DEMANDS = {
  failed: "fail",
  same_arguments: "use tools differently",
  same_route: "go to another worker",
};

/** A line of the service as a sentence, which may begin with a worker's name. */
const sayDoubt = (line) =>
  toSentence(sayHeadline(line))
    .replace(/^[a-z]+(?=: )/, toWords)
    .replace(/[^.?!]$/, "$&.");

/** How many more conversations would decide about a worker; 0: it is not known. */
const countMore = ({ rules }) =>
  Math.max(0, ...rules.map(({ needs }) => needs?.conversations ?? 0));

/** `["A", "B", "C"]` → `A, B and C` */
const joinNames = (names) => names.join(", ").replace(/, (?=[^,]*$)/, " and ");

/** What to do with the advice. */
function Next({ advice, result }) {
  const isSwitch = result.workers.some(({ kind }) => kind === "switch");
  const open = result.workers.filter(({ kind }) => kind === "undecided" || kind === "not_judged");
  const kept = advice.successor
    ? "Try other models before today's are shut down."
    : "Nothing: today's models stay. Ask again when prices or models change.";
  return html`<section class="card" aria-label="What to do now">
    <h2>What to do now</h2>
    ${isSwitch && html`<p>Paste the settings below into plainloop.toml, and restart the service.</p>`}
    ${!isSwitch && !open.length && html`<p>${kept}</p>`}
    ${Object.entries(Object.groupBy(open, countMore)).map(([more, items]) => {
      const names = items.map(({ worker }) => toWords(worker));
      const worker = items.length === 1 ? items[0].worker : "";
      return html`<p key=${more}>
        ${`${joinNames(names)} ${names.length === 1 ? "keeps its model" : "keep their models"} for now. ${
          more > 0
            ? `About ${formatOf(Number(more), "more conversation")} would decide it: collect them, or`
            : "To decide it, collect more conversations, or"
        } `}<a href=${toNew(worker)}>ask again with other settings</a>.
      </p>`;
    })}
  </section>`;
}

const Lines = ({ lines }) =>
  html`<ul>
    ${lines.map((line) => html`<li>${sayDoubt(line)}</li>`)}
  </ul>`;

const listSteps = (steps, { worker, candidate }) =>
  steps
    .map(({ name, replay_id }) => ({ id: replay_id, range: name.match(/^(.*) (\d+)-(\d+)$/) }))
    .filter(({ range }) => range?.[1] === `${worker} ${candidate}`)
    .map(({ id, range: [, , first, last] }) => ({ id, first: Number(first) + 1, last }));

/** How many of the compared conversations got worse, and of 100 at worst; null: none were compared. */
function readEvidence({ rules, conversations }) {
  const counted = rules.filter((rule) => rule.needed && rule.at_worst !== null);
  const isWorse = ({ measure }, value) => Math.max(0, measure === "failed" ? value : -value);
  return counted.length
    ? {
        worse: Math.max(
          ...counted.map((rule) => Math.round(isWorse(rule, rule.difference) * rule.tasks)),
        ),
        worst: Math.max(...counted.map((rule) => isWorse(rule, rule.at_worst))),
        compared: conversations,
      }
    : null;
}

/** What a worker's verdict rests on, and the way there. */
function Evidence({ item, steps }) {
  const found = readEvidence(item);
  const first = Math.max(0, ...item.tried.map((each) => each.conversations));
  const own = listSteps(steps, item);
  if (!found && !own.length) return "–";
  return html`<div>
    ${
      found &&
      `${formatCount(found.worse)} of ${formatCount(found.compared)} worse, at worst ${(100 * found.worst).toFixed(0)} of 100`
    }${
      found &&
      first > 0 &&
      html`<small class="soft"
        >${`${formatOf(first, "other conversation")} chose this model to try and ${first === 1 ? "does" : "do"} not count`}</small
      >`
    }${
      own.length > 0 &&
      html`<details>
        <summary>Read the answers, in ${formatOf(own.length, "experiment")}</summary>
        <ol class="plain">
          ${own.map(
            ({ id, first, last }) =>
              html`<li key=${id}>
                <a href=${`#/lab.experiments/${id}`}
                  >${first === Number(last) ? `Conversation ${last}` : `Conversations ${first} to ${last}`}</a
                >
              </li>`,
          )}
        </ol>
      </details>`
    }
  </div>`;
}

/** A switched worker's row; before the switch, that its users do not have the new model yet. */
const sayWatched = ({ worker, state, reason }) => [
  toWords(worker),
  state,
  state === "not switched" ? "no user has been answered by it yet" : reason,
];

function Result({ advice, result, spent_usd, money, settings, watched, doubts, path, steps }) {
  const switched = result.workers.filter((item) => item.kind === "switch");
  const isUnread = advice.unread;
  const [kind, icon] = chooseForm({ ...advice, verdict: result.verdict });
  const file = (format, title) =>
    html`<a class="button small" href=${`${path}?format=${format}`} download
      ><${Icon} name="download" size=${14} />${title}</a
    >`;
  const rows = result.workers.map((item) => [
    toWords(item.worker),
    [KINDS[item.kind], item.reason].filter(Boolean).join(": "),
    sayModels([item.today]),
    item.candidate ? sayModels([item.candidate]) : "–",
    html`<${Evidence} item=${item} steps=${steps} />`,
    item.saves_usd === null ? "–" : formatCost(item.saves_usd),
  ]);
  const margin = parseFloat(result.demands[0]?.margin);
  const demands = result.demands.map(({ measure }) => DEMANDS[measure] ?? toWords(measure));
  const toRead = switched.flatMap((item) => listSteps(steps, item)).at(-1);
  return html`<${Card}
      kind=${kind}
      icon=${icon}
      title=${sayFound(advice)}
      >${
        isUnread &&
        html`<p>
          <b>What the answers say was not compared,</b> only whether they fail and what they do with
          tools. Read some of them before you switch.
        </p>`
      }
      <p>
        ${`A worker may switch if at most ${margin} of 100 more conversations ${demands.join(", or ")}.`}
        ${` This advice cost ${formatCost(spent_usd)}.`}
      </p>
      ${
        switched.length > 0 &&
        html`<p class="soft">
          What is saved is counted by the worker's own calls of its model. An experiment counts
          whole answers, with the calls that sort and check requests, so it shows a smaller share.
        </p>`
      }
      ${
        isUnread &&
        toRead &&
        html`<p class="row">
          <a class="button" href=${`#/lab.experiments/${toRead.id}`}
            ><${Icon} name="file-text" />Read the answers</a
          >
        </p>`
      }</${Card}
    >
    <${Next} advice=${advice} result=${result} />
    <${Table}
      label="workers"
      rows=${[["Worker", "Verdict", "Today", "Tried", "Compared", "Saves a month"], ...rows]}
    />
    ${
      settings &&
      html`<h2>Settings to paste</h2>
        <pre tabindex="0">${makeVisible(settings)}</pre>
        <p class="row">
          <${Copy}
            text=${settings}
          />${file("rules", "Rules for a gate")}${file("markdown", "Markdown")}
        </p>`
    }
    ${
      watched.length > 0 &&
      html`<h2>After the switch</h2>
        <${Table}
          label="after the switch"
          rows=${[["Worker", "First week", "Why"], ...watched.map(sayWatched)]}
        />`
    }
    <details open=${result.verdict === "passed"}>
      <summary>Doubts, cost and time</summary>
      <${Lines} lines=${[...doubts, ...money]} />
    </details>`;
}
