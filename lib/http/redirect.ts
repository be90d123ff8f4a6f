import { HttpStatusError } from "../errors/mod.ts";
import { requestLine } from "./request_line.ts";
import type { HttpRequest } from "./transport.ts";

const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Most redirects followed for one request. */
const MAX_REDIRECTS = 5;

/** How much of a target that is no address an error shows, in characters. */
const SHOWN_CHARS = 80;

/** One answer that points elsewhere, and what led to it. */
export interface Redirect {
  /** The request that was redirected. */
  readonly request: HttpRequest;
  /** Where it was sent. */
  readonly from: string;
  /** How many redirects were followed before. */
  readonly followed: number;
}

/**
 * Where an answer redirects a request to, or `undefined` where it does not.
 *
 * Only a GET is followed, and only within its origin: neither headers nor a body ever go to a host
 * that the caller has not named, nor unencrypted where the caller asked for encryption. A target with
 * credentials is not followed, since they would be sent in place of the caller's.
 *
 * @throws {HttpStatusError} If the redirect must not be followed.
 */
export function redirectTarget(response: Response, redirect: Redirect): string | undefined {
  if (!REDIRECTING.has(response.status)) return undefined;
  const location = response.headers.get("location");
  if (location === null) return undefined;
  const { request, from } = redirect;
  const target = targetOf(location, redirect);
  if (typeof target === "string") return target;
  const line = requestLine(request);
  throw new HttpStatusError(`Cannot follow the redirect of ${line} ${target.reason}`, {
    request: line,
    status: response.status,
    body: "",
    facts: { from: new URL(from).origin, to: target.to },
    remedy: target.remedy,
  });
}

/** Why a redirect is not followed. */
interface Refusal {
  /** As it follows "Cannot follow the redirect of GET /x". */
  readonly reason: string;
  /** Where it leads, without query and credentials. */
  readonly to: string;
  readonly remedy: string;
}

const CHECK = "Check the address of the deployment";
const CHECK_WHO =
  "Check the address of the deployment, and that no proxy answers in its place: an order book does not redirect there";

function targetOf(location: string, { request, from, followed }: Redirect): string | Refusal {
  const { origin } = new URL(from);
  const isEmpty = location.trim() === "";
  const to = isEmpty ? null : URL.parse(location, from);
  if (to === null) {
    const reason = isEmpty ? "to nowhere: its target is empty" : "to what is no URL";
    return { reason, to: JSON.stringify(location.slice(0, SHOWN_CHARS)), remedy: CHECK_WHO };
  }
  if (!/^https?:$/.test(to.protocol)) {
    const reason = `to a ${to.protocol} address, to which no request can be sent`;
    return { reason, to: `${to.protocol}${to.pathname}`.slice(0, SHOWN_CHARS), remedy: CHECK_WHO };
  }
  const place = to.origin + to.pathname;
  if (to.origin !== origin) return toAnotherOrigin(to, origin);
  if (to.username !== "" || to.password !== "") {
    return { reason: "to an address with credentials in it", to: place, remedy: CHECK_WHO };
  }
  if (request.method !== "GET") return { reason: "with its body", to: place, remedy: CHECK };
  if (followed < MAX_REDIRECTS) return to.href;
  return { reason: `more than ${MAX_REDIRECTS} times`, to: place, remedy: CHECK };
}

function toAnotherOrigin(to: URL, origin: string): Refusal {
  const reason = `to another origin, ${to.origin}`;
  const place = to.origin + to.pathname;
  return origin.startsWith("https:") && to.protocol === "http:"
    ? { reason: `${reason}, which is not encrypted as ${origin} is`, to: place, remedy: CHECK_WHO }
    : { reason, to: place, remedy: `If you trust ${to.origin}, connect to it` };
}
