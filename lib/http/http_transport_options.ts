import { callable, type OptionRule, type OptionRules, rule, TEXT } from "../errors/option_rules.ts";
import type { Clock } from "./clock.ts";
import type { HttpHooks } from "./http_hooks.ts";
import type { RateLimiter } from "./rate_limiter.ts";

/** Sends one HTTP request, as the global `fetch` does. Must not follow redirects when told `manual`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of `httpTransport`. */
export interface HttpTransportOptions {
  /**
   * Address that requests with `at: "root"` go to, without a network segment.
   *
   * @default {the origin of the base URL}
   */
  rootUrl?: string;
  /**
   * Headers sent with every request to the base URL's origin, and to no other: a partner's key,
   * another `user-agent`. Never kept, and shown in no error, recording or notebook, also where a server
   * repeats them in another spelling: values and words in them of 8 characters and more, and of 4 to 7
   * standing alone where the header is named for a key, a token or the like. Shorter ones are no secrets.
   *
   * @default {none}
   */
  headers?: HeadersInit;
  /**
   * How long one attempt may take, headers and body together, in milliseconds; for a stream of events,
   * how long its headers may take and then each whole event, counted while it is waited for: comments
   * and parts of an event do not start it anew. How long all events may take, a `signal` bounds. Waiting
   * between attempts does not count. `Infinity` waits for ever.
   *
   * @default {30_000}
   */
  timeoutMs?: number;
  /**
   * How often a request is sent again at most, after its first attempt: after 429 any request; after
   * 500, 502, 503, 504, a lost connection or a timeout only one that reads.
   *
   * @default {4}
   */
  retries?: number;
  /**
   * Upper end of the random wait after the first failed attempt, in milliseconds. It doubles with
   * each further one; its lower end is always 0.
   *
   * @default {500}
   */
  backoffBaseMs?: number;
  /**
   * Longest upper end of the random wait, in milliseconds.
   *
   * @default {10_000}
   */
  backoffCapMs?: number;
  /**
   * Longest `Retry-After` that is obeyed, in milliseconds. An answer that asks for more is given to
   * the caller at once, who reads from it when to come back (`retryAfterMs`).
   *
   * @default {60_000}
   */
  retryAfterCapMs?: number;
  /**
   * Most requests in any minute to one host, retries and redirects included; `Infinity` sets none. All
   * transports of the process that talk to the same host are counted together, since its operator
   * counts them together. A limiter of your own counts only what goes through it.
   *
   * @default {100, and none for loopback}
   */
  rateLimit?: number | RateLimiter;
  /**
   * Largest body that is read, in bytes after decompression. A larger one is refused as soon as that
   * is known.
   *
   * @default {67_108_864}
   */
  maxBodyBytes?: number;
  /**
   * Folder in which final answers are kept, made when needed: those of GETs whose endpoint says that
   * they can never change. Headers are not kept. May be shared by transports and processes.
   *
   * @default {none; nothing is written}
   */
  cacheFolder?: string;
  /**
   * Functions told when a request starts, is repeated and ends.
   *
   * @default {none}
   */
  hooks?: HttpHooks;
  /**
   * What sends. Given another one, a transport talks to whatever that talks to.
   *
   * @default {the global `fetch`}
   */
  fetch?: Fetch;
  /**
   * Where time comes from.
   *
   * @default {the machine's clock}
   */
  clock?: Clock;
  /**
   * Gives numbers from 0 up to 1 for the waits between attempts.
   *
   * @default {`Math.random`}
   */
  random?: () => number;
}

/** A number; how large is checked where it is used. */
const NUMBER: OptionRule<number> = rule("a number", (value) => typeof value === "number");

/** What each of the {@linkcode HttpTransportOptions} may be. */
export const SENDING_OPTIONS: OptionRules<HttpTransportOptions> = {
  rootUrl: TEXT,
  headers: rule("headers by name", (value) => typeof value === "object" && value !== null),
  timeoutMs: NUMBER,
  retries: NUMBER,
  backoffBaseMs: NUMBER,
  backoffCapMs: NUMBER,
  retryAfterCapMs: NUMBER,
  rateLimit: rule(
    "a number of requests a minute, or a limiter of `rateLimiter`,",
    (value) => typeof value === "number" || has(value, "take"),
  ),
  maxBodyBytes: NUMBER,
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
