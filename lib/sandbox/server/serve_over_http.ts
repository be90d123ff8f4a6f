import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../../errors/option_rules.ts";
import type { HandlerResponse, RequestHandler } from "../service/request_handler.ts";

/** Address on which a sandbox listens. */
export interface ListenOptions {
  /** Port; 0 for any free port. @default {8080} */
  readonly port?: number;
  /** Network interface. @default {"127.0.0.1"} */
  readonly hostname?: string;
}

/** A listening sandbox. */
export interface SandboxServer extends AsyncDisposable {
  /** URL to which `/api/v1/…` is appended. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Closes it at once, including all responses in progress; a second call has no effect. */
  close(): Promise<void>;
}

const OPTIONS: OptionRules<ListenOptions> = {
  port: defineRule("a number", (port) => typeof port === "number"),
  hostname: String,
};

const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;

/** Timeouts and limits of connections. */
export interface ConnectionLimits {
  /** Time for the bytes of one request to arrive, in milliseconds. */
  readonly requestMs: number;
  /** Maximum time between two requests, in milliseconds. */
  readonly idleMs: number;
  /** Maximum time for a client to read the next 64 KiB of a response, in milliseconds. */
  readonly responseMs: number;
  /** Maximum number of open connections. */
  readonly connections: number;
}

/** Default timeouts and limits. */
const DEFAULT_LIMITS: ConnectionLimits = {
  requestMs: 15_000,
  idleMs: 60_000,
  responseMs: 15_000,
  connections: 1_000,
};

/**
 * Serves a handler over HTTP.
 *
 * @throws {InputError} If the port is invalid or in use, the interface is not on this machine, or
 * the runtime is not Deno.
 */
export function serveOverHttp(handler: RequestHandler, options: ListenOptions): SandboxServer {
  checkOptions(options, OPTIONS, "Cannot listen");
  const { port = DEFAULT_PORT, hostname = "127.0.0.1" } = options;
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new InputError(`Cannot listen on port ${port}`, {
      remedy: `Pass a whole number from 0 (any free port) to ${MAX_PORT}`,
    });
  }
  if (typeof Deno === "undefined") {
    throw new InputError("Cannot listen: serving a sandbox over HTTP requires Deno", {
      remedy: "Run it in Deno, or connect to the sandbox directly, which answers in-process",
    });
  }
  const listener = openListener({ port, hostname });
  const bound = listener.addr.port;
  const http = new HttpServer(listener, { handler, limits: DEFAULT_LIMITS });
  const close = () => http.close();
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return { url: `http://${host}:${bound}`, port: bound, close, [Symbol.asyncDispose]: close };
}

function openListener(address: { port: number; hostname: string }): Deno.TcpListener {
  try {
    return Deno.listen(address);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) throw error;
    const isTaken = error instanceof Deno.errors.AddrInUse;
    throw new InputError(`Cannot listen on ${address.hostname}, port ${address.port}`, {
      facts: { reason: isTaken ? "the port is already in use" : error.message },
      remedy: isTaken
        ? "Pass another port, or 0 for any free port"
        : "Pass an interface of this machine, and a port that you are allowed to use",
      cause: error,
    });
  }
}

/** Pause after a failed accept, for example when file descriptors run out, in milliseconds. */
const RETRY_MS = 50;

/** Interval of the check for late requests, in milliseconds. */
const CHECK_MS = 1_000;

/**
 * Reads requests from connections that are accepted elsewhere, because `node:http` binds its port only
 * after `listen` returns.
 *
 * It closes kept-alive connections after each response unless `listening` is true.
 */
class RequestReader extends Server {
  override listening = true;
}

/** Serves a handler on a port. Timeouts and limits keep clients from blocking it. */
export class HttpServer {
  readonly #listener: Deno.TcpListener;
  readonly #handler: RequestHandler;
  readonly #limits: ConnectionLimits;
  /** Open connections, the one that was used least recently first, each with its timer. */
  readonly #open = new Map<Duplex, ReturnType<typeof setTimeout> | undefined>();
  readonly #ended = new AbortController();
  readonly #accepting: Promise<void>;
  readonly #reader: RequestReader;

  /** Starts to serve. */
  constructor(
    listener: Deno.TcpListener,
    { handler, limits }: { handler: RequestHandler; limits: ConnectionLimits },
  ) {
    this.#listener = listener;
    this.#handler = handler;
    this.#limits = limits;
    const { requestMs } = limits;
    this.#reader = new RequestReader({
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs, CHECK_MS),
      // Its own limit of idle connections is set on sockets, and these connections are streams.
      keepAliveTimeout: 0,
      requireHostHeader: false,
    });
    this.#reader.on("request", (request, response) => this.#handleRequest(request, response));
    this.#reader.on("clientError", (error, connection) => this.#refuse(error, connection));
    this.#reader.emit("listening");
    this.#accepting = this.#accept();
  }

  /** Closes it at once, including all responses in progress. */
  async close(): Promise<void> {
    if (!this.#ended.signal.aborted) {
      this.#ended.abort(new DOMException("The sandbox no longer listens", "AbortError"));
      this.#listener.close();
      this.#reader.close();
      for (const connection of this.#open.keys()) connection.destroy();
    }
    await this.#accepting;
  }

  async #accept(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        this.#add(await this.#listener.accept());
      } catch {
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #add(conn: Deno.TcpConn): void {
    const connection = Duplex.fromWeb(conn);
    this.#open.set(connection, undefined);
    connection.on("close", () => {
      clearTimeout(this.#open.get(connection));
      this.#open.delete(connection);
    });
    // A client that disconnects is not an error.
    connection.on("error", () => {});
    this.#reader.emit("connection", connection);
    const [oldest] = this.#open.keys();
    if (this.#open.size > this.#limits.connections) oldest?.destroy();
    // Otherwise the end of a response waits until the client acknowledges its start.
    conn.setNoDelay(true);
  }

  /** Closes a connection after a time without further use. */
  #closeAfter(connection: Duplex, ms: number): void {
    if (!this.#open.has(connection)) return;
    clearTimeout(this.#open.get(connection));
    this.#open.delete(connection);
    this.#open.set(
      connection,
      ms === Infinity ? undefined : setTimeout(() => connection.destroy(), ms),
    );
  }

  /** Rejects a malformed request; a late one gets no response. */
  #refuse({ code }: Error & { code?: string }, connection: Duplex): void {
    if (code === "ERR_HTTP_REQUEST_TIMEOUT") return void connection.destroy();
    const status = code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
    connection.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    this.#closeAfter(connection, this.#limits.responseMs);
  }

  async #handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    const { responseMs, idleMs } = this.#limits;
    const gone = new AbortController();
    const signal = AbortSignal.any([this.#ended.signal, gone.signal]);
    response.on("close", () => gone.abort());
    // The reader of the body handles its errors.
    request.on("error", () => {});
    this.#closeAfter(socket, Infinity);
    try {
      const result = await this.#handler.handle({
        method: request.method ?? "GET",
        target: request.url ?? "/",
        contentType: request.headers["content-type"] ?? null,
        body: request.iterator({ destroyOnReturn: false }),
      }, signal);
      if (!request.complete) response.setHeader("connection", "close");
      await send(response, result, () => this.#closeAfter(socket, responseMs));
      request.resume();
      this.#closeAfter(socket, idleMs);
    } catch {
      socket.destroy();
    }
  }
}

/** Sends a response, and calls `onPiece` before each piece. */
async function send(
  response: ServerResponse,
  { status, headers, body }: HandlerResponse,
  onPiece: () => void,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Large responses are sent in chunks: computing their length costs too much.
  if (typeof body === "string" && body.length <= PIECE_CHARACTERS) {
    response.setHeader("content-length", new TextEncoder().encode(body).length);
  }
  await pipeline(typeof body === "string" ? encodePieces(body, onPiece) : body ?? [], response);
}

const PIECE_CHARACTERS = 16 * 1024;

/** Encodes a text in pieces, so that unread responses are not held twice. */
function* encodePieces(text: string, onPiece: () => void): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let start = 0; start < text.length;) {
    const end = start + PIECE_CHARACTERS;
    // A piece must not split a surrogate pair.
    const isCut = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
    const next = isCut ? end + 1 : end;
    onPiece();
    yield encoder.encode(text.slice(start, next));
    start = next;
  }
}
