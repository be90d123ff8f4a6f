import { HttpStatusError } from "../errors/mod.ts";
import { requestLine } from "./request_line.ts";
import type { HttpRequest } from "./transport.ts";

const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Most redirects followed for one request. */
const MAX_REDIRECTS = 5;

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
 * that the caller has not named.
 *
 * @throws {HttpStatusError} If the redirect must not be followed.
 */
export function redirectTarget(response: Response, redirect: Redirect): string | undefined {
  if (!REDIRECTING.has(response.status)) return undefined;
  const location = response.headers.get("location");
  if (location === null) return undefined;
  const { request, from, followed } = redirect;
  const to = URL.parse(location, from);
  const { origin } = new URL(from);
  if (to?.origin === origin && request.method === "GET" && followed < MAX_REDIRECTS) return to.href;
  const line = requestLine(request);
  throw new HttpStatusError(
    `Cannot follow the redirect of ${line} ${reason(to, origin, request)}`,
    {
      request: line,
      status: response.status,
      body: "",
      facts: { from: origin, to: to === null ? "no URL" : to.origin + to.pathname },
      remedy: to === null || to.origin === origin
        ? "Check the address of the deployment"
        : `If you trust ${to.origin}, connect to it`,
    },
  );
}

function reason(to: URL | null, origin: string, request: HttpRequest): string {
  if (to === null) return "to what is no URL";
  if (to.origin !== origin) return `to another origin, ${to.origin}`;
  if (request.method !== "GET") return "with its body";
  return `more than ${MAX_REDIRECTS} times`;
}
