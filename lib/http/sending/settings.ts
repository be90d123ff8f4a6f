import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type { Backoff } from "../limits/backoff.ts";
import { type Clock, systemClock } from "../requests/clock.ts";
import type { HttpHooks } from "../requests/http_hooks.ts";
import {
  type Fetch,
  type HttpTransportOptions,
  SENDING_OPTIONS,
} from "./http_transport_options.ts";
import { type RateLimiter, SlidingWindow } from "../limits/rate_limiter.ts";
import type { ReadLimits } from "../reading/read_body.ts";
import { secretsOf } from "../requests/secrets.ts";
import { mayNameSender, USER_AGENT } from "../requests/user_agent.ts";
import type { Watch } from "../limits/watch.ts";
import { HIDDEN } from "../../errors/secrets.ts";

/**
 * Maximum requests per minute to a public host, as requested by the operator of the public
 * deployments.
 */
const REQUESTS_PER_MINUTE = 100;

/**
 * Requests of this process by host. The limit is per host: two networks of one operator share it,
 * so one transport alone cannot count the requests.
 */
const sentByHost = new Map<string, SlidingWindow>();

/** One of the two URLs that a transport sends to. */
export interface Endpoint {
  /** The URL without credentials and trailing slash. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Headers that may be sent there, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Limits the rate as its operator asks; `undefined` sets no limit. */
  readonly limiter: RateLimiter | undefined;
}

/** Options of a transport, checked and complete. */
export interface Settings {
  /** Destination of requests. */
  readonly base: Endpoint;
  /** Destination of requests to the root. */
  readonly root: Endpoint;
  /** Secrets in the headers. */
  readonly secrets: readonly string[];
  /** See the options. */
  readonly timeoutMs: number;
  /** See the options. */
  readonly retries: number;
  /** See the options. */
  readonly silenceMs: number;
  /** Waits between attempts. */
  readonly backoff: Backoff;
  /** See the options. */
  readonly retryAfterCapMs: number;
  /** See the options. */
  readonly maxBodyBytes: number;
  /** See the options. */
  readonly hooks: HttpHooks;
  /** See the options. */
  readonly fetch: Fetch;
  /** See the options. */
  readonly clock: Clock;
}

/**
 * Checks the options of a transport and fills in the defaults.
 *
 * @throws {InputError} If an option is invalid.
 */
export function resolveOptions(baseUrl: string, options: HttpTransportOptions): Settings {
  const base = parseBaseUrl(baseUrl);
  checkOptions(options, SENDING_OPTIONS, `Cannot send to ${base.url}`);
  const root = parseBaseUrl(options.rootUrl ?? base.origin);
  if (root.authorization !== undefined) {
    throw new InputError(`Cannot use credentials in the root URL ${root.url}`, {
      remedy: "Pass credentials in the base URL or in `headers`, which are sent to its origin only",
    });
  }
  const headers = sentHeaders(options.headers, base.authorization);
  const clock = options.clock ?? systemClock;
  const limiterOf = limiters(options.rateLimit, clock);
  return {
    base: {
      url: base.url,
      origin: base.origin,
      headers: Object.fromEntries(headers),
      limiter: limiterOf(base.origin),
    },
    root: {
      url: root.url,
      origin: root.origin,
      headers: Object.fromEntries(root.origin === base.origin ? headers : sentHeaders()),
      limiter: limiterOf(root.origin),
    },
    secrets: secretsOf(headers),
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 4,
    silenceMs: options.silenceMs ?? Infinity,
    backoff: {
      baseMs: options.backoffBaseMs ?? 500,
      capMs: options.backoffCapMs ?? 10_000,
      random: options.random ?? Math.random,
    },
    retryAfterCapMs: options.retryAfterCapMs ?? 60_000,
    maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
    hooks: options.hooks ?? {},
    // Looked up at each call and called unbound: a `fetch` must not get the settings as its `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock,
  };
}

/** Limits on reading a body under these settings. */
export function readLimits({ maxBodyBytes }: Settings, watch: Watch): ReadLimits {
  return { signal: watch.signal, maxBytes: maxBodyBytes };
}

function limiters(
  rateLimit: number | RateLimiter | undefined,
  clock: Clock,
): (origin: string) => RateLimiter | undefined {
  if (typeof rateLimit === "object") return () => rateLimit;
  return (origin) => {
    const url = new URL(origin);
    const perMinute = rateLimit ?? (isLoopback(url) ? Infinity : REQUESTS_PER_MINUTE);
    return perMinute === Infinity ? undefined : hostLimiter(url.host, perMinute, clock);
  };
}

/** A limiter that counts all requests of the process to `host`, and allows `perMinute` of them. */
function hostLimiter(host: string, perMinute: number, clock: Clock): RateLimiter {
  return {
    take(signal?: AbortSignal): Promise<void> {
      const sent = sentByHost.get(host) ?? new SlidingWindow();
      sentByHost.set(host, sent);
      return sent.take(perMinute, clock, signal);
    },
  };
}

/** Whether a URL points to this machine: `localhost` and names under it, 127.0.0.0/8, `::1`. */
function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function sentHeaders(given?: HeadersInit, authorization?: string): Headers {
  const headers = readHeaders(given);
  if (authorization !== undefined && !headers.has("authorization")) {
    headers.set("authorization", authorization);
  }
  if (!headers.has("user-agent") && mayNameSender()) headers.set("user-agent", USER_AGENT);
  return headers;
}

function readHeaders(given: HeadersInit | undefined): Headers {
  try {
    return new Headers(given);
  } catch {
    // The runtime's message would quote the value.
    throw new InputError("Cannot use the headers: a name or a value is invalid", {
      remedy:
        "Use only characters that are allowed in header names and values, without line breaks",
    });
  }
}

/** A base URL that paths are appended to. */
interface BaseUrl {
  /** The URL without credentials and trailing slash. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of `Authorization` for the credentials in the URL. */
  readonly authorization?: string;
}

/**
 * Parses a base URL and extracts its credentials.
 *
 * @throws {InputError} If it is not an http or https URL, or has a query or a fragment, to which no
 * path can be appended.
 */
function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InputError(`Cannot use "${shown(text)}" as the address of a deployment`, {
      remedy: "Pass a complete URL, for example https://host/path",
    });
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InputError(
      `Cannot append paths to ${url.origin}${url.pathname} with a query or fragment`,
      {
        remedy:
          "Pass the URL without a query (`?`) and fragment (`#`); pass keys in the option `headers`",
      },
    );
  }
  const { origin, pathname } = url;
  const base = { url: origin + pathname.replace(/\/+$/, ""), origin };
  return url.username === "" && url.password === ""
    ? base
    : { ...base, authorization: basicAuthorization(url) };
}

/** Text that is not a URL may still hold secrets: anything before `@` and after `?`. */
function shown(text: string): string {
  return text.replace(/[?#].*$/s, "").replace(/^.*@/s, `${HIDDEN}@`);
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${unescaped(username)}:${unescaped(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
