// What a chat loads behind its first screen: the run beside it, answers that are objects, forms, the
// set-up.
import { useState } from "./vendor.js";
import { focusBox } from "./focus.js";
import { sumTokens } from "./fold.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Status, Value, useDrop, useLoaded } from "./parts.js";
import { config, keepLook, session } from "./session.js";
import { ChooseFile, Uploaded, loadUploaded, useUpload } from "./upload.js";
import {
  describeCall,
  describeNode,
  describeStatus,
  formatCost,
  formatCount,
  formatMs,
  formatOf,
  makeVisible,
  toWords,
} from "./words.js";

// A run's steps in words, as they happen and as they were: a drawer beside the talk, a sheet on a phone.

const SHOWN = 200; // of a long run the newest; the run's own page has them all
const ICONS = {
  intent_classifier: "route",
  agent_router: "route",
  tools: "wrench",
  evaluator: "shield-check",
  format_result: "list",
};

const chooseIcon = (node) => {
  const part = node.split(".").at(-1);
  return ICONS[part] ?? (part.startsWith("fast_") ? "database" : "sparkles");
};

const nameTool = ({ name, status, refusal }) =>
  describeCall(name, ["done", "succeeded"].includes(status), refusal);

const ENDS = { done: "succeeded", error: "failed", approval_request: "waiting" };

/** A helper's run as a branch of its caller's: its steps, tools and helpers, each once, as they were told. */
function makeBranch(told) {
  const rows = new Map();
  const put = (key, row) => rows.set(key, { ...rows.get(key), ...row, key });
  let status = "running";
  for (const { event, data } of told) {
    if (event === "helper") put(data.run_id, { name: data.worker, isHelper: true });
    else status = data.code === "CANCELLED" ? "cancelled" : (ENDS[event] ?? "running");
    if (event === "node_start" && !data.node.endsWith(".tools"))
      put(`s${data.step}`, { node: data.node });
    if (event.startsWith("tool_"))
      put(data.id, {
        name: data.name,
        status: { tool_result: "done", tool_error: "failed" }[event],
      });
  }
  return { run_id: told[0].run_id, worker: told[0].worker, status, rows: [...rows.values()] };
}

/** What a helper does while it goes, and the way to all of it. */
function Branch({ tool }) {
  const branch = tool.helper ? { rows: [], ...tool.helper } : makeBranch(tool.told);
  return html`<div class="branch">
    <a href=${`#/runs/${branch.run_id}`}
      >${toWords(branch.worker)}<${Icon} name="arrow-up-right" size=${14} /></a
    >${" "}<${Status} status=${branch.status} />${
      branch.rows.length > 0 &&
      html`<ul class="plain">
        ${branch.rows.map(
          (row) =>
            html`<li key=${row.key}>
              ${
                row.node ? describeNode(row.node) : row.isHelper ? toWords(row.name) : nameTool(row)
              }${row.status === "failed" && html` <span class="bad">failed</span>`}
            </li>`,
        )}
      </ul>`
    }
  </div>`;
}

function Tool({ tool }) {
  return html`<li>
    ${(tool.helper ?? tool.told) && html`<${Branch} tool=${tool} />`}
    <details class="tool">
      <summary>
        ${nameTool(tool)}${" "}<code>${makeVisible(tool.name)}</code>${tool.status === "failed" && html` <span class="bad">failed</span>`}
      </summary>
      ${tool.arguments !== undefined && html`<${Value} label="Called with" value=${tool.arguments} />`}
      ${tool.result !== undefined && html`<${Value} label="Result" value=${tool.result} />`}
      ${tool.error && html`<${Value} label="Failed" value=${tool.error} />`}
    </details>
  </li>`;
}

/** Of several calls the sum; null: of none it is known. */
const sum = (calls, field) => {
  const known = calls
    .map((call) => call[field])
    .filter((value) => value !== null && value !== undefined);
  return known.length ? known.reduce((total, value) => total + Number(value), 0) : null;
};

function Step({ step, runId, end, isWaiting }) {
  const cost = step.calls.length ? sum(step.calls, "cost_usd") : 0;
  const doubt = step.calls.some((call) => (call.source ?? call.usage_source) !== "provider")
    ? ", estimated"
    : "";
  const asked =
    step.calls.length > 0 &&
    `${[...new Set(step.calls.map((call) => call.model))].join(
      ", ",
    )} · ${formatCount(sum(step.calls, "input_tokens"))} in, ${formatCount(sum(step.calls, "output_tokens"))} out${doubt}`;
  const isUndone = step.tools.some((tool) => tool.refusal || tool.status === "failed");
  return html`<li class=${`step ${step.status} ${isUndone ? "undone" : ""}`}>
    <span class="sign"><${Icon} name=${chooseIcon(step.node)} size=${14} /></span>
    <div>
      <b title=${step.node}
        ><a href=${`#/runs/${runId}?step=${step.n}`}
          >${isWaiting ? describeStatus("waiting") : describeNode(step.node)}</a
        ></b
      >${step.next === null && html` <${Status} status=${end} />`}${asked && html`<small>${makeVisible(asked)}</small>`}
      ${
        step.tools.length > 0 &&
        html`<ul class="plain">
          ${step.tools.map((tool, n) => html`<${Tool} key=${tool.id ?? n} tool=${tool} />`)}
        </ul>`
      }
    </div>
    <span class="took"
      >${step.status === "done" ? formatMs(step.ms) : "…"}<small
        >${step.status === "done" && (cost === 0 ? "free" : formatCost(cost))}</small
      ></span
    >
  </li>`;
}

/** @param {{run: object, onClose: () => void}} props run: as `fold.js` makes it; `totals` where it is over */
export function Timeline({ run, onClose }) {
  const hidden = Math.max(0, run.steps.length - SHOWN);
  const calls = run.steps.flatMap((step) => step.calls);
  const tokens = run.totals ? run.totals.tokens : sumTokens(run);
  const cost = run.totals ? run.totals.cost : calls.length ? sum(calls, "cost_usd") : 0;
  return html`<aside class="timeline" aria-label="What the run does">
    <header class="row spread">
      <h2>This run</h2>
      <span class="row"
        >${run.id && html`<a href=${`#/runs/${run.id}?tab=trace`}>Full trace<${Icon} name="arrow-up-right" size=${14} /></a>`}<button
          class="square ghost"
          onClick=${onClose}
        >
          <${Icon} name="x" label="Close this run" /></button
      ></span>
    </header>
    <dl class="figures">
      <div>
        <dt>Time</dt>
        <dd>${run.totals ? formatMs(run.totals.ms) : "…"}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>${calls.length || run.totals ? formatCost(cost) : "–"}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>${tokens === null ? "–" : formatCount(tokens)}</dd>
      </div>
      ${
        run.totals?.saved > 0 &&
        html`<div class="good">
          <dt>Tokens saved</dt>
          <dd>${formatCount(run.totals.saved)}</dd>
        </div>`
      }
    </dl>
    ${run.place !== null && html`<p class="soft">Position ${run.place} in the queue</p>`}
    ${hidden > 0 && html`<p class="soft">${formatOf(hidden, "earlier step")}</p>`}
    <ol class="steps plain">
      ${run.steps
        .slice(hidden)
        .map(
          (step) =>
            html`<${Step}
              key=${step.n}
              step=${step}
              runId=${run.id}
              end=${run.status}
              isWaiting=${run.status === "waiting" && step.status !== "done"}
            />`,
        )}
    </ol>
    ${run.notices.map((text) => html`<p class="notice">${text}</p>`)}
  </aside>`;
}

// An answer that is an object: its fields, to be read, with the labels that its schema has; and the
// form that a tool server asks a person to fill in.

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isEmpty = (value) =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && !value.length) ||
  (isObject(value) && !Object.keys(value).length);

/** What a schema points to within its root; itself, where it points nowhere. */
function follow(schema, root) {
  const path =
    typeof schema?.$ref === "string" && schema.$ref.startsWith("#/")
      ? schema.$ref.slice(2).split("/")
      : null;
  return (path ? path.reduce((at, name) => at?.[name], root) : schema) ?? {};
}

/** The first schema of a pack that has all of these fields; {} where none does: then names have to do. */
function findSchema(output) {
  const names = Object.keys(output);
  const fits = ({ properties = {}, required = [] }) =>
    names.every((name) => Object.hasOwn(properties, name)) &&
    required.every((name) => Object.hasOwn(output, name));
  return config.value.screens.flatMap((pack) => pack.outputs).find(fits) ?? {};
}

function Field({ value, schema, root }) {
  if (isEmpty(value)) return html`<span class="soft">none</span>`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value))
    return html`<ul>
      ${value.map((item, at) => html`<li key=${at}><${Field} value=${item} schema=${follow(schema.items, root)} root=${root} /></li>`)}
    </ul>`;
  return isObject(value)
    ? html`<${Fields} value=${value} schema=${schema} root=${root} />`
    : html`<span class="said">${makeVisible(String(value))}</span>`;
}

function Fields({ value, schema, root }) {
  return html`<dl class="fields">
    ${Object.entries(value).map(([name, item]) => {
      const own = follow(schema.properties?.[name], root);
      return html`<dt key=${name} title=${own.description}>
          ${makeVisible(own.title ?? toWords(name))}
        </dt>
        <dd><${Field} value=${item} schema=${own} root=${root} /></dd>`;
    })}
  </dl>`;
}

/** @param {{output: object}} props */
export function Output({ output }) {
  const schema = findSchema(output);
  return html`<section class="card output" aria-label=${makeVisible(schema.title ?? "Answer")}>
    <${Fields} value=${output} schema=${schema} root=${schema} />
  </section>`;
}

// What a tool server asks for.

const typed = {
  number: (text) => (text === "" ? undefined : Number(text)),
  integer: (text) => (text === "" ? undefined : Number(text)),
  array: (options) => [...options].map((option) => option.value),
};

/** One field of a form, by its schema; what is empty is not said. */
function Input({ name, schema, isNeeded, value, onChange }) {
  const choices = schema.enum ?? schema.items?.enum;
  const tell = (event) => {
    const read = typed[schema.type] ?? ((text) => (text === "" ? undefined : text));
    onChange(
      schema.type === "boolean"
        ? event.target.checked
        : read(schema.type === "array" ? event.target.selectedOptions : event.target.value),
    );
  };
  const named = html`${makeVisible(schema.title ?? name)}${isNeeded && " *"}${
    schema.description && html` <small>${makeVisible(schema.description)}</small>`
  }`;
  if (schema.type === "boolean")
    return html`<label
      ><input
        type="checkbox"
        name=${name}
        checked=${value ?? false}
        onChange=${tell}
      />${" "}${named}</label
    >`;
  if (choices)
    return html`<label
      >${named}<select name=${name} multiple=${schema.type === "array"} onChange=${tell}>
        ${schema.type !== "array" && html`<option value=""></option>`}${choices.map(
          (choice) =>
            html`<option key=${choice} selected=${value === choice}>
              ${makeVisible(String(choice))}
            </option>`,
        )}
      </select></label
    >`;
  return html`<label
    >${named}<input
      name=${name}
      type=${typed[schema.type] ? "number" : "text"}
      step=${schema.type === "integer" ? 1 : "any"}
      value=${value ?? ""}
      onInput=${tell}
  /></label>`;
}

/** What a tool server asks of its caller's user: only a person writes here. */
export function Form({ schema, content, onChange }) {
  const fields = Object.entries(schema.properties);
  return html`<fieldset class="form">
    <legend>Required</legend>
    ${fields.map(
      ([name, field]) =>
        html`<${Input}
          key=${name}
          name=${name}
          schema=${field}
          isNeeded=${schema.required?.includes(name)}
          value=${content[name]}
          onChange=${(value) => onChange({ ...content, [name]: value })}
        />`,
    )}
  </fieldset>`;
}

// What is left to set up, on the first screen until it is done.

function Task({ icon, isDone, title, hint, children }) {
  return html`<li>
    <span class=${`sign ${isDone ? "ok" : icon === "key-round" ? "todo" : ""}`}
      ><${Icon} name=${isDone ? "check" : icon} size=${14}
    /></span>
    <div><b>${title}</b><small>${hint}</small></div>
    ${children}
  </li>`;
}

function UploadStep({ upload, pack, uploaded, reload }) {
  const state = useUpload(upload, reload);
  const isOver = useDrop(state.take);
  const screen = `#/${pack}.${upload.screen}`;
  return html`<${Task}
      icon="upload"
      isDone=${Boolean(uploaded)}
      title=${
        isOver ? "Drop the file to upload it" : uploaded ? makeVisible(uploaded.name) : upload.title
      }
      hint=${uploaded ? html`The file was read. <a href=${screen}>Review and correct</a>` : upload.hint}
    >
      <${ChooseFile} accept=${upload.accept} ...${state}
        >${uploaded ? "Another file" : "Choose a file"}</${ChooseFile}
      ></${Task}
    >
    ${
      (state.told || state.error) &&
      html`<li>
        <span></span>
        <div><${Uploaded} ...${state} screen=${screen} upload=${upload} /></div>
      </li>`
    }`;
}

export function SetUp({ shown, isRunning, onUploaded }) {
  // Not for who only runs the service, nor once it was hidden.
  const [isShut, setShut] = useState(document.cookie.includes("plainloop_setup=hidden"));
  const { upload, pack } = shown;
  const { data: uploaded, reload } = useLoaded(async () => {
    const found = upload && (await loadUploaded(upload.path));
    onUploaded(Boolean(found));
    return found;
  }, "");
  const { is_offline: isOffline, model, provider } = config.value;
  const steps = [true, ...(upload ? [Boolean(uploaded)] : []), !isOffline];
  if (isShut || (isRunning && !isOffline) || steps.every(Boolean)) return null;
  return html`<section class="card set-up" aria-label="Get set up">
    <header>
      <h2>Get set up</h2>
      <span class="soft">${steps.filter(Boolean).length} of ${steps.length} done</span>
      <button class="square ghost" onClick=${() => (setShut(true), keepLook("setup", "hidden"), focusBox())}>
        <${Icon} name="x" label="Hide this" />
      </button>
    </header>
    <ul>
      <${Task} isDone=${true} title="The service is running" hint="The database is ready." />
      ${upload && html`<${UploadStep} upload=${upload} pack=${pack} uploaded=${uploaded} reload=${reload} />`}
      <${Task}
        icon="key-round"
        isDone=${!isOffline}
        title=${isOffline ? "Connect a language model" : `${provider}: ${model}`}
        hint=${
          isOffline
            ? "Until then, only fixed phrases work."
            : "Requests that rules cannot answer go to this model."
        }
      >
        ${isOffline && session.value.is_admin && html`<a class="button" href="#/settings/models">Connect</a>`}</${Task}
      >
    </ul>
  </section>`;
}
