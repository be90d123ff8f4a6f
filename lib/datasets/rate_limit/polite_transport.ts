import { IN_PROCESS_URL } from "../../client/connect.ts";
import type { OrderBook } from "../../client/order_book.ts";
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
/** A host that asks for a longer wait is left alone until the next run. */
const MAX_REQUESTED_WAIT_MS = 3_600_000;
const BLOCK_WAIT_MS = 600_000;
const BLOCKED_FOR_MS = 3_600_000;
const MAX_WAITS = 10;
const MAX_RETRIES = 4;
/** Pauses after failures of one request alone, which may be to blame itself. */
const MAX_WAITS_FOR_ONE = 2;
const NEVER_ABORTED = new AbortController().signal;

/** What a polite transport needs. */
interface PoliteOptions {
  /** The deployment. */
  readonly transport: Transport;
  /** Limits the requests to its host. */
  readonly limit: HostLimit;
  /** Source of time. */
  readonly clock: Clock;
  /**
   * For how long to wait for a deployment that is down, in milliseconds, asked when it goes down; with
   * 0, requests fail after their repetitions. @default {0}
   */
  readonly outageTimeoutMs?: () => number;
}

/** A deployment that is down: nothing was answered since. */
interface Outage {
  /** When it was noticed, and for how long to wait for its end, in milliseconds. */
  readonly sinceMs: number;
  readonly timeoutMs: number;
  /** Requests that failed, by method and path: one alone may be to blame itself. */
  readonly requests: Set<string>;
  /** Pauses so far, and when the last one began. */
  waits: number;
  pausedMs: number;
}

/** Thrown instead of a request that would be one too many. */
export class RequestLimitReached extends Error {}

/** Requests of a run, as its journal has them. */
export interface RequestCounts {
  /** Requests by route and status; `network` or `timeout` where there was no answer. */
  readonly routes: Map<string, number>;
  /** Repetitions. */
  retries: number;
  /** Pauses that the host asked for. */
  waits: number;
}

/**
 * Sends requests so that a host that limits them is left in peace:
 *
 * - every attempt takes its turn at the limit;
 * - after 429, the rate is halved, and all requests wait as long as the host says; otherwise a second,
 *   then twice as long each time, up to ten minutes, at no less than a quarter of the rate;
 * - after 403 with an HTML page, by which a proxy blocks, all wait ten minutes once;
 * - what failed in passing is repeated four times; 404 is an answer like any other;
 * - while the deployment answers nothing at all, all wait a minute, then twice as long each time, up to
 *   ten minutes, for as long as there is patience.
 */
export class PoliteTransport implements Transport {
  readonly baseUrl: string;
  /** The facts of the deployment, if its transport has them. */
  readonly deployment: unknown;
  /** Requests sent. */
  readonly counts: RequestCounts = { routes: new Map(), retries: 0, waits: 0 };
  /** Maximum number of requests; one more is refused with {@linkcode RequestLimitReached}. */
  maxRequests = Infinity;
  /** Latest time that the host told, in unix milliseconds; `null` if it tells none. */
  hostTimeMs: number | null = null;
  readonly #options: PoliteOptions;
  /** When the requests of the last minute were sent, and the first one. */
  #sentMs: number[] = [];
  #firstMs: number | null = null;
  #requests = 0;
  #hasWaitedForBlock = false;
  #outage: Outage | null = null;
  #answeredMs = -Infinity;

  /** Wraps a transport. */
  constructor(options: PoliteOptions) {
    const { transport } = options;
    this.baseUrl = transport.baseUrl;
    this.deployment = "deployment" in transport ? transport.deployment : undefined;
    this.#options = options;
  }

  /** Number of requests sent. */
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

  /** Whether the deployment is down: it fails, or nobody answers. */
  get isDown(): boolean {
    return this.#outage !== null;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { clock, limit } = this.#options;
    const { signal = NEVER_ABORTED } = request;
    let beganMs: number | null = null;
    for (let [waits, retries] = [0, 0];;) {
      const { sentMs, isAfterBlock, answer } = await this.#sendOnce(request, signal);
      beganMs ??= sentMs;
      const hasFailed = answer instanceof UnansweredError
        ? isTransient(answer)
        : answer.status !== 429 && mayRepeatAfter(answer.status, request);
      if (!hasFailed) [this.#outage, this.#answeredMs] = [null, clock.now()];
      else if (retries === MAX_RETRIES && this.#waitForEnd(request, { beganMs, sentMs })) {
        [beganMs, retries] = [null, 0];
        continue;
      }
      const isLast = retries === MAX_RETRIES;
      if (answer instanceof UnansweredError) {
        if (isLast || !isTransient(answer)) throw answer;
      } else if (answer.status === 429) {
        const waitMs = this.#chooseWaitMs(request, answer, waits);
        if (waits++ === MAX_WAITS) return answer;
        this.counts.waits++;
        this.counts.retries++;
        limit.reduceRate(sentMs, answer.headers.has("retry-after") ? MIN_SHARE : MIN_UNTIMED_SHARE);
        limit.pauseUntil(clock.now() + waitMs);
        continue;
      } else if (isBlockPage(request, answer)) {
        this.#waitForBlock(request, answer, isAfterBlock);
        continue;
      } else if (isLast || !mayRepeatAfter(answer.status, request)) return answer;
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
    const sent = { sentMs: clock.now(), isAfterBlock: this.#hasWaitedForBlock };
    this.#requests++;
    this.#firstMs ??= sent.sentMs;
    this.#sentMs.push(sent.sentMs);
    try {
      const answer = await transport.send({ ...request, retries: 0 });
      this.#countRequest(request, String(answer.status));
      const toldMs = Date.parse(answer.headers.get("date") ?? "");
      if (!Number.isNaN(toldMs)) this.hostTimeMs = toldMs;
      return { ...sent, answer };
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      this.#countRequest(request, error instanceof TimeoutError ? "timeout" : "network");
      return { ...sent, answer: error };
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

  /** How long to wait after 429. */
  #chooseWaitMs(request: HttpRequest, answer: HttpResponse, waits: number): number {
    const nowMs = this.#options.clock.now();
    const own = Math.min(FIRST_WAIT_MS * 2 ** waits, MAX_WAIT_MS);
    const asked = retryAfterMs(answer.headers, nowMs);
    if (asked === undefined || asked <= MAX_REQUESTED_WAIT_MS) return asked ?? own;
    throw createBlockedError(request, answer, { nowMs, waitMs: asked });
  }

  /**
   * Lets all requests wait if the deployment has answered none since this one was sent first; one that
   * was under way joins the pause.
   *
   * @returns Whether to try again.
   */
  #waitForEnd(
    { method, path }: HttpRequest,
    { beganMs, sentMs }: { readonly beganMs: number; readonly sentMs: number },
  ): boolean {
    const { limit, clock, outageTimeoutMs: patienceMs } = this.#options;
    if (this.#answeredMs >= beganMs) return false;
    const nowMs = clock.now();
    const outage = this.#outage ??= {
      sinceMs: nowMs,
      timeoutMs: patienceMs?.() ?? 0,
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

  /** Begins the one pause for a block; requests that were under way join it. */
  #waitForBlock(request: HttpRequest, answer: HttpResponse, isAfterBlock: boolean): void {
    const { limit, clock } = this.#options;
    const nowMs = clock.now();
    if (isAfterBlock) {
      const waitMs = retryAfterMs(answer.headers, nowMs) ?? BLOCKED_FOR_MS;
      throw createBlockedError(request, answer, { nowMs, waitMs });
    }
    this.counts.retries++;
    if (this.#hasWaitedForBlock) return;
    this.#hasWaitedForBlock = true;
    this.counts.waits++;
    limit.pauseUntil(nowMs + BLOCK_WAIT_MS);
  }
}

/** Whether the next attempt may be answered: the fault is none of permissions or addresses. */
function isTransient(error: UnansweredError): boolean {
  return error.mayHaveBeenReceived || !/--allow-net|another port|certificate/.test(error.remedy);
}

/** The error for a host that is to be left alone for longer than a run waits. */
function createBlockedError(
  request: HttpRequest,
  { status, body }: HttpResponse,
  { nowMs, waitMs }: { readonly nowMs: number; readonly waitMs: number },
): RateLimitedError {
  const time = new Date(Math.ceil((nowMs + waitMs) / MINUTE_MS) * MINUTE_MS).toISOString();
  return new RateLimitedError("Cannot go on: the deployment blocks requests for now", {
    request: requestLine(request),
    status,
    body,
    retryAfterMs: waitMs,
    facts: { "come back": time },
    remedy: `Run the same export again after ${time}: everything is kept; a lower rate helps`,
  });
}

/**
 * Whether a proxy in front of the service blocks the sender: 403 with an HTML page. Where a route is
 * closed to the public, as those of debug reports are, such a page is no block.
 */
function isBlockPage({ path }: HttpRequest, { status, contentType, body }: HttpResponse) {
  if (status !== 403 || path.startsWith("/restricted/")) return false;
  return /\bhtml\b/i.test(contentType ?? "") || /^\s*<(?:!doctype\s+html|html|head)\b/i.test(body);
}

/** Requests per minute to public networks, and in plans, if no rate is passed. */
export const PUBLIC_RATE = 80;

/** Share of the time that an export still takes for which it waits for a deployment that is down. */
const OUTAGE_SHARE_OF_RUN = 0.1;
/** An export that takes less is begun again as quickly as it is waited for. */
const MIN_RUN_MINUTES = 30;

/**
 * The limit on the requests to a deployment: `rate`, otherwise 80 a minute for public networks, and
 * none for others. All exports of this machine share it by host, through a file in the cache folder of
 * the user.
 */
export function openLimit(
  { network, transport, clock }: OrderBook,
  rate: number | undefined,
  onPause: (untilMs: number | null) => void,
): HostLimit {
  const perMinute = resolveRate({ network }, rate) ?? Infinity;
  // What answers in this process has no host, and no other process asks it.
  const host = perMinute === Infinity ? null : parseHost(transport.baseUrl);
  const folder = host === null ? null : findUserCacheFolder();
  return new HostLimit({
    host: host ?? identifyTransport(transport),
    folder,
    perMinute,
    clock,
    onPause,
  });
}

/** Requests per minute; `null` without a limit. */
export function resolveRate(
  { network }: Pick<OrderBook, "network">,
  rate: number | undefined,
): number | null {
  return rate ?? (network === null ? null : PUBLIC_RATE);
}

/** How long an export waits for a deployment that is down, in milliseconds, by what is left of it. */
export function outageTimeoutMs(requestsLeft: number | null, rate: number | null): number {
  const minutes = rate === null || requestsLeft === null ? 0 : requestsLeft / rate;
  return minutes < MIN_RUN_MINUTES ? 0 : minutes * OUTAGE_SHARE_OF_RUN * MINUTE_MS;
}

const names = new WeakMap<Transport, string>();

function identifyTransport(transport: Transport): string {
  const name = names.get(transport) ?? crypto.randomUUID();
  names.set(transport, name);
  return name;
}

function parseHost(baseUrl: string): string | null {
  if (baseUrl === IN_PROCESS_URL) return null;
  const { protocol = "", host = "" } = URL.parse(baseUrl) ?? {};
  return /^https?:$/.test(protocol) && host !== "" ? host : null;
}
