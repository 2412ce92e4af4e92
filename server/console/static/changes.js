// What is announced of the models that are used: shutdowns, other prices, other models in their place.
import { get } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { useLoaded } from "./parts.js";
import { hasPack, session } from "./session.js";
import { formatDate, makeVisible } from "./words.js";

const DAY = /\b\d{1,2} [A-Z][a-z]+ \d{4}\b/g; // as the service writes it
/** A sentence of the service, its days written as pages write them. */
export const toOwnDates = (text) =>
  makeVisible(text).replace(DAY, (day) => (Date.parse(day) ? formatDate(`${day} UTC`) : day));

export const Card = ({ kind, icon, title, children }) =>
  html`<section class=${`card verdict ${kind}`} aria-label="Verdict">
    <span class="seal"><${Icon} name=${icon} size=${24} /></span>
    <div>
      <h2>${makeVisible(title)}</h2>
      ${children}
    </div>
  </section>`;

/** A card for each change of called models, and the way to a successor. none: also said where there is no change */
export function Changes({ none }) {
  const { is_admin } = session.value;
  const { data } = useLoaded(
    () => get(`/api/usage?by=provider&avoided=false&caches=false${is_admin ? "&user_id=*" : ""}`),
    "",
  );
  if (none && data?.changes?.length === 0)
    return html`<p class="soft">
      <${Icon} name="clock" size=${14} /> No shutdown, price change or replacement is announced for
      the models used in the last 30 days.
    </p>`;
  return data?.changes?.map(
    (item) =>
      html`<${Card} key=${item.text} kind="warn brief" icon="clock" title=${item.models.join(", ")}
        ><p>${toOwnDates(item.text)}.</p>
        ${item.cost_text && html`<p>${item.cost_text}.</p>`}${
          item.rehearsal &&
          item.to &&
          hasPack("lab") &&
          html`<p class="row">
            <a class="button" href="#/lab.advice?new=1&successor=1">Try ${makeVisible(item.to)}</a>
          </p>`
        }</${Card}
      >`,
  );
}
