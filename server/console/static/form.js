// The form that a tool server asks a person to fill in.
import { html } from "./html.js";
import { makeVisible } from "./words.js";

const typed = {
  number: (text) => (text === "" ? undefined : Number(text)),
  integer: (text) => (text === "" ? undefined : Number(text)),
  array: (options) => [...options].map((option) => option.value),
};

/** One field of a form, by its schema; what is empty is not said. */
function Field({ name, schema, isNeeded, value, onChange }) {
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
        html`<${Field}
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
