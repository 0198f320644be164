// Parts of a page that show how a session stands: replaced by the server's own where they have changed, and nothing else.
import { all, page } from "./page.js";
import { pageAgain } from "./send.js";

const CALM = 250;
let timer = 0;
let running = false;
let again = false;
const replaced = [];

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

/** Replace a part that has changed; one with a key keeps what was typed in it as long as its key stays. */
function replaceBy(old, found) {
  const fresh = found.querySelector(`[data-region="${CSS.escape(old.dataset.region)}"]`);
  if (!fresh) return;
  const same = old.dataset.key === undefined ? old.isEqualNode(fresh) : old.dataset.key === fresh.dataset.key;
  if (same) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.id || document.activeElement.name : "";
  const taken = document.importNode(fresh, true);
  old.replaceWith(taken);
  replaced.forEach((look) => look(taken));
  if (focused) (taken.querySelector(`[id="${CSS.escape(focused)}"], [name="${CSS.escape(focused)}"]`) || taken).focus?.();
}
