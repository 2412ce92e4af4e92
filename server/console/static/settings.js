// What the service runs with, who one is, and how other programs reach it. Its parts are addresses:
// `#/settings/models`.
import { useState } from "./vendor.js";
import { Keys } from "./access.js";
import { request } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { KeyList } from "./palette.js";
import { Failure, hasKeys, useLoaded } from "./parts.js";
import { Card, Limits, Tools } from "./rules.js";
import {
  config,
  hasPack,
  isLocal,
  keepLook,
  listPackScreens,
  session,
  signOut,
} from "./session.js";
import { makeVisible } from "./words.js";

function Account() {
  const {
    user_id: user,
    tenant_id: tenant,
    is_admin: isAdmin,
    expires_at: expires,
  } = session.value;
  return html`<section class="card">
    <h2>Account</h2>
    <p>
      <strong>${makeVisible(user)}</strong
      >${" "}of${" "}<strong>${makeVisible(tenant)}</strong>${isAdmin && ", administrator"}
    </p>
    ${
      expires
        ? html`<p><button onClick=${signOut}>Sign out</button></p>`
        : html`<p class="soft">
            This computer needs no sign-in. <code>plainloop token</code> makes tokens for others.
          </p>`
    }
  </section>`;
}

function People() {
  const hasPeople = session.value.is_admin && hasPack("operations");
  const people = useLoaded(async () => hasPeople && import("./operations/people.js"), "");
  return html`${hasPeople && html`<${people.data?.People ?? Failure} isWaiting ...${people} />`}<${Keys} />`;
}

const THEMES = { "": "System", light: "Light", dark: "Dark" };

function Appearance() {
  const { dataset } = document.documentElement;
  const [theme, setTheme] = useState(dataset.theme ?? "");
  const choose = (name) => {
    if (name) dataset.theme = name;
    else delete dataset.theme;
    keepLook("theme", name);
    setTheme(name);
  };
  return html`<section class="card">
    <h2>Theme</h2>
    <fieldset class="options looks">
      <legend class="only-read">Theme</legend>
      ${Object.entries(THEMES).map(
        ([name, word]) =>
          html`<label key=${name} class="check"
            ><input
              type="radio"
              name="theme"
              checked=${theme === name}
              onChange=${() => choose(name)} />${word}<i class=${name} aria-hidden="true"></i
          ></label>`,
      )}
    </fieldset>
    <p class="soft">Only this browser remembers it.</p>
  </section>`;
}

/** What one may take along, and what goes for good. */
function Data() {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState(null);
  const [failed, setFailed] = useState(null);
  const [isGone, setGone] = useState(false);
  const { user_id: user, is_admin: isAdmin } = session.value;
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const saveChats = () =>
    import("./threads.js").then(({ exportAll }) => exportAll()).catch(setFailed);
  const erase = async (event) => {
    event.preventDefault();
    try {
      await request("DELETE", `/api/users/${encodeURIComponent(user)}`);
      setGone(true);
      setTyped("");
    } catch (failure) {
      setError(failure);
    }
  };
  const kept = config.value.screens.filter((pack) => pack.saved);
  const list = (packs) =>
    listPackScreens("sidebar", packs)
      .map(({ title }) => title)
      .join(", ");
  return html`<${Account} />
    <section class="card">
      <h2>Export</h2>
      <p class="row">
        <button class="small" onClick=${saveChats}>All chats</button
        ><a class="button small" href="/api/usage?by=day,model&zone=${zone}&format=csv">Usage</a
        >${kept.map(({ title, saved }) => html`<a class="button small" href=${saved} download>${title}</a>`)}
      </p>
      <p class="soft">
        Chats are JSON lines, usage is CSV by day and
        model${kept.map((pack) => `, ${pack.title} (${list([pack])}) is a ZIP file`)}.
      </p>
      <${Failure} error=${failed} />
      ${
        isAdmin &&
        !isLocal() &&
        html`<p class="soft">
          For operators:${" "}<code>plainloop export</code>${" "}writes chats with all details.
        </p>`
      }
    </section>
    <section class="card">
      <h2>Erase all your data</h2>
      <p>
        This deletes your chats, files, schedules and keys${list() && `, and all in ${list()}`}.
        Only usage numbers stay. It cannot be undone.
      </p>
      <form onSubmit=${erase}>
        <label
          >Type${" "}${makeVisible(user)}${" "}to confirm<input
            value=${typed}
            autocomplete="off"
            onInput=${(event) => setTyped(event.target.value)} /></label
        ><button class="danger" disabled=${typed.trim().toLowerCase() !== user.toLowerCase()}>
          Erase everything
        </button>
      </form>
      ${isGone && html`<p role="status"><span class="good">✓</span> All data of ${makeVisible(user)} was erased.</p>`}<${Failure}
        error=${error}
      />
    </section>`;
}

const Keyboard = () =>
  html`<${Card} title="Keyboard" isFolded=${matchMedia("(pointer: coarse)").matches}
    ><${KeyList} />
    <label class="check"
      ><input
        type="checkbox"
        checked=${hasKeys.value}
        onChange=${() => (hasKeys.value = !hasKeys.value)}
      />Single-key shortcuts (letters and digits), on again after a reload</label
    ></${Card}
  >`;

const Look = () => html`<${Appearance} /><${Keyboard} />`;

const PARTS = {
  tools: ["Tools and approvals", "wrench", Tools],
  prices: ["Prices and budgets", "coins", Limits],
  people: ["People and access", "key-round", People],
  account: ["Account and data", "user-round", Data],
  appearance: ["Appearance and keys", "sun", Look],
};

/** A package's own part, loaded when it is opened. */
function Brought({ path, ...chosen }) {
  const { data, error, reload } = useLoaded(async () => [(await import(path)).Screen], path);
  return data
    ? html`<${data[0]} ...${chosen} />`
    : html`<${Failure} error=${error} again=${reload} />`;
}

const DEVELOPERS = ["people", "clients"]; // for who does not run the service: below a heading
const FORMER = { keyboard: "appearance", data: "account" }; // addresses that were parts of their own
const RUNNING = ["models", "audit", "all"]; // only for who does

/** Those that this person may open, as [name, [title, icon, Part, path]]. */
export function listParts() {
  const brought = config.value.screens.flatMap(({ pack, screens }) =>
    screens
      .filter(({ place }) => place === "settings")
      .map(({ name, title, icon }) => [name, [title, icon, Brought, `./${pack}/${name}.js`]]),
  );
  const isAdmin = session.value.is_admin;
  const order = isAdmin ? ["models"] : ["account", "appearance", "tools", "prices", "automation"];
  const place = ([name]) => order.indexOf(name) + 1 || order.length + 1;
  return [...Object.entries(PARTS), ...brought]
    .filter(([name]) => isAdmin || !RUNNING.includes(name))
    .map(([name, [title, ...rest]]) => [
      name,
      [name === "people" && !isAdmin ? "API keys" : title, ...rest],
    ])
    .sort((a, b) => place(a) - place(b));
}

const Unknown = () =>
  html`<p class="empty">Settings has no such page, or only for administrators.</p>`;

/** @param {{id?: string}} props id: the part; others: what is chosen in it */
export function Settings({ id: asked, ...chosen }) {
  const all = listParts();
  const id = FORMER[asked] ?? asked ?? all[0][0];
  const known = all.find(([name]) => name === id);
  const first = !session.value.is_admin && all.find(([name]) => DEVELOPERS.includes(name));
  const [title, , Part, path] = known?.[1] ?? ["Page not found", "", Unknown];
  // On a phone a page of its own, with all of them.
  return html`<div class=${`parts-beside ${asked ? "" : "listing"}`}>
    ${asked ? html`<a class="on-phone" href="#/settings">‹ Settings</a>` : html`<b class="on-phone only-read" role="heading" aria-level="1">Settings</b>`}
    <nav aria-label="Sections of the settings">
      ${all.map(
        (part) =>
          html`${part === first && html`<b class="hint">For developers</b>`}<a
              href=${`#/settings/${part[0]}`}
              aria-current=${id === part[0] ? "page" : null}
              ><${Icon} name=${part[1][1]} />${part[1][0]}</a
            >`,
      )}
    </nav>
    <div>
      <h1>${title}</h1>
      <${Part} key=${id} path=${path} ...${chosen} />
    </div>
  </div>`;
}
