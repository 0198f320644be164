// What a page does is told by what stands in it: every module looks for its own parts.
import { all, byId, page, say } from "./page.js";
import { localTimes, startClocks } from "./clock.js";
import { commandForms } from "./commands.js";
import { inviteForms, startForm } from "./forms.js";
import { fetchNow, onShown, refresh } from "./regions.js";
import { leads, printButton } from "./leads.js";
import { roomButtons } from "./room.js";
import { compareTyped, turnForms } from "./seat.js";
import { follow } from "./stream.js";
import { add, draft, forgetDrafts, rewrite, toEnd } from "./transcript.js";

onShown((within) => {
  localTimes(within);
  commandForms(within);
  inviteForms(within);
  if (page.session) turnForms(within);
  leads(within);
});
startForm();
roomButtons();
printButton();
startClocks();

if (page.session || page.classroom) {
  follow({
    event: async (document_) => {
      add(document_);
      if (document_.kind === "redacted") rewrite(await fetchWhole());
    },
    status: refresh,
    draft,
    presence: showPresence,
    gone: () => (page.session ? location.reload() : removed()),
    back: () => (forgetDrafts(), refresh(), compareTyped()),
    opened: forgetDrafts,
  });
  if (page.session?.follows && !location.hash && byId("log").children.length > 3) toEnd();
}
if (page.check && byId("verdict")) import("./check.js").then((check) => check.start());

/** Who follows the session just now, for whoever moderates it. */
function showPresence({ audience, seats }) {
  const here = Object.values(seats).join(", ");
  const told = [say("watching", { n: audience }), here && say("connected", { seats: here })];
  if (byId("presence")) byId("presence").textContent = told.filter(Boolean).join(" · ");
}

/** The class is no more: nothing of it stays on a screen, and nobody is asked to sign in to it. */
function removed() {
  const told = Object.assign(document.createElement("p"), { className: "notice", textContent: say("class-removed") });
  told.setAttribute("role", "status");
  byId("main").replaceChildren(told);
}

async function fetchWhole() {
  const found = await fetchNow({ whole: true });
  if (!found) location.reload();
  return found;
}

// Links and buttons work before a script has come; what needs one is shown from now on.
all("[data-needs-script]").forEach((part) => (part.hidden = false));
