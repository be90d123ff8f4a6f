import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Answer, RequestHandler } from "../service/request_handler.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** One HTTP request and its response. */
export interface Exchange {
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
export async function answerOverHttp(handler: RequestHandler, exchange: Exchange): Promise<void> {
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
