import { assert, assertEquals, assertMatch } from "@std/assert";
import { connect } from "orderlens";
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import { orderAt } from "orderlens/evm";
import { sellForEther } from "./read_chain.ts";

const TRADE = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";
const SETTLEMENT = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";

const INTERACTION = "0xed99827efb37016f2275f98c4bcf71c7551c75d59e9b450f79fa32e60be672c2";

/** A market of 442 logs that these tests only read. */
const sandbox = await openSandbox({ seed: 4, auctions: 25 });

interface Log {
  readonly logIndex: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly blockNumber: string;
  readonly blockHash: string;
}

async function post(sandbox: Sandbox, body: string, contentType = "application/json") {
  const headers = { "content-type": contentType };
  const response = await sandbox.fetch("/rpc", { method: "POST", body, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

interface Receipt {
  readonly status: string;
  readonly transactionHash: string;
  readonly logs: readonly Log[];
}

/** The results of calls of one method, in one request. */
async function resultsOf<Result>(
  sandbox: Sandbox,
  method: string,
  calls: readonly (readonly unknown[])[],
): Promise<Result[]> {
  const answers = await sandbox.rpc(calls.map((params) => ({ method, params })));
  return answers.map((answer) => {
    assert("result" in answer, JSON.stringify(answer));
    return answer.result as Result;
  });
}

async function logsOf(sandbox: Sandbox, filter: Record<string, unknown>): Promise<Log[]> {
  return (await resultsOf<Log[]>(sandbox, "eth_getLogs", [[filter]])).flat();
}

const hex = (value: number): string => `0x${value.toString(16)}`;

Deno.test("POST /rpc responds like Sandbox.rpc, with the headers of every response, and with faults", async () => {
  const call = { jsonrpc: "2.0", id: 7, method: "eth_blockNumber", params: [] };
  const { status, headers, text } = await post(sandbox, JSON.stringify(call));
  assertEquals([status, headers.get("content-type")], [200, "application/json"]);
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(JSON.parse(text), { jsonrpc: "2.0", id: 7, result: hex(1_025) });
  assertEquals(await sandbox.rpc([call]), [{ result: hex(1_025) }]);
  assertEquals((await sandbox.fetch("/rpc")).status, 405);
  assertEquals((await sandbox.fetch("/rpc", { method: "OPTIONS" })).status, 200);
  sandbox.fault({ kind: "serverError", operation: "rpc", times: 1 });
  assertEquals((await post(sandbox, JSON.stringify(call))).status, 500);
  const notification = '{"jsonrpc":"2.0","method":"eth_chainId"}';
  const { status: taken, text: nothing } = await post(sandbox, notification);
  assertEquals([taken, nothing], [204, ""]);
  assertEquals((await post(sandbox, notification, "text/plain")).status, 415);
  // A mebibyte, and a byte more.
  assertEquals((await post(sandbox, " ".repeat(1024 * 1024 + 1))).status, 413);
  assertMatch((await post(sandbox, "{")).text, /"id":null,"error":\{"code":-32700/);
});

Deno.test("eth_getLogs() filters by contract, topics, blocks and hash of a block", async () => {
  const { settlementContract, tokens: [weth], block } = sandbox.description;
  const whole = { fromBlock: "earliest", toBlock: "latest" };
  const all = await logsOf(sandbox, whole);
  const { topics: [, owner] } = all.find(({ topics }) => topics[0] === TRADE)!;
  const { blockHash } = all[0]!;
  const from = (first: number, last = block) => ({ blockNumber }: Log) =>
    Number(blockNumber) >= first && Number(blockNumber) <= last;
  const loud = settlementContract.toUpperCase().replace("X", "x");
  const cases: readonly [Record<string, unknown>, (log: Log) => boolean][] = [
    [{ ...whole, address: settlementContract }, (log) => log.address === settlementContract],
    [
      { ...whole, address: [weth!.address, loud] },
      ({ address }) => [weth!.address, settlementContract].includes(address),
    ],
    [{ ...whole, topics: [TRADE] }, ({ topics }) => topics[0] === TRADE],
    [
      { ...whole, topics: [[TRADE, SETTLEMENT]] },
      ({ topics: [topic] }) => topic === TRADE || topic === SETTLEMENT,
    ],
    [
      { ...whole, topics: [TRADE, owner] },
      ({ topics }) => topics[0] === TRADE && topics[1] === owner,
    ],
    [{ ...whole, topics: [null, [owner]] }, ({ topics }) => topics[1] === owner],
    [{ ...whole, topics: [null, null, null] }, ({ topics }) => topics.length === 3],
    [{ fromBlock: hex(1_010), toBlock: hex(1_020) }, from(1_010, 1_020)],
    [{ fromBlock: hex(1_010) }, from(1_010)],
    [{ blockHash }, (log) => log.blockHash === blockHash],
  ];
  for (const [filter, isMeant] of cases) {
    const found = await logsOf(sandbox, filter);
    assertEquals(found, all.filter(isMeant), JSON.stringify(filter));
    assert(found.length > 0, `${found.length}`);
  }
  for (const tag of ["latest", "finalized", "safe", "pending"]) {
    const found = await logsOf(sandbox, { fromBlock: tag, toBlock: tag });
    assertEquals(found, all.filter(from(block)));
  }
  assertEquals(await logsOf(sandbox, { ...whole, topics: [`0x${"00".repeat(32)}`] }), []);
  assertEquals(await logsOf(sandbox, { fromBlock: hex(block + 1), toBlock: "latest" }), []);
});

Deno.test("calls with invalid parameters are rejected with the parameter's name", async () => {
  const cases: readonly (readonly [method: string, params: readonly unknown[], message: RegExp])[] =
    [
      ["eth_getBlockByNumber", [], /the block must be/],
      ["eth_getBlockByNumber", ["0x03e8", false], /without leading zeros/],
      ["eth_getBlockByNumber", [1000, false], /not 1000/],
      ["eth_getBlockByNumber", ["newest", false], /not "newest"/],
      ["eth_getBlockByNumber", ["latest", "yes"], /true or false/],
      ["eth_getTransactionByHash", ["0x12"], /64 hex digits/],
      ["eth_getTransactionReceipt", [null], /not null/],
      ["eth_getLogs", [], /the filter must be an object/],
      ["eth_getLogs", [{ address: "0x12" }], /address must be/],
      ["eth_getLogs", [{ topics: TRADE }], /topics must be/],
      ["eth_getLogs", [{ topics: ["0x12"] }], /a topic must be/],
      ["eth_getLogs", [{ topics: [null, null, null, null, null] }], /up to 4/],
      ["eth_getLogs", [{ fromBlock: "0x3e8", toBlock: "0x3e7" }], /fromBlock 1000 is after 999/],
      ["eth_getLogs", [{ blockHash: TRADE, fromBlock: "0x1" }], /either blockHash/],
      ["eth_call", [{ data: "0x313ce567" }], /to must be/],
      ["eth_call", [{ to: TRADE.slice(0, 42), data: "0x1" }], /data must be/],
      ["eth_getBalance", ["me"], /the account must be/],
    ];
  for (const [method, params, message] of cases) {
    const [answer] = await sandbox.rpc([{ method, params }]);
    assert(answer !== undefined && "error" in answer, JSON.stringify([method, params]));
    assertEquals(answer.error.code, -32602, JSON.stringify([method, params]));
    assertMatch(answer.error.message, message);
  }
  assertEquals(await sandbox.rpc([{ method: "eth_sendTransaction", params: [{}] }]), [
    { error: { code: -32601, message: "the method eth_sendTransaction does not exist here" } },
  ]);
  // What does not exist is null, as at every node.
  const answers = await sandbox.rpc([
    { method: "eth_getBlockByNumber", params: [hex(1_026), false] },
    { method: "eth_getBlockByHash", params: [TRADE, false] },
    { method: "eth_getTransactionByHash", params: [TRADE] },
    { method: "eth_getTransactionReceipt", params: [TRADE] },
  ]);
  assertEquals(answers, Array(4).fill({ result: null }));
});

Deno.test("blocks are kept as long as auctions are", async () => {
  const sandbox = await openSandbox({ seed: 4, auctions: 30, keptAuctions: 10 });
  const byNumber = "eth_getBlockByNumber";
  const earliest = await resultsOf<{ number: string }>(sandbox, byNumber, [["earliest", false]]);
  assertEquals(earliest[0]?.number, hex(1_021));
  const pruned = {
    error: { code: 4444, message: "block 1020 is not kept: the first one kept is 1021" },
  };
  const filter = { fromBlock: hex(1_020), toBlock: "latest" };
  const uid = `0x${"11".repeat(56)}`;
  const filled = `0x2479fb6e${"20".padStart(64, "0")}${"38".padStart(64, "0")}${
    uid.slice(2).padEnd(128, "0")
  }`;
  const [block, logs, amount] = await sandbox.rpc([
    { method: byNumber, params: [hex(1_020), false] },
    { method: "eth_getLogs", params: [filter] },
    { method: "eth_call", params: [{ to: sandbox.deployment.settlementContract, data: filled }] },
  ]);
  assertEquals([block, logs], [pruned, pruned]);
  assert(amount !== undefined && "error" in amount);
  assertMatch(amount.error.message, /is not kept: the order is unknown/);
});

Deno.test("a settlement that reverts is on the chain, without logs and without a competition that names it", async () => {
  const blocks = await resultsOf<{ transactions: { hash: string; input: string }[] }>(
    sandbox,
    "eth_getBlockByNumber",
    Array.from({ length: 25 }, (_, at) => [hex(1_001 + at), true]),
  );
  const settlements = blocks.flatMap(({ transactions }) => transactions)
    .filter(({ input }) => input.startsWith("0x13d79a0b"));
  const receipts = await resultsOf<Receipt>(
    sandbox,
    "eth_getTransactionReceipt",
    settlements.map(({ hash }) => [hash]),
  );
  const failed = receipts.filter(({ status }) => status === "0x0");
  assert(failed.length > 0, `${failed.length}`);
  for (const { logs, transactionHash } of failed) {
    assertEquals(logs, []);
    const path = `/api/v2/solver_competition/by_tx_hash/${transactionHash}`;
    const answer = await sandbox.fetch(path);
    assertEquals(answer.status, 404);
    await answer.body?.cancel();
  }
});

Deno.test("more logs or blocks than a request may have are rejected, the batch's together", async () => {
  const whole = { fromBlock: "earliest", toBlock: "latest" };
  const getLogs = (params: unknown) => ({ method: "eth_getLogs", params: [params] });
  const answers = await sandbox.rpc(Array(23).fill(getLogs(whole)));
  assertEquals(answers.map((answer) => "result" in answer), [...Array(22).fill(true), false]);
  const message = "more than 10000 logs in one request: ask for fewer blocks";
  assertEquals(answers[22], { error: { code: -32005, message } });
  // 19 * 1,025 + 525 are the twenty thousand blocks that may be looked through, kept or not.
  const looks = [...Array(19).fill(hex(1)), hex(501), "latest"];
  const seen = await sandbox.rpc(looks.map((fromBlock) => getLogs({ ...whole, fromBlock })));
  const codes = seen.map((answer) => "error" in answer && answer.error.code);
  assertEquals(codes, [...Array(20).fill(4444), -32005]);
});

Deno.test("blocks of a sandbox by the wall clock were made until now", async () => {
  const beforeSec = Math.floor(Date.now() / 1_000);
  const sandbox = await openSandbox({ seed: 4, auctions: 3, clock: "wall" });
  const numbers = [1_000, 1_001, 1_002, 1_003, 1_004];
  await sandbox.advance();
  const blocks = await resultsOf<{ timestamp: string }>(
    sandbox,
    "eth_getBlockByNumber",
    numbers.map((number) => [hex(number), false]),
  );
  const seconds = blocks.map(({ timestamp }) => Number(timestamp));
  assertEquals(seconds, seconds.toSorted((a, b) => a - b));
  assertEquals(seconds[3]! - seconds[0]!, 6);
  assert(seconds[4]! >= beforeSec && seconds[4]! <= Date.now() / 1_000);
});

Deno.test("hooks are called around the trade, with their events", async () => {
  const sandbox = await openSandbox({ seed: 6, auctions: 3 });
  const hook = { target: `0x${"77".repeat(20)}`, callData: "0x12345678", gasLimit: "50000" };
  const metadata = { hooks: { pre: [hook], post: [hook] } };
  const appData = JSON.stringify({ appCode: "Test", metadata, version: "1.3.0" });
  const { book, uid } = await sellForEther(sandbox, { appData });
  const [trade] = await Array.fromAsync(book.trades({ orderUid: uid }));
  const asked = [[trade!.txHash!]];
  const [receipt] = await resultsOf<Receipt>(sandbox, "eth_getTransactionReceipt", asked);
  const { logs } = receipt!;
  const trampoline = `0x${"60bf78233f48ec42ee3f101b9a05ec7878728006".padStart(64, "0")}`;
  const called = logs.map(({ topics }) => topics[0] === INTERACTION && topics[1] === trampoline);
  assertEquals([called[0], called.at(-2)], [true, true]);
  assertEquals(called.filter((isHook) => isHook).length, 2);
  assertEquals(logs[1]!.topics[0], TRADE);
  assertEquals(Number(logs[1]!.logIndex), trade!.logIndex);
  assertEquals(logs.at(-1)!.topics[0], SETTLEMENT);
});

Deno.test("orderAt() accepts the signatures that a sandbox settles, and what it has filled", async () => {
  const book = connect(sandbox);
  const found = await Array.fromAsync(book.competitions({ last: 25 }));
  const uids = new Set(found.flatMap(({ competition }) => competition?.auction.orders ?? []));
  const schemes = new Set<string>();
  for (const uid of uids) {
    const order = await book.order(uid);
    const { kind, signingScheme, executedBuyAmount, executedSellAmountBeforeFees } = order;
    const state = await orderAt(sandbox, book.domain, order);
    assert(!("reason" in state));
    const filled = kind === "sell" ? executedSellAmountBeforeFees : executedBuyAmount;
    assertEquals([state.uid, state.filledAtoms], [uid, filled]);
    // An auction lists no order without its signature.
    assertEquals(state.isSignatureValid, true, `${signingScheme} of ${uid}`);
    if (state.refusal === "filled") assertEquals(order.status, "fulfilled");
    schemes.add(signingScheme);
  }
  assertEquals([...schemes].sort(), ["eip1271", "eip712", "ethsign", "presign"]);
});
