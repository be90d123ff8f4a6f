import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { connect } from "orderlens";
import { openSandbox, type RpcAnswer, type Sandbox } from "orderlens/sandbox";
import { orderAt } from "orderlens/evm";
import { sellForEther } from "./read_chain.ts";

const TRADE = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";
const SETTLEMENT = "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";

const INTERACTION = "0xed99827efb37016f2275f98c4bcf71c7551c75d59e9b450f79fa32e60be672c2";

/** The longest market of these tests, which only read it. */
const LONG = openSandbox({ seed: 20, auctions: 120 });

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

function resultOf(answer: RpcAnswer | undefined): unknown {
  assert(answer !== undefined && "result" in answer, JSON.stringify(answer));
  return answer.result;
}

async function receiptOf(sandbox: Sandbox, hash: string): Promise<{ logs: Log[] }> {
  const [answer] = await sandbox.rpc([{ method: "eth_getTransactionReceipt", params: [hash] }]);
  return resultOf(answer) as { logs: Log[] };
}

async function logsOf(sandbox: Sandbox, filter: Record<string, unknown>): Promise<Log[]> {
  const [answer] = await sandbox.rpc([{ method: "eth_getLogs", params: [filter] }]);
  return resultOf(answer) as Log[];
}

const hex = (value: number): string => `0x${value.toString(16)}`;

Deno.test("POST /rpc answers as rpc does, with the headers of every answer", async () => {
  const sandbox = await openSandbox({ seed: 4, auctions: 5 });
  const call = { jsonrpc: "2.0", id: 7, method: "eth_blockNumber", params: [] };
  const { status, headers, text } = await post(sandbox, JSON.stringify(call));
  assertEquals([status, headers.get("content-type")], [200, "application/json"]);
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(JSON.parse(text), { jsonrpc: "2.0", id: 7, result: hex(1_005) });
  assertEquals(await sandbox.rpc([call]), [{ result: hex(1_005) }]);
  assertEquals((await sandbox.fetch("/rpc")).status, 405);
  assertEquals((await sandbox.fetch("/rpc", { method: "OPTIONS" })).status, 200);
});

Deno.test("POST /rpc takes JSON of up to a mebibyte, and answers notifications with nothing", async () => {
  const sandbox = await openSandbox({ seed: 4 });
  const notification = '{"jsonrpc":"2.0","method":"eth_chainId"}';
  assertEquals(await post(sandbox, notification).then(({ status, text }) => [status, text]), [
    204,
    "",
  ]);
  assertEquals((await post(sandbox, notification, "text/plain")).status, 415);
  assertEquals((await post(sandbox, " ".repeat(1024 * 1024 + 1))).status, 413);
  assertMatch((await post(sandbox, "{")).text, /"id":null,"error":\{"code":-32700/);
});

Deno.test("faults strike the node too", async () => {
  const sandbox = await openSandbox({ seed: 4 });
  const fault = sandbox.fault({ kind: "serverError", operation: "rpc", times: 1 });
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  assertEquals((await post(sandbox, call)).status, 500);
  assertEquals((await post(sandbox, call)).status, 200);
  assertEquals(fault.hits, 1);
});

Deno.test("eth_getLogs() filters by contract, topics, blocks and hash of a block", async () => {
  const sandbox = await openSandbox({ seed: 4, auctions: 40 });
  const { settlementContract, tokens: [weth], block } = sandbox.description;
  const whole = { fromBlock: "earliest", toBlock: "latest" };
  const all = await logsOf(sandbox, whole);
  const select = async (filter: Record<string, unknown>, expected: (log: Log) => boolean) => {
    const found = await logsOf(sandbox, filter);
    assertEquals(found, all.filter(expected), JSON.stringify(filter));
    assertGreater(found.length, 0);
  };
  await select(
    { ...whole, address: settlementContract },
    (log) => log.address === settlementContract,
  );
  await select(
    { ...whole, address: [weth!.address, settlementContract.toUpperCase().replace("X", "x")] },
    ({ address }) => [weth!.address, settlementContract].includes(address),
  );
  await select({ ...whole, topics: [TRADE] }, ({ topics }) => topics[0] === TRADE);
  await select(
    { ...whole, topics: [[TRADE, SETTLEMENT]] },
    ({ topics: [topic] }) => topic === TRADE || topic === SETTLEMENT,
  );
  const owner = all.find(({ topics }) => topics[0] === TRADE)!.topics[1];
  await select(
    { ...whole, topics: [TRADE, owner] },
    ({ topics }) => topics[0] === TRADE && topics[1] === owner,
  );
  await select({ ...whole, topics: [null, [owner]] }, ({ topics }) => topics[1] === owner);
  await select({ ...whole, topics: [null, null, null] }, ({ topics }) => topics.length === 3);
  await select(
    { fromBlock: hex(1_010), toBlock: hex(1_020) },
    ({ blockNumber }) => Number(blockNumber) >= 1_010 && Number(blockNumber) <= 1_020,
  );
  const { blockHash } = all[0]!;
  await select({ blockHash }, (log) => log.blockHash === blockHash);
  await select({ fromBlock: hex(1_010) }, ({ blockNumber }) => Number(blockNumber) >= 1_010);
  for (const tag of ["latest", "finalized", "safe", "pending"]) {
    assertEquals(
      await logsOf(sandbox, { fromBlock: tag, toBlock: tag }),
      all.filter(({ blockNumber }) => Number(blockNumber) === block),
    );
  }
  assertEquals(await logsOf(sandbox, { ...whole, topics: [`0x${"00".repeat(32)}`] }), []);
  assertEquals(await logsOf(sandbox, { fromBlock: hex(block + 1), toBlock: "latest" }), []);
});

Deno.test("calls with invalid parameters are rejected with the parameter's name", async () => {
  const sandbox = await openSandbox({ seed: 4 });
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
});

Deno.test("what does not exist is null, as at every node", async () => {
  const sandbox = await openSandbox({ seed: 4 });
  const answers = await sandbox.rpc([
    { method: "eth_getBlockByNumber", params: [hex(1_001), false] },
    { method: "eth_getBlockByHash", params: [TRADE, false] },
    { method: "eth_getTransactionByHash", params: [TRADE] },
    { method: "eth_getTransactionReceipt", params: [TRADE] },
  ]);
  assertEquals(answers, Array(4).fill({ result: null }));
});

Deno.test("blocks are kept as long as auctions are", async () => {
  const sandbox = await openSandbox({ seed: 4, auctions: 30, keptAuctions: 10 });
  const [earliest] = await sandbox.rpc([{
    method: "eth_getBlockByNumber",
    params: ["earliest", false],
  }]);
  assertEquals((resultOf(earliest) as { number: string }).number, hex(1_021));
  const pruned = {
    error: { code: 4444, message: "block 1020 is not kept: the first one kept is 1021" },
  };
  const filter = { fromBlock: hex(1_020), toBlock: "latest" };
  const uid = `0x${"11".repeat(56)}`;
  const filled = `0x2479fb6e${"20".padStart(64, "0")}${"38".padStart(64, "0")}${
    uid.slice(2).padEnd(128, "0")
  }`;
  const [block, logs, amount] = await sandbox.rpc([
    { method: "eth_getBlockByNumber", params: [hex(1_020), false] },
    { method: "eth_getLogs", params: [filter] },
    { method: "eth_call", params: [{ to: sandbox.deployment.settlementContract, data: filled }] },
  ]);
  assertEquals([block, logs], [pruned, pruned]);
  assert(amount !== undefined && "error" in amount);
  assertMatch(amount.error.message, /is not kept: the order is unknown/);
});

Deno.test("a settlement that reverts is on the chain, without logs and without a competition that names it", async () => {
  const sandbox = await LONG;
  const calls = Array.from({ length: 120 }, (_, at) => ({
    method: "eth_getBlockByNumber",
    params: [hex(1_001 + at), true],
  }));
  const blocks = (await sandbox.rpc(calls)).map((answer) =>
    resultOf(answer) as { transactions: { hash: string; input: string }[] }
  );
  const settlements = blocks.flatMap(({ transactions }) => transactions)
    .filter(({ input }) => input.startsWith("0x13d79a0b"));
  const receipts = await sandbox.rpc(
    settlements.map(({ hash }) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
  );
  const failed = receipts.map((answer) =>
    resultOf(answer) as { status: string; logs: unknown[]; transactionHash: string }
  ).filter(({ status }) => status === "0x0");
  assertGreater(failed.length, 0);
  for (const { logs, transactionHash } of failed) {
    assertEquals(logs, []);
    const path = `/api/v2/solver_competition/by_tx_hash/${transactionHash}`;
    const answer = await sandbox.fetch(path);
    assertEquals(answer.status, 404);
    await answer.body?.cancel();
  }
});

Deno.test("more logs than a request may return are rejected, the batch's together", async () => {
  const sandbox = await LONG;
  // It has 2,016 logs.
  const params = [{ fromBlock: "earliest", toBlock: "latest" }];
  const answers = await sandbox.rpc(Array(5).fill({ method: "eth_getLogs", params }));
  assertEquals(answers.map((answer) => "result" in answer), [true, true, true, true, false]);
  const last = answers[4]!;
  assertEquals("error" in last && last.error, {
    code: -32005,
    message: "more than 10000 logs in one request: ask for fewer blocks",
  });
});

Deno.test("a batch does not look through the whole chain time and again", async () => {
  const sandbox = await LONG;
  // Its last hundred blocks.
  const filter = { fromBlock: hex(1_021), toBlock: hex(100_000), address: `0x${"00".repeat(20)}` };
  const answers = await sandbox.rpc(
    Array(201).fill({ method: "eth_getLogs", params: [filter] }),
  );
  assertEquals(answers.slice(0, 200), Array(200).fill({ result: [] }));
  const last = answers[200]!;
  assert("error" in last);
  assertEquals(last.error.code, -32005);
});

Deno.test("blocks of a sandbox by the wall clock were made until now", async () => {
  const beforeSec = Math.floor(Date.now() / 1_000);
  const sandbox = await openSandbox({ seed: 4, auctions: 3, clock: "wall" });
  const numbers = [1_000, 1_001, 1_002, 1_003, 1_004];
  await sandbox.advance();
  const answers = await sandbox.rpc(
    numbers.map((number) => ({ method: "eth_getBlockByNumber", params: [hex(number), false] })),
  );
  const seconds = answers.map((one) => Number((resultOf(one) as { timestamp: string }).timestamp));
  assertEquals(seconds, seconds.toSorted((a, b) => a - b));
  assertEquals(seconds[3]! - seconds[0]!, 6);
  assert(seconds[4]! >= beforeSec && seconds[4]! <= Date.now() / 1_000);
});

Deno.test("hooks are called around the trade, and tell so", async () => {
  const sandbox = await openSandbox({ seed: 6, auctions: 3 });
  const hook = { target: `0x${"77".repeat(20)}`, callData: "0x12345678", gasLimit: "50000" };
  const metadata = { hooks: { pre: [hook], post: [hook] } };
  const appData = JSON.stringify({ appCode: "Test", metadata, version: "1.3.0" });
  const { book, uid } = await sellForEther(sandbox, { appData });
  const [trade] = await Array.fromAsync(book.trades({ orderUid: uid }));
  const { logs } = await receiptOf(sandbox, trade!.txHash!);
  const trampoline = `0x${"60bf78233f48ec42ee3f101b9a05ec7878728006".padStart(64, "0")}`;
  const called = logs.map(({ topics }) => topics[0] === INTERACTION && topics[1] === trampoline);
  assertEquals([called[0], called.at(-2)], [true, true]);
  assertEquals(called.filter((isHook) => isHook).length, 2);
  assertEquals(logs[1]!.topics[0], TRADE);
  assertEquals(Number(logs[1]!.logIndex), trade!.logIndex);
  assertEquals(logs.at(-1)!.topics[0], SETTLEMENT);
});

Deno.test("orderAt() takes the signatures that a sandbox settles, and what it has filled", async () => {
  const sandbox = await openSandbox({ seed: 5, auctions: 25 });
  const book = connect(sandbox);
  const found = await Array.fromAsync(book.competitions({ last: 25 }));
  const uids = new Set(found.flatMap(({ competition }) => competition?.auction.orders ?? []));
  const schemes = new Map<string, number>();
  for (const uid of uids) {
    const order = await book.order(uid);
    const { kind, signingScheme, executedBuyAmount, executedSellAmountBeforeFees } = order;
    const state = await orderAt(sandbox, book.domain, order);
    assert(!("reason" in state));
    assertEquals(state.uid, uid);
    assertEquals(
      state.filledAtoms,
      kind === "sell" ? executedSellAmountBeforeFees : executedBuyAmount,
    );
    // An auction lists no order without its signature.
    assertEquals([uid, signingScheme, state.isSignatureValid], [uid, signingScheme, true]);
    if (state.refusal === "filled") assertEquals(order.status, "fulfilled");
    schemes.set(signingScheme, (schemes.get(signingScheme) ?? 0) + 1);
  }
  assertEquals([...schemes.keys()].sort(), ["eip1271", "eip712", "ethsign", "presign"]);
});
