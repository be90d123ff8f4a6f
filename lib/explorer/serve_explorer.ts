import type { IncomingMessage, ServerResponse } from "node:http";
import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import { type Explorer, explorer, EXPLORER_OPTIONS, type ExplorerOptions } from "./explorer.ts";
import type { ExplorerSource } from "./explorer_source.ts";

/** Options of {@linkcode serveExplorer}. */
export interface ServeExplorerOptions extends ExplorerOptions {
  /** Port; 0 takes any free one. @default {8090} */
  port?: number | undefined;
  /**
   * Interface on which it listens; others than loopback show the pages to other machines.
   * @default {"127.0.0.1"}
   */
  hostname?: string | undefined;
  /** Stops the server. */
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
  port: wholeNumber(0, 65_535),
  hostname: String,
  signal: AbortSignal,
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
  const { port = 8090, hostname = "127.0.0.1", signal, hosts = [], ...explorerOptions } = options;
  signal?.throwIfAborted();
  const explorerWithoutPort = explorer(source, {
    ...explorerOptions,
    hosts: [...hosts, ...listHostnames(hostname)],
  });
  const ending = new AbortController();
  const server = await listen({ port, hostname, signal: ending.signal }, explorerWithoutPort.fetch);
  const finished = server.finished.then(explorerWithoutPort.close)
    .finally(() => signal?.removeEventListener("abort", end));
  const close = async () => {
    void explorerWithoutPort.close();
    ending.abort();
    await finished;
  };
  function end() {
    void close();
  }
  signal?.addEventListener("abort", end, { once: true });
  return {
    url: `http://${listHostnames(hostname)[0] ?? "127.0.0.1"}:${server.port}/`,
    port: server.port,
    finished,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The name of an interface, under which it may be asked; all interfaces have none. */
function listHostnames(hostname: string): string[] {
  if (hostname === "0.0.0.0" || hostname === "::") return [];
  return [hostname.includes(":") ? `[${hostname}]` : hostname];
}

async function listen(options: ListenOptions, fetch: Explorer["fetch"]) {
  try {
    return await startServer(options, fetch);
  } catch (error) {
    const { port, hostname } = options;
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

/** Address of a server, and the signal that stops it. */
interface ListenOptions {
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Interface. */
  readonly hostname: string;
  /** Ends it at once, with its connections. */
  readonly signal: AbortSignal;
}

/**
 * Listens with the server of the platform: that of Deno, or `node:http`.
 *
 * @throws {Error} As the system refuses it, with its `code`.
 */
async function startServer(options: ListenOptions, fetch: Explorer["fetch"]) {
  if (typeof Deno !== "undefined") {
    const { addr, finished } = Deno.serve({ ...options, onListen: () => {} }, fetch);
    return { port: addr.port, finished };
  }
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((request, response) => {
    void respond(request, response, fetch).catch(() => response.destroy());
  });
  const { promise: finished, resolve: end } = Promise.withResolvers<void>();
  server.once("close", end);
  await new Promise<void>((listens, fails) => {
    server.once("error", fails);
    server.listen(options.port, options.hostname, listens);
  });
  options.signal.addEventListener("abort", () => {
    server.close();
    server.closeAllConnections();
  }, { once: true });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return { port, finished };
}

/** Answers a request of `node:http`. Pages are only read, so that bodies are left out. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: Explorer["fetch"],
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const { method = "GET", url: target = "/" } = request;
  const url = target.startsWith("/") ? `http://${request.headers.host}${target}` : target;
  const { status, headers: responseHeaders, body } = await fetch(
    new Request(url, { method, headers, signal: gone.signal }),
  );
  response.writeHead(status, [...responseHeaders].flat());
  const { Readable } = process.getBuiltinModule("node:stream");
  const { pipeline } = process.getBuiltinModule("node:stream/promises");
  if (body === null) response.end();
  else await pipeline(Readable.from(body), response);
}
