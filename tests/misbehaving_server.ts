/**
 * A server on loopback that does to its clients what networks and servers do, and counts what they
 * ask.
 *
 * It speaks HTTP over bare connections, one request each, so that it can also break off in the middle
 * of anything.
 *
 * @module
 */

import { httpTransport, type HttpTransportOptions } from "orderlens/http";
import { TestClock } from "./test_clock.ts";

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** How many requests to this path came before. */
  readonly before: number;
}

/** What is done with one request. The connection is closed afterwards. */
export type Behaviour = (request: SeenRequest, connection: Deno.Conn) => void | Promise<void>;

/** Behaviours by path without query; of a list, each takes one request and the last all further ones. */
export type Script = Readonly<Record<string, Behaviour | readonly Behaviour[]>>;

/** Starts a server that follows `script`, and answers 404 with nothing elsewhere. */
export function misbehavingServer(script: Script): MisbehavingServer {
  return new MisbehavingServer(script);
}

export class MisbehavingServer implements AsyncDisposable {
  /** `http://127.0.0.1:` and the port. */
  readonly url: string;
  /** All requests so far, in order; those reset before they were read are not among them. */
  readonly requests: SeenRequest[] = [];
  /** How many connections were reset as `resetNext` asked. */
  resets = 0;
  #toReset = 0;
  readonly #script: Script;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #over = Promise.withResolvers<void>();
  readonly #serving: Promise<void>;
  readonly #awaited: { path: string; count: number; resolve: () => void }[] = [];

  constructor(script: Script) {
    this.#script = script;
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#serving = this.#serve();
  }

  /** How many requests came, to one path (without query) or in all. */
  count(path?: string): number {
    return this.requests.filter((one) => path === undefined || pathOf(one) === path).length;
  }

  /** Resets the next `count` connections while their requests arrive. */
  resetNext(count: number): void {
    this.#toReset = count;
  }

  /** Resolves when `count` requests to `path` have come. */
  reached(path: string, count: number = 1): Promise<void> {
    if (this.count(path) >= count) return Promise.resolve();
    return new Promise((resolve) => this.#awaited.push({ path, count, resolve }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.resolve();
    this.#listener.close();
    for (const connection of this.#open) close(connection);
    await this.#serving;
  }

  async #serve(): Promise<void> {
    const all: Promise<void>[] = [];
    for await (const connection of this.#listener) {
      this.#open.add(connection);
      all.push(this.#converse(connection));
    }
    await Promise.all(all);
  }

  async #converse(connection: Deno.Conn): Promise<void> {
    try {
      if (this.#toReset > 0) {
        this.#toReset--;
        this.resets++;
        // Closing over bytes that nobody read makes the system send a reset.
        await connection.read(new Uint8Array(1));
        return;
      }
      const read = await readRequest(connection);
      if (read === undefined) return;
      const request = { ...read, before: this.count(pathOf(read)) };
      this.requests.push(request);
      for (const { path, count, resolve } of this.#awaited) {
        if (this.count(path) >= count) resolve();
      }
      const behaviour = this.#behaviourFor(request);
      await Promise.race([behaviour(request, connection), this.#over.promise]);
    } catch {
      // The other side went away, which it may at any moment.
    } finally {
      this.#open.delete(connection);
      close(connection);
    }
  }

  #behaviourFor(request: SeenRequest): Behaviour {
    const scripted = this.#script[pathOf(request)] ?? answers("", { status: 404 });
    if (typeof scripted === "function") return scripted;
    return scripted[Math.min(request.before, scripted.length - 1)] ?? answers("", { status: 404 });
  }
}

function pathOf({ path }: { path: string }): string {
  return path.split("?", 1)[0] ?? path;
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It was closed before.
  }
}

const utf8 = new TextEncoder();

/** Writes all of a text or of bytes. */
export async function write(connection: Deno.Conn, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? utf8.encode(data) : data;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** First byte of whoever wants to speak TLS; this server answers in plain text. */
const TLS_GREETING = "\x16";

async function readRequest(
  connection: Deno.Conn,
): Promise<Omit<SeenRequest, "before"> | undefined> {
  let text = "";
  const buffer = new Uint8Array(64 * 1024);
  const decoder = new TextDecoder();
  while (true) {
    if (text.startsWith(TLS_GREETING)) {
      return { method: "TLS", path: "", headers: new Headers(), body: "" };
    }
    const end = text.indexOf("\r\n\r\n");
    if (end !== -1) {
      const [first = "", ...lines] = text.slice(0, end).split("\r\n");
      const [method = "", path = ""] = first.split(" ");
      const headers = new Headers(lines.map((line): [string, string] => {
        const [name = "", ...value] = line.split(":");
        return [name, value.join(":").trim()];
      }));
      const body = text.slice(end + 4);
      if (utf8.encode(body).length >= Number(headers.get("content-length"))) {
        return { method, path, headers, body };
      }
    }
    const count = await connection.read(buffer);
    if (count === null) return undefined;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
}

/** Status and headers of an answer; `Connection: close` and JSON unless specified otherwise. */
export interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function head(length: number | "chunked" | "until closed", options: AnswerOptions): string {
  const headers = new Headers({ "content-type": "application/json", ...options.headers });
  headers.set("connection", "close");
  if (length === "chunked") headers.set("transfer-encoding", "chunked");
  else if (length !== "until closed") headers.set("content-length", String(length));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${options.status ?? 200} Said`, ...lines, "", ""].join("\r\n");
}

/** Answers as it should: a text as it is, anything else as JSON. */
export function answers(body: unknown, options: AnswerOptions = {}): Behaviour {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (_, connection) => write(connection, head(utf8.encode(text).length, options) + text);
}

/** Answers with these bytes. */
export function answersBytes(bytes: Uint8Array, options: AnswerOptions = {}): Behaviour {
  return async (_, connection) => {
    await write(connection, head(bytes.length, options));
    await write(connection, bytes);
  };
}

/** Redirects to a URL. */
export function redirects(to: string, status: number = 302): Behaviour {
  return answers("", { status, headers: { location: to } });
}

/** Closes the connection without a word. */
export const hangsUp: Behaviour = () => {};

/** Says something that is not HTTP. */
export const talksGarbage: Behaviour = (_, connection) =>
  write(connection, "\x00\x01 what?\r\n\r\n");

/** Never says anything. */
export const stalls: Behaviour = async (_, connection) => {
  await untilGone(connection);
};

/** Sends headers and half a body, then nothing more. */
export function stallsInBody(start: string = '{"half":'): Behaviour {
  return async (_, connection) => {
    await write(connection, head(start.length + 100, {}) + start);
    await untilGone(connection);
  };
}

/** Announces 100 bytes more than it sends before closing. */
export function truncates(start: string = '{"half":', options: AnswerOptions = {}): Behaviour {
  return (_, connection) => write(connection, head(start.length + 100, options) + start);
}

/** Sends one good chunk, then one whose length is none. */
export const garblesChunks: Behaviour = (_, connection) =>
  write(connection, `${head("chunked", {})}8\r\n{"half":\r\nzz;;\r\n\x00`);

/** Sends chunks with what is awaited before each, and closes; never says how many. */
export function streams(
  chunks: readonly (string | (() => Promise<string>))[],
  options: AnswerOptions = {},
): Behaviour {
  return async (_, connection) => {
    await write(connection, head("chunked", options));
    for (const chunk of chunks) {
      const text = typeof chunk === "string" ? chunk : await chunk();
      await write(connection, `${utf8.encode(text).length.toString(16)}\r\n${text}\r\n`);
    }
    await write(connection, "0\r\n\r\n");
  };
}

/**
 * Sends `bytes` bytes that begin a JSON array, announced or in chunks, and counts in `tally` those that the network
 * takes.
 */
export function sendsLarge(
  bytes: number,
  { tally, announced }: { tally: { sent: number }; announced: boolean },
): Behaviour {
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  return async (_, connection) => {
    await write(connection, head(announced ? bytes : "chunked", {}));
    piece[0] = 0x5b;
    for (tally.sent = 0; tally.sent < bytes; tally.sent += piece.length) {
      if (!announced) await write(connection, `${piece.length.toString(16)}\r\n`);
      await write(connection, piece);
      piece[0] = 0x20;
      if (!announced) await write(connection, "\r\n");
    }
    if (!announced) await write(connection, "0\r\n\r\n");
  };
}

/** Waits until the other side has closed the connection. */
export async function untilGone(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(1024);
  while (await connection.read(buffer) !== null);
}

/** A port of loopback on which nobody listens. */
export function refusedUrl(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${listener.addr.port}`;
}

/** A server with one path, a transport to it, and waits of exactly the upper end of the backoff. */
export function atServer(
  behaviours: Behaviour | readonly Behaviour[],
  options: HttpTransportOptions = {},
) {
  const server = misbehavingServer({ "/x": behaviours });
  const clock = new TestClock();
  return {
    server,
    clock,
    transport: httpTransport(server.url, { clock, random: () => 1, ...options }),
    count: () => server.count(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Lets a transport fetch pieces of text, or of bytes, without a server. */
export function fetchOf(pieces: Iterable<string | Uint8Array>, init: ResponseInit = {}) {
  const bytes = [...pieces].map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece
  );
  return () => Promise.resolve(new Response(ReadableStream.from(bytes), init));
}
