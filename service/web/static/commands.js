// What a moderator does, and the audience's votes: sent as a document, answered in a sentence.
import { all, keep, kept, page, say } from "./page.js";
import { answered, refresh } from "./regions.js";
import { send } from "./send.js";

const base = () => (page.classroom ? page.classroom.base : `/api/v1/sessions/${page.session.id}`);

function values(form, pressed) {
  const body = {};
  for (const [name, value] of new FormData(form)) {
    const field = form.elements[name];
    if (name === "csrf" || name === "up") continue; // for browsers without scripts
    const number = field && (field.type === "range" || field.type === "number");
    if (value !== "") body[name] = number ? Number(value) : value;
  }
  if (pressed && pressed.name) body[pressed.name] = pressed.value;
  return body;
}

async function sent(form, pressed) {
  const sure = (pressed && pressed.dataset.sure) || form.dataset.sure;
  if (sure && !confirm(sure)) return;
  const body = values(form, pressed);
  if (form.dataset.phase !== undefined) body.sure = Boolean(sure);
  answered(form, (pressed && pressed.dataset.busy) || form.dataset.busy || say("sending"));
  all("button", form).forEach((button) => (button.disabled = true));
  try {
    const address = (form.dataset.base ?? base()) + form.dataset.send;
    const given = await send(form.dataset.method || "POST", address, body);
    if (given && given.done === false) return answered(form, say("look-again"), "bad"); // the page tells what, when it is drawn anew
    const here = answered(form, (pressed && pressed.dataset.done) || form.dataset.done || say("done"), "good");
    if (form.dataset.codes !== undefined) showCodes(here, given);
    all("[data-kept]", form).forEach((field) => keep(draftOf(field), null));
    all("textarea, input[type=text]", here).forEach((field) => (field.value = ""));
    if (form.dataset.then) location.href = form.dataset.then;
  } catch (error) {
    answered(form, error.message, "bad");
  } finally {
    all("button", form).forEach((button) => (button.disabled = false));
    allow();
    refresh();
  }
}

function showCodes(form, given) {
  const pairs = [["completion", given.completion], ["withdrawal", given.withdrawal]].filter(([, code]) => code);
  const parts = pairs.flatMap(([name, code]) => [
    Object.assign(document.createElement("dt"), { textContent: name === "completion" ? say("code-completion") : say("code-withdrawal") }),
    Object.assign(document.createElement("dd"), { className: "code", textContent: code }),
  ]);
  form.querySelector(".made")?.replaceChildren(...parts);
}

/** Forms and buttons that send a command. */
export function commandForms(within) {
  for (const form of all("form[data-send]", within)) {
    form.addEventListener("submit", (event) => (event.preventDefault(), sent(form, event.submitter)));
  }
  all("[data-kept]", within).forEach(keepDraft);
  for (const slider of all("input[type=range][data-shown]", within)) {
    const shown = document.getElementById(slider.dataset.shown);
    const show = () => (shown.textContent = Number(slider.value).toLocaleString(page.language, { minimumFractionDigits: 2 }));
    slider.addEventListener("input", show);
    show();
  }
  allow();
}

const draftOf = (field) => `${location.pathname}:${field.form.dataset.send}:${field.name}`;

/** What is typed in a field stays in this browser until it is sent, and in sight. */
function keepDraft(field) {
  const known = kept(draftOf(field));
  if (known && !field.value) {
    field.value = known;
    field.closest("details")?.setAttribute("open", "");
  }
  field.addEventListener("input", () => keep(draftOf(field), field.value || null));
}

/** What may not be done now cannot be pressed. */
export function allow() {
  const region = document.querySelector("[data-allowed]");
  if (!region) return;
  const allowed = region.dataset.allowed.split(" ");
  for (const part of all("[data-command]")) {
    const may = part.dataset.command.split(" ").some((name) => allowed.includes(name));
    part.hidden = !may && part.dataset.hide !== undefined;
    if (part.tagName === "FIELDSET" || part.tagName === "BUTTON") part.disabled = !may;
  }
}
