import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { type ConnectionLimits, HttpServer } from "../../lib/sandbox/server/serve_over_http.ts";
import type {
  HandlerResponse,
  IncomingRequest,
  RequestHandler,
} from "../../lib/sandbox/service/request_handler.ts";
import { InputError } from "../../lib/errors/mod.ts";
import { connect } from "../../lib/mod.ts";

/** Long timeouts, unless a test sets others. */
const LIMITS = { requestMs: 60_000, idleMs: 60_000, responseMs: 60_000, connections: 100 };

const DEADLINE_MS = 20_000;

type Answering = (request: IncomingRequest, signal: AbortSignal) => Promise<HandlerResponse>;

/** A server with the answers of a test, and its port. */
class Bench implements AsyncDisposable {
  readonly #server: HttpServer;
  readonly #listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });

  constructor(limits: Partial<ConnectionLimits> = {}, answer: Answering = said("ok")) {
    const handler = { handle: answer } as unknown as RequestHandler;
    this.#server = new HttpServer(this.#listener, {
      handler,
      limits: { ...LIMITS, ...limits },
    });
  }

  /** A client that has sent a text. */
  async client(...lines: string[]): Promise<Client> {
    const { port } = this.#listener.addr as Deno.NetAddr;
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    const client = new Client(conn);
    await client.send(...lines);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
  }
}

class Client implements Disposable {
  constructor(readonly conn: Deno.TcpConn) {}

  async send(...lines: string[]): Promise<void> {
    await this.conn.write(new TextEncoder().encode(lines.join("\r\n")));
  }

  /** Everything that the server sends until it closes the connection. */
  async rest(): Promise<string> {
    let text = "";
    const decoder = new TextDecoder();
    const bytes = new Uint8Array(65_536);
    // A connection that stays open fails its test, which would wait for ever.
    const deadline = setTimeout(() => this.conn.close(), DEADLINE_MS);
    try {
      for (let count; (count = await this.conn.read(bytes)) !== null;) {
        text += decoder.decode(bytes.subarray(0, count), { stream: true });
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    } finally {
      clearTimeout(deadline);
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.conn.close();
  }
}

function said(body: string): Answering {
  return () => Promise.resolve({ status: 200, headers: {}, body });
}

const GET = ["GET /api/v1/version HTTP/1.1", "Host: x"] as const;
const LAST = ["Connection: close", "", ""] as const;
const POST = ["POST /orders HTTP/1.1", "Host: x", "Content-Length: 100"] as const;

/** Reads a whole body, as a route with a body does. */
const reading: Answering = async ({ body }) => {
  let size = 0;
  for await (const chunk of body ?? []) size += chunk.length;
  return { status: 200, headers: {}, body: String(size) };
};

Deno.test("HttpServer closes connections with an incomplete request", async () => {
  await using bench = new Bench({ requestMs: 30 }, reading);
  const unfinished = [[""], [GET[0]], [...GET, "A: b"], [...POST, "", "abc"]];
  for (const lines of unfinished) {
    using client = await bench.client(...lines);
    assertEquals(await client.rest(), "", lines.join());
  }
});

Deno.test("HttpServer counts the total time of a request, not the time since its last byte", async () => {
  await using bench = new Bench({ requestMs: 50 }, reading);
  using client = await bench.client(...GET, "A: ");
  const over = client.rest();
  let isOver = false;
  void over.then(() => isOver = true);
  for (let sent = 0; !isOver; sent++) {
    assert(sent < 2_000, "the connection is kept open");
    await client.send("a").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assertEquals(await over, "");
});

Deno.test("HttpServer does not count the time of its own responses", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using bench = new Bench({ requestMs: 20, idleMs: 20 }, async (...asked) => {
    await promise;
    return await said("late")(...asked);
  });
  using client = await bench.client(...GET, ...LAST);
  setTimeout(resolve, 100);
  assert((await client.rest()).endsWith("\r\n\r\nlate"));
});

Deno.test("HttpServer closes connections that do not read a response", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const deadline = setTimeout(() => reject(new Error("it is not closed")), DEADLINE_MS);
  const large = "x".repeat(20_000_000);
  await using bench = new Bench({ responseMs: 50 }, (request, signal) => {
    signal.addEventListener("abort", () => resolve());
    return said(large)(request, signal);
  });
  using client = await bench.client(...GET, ...LAST);
  await promise;
  clearTimeout(deadline);
  assert((await client.rest()).length < large.length);
});

Deno.test("HttpServer closes the longest-waiting connections above the limit", async () => {
  await using bench = new Bench({ connections: 3 });
  const clients = [];
  for (let count = 0; count < 5; count++) clients.push(await bench.client(GET[0]));
  assertEquals(await clients[0]!.rest(), "");
  assertEquals(await clients[1]!.rest(), "");
  await clients[4]!.send("", "Host: x", ...LAST);
  assert((await clients[4]!.rest()).endsWith("ok"));
  for (const client of clients) client[Symbol.dispose]();
});

Deno.test("HttpServer responds to a rejected request before its end, and closes the connection", async () => {
  await using bench = new Bench({}, async ({ body }) => {
    for await (const _ of body ?? []) break;
    return { status: 413, headers: {}, body: "too much" };
  });
  using client = await bench.client(
    "POST /orders HTTP/1.1",
    "Host: x",
    "Content-Length: 1000000",
    "",
    "x".repeat(100_000),
  );
  const answer = await client.rest();
  assert(answer.startsWith("HTTP/1.1 413 "), answer);
  assert(answer.toLowerCase().includes("\r\nconnection: close\r\n"), answer);
  assert(answer.endsWith("too much"), answer);
});

Deno.test("HttpServer accepts long chunk extensions, and rejects malformed requests", async () => {
  await using bench = new Bench({}, reading);
  using chunked = await bench.client(
    "POST /orders HTTP/1.1",
    "Transfer-Encoding: chunked",
    ...LAST.slice(0, 2),
    `2;${"a".repeat(10_000)}`,
    "[]",
    "0",
    "",
    "",
  );
  assert((await chunked.rest()).endsWith("\r\n\r\n2"));
  using garbage = await bench.client("\x16\x03\x01 hello", "", "");
  assert((await garbage.rest()).startsWith("HTTP/1.1 400 Bad Request\r\n"));
  using long = await bench.client(...GET, `A: ${"a".repeat(100_000)}`, ...LAST);
  assert((await long.rest()).startsWith("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
});

Deno.test("listen() uses only the path of the request line, whatever the host", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const cases = [
    ["/api/v1/version", "x/sandbox?", "200"],
    ["/api/v1/version", "x/sandbox#", "200"],
    ["http://other/api/v1/version", "x", "200"],
    ["//api/v1/version", "x", "404"],
    ["http://other/nowhere", "x", "404"],
    ...["orderbook", "%%%", "a b", "[::1", ""].map((host) =>
      ["/api/v1/version", host, "200"] as const
    ),
  ] as const;
  for (const [target, host, status] of cases) {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    using client = new Client(conn);
    await client.send(`GET ${target} HTTP/1.1`, `Host: ${host}`, ...LAST);
    const answer = await client.rest();
    assertEquals(answer.split(" ")[1], status, `${target} of ${host}`);
    assertEquals(answer.endsWith("orderlens-sandbox"), status === "200", target);
  }
});

Deno.test("HttpServer closes immediately, and sends nothing afterwards", async () => {
  const bench = new Bench(
    {},
    (_, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  using idle = await bench.client("");
  using waiting = await bench.client(...GET, ...LAST);
  await bench[Symbol.asyncDispose]();
  assertEquals([await idle.rest(), await waiting.rest()], ["", ""]);
  await assertRejects(() => bench.client(""), Deno.errors.ConnectionRefused);
});

Deno.test("HttpServer handles any number of requests of one connection, in turn, and closes idle ones", async () => {
  await using bench = new Bench(
    { idleMs: 50 },
    ({ target }) => Promise.resolve({ status: 200, headers: {}, body: target }),
  );
  const paths = Array.from({ length: 101 }, (_, at) => `/${at}`);
  using client = await bench.client(paths.map((path) => `GET ${path} HTTP/1.1\r\n\r\n`).join(""));
  const answered = (await client.rest()).matchAll(/\r\n\r\n(\/\d+)/g);
  assertEquals(Array.from(answered, ([, path]) => path), paths);
});

Deno.test("HttpServer does not wait for acknowledgements within a response", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const seen: (boolean | undefined)[] = [];
  const accept = listener.accept.bind(listener);
  listener.accept = async () => {
    const conn = await accept();
    const setNoDelay = conn.setNoDelay.bind(conn);
    conn.setNoDelay = (isAtOnce) => {
      seen.push(isAtOnce);
      setNoDelay(isAtOnce);
    };
    return conn;
  };
  const handler = { handle: said("ok") } as unknown as RequestHandler;
  const server = new HttpServer(listener, { handler, limits: LIMITS });
  const response = await fetch(`http://127.0.0.1:${listener.addr.port}/`);
  assertEquals([await response.text(), ...seen], ["ok", true]);
  await server.close();
});

Deno.test("listen() serves the in-process responses over HTTP, or resets a connection in the middle", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 5, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const response = await fetch(`${server.url}/sandbox`);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const description = await response.json();
  assertEquals(description, JSON.parse(JSON.stringify(sandbox.description)));
  const { chainId, settlementContract, orderUids } = description;
  const book = connect(server.url, { chainId, settlementContract });
  const { orders } = await book.orders(orderUids);
  assertEquals(orders.map(({ uid }) => uid), orderUids);
  sandbox.fault({ kind: "reset" });
  await assertRejects(async () => await (await fetch(`${server.url}/api/v1/version`)).text());
});

Deno.test("listen() closes immediately, including unfinished responses", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  const server = sandbox.listen({ port: 0 });
  sandbox.fault({ kind: "slowBody", ms: DEADLINE_MS, operation: "version" });
  sandbox.fault({ kind: "latency", ms: DEADLINE_MS, operation: "auction" });
  const asked = ["version", "auction"].map(async (path) => {
    const response = await fetch(`${server.url}/api/v1/${path}`);
    return await response.text();
  });
  const settled = Promise.allSettled(asked);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await server.close();
  await server.close();
  assertEquals((await settled).map(({ status }) => status), ["rejected", "rejected"]);
});

Deno.test("listen() names the fault of a port, and an interface of another machine", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const taken = assertThrows(() => sandbox.listen({ port: server.port }), InputError);
  assertEquals(taken.remedy, "Pass another port, or 0 for any free port");
  for (const port of [-1, 65_536, 80.5, NaN]) {
    assertThrows(() => sandbox.listen({ port }), InputError);
  }
  for (const hostname of ["192.0.2.1", "not a name"]) {
    const { message } = assertThrows(() => sandbox.listen({ hostname, port: 0 }), InputError);
    assert(message.includes(hostname), message);
  }
});
