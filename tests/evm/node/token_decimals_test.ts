import { assertEquals, assertRejects } from "@std/assert";
import {
  HttpStatusError,
  InputError,
  NetworkError,
  ServiceError,
  UnauthorizedError,
} from "orderlens";
import { tokenDecimals } from "orderlens/evm";
import deployment from "../../../data/recorded/market_1.deployment.json" with { type: "json" };
import { startRpcServer } from "../rpc_server.ts";

/** Tokens of the recorded market, and one with other decimals. */
const DECIMALS = new Map([
  ...deployment.tokens.map(({ address, decimals }): [string, number] => [address, decimals]),
  [`0x${"c1".repeat(20)}`, 6],
  [`0x${"c2".repeat(20)}`, 0],
]);
const NO_TOKEN = `0x${"d0".repeat(20)}`;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const ASKED = [...DECIMALS.keys(), NO_TOKEN];

Deno.test("tokenDecimals() requests all tokens in one call with Multicall3", async () => {
  await using node = startRpcServer({ decimals: DECIMALS, hasMulticall: true });
  assertEquals(await tokenDecimals(node.url, ASKED), DECIMALS);
  assertEquals(node.requests.length, 1);
});

Deno.test("tokenDecimals() sends batches without Multicall3, single calls without batches", async () => {
  assertEquals(ASKED.length, 7);
  // Without batches: the Multicall3, rejected batches of 7 and 3 calls, then each call.
  for (const [takesBatches, requests] of [[true, 2], [false, 1 + 2 + 7]] as const) {
    await using node = startRpcServer({ decimals: DECIMALS, takesBatches });
    assertEquals(await tokenDecimals(node.url, ASKED), DECIMALS);
    assertEquals(node.requests.length, requests);
  }
});

Deno.test("tokenDecimals() requests a token once, regardless of case, and never the native one", async () => {
  await using node = startRpcServer({ decimals: DECIMALS });
  const token = `0x${"c1".repeat(20)}`;
  const found = await tokenDecimals(node.url, [token, token.replace("c1", "C1"), NATIVE]);
  assertEquals(found, new Map([[NATIVE, 18], [token, 6]]));
  assertEquals(node.requests.length, 2);
  assertEquals((await tokenDecimals(node.url, [NATIVE])).size, 1);
  assertEquals(await tokenDecimals(node.url, []), new Map());
  assertEquals(node.requests.length, 2);
});

Deno.test("tokenDecimals() requests 450 tokens in three calls", async () => {
  const many = new Map(
    Array.from({ length: 450 }, (_, index): [string, number] => [
      `0x${index.toString(16).padStart(40, "0")}`,
      index % 19,
    ]),
  );
  await using node = startRpcServer({ decimals: many, hasMulticall: true });
  assertEquals(await tokenDecimals(node.url, many.keys()), many);
  assertEquals(node.requests.length, 3);
});

Deno.test("tokenDecimals() omits tokens without decimals, or with impossible ones", async () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
  const cut = word(96n).slice(0, -1);
  for (const result of ["0x", "0x12", cut, word(78n), word(256n), word(2n ** 255n)]) {
    await using node = startRpcServer({ answer: ({ id }) => ({ jsonrpc: "2.0", id, result }) });
    assertEquals(await tokenDecimals(node.url, [NO_TOKEN]), new Map(), result);
  }
  await using node = startRpcServer({
    answer: ({ id }) => ({ jsonrpc: "2.0", id, error: { code: 3, message: "execution reverted" } }),
  });
  assertEquals(await tokenDecimals(node.url, [NO_TOKEN]), new Map());
});

Deno.test("tokenDecimals() rejects an invalid address before sending", async () => {
  await using node = startRpcServer();
  const asked = () => tokenDecimals(node.url, [NO_TOKEN, "0x12"]);
  await assertRejects(asked, InputError, "decimals of 0x12: not an address");
  await assertRejects(() => tokenDecimals("wss://node", [NO_TOKEN]), InputError, "not an http URL");
  assertEquals(node.requests.length, 0);
});

Deno.test("tokenDecimals() shows the node's error without its key", async (t) => {
  const key = "0123456789abcdef";
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = closed.addr;
  closed.close();
  const unreached = await assertRejects(
    () =>
      tokenDecimals(`http://127.0.0.1:${port}/v3/${key}?apiKey=${key}`, [NO_TOKEN], { retries: 0 }),
    NetworkError,
  );
  assertEquals(Deno.inspect(unreached).includes(key), false);

  const forbidden = () => Promise.resolve(new Response("no key", { status: 401 }));
  const refused = await assertRejects(
    () => tokenDecimals(`https://node.example/v3/${key}`, [NO_TOKEN], { fetch: forbidden }),
    UnauthorizedError,
  );
  assertEquals(Deno.inspect(refused).includes(key), false);
  await t.assertSnapshot(refused.message);
});

Deno.test("tokenDecimals() rejects an invalid answer", async () => {
  for (const answer of [{ jsonrpc: "2.0", id: 0 }, "yes", null, []]) {
    const fetch = () => Promise.resolve(Response.json(answer));
    const error = await assertRejects(
      () => tokenDecimals("https://node.example", [NO_TOKEN], { fetch, backoffBaseMs: 1 }),
      Error,
      "it is not JSON-RPC",
    );
    assertEquals(error instanceof ServiceError, false);
  }
  const page = () => Promise.resolve(new Response("<html>"));
  await assertRejects(
    () => tokenDecimals("https://node.example", [NO_TOKEN], { fetch: page }),
    HttpStatusError,
    "it is not JSON",
  );
});

Deno.test("tokenDecimals() never takes a node that is asked too much for tokens without decimals", async () => {
  const error = { code: 429, message: "capacity exceeded" };
  const fetch = () => Promise.resolve(Response.json({ jsonrpc: "2.0", id: 0, error }));
  await assertRejects(
    () => tokenDecimals("https://node.example", [NO_TOKEN], { fetch, backoffBaseMs: 1 }),
    ServiceError,
    "Wait before retrying",
  );
});
