import type { IncomingMessage, ServerResponse } from "node:http";

/** Where a server listens, and until when. */
export interface Listening {
  /** Port; 0 for any free one. */
  readonly port: number;
  /** Interface. */
  readonly hostname: string;
  /** Ends it at once, with its connections. */
  readonly signal: AbortSignal;
}

/** Answers a request as `fetch` would be answered. */
export type Answering = (request: Request) => Promise<Response>;

/** A server that listens. */
export interface WebServer {
  /** Port on which it listens. */
  readonly port: number;
  /** Resolves when it has ended. */
  readonly finished: Promise<void>;
}

/**
 * Listens with the server of the platform: that of Deno, or `node:http`.
 *
 * @throws {Error} As the system refuses it, with its `code`.
 */
export async function listenHere(where: Listening, answer: Answering): Promise<WebServer> {
  if (typeof Deno !== "undefined") {
    const { addr, finished } = Deno.serve({ ...where, onListen: () => {} }, answer);
    return { port: addr.port, finished };
  }
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((request, response) => {
    void respond(request, response, answer).catch(() => response.destroy());
  });
  const { promise: finished, resolve: end } = Promise.withResolvers<void>();
  server.once("close", end);
  await new Promise<void>((listens, fails) => {
    server.once("error", fails);
    server.listen(where.port, where.hostname, listens);
  });
  where.signal.addEventListener("abort", () => {
    server.close();
    server.closeAllConnections();
  }, { once: true });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : where.port;
  return { port, finished };
}

/** Answers a request of `node:http`. Pages are only read, so that bodies are left out. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answering,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const { method = "GET", url: target = "/" } = request;
  const url = target.startsWith("/") ? `http://${request.headers.host}${target}` : target;
  const { status, headers: sent, body } = await answer(
    new Request(url, { method, headers, signal: gone.signal }),
  );
  response.writeHead(status, [...sent].flat());
  const { Readable } = process.getBuiltinModule("node:stream");
  const { pipeline } = process.getBuiltinModule("node:stream/promises");
  if (body === null) response.end();
  else await pipeline(Readable.from(body), response);
}
