import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { connect } from "../../lib/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";

Deno.test("listen() serves the in-process answers over HTTP", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 10, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const response = await fetch(`${server.url}/sandbox`);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const description = await response.json();
  assertEquals(description, JSON.parse(JSON.stringify(sandbox.description)));
  const { chainId, settlementContract, orderUids } = description;
  const book = connect(server.url, { chainId, settlementContract });
  assertEquals((await book.order(orderUids[0])).uid, orderUids[0]);
  const { orders } = await book.orders(orderUids);
  assertEquals(orders.length, orderUids.length);
});

Deno.test("listen() resets a connection in the middle of an answer", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 2, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  sandbox.fault({ kind: "reset" });
  await assertRejects(async () => await (await fetch(`${server.url}/api/v1/version`)).text());
});

Deno.test("listen() closes immediately, including unfinished answers", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  const server = sandbox.listen({ port: 0 });
  sandbox.fault({ kind: "slowBody", ms: 3_600_000, operation: "version" });
  sandbox.fault({ kind: "latency", ms: 3_600_000, operation: "auction" });
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

Deno.test("listen() answers any Host header", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  for (const host of ["orderbook", "%%%", "a b", "[::1", ""]) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    const lines = ["GET /api/v1/version HTTP/1.1", `Host: ${host}`, "Connection: close", "", ""];
    await connection.write(new TextEncoder().encode(lines.join("\r\n")));
    const answer = await new Response(connection.readable).text();
    assertEquals(answer.split("\r\n")[0], "HTTP/1.1 200 OK", host);
  }
});

Deno.test("listen() names the fault of a port", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const taken = assertThrows(() => sandbox.listen({ port: server.port }), InputError);
  assertEquals(taken.remedy, "Pass another port, or 0 for any free port");
  for (const port of [-1, 65_536, 80.5, NaN]) {
    assertThrows(() => sandbox.listen({ port }), InputError);
  }
});

Deno.test("listen() reports an interface of another machine", async () => {
  const sandbox = await openSandbox({ clock: "virtual" });
  for (const hostname of ["192.0.2.1", "not a name"]) {
    const { message } = assertThrows(() => sandbox.listen({ hostname, port: 0 }), InputError);
    assert(message.includes(hostname), message);
  }
});

/** Lets intervals pass a hundred times as fast; their lengths are noted. */
function hurriedIntervals(lengths: number[]): Disposable {
  const { setInterval } = globalThis;
  globalThis.setInterval = ((run: () => void, ms: number) => {
    lengths.push(ms);
    return setInterval(run, ms / 100);
  }) as typeof setInterval;
  return { [Symbol.dispose]: () => void (globalThis.setInterval = setInterval) };
}

Deno.test("listen() holds auctions in real time", async () => {
  const lengths: number[] = [];
  using _hurried = hurriedIntervals(lengths);
  const sandbox = await openSandbox({ seed: 7 });
  await using server = sandbox.listen({ port: 0 });
  const before = sandbox.description.block;
  const until = performance.now() + 10_000;
  while (sandbox.description.block === before && performance.now() < until) {
    const response = await fetch(`${server.url}/api/v1/version`);
    await response.text();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(sandbox.description.block > before);
  // One each block.
  assert(lengths.includes(2_000), `${lengths}`);
  assert(sandbox.now.epochMilliseconds > Date.now() - 5_000);
});
