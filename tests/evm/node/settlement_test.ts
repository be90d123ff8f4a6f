import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpStatusError, InputError, ServiceError } from "orderlens";
import { type RpcAnswer, type RpcCall, settlement } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { nodeThat, serveNode } from "../node_server.ts";

const CHAIN = await replay("market_1");

/** A node of the recorded chain, which answers some calls otherwise. */
function nodeOf(answer: (call: RpcCall) => RpcAnswer | undefined) {
  return nodeThat(async (call) => answer(call) ?? (await CHAIN.rpc([call]))[0]!);
}

const FROM = "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344";
const TO = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";
const TX = "0x5853a31f5b641bc26a399a786c404f7d716a23b7f1f51b23361a838088773575";

Deno.test("settlement() returns calldata and events of a recorded settlement", async () => {
  await using node = serveNode(CHAIN.rpc);
  const found = await settlement(node.url, TX.toUpperCase().replace("0X", "0x"));
  assertEquals(found.txHash, TX);
  assertEquals(found.auctionId, 1605);
  assertEquals([found.blockNumber, found.succeeded], [149, true]);
  assertEquals([found.from, found.to], [FROM, TO]);
  assertEquals([found.gasUsed, found.effectiveGasPrice], [422408n, 1050000002n]);
  const names = ["Trade", "Interaction", "Interaction", "Interaction", "Interaction", "Settlement"];
  assertEquals(found.events.map(({ event }) => event), names);
  assertEquals(found.events.filter(({ address }) => address !== found.to), []);
  const [trade] = found.events;
  assert(trade?.event === "Trade");
  assertEquals(trade.sellAmount, 125349568184000000000n);
  assertEquals(node.requests.length, 1);
});

Deno.test("settlement() names what is missing: the hash, the transaction, its receipt, a call of settle, an option", async () => {
  const unknown = `0x${"00".repeat(32)}`;
  const node = nodeOf(({ method, params: [hash] }) =>
    hash === unknown || method === "eth_getTransactionReceipt" ? { result: null } : undefined
  );
  const cases = [
    ["0x12", "not a transaction hash"],
    [unknown, "no such transaction"],
    [TX, "it is not in a block yet"],
  ] as const;
  for (const [hash, words] of cases) {
    await assertRejects(() => settlement(node, hash), InputError, words);
  }
  const result = { from: FROM, to: TO, input: "0xa9059cbb" };
  const other = nodeOf(({ method }) =>
    method === "eth_getTransactionByHash" ? { result } : undefined
  );
  await assertRejects(() => settlement(other, TX), InputError, "it does not call settle");
  await assertRejects(() => settlement(node, null as never), InputError, "settlement null");
  const misspelt = () => settlement(node, TX, { cacheFolder: "x" } as never);
  const says = 'Cannot ask for a settlement with "cacheFolder": unknown option';
  await assertRejects(misspelt, InputError, says);
});

Deno.test("settlement() throws the node's error, and rejects with its signal's reason", async () => {
  const node = nodeOf(() => ({ error: { code: -32601, message: "not served" } }));
  const error = await assertRejects(() => settlement(node, TX), ServiceError);
  assertEquals([error.errorType, error.description], ["JSON-RPC -32601", "not served"]);
  const reason = new Error("enough");
  const ask = () => settlement(node, TX, { signal: AbortSignal.abort(reason) });
  const ended = await assertRejects(ask, Error);
  assertEquals(ended, reason);
});

Deno.test("settlement() rejects a receipt whose numbers or logs are none", async () => {
  const good = { status: "0x1", blockNumber: "0x95", gasUsed: "0x6", logs: [] };
  const cases: [receipt: object, fault: string][] = [
    [{ ...good, status: "0x" }, "its `status` has no digits"],
    [{ ...good, blockNumber: "0x" }, "its `blockNumber` has no digits"],
    [{ ...good, gasUsed: 6 }, "its `gasUsed` is not hex"],
    [{ ...good, effectiveGasPrice: "0x" }, "its `effectiveGasPrice` has no digits"],
    [{ ...good, logs: [null] }, "a log has no address, no topics or no data"],
    [{ ...good, logs: [{ address: 5, topics: [], data: "0x" }] }, "a log has no address"],
  ];
  for (const [receipt, fault] of cases) {
    const node = nodeOf(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: receipt } : undefined
    );
    await assertRejects(() => settlement(node, TX), HttpStatusError, fault);
  }
});
