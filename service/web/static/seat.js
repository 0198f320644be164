// A person's turn: words that are typed stay in this browser until the server says that it has them, and come along to
// another device, to which the server remembers them for a while.
import { all, byId, keep, kept, page, say, tell } from "./page.js";
import { serverTime } from "./clock.js";
import { entryRows } from "./entries.js";
import { fetchNow } from "./regions.js";
import { Refused, Unanswered, send } from "./send.js";

const AGAIN = [1000, 2000, 4000, 8000, 15000];
const SHARED_AFTER = 3000;
const busy = new Set();
const sharing = new WeakMap();

const keyOf = (form) => `${page.session.id}:${form.dataset.turn}`;
const address = (step, what) => `/api/v1/sessions/${page.session.id}/turns/${step.split("/").map(encodeURIComponent).join("/")}/${what}`;
const fieldsOf = (form) => all("[data-field]", form);

function typed(form) {
  const fields = {};
  for (const field of fieldsOf(form)) {
    const name = field.name;
    if (field.type === "radio") fields[name] = field.checked ? field.value : (fields[name] ?? "");
    else fields[name] = field.value;
  }
  return fields;
}

function fill(form, fields) {
  for (const field of fieldsOf(form)) {
    const value = fields[field.name];
    if (value === undefined) continue;
    if (field.type === "radio") field.checked = field.value === value;
    else field.value = value;
    field.dispatchEvent(new Event("filled"));
  }
}

const words = (form) => fieldsOf(form).reduce((sum, field) => sum + (field.value.match(/\S+/g) || []).length, 0);
const isEmpty = (fields) => Object.values(fields).every((text) => !text.trim());

function save(form) {
  const fields = typed(form);
  const before = kept(keyOf(form)) || {};
  if (JSON.stringify(fields) === JSON.stringify(before.fields)) return true;
  if (isEmpty(fields) && !before.sending) return keep(keyOf(form), null);
  return keep(keyOf(form), { ...before, fields, at: serverTime() });
}

/** Let another device of this seat have what is typed; where that fails, this one has it all the same. */
function share(form) {
  clearTimeout(sharing.get(form));
  sharing.delete(form);
  if (!form.isConnected || busy.has(keyOf(form))) return;
  const body = { fields: typed(form), at: new Date(kept(keyOf(form))?.at ?? serverTime()).toISOString() };
  send("PUT", address(form.dataset.turn, "typed"), body, {}, { keepalive: document.hidden }).catch(() => {});
}

/** Take what was typed later on another device of this seat. */
function takeLater(form, elsewhere) {
  const known = kept(keyOf(form)) || {};
  if (!elsewhere || known.sending || Date.parse(elsewhere.at) <= (known.at || 0)) return false;
  keep(keyOf(form), isEmpty(elsewhere.fields) ? null : { fields: elsewhere.fields, at: Date.parse(elsewhere.at) });
  return true;
}

/** Give back what was typed, and go on with what was being sent. */
export function turnForms(within) {
  entryRows(within);
  for (const form of all("form[data-turn]", within)) {
    takeLater(form, JSON.parse(form.dataset.typed || "null"));
    const known = kept(keyOf(form));
    if (known && known.fields) {
      fill(form, known.fields);
      if (!isEmpty(known.fields)) tell(statusOf(form), say("kept"));
    }
    const count = () => all("[data-count]", form).forEach((told) => (told.textContent = say("words", { n: words(form) })));
    form.addEventListener("input", count);
    count();
    form.addEventListener("input", () => {
      const there = save(form);
      tell(statusOf(form), there ? say("saved-here") : "");
      if (!sharing.has(form)) sharing.set(form, setTimeout(() => share(form), SHARED_AFTER));
    });
    form.addEventListener("submit", (event) => (event.preventDefault(), answer(form, { fields: typed(form) })));
    all("button[data-declined]", form).forEach((button) =>
      button.addEventListener("click", (event) => (event.preventDefault(), confirm(say("sure-to-pass")) && answer(form, { declined: "" }))),
    );
    all("button[data-longer]", form).forEach((button) => button.addEventListener("click", () => longer(form)));
    if (known && known.sending) answer(form, known.sending);
  }
}

const statusOf = (form) => form.querySelector(".sent:not(.longer-told)");

/** Send it until the server says that it has it, or will not have it. The same answer twice is one. */
async function answer(form, body) {
  const key = keyOf(form);
  if (busy.has(key)) return;
  busy.add(key);
  keep(key, { ...(kept(key) || {}), fields: typed(form), sending: body, at: Date.now() });
  lock(form, true);
  try {
    const taken = await untilAnswered(form, body);
    keep(key, null);
    tell(statusOf(form), taken.understood ? say("received-numbers", { numbers: taken.understood }) : say("received"), "good");
    const aloud = byId("aloud");
    if (aloud) aloud.textContent = say("received");
    await fetchNow();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { sending: _, ...rest } = kept(key) || {};
    keep(key, rest);
    tell(statusOf(form), error.message, "bad");
    lock(form, false);
    if (error.status === 404 || error.status === 409) await fetchNow();
  } finally {
    busy.delete(key);
  }
}

async function untilAnswered(form, body) {
  for (let n = 0; ; n += 1) {
    tell(statusOf(form), say("sending"));
    try {
      return await send("POST", address(form.dataset.turn, "answer"), body);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      tell(statusOf(form), say("not-received"), "bad");
      await new Promise((done) => {
        const timer = setTimeout(done, AGAIN[Math.min(n, AGAIN.length - 1)]);
        window.addEventListener("online", () => (clearTimeout(timer), done()), { once: true });
      });
    }
  }
}

async function longer(form) {
  try {
    await send("POST", address(form.dataset.turn, "extend"), { seconds: 120 });
    tell(form.querySelector(".longer-told"), say("longer"), "good");
    await fetchNow();
  } catch (error) {
    tell(form.querySelector(".longer-told"), error.message, "bad"); // beside the button: on a phone the end of the form is far
  }
}

function lock(form, on) {
  all("button", form).forEach((button) => (button.disabled = on));
  fieldsOf(form).forEach((field) => (field.readOnly = on));
}

// A phone that goes to sleep may end the page without a word; and who comes back may have typed on another device.
document.addEventListener("visibilitychange", () => (document.hidden ? idle().forEach(leaves) : compareTyped()));

const idle = () => all("form[data-turn]").filter((form) => !busy.has(keyOf(form)));

/** Take what was typed later on another device; a server that has lost what is typed here, as at a restart, is told again. */
export function compareTyped() {
  idle().forEach(comesBack);
}

function leaves(form) {
  save(form);
  if (sharing.has(form)) share(form);
}

async function comesBack(form) {
  const found = await send("GET", `/api/v1/sessions/${page.session.id}/turns?seat=${encodeURIComponent(page.session.seat)}`).catch(() => null);
  const turn = found?.turns.find((one) => one.step === form.dataset.turn);
  if (!form.isConnected || !turn) return;
  if (takeLater(form, turn.typed)) {
    fill(form, turn.typed.fields);
    tell(statusOf(form), say("kept"));
  } else if (!turn.typed && kept(keyOf(form))?.fields) share(form);
}
