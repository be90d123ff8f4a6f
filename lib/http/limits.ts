import { InputError } from "../errors/mod.ts";
import { type Clock, type HttpRequest, raceAbort, setAlarm, systemClock } from "./transport.ts";

const ENDED = Symbol("ended");

/**
 * Watches one attempt: its signal aborts when the caller's does, or when the timer between
 * `startTimer` and `stopTimer` expires. Must be ended, which removes timer and listener.
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #stopAlarm: (() => void) | undefined;
  #isTimedOut = false;
  #isEnded = false;

  readonly #onCallerAbort = (): void => this.#controller.abort(this.#caller?.reason);

  /** Watches `caller` from now on, without starting the timer. */
  constructor(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    caller?.addEventListener("abort", this.#onCallerAbort);
    if (caller?.aborted) this.#onCallerAbort();
  }

  /** Aborts when the attempt must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the attempt timed out. */
  get isTimedOut(): boolean {
    return this.#isTimedOut;
  }

  /** Restarts the timer. */
  startTimer(): void {
    this.stopTimer();
    if (this.#timeoutMs === Infinity || this.#isEnded) return;
    this.#stopAlarm = setAlarm(this.#clock, this.#timeoutMs, () => {
      this.#isTimedOut = true;
      this.#controller.abort(new DOMException("The response took too long", "TimeoutError"));
    });
  }

  /** Stops the timer. */
  stopTimer(): void {
    this.#stopAlarm?.();
    this.#stopAlarm = undefined;
  }

  /** Stops watching; pending work continues. */
  end(): void {
    this.#isEnded = true;
    this.stopTimer();
    this.#caller?.removeEventListener("abort", this.#onCallerAbort);
  }

  /** Stops watching and aborts pending work. */
  cancel(): void {
    this.end();
    if (!this.signal.aborted) this.#controller.abort(ENDED);
  }

  /**
   * Settles like `promise`, or rejects with the signal's reason as soon as it aborts, even if the
   * promise ignores the signal; a late value goes to `discard`.
   */
  async waitFor<T>(promise: Promise<T>, discard: (late: T) => void): Promise<T> {
    try {
      return await raceAbort(promise, this.signal);
    } catch (error) {
      promise.then(discard, () => {});
      throw error;
    }
  }
}

/** Admits requests one by one, up to a limit. */
export interface RateLimiter {
  /**
   * Resolves when the next request may be sent, in call order. If the signal aborts first, rejects
   * with its reason and leaves the queue.
   */
  take(signal?: AbortSignal): Promise<void>;
  /** Number of requests that may be sent now without a wait. A limiter without it does not know. */
  countLeft?(): number;
}

const WINDOW_MS = 60_000;
const NEVER_ABORTED = new AbortController().signal;

/** The requests to one host during the last minute, and the callers waiting for their turn. */
export class SlidingWindow {
  /** Ascending, in milliseconds. */
  #times: number[] = [];
  /**
   * Tail of each queue, by limit: a caller with a higher limit does not queue behind a lower one.
   */
  readonly #queueEnds = new Map<number, Promise<void>>();

  /**
   * Waits until another request keeps within `perMinute` in any minute, and counts it. Callers with
   * different limits share the count.
   */
  async take(perMinute: number, clock: Clock, signal: AbortSignal = NEVER_ABORTED): Promise<void> {
    signal.throwIfAborted();
    const previousTurn = this.#queueEnds.get(perMinute) ?? Promise.resolve();
    const turn = Promise.withResolvers<void>();
    this.#queueEnds.set(perMinute, turn.promise);
    try {
      await raceAbort(previousTurn, signal);
      await this.#waitForRoom(perMinute, clock, signal);
    } finally {
      previousTurn.then(turn.resolve);
    }
  }

  async #waitForRoom(perMinute: number, clock: Clock, signal: AbortSignal): Promise<void> {
    while (true) {
      const nowMs = clock.now();
      this.#forgetOld(nowMs);
      const oldest = this.#times.at(-perMinute);
      if (oldest === undefined) {
        this.#times.push(nowMs);
        return;
      }
      await clock.sleep(oldest + WINDOW_MS - nowMs, signal);
    }
  }

  /** Number of requests that may be sent now without a wait, within `perMinute`. */
  countLeft(perMinute: number, clock: Clock): number {
    this.#forgetOld(clock.now());
    return Math.max(0, perMinute - this.#times.length);
  }

  #forgetOld(nowMs: number): void {
    this.#times = this.#times.filter((time) => time > nowMs - WINDOW_MS);
  }

  /** A limiter of this window. */
  limit(perMinute: number, clock: Clock): RateLimiter {
    return {
      take: (signal) => this.take(perMinute, clock, signal),
      countLeft: () => this.countLeft(perMinute, clock),
    };
  }
}

/**
 * Creates a separate limiter, for transports that share a budget of their own.
 *
 * At most `perMinute` requests are sent in any minute, retries and redirects included; they may be
 * sent in a burst.
 *
 * @param perMinute Maximum number of requests per minute, at least 1.
 * @throws {InputError} If `perMinute` is less than 1.
 * @example Two transports, one budget
 * ```ts
 * import { httpTransport, rateLimiter } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = rateLimiter(300);
 * const mainnet = httpTransport("https://example.org/mainnet", { rateLimit: limiter });
 * const gnosis = httpTransport("https://example.org/xdai", { rateLimit: limiter });
 *
 * assertEquals(mainnet.rootUrl, gnosis.rootUrl);
 * ```
 */
export function rateLimiter(perMinute: number, options: RateLimiterOptions = {}): RateLimiter {
  const { clock = systemClock } = options;
  if (!(perMinute >= 1)) {
    throw new InputError(`Cannot limit the rate to ${perMinute} requests per minute`, {
      remedy: "Pass a number of at least 1",
    });
  }
  return new SlidingWindow().limit(perMinute, clock);
}

/** Options of {@linkcode rateLimiter}. */
export interface RateLimiterOptions {
  /** Source of time. @default {the system clock} */
  clock?: Clock;
}

/** Parameters of the growing wait between attempts. */
export interface Backoff {
  /** Upper bound of the first wait, in milliseconds; it doubles with each further wait. */
  readonly baseMs: number;
  /** Largest upper bound, in milliseconds. */
  readonly capMs: number;
  /** Returns a number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/**
 * Computes the wait after the `attempt`-th failure, in milliseconds.
 *
 * `random · min(cap, base · 2^(attempt − 1))`: exponential backoff with full jitter, so that
 * clients that failed together do not retry together.
 *
 * @param attempt Number of the failed attempt, from 1.
 */
export function computeBackoffMs(attempt: number, backoff: Backoff): number {
  return backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1));
}

/** Too many requests: this status guarantees that nothing was done. */
const TOO_MANY_REQUESTS = 429;

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** Whether a request only reads, so that it is safe to send twice. */
export function isReadOnly(request: HttpRequest): boolean {
  return request.method === "GET" || request.isRead === true;
}

/**
 * Whether a request may be repeated after a response: always after 429, since nothing was done;
 * after 500, 502, 503 and 504 if it only reads.
 */
export function mayRepeatAfter(status: number, request: HttpRequest): boolean {
  return status === TOO_MANY_REQUESTS || (TRANSIENT_STATUSES.has(status) && isReadOnly(request));
}

/**
 * Reads the wait that a response asks for from `Retry-After`, in seconds or as a date.
 *
 * A date is compared with the response's own `Date`, so that a clock difference between client and
 * server does not matter; `nowMs` is used if the response has none.
 *
 * @param headers Headers of the response.
 * @param nowMs Milliseconds since the unix epoch. @default {Date.now()}
 * @returns Milliseconds counted from the response, `0` for a date in the past; `undefined` if the
 * header is absent or holds neither seconds nor a date.
 * @example Seconds, and a date
 * ```ts
 * import { retryAfterMs } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(retryAfterMs(new Headers({ "retry-after": "120" })), 120_000);
 *
 * const headers = new Headers({
 *   "date": "Sat, 03 Oct 2026 10:00:00 GMT",
 *   "retry-after": "Sat, 03 Oct 2026 10:00:30 GMT",
 * });
 * assertEquals(retryAfterMs(headers), 30_000);
 * ```
 */
export function retryAfterMs(headers: Headers, nowMs: number = Date.now()): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const untilMs = parseDateMs(text);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (parseDateMs(headers.get("date")) ?? nowMs));
}

/** Parses an HTTP date; `Date.parse` alone would read `-1` as a year. */
function parseDateMs(text: string | null): number | undefined {
  if (text === null || !/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
