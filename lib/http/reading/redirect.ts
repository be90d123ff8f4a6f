import { HttpStatusError } from "../../errors/mod.ts";
import { requestLine } from "../requests/request_line.ts";
import type { HttpRequest } from "../requests/transport.ts";

const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Maximum number of redirects followed for one request. */
const MAX_REDIRECTS = 5;

/** Length of an invalid target that an error shows, in characters. */
const SHOWN_CHARS = 80;

/** A redirect and how it was reached. */
export interface Redirect {
  /** The request that was redirected. */
  readonly request: HttpRequest;
  /** The URL it was sent to. */
  readonly from: string;
  /** Number of redirects followed before. */
  readonly followed: number;
}

/**
 * The URL that an answer redirects to, or `undefined` if it is not a redirect.
 *
 * Only a GET is redirected, and only within its origin: headers and bodies never go to a host that
 * the caller did not name, and never unencrypted if the caller asked for https. A target with
 * credentials is not followed, since they would replace the caller's.
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
  /** The clause after "Cannot follow the redirect of GET /x". */
  readonly reason: string;
  /** Its target, without query and credentials. */
  readonly to: string;
  readonly remedy: string;
}

const CHECK = "Check the address of the deployment";
const CHECK_WHO =
  "Check the address of the deployment, and that no proxy answers for it: an order book does not redirect like this";

function targetOf(location: string, { request, from, followed }: Redirect): string | Refusal {
  const { origin } = new URL(from);
  const isEmpty = location.trim() === "";
  const to = isEmpty ? null : URL.parse(location, from);
  if (to === null) {
    const reason = isEmpty ? "without a target" : "to an invalid URL";
    return { reason, to: JSON.stringify(location.slice(0, SHOWN_CHARS)), remedy: CHECK_WHO };
  }
  if (!/^https?:$/.test(to.protocol)) {
    const reason = `to a ${to.protocol} URL, which is not http or https`;
    return { reason, to: `${to.protocol}${to.pathname}`.slice(0, SHOWN_CHARS), remedy: CHECK_WHO };
  }
  const target = to.origin + to.pathname;
  if (to.origin !== origin) return toAnotherOrigin(to, origin);
  if (to.username !== "" || to.password !== "") {
    return { reason: "to a URL with credentials", to: target, remedy: CHECK_WHO };
  }
  if (request.method !== "GET") return { reason: "with its body", to: target, remedy: CHECK };
  if (followed < MAX_REDIRECTS) return to.href;
  return { reason: `more than ${MAX_REDIRECTS} times`, to: target, remedy: CHECK };
}

function toAnotherOrigin(to: URL, origin: string): Refusal {
  const reason = `to another origin, ${to.origin}`;
  const target = to.origin + to.pathname;
  return origin.startsWith("https:") && to.protocol === "http:"
    ? {
      reason: `${reason}, which is not encrypted, unlike ${origin}`,
      to: target,
      remedy: CHECK_WHO,
    }
    : { reason, to: target, remedy: `If you trust ${to.origin}, connect to it` };
}
