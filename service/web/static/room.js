// The projector's page: light or dark as the room is, the whole screen, and what is said last in sight.
import { byId, keep, kept, page } from "./page.js";

/** Its buttons, and a log that stays at its end. */
export function roomButtons() {
  const theme = byId("theme");
  if (!theme) return;
  const root = document.documentElement;
  const chosen = kept("theme");
  if (chosen) root.dataset.theme = chosen;
  theme.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep("theme", root.dataset.theme);
  });
  const reveal = byId("reveal");
  reveal?.addEventListener("click", () => reveal.setAttribute("aria-pressed", String(document.body.classList.toggle("revealed"))));
  const full = byId("full");
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()));
  if (!page.session) return;
  const log = byId("log");
  const speaking = log.closest(".scroller");
  const lastInSight = () => speaking.scrollTo({ top: speaking.scrollHeight });
  new MutationObserver(lastInSight).observe(speaking, { childList: true, subtree: true, characterData: true });
  lastInSight();
  document.body.dataset.session = page.session.id;
}
