// Requests to the server, with this browser's proof; what was refused, and what did not arrive.
import { page, say } from "./page.js";

const PATIENCE = 20000;

/** No answer came: nobody knows whether the request arrived. */
export class Unanswered extends Error {}

/** The server has refused; the message is its sentence. */
export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** Send a request; the answer's document. Throws Unanswered, Refused. */
export async function send(method, address, body, headers = {}, more = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  let response;
  try {
    response = await fetch(address, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      signal: stop.signal,
      ...more,
      headers: {
        Accept: "application/json",
        "X-CSRF-Token": page.csrf,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Unanswered(say("no-answer"));
  } finally {
    clearTimeout(timer);
  }
  const text = await response.text().catch(() => "");
  let document = null;
  try {
    document = text ? JSON.parse(text) : null;
  } catch {
    document = null;
  }
  if (response.ok) return document;
  if ([429, 502, 503, 504].includes(response.status)) throw new Unanswered((document && document.detail) || say("busy"));
  throw new Refused(response.status, (document && document.detail) || say("refused", { status: response.status }));
}

/** The same page from the server, as a document. Throws Unanswered. */
export async function pageAgain(address) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const response = await fetch(address, { credentials: "same-origin", cache: "no-store", signal: stop.signal, headers: { Accept: "text/html" } });
    if (response.status >= 500) throw new Unanswered(say("busy"));
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    throw new Unanswered(say("no-answer"));
  } finally {
    clearTimeout(timer);
  }
}
