import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { HttpStatusError, InputError, MismatchError, ServiceError } from "orderlens";
import {
  type EventLog,
  orderDomain,
  type RpcAnswer,
  type RpcCall,
  settlement,
} from "orderlens/evm";
import { replay } from "orderlens/recordings";
import type { TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { findPlacement, readRefund } from "../../../lib/evm/node/ethflow.ts";
import { unwrap } from "../../../lib/evm/node/json_rpc.ts";
import { readSafeQuantity } from "../../../lib/evm/node/rpc_batches.ts";
import { serveJsonRpc } from "../../../lib/evm/node/serve_json_rpc.ts";
import { computeTransactionHash } from "../../../lib/evm/node/transaction_hash.ts";
import { hex, nodeThat, range, serveNode, signedTransaction, word } from "../node_server.ts";

const CONTRACT = hex("e1", 20);
const TX = hex("7e", 32);
const UID = hex("12", 56);
const REFUNDER = hex("0d", 20);
const DOMAIN = orderDomain({ chainId: 1, settlementContract: hex("90", 20) });
const QUESTION = { domain: DOMAIN, contract: CONTRACT, uid: UID };
/** The hash of `OrderRefund(bytes,address)`. */
const REFUND = "0x195271068a288191e4b265c641a56b9832919f69e9e7d6c2f31ba40278aeb85a";

function refundLog(more: Partial<EventLog> & { uid?: string } = {}): EventLog {
  const { uid = UID, ...rest } = more;
  return {
    address: CONTRACT,
    topics: [REFUND, `0x${"00".repeat(12)}${REFUNDER.slice(2)}`],
    data: `${word(0x20)}${word(0x38).slice(2)}${uid.slice(2)}${"00".repeat(8)}`,
    blockNumber: "0x64",
    transactionHash: TX,
    logIndex: "0x0",
    ...rest,
  };
}

function nodeOf(results: Readonly<Record<string, unknown>>) {
  const header = { number: "0x64", timestamp: "0x6920a8f0", hash: hex("b1", 32) };
  const known: Record<string, unknown> = { eth_getBlockByNumber: header, ...results };
  return nodeThat(({ method }) => ({ result: known[method] ?? null }));
}

function refundIn(...logs: unknown[]) {
  return readRefund(nodeOf({ eth_getTransactionReceipt: { logs } }), QUESTION, { txHash: TX });
}

Deno.test("readRefund() accepts only the event of the order's own contract", async () => {
  const other = refundLog({ uid: hex("13", 56) });
  const forged = refundLog({ address: hex("e2", 20), topics: [REFUND, hex("00", 32)] });
  const found = await refundIn(forged, other, refundLog({ logIndex: "0x2" }));
  assert("event" in found && found.event.event === "OrderRefund");
  assertEquals([found.event.refunder, found.event.logIndex], [REFUNDER, 2]);
  assertEquals(found.header.timestamp, 0x6920a8f0);
  for (const logs of [[], [other], [forged]]) {
    const none = await refundIn(...logs);
    assertEquals("reason" in none && none.reason, "contract_does_not_answer");
  }
  const gone = await readRefund(nodeOf({}), QUESTION, { txHash: TX });
  assertEquals("reason" in gone && gone.reason, "no_such_block");
});

Deno.test("readRefund() and findPlacement() reject responses about something else", async () => {
  const stray = refundLog({ transactionHash: hex("7f", 32) });
  await assertRejects(() => refundIn(stray), MismatchError);
  await assertRejects(() => refundIn({ address: CONTRACT }), HttpStatusError, "no logs");
  const away = nodeOf({ eth_getLogs: [refundLog({ blockNumber: "0x1" })] });
  const search = { sender: REFUNDER, near: 100 };
  await assertRejects(() => findPlacement(away, QUESTION, search), MismatchError);
  const none = nodeOf({ eth_getLogs: [] });
  assertEquals(await findPlacement(none, QUESTION, search), null);
  const [{ params: [filter] }] = none.sent as [RpcCall];
  assertEquals(filter, {
    address: CONTRACT,
    topics: [
      "0xcf5f9de2984132265203b5c335b25727702ca77262ff622e136baa7362bf1da9",
      `0x${"00".repeat(12)}${REFUNDER.slice(2)}`,
    ],
    fromBlock: "0x54",
    toBlock: "0x74",
  });
});

/** A node that answers with what it was asked, or with an error for one method. */
const { rpc: node } = nodeThat(({ method, params }) =>
  method === "fail"
    ? { error: { code: -32000, message: "no" } }
    : { result: params.length === 0 ? method : params }
);

async function answerTo(body: unknown): Promise<unknown> {
  const answer = await serveJsonRpc(typeof body === "string" ? body : JSON.stringify(body), node);
  return answer === null ? null : JSON.parse(answer);
}

const call = (id: unknown, method = "ping") => ({ jsonrpc: "2.0", id, method });

function rejected(id: unknown, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

Deno.test("serveJsonRpc() responds to a call, its parameters and its error under its id", async () => {
  assertEquals(await answerTo(call(1)), { jsonrpc: "2.0", id: 1, result: "ping" });
  const withParams = { ...call("a"), params: [1, null] };
  assertEquals(await answerTo(withParams), { jsonrpc: "2.0", id: "a", result: [1, null] });
  assertEquals(await answerTo(call(null)), { jsonrpc: "2.0", id: null, result: "ping" });
  assertEquals(await answerTo(call(2, "fail")), rejected(2, -32000, "no"));
});

Deno.test("serveJsonRpc() answers a batch in its order, without its notifications", async () => {
  const { id: _, ...notification } = call(0);
  assertEquals(await answerTo([call(3), notification, call(1, "fail"), 5, call(2)]), [
    { jsonrpc: "2.0", id: 3, result: "ping" },
    rejected(1, -32000, "no"),
    rejected(null, -32600, "invalid request: it is not an object"),
    { jsonrpc: "2.0", id: 2, result: "ping" },
  ]);
  assertEquals(await answerTo(notification), null);
  assertEquals(await answerTo([notification, notification]), null);
  assertEquals(await answerTo({ ...notification, params: {} }), null);
});

Deno.test("serveJsonRpc() rejects malformed requests with the code of their fault, and over a thousand calls", async () => {
  const parse = rejected(null, -32700, "parse error: the body is not JSON");
  for (const body of ["", "{", '{"jsonrpc": "2.0", "method": "ping", "params": "bar", "baz]']) {
    assertEquals(await answerTo(body), parse);
  }
  const cases: readonly (readonly [body: unknown, id: unknown, code: number, fault: string])[] = [
    [[], null, -32600, "invalid request: the batch is empty"],
    [null, null, -32600, "invalid request: it is not an object"],
    [1, null, -32600, "invalid request: it is not an object"],
    [{}, null, -32600, 'invalid request: `jsonrpc` must be "2.0"'],
    [{ ...call(4), jsonrpc: "1.0" }, 4, -32600, 'invalid request: `jsonrpc` must be "2.0"'],
    [call({}), null, -32600, "invalid request: `id` must be text, a number or null"],
    [{ jsonrpc: "2.0", method: 1 }, null, -32600, "invalid request: `method` must be text"],
    [{ ...call(4), params: "bar" }, 4, -32600, "invalid request: `params` must be a list"],
    [{ ...call(4), params: {} }, 4, -32602, "invalid params: pass them as a list"],
  ];
  for (const [body, id, code, message] of cases) {
    assertEquals(await answerTo(body), rejected(id, code, message), JSON.stringify(body));
  }
  const calls = range(0, 1_000).map((id) => call(id));
  assertEquals((await answerTo(calls) as unknown[]).length, 1_000);
  const fault = "invalid request: the batch has 1001 calls, the most are 1000";
  assertEquals(await answerTo([...calls, call(1)]), rejected(null, -32600, fault));
});

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const SENT = { nonce: 5, gas: 21_000n, value: 0n };
const CALL = { ...SENT, to: hex("90", 20), data: "0x13d79a0b00" } as const;
const ACCESS = [{ address: hex("a1", 20), storageKeys: [hex("00", 32)] }] as const;
const FEES = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };

const TRANSACTIONS: TransactionSerializable[] = [
  { ...CALL, type: "legacy", gasPrice: 7n },
  { ...CALL, type: "legacy", gasPrice: 7n, chainId: 100 },
  { ...CALL, type: "eip2930", gasPrice: 7n, chainId: 1, accessList: ACCESS },
  { ...CALL, type: "eip1559", chainId: 1, ...FEES },
  { ...CALL, type: "eip1559", chainId: 42161, ...FEES, accessList: ACCESS },
];

Deno.test("computeTransactionHash() hashes the signed bytes of every common type, and is null without a field", async () => {
  for (const transaction of TRANSACTIONS) {
    const { hash, body } = await signedTransaction(account, transaction);
    assertEquals(computeTransactionHash(body), hash);
    const altered = { ...body, input: "0x13d79a0b01" };
    assertEquals(computeTransactionHash(altered) === hash, false);
  }
  const { body } = await signedTransaction(account, TRANSACTIONS[3]!);
  for (
    const lacking of [
      ...[{ r: "0x0" }, { s: undefined }, { yParity: undefined, v: undefined }],
      ...[{ nonce: undefined }, { chainId: undefined }, { accessList: undefined }],
      ...[{ maxFeePerGas: undefined }, { type: "0x7e" }, { to: null }],
    ]
  ) {
    assertEquals(computeTransactionHash({ ...body, ...lacking }), null);
  }
});

const CHAIN = await replay("market_3");

/** A node of the recorded chain, which answers some calls otherwise. */
function chainThat(answer: (call: RpcCall) => RpcAnswer | undefined) {
  return nodeThat(async (call) => answer(call) ?? (await CHAIN.rpc([call]))[0]!);
}

const FROM = "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344";
const TO = "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853";
const SETTLED = "0x90c8bbf45d67c683d59b366760d0244e24d9f018902a09eed1fabbac4b4b233a";

Deno.test("settlement() sends one request, by a hash in any case", async () => {
  await using node = serveNode(CHAIN.rpc);
  const found = await settlement(node.url, SETTLED.toUpperCase().replace("0X", "0x"));
  assertEquals([found.txHash, found.from, found.to], [SETTLED, FROM, TO]);
  const names = ["Trade", "Interaction", "Interaction", "Interaction", "Settlement"];
  assertEquals(found.events.map(({ event }) => event), names);
  assertEquals(node.requests.length, 1);
});

Deno.test("settlement() names what is missing: the hash, the transaction, its receipt, a call of settle, an option", async () => {
  const unknown = `0x${"00".repeat(32)}`;
  const node = chainThat(({ method, params: [hash] }) =>
    hash === unknown || method === "eth_getTransactionReceipt" ? { result: null } : undefined
  );
  const cases = [
    ["0x12", "not a transaction hash"],
    [unknown, "no such transaction"],
    [SETTLED, "it is not in a block yet"],
  ] as const;
  for (const [hash, words] of cases) {
    await assertRejects(() => settlement(node, hash), InputError, words);
  }
  const result = { from: FROM, to: TO, input: "0xa9059cbb" };
  const other = chainThat(({ method }) =>
    method === "eth_getTransactionByHash" ? { result } : undefined
  );
  await assertRejects(() => settlement(other, SETTLED), InputError, "it does not call settle");
  await assertRejects(() => settlement(node, null as never), InputError, "settlement null");
  const misspelt = () => settlement(node, SETTLED, { cacheFolder: "x" } as never);
  const says = 'Cannot get a settlement with "cacheFolder": unknown option';
  await assertRejects(misspelt, InputError, says);
});

Deno.test("settlement() throws the node's error, and rejects with its signal's reason", async () => {
  const node = chainThat(() => ({ error: { code: -32601, message: "not served" } }));
  const error = await assertRejects(() => settlement(node, SETTLED), ServiceError);
  assertEquals([error.errorType, error.description], ["JSON-RPC -32601", "not served"]);
  const reason = new Error("enough");
  const ask = () => settlement(node, SETTLED, { signal: AbortSignal.abort(reason) });
  const ended = await assertRejects(ask, Error);
  assertEquals(ended, reason);
});

Deno.test("settlement() rejects a receipt with invalid numbers or logs", async () => {
  const good = { status: "0x1", blockNumber: "0xdf", gasUsed: "0x6", logs: [] };
  const cases: [receipt: object, fault: string][] = [
    [{ ...good, status: "0x" }, "its `status` has no digits"],
    [{ ...good, blockNumber: "0x" }, "its `blockNumber` has no digits"],
    [{ ...good, gasUsed: 6 }, "its `gasUsed` is not hex"],
    [{ ...good, effectiveGasPrice: "0x" }, "its `effectiveGasPrice` has no digits"],
    [{ ...good, logs: [null] }, "a log has no address, no topics or no data"],
    [{ ...good, logs: [{ address: 5, topics: [], data: "0x" }] }, "a log has no address"],
  ];
  for (const [receipt, fault] of cases) {
    const node = chainThat(({ method }) =>
      method === "eth_getTransactionReceipt" ? { result: receipt } : undefined
    );
    await assertRejects(() => settlement(node, SETTLED), HttpStatusError, fault);
  }
});

Deno.test("readSafeQuantity() reads what a number holds exactly, and nothing else", () => {
  const values = ["0x1f", "0x000a", "0x1fffffffffffff", "0x20000000000000", "0x", "1f", 31, null];
  assertEquals(values.map(readSafeQuantity), [
    ...[31, 10, 9_007_199_254_740_991],
    ...[null, null, null, null, null],
  ]);
});

Deno.test("an error of a node in this process has the code of JSON-RPC, and no status", () => {
  const answer = { error: { code: -32601, message: "no such method" } };
  const error = assertThrows(() => unwrap(answer, "the latest block"), ServiceError);
  assertEquals([error.status, error.errorType], [null, "JSON-RPC -32601"]);
  assert(!error.message.includes("status"));
});
