// Parts of a page that show how a session stands: replaced by the server's own where they have changed, and nothing else.
import { all, page, tell } from "./page.js";
import { pageAgain } from "./send.js";

const CALM = 250;
let timer = 0;
let running = false;
let again = false;
const replaced = [];
const sent = new WeakMap();
const successors = new WeakMap();

all("[data-region]").forEach(note);

/** Have `look(element)` called for the page now, and for each part that is replaced later. */
export function onShown(look) {
  replaced.push(look);
  look(document);
}

/** Fetch the parts soon; many wishes in a moment are one. */
export function refresh() {
  clearTimeout(timer);
  timer = setTimeout(fetchNow, CALM);
}

/** Fetch the parts now; the page as the server has it, or null where it did not answer. */
export async function fetchNow({ whole = false } = {}) {
  if (running && !whole) {
    again = true;
    return null;
  }
  running = true;
  try {
    const found = await pageAgain(page.session && !whole ? partAddress() : location.href);
    all("[data-region]").forEach((old) => replaceBy(old, found));
    return found;
  } catch {
    return null; // the stream tells that the connection is lost, and asks again when it is back
  } finally {
    running = false;
    if (again) {
      again = false;
      refresh();
    }
  }
}

function partAddress() {
  const address = new URL(location.href);
  address.searchParams.set("part", "live");
  return address;
}

// ── replacing ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Replace a part that the server has changed; one with a key keeps what was typed in it as long as its key stays. */
function replaceBy(old, found) {
  const fresh = found.querySelector(`[data-region="${CSS.escape(old.dataset.region)}"]`);
  if (!fresh) return;
  const taken = document.importNode(fresh, true);
  if (old.dataset.key === undefined ? sent.get(old)?.isEqualNode(taken) : old.dataset.key === fresh.dataset.key) {
    renewClocks(old, taken);
    return;
  }
  note(taken);
  const focused = old.contains(document.activeElement) ? document.activeElement.id || document.activeElement.name : "";
  keepOpen(old, taken);
  keepForms(old, taken);
  old.replaceWith(taken);
  replaced.forEach((look) => look(taken));
  if (focused) (taken.querySelector(`[id="${CSS.escape(focused)}"], [name="${CSS.escape(focused)}"]`) || taken).focus?.();
}

/** Remember a part as the server has sent it: scripts fill in clocks, messages and codes, and that is no change. */
function note(region) {
  sent.set(region, region.cloneNode(true));
}

/** Somebody was given more time: that is all that changes in a form which is being filled in. */
function renewClocks(old, fresh) {
  const clocks = all("time.clock", fresh);
  if (clocks.length) all("time.clock", old).forEach((clock, n) => clocks[n] && (clock.dateTime = clocks[n].dateTime));
}

/** What somebody has unfolded stays so. */
function keepOpen(old, taken) {
  const named = (details) => details.id || details.querySelector("summary")?.textContent.trim();
  const open = new Map(all("details", old).map((one) => [named(one), one.open]));
  for (const details of all("details", taken)) details.open = open.get(named(details)) ?? details.open;
}

const MADE = "form[data-send], form[data-invite]";
const which = (form) => [form.dataset.send, form.dataset.invite, ...all("input[hidden], input[type=hidden]", form).map((one) => one.value)].join(" ");

/** Forms keep what was answered to them, and what is typed in them; of one that is gone the answer stays. */
function keepForms(old, taken) {
  const there = new Map(all(MADE, taken).map((form) => [which(form), form]));
  for (const form of all(MADE, old)) {
    const next = there.get(which(form));
    successors.set(form, next || taken);
    if (next) keepForm(form, next);
    else if (form.dataset.done && form.querySelector(".sent.good")?.textContent) tellAbove(taken, form.querySelector(".sent").textContent, "good");
  }
  all(":scope > .told-above", old).forEach((told) => tellAbove(taken, told.textContent, told.classList.contains("good") ? "good" : "bad"));
}

function keepForm(form, next) {
  for (const part of [".sent", ".made"]) {
    const [from, into] = [form.querySelector(part), next.querySelector(part)];
    if (from?.hasChildNodes() && into) into.replaceWith(from);
  }
  for (const field of all("textarea, input[type=text], input[type=number], input[type=range]", form)) {
    const own = field.value !== field.defaultValue && next.elements[field.name];
    if (own) own.value = field.value;
  }
}

function tellAbove(region, text, tone) {
  if (all(":scope > .told-above", region).some((one) => one.textContent === text)) return;
  const told = Object.assign(document.createElement("p"), { className: `notice told-above ${tone}`, textContent: text });
  told.setAttribute("role", "status");
  region.prepend(told);
}

/** Say how a form was answered, wherever it stands by now: its part may have been replaced while it was sent. */
export function answered(form, text, tone = "") {
  let here = form;
  while (successors.has(here) && !here.isConnected) here = successors.get(here);
  if (here.matches(MADE)) tell(here.querySelector(".sent"), text, tone);
  else if (tone === "bad" || (tone && form.dataset.done)) tellAbove(here, text, tone);
  return here;
}
