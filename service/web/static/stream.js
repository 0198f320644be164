// One stream of server-sent events for this tab: closed while nobody looks, resumed by number, polled where none comes through.
import { byId, page, say } from "./page.js";
import { send } from "./send.js";

const SILENT = 6000; // a stream that opens and says nothing for so long is held back on its way
const DEAD = 40000; // the server says something every 15 seconds: a connection that says nothing has died unnoticed
const POLL = 3000;
const TRY_STREAM_AGAIN = 60000;
const TELL_LOST_AFTER = 2500;

let heard = null;
let source = null;
let after = 0;
let silence = 0;
let watch = 0;
let polling = 0;
let retry = 0;
let lost = 0;
let failures = 0;
let ended = false;

/** Follow the page's session, or class: `on` has event(document), status(), draft(document), presence(document),
 *  gone(), back(), opened(). */
export function follow(on) {
  heard = on;
  after = page.session ? page.session.after : 0;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", () => document.hidden || open());
  window.addEventListener("online", () => document.hidden || open());
  window.addEventListener("offline", tellLost);
  if (!document.hidden) open();
}

const query = () => {
  const asked = new URLSearchParams({ lang: page.language, after: String(after) });
  if (page.session.seat) asked.set("seat", page.session.seat);
  if (page.session.room) asked.set("room", "1");
  return asked;
};

function open() {
  close();
  if (ended) return;
  heard.opened();
  source = new EventSource(page.session ? `/sessions/${page.session.id}/stream?${query()}` : `${page.classroom.address}/stream`);
  silence = setTimeout(() => poll(), SILENT);
  source.addEventListener("class", () => (arrived(), heard.status()));
  for (const kind of page.session ? page.session.kinds : []) source.addEventListener(kind, (e) => take(JSON.parse(e.data)));
  source.addEventListener("status", () => (arrived(), heard.status()));
  source.addEventListener("draft", (e) => (arrived(), heard.draft(JSON.parse(e.data))));
  source.addEventListener("presence", (e) => (arrived(), heard.presence(JSON.parse(e.data))));
  source.addEventListener("here", arrived);
  source.addEventListener("gone", () => ((ended = true), close(), heard.gone()));
  source.onerror = () => {
    noteLost();
    if (source && source.readyState === EventSource.CLOSED) again();
  };
}

function close() {
  if (source) source.close();
  source = null;
  clearTimeout(silence);
  clearTimeout(watch);
  clearTimeout(polling);
  clearTimeout(retry);
}

function again() {
  close();
  failures += 1;
  if (failures > 2) poll();
  else retry = setTimeout(open, 1000 * 2 ** failures);
}

function arrived() {
  clearTimeout(silence);
  clearTimeout(watch);
  if (source) watch = setTimeout(() => (noteLost(), open()), DEAD);
  clearTimeout(lost);
  lost = 0;
  failures = 0;
  const offline = byId("offline");
  if (!offline.hidden) {
    offline.hidden = true;
    heard.back();
  }
}

function take(document) {
  arrived();
  if (document.seq <= after) return;
  after = document.seq;
  heard.event(document);
}

/** Say so where nothing comes for a while; a blink is no loss. */
function noteLost() {
  if (!lost) lost = setTimeout(tellLost, TELL_LOST_AFTER);
}

function tellLost() {
  byId("offline").textContent = say("offline");
  byId("offline").hidden = false;
}

// ── where no stream comes through ────────────────────────────────────────────────────────────────────────────────

function poll(since = Date.now()) {
  close();
  ask()
    .then(arrived)
    .catch((error) => (error.status === 404 ? ((ended = true), heard.gone()) : noteLost()))
    .finally(() => {
      if (ended || document.hidden || source) return;
      polling = setTimeout(() => (Date.now() - since > TRY_STREAM_AGAIN ? open() : poll(since)), POLL);
    });
}

async function ask() {
  let more = Boolean(page.session);
  if (!more) await send("GET", page.classroom.address);
  while (more) {
    const part = await send("GET", `/sessions/${page.session.id}/events?${query()}`);
    part.events.forEach(take);
    after = Math.max(after, part.next);
    more = part.more;
  }
  heard.status();
}
