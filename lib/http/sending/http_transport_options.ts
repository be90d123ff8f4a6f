import { isWhole } from "../../errors/is_whole.ts";
import {
  atLeast,
  callable,
  type OptionRules,
  rule,
  TEXT,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { Clock } from "../requests/clock.ts";
import type { HttpHooks } from "../requests/http_hooks.ts";
import type { RateLimiter } from "../limits/rate_limiter.ts";

/**
 * Sends one HTTP request, like the global `fetch`. Must not follow redirects if `redirect` is
 * `manual`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of `httpTransport`. */
export interface HttpTransportOptions {
  /**
   * URL that requests with `at: "root"` go to, without a network segment.
   *
   * @default {the origin of the base URL}
   */
  rootUrl?: string;
  /**
   * Headers sent with every request to the base URL's origin, and to no other: a partner's key,
   * another `user-agent`. They are never stored, and no error, recording or notebook shows them,
   * even where a server echoes them in another encoding. This covers values, and words in them, of
   * at least 8 characters, and standalone ones of 4 to 7 characters if the header's name suggests a
   * key, a token or the like. Shorter values are not treated as secrets.
   *
   * @default {none}
   */
  headers?: HeadersInit;
  /**
   * Timeout of one attempt, headers and body together, in milliseconds. For a stream of events, it
   * applies to the headers and then to each complete event while it is awaited: comments and parts
   * of an event do not reset it. Use a `signal` to limit a whole stream. Waits between attempts do
   * not count. `Infinity` disables the timeout.
   *
   * @default {30_000}
   */
  timeoutMs?: number;
  /**
   * Maximum number of retries after the first attempt: any request is retried after 429, but only
   * one that reads after 500, 502, 503, 504, a lost connection or a timeout.
   *
   * @default {4}
   */
  retries?: number;
  /**
   * Milliseconds without a complete answer after which a request is not repeated: a host that hangs is
   * given up, while one that is busy and says so is asked again.
   *
   * @default {Infinity}
   */
  silenceMs?: number;
  /**
   * Upper bound of the random wait after the first failed attempt, in milliseconds. It doubles with
   * each further attempt; the lower bound is always 0.
   *
   * @default {500}
   */
  backoffBaseMs?: number;
  /**
   * Largest upper bound of the random wait, in milliseconds.
   *
   * @default {10_000}
   */
  backoffCapMs?: number;
  /**
   * Longest `Retry-After` that the transport waits for, in milliseconds. An answer that asks for
   * more is returned at once; the caller reads from it when to retry (`retryAfterMs`).
   *
   * @default {60_000}
   */
  retryAfterCapMs?: number;
  /**
   * Maximum number of requests to one host in any minute, retries and redirects included;
   * `Infinity` sets no limit. All transports of the process that use the same host share the count,
   * as they do at its operator. A custom limiter counts only the requests that go through it.
   *
   * @default {100, and none for loopback}
   */
  rateLimit?: number | RateLimiter;
  /**
   * Maximum size of a body, in bytes after decompression. A larger body is rejected as soon as its
   * size is known.
   *
   * @default {67_108_864}
   */
  maxBodyBytes?: number;
  /**
   * Folder in which final answers are cached, created when needed: answers to GETs that can never
   * change, according to their endpoint. Headers are not stored. Transports and processes may share
   * the folder.
   *
   * @default {none; nothing is written}
   */
  cacheFolder?: string;
  /**
   * Callbacks that run when a request starts, is repeated and ends.
   *
   * @default {none}
   */
  hooks?: HttpHooks;
  /**
   * Function that sends requests. A custom one may reach anything, for example a server in the same
   * process.
   *
   * @default {the global `fetch`}
   */
  fetch?: Fetch;
  /**
   * Source of time.
   *
   * @default {the system clock}
   */
  clock?: Clock;
  /**
   * Returns numbers from 0 up to 1 for the waits between attempts.
   *
   * @default {`Math.random`}
   */
  random?: () => number;
}

/** Allowed values of the {@linkcode HttpTransportOptions}. */
export const SENDING_OPTIONS: OptionRules<HttpTransportOptions> = {
  rootUrl: TEXT,
  headers: rule("an object of headers", (value) => typeof value === "object" && value !== null),
  timeoutMs: atLeast(1),
  retries: wholeFrom(0),
  silenceMs: atLeast(0),
  backoffBaseMs: atLeast(0),
  backoffCapMs: atLeast(0),
  retryAfterCapMs: atLeast(0),
  rateLimit: rule(
    "a whole number of requests per minute of at least 1, Infinity, or a limiter from `rateLimiter`,",
    (value) => isWhole(value, 1) || value === Infinity || has(value, "take"),
  ),
  maxBodyBytes: atLeast(0),
  cacheFolder: TEXT,
  hooks: rule("an object of functions", (value) => typeof value === "object" && value !== null),
  fetch: callable(),
  clock: rule(
    "a clock with `now` and `sleep`",
    (value) => has(value, "now") && has(value, "sleep"),
  ),
  random: callable(),
};

function has(value: unknown, method: string): boolean {
  return typeof value === "object" && value !== null &&
    typeof Reflect.get(value, method) === "function";
}
