// Deadlines: the time that is left, by the server's clock; told aloud when it grows short.
import { all, byId, page, say } from "./page.js";

const ahead = page.now ? Date.parse(page.now) - Date.now() : 0;
/** The server's time in milliseconds, as far as this page knows it. */
export const serverTime = () => Date.now() + ahead;
const TOLD = [60, 10];
const told = new Set();

function left(element) {
  return Math.max(0, Math.round((Date.parse(element.dateTime) - Date.now() - ahead) / 1000));
}

function inWords(seconds) {
  if (seconds >= 7200) return say("hours", { n: Math.round(seconds / 3600) });
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  for (const element of all("time.clock")) {
    const seconds = left(element);
    element.textContent = inWords(seconds);
    element.classList.toggle("soon", seconds <= 30);
    for (const mark of TOLD) {
      const key = `${element.dateTime} ${mark}`;
      if (seconds <= mark && seconds > 0 && !told.has(key)) {
        told.add(key);
        const aloud = byId("aloud");
        if (aloud) aloud.textContent = say("time-left", { n: mark });
      }
    }
  }
}

/** Show moments in the reader's own time zone, and begin to count. */
export function startClocks() {
  setInterval(tick, 1000);
  tick();
}

export function localTimes(within) {
  const form = new Intl.DateTimeFormat(page.language, { dateStyle: "medium", timeStyle: "short" });
  for (const element of all("time.moment", within)) element.textContent = form.format(new Date(element.dateTime));
  tick();
}
