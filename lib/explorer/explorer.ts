import {
  checkOptions,
  defineRule,
  numberAtLeast,
  type OptionRules,
} from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/mod.ts";
import type { PageContent } from "../reports/page/page_content.ts";
import { type ExplorerSource, openSource } from "./explorer_source.ts";
import { createLiveFeed } from "./live.ts";
import { type Failure, FailureError, toResponse } from "./reply.ts";
import { createRoutes } from "./routes.ts";
import { createPageContext } from "./page_context.ts";
import { renderFailure, toFailure } from "./site_page.ts";

/** Options of {@linkcode explorer}. */
export interface ExplorerOptions {
  /** Further names under which it may be asked, without a port. @default {those of loopback} */
  hosts?: readonly string[] | undefined;
  /** A node, for times of blocks. @default {that of a recording or a dataset} */
  node?: NodeSource | undefined;
  /**
   * Cache lifetime of responses of a deployment, in milliseconds.
   * @default {1,000 of an order book in this process, 12,000 of others}
   */
  pollMs?: number | undefined;
  /**
   * Changes each page before it is shown, such as the command at its end.
   * @default {pages stay as they are}
   * @internal
   */
  adaptPage?: ((page: PageContent) => PageContent) | undefined;
  /** Milliseconds between two signs of life to who follows the newest auctions. @default {15,000} */
  heartbeatMs?: number | undefined;
}

/** An explorer without a port. */
export interface Explorer {
  /** Answers a request; never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * Ends everybody who follows the newest auctions, and whatever is being read; resolves when nothing is
   * read any more.
   */
  close(): Promise<void>;
}

/** Allowed values of the {@linkcode ExplorerOptions}. */
export const EXPLORER_OPTIONS: OptionRules<ExplorerOptions> = {
  hosts: defineRule(
    "a list of names",
    (hosts) => Array.isArray(hosts) && hosts.every((host) => typeof host === "string"),
  ),
  node: defineRule("the URL of a node, a recording or a sandbox", (node) => node !== null),
  pollMs: numberAtLeast(1),
  adaptPage: defineRule("a function", (adaptPage) => typeof adaptPage === "function"),
  heartbeatMs: numberAtLeast(1),
};

const ENDED: Failure = {
  status: 503,
  what: "This explorer has stopped",
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
  const { hosts = [], node, adaptPage, heartbeatMs = 15_000 } = options;
  const opened = openSource(source, adaptPage);
  const ending = new AbortController();
  const { pollMs = opened.isLocal ? 1_000 : 12_000 } = options;
  const { signal } = ending;
  const context = createPageContext(opened, { rawSource: source, node, freshMs: pollMs, signal });
  const names = new Set([...LOOPBACK, ...hosts].map((name) => name.toLowerCase()));
  const feed = createLiveFeed(context, { pollMs, heartbeatMs });
  const app = createRoutes(context, feed);
  const respond = async (request: Request): Promise<Response> => {
    const refusal = validateRequest(request, names);
    if (refusal !== null) {
      const { headers, ...page } = renderFailure(refusal, opened);
      const allow = refusal.status === 405 ? { allow: "GET, HEAD" } : {};
      return toResponse({ ...page, headers: { ...headers, ...allow } });
    }
    try {
      return await app.fetch(request);
    } catch (error) {
      return toResponse(renderFailure(toFailure(error), opened));
    }
  };
  const pending = new Set<Promise<Response>>();
  return {
    fetch: async (request) => {
      const answering = respond(request);
      pending.add(answering);
      return await answering.finally(() => pending.delete(answering));
    },
    close: async () => {
      const feedClosed = feed.close();
      ending.abort(new FailureError(ENDED));
      // A database that is opened or asked when the process ends would end it with a fault.
      await Promise.all([feedClosed, context.settle(), ...pending]);
    },
  };
}

/** Names of this machine, under which a server on loopback may be asked. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const MAX_URL_LENGTH = 4_096;
/** Of the address of a query in SQL. */
const MAX_QUERY_URL_LENGTH = 16_384;

const MAX_HEADERS_LENGTH = 16_384;

/**
 * Returns the failure of a request that is refused; `null` if it is allowed.
 *
 * A page of another site may make a browser ask this server under a name of its own (DNS rebinding):
 * only known names are answered.
 */
function validateRequest(request: Request, hosts: ReadonlySet<string>): Failure | null {
  const refuse = (status: number, reason: string, remedy: string) => ({
    status,
    what: reason,
    remedy,
  });
  if (request.method !== "GET" && request.method !== "HEAD") {
    const reason = "The explorer is read-only: it accepts GET and HEAD";
    return refuse(405, reason, "Open the address in a browser");
  }
  const maxLength = /^[^?]*\/sql(?:\.\w+)?\?/.test(request.url)
    ? MAX_QUERY_URL_LENGTH
    : MAX_URL_LENGTH;
  if (request.url.length > maxLength) {
    const reason = `The address is longer than ${maxLength} characters`;
    return refuse(414, reason, "Use fewer or shorter filters");
  }
  let headers = 0;
  for (const [name, value] of request.headers) headers += name.length + value.length;
  if (headers > MAX_HEADERS_LENGTH) {
    const reason = `The headers are longer than ${MAX_HEADERS_LENGTH} characters`;
    return refuse(431, reason, "Remove cookies or other headers that this server does not need");
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
    "This server does not accept this host name",
    "Open localhost or 127.0.0.1, or allow the name with the option hosts",
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
