// Whether this phone and this network will do: what pages need, tried one after the other.
import { byId, keep, kept, page, say } from "./page.js";
import { send } from "./send.js";

const checks = {
  script: async () => true,
  keeps: async () => keep("check", 1) && kept("check") === 1 && keep("check", null),
  stream: () =>
    new Promise((done) => {
      const source = new EventSource("/check/stream");
      const end = (well) => (source.close(), done(well));
      source.addEventListener("beat", () => end(true));
      source.onerror = () => end(false);
      setTimeout(() => end(false), 5000);
    }),
  sends: async () => (await send("POST", "/check/echo", {})).received === true,
  clock: async () => Math.abs(Date.parse(page.now) - Date.now()) < 300000,
};
const SMALL = ["stream", "clock"]; // without these it works all the same

/** Try them, and say what came of it. */
export async function start() {
  const failed = [];
  for (const [name, check] of Object.entries(checks)) {
    const well = await check().catch(() => false);
    const row = document.querySelector(`[data-check=${name}]`);
    if (row) row.querySelector(".result").textContent = well ? say("check-yes") : say("check-no");
    row?.classList.add(well ? "well" : "not");
    if (!well) failed.push(name);
  }
  const bad = failed.some((name) => !SMALL.includes(name));
  const verdict = byId("verdict");
  verdict.className = `notice ${bad ? "bad" : "good"}`;
  verdict.textContent = bad ? say("check-bad") : failed.length ? say("check-slower") : say("check-good");
}
