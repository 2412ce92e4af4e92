// A run explained: which way it took and why, what every call was, cost, and from where that is known.
import { useEffect, useMemo, useRef, useState } from "./vendor.js";
import { get, withQuery } from "./api.js";
import { getSent, sumWork } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Markdown } from "./markdown.js";
import { BUTTONS } from "./own_message.js";
import {
  Copy,
  Crumbs,
  Failure,
  Menu,
  More,
  Status,
  Time,
  Value,
  Way,
  copyText,
  useKeys,
  useLoaded,
} from "./parts.js";
import { config, hasPack, session, useChanges } from "./session.js";
import { MODEL_ROLES, Panel, Trace, listRows } from "./trace.js";
import { sayLost } from "./usage_data.js";
import {
  cutLong,
  describeNode,
  formatCost,
  formatCount,
  formatDuration,
  formatMs,
  formatOf,
  makeVisible,
} from "./words.js";

const PAGE = 100; // steps at once: as many as the route gives

/** limit: of the steps; null: all. */
export const loadRun = async (id, limit = null) => {
  const [run, found] = await Promise.all([
    get(`/api/runs/${id}`),
    get(withQuery(`/api/runs/${id}/steps`, { limit })),
  ]);
  return { run, ...found };
};

/** What it asked people, and what they said. */
function Asked({ approvals }) {
  if (!approvals.length) return html`<p class="empty">The run requested no approval.</p>`;
  return approvals.map(
    (item) =>
      html`<div class="panel" key=${item.approval_id}>
        <p>
          ${makeVisible(item.question)}${" "}<${Status} status=${item.status} />${
            item.decided_by &&
            html` <span class="soft"
              >by ${makeVisible(item.decided_by)}, <${Time} at=${item.decided_at}
            /></span>`
          }
        </p>
        ${item.reason && html`<${Value} label="because" value=${item.reason} />`}
      </div>`,
  );
}

const toCurl = (run) =>
  `curl -s ${location.origin}/api/runs/${run.id}/steps -H "authorization: Bearer $TOKEN"`;

/** From caches, of all that was sent; null where no provider said so. */
export function getCached(steps) {
  const calls = steps.flatMap((step) => step.calls);
  if (calls.every((call) => call.cache_read_tokens === null)) return null;
  const sum = (read) => calls.reduce((total, call) => total + read(call), 0);
  return sum((call) => call.cache_read_tokens) / Math.max(1, sum(getSent));
}

/** How tokens were saved: not by a cache, whose share stands beside them. */
function sayHow(steps) {
  const roles = steps.flatMap((step) => step.avoided.map(({ role }) => role));
  const skipped = roles.filter((role) => MODEL_ROLES.has(role)).length;
  return [
    skipped && `in ${formatOf(skipped, "skipped call")}`,
    skipped < roles.length && "by shorter requests",
  ]
    .filter(Boolean)
    .join(" and ");
}

function Figures({ run, steps, isWhole, lost, saved }) {
  const cached = getCached(steps);
  const figures = [
    [
      "Duration",
      run.ended_at && isWhole
        ? formatMs(sumWork(run, steps))
        : formatDuration(run.created_at, run.ended_at),
    ],
    ["Cost", run.calls ? formatCost(run.cost_usd) : "$0"],
    [
      "Tokens",
      run.calls
        ? `${formatCount(run.input_tokens)} in · ${formatCount(run.output_tokens)} out`
        : "none needed",
    ],
    ["From cache", cached === null ? "unknown" : `${(100 * cached).toFixed(0)}%`],
    ...(lost ? [["Lost by caches", lost, "lost"]] : []),
    ...(saved > 0 ? [["Tokens saved", `${formatCount(saved)} ${sayHow(steps)}`, "good"]] : []),
  ];
  return html`<dl class="figures of-run">
    ${figures.map(
      ([name, value, tone = ""]) =>
        html`<div key=${name} class=${tone}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

// Why an answer is as it is, for whoever asked: what was done, what it is based on, what it took.

/** The text of a run's last message; "": it has none. */
const findAnswer = (steps) =>
  steps
    .flatMap((step) => step.update.messages ?? [])
    .findLast(
      ({ role, parts }) => role === "assistant" && parts.some(({ type }) => type === "text"),
    )
    ?.parts.filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n\n") ?? "";

/** @param {{run: object, steps: object[], told: {sentences: string[], action?: object}}} props */
function Why({ run, steps, told }) {
  const { based } = config.value.screens.find(({ pack }) => pack === run.pack) ?? {};
  const { data: part } = useLoaded(async () => based && import(`./${run.pack}/${based}.js`), based);
  const answer = findAnswer(steps);
  const took = run.ended_at && `It took ${formatMs(sumWork(run, steps))}`;
  const cost = run.calls
    ? `${formatOf(run.calls, "model call")} cost ${formatCost(run.cost_usd).replace("<", "less than ")}`
    : "no model was called, so it cost nothing";
  return html`<div class="why">
    ${
      answer &&
      html`<section class="card" aria-label="The answer" tabindex="0">
        <h2>The answer</h2>
        <${Markdown} text=${cutLong(answer, 4000)} />
      </section>`
    }
    <div>
      <section aria-label="What was done">
        <h2>What was done</h2>
        <ul>
          ${told.sentences.map((text, n) => html`<li key=${n}>${makeVisible(cutLong(text))}</li>`)}
        </ul>
        ${told.action && html`<p><${Way} action=${told.action} /></p>`}
      </section>
      ${part && html`<${part.Based} run=${run} steps=${steps} answer=${answer} />`}
      <section aria-label="Time and cost">
        <h2>Time and cost</h2>
        <p>${took ? `${took}; ${cost}.` : "It is not finished yet."}</p>
      </section>
      <p class="foot">
        <a href=${`#/runs/${run.id}?tab=trace`} onClick=${() => scrollTo(0, 0)}
          >For developers: every step, prompt and token</a
        >
      </p>
    </div>
  </div>`;
}

const TABS = { why: "Why this answer", trace: "Trace", approvals: "Approvals", raw: "Raw data" };
const CHIPS = {
  all: ["Everything", () => true],
  model: ["Only model calls", (row) => row.call !== undefined],
  failed: ["Only failed", (row) => row.isFailed],
};

function Steps({ run, steps, step = null }) {
  const [chip, setChip] = useState("all");
  const [chosen, setChosen] = useState(step);
  const list = useRef(null);
  const isByKey = useRef(false);
  const find = (selector) => list.current?.querySelector(selector);
  // A phone's sheet lies over the list's end: the chosen row stays above it (`scroll-margin`).
  useEffect(() => {
    find("[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
    if (isByKey.current) find("h2")?.focus({ preventScroll: true });
    isByKey.current = false;
  }, [chosen]);
  const all = useMemo(() => listRows(steps), [steps]);
  const rows = all.filter(CHIPS[chip][1]);
  const row = all.find((item) => item.key === chosen);
  const move = (by) => {
    const at = rows.findIndex((item) => item.key === chosen);
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (!next) return;
    setChosen(next.key);
    list.current.querySelectorAll("ol .trace-row")[rows.indexOf(next)].focus();
  };
  const close = () => {
    find("[aria-pressed=true]")?.focus({ preventScroll: true });
    setChosen(null);
  };
  const leave = row && close;
  useKeys({ j: () => move(1), k: () => move(-1), Escape: leave, "typing Escape": leave });
  return html`<p class="row">
      ${Object.entries(CHIPS).map(
        ([name, [title]]) =>
          html`<button
            key=${name}
            class="chip"
            aria-pressed=${chip === name}
            onClick=${() => setChip(name)}
          >
            ${title}
          </button>`,
      )}
    </p>
    <div ref=${list} class=${row ? "beside trace-beside" : ""}>
      <${Trace}
        rows=${rows}
        chosen=${chosen}
        onChoose=${(key, byKey) => {
          isByKey.current = byKey;
          setChosen(key === chosen ? null : key);
        }}
      />
      ${row && html`<${Panel} row=${row} runId=${run.id} onClose=${close} />`}
    </div>
    ${rows.length === 0 && html`<p class="empty">No rows match.</p>`}`;
}

/** @param {{id: string, tab?: string, step?: string}} props step: the number of the one that is open first */
export function Run({ id, tab: asked, step }) {
  const isEngineer = session.value.is_admin; // others read first why, in words
  const tab = asked ?? (isEngineer || step ? "trace" : "why");
  const [later, setLater] = useState([]);
  const { data, error, reload } = useLoaded(
    async () => ({
      ...(await loadRun(id, PAGE)),
      ...(await get(`/api/runs/${id}/approvals`)),
      told: await get(`/api/runs/${id}/summary`),
    }),
    id,
  );
  const chat = useLoaded(
    async () =>
      data &&
      Promise.all([
        get(`/api/chat/conversations/${data.run.conversation_id}?limit=1`),
        get(`/api/chat/conversations/${data.run.conversation_id}/runs?limit=${PAGE}`),
      ]),
    data?.run.conversation_id,
  ).data;
  useChanges((change) => change.run_id === id && reload());
  if (!data)
    return html`<h1>Run</h1>
      <${Failure} isWaiting error=${error} again=${reload} />`;
  const { run, total, avoided_tokens: saved, approvals, told } = data;
  const steps = later.length ? [...data.steps, ...later] : data.steps;
  const loadMore = async () => {
    const found = await get(
      withQuery(`/api/runs/${id}/steps`, { limit: PAGE, after: steps.at(-1).n }),
    );
    setLater([...later, ...found.steps]);
  };
  const at = chat ? chat[1].runs.findIndex((item) => item.id === id) : -1;
  const place =
    at >= 0 && chat[1].runs.length < PAGE
      ? `Run ${chat[1].runs.length - at} of ${chat[1].runs.length}`
      : "This run";
  const version = chat?.[0].versions.at(-1);
  const which = version ? `, version ${version.at + 1} of ${version.conversation_ids.length}` : "";
  const ways = [
    ["History", "#/history"],
    [
      makeVisible(cutLong(chat?.[0].conversation.title || "Chat", 80)),
      `#/chat/${run.conversation_id}`,
    ],
  ];
  const question = html`<h1 class="asked">
    ${BUTTONS[run.question] ?? (run.question ? `“${makeVisible(cutLong(run.question, 300))}”` : "Run")}
  </h1>`;
  const when = html`<${Status} status=${run.status} /><${Time} at=${run.created_at} />`;
  if (tab === "why")
    return html`<${Crumbs}
        way=${[ways[0], ["Chat", ways[1][1]]]}
        here="Why this answer"
      />${question}
      <p class="row soft">${when}</p>
      <${Why} run=${run} steps=${steps} told=${told} />`;
  const actions = [
    ["Compare", `#/lab.compare?a=${run.id}`, "button small"],
    ["Try another model", `#/lab.experiment?chat=${run.conversation_id}`, "button small accent"],
  ];
  return html`<${Crumbs} way=${ways} here=${html`<span class="here">${place + which}</span>`}>
      ${
        hasPack("lab") &&
        isEngineer &&
        html`<span class="row of-run"
          >${actions.map(
            ([word, href, style]) => html`<a key=${word} class=${style} href=${href}>${word}</a>`,
          )}<${Menu} icon="ellipsis" title="More about this run" style="square ghost"
            >${actions.map(([word, href]) => html`<a key=${word} href=${href}>${word}</a>`)}</${Menu}
          ></span
        >`
      }</${Crumbs}
    >
    ${question}
    <p class="row soft">
      ${when}${run.design !== "default" && html`<span>Design ${run.design}</span>`}${
        run.caller_run_id &&
        html`<a href=${`#/runs/${run.caller_run_id}`}>Helper of another run</a>`
      }<button class="link" title="Copy the id" onClick=${() => copyText(run.id)}>
        <code>${run.id.slice(0, 8)}…${run.id.slice(-4)}</code>
      </button>
    </p>
    <${Figures} run=${run} steps=${steps} isWhole=${total === steps.length} lost=${sayLost(data)} saved=${saved} />
    ${
      told.sentences.length > 0 &&
      html`<section class="card remark of-run" aria-label="What happened">
        <${Icon} name="circle-alert" size=${20} />
        <p>
          <b>What happened.</b
          >${" "}${makeVisible(cutLong(told.sentences.join(" ")))}${told.action && html` <${Way} action=${told.action} />`}
        </p>
      </section>`
    }
    <nav class="under" aria-label="Parts of the run">
      ${Object.entries(TABS).map(
        ([name, title]) =>
          html`<a
            key=${name}
            href=${withQuery(`#/runs/${id}`, { tab: name === "trace" && isEngineer ? null : name })}
            aria-current=${tab === name ? "page" : null}
            >${title}${name === "approvals" && ` ${approvals.length}`}</a
          >`,
      )}
    </nav>
    ${tab === "approvals" && html`<${Asked} approvals=${approvals} />`}
    ${
      tab === "raw" &&
      html`<p class="soft">
          Replay the recording with the current code, without model calls:${" "}<code
            >plainloop replay recorded --thread${" "}${run.conversation_id}</code
          >
        </p>
        <p><${Copy} text=${toCurl(run)}>Copy as cURL</${Copy}></p>
        ${steps.map(
          (step) =>
            html`<details key=${step.n}>
              <summary>${step.n} ${describeNode(step.node)}</summary>
              <${Value} value=${step} />
            </details>`,
        )}`
    }
    ${tab === "trace" && html`<${Steps} key=${step} run=${run} steps=${steps} step=${step} />`}
    ${total > steps.length && html`<p class="soft">${formatCount(steps.length)} of ${formatOf(total, "step")}.</p>`}
    <${More} isThere=${total > steps.length} onMore=${loadMore} />`;
}
