import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, rule, TEXT } from "../../errors/option_rules.ts";
import type { Answer, RequestHandler } from "../service/request_handler.ts";
import { Connection, type Patience } from "./connection.ts";

/** Where a sandbox listens. */
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
  port: rule("a number", (port) => typeof port === "number"),
  hostname: TEXT,
};

const DEFAULT_PORT = 8080;
const LAST_PORT = 65_535;

/** Default timeouts and limits. */
const PATIENCE: Patience = {
  requestMs: 15_000,
  idleMs: 60_000,
  answerMs: 15_000,
  lingerMs: 2_000,
  connections: 1_000,
  unsent: 128 * 1024 * 1024,
};

/**
 * Serves a handler over HTTP.
 *
 * @throws {InputError} If the port is invalid or in use, the interface is not on this machine, or
 * the runtime is not Deno.
 */
export function serveOverHttp(
  handler: RequestHandler,
  options: ListenOptions,
  patience: Patience = PATIENCE,
): SandboxServer {
  checkOptions(options, OPTIONS, "Cannot listen");
  const { port = DEFAULT_PORT, hostname = "127.0.0.1" } = options;
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) {
    throw new InputError(`Cannot listen on port ${port}`, {
      remedy: `Pass a whole number from 0 (any free port) to ${LAST_PORT}`,
    });
  }
  if (typeof Deno === "undefined") {
    throw new InputError("Cannot listen: serving a sandbox over HTTP requires Deno", {
      remedy: "Run it in Deno, or connect to the sandbox directly, which answers in-process",
    });
  }
  const listener = atPort({ port, hostname }, () => Deno.listen({ port, hostname }));
  const bound = listener.addr.port;
  const http = new HttpServer(listener, { handler, patience });
  const close = () => http.close();
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function atPort<Server>(where: { port: number; hostname: string }, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) throw error;
    const isTaken = error instanceof Deno.errors.AddrInUse;
    throw new InputError(`Cannot listen on ${where.hostname}, port ${where.port}`, {
      facts: { reason: isTaken ? "the port is already in use" : error.message },
      remedy: isTaken
        ? "Pass another port, or 0 for any free port"
        : "Pass an interface of this machine, and a port that you are allowed to use",
      cause: error,
    });
  }
}

/** Pause after a failed accept, for example when file descriptors run out, in milliseconds. */
const AGAIN_MS = 50;

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/**
 * Reads requests from connections that are accepted elsewhere.
 *
 * `node:http` accepts such connections, but closes kept-alive ones after each response unless
 * `listening` is true.
 */
class RequestReader extends Server {
  override listening = true;
}

/** Serves a handler on a port. Timeouts and limits keep clients from blocking it. */
export class HttpServer {
  readonly #listener: Deno.TcpListener;
  readonly #handler: RequestHandler;
  readonly #connections: Connections;
  readonly #ended = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #accepting: Promise<void>;
  readonly #reader: RequestReader;

  /** Starts to serve. */
  constructor(
    listener: Deno.TcpListener,
    { handler, patience }: { handler: RequestHandler; patience: Patience },
  ) {
    this.#listener = listener;
    this.#handler = handler;
    this.#connections = new Connections(patience);
    this.#reader = new RequestReader({ keepAliveTimeout: 0, requireHostHeader: false });
    // A client may close its sending side after the request.
    Object.assign(this.#reader, { httpAllowHalfOpen: true });
    this.#reader.on("request", (request, response) => this.#answer(request, response));
    this.#reader.on("clientError", refuseMalformed);
    this.#accepting = this.#accept();
  }

  /** Closes it at once, including all responses in progress. */
  async close(): Promise<void> {
    if (!this.#ended.signal.aborted) {
      this.#ended.abort(new DOMException("The sandbox no longer listens", "AbortError"));
      this.#listener.close();
      this.#connections.end();
    }
    await this.#accepting;
    await Promise.all(this.#underWay);
  }

  async #accept(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const conn = await this.#listener.accept();
        sendAtOnce(conn);
        this.#reader.emit("connection", this.#connections.add(conn));
      } catch {
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const connection: unknown = request.socket;
    if (!(connection instanceof Connection)) return;
    const connections = this.#connections;
    const signal = AbortSignal.any([this.#ended.signal, connection.gone]);
    const exchange = { request, response, connection, connections, signal };
    const answered = connection.inTurn(() => answerOverHttp(this.#handler, exchange));
    this.#underWay.add(answered);
    void answered.finally(() => this.#underWay.delete(answered));
  }
}

/**
 * Sends each write at once. Otherwise the end of a response waits until the client acknowledges its
 * start, which clients put off for 40 milliseconds.
 */
function sendAtOnce(conn: Deno.TcpConn): void {
  try {
    conn.setNoDelay(true);
  } catch {
    // The client has disconnected: reading from it will tell.
  }
}

/** Answers malformed requests if the client is still connected. */
function refuseMalformed(error: Error & { code?: string }, connection: unknown): void {
  if (!(connection instanceof Connection)) return;
  if (error.code === "ECONNRESET" || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ""] ?? "400 Bad Request";
  connection.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  connection.linger();
}

/** One HTTP request and its response. */
interface Exchange {
  /** The request; its body is read as far as the service needs it. */
  readonly request: IncomingMessage;
  /** Its response. */
  readonly response: ServerResponse;
  /** The connection it arrived on. */
  readonly connection: Connection;
  /** All connections of the server. */
  readonly connections: Connections;
  /** Aborts the response. */
  readonly signal: AbortSignal;
}

/** Answers a request over HTTP; if that is impossible, the connection closes. */
async function answerOverHttp(handler: RequestHandler, exchange: Exchange): Promise<void> {
  const { request, response, connection, connections, signal } = exchange;
  // The reader of the body handles its errors.
  request.on("error", () => {});
  connection.waitFor(() => !request.complete);
  try {
    const answer = await handler.answer({
      method: request.method ?? "GET",
      target: request.url ?? "/",
      contentType: request.headers["content-type"] ?? null,
      body: request.iterator({ destroyOnReturn: false }),
    }, signal);
    connections.isAnswered(connection);
    const { body } = answer;
    if (!request.complete) response.setHeader("connection", "close");
    connections.sends(connection, typeof body === "string" ? body.length : 0);
    await send(response, answer, signal);
    if (request.complete && response.shouldKeepAlive) connection.waitForNext();
    else {
      request.resume();
      connection.linger();
    }
  } catch {
    connection.destroy();
  } finally {
    connections.sent(connection);
    if (!connection.destroyed) connections.waits(connection);
  }
}

async function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  signal: AbortSignal,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Large responses are sent in chunks: computing their length costs too much.
  if (typeof body === "string" && body.length <= PIECE_CHARACTERS) {
    response.setHeader("content-length", new TextEncoder().encode(body).length);
  }
  await pipeline(typeof body === "string" ? piecesOf(body) : body ?? [], response, { signal });
}

const PIECE_CHARACTERS = 16 * 1024;

/** Encodes a text in pieces, so that unread responses are not held twice. */
function* piecesOf(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARACTERS;
    // A piece must not split a surrogate pair.
    const isCut = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
    const next = isCut ? end + 1 : end;
    yield encoder.encode(text.slice(at, next));
    at = next;
  }
}

/**
 * The open connections of a server, within limits. Above the maximum number, the connection that
 * has been waited for the longest closes; above the maximum of unread characters, the one with the
 * oldest unread response.
 */
class Connections {
  readonly #patience: Patience;
  /** All open connections. */
  readonly #open = new Set<Connection>();
  /** Connections without a complete request, the longest-waiting first. */
  readonly #waiting = new Set<Connection>();
  /** Characters of large unread responses, the oldest first. */
  readonly #unsent = new Map<Connection, number>();
  #unsentInAll = 0;

  /** Starts without connections. */
  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** Adds an accepted connection. */
  add(conn: Deno.Conn): Connection {
    const connection = new Connection(conn, this.#patience);
    this.#open.add(connection);
    this.waits(connection);
    connection.on("close", () => {
      this.#open.delete(connection);
      this.#waiting.delete(connection);
      this.sent(connection);
    });
    // A client that disconnects is not an error.
    connection.on("error", () => {});
    if (this.#open.size > this.#patience.connections) this.#first(this.#waiting)?.destroy();
    return connection;
  }

  /** Marks a connection as waiting for a request. */
  waits(connection: Connection): void {
    this.#waiting.add(connection);
  }

  /** Marks a connection as being answered. */
  isAnswered(connection: Connection): void {
    this.#waiting.delete(connection);
  }

  /** Records a response that the client has to read. */
  sends(connection: Connection, characters: number): void {
    this.sent(connection);
    if (characters < LARGE) return;
    this.#unsent.set(connection, characters);
    this.#unsentInAll += characters;
    while (this.#unsentInAll > this.#patience.unsent) {
      const oldest = this.#first(this.#unsent.keys());
      if (oldest === undefined || oldest === connection) return;
      this.sent(oldest);
      oldest.destroy();
    }
  }

  /** Marks a response as read or abandoned. */
  sent(connection: Connection): void {
    this.#unsentInAll -= this.#unsent.get(connection) ?? NOTHING;
    this.#unsent.delete(connection);
  }

  /** Closes all connections. */
  end(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #first(connections: Iterable<Connection>): Connection | undefined {
    for (const connection of connections) return connection;
    return undefined;
  }
}

const NOTHING = 0;

/** Minimum size of a response that counts: the connection limit bounds smaller ones. */
const LARGE = 64 * 1024;
