import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Answer, Front } from "../service/front.ts";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";

/** One request over HTTP, and where its answer goes. */
export interface Exchange {
  /** The request; its body is read as far as the service wants it. */
  readonly request: IncomingMessage;
  /** Its answer. */
  readonly response: ServerResponse;
  /** The connection that it came by. */
  readonly connection: Connection;
  /** All connections of the server. */
  readonly connections: Connections;
  /** Ends the answer. */
  readonly signal: AbortSignal;
}

/** Answers a request over HTTP; the connection ends where that is not possible. */
export async function answerOverHttp(front: Front, exchange: Exchange): Promise<void> {
  const { request, response, connection, connections, signal } = exchange;
  // Faults of what is read of a body are those of whoever reads it.
  request.on("error", () => {});
  connection.waitFor(() => !request.complete);
  try {
    const answer = await front.answer({
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
  // The length of a large answer is not worth its cost: it is sent in chunks.
  if (typeof body === "string" && body.length <= PIECE_CHARACTERS) {
    response.setHeader("content-length", new TextEncoder().encode(body).length);
  }
  await pipeline(typeof body === "string" ? piecesOf(body) : body ?? [], response, { signal });
}

const PIECE_CHARACTERS = 16 * 1024;

/** A text as bytes, piece by piece: what a client has not taken yet is not kept twice. */
function* piecesOf(text: string): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    const end = at + PIECE_CHARACTERS;
    // No piece ends between the halves of a pair.
    const isCut = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
    const next = isCut ? end + 1 : end;
    yield encoder.encode(text.slice(at, next));
    at = next;
  }
}
