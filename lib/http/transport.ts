import { hideSecrets, redactUrls } from "../errors/secrets.ts";

/** One request to a deployment, with its path relative to a base URL. */
export interface HttpRequest {
  /** HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path and query after the base URL, beginning with `/`. */
  readonly path: string;
  /** The transport's URL that the path is appended to. @default {"base"} */
  readonly at?: "base" | "root";
  /** Body to send, as JSON text; none if absent. */
  readonly body?: string;
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether the request only reads although it is not a `GET`, so that it may be repeated. */
  readonly isRead?: boolean;
  /**
   * Decides whether a response can never change, so that it may be cached; if absent, no response is
   * cached.
   */
  readonly isImmutable?: (response: HttpResponse) => boolean;
  /** Maximum number of repetitions of a failed attempt. @default {the option of the transport} */
  readonly retries?: number;
}

/** A complete response: the body has been read to its end. */
export interface HttpResponse {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` if the response has none. */
  readonly contentType: string | null;
  /** All headers of the response; a replay knows only `content-type`. */
  readonly headers: Headers;
  /** The body as text, exactly as sent; `""` if there is none. */
  readonly body: string;
}

/** A response whose body is still arriving. */
export interface HttpStream {
  /** HTTP status. */
  readonly status: number;
  /** Value of `Content-Type`, or `null` if the response has none. */
  readonly contentType: string | null;
  /**
   * The body's text in the chunks it arrives in; a stream of events over HTTP yields complete
   * events. Leaving the loop aborts the request.
   */
  readonly chunks: AsyncIterable<string>;
}

/**
 * The interface through which the library sends every request: the network, a recording and the
 * embedded order book all implement it, so that callers need not distinguish them.
 */
export interface Transport {
  /** URL of the deployment, without a trailing slash and credentials. */
  readonly baseUrl: string;
  /** Sends one request and returns the complete response, whatever its status. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * Sends one request and returns its body as it arrives. Absent if bodies are only available
   * whole; `send` is used instead.
   */
  stream?(request: HttpRequest): Promise<HttpStream>;
  /**
   * Number of requests that may be sent now without a wait for the rate limit; `Infinity` without one.
   * A transport that limits nothing does not have it.
   */
  countRequestsLeft?(): number;
}

/**
 * Source of time for a transport. Tests inject one that does not wait.
 *
 * @example A clock that counts instead of waiting
 * ```ts
 * import { type Clock, httpTransport } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const waits: number[] = [];
 * const clock: Clock = {
 *   now: () => 0,
 *   sleep: (ms, signal) =>
 *     new Promise((resolve, reject) => {
 *       if (ms === 30_000) return signal.addEventListener("abort", () => reject(signal.reason));
 *       waits.push(ms);
 *       resolve();
 *     }),
 * };
 * const responses = [
 *   new Response("", { status: 429, headers: { "retry-after": "7" } }),
 *   new Response("v2"),
 * ];
 * const transport = httpTransport("http://localhost", {
 *   clock,
 *   fetch: () => Promise.resolve(responses.shift() ??  Response.error()),
 * });
 *
 * const { body } = await transport.send({ method: "GET", path: "/api/v1/version" });
 *
 * assertEquals(body, "v2");
 * assertEquals(waits, [7000]);
 * ```
 */
export interface Clock {
  /** Milliseconds since the unix epoch; never runs backwards. */
  now(): number;
  /**
   * Whether time only passes during waits, as in a simulation. Attempts are then timed by the
   * system clock, since this clock stands still while a response is produced.
   *
   * @default {false}
   */
  readonly isVirtual?: boolean;
  /**
   * Resolves once `ms` milliseconds have passed. If `signal` aborts first, rejects with its reason
   * at once and leaves no timer behind.
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The longest wait that a timer supports; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The system clock, unaffected by corrections of the wall time while the process runs. */
export const systemClock: Clock = {
  now(): number {
    return performance.timeOrigin + performance.now();
  },
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    for (let remainingMs = Math.ceil(ms); remainingMs > 0; remainingMs -= MAX_TIMER_MS) {
      await waitForTimer(Math.min(remainingMs, MAX_TIMER_MS), signal);
    }
  },
};

/**
 * Calls `ring` once `ms` milliseconds have passed, unless it is stopped before.
 *
 * Every attempt sets an alarm and hardly any rings. On the system clock, which also replaces a
 * virtual one here, the alarm is therefore a plain timer: clearing it is much cheaper than aborting
 * a wait.
 *
 * @returns A function that stops it.
 */
export function setAlarm(clock: Clock, ms: number, ring: () => void): () => void {
  const isMachine = clock === systemClock || clock.isVirtual === true;
  if (isMachine && ms <= MAX_TIMER_MS) {
    const timer = setTimeout(ring, Math.ceil(ms));
    return () => clearTimeout(timer);
  }
  const stopped = new AbortController();
  clock.sleep(ms, stopped.signal).then(
    () => {
      if (!stopped.signal.aborted) ring();
    },
    () => {},
  );
  return () => stopped.abort(STOPPED);
}

const STOPPED = Symbol("stopped");

function waitForTimer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    function onAbort(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** A request that starts. */
export interface HttpStart {
  /** Number of the request, unique in its transport; the same in all events about it. */
  readonly id: number;
  /** Method and path, such as `GET /api/v1/version`. */
  readonly request: string;
}

/** A failed attempt that will be repeated. */
export interface HttpRetry extends HttpStart {
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly waitMs: number;
  /** Status of the response, or why there was none, such as `429` or `connection refused`. */
  readonly because: number | string;
}

/** A request that ended. */
export interface HttpEnd extends HttpStart {
  /** Number of attempts; 0 if the response was cached. */
  readonly attempts: number;
  /** Status of the response; `undefined` when there was none. */
  readonly status: number | undefined;
  /**
   * Origin of the response: the network, the memory cache (until its `max-age`), or the cache
   * folder.
   */
  readonly from: "network" | "memory" | "folder";
  /** Error that the call rejected with; `undefined` if it succeeded. */
  readonly error: unknown;
  /** Time from start to end, waits included, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Callbacks that report what a transport does, for a progress bar or a log. A throwing hook never
 * affects the request: its error is ignored.
 */
export interface HttpHooks {
  /** Called once for each request, before anything is sent. */
  onStart?(event: HttpStart): void;
  /** Called before the wait for another attempt. */
  onRetry?(event: HttpRetry): void;
  /** Called once for each request, also for one that failed or was aborted. */
  onEnd?(event: HttpEnd): void;
}

/** Reports one request to the hooks. */
export class Observation {
  /** Number of attempts so far. */
  attempts = 0;
  readonly #hooks: HttpHooks;
  readonly #clock: Clock;
  readonly #subject: { readonly id: number; readonly request: string };
  /** The clock is not read if there are no hooks. */
  readonly #startMs: number | undefined;

  /** Reports that the request starts. */
  constructor(hooks: HttpHooks, clock: Clock, subject: { id: number; request: string }) {
    this.#hooks = hooks;
    this.#clock = clock;
    this.#subject = subject;
    this.#startMs = hooks.onEnd === undefined ? undefined : clock.now();
    if (hooks.onStart !== undefined) callHook(() => hooks.onStart?.({ ...subject }));
  }

  /** Reports that the last attempt failed and will be repeated. */
  reportRetry(event: Pick<HttpRetry, "waitMs" | "because">): void {
    callHook(() => this.#hooks.onRetry?.({ ...this.#subject, attempt: this.attempts, ...event }));
  }

  /** Reports that the request ended. */
  end(event: Partial<Pick<HttpEnd, "status" | "from" | "error">>): void {
    if (this.#startMs === undefined) return;
    const elapsedMs = this.#clock.now() - this.#startMs;
    const outcome = { status: undefined, from: "network", error: undefined, ...event } as const;
    callHook(() =>
      this.#hooks.onEnd?.({ ...this.#subject, attempts: this.attempts, elapsedMs, ...outcome })
    );
  }
}

function callHook(call: () => void): void {
  try {
    call();
  } catch {
    // A throwing hook must not fail the request.
  }
}

/**
 * Formats a request as errors and logs show it: method and path, without query values that look like
 * secrets, and without the secrets passed to a transport.
 *
 * @example
 * ```ts
 * import { requestLine } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const path = "/api/v2/trades?limit=5&api_key=0123456789";
 *
 * assertEquals(requestLine({ method: "GET", path }), "GET /api/v2/trades?limit=5&api_key=[hidden]");
 * ```
 */
export function requestLine(request: Pick<HttpRequest, "method" | "path">): string {
  return `${request.method} ${hideSecrets(redactUrls(request.path))}`;
}

/** Version of the library, as in `deno.json`. */
export const VERSION = "0.1.0";

/**
 * Commit that the package was packed from; `null` in a clone, and in a package with other changes.
 * `deno task pack` writes it: a version names many builds.
 */
export const COMMIT: string | null = null;

/** Default `user-agent` of requests; the caller's headers may replace it. */
export const USER_AGENT: string = `orderlens/${VERSION}`;

/**
 * Whether requests may set `user-agent`. A browser sends its own, and CORS of the service does not
 * allow a page to set another.
 */
export function canSetUserAgent(): boolean {
  return typeof Deno !== "undefined" || typeof process !== "undefined";
}

/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    function onAbort(): void {
      reject(signal.reason);
    }
    function stopListening(): void {
      signal.removeEventListener("abort", onAbort);
    }
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    promise.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error) => {
        stopListening();
        reject(error);
      },
    );
  });
}
