// Where somebody in a class goes next: to their seat when they play, back to the class when they have.
import { all } from "./page.js";
import { refresh } from "./regions.js";

/** Follow links that lead on by themselves after a while; look again now and then while somebody waits. */
export function leads(within) {
  for (const link of all("a[data-lead]", within)) {
    const go = () => link.isConnected && !document.hidden && location.replace(link.href);
    setTimeout(go, Number(link.dataset.lead));
    document.addEventListener("visibilitychange", go);
  }
  for (const waiting of all("[data-again]", within)) {
    const timer = setInterval(() => {
      if (!waiting.isConnected) clearInterval(timer);
      else if (!document.hidden) refresh();
    }, Number(waiting.dataset.again));
  }
}

/** The button by which a page is printed. */
export function printButton() {
  all("button[data-print]").forEach((button) => button.addEventListener("click", () => window.print()));
}
