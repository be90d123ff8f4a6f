import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { serveExplorer } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";

const RECORDING = await replay("edges");

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
  await using server = await serveExplorer(RECORDING, { port: 0 });
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
  for (const path of ["/../../deno.json", "/%2e%2e/%2e%2e/deno.json", "//deno.json", "/%zz"]) {
    assert(/ 40[04] /.test(await get(path, "Host: localhost")), path);
  }
  const long = await get("/", "Host: localhost", `X: ${"a".repeat(20_000)}`);
  assert(/ (431|400) /.test(long), long);
});

Deno.test("serveExplorer() ends with its signal, and those who follow auctions with it", async () => {
  const controller = new AbortController();
  const server = await serveExplorer(RECORDING, { port: 0, signal: controller.signal });
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
  await using server = await serveExplorer(RECORDING, { port: 0 });
  const error = await assertRejects(
    () => serveExplorer(RECORDING, { port: server.port }),
    InputError,
  );
  assertStringIncludes(error.message, "it is taken");
  await assertRejects(
    () => serveExplorer(RECORDING, { hostname: "192.0.2.1" }),
    InputError,
    "no such interface",
  );
  await assertRejects(() => serveExplorer(RECORDING, { port: 70_000 }), InputError);
});
