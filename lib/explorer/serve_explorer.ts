import { checkOptions, type OptionRules, SIGNAL, TEXT, wholeFrom } from "../errors/option_rules.ts";
import { InputError } from "../errors/mod.ts";
import { explorer, EXPLORER_OPTIONS, type ExplorerOptions } from "./explorer.ts";
import type { ExplorerSource } from "./source/explorer_source.ts";

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
 * await using server = serveExplorer(await replay("edges"), { port: 0 });
 * const page = await (await fetch(server.url)).text();
 *
 * assert(page.includes("What happened in edges"));
 * ```
 */
export function serveExplorer(
  source: ExplorerSource,
  options: ServeExplorerOptions = {},
): ExplorerServer {
  checkOptions(options, OPTIONS, ACTION);
  const { port = 8090, hostname = "127.0.0.1", signal, hosts = [], ...others } = options;
  signal?.throwIfAborted();
  const own = explorer(source, { ...others, hosts: [...hosts, ...nameOf(hostname)] });
  const ending = new AbortController();
  const server = listen({ port, hostname, signal: ending.signal }, own.fetch);
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
    url: `http://${isAny ? "127.0.0.1" : host}:${server.addr.port}/`,
    port: server.addr.port,
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

function listen(
  options: { port: number; hostname: string; signal: AbortSignal },
  answer: (request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ ...options, onListen: () => {} }, answer);
  } catch (error) {
    const { port, hostname } = options;
    if (error instanceof Deno.errors.AddrInUse) {
      throw new InputError(`${ACTION} on port ${port} of ${hostname}: it is taken`, {
        remedy: "Pass another port, or 0 for any free one",
        cause: error,
      });
    }
    if (error instanceof Deno.errors.AddrNotAvailable) {
      throw new InputError(`${ACTION} on ${hostname}: this machine has no such interface`, {
        remedy: "Pass 127.0.0.1, or an address of this machine",
        cause: error,
      });
    }
    throw error;
  }
}
