import { assert, assertEquals, assertRejects } from "@std/assert";
import { createPublicClient, custom, parseAbiItem } from "viem";
import { connect, InputError, type Order, type Trade } from "orderlens";
import { type RpcAnswer, settlement, tokenDecimals } from "orderlens/evm";
import { type Replay, replay } from "orderlens/recordings";
import { got, inFolder, writeRecording } from "../sandbox/temp_folder.ts";

const TRADE = parseAbiItem(
  "event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)",
);

const FIELDS = ["owner", "sellToken", "buyToken", "sellAmount", "buyAmount", "orderUid"] as const;

const market = await replay("market_3");
const { settlementContract, tokens = [], wrappedNativeToken } = market.deployment!;

/** viem's own client of a recording's node. */
function clientOf(recording: Replay) {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const [answer] = await recording.rpc([{ method, params: (params ?? []) as unknown[] }]);
    assert(answer !== undefined);
    if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result;
  };
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}

async function contentsOf(recording: Replay) {
  const book = connect(recording);
  const orders = new Map<string, Order>();
  const trades: Trade[] = [];
  for (const uid of recording.recorded.orderUids) {
    orders.set(uid, await book.order(uid));
    trades.push(...await Array.fromAsync(book.trades({ orderUid: uid })));
  }
  return { orders, trades };
}

/** A port whose every request is sent to a recording. */
function serve(recording: Replay) {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const path = new URL(request.url).pathname;
    const answer = await recording.send({ method: "POST", path, body: await request.text() });
    return new Response(answer.body === "" ? null : answer.body, answer);
  });
}

for (const name of ["market_1", "market_3", "simulated_1"]) {
  Deno.test(`replay() returns trades of ${name} that match the Trade logs of its node`, async () => {
    const recording = await replay(name);
    const { trades } = await contentsOf(recording);
    const logs = await clientOf(recording).getLogs({
      event: TRADE,
      address: recording.deployment!.settlementContract as `0x${string}`,
      fromBlock: "earliest",
      toBlock: "latest",
    });
    const textOf = (
      event: readonly unknown[],
      fields: Partial<Record<typeof FIELDS[number], unknown>>,
    ) => [...event, ...FIELDS.map((name) => fields[name])].join().toLowerCase();
    assertEquals(
      logs.map(({ args, blockNumber, logIndex, transactionHash }) =>
        textOf([blockNumber, logIndex, transactionHash], args)
      ).sort(),
      trades.map((trade) => textOf([trade.blockNumber, trade.logIndex, trade.txHash], trade))
        .sort(),
    );
  });
}

Deno.test("replay() dates the blocks of market_3 after an order's creation and before its end", async () => {
  const { orders, trades } = await contentsOf(market);
  const client = clientOf(market);
  assertEquals(trades.length, 147);
  for (const { blockNumber, orderUid } of trades) {
    const { creationDate, validTo } = orders.get(orderUid)!;
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(blockNumber) });
    // Blocks count whole seconds.
    assert(Number(timestamp) >= Math.floor(creationDate.epochMilliseconds / 1_000), orderUid);
    assert(Number(timestamp) <= validTo, orderUid);
  }
  assertEquals(await client.getChainId(), 1);
  assertEquals(await client.getBlockNumber(), 969n);
  assertEquals((await client.getBlock({ blockNumber: 0n })).timestamp, 1_795_322_540n);
});

Deno.test("replay() responds to POST /rpc as its rpc does, batches too", async () => {
  const server = serve(market);
  const url = `http://127.0.0.1:${server.addr.port}/rpc`;
  const [hash] = market.recorded.txHashes;
  const { trades } = await contentsOf(market);
  const found = await settlement(url, hash!);
  assertEquals(found.to, settlementContract);
  assertEquals(
    found.events.filter(({ event }) => event === "Trade").map(({ logIndex }) => logIndex),
    trades.filter(({ txHash }) => txHash === hash).map(({ logIndex }) => logIndex),
  );
  assertEquals(
    await tokenDecimals(url, [...tokens.map(({ address }) => address), wrappedNativeToken!]),
    new Map(tokens.map(({ address }) => [address, 18])),
  );
  await server.shutdown();
  const notification = '{"jsonrpc":"2.0","method":"eth_chainId"}';
  const { status, body } = await market.send({ method: "POST", path: "/rpc", body: notification });
  assertEquals([status, body], [204, ""]);
});

Deno.test("replay() returns an error, never null, for a call that was not recorded", async (t) => {
  const block = (number: number) => ({
    method: "eth_getBlockByNumber",
    params: [`0x${number.toString(16)}`, false],
  });
  const logs = (filter: Record<string, unknown>) => ({ method: "eth_getLogs", params: [filter] });
  const balance = `0x70a08231${settlementContract.slice(2).padStart(64, "0")}`;
  const hash = `0x${"12".repeat(32)}`;
  const calls = [
    block(970),
    { ...block(5), params: ["0x5", true] },
    { method: "eth_getBlockByHash", params: [hash, false] },
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
    logs({}),
    logs({ address: tokens[0]!.address }),
    logs({ address: settlementContract, toBlock: "0x400" }),
    { method: "eth_call", params: [{ to: tokens[0]!.address, data: balance }, "latest"] },
    { method: "eth_call", params: [{ to: wrappedNativeToken, data: "0x313ce567" }] },
    { method: "eth_getBalance", params: [settlementContract, "latest"] },
    { method: "eth_gasPrice", params: [] },
  ];
  const answers = await market.rpc(calls);
  const bare = await (await replay("edges")).rpc([
    { method: "eth_chainId", params: [] },
    { method: "eth_call", params: [{ to: tokens[0]!.address, data: "0x313ce567" }, "latest"] },
    { method: "eth_blockNumber", params: [] },
    block(5),
    { method: "eth_getTransactionReceipt", params: [hash] },
  ]);
  const [untimed] = await (await replay("market_1")).rpc([block(149)]);
  const text = (answer: RpcAnswer) =>
    "error" in answer ? `${answer.error.code} ${answer.error.message}` : `${answer.result}`;
  await t.assertSnapshot([...answers, ...bare, untimed!].map(text).join("\n"));
});

inFolder.test(
  "the file of the chain is read with the first call, and must be one of its form",
  async (folder, t) => {
    const file = await writeRecording(`${folder}/own.ndjson`, [got("/api/v1/version", "1")]);
    const chain = `${folder}/own.chain.json`;
    const good = { settlements: {}, logs: [], blocks: { 7: 70 } };
    const latest = { method: "eth_getBlockByNumber", params: ["latest", false] };
    const log = { address: "0x12", data: "0x", topics: [], transactionHash: "0x34" };
    const made = { from: "0x1", to: "0x2", input: "0x", gasUsed: "1", effectiveGasPrice: "1" };
    const wrong = [
      "{",
      "[]",
      ...[
        { settlements: [] },
        { settlements: { "0x12": { from: "0x" } } },
        { logs: [{ address: "0x12" }] },
        { blocks: { seven: 70 } },
        { blocks: { 7: "70" } },
        { blocks: { 7: -70 } },
        { blocks: { 99999999999999999999: 70 } },
        { logs: [{ ...log, blockNumber: "0x", logIndex: 0 }] },
        { logs: [{ ...log, blockNumber: 7, logIndex: -1 }] },
        { settlements: { "0x34": { ...made, blockNumber: -7, status: "0x1" } } },
        { settlements: { "0x34": { ...made, blockNumber: 7, status: "0x" } } },
      ].map((part) => JSON.stringify({ ...good, ...part })),
    ];
    const texts: string[] = [];
    for (const text of wrong) {
      await Deno.writeTextFile(chain, text);
      const recording = await replay(file);
      const error = await assertRejects(() => recording.rpc([latest]), InputError);
      texts.push(error.message.replaceAll(folder, "…"));
    }
    await t.assertSnapshot(texts.join("\n\n"));
    await Deno.writeTextFile(chain, JSON.stringify(good));
    for (const path of [file, folder]) {
      const [answer] = await (await replay(path)).rpc([latest]);
      assert(answer !== undefined && "result" in answer);
      assertEquals(answer.result, { number: "0x7", timestamp: "0x46", hash: null });
    }
    await Deno.writeTextFile(`${folder}/other.chain.json`, JSON.stringify(good));
    const both = await replay(folder);
    await assertRejects(() => both.rpc([latest]), InputError, "it contains several");
  },
);

Deno.test("replay() truncates the name of an unknown method", async () => {
  const [answer] = await market.rpc([{ method: "x".repeat(100_000), params: [] }]);
  assert(answer !== undefined && "error" in answer);
  assertEquals(answer.error, {
    code: -32601,
    message: `the method ${"x".repeat(80)} does not exist here`,
  });
});
