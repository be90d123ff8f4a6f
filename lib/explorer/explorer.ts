import { atLeast, checkOptions, type OptionRules, rule } from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/mod.ts";
import { allowedHosts, refusalOf } from "./guarding/guard.ts";
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
