// The log of what was said: grows at its end, keeps the reader's place, shows what is being written.
import { byId, page, say } from "./page.js";

const log = byId("log");
const drafts = byId("drafts");
const latest = byId("latest");
const writing = new Map();
const NEAR = 160;

const atEnd = () => window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - NEAR;

/** Go to what was said last: on a phone's page all of it scrolls, in a room the log alone. */
export function toEnd() {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}


/** Add what an event adds. */
export function add(document_) {
  if (!log || !document_.html) return;
  const follows = page.session.follows && atEnd();
  const shell = document.createElement("template");
  shell.innerHTML = document_.html;
  log.append(shell.content);
  byId("nothing")?.remove();
  if (follows) toEnd();
  else if (latest && page.session.follows) latest.hidden = false;
}

/** Words were removed from the session: what stands here is what the server has now. */
export function rewrite(again) {
  const found = again.getElementById("log");
  if (log && found) log.replaceChildren(...found.childNodes);
}

/** A piece of a text that is being written. */
export function draft(piece) {
  if (!drafts) return;
  const known = writing.get(piece.step) || { text: "", shown: null };
  if (piece.done) {
    known.shown?.remove();
    writing.delete(piece.step);
    return;
  }
  known.text = known.text.slice(0, piece.at) + piece.text;
  writing.set(piece.step, known);
  known.shown = known.shown || drafted(piece.seat);
  const follows = page.session.follows && atEnd();
  known.shown.lastElementChild.textContent = known.text;
  if (follows) toEnd();
}

/** A stream that begins anew tells all that is being written from its beginning. */
export function forgetDrafts() {
  writing.forEach((known) => known.shown?.remove());
  writing.clear();
}

function drafted(seat) {
  const shown = document.createElement("article");
  const name = (page.session.names && page.session.names[seat]) || seat;
  shown.className = `speech draft ${seat.split("-")[0]}`;
  const head = document.createElement("header");
  const who = document.createElement("h3");
  who.textContent = name;
  const what = document.createElement("span");
  what.textContent = say("writes");
  head.append(who, what);
  const words = document.createElement("p");
  words.className = "said plain";
  shown.append(head, words);
  drafts.append(shown);
  return shown;
}

if (latest) {
  latest.querySelector("button").addEventListener("click", () => (toEnd(), (latest.hidden = true)));
  window.addEventListener("scroll", () => atEnd() && (latest.hidden = true), { passive: true });
}
