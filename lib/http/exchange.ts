import { HttpStatusError } from "../errors/mod.ts";
import { describeValue } from "../errors/option_rules.ts";
import { hideSecrets } from "../errors/secrets.ts";
import { type FailedAttempt, toFailure, toTimeout, toUnanswered } from "./failed_attempt.ts";
import { computeBackoffMs, isReadOnly, mayRepeatAfter, retryAfterMs, Watch } from "./limits.ts";
import type { Endpoint, Settings } from "./settings.ts";
import { type HttpRequest, type Observation, requestLine } from "./transport.ts";

/** A request in flight. */
export interface PendingRequest {
  /** The request. */
  readonly request: HttpRequest;
  /** The endpoint it is sent to. */
  readonly endpoint: Endpoint;
  /** The full URL it is first sent to. */
  readonly url: string;
  /** Value of `Accept`, unless the caller's headers set it. */
  readonly accept: string;
  /** Reports the request to the hooks. */
  readonly observation: Observation;
}

/**
 * Reads the result from a response whose headers have arrived, and ends the watch once the body is
 * read.
 */
type ResponseReader<T> = (response: Response, watch: Watch) => Promise<T>;

type Outcome<T> =
  | { readonly result: T; readonly status: number; readonly headers: Headers }
  | { readonly redirectedTo: string }
  | { readonly failed: FailedAttempt };

/**
 * Sends a request until it gets a final response, waiting between attempts.
 *
 * @returns The result of the last response, whatever its status.
 * @throws {UnansweredError} If the last attempt got no complete response.
 * @throws {HttpStatusError} If a response cannot be read or must not be followed.
 */
export async function exchange<T>(
  settings: Settings,
  pending: PendingRequest,
  readResponse: ResponseReader<T>,
): Promise<T> {
  const { request, endpoint, observation } = pending;
  let { url } = pending;
  let redirectCount = 0;
  let lastResponseMs = settings.clock.now();
  for (let attempt = 1;;) {
    await endpoint.limiter?.take(request.signal);
    observation.attempts++;
    const outcome = await sendOnce(settings, { ...pending, url, redirectCount }, readResponse);
    if ("redirectedTo" in outcome) {
      url = outcome.redirectedTo;
      redirectCount++;
      continue;
    }
    const nowMs = settings.clock.now();
    if ("result" in outcome) lastResponseMs = nowMs;
    const isLast = attempt > (request.retries ?? settings.retries) ||
      nowMs - lastResponseMs >= settings.silenceMs;
    const waitMs = isLast ? undefined : waitBeforeNext(settings, { outcome, request, attempt });
    if (waitMs === undefined) {
      if ("result" in outcome) return outcome.result;
      throw toUnanswered(outcome.failed, request, { origin: endpoint.origin, attempts: attempt });
    }
    observation.reportRetry({
      waitMs,
      because: "failed" in outcome ? outcome.failed.because : outcome.status,
    });
    await settings.clock.sleep(waitMs, request.signal ?? NEVER_ABORTED);
    attempt++;
  }
}

const NEVER_ABORTED = new AbortController().signal;

async function sendOnce<T>(
  settings: Settings,
  pending: PendingRequest & { redirectCount: number },
  readResponse: ResponseReader<T>,
): Promise<Outcome<T>> {
  const { request, url, redirectCount } = pending;
  const watch = new Watch(settings.clock, settings.timeoutMs, request.signal);
  watch.startTimer();
  try {
    const init = buildInit(pending, watch.signal);
    const response = await watch.waitFor(callAsync(() => settings.fetch(url, init)), discard);
    const redirectedTo = resolveRedirect(response, { request, from: url, redirectCount });
    if (redirectedTo !== undefined) {
      watch.cancel();
      discard(response);
      return { redirectedTo };
    }
    const result = await readResponse(response, watch);
    return { result, status: response.status, headers: response.headers };
  } catch (error) {
    watch.cancel();
    request.signal?.throwIfAborted();
    return {
      failed: watch.isTimedOut ? toTimeout(error, settings.timeoutMs) : toFailure(error),
    };
  }
}

/** Returns the wait before the next attempt, in milliseconds; `undefined` if there must be none. */
function waitBeforeNext<T>(
  settings: Settings,
  { outcome, request, attempt }: {
    outcome: Exclude<Outcome<T>, { redirectedTo: string }>;
    request: HttpRequest;
    attempt: number;
  },
): number | undefined {
  const waitMs = computeBackoffMs(attempt, settings.backoff);
  if ("failed" in outcome) {
    return outcome.failed.isTransient && isReadOnly(request) ? waitMs : undefined;
  }
  if (!mayRepeatAfter(outcome.status, request)) return undefined;
  const requestedMs = retryAfterMs(outcome.headers, settings.clock.now()) ?? 0;
  return requestedMs > settings.retryAfterCapMs ? undefined : Math.max(waitMs, requestedMs);
}

function buildInit(
  { request, endpoint, accept }: PendingRequest,
  signal: AbortSignal,
): RequestInit {
  const { method, body } = request;
  const headers = { accept, ...endpoint.headers };
  const init = { method, headers, redirect: "manual", signal } as const;
  return body === undefined
    ? init
    : { ...init, headers: { ...headers, "content-type": "application/json" }, body };
}

/** Async, so that an injected `fetch` that throws synchronously also rejects. */
// deno-lint-ignore require-await
async function callAsync<T>(start: () => Promise<T>): Promise<T> {
  return start();
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Maximum number of redirects followed for one request. */
const MAX_REDIRECTS = 5;

/** Length of an invalid target that an error shows, in characters. */
const MAX_TARGET_CHARS = 80;

/** A redirect and how it was reached. */
interface Redirect {
  /** The request that was redirected. */
  readonly request: HttpRequest;
  /** The URL it was sent to. */
  readonly from: string;
  /** Number of redirects followed before. */
  readonly redirectCount: number;
}

/**
 * Returns the URL that a response redirects to; `undefined` if it is not a redirect.
 *
 * Only a GET is redirected, and only within its origin: headers and bodies never go to a host that
 * the caller did not name, and never unencrypted if the caller requested https. A target with
 * credentials is not followed, since they would replace the caller's.
 *
 * @throws {HttpStatusError} If the redirect must not be followed.
 */
export function resolveRedirect(response: Response, redirect: Redirect): string | undefined {
  if (!REDIRECT_STATUSES.has(response.status)) return undefined;
  const location = response.headers.get("location");
  if (location === null) return undefined;
  const to = location.trim() === "" ? null : URL.parse(location, redirect.from);
  const refusal = findRefusal(to, location, redirect);
  if (refusal === null) return to?.href;
  const line = requestLine(redirect.request);
  throw new HttpStatusError(`Cannot follow the redirect of ${line} ${refusal.reason}`, {
    request: line,
    status: response.status,
    facts: { from: new URL(redirect.from).origin, to: formatTarget(to, location) },
    remedy: refusal.remedy,
  });
}

const CHECK_ADDRESS = "Check the address of the deployment";

const CHECK_PROXY =
  "Check the address of the deployment, and that no proxy answers for it: an order book does not redirect like this";

/** Returns why a redirect is not followed, after "Cannot follow the redirect of GET /x"; or `null`. */
function findRefusal(
  to: URL | null,
  location: string,
  { request, from, redirectCount }: Redirect,
): { readonly reason: string; readonly remedy: string } | null {
  const { origin } = new URL(from);
  if (to === null) {
    const reason = location.trim() === "" ? "without a target" : "to an invalid URL";
    return { reason, remedy: CHECK_PROXY };
  }
  if (!isHttp(to)) {
    return { reason: `to a ${to.protocol} URL, which is not http or https`, remedy: CHECK_PROXY };
  }
  if (to.origin !== origin) {
    const reason = `to another origin, ${to.origin}`;
    return origin.startsWith("https:") && to.protocol === "http:"
      ? { reason: `${reason}, which is not encrypted, unlike ${origin}`, remedy: CHECK_PROXY }
      : { reason, remedy: `If you trust ${to.origin}, connect to it` };
  }
  if (to.username !== "" || to.password !== "") {
    return { reason: "to a URL with credentials", remedy: CHECK_PROXY };
  }
  if (request.method !== "GET") return { reason: "with its body", remedy: CHECK_ADDRESS };
  if (redirectCount < MAX_REDIRECTS) return null;
  return { reason: `more than ${MAX_REDIRECTS} times`, remedy: CHECK_ADDRESS };
}

/** Formats a target without query, credentials and secrets. */
function formatTarget(to: URL | null, location: string): string {
  if (to === null) return describeValue(location);
  if (isHttp(to)) return to.origin + to.pathname;
  return hideSecrets(to.protocol + to.pathname).slice(0, MAX_TARGET_CHARS);
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
