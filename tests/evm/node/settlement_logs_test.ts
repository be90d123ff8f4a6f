import { assert, assertEquals, assertRejects } from "@std/assert";
import { HttpStatusError, InputError, MismatchError, ServiceError } from "orderlens";
import { type NodeSource, type SettlementLog, settlementLogs } from "orderlens/evm";
import {
  CONTRACT,
  hashOf,
  LogChain,
  type LogChainOptions,
  txOf,
  type WireLog,
} from "../log_chain.ts";
import { TestClock } from "../../test_clock.ts";
import { type Call, serveNode } from "../node_server.ts";

const SETTLEMENT = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
const EVERY_7TH = (block: number) => block % 7 === 0;

function logsOf(
  source: NodeSource,
  [from, to]: readonly [number, number],
  options: Parameters<typeof settlementLogs>[2] = {},
): Promise<SettlementLog[]> {
  const range = { from, to, settlementContract: CONTRACT };
  return Array.fromAsync(settlementLogs(source, range, options));
}

function settledIn([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place).filter(EVERY_7TH);
}

Deno.test("settlementLogs() requests longer windows while they succeed, each block once", async () => {
  const chain = new LogChain();
  const logs = await logsOf(chain, [1, 50_000], { firstWindow: 1_000 });
  assertEquals(logs.map(({ blockNumber }) => blockNumber), settledIn([1, 50_000]));
  assertEquals(chain.windows, [
    [1, 1_000],
    [1_001, 3_000],
    [3_001, 7_000],
    [7_001, 15_000],
    [15_001, 31_000],
    [31_001, 50_000],
  ]);
  assertEquals(logs[0], {
    txHash: txOf(7),
    blockNumber: 7,
    blockHash: hashOf(7),
    logIndex: 2,
    solver: `0x${"5a".repeat(20)}`,
  });
});

Deno.test("settlementLogs() stays within a discovered limit of blocks", async () => {
  const refuse = (from: number, to: number) =>
    to - from + 1 > 500 ? { code: -32000, message: "exceed maximum block range: 500" } : undefined;
  const chain = new LogChain({ refuse });
  const logs = await logsOf(chain, [0, 9_999]);
  assertEquals(logs.length, settledIn([0, 9_999]).length);
  // Windows of 2,000 and 1,000 blocks are refused, those of 500 are not.
  assertEquals(chain.windows.length, 2 + 20);
});

Deno.test("settlementLogs() shrinks its windows where logs are dense, and grows them again", async () => {
  const settled = (block: number) => block % 1_000 === 0 || block >= 40_000 && block < 41_000;
  const refuse = (_from: number, _to: number, logs: number) =>
    logs > 70 ? { code: -32005, message: "query returned more than 70 results" } : undefined;
  const chain = new LogChain({ settled, refuse });
  const logs = await logsOf(chain, [0, 89_999]);
  assertEquals(logs.length, 90 + 999);
  assert(chain.windows.length < 100, `${chain.windows.length} queries`);
});

Deno.test("settlementLogs() names the block that a node refuses alone", async () => {
  const refuse = (from: number, to: number) =>
    from <= 1_234 && to >= 1_234 ? { code: -32005, message: "limit exceeded" } : undefined;
  const chain = new LogChain({ refuse });
  const found: number[] = [];
  const error = await assertRejects(async () => {
    const range = { from: 0, to: 5_000, settlementContract: CONTRACT };
    for await (const { blockNumber } of settlementLogs(chain, range)) found.push(blockNumber);
  }, ServiceError);
  assert(error.message.includes("block 1234"), error.message);
  assertEquals(found, settledIn([0, 1_233]));
});

const MISSING: [code: number, message: string][] = [
  [4444, "pruned history unavailable"],
  [-32000, "pruned history unavailable"],
  [-32000, "History has been pruned for this block"],
  [-32000, "missing trie node b03d68ac51042467 (path )"],
  [-32000, "block not found 11185311"],
  [-32000, "header not found"],
  [-32000, "seek with txNum=1962853355 but data before txNum=2662500000 is not available"],
  [-32601, "the method eth_getLogs does not exist/is not available"],
];

for (const [code, message] of MISSING) {
  Deno.test(`settlementLogs() ends at once where a node says ${message}`, async () => {
    const chain = new LogChain({ refuse: () => ({ code, message }) });
    await assertRejects(() => logsOf(chain, [0, 5_000]), ServiceError, "blocks 0 to 1999");
    assertEquals(chain.spans.length, 1);
  });
}

/** Nodes that answer with something else than the logs, and the field that differs. */
const LIES: [lie: string, field: string, alter: NonNullable<LogChainOptions["alter"]>][] = [
  ["logs of another contract", "address of a log", each({ address: `0x${"91".repeat(20)}` })],
  ["logs of another event", "topic of a log", each({ topics: [hashOf(1), hashOf(2)] })],
  [
    "logs of a block before",
    "block of a log",
    (logs, from) => [{ ...logs[0], blockNumber: `0x${(from - 1).toString(16)}` }],
  ],
  [
    "logs of a block after",
    "block of a log",
    (logs, _, to) => [...logs, { ...logs[0], blockNumber: `0x${(to + 1).toString(16)}` }],
  ],
  ["removed logs", "logs", each({ removed: true })],
  ["a log twice", "log, which is there twice", (logs) => [...logs, logs.at(-1)]],
  ["logs in another order", "order of logs", (logs) => logs.toReversed()],
  [
    "a transaction in two blocks",
    `block of transaction ${txOf(7)}`,
    each({ transactionHash: txOf(7) }),
  ],
  [
    "two hashes of a block",
    "hash of block 7",
    ([first]) => [first, { ...first, logIndex: "0x9", blockHash: hashOf(7, "c") }],
  ],
];

function each(changes: Partial<WireLog>) {
  return (logs: WireLog[]) => logs.map((log) => ({ ...log, ...changes }));
}

for (const [lie, field, alter] of LIES) {
  Deno.test(`settlementLogs() refuses ${lie}`, async () => {
    const ask = () => logsOf(new LogChain({ alter }), [5, 1_000]);
    const error = await assertRejects(ask, MismatchError);
    assertEquals([error.request, error.field], ["eth_getLogs", field]);
  });
}

const MALFORMED: [what: string, alter: NonNullable<LogChainOptions["alter"]>][] = [
  ["null", () => null],
  ["text", () => "0x"],
  ["no logs", () => [{}]],
  ["nulls", () => [null]],
  ["numbers", each({ blockNumber: 7 as unknown as string })],
  ["huge numbers", each({ blockNumber: `0x${"f".repeat(60)}` })],
  ["huge indices", each({ logIndex: `0x${"f".repeat(60)}` })],
  ["a short hash", each({ transactionHash: "0x77" })],
  ["a short hash of a block", each({ blockHash: "0x77" })],
  ["a solver that is no address", each({ topics: [SETTLEMENT, hashOf(2, "f")] })],
  ["no solver", each({ topics: [SETTLEMENT] })],
];

for (const [what, alter] of MALFORMED) {
  Deno.test(`settlementLogs() cannot read logs that are ${what}`, async () => {
    await assertRejects(() => logsOf(new LogChain({ alter }), [5, 1_000]), HttpStatusError);
  });
}

for (const most of [1, 37, 100, 1_000]) {
  for (
    const [which, alter] of [
      ["first", (logs: WireLog[]) => logs.slice(0, most)],
      ["last", (logs: WireLog[]) => logs.slice(-most)],
    ] as const
  ) {
    Deno.test(`settlementLogs() finds all logs of a node that only gives the ${which} ${most}`, async () => {
      const logs = await logsOf(new LogChain({ alter }), [0, 3_000]);
      assertEquals(logs.map(({ blockNumber }) => blockNumber), settledIn([0, 3_000]));
    });
  }
}

Deno.test("settlementLogs() refuses a node that lacks the last block of a window", async () => {
  const ask = (options: LogChainOptions, to = 5_000) => () =>
    logsOf(new LogChain(options), [0, to]);
  const behind = (number: number) => number > 3_000 ? null : undefined;
  await assertRejects(ask({ block: behind }), InputError, "does not have it");
  await assertRejects(ask({ head: 4_000 }), InputError, "newest block: 4000");
  const first = { number: "0x1", hash: hashOf(1) };
  const other = await assertRejects(ask({ block: () => first }), MismatchError);
  assertEquals(other.field, "number of a block");
  const forked = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: hashOf(number, "c"),
  });
  const fork = await assertRejects(ask({ block: forked }, 700), MismatchError);
  assertEquals(fork.field, "hash of block 700");
});

Deno.test("settlementLogs() reads young blocks until two responses are equal, and rejects those that never are", async () => {
  let answers = 0;
  const head = 1_000;
  const alter = (logs: WireLog[], from: number) =>
    from > head - 64 && answers++ === 0
      ? logs.map((log) => ({ ...log, blockHash: hashOf(Number(log.blockNumber), "c") }))
      : logs;
  const chain = new LogChain({ head, alter });
  const logs = await logsOf(chain, [0, head - 1]);
  assertEquals(logs.length, settledIn([0, head - 1]).length);
  for (const { blockHash, blockNumber } of logs) assertEquals(blockHash, hashOf(blockNumber));
  assertEquals(chain.windows.slice(0, 2), [[0, 936], [937, 999]]);

  const forked = (logs: WireLog[]) => {
    const fork = (answers++ % 10).toString();
    return logs.map((log) => ({ ...log, transactionHash: hashOf(Number(log.blockNumber), fork) }));
  };
  const ask = () => logsOf(new LogChain({ head, alter: forked }), [990, head]);
  const error = await assertRejects(ask, MismatchError);
  assertEquals(error.field, "logs of block 994, which change");
});

const FAST = { backoffBaseMs: 0, backoffCapMs: 0 };

function blocksIn(calls: Call[]): number {
  const query = calls.find(({ method }) => method === "eth_getLogs");
  if (query === undefined) return 0;
  const { fromBlock, toBlock } = query.params[0] as { fromBlock: string; toBlock: string };
  return Number(toBlock) - Number(fromBlock) + 1;
}

/** What a node says of a query for too many blocks. */
const LIMITED = { jsonrpc: "2.0", id: 0, error: { code: 35, message: "ranges over 500 blocks" } };

const OVERLOADS: [what: string, body: string, status: number][] = [
  ["status 413", "Request Entity Too Large", 413],
  ["status 413 with an error", JSON.stringify(LIMITED), 413],
  ["status 400 with an error", JSON.stringify(LIMITED), 400],
  ["a page with status 502", "<html>Bad Gateway</html>", 502],
  ["status 504", "", 504],
];

for (const [what, body, status] of OVERLOADS) {
  Deno.test(`settlementLogs() asks for fewer blocks after ${what}`, async () => {
    const headers = { "content-type": body.startsWith("{") ? "application/json" : "text/plain" };
    await using node = serveNode(
      new LogChain().rpc,
      (calls) => blocksIn(calls) > 500 ? new Response(body, { status, headers }) : undefined,
    );
    const logs = await logsOf(node.url, [0, 3_000], { ...FAST, retries: 1 });
    assertEquals(logs.map(({ blockNumber }) => blockNumber), settledIn([0, 3_000]));
  });
}

Deno.test("settlementLogs() requests fewer blocks if a response takes too long", async () => {
  const clock = new TestClock();
  const over = Promise.withResolvers<undefined>();
  await using node = serveNode(new LogChain().rpc, (calls) => {
    if (blocksIn(calls) <= 500) return undefined;
    clock.advance(30_000);
    return over.promise;
  });
  const logs = await logsOf(node.url, [0, 1_500], { ...FAST, retries: 0, clock });
  assertEquals(logs.length, settledIn([0, 1_500]).length);
  over.resolve(undefined);
});

Deno.test("settlementLogs() rejects invalid ranges, contracts and options", async () => {
  const chain = new LogChain();
  for (const range of [[-1, 5], [5, 4], [0.5, 3], [0, NaN], ["1", 2], [0, 2 ** 53]]) {
    await assertRejects(() => logsOf(chain, range as [number, number]), InputError, "not a range");
  }
  const ask = (range: unknown, options: object) => () =>
    Array.fromAsync(settlementLogs(chain, range as never, options));
  await assertRejects(ask(null, {}), InputError, "not a range");
  const range = { from: 0, to: 1, settlementContract: CONTRACT };
  await assertRejects(ask({ ...range, settlementContract: "0x90" }, {}), InputError, "address");
  await assertRejects(ask(range, { firstWindow: 0 }), InputError, "firstWindow");
  await assertRejects(ask(range, { window: 7 }), InputError, "window");
  assertEquals(chain.spans, []);
});

/** Errors of providers and clients as their users reported them, to a query for 10,000 blocks. */
const TEXTS: Readonly<Record<string, string>> = {
  "Infura": "-32005 query returned more than 10000 results",
  "Infura with a range":
    "-32005 query returned more than 10000 results. Try with this block range [0x3E8, 0xBB7].",
  "Infura of 2026": "-32602 range 1000000 exceeds limit of 1000",
  "Infura's time": "-32005 query timeout exceeded",
  "Alchemy": "-32602 Log response size exceeded. Please reduce query block range.",
  "Alchemy with a range":
    "-32602 Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0x9c3]",
  "Alchemy of a free plan":
    "-32600 You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3e8, 0x5db]",
  "Alchemy's time":
    "-32000 Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x3e8, 0xbb7]",
  "QuickNode": "-32614 eth_getLogs is limited to a 5,000 range",
  "Ankr": "-32600 block range is too wide",
  "dRPC": "35 ranges over 1000 blocks are not supported on freetier",
  "reth": "-32602 query exceeds max block range 5000",
  "reth's results": "-32602 query exceeds max results 20000, retry with the range 1000-3999",
  "reth with the same range":
    "-32602 query exceeds max results 20000, retry with the range 1000-10999",
  "geth": "-32000 exceed maximum block range: 5000",
  "geth's time": "-32002 request timed out",
  "Erigon": "-32000 query block range exceeds server limit, narrow your filter: 1000",
  "Erigon's logs": "-32000 query returns too many logs, narrow your filter: 20000",
  "Nethermind": "-32005 Too many logs requested. Max logs per response is 1000.",
  "Cloudflare":
    "-32047 Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
  "BlockPI": "-32602 eth_getLogs is limited to 1024 block range",
  "Avalanche": "-32000 requested too many blocks from 1000 to 10999, maximum is set to 2048",
  "thirdweb": "-32000 Maximum allowed number of requested blocks is 1000",
  "Base": "-32000 block range too large",
  "Coinbase": "-32602 please limit the query to at most 1,000 blocks",
  "Optimism": "-32020 backend response too large",
  "Arbitrum": "-32000 logs matched by query exceeds limit of 10000",
  "Chainstack":
    "-32602 Block range limit exceeded. See more details at https://docs.chainstack.com",
  "Morph":
    "-32000 block range is larger than max block range, block range = 10000, max block range = 5000",
  "Merkle": "-32000 eth_getLogs range is too large, max is 1k blocks",
  "Blast": "-32600 exceeds the range allowed for your plan (10000 > 500)",
  "dRPC's time": "30 Request timeout on the free tier, please upgrade to a paid one",
  "1RPC's range": "-32602 eth_getLogs is limited to 0 - 50 blocks range",
  "a proposal of another range": "-32602 this block range should work: [0x0, 0x7]",
  "Tenderly": "-32602 invalid params",
  "1RPC": "-32000 response size should not greater than 10000000 bytes",
  "nobody that is known": "-31337 no way",
};

for (const [who, text] of Object.entries(TEXTS)) {
  Deno.test(`settlementLogs() goes on with fewer blocks after the error of ${who}`, async () => {
    const [code, ...words] = text.split(" ");
    const error = { code: Number(code), message: words.join(" ") };
    const settled = (block: number) => block % 600 === 0;
    const refuse = (from: number, to: number) => to - from + 1 > 500 ? error : undefined;
    const chain = new LogChain({ settled, refuse });
    const logs = await logsOf(chain, [1_000, 30_999], { firstWindow: 10_000 });
    assertEquals(
      logs.map(({ blockNumber }) => blockNumber),
      Array.from({ length: 50 }, (_, place) => 600 * (place + 2)),
    );
    const sizes = chain.windows.map(([from, to]) => to - from + 1);
    assertEquals(sizes.slice(0, 6), [10_000, 5_000, 2_500, 1_250, 625, 312]);
    assert(chain.windows.length <= 6 + 1.5 * 30_000 / 312, `${chain.windows.length}`);
  });
}
