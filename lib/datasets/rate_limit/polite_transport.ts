import { IN_PROCESS_URL } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { parseInstancePath } from "../../endpoints/instances.ts";
import { RateLimitedError, TimeoutError, UnansweredError } from "../../errors/mod.ts";
import { computeBackoffMs, mayRepeatAfter } from "../../http/limits.ts";
import {
  type Clock,
  type HttpRequest,
  type HttpResponse,
  requestLine,
  retryAfterMs,
  type Transport,
} from "../../http/mod.ts";
import { toRoute } from "../../recordings/request_key.ts";
import { MINUTE_MS } from "../../units/instant.ts";
import { findUserCacheFolder, HostLimit, MIN_SHARE, MIN_UNTIMED_SHARE } from "./host_limit.ts";

/** First wait after a 429 that names none: a gateway may refuse single requests at any rate. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 600_000;
/** A host that requests a longer wait gets no more requests in this run. */
const MAX_REQUESTED_WAIT_MS = 3_600_000;
const BLOCK_WAIT_MS = 600_000;
const BLOCKED_FOR_MS = 3_600_000;
const MAX_WAITS = 10;
const MAX_RETRIES = 4;
/** Pauses after failures of one request alone, which may itself be the cause. */
const MAX_WAITS_FOR_ONE = 2;
const NEVER_ABORTED = new AbortController().signal;

interface PoliteOptions {
  readonly transport: Transport;
  readonly limit: HostLimit;
  readonly clock: Clock;
  /**
   * Returns how long to wait for a deployment that is down, in milliseconds; called when it goes
   * down. With 0, requests fail after their retries. @default {0}
   */
  readonly outageTimeoutMs?: () => number;
}

/** An outage of a deployment: no response has arrived since. */
interface Outage {
  /** Start of the outage, and the longest wait for its end, in milliseconds. */
  readonly sinceMs: number;
  readonly timeoutMs: number;
  /** Requests that failed, by method and path: a single one may itself be the cause. */
  readonly requests: Set<string>;
  /** Pauses so far, and when the last one began. */
  waits: number;
  pausedMs: number;
}

/** Thrown instead of sending a request beyond the limit. */
export class RequestLimitReached extends Error {}

export interface RequestCounts {
  /** Requests by route and status; `network` or `timeout` without a response. */
  readonly routes: Map<string, number>;
  retries: number;
  /** Pauses that the host requested. */
  waits: number;
}

/**
 * Sends requests as a rate-limited host wants them:
 *
 * - every attempt takes its turn at the limit;
 * - after 429, the rate is halved, and all requests wait as long as the host says; otherwise a second,
 *   then twice as long each time, up to ten minutes, at no less than a quarter of the rate;
 * - after 403 with an HTML page, by which a proxy blocks, all requests wait ten minutes once;
 * - transient failures are retried four times; 404 is a response like any other;
 * - while the deployment does not respond at all, all requests wait a minute, then twice as long
 *   each time, up to ten minutes, until the outage times out.
 */
export class PoliteTransport implements Transport {
  readonly baseUrl: string;
  readonly deployment: unknown;
  readonly counts: RequestCounts = { routes: new Map(), retries: 0, waits: 0 };
  /** Maximum number of requests; one more is refused with {@linkcode RequestLimitReached}. */
  maxRequests = Infinity;
  /** Latest time in a `Date` header of the host, in unix milliseconds; `null` without one. */
  hostTimeMs: number | null = null;
  readonly #options: PoliteOptions;
  /** Send times of the requests of the last minute, and of the first one. */
  #sentMs: number[] = [];
  #firstMs: number | null = null;
  #requests = 0;
  #hasWaitedForBlock = false;
  #outage: Outage | null = null;
  #answeredMs = -Infinity;

  constructor(options: PoliteOptions) {
    const { transport } = options;
    this.baseUrl = transport.baseUrl;
    this.deployment = "deployment" in transport ? transport.deployment : undefined;
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Requests per minute, over the last one; 0 before the first. */
  get requestsPerMinute(): number {
    if (this.#firstMs === null) return 0;
    const nowMs = this.#options.clock.now();
    this.#sentMs = this.#sentMs.filter((sentMs) => sentMs > nowMs - MINUTE_MS);
    const elapsedMs = Math.min(MINUTE_MS, Math.max(1_000, nowMs - this.#firstMs));
    return Math.round(this.#sentMs.length * MINUTE_MS / elapsedMs);
  }

  /** Whether the deployment is down: it fails, or does not respond. */
  get isDown(): boolean {
    return this.#outage !== null;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { clock, limit } = this.#options;
    const { signal = NEVER_ABORTED } = request;
    let beganMs: number | null = null;
    for (let [waits, retries] = [0, 0];;) {
      const { sentMs, isAfterBlock, response } = await this.#sendOnce(request, signal);
      beganMs ??= sentMs;
      const hasFailed = response instanceof UnansweredError
        ? mayRetrySucceed(response)
        : response.status !== 429 && mayRepeatAfter(response.status, request);
      if (!hasFailed) [this.#outage, this.#answeredMs] = [null, clock.now()];
      else if (retries === MAX_RETRIES && this.#waitForEnd(request, { beganMs, sentMs })) {
        [beganMs, retries] = [null, 0];
        continue;
      }
      const isLast = retries === MAX_RETRIES;
      if (response instanceof UnansweredError) {
        if (isLast || !mayRetrySucceed(response)) throw response;
      } else if (response.status === 429) {
        const waitMs = this.#chooseWaitMs(request, response, waits);
        if (waits++ === MAX_WAITS) return response;
        this.counts.waits++;
        this.counts.retries++;
        limit.cutRate(sentMs, response.headers.has("retry-after") ? MIN_SHARE : MIN_UNTIMED_SHARE);
        limit.pauseUntil(clock.now() + waitMs);
        continue;
      } else if (isBlockPage(request, response)) {
        this.#waitForBlock(request, response, isAfterBlock);
        continue;
      } else if (isLast || !mayRepeatAfter(response.status, request)) return response;
      this.counts.retries++;
      // Without chance: turns at the limit spread what failed together, and runs can be repeated.
      const backoff = { baseMs: 500, capMs: 10_000, random: () => 1 };
      await clock.sleep(computeBackoffMs(++retries, backoff), signal);
    }
  }

  async #sendOnce(request: HttpRequest, signal: AbortSignal) {
    const { transport, limit, clock } = this.#options;
    this.#requireAllowed();
    await limit.take(signal);
    this.#requireAllowed();
    const attempt = { sentMs: clock.now(), isAfterBlock: this.#hasWaitedForBlock };
    this.#requests++;
    this.#firstMs ??= attempt.sentMs;
    this.#sentMs.push(attempt.sentMs);
    try {
      const response = await transport.send({ ...request, retries: 0 });
      this.#countRequest(request, String(response.status));
      const hostTimeMs = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(hostTimeMs)) this.hostTimeMs = hostTimeMs;
      return { ...attempt, response };
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      this.#countRequest(request, error instanceof TimeoutError ? "timeout" : "network");
      return { ...attempt, response: error };
    }
  }

  #requireAllowed(): void {
    if (this.#requests >= this.maxRequests) throw new RequestLimitReached("Enough requests");
  }

  #countRequest({ method, path }: HttpRequest, status: string): void {
    const { routes } = this.counts;
    const key = `${method} ${toRoute(path)} ${status}`;
    routes.set(key, (routes.get(key) ?? 0) + 1);
  }

  /** Chooses the wait after 429. */
  #chooseWaitMs(request: HttpRequest, response: HttpResponse, waits: number): number {
    const nowMs = this.#options.clock.now();
    const defaultMs = Math.min(FIRST_WAIT_MS * 2 ** waits, MAX_WAIT_MS);
    const requestedMs = retryAfterMs(response.headers, nowMs);
    if (requestedMs === undefined || requestedMs <= MAX_REQUESTED_WAIT_MS) {
      return requestedMs ?? defaultMs;
    }
    throw createBlockedError(request, response, { nowMs, waitMs: requestedMs });
  }

  /**
   * Pauses all requests if the deployment has answered none since this one was sent first; one that
   * was in flight joins the pause.
   *
   * @returns Whether to try again.
   */
  #waitForEnd(
    { method, path }: HttpRequest,
    { beganMs, sentMs }: { readonly beganMs: number; readonly sentMs: number },
  ): boolean {
    const { limit, clock, outageTimeoutMs } = this.#options;
    if (this.#answeredMs >= beganMs) return false;
    const nowMs = clock.now();
    const outage = this.#outage ??= {
      sinceMs: nowMs,
      timeoutMs: outageTimeoutMs?.() ?? 0,
      requests: new Set(),
      waits: 0,
      pausedMs: -Infinity,
    };
    outage.requests.add(`${method} ${path}`);
    const isJoined = sentMs <= outage.pausedMs;
    const waitMs = isJoined ? 0 : Math.min(MAX_WAIT_MS, MINUTE_MS * 2 ** outage.waits);
    const isEnough = nowMs + waitMs - outage.sinceMs > outage.timeoutMs ||
      outage.requests.size === 1 && outage.waits === MAX_WAITS_FOR_ONE;
    if (isEnough) return false;
    this.counts.retries++;
    if (isJoined) return true;
    outage.waits++;
    outage.pausedMs = nowMs;
    this.counts.waits++;
    limit.pauseUntil(nowMs + waitMs);
    return true;
  }

  /** Begins the one pause for a block; requests that were in flight join it. */
  #waitForBlock(request: HttpRequest, response: HttpResponse, isAfterBlock: boolean): void {
    const { limit, clock } = this.#options;
    const nowMs = clock.now();
    if (isAfterBlock) {
      const waitMs = retryAfterMs(response.headers, nowMs) ?? BLOCKED_FOR_MS;
      throw createBlockedError(request, response, { nowMs, waitMs });
    }
    this.counts.retries++;
    if (this.#hasWaitedForBlock) return;
    this.#hasWaitedForBlock = true;
    this.counts.waits++;
    limit.pauseUntil(nowMs + BLOCK_WAIT_MS);
  }
}

/** Whether a retry may succeed: the cause is neither a permission nor an address. */
function mayRetrySucceed(error: UnansweredError): boolean {
  return error.mayHaveBeenReceived || !/--allow-net|another port|certificate/.test(error.remedy);
}

/** Creates the error for a host that blocks requests for longer than a run waits. */
function createBlockedError(
  request: HttpRequest,
  { status, body }: HttpResponse,
  { nowMs, waitMs }: { readonly nowMs: number; readonly waitMs: number },
): RateLimitedError {
  const time = new Date(Math.ceil((nowMs + waitMs) / MINUTE_MS) * MINUTE_MS).toISOString();
  return new RateLimitedError(
    `Cannot continue: the deployment is refusing requests (HTTP ${status})`,
    {
      request: requestLine(request),
      status,
      body,
      retryAfterMs: waitMs,
      facts: { "try again at": time },
      remedy: `Run the same export again after ${time}, which continues; a lower rate helps`,
    },
  );
}

/**
 * Whether a proxy in front of the service blocks the sender: 403 with an HTML page. Where a route is
 * closed to the public, as those of debug reports are, such a page is no block; nor is that of a store.
 */
function isBlockPage({ path }: HttpRequest, { status, contentType, body }: HttpResponse) {
  if (status !== 403 || path.startsWith("/restricted/")) return false;
  if (parseInstancePath(path) !== null) return false;
  return /\bhtml\b/i.test(contentType ?? "") || /^\s*<(?:!doctype\s+html|html|head)\b/i.test(body);
}

/** Requests per minute to public networks, and in plans, if no rate is passed. */
export const PUBLIC_RATE = 80;

/** Share of the remaining time of an export for which it waits for a deployment that is down. */
const OUTAGE_SHARE_OF_RUN = 0.1;
/** Runs with less left do not wait: starting again takes no longer. */
const MIN_RUN_MINUTES = 30;

/**
 * Opens the limit on the requests to a deployment: `rate`, otherwise 80 a minute for public
 * networks, and none for others. All exports of this machine share it by host, through a file in
 * the user's cache folder.
 */
export function openLimit(
  { network, transport, clock }: OrderBook,
  rate: number | undefined,
  onPause: (untilMs: number | null) => void,
): HostLimit {
  const perMinute = resolveRate({ network }, rate) ?? Infinity;
  // A transport in this process has no host, and no other process uses it.
  const host = perMinute === Infinity ? null : parseHost(transport.baseUrl);
  const folder = host === null ? null : findUserCacheFolder();
  return new HostLimit({ host: host ?? identify(transport), folder, perMinute, clock, onPause });
}

/** Returns the requests per minute; `null` without a limit. */
export function resolveRate(
  { network }: Pick<OrderBook, "network">,
  rate: number | undefined,
): number | null {
  return rate ?? (network === null ? null : PUBLIC_RATE);
}

/**
 * Returns how long an export waits for a deployment that is down, in milliseconds, by the requests
 * that are left.
 */
export function outageTimeoutMs(requestsLeft: number | null, rate: number | null): number {
  const minutes = rate === null || requestsLeft === null ? 0 : requestsLeft / rate;
  return minutes < MIN_RUN_MINUTES ? 0 : minutes * OUTAGE_SHARE_OF_RUN * MINUTE_MS;
}

const names = new WeakMap<Transport, string>();

function identify(transport: Transport): string {
  const name = names.get(transport) ?? crypto.randomUUID();
  names.set(transport, name);
  return name;
}

function parseHost(baseUrl: string): string | null {
  if (baseUrl === IN_PROCESS_URL) return null;
  const { protocol = "", host = "" } = URL.parse(baseUrl) ?? {};
  return /^https?:$/.test(protocol) && host !== "" ? host : null;
}
