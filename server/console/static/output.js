// An answer that is an object: its fields, to be read, with the labels that its schema has.
import { html } from "./html.js";
import { config } from "./session.js";
import { makeVisible, toWords } from "./words.js";

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
