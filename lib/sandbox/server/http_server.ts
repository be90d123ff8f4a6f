import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { RequestHandler } from "../service/request_handler.ts";
import { Connection, type Patience } from "./connection.ts";
import { Connections } from "./connections.ts";
import { answerOverHttp } from "./exchange.ts";

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
