import { InputError } from "../errors/mod.ts";
import {
  atLeast,
  checkOptions,
  type OptionRules,
  rule,
  SIGNAL,
  TEXT,
  wholeFrom,
} from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/mod.ts";
import { type ExplorerSource, openSource } from "./explorer_source.ts";
import { HomePage } from "./home_page.ts";
import { liveFeed } from "./live_page.ts";
import { type Failure, FailureError, responseOf } from "./reply.ts";
import { routes } from "./routes.ts";
import { shownOf } from "./shown.ts";
import { failureOf, failurePage } from "./site_page.ts";
import { SqlPages } from "./sql_page.ts";
import { SubjectPages } from "./subject_pages.ts";
import { type Answering, listenHere, type Listening, type WebServer } from "./web_server.ts";

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
const EXPLORER_OPTIONS: OptionRules<ExplorerOptions> = {
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
 * const recording = await replay("edges");
 * const { fetch } = explorer(recording);
 * const page = await fetch(new Request(`http://localhost/orders/${recording.recorded.orderUids[0]}`));
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
  const shown = shownOf(opened, {
    given: source,
    now,
    node,
    freshMs: pollMs,
    signal: ending.signal,
  });
  const names = allowedHosts(hosts);
  const feed = liveFeed(shown, { pollMs, heartbeatMs });
  const app = routes({
    shown,
    feed,
    home: new HomePage(shown, now),
    subjects: new SubjectPages(shown, now),
    sql: new SqlPages(shown, now),
  });
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

/** Names of this machine, under which a server on loopback may be asked. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const LONGEST_URL = 4_096;
/** Of the address of a query in SQL. */
const LONGEST_QUERY = 16_384;

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
function refusalOf(request: Request, hosts: ReadonlySet<string>): Failure | null {
  const refuse = (status: number, what: string, remedy: string) => ({ status, what, remedy });
  if (request.method !== "GET" && request.method !== "HEAD") {
    const what = "This explorer only shows: it takes GET and HEAD";
    return refuse(405, what, "Open the address in a browser");
  }
  const longest = /^[^?]*\/sql(?:\.\w+)?\?/.test(request.url) ? LONGEST_QUERY : LONGEST_URL;
  if (request.url.length > longest) {
    const what = `The address is longer than ${longest} characters`;
    return refuse(414, what, "Use fewer or shorter filters");
  }
  let headers = 0;
  for (const [name, value] of request.headers) headers += name.length + value.length;
  if (headers > LONGEST_HEADERS) {
    const what = `The headers are longer than ${LONGEST_HEADERS} characters`;
    return refuse(431, what, "Remove cookies or other headers that this server does not need");
  }
  const url = URL.parse(request.url);
  if (url === null || !isDecodable(url.pathname)) {
    const remedy = "Check its percent signs: each begins two hexadecimal digits of UTF-8";
    return refuse(400, "The address cannot be read", remedy);
  }
  const host = request.headers.get("host");
  const isKnown = hosts.has(url.hostname.toLowerCase()) && (host === null || isHost(host, hosts));
  return isKnown ? null : refuse(
    421,
    "This server does not answer to this name",
    "Ask for localhost or 127.0.0.1, or allow the name with the option hosts",
  );
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

/** Options of {@linkcode serveExplorer}. */
export interface ServeExplorerOptions extends ExplorerOptions {
  /** Port; 0 takes any free one. @default {8090} */
  port?: number | undefined;
  /**
   * Interface on which it listens; others than loopback show the pages to other machines.
   * @default {"127.0.0.1"}
   */
  hostname?: string | undefined;
  /** Ends the server. */
  signal?: AbortSignal | undefined;
}

/** An explorer that listens. */
export interface ExplorerServer extends AsyncDisposable {
  /** Address of its first page. */
  readonly url: string;
  /** Port on which it listens. */
  readonly port: number;
  /** Resolves when it has ended. */
  readonly finished: Promise<void>;
  /** Ends it at once: also those who follow the newest auctions. */
  close(): Promise<void>;
}

const OPTIONS: OptionRules<ServeExplorerOptions> = {
  ...EXPLORER_OPTIONS,
  port: wholeFrom(0, 65_535),
  hostname: TEXT,
  signal: SIGNAL,
};

const ACTION = "Cannot serve an explorer";

/**
 * Serves an {@linkcode explorer} to browsers on this machine until it is closed.
 *
 * @param source What is shown: a book that `connect` returns, a recording, a dataset or the sandbox.
 * @throws {InputError} If an option is invalid, the port is taken, or the interface is not on this
 *   machine.
 *
 * @example
 * ```ts
 * import { serveExplorer } from "orderlens/explorer";
 * import { replay } from "orderlens/recordings";
 * import { assert } from "@std/assert";
 *
 * await using server = await serveExplorer(await replay("edges"), { port: 0 });
 * const page = await (await fetch(server.url)).text();
 *
 * assert(page.includes("What happened in edges"));
 * ```
 */
export async function serveExplorer(
  source: ExplorerSource,
  options: ServeExplorerOptions = {},
): Promise<ExplorerServer> {
  checkOptions(options, OPTIONS, ACTION);
  const { port = 8090, hostname = "127.0.0.1", signal, hosts = [], ...others } = options;
  signal?.throwIfAborted();
  const own = explorer(source, { ...others, hosts: [...hosts, ...nameOf(hostname)] });
  const ending = new AbortController();
  const server = await listen({ port, hostname, signal: ending.signal }, own.fetch);
  const close = async () => {
    own.close();
    ending.abort();
    await server.finished;
  };
  const finished = server.finished.finally(() => signal?.removeEventListener("abort", end));
  function end() {
    void close();
  }
  signal?.addEventListener("abort", end, { once: true });
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const isAny = hostname === "0.0.0.0" || hostname === "::";
  return {
    url: `http://${isAny ? "127.0.0.1" : host}:${server.port}/`,
    port: server.port,
    finished,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The name of an interface, under which it may be asked; all interfaces have none. */
function nameOf(hostname: string): string[] {
  if (hostname === "0.0.0.0" || hostname === "::") return [];
  return [hostname.includes(":") ? `[${hostname}]` : hostname];
}

async function listen(where: Listening, answer: Answering): Promise<WebServer> {
  try {
    return await listenHere(where, answer);
  } catch (error) {
    const { port, hostname } = where;
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE") {
      throw new InputError(`${ACTION} on port ${port} of ${hostname}: it is taken`, {
        remedy: "Pass another port, or 0 for any free one",
        cause: error,
      });
    }
    if (code === "EADDRNOTAVAIL") {
      throw new InputError(`${ACTION} on ${hostname}: this machine has no such interface`, {
        remedy: "Pass 127.0.0.1, or an address of this machine",
        cause: error,
      });
    }
    throw error;
  }
}
