import { InputError } from "../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  isWhole,
  numberAtLeast,
  type OptionRules,
  wholeNumber,
} from "../errors/option_rules.ts";
import { HIDDEN } from "../errors/secrets.ts";
import { type Backoff, type RateLimiter, SlidingWindow } from "./limits.ts";
import {
  canSetUserAgent,
  type Clock,
  type HttpHooks,
  systemClock,
  USER_AGENT,
} from "./transport.ts";

/**
 * Maximum requests per minute to a public host, as requested by the operator of the public
 * deployments.
 */
const REQUESTS_PER_MINUTE = 100;

/**
 * Requests of this process by host. The limit is per host: two networks of one operator share it,
 * so one transport alone cannot count the requests.
 */
const windowByHost = new Map<string, SlidingWindow>();

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

/** Options that are used as passed, or by their default. */
type OptionalSettings =
  | "timeoutMs"
  | "retries"
  | "silenceMs"
  | "retryAfterCapMs"
  | "maxBodyBytes"
  | "hooks"
  | "fetch"
  | "clock";

/** Options of a transport, checked and complete. */
export interface Settings extends Readonly<Required<Pick<HttpTransportOptions, OptionalSettings>>> {
  /** Destination of requests. */
  readonly base: Endpoint;
  /** Destination of requests to the root. */
  readonly root: Endpoint;
  /** Secrets in the headers. */
  readonly secrets: readonly string[];
  /** Waits between attempts. */
  readonly backoff: Backoff;
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
  const headers = buildHeaders(options.headers, base.authorization);
  const clock = options.clock ?? systemClock;
  const findLimiter = createLimiters(options.rateLimit, clock);
  return {
    base: {
      url: base.url,
      origin: base.origin,
      headers: Object.fromEntries(headers),
      limiter: findLimiter(base.origin),
    },
    root: {
      url: root.url,
      origin: root.origin,
      headers: Object.fromEntries(root.origin === base.origin ? headers : buildHeaders()),
      limiter: findLimiter(root.origin),
    },
    secrets: collectSecrets(headers),
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

function createLimiters(
  rateLimit: number | RateLimiter | undefined,
  clock: Clock,
): (origin: string) => RateLimiter | undefined {
  if (typeof rateLimit === "object") return () => rateLimit;
  return (origin) => {
    const url = new URL(origin);
    const perMinute = rateLimit ?? (isLoopback(url) ? Infinity : REQUESTS_PER_MINUTE);
    if (perMinute === Infinity) return undefined;
    const requests = windowByHost.get(url.host) ?? new SlidingWindow();
    windowByHost.set(url.host, requests);
    return requests.limit(perMinute, clock);
  };
}

/** Whether a URL points to this machine: `localhost` and names under it, 127.0.0.0/8, `::1`. */
function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function buildHeaders(init?: HeadersInit, authorization?: string): Headers {
  const headers = readHeaders(init);
  if (authorization !== undefined && !headers.has("authorization")) {
    headers.set("authorization", authorization);
  }
  if (!headers.has("user-agent") && canSetUserAgent()) headers.set("user-agent", USER_AGENT);
  return headers;
}

function readHeaders(init: HeadersInit | undefined): Headers {
  try {
    return new Headers(init);
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
    throw new InputError(`Cannot use "${hideCredentials(text)}" as the address of a deployment`, {
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
    : { ...base, authorization: encodeBasicAuth(url) };
}

/** Hides what may be secret in a text that is not a URL: anything before `@` and after `?`. */
function hideCredentials(text: string): string {
  return text.replace(/[?#].*$/s, "").replace(/^.*@/s, `${HIDDEN}@`);
}

function encodeBasicAuth({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${decodeUriText(username)}:${decodeUriText(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decodeUriText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers that reveal nothing about the sender. */
const OPEN_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-type",
  "date",
  "host",
  "if-modified-since",
  "origin",
  "pragma",
  "user-agent",
]);

/** Names of headers whose value is a secret even if it is short. */
const SECRET_NAME = /key|token|secret|password|auth|signature|credential/;

/** A shorter word of another header is too common to be hidden. */
const MIN_WORD_CHARS = 8;

/**
 * Collects the secrets in a transport's headers: every value except those of public headers, each of its
 * words of at least 8 characters, and the name and the password of basic credentials. In headers
 * with a secret's name, shorter words too.
 */
function collectSecrets(headers: Headers): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of headers) {
    if (OPEN_HEADERS.has(name)) continue;
    const [, scheme, credentials = value] = /^(\S+) +(.*)$/.exec(value) ?? [];
    const basic = scheme?.toLowerCase() === "basic" ? decodeBasicAuth(credentials) : "";
    const [user = "", password = ""] = basic.split(/:(.*)/s);
    const words = [value, ...value.split(/[\s,;=]+/), user];
    for (const word of words.filter(({ length }) => length >= MIN_WORD_CHARS)) {
      secrets.add(word);
    }
    if (SECRET_NAME.test(name)) secrets.add(credentials);
    if (basic !== "") secrets.add(basic).add(password === "" ? user : password);
  }
  return [...secrets];
}

/** Decodes name and password from base64; `""` if it is not base64. */
function decodeBasicAuth(credentials: string): string {
  try {
    const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  }
}

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
   * even where a server echoes them, as they are or percent-encoded, escaped as in JSON or in
   * base64. This covers values, and words in them, of
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
   * Milliseconds without a complete response after which a request is not repeated: a host that hangs is
   * given up, while a busy one that says so is tried again.
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
   * Longest `Retry-After` that the transport waits for, in milliseconds. A response that asks for
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
   * Folder in which final responses are cached, created when needed: responses to GETs that can never
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
  rootUrl: String,
  headers: defineRule(
    "an object of headers",
    (value) => typeof value === "object" && value !== null,
  ),
  timeoutMs: numberAtLeast(1),
  retries: wholeNumber(0),
  silenceMs: numberAtLeast(0),
  backoffBaseMs: numberAtLeast(0),
  backoffCapMs: numberAtLeast(0),
  retryAfterCapMs: numberAtLeast(0),
  rateLimit: defineRule(
    "a whole number of requests per minute of at least 1, Infinity, or a limiter from `rateLimiter`,",
    (value) => isWhole(value, 1) || value === Infinity || hasMethod(value, "take"),
  ),
  maxBodyBytes: numberAtLeast(0),
  cacheFolder: String,
  hooks: defineRule(
    "an object of functions",
    (value) => typeof value === "object" && value !== null,
  ),
  fetch: Function,
  clock: defineRule(
    "a clock with `now` and `sleep`",
    (value) => hasMethod(value, "now") && hasMethod(value, "sleep"),
  ),
  random: Function,
};

function hasMethod(value: unknown, method: string): boolean {
  return typeof value === "object" && value !== null &&
    typeof Reflect.get(value, method) === "function";
}
