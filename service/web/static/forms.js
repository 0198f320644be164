// Forms beside the session's own commands: links that are handed out, and the form by which a debate is begun.
import { all, byId, page, say, tell } from "./page.js";
import { answered, refresh } from "./regions.js";
import { send } from "./send.js";

const CALM = 700;

/** Forms that make a link and a code for a seat or the audience. */
export function inviteForms(within) {
  for (const form of all("form[data-invite]", within)) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      answered(form, say("sending"));
      try {
        const slip = form.dataset.invite === "slip"; // a code of the audience with one vote
        const invite = { role: slip ? "audience" : form.dataset.invite, seat: form.dataset.seat || "", one_vote: slip };
        const made = await send("POST", `/api/v1/sessions/${page.session.id}/invites`, invite);
        answered(form, "").querySelector(".made")?.replaceChildren(...shown(made));
        refresh();
      } catch (error) {
        answered(form, error.message, "bad");
      }
    });
  }
}

function shown(made) {
  const address = location.origin + made.path;
  const link = document.createElement("p");
  link.className = "link";
  const field = Object.assign(document.createElement("input"), { type: "text", readOnly: true, value: address });
  field.setAttribute("aria-label", say("link"));
  field.addEventListener("focus", () => field.select());
  const copy = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: say("copy") });
  copy.addEventListener("click", () => {
    field.select();
    const copied = document.execCommand("copy"); // the clipboard's own interface is missing on plain http
    copy.textContent = copied ? say("copied") : say("copy-by-hand");
  });
  link.append(field, copy);
  const code = document.createElement("p");
  code.append(say("or-code"), " ", Object.assign(document.createElement("b"), { className: "code", textContent: made.code }));
  const qr = document.createElement("span");
  qr.className = "qr";
  qr.append(Object.assign(document.createElement("img"), { src: `/qr?path=${encodeURIComponent(made.path)}`, alt: say("qr"), width: 160, height: 160 }));
  return [link, code, qr];
}

/** The form of a new debate: its estimate follows what is chosen. */
export function startForm() {
  const form = document.querySelector("form[data-estimate]");
  if (!form) return;
  let timer = 0;
  let asked = 0;
  for (const select of all("select[data-other]", form)) {
    const other = byId(select.dataset.other);
    const show = () => (other.hidden = select.value !== "other");
    select.addEventListener("change", show);
    show();
  }
  const estimate = async () => {
    const said = form.dataset.estimate.split(" ").some((name) => (form.elements[name].value || "").trim());
    if (!said || !form.checkValidity()) return;
    const mine = (asked += 1);
    const body = new URLSearchParams(new FormData(form));
    body.set("action", "estimate");
    tell(byId("estimating"), say("estimating"));
    try {
      const response = await fetch(form.getAttribute("action"), { method: "POST", credentials: "same-origin", body });
      const found = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-region=estimate]");
      const old = form.querySelector("[data-region=estimate]");
      if (found && mine === asked) old.replaceWith(document.importNode(found, true));
      if (mine === asked) tell(byId("estimating"), "");
    } catch {
      // what it costs is told by the button, too
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(estimate, CALM);
  });
  estimate();
}
