import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { explorer, serveExplorer } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { COPY_SCRIPT } from "../../lib/reports/page/html_cell.ts";
import { ask as askAny, sourceOf } from "./explore.ts";

const EDGES = await replay("edges");
const EXPLORER = explorer(EDGES);

const ask = (path: string, init?: RequestInit) => askAny(path, { from: EXPLORER, ...init });

Deno.test("HEAD has the headers of GET and no body", async () => {
  for (const path of ["/", "/orders", "/trades.csv", "/dataset", "/nowhere", "/live/events"]) {
    const head = await ask(path, { method: "HEAD" });
    assertEquals(head.text, "");
    if (path === "/live/events") continue;
    const get = await ask(path);
    assertEquals(head.status, get.status);
    assertEquals([...head.headers], [...get.headers]);
  }
});

Deno.test("other methods are refused with those that are allowed", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const { status, headers } = await ask("/orders", { method });
    assertEquals([method, status, headers.get("allow")], [method, 405, "GET, HEAD"]);
  }
});

Deno.test("only names of this machine are answered, and those that are allowed", async () => {
  const statusOf = async (url: string, host?: string, own = EXPLORER) => {
    const headers = host === undefined ? {} : { host };
    return (await own.fetch(new Request(url, { headers }))).status;
  };
  for (const name of ["localhost", "127.0.0.1:8090", "[::1]:8090", "LOCALHOST"]) {
    assertEquals(await statusOf(`http://${name}/live`), 200, name);
  }
  for (const name of ["evil.example", "localhost.evil.example", "127.0.0.2", "0.0.0.0"]) {
    assertEquals(await statusOf(`http://${name}/live`), 421, name);
  }
  const own = explorer(EDGES, { hosts: ["Explorer.Lan"] });
  assertEquals(await statusOf("http://explorer.lan:81/live", undefined, own), 200);
  assertEquals(await statusOf("http://other.lan/live", undefined, own), 421);
});

Deno.test("addresses and headers that are long or broken are refused", async () => {
  assertEquals((await ask(`/orders?text=${"a".repeat(5_000)}`)).status, 414);
  assertEquals((await ask("/", { headers: { cookie: "a".repeat(20_000) } })).status, 431);
  for (const path of ["/%", "/orders/%zz", "/%ff%fe", "/orders/%00", "/a%0d%0ab"]) {
    assertEquals([path, (await ask(path)).status], [path, 400]);
  }
});

Deno.test("every answer forbids what a browser could load, run, send or frame", async () => {
  for (const path of ["/orders", "/trades.csv", "/nowhere", "/search?q=2624", "/orders.json"]) {
    const { headers } = await ask(path);
    const policy = headers.get("content-security-policy")!;
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
      assertStringIncludes(policy, part);
    }
    const isPage = headers.get("content-type")!.startsWith("text/html");
    assertEquals(
      /script-src (.*?);/.exec(policy)?.[1],
      isPage ? await sourceOf(COPY_SCRIPT) : undefined,
    );
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(headers.get("referrer-policy"), "no-referrer");
  }
});

Deno.test("only the live page may run its own script, under a name that is new each time", async () => {
  const nonces = await Promise.all([1, 2].map(async () => {
    const { headers, text } = await ask("/live");
    const nonce = /script-src 'sha256-\S+' 'nonce-(\w+)'/.exec(
      headers.get("content-security-policy")!,
    )![1]!;
    assertStringIncludes(text, `<script nonce="${nonce}">`);
    return nonce;
  }));
  assert(nonces[0] !== nonces[1]);
});

/** Sends bytes as they are, and gives the first line of what is answered. */
async function raw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  let answer = "";
  for await (const part of connection.readable.pipeThrough(new TextDecoderStream())) {
    answer += part;
    if (answer.includes("\r\n")) break;
  }
  return answer.split("\r\n", 1)[0]!;
}

Deno.test("serveExplorer() answers browsers on loopback, and refuses other names and broken requests", async () => {
  await using server = await serveExplorer(EDGES, { port: 0 });
  const { port, url } = server;
  assertEquals(url, `http://127.0.0.1:${port}/`);
  assertStringIncludes(await (await fetch(`${url}live`)).text(), "edges");
  const get = (path: string, ...headers: string[]) =>
    raw(port, [`GET ${path} HTTP/1.1`, "Connection: close", ...headers, "", ""].join("\r\n"));
  assertEquals(await get("/live", "Host: localhost"), "HTTP/1.1 200 OK");
  assertEquals(await get("/live", `Host: 127.0.0.1:${port}`), "HTTP/1.1 200 OK");
  for (
    const [path, host] of [
      ["/", "evil.example"],
      ["/", `evil.example:${port}`],
      ["http://evil.example/", "localhost"],
    ] as const
  ) {
    assertStringIncludes(await get(path, `Host: ${host}`), " 421 ", `${path} ${host}`);
  }
  for (const path of ["/../../deno.json", "/..%2fdeno.json", "//deno.json", "/\\evil.example"]) {
    assert(/ 40[04] /.test(await get(path, "Host: localhost")), path);
  }
  const long = await get("/", "Host: localhost", `X: ${"a".repeat(20_000)}`);
  assert(/ (431|400) /.test(long), long);
});

Deno.test("serveExplorer() ends with its signal, and those who follow auctions with it", async () => {
  const controller = new AbortController();
  const server = await serveExplorer(EDGES, { port: 0, signal: controller.signal });
  const response = await fetch(`${server.url}live/events`);
  const reader = response.body!.getReader();
  await reader.read();
  controller.abort();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection may be cut.
  }
  await server.finished;
});

Deno.test("serveExplorer() says when a port is taken or an interface is not here", async () => {
  await using server = await serveExplorer(EDGES, { port: 0 });
  const error = await assertRejects(
    () => serveExplorer(EDGES, { port: server.port }),
    InputError,
  );
  assertStringIncludes(error.message, "it is taken");
  await assertRejects(
    () => serveExplorer(EDGES, { hostname: "192.0.2.1" }),
    InputError,
    "no such interface",
  );
  await assertRejects(() => serveExplorer(EDGES, { port: 70_000 }), InputError);
});
