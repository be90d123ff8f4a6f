import { atLeast, checkOptions, type OptionRules, rule } from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/mod.ts";
import { type Failure, FailureError, failureOf, failurePage } from "./pages/error_pages.ts";
import { liveFeed } from "./pages/live_page.ts";
import { responseOf } from "./pages/reply.ts";
import { routes } from "./pages/routes.ts";
import { shownOf } from "./pages/shown.ts";
import { SubjectPages } from "./pages/subject_pages.ts";
import { type ExplorerSource, openSource } from "./source/explorer_source.ts";

/** Options of {@linkcode explorer}. */
export interface ExplorerOptions {
  /** Further names under which it may be asked, without a port. @default {those of loopback} */
  hosts?: readonly string[] | undefined;
  /** A node, for times of blocks. @default {that of a recording or a dataset} */
  node?: NodeSource | undefined;
  /**
   * Milliseconds for which what a deployment said is not asked for again.
   * @default {1,000 of an order book in this process, 12,000 of others}
   */
  pollMs?: number | undefined;
  /** Milliseconds between two signs of life to who follows the newest auctions. @default {15,000} */
  heartbeatMs?: number | undefined;
}

/** An explorer without a port. */
export interface Explorer {
  /** Answers a request; never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Ends everybody who follows the newest auctions, and whatever is being read. */
  close(): void;
}

/** Allowed values of the {@linkcode ExplorerOptions}. */
export const EXPLORER_OPTIONS: OptionRules<ExplorerOptions> = {
  hosts: rule(
    "a list of names",
    (hosts) => Array.isArray(hosts) && hosts.every((host) => typeof host === "string"),
  ),
  node: rule("the URL of a node, a recording or a sandbox", (node) => node !== null),
  pollMs: atLeast(1),
  heartbeatMs: atLeast(1),
};

const ENDED: Failure = {
  status: 503,
  what: "This explorer has ended",
  remedy: "Start it again",
};

/**
 * An explorer of orders, auctions, solvers, accounts, transactions and tokens: pages for a browser,
 * and the same as JSON and CSV. It only reads.
 *
 * Refuses other methods than GET and HEAD (405), other names than its own (421), long or unreadable
 * addresses (414, 400). Errors of the source become pages that say what, why, and what to do.
 *
 * @param source What is shown: a book that `connect` returns, a recording, a dataset or the sandbox.
 * @throws {InputError} If an option is invalid, or nothing connects to the source.
 *
 * @example The page of an order
 * ```ts
 * import { explorer } from "orderlens/explorer";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("edges");
 * const { fetch } = explorer(tape);
 * const page = await fetch(new Request(`http://localhost/orders/${tape.recorded.orderUids[0]}`));
 *
 * assertEquals([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
 * ```
 */
export function explorer(source: ExplorerSource, options: ExplorerOptions = {}): Explorer {
  checkOptions(options, EXPLORER_OPTIONS, "Cannot open an explorer");
  const { hosts = [], node, heartbeatMs = 15_000 } = options;
  const now = () => performance.now();
  const opened = openSource(source);
  const ending = new AbortController();
  const { pollMs = opened.isLocal ? 1_000 : 12_000 } = options;
  const shown = shownOf(opened, { now, node, freshMs: pollMs, signal: ending.signal });
  const names = allowedHosts(hosts);
  const feed = liveFeed(shown, { pollMs, heartbeatMs });
  const app = routes({ shown, feed, subjects: new SubjectPages(shown, now) });
  const { name } = opened;
  return {
    fetch: async (request) => {
      const refusal = refusalOf(request, names);
      if (refusal !== null) {
        const { headers, ...page } = failurePage(refusal, name);
        const allow = refusal.status === 405 ? { allow: "GET, HEAD" } : {};
        return responseOf({ ...page, headers: { ...headers, ...allow } });
      }
      try {
        return await app.fetch(request);
      } catch (error) {
        return responseOf(failurePage(failureOf(error), name));
      }
    },
    close: () => {
      feed.close();
      ending.abort(new FailureError(ENDED));
    },
  };
}

/** A request that is not answered: status, and why. */
interface Refusal {
  /** HTTP status. */
  readonly status: 400 | 405 | 414 | 421 | 431;
  /** What is wrong, as a sentence. */
  readonly what: string;
  /** What to do. */
  readonly remedy: string;
}

/** Names of this machine, under which a server on loopback may be asked. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const LONGEST_URL = 4_096;

const LONGEST_HEADERS = 16_384;

/** The names under which a server may be asked, in lower case and without a port. */
function allowedHosts(names: Iterable<string>): ReadonlySet<string> {
  return new Set([...LOOPBACK, ...names].map((name) => name.toLowerCase()));
}

/**
 * Why a request is refused; `null` if it is not.
 *
 * A page of another site may make a browser ask this server under a name of its own (DNS rebinding):
 * only known names are answered.
 */
function refusalOf(request: Request, hosts: ReadonlySet<string>): Refusal | null {
  if (request.method !== "GET" && request.method !== "HEAD") return NOT_READING;
  if (request.url.length > LONGEST_URL) return TOO_LONG;
  let headers = 0;
  for (const [name, value] of request.headers) headers += name.length + value.length;
  if (headers > LONGEST_HEADERS) return TOO_MANY_HEADERS;
  const url = URL.parse(request.url);
  if (url === null || !isDecodable(url.pathname)) return UNREADABLE;
  const host = request.headers.get("host");
  const isKnown = hosts.has(url.hostname.toLowerCase()) && (host === null || isHost(host, hosts));
  return isKnown ? null : WRONG_HOST;
}

function isHost(header: string, hosts: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header)?.[1];
  return name !== undefined && hosts.has(name.toLowerCase());
}

function isDecodable(path: string): boolean {
  try {
    // deno-lint-ignore no-control-regex -- these characters are what is looked for
    return !/[\x00-\x1f\x7f]/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

const NOT_READING: Refusal = {
  status: 405,
  what: "This explorer only shows: it takes GET and HEAD",
  remedy: "Open the address in a browser",
};

const TOO_LONG: Refusal = {
  status: 414,
  what: `The address is longer than ${LONGEST_URL} characters`,
  remedy: "Use fewer or shorter filters",
};

const TOO_MANY_HEADERS: Refusal = {
  status: 431,
  what: `The headers are longer than ${LONGEST_HEADERS} characters`,
  remedy: "Remove cookies or other headers that this server does not need",
};

const UNREADABLE: Refusal = {
  status: 400,
  what: "The address cannot be read",
  remedy: "Check its percent signs: each begins two hexadecimal digits of UTF-8",
};

const WRONG_HOST: Refusal = {
  status: 421,
  what: "This server is not asked under this name",
  remedy: "Ask for localhost or 127.0.0.1, or allow the name with the option hosts",
};
