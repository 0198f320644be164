// What the server has said to this page, and our words in its language.
const given = JSON.parse(document.getElementById("page").textContent);

export const page = given;
export const byId = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** The message of this key; `{name}` in it is filled in. */
export function say(key, values = {}) {
  const text = given.words[key];
  if (text === undefined) throw new Error(`There is no message ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Put a message into an element that is read aloud; `tone` is "good", "bad" or "". */
export function tell(element, text, tone = "") {
  if (!element) return;
  element.textContent = text;
  element.classList.remove("good", "bad");
  element.classList.add("sent", ...(tone ? [tone] : []));
}

// ── what this browser keeps ──────────────────────────────────────────────────────────────────────────────────────

export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(`elenchus:${key}`));
  } catch {
    return null;
  }
}

export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(`elenchus:${key}`);
    else localStorage.setItem(`elenchus:${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false; // a private window may keep nothing: the words are still in the form
  }
}
