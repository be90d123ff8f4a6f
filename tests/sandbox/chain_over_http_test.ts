import { assert, assertEquals } from "@std/assert";
import { createPublicClient, decodeFunctionData, type Hex, http, parseEventLogs } from "viem";
import { decodeSettlement, orderDomain, tradeOrderUid } from "orderlens/evm";
import { decodeCompetition, decodeDebugReport, decodeOrder } from "orderlens/schemas";
import { isNotComputable, networkFee } from "orderlens/metrics";
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import { ABI, tradesOf } from "./read_chain.ts";

const OPENING_SECONDS = Date.UTC(2026, 10, 21) / 1_000;
const FIRST_BLOCK = 1_000;
const AUCTIONS = 45;

const sandbox = await openSandbox({ seed: 33, auctions: AUCTIONS, clock: "virtual" });
await using server = sandbox.listen({ port: 0 });
const client = createPublicClient({ transport: http(`${server.url}/rpc`, { batch: true }) });
const chainId = await client.getChainId();
const latest = await client.getBlockNumber();
const numbers = Array.from({ length: AUCTIONS + 1 }, (_, at) => BigInt(FIRST_BLOCK + at));
const blocks = await Promise.all(
  numbers.map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
);
const byHash = await Promise.all(blocks.map(({ hash }) => client.getBlock({ blockHash: hash })));
const { settlementContract } = sandbox.description;
const trades = await tradesOf(sandbox);
const logs = await client.getLogs({ fromBlock: "earliest", toBlock: "latest" });
const events = parseEventLogs({ abi: ABI, logs });
const hashes = [...new Set(trades.map(({ txHash }) => txHash as Hex))];
const settlements = await Promise.all(hashes.map(async (hash) => ({
  hash,
  transaction: await client.getTransaction({ hash }),
  receipt: await client.getTransactionReceipt({ hash }),
})));

assert(settlements.length > 0 && settlements.every(({ receipt }) => receipt.logs.length > 0));

async function bodyOf(from: Sandbox, path: string): Promise<unknown> {
  return await (await from.fetch(path)).json();
}

Deno.test("the chain of a sandbox has a block every two seconds, each on the one before", () => {
  assertEquals(chainId, sandbox.description.chainId);
  assertEquals(latest, BigInt(sandbox.description.block));
  assertEquals(latest, BigInt(FIRST_BLOCK + AUCTIONS));
  for (const [at, block] of blocks.entries()) {
    assertEquals(block.number, numbers[at]);
    assertEquals(block.timestamp, BigInt(OPENING_SECONDS + 2 * at));
    if (at > 0) assertEquals(block.parentHash, blocks[at - 1]!.hash);
    assertEquals(byHash[at]!.number, block.number);
    for (const [index, transaction] of block.transactions.entries()) {
      assertEquals(transaction.transactionIndex, index);
      assertEquals(transaction.blockHash, block.hash);
    }
  }
  const found = new Set(blocks.flatMap((one) => one.transactions.map(({ hash }) => hash)));
  assertEquals(found.size, blocks.reduce((sum, one) => sum + one.transactions.length, 0));
  assertEquals(hashes.filter((hash) => !found.has(hash)), []);
});

Deno.test("debug reports show a trade at the time of its block", async () => {
  const times = new Map(blocks.map(({ number, timestamp }) => [Number(number), Number(timestamp)]));
  for (const { orderUid } of trades) {
    const report = decodeDebugReport(
      await bodyOf(sandbox, `/restricted/api/v1/debug/order/${orderUid}`),
    );
    assertEquals(
      report.events.filter(({ label }) => label === "traded")
        .map(({ timestamp }) => Math.floor(timestamp.epochMilliseconds / 1_000)),
      trades.filter((one) => one.orderUid === orderUid)
        .map(({ blockNumber }) => times.get(blockNumber)),
    );
  }
});

Deno.test("every trade of the order book is a Trade log of the chain, and the reverse", () => {
  assert(trades.length > 75, `${trades.length}`);
  const emitted = events.flatMap((log) => {
    if (log.eventName !== "Trade") return [];
    const { owner, sellToken, buyToken, ...args } = log.args;
    return [{
      ...args,
      owner: owner.toLowerCase(),
      address: log.address,
      logIndex: log.logIndex,
      sellToken: sellToken.toLowerCase(),
      buyToken: buyToken.toLowerCase(),
      blockNumber: Number(log.blockNumber),
      txHash: log.transactionHash as string,
    }];
  });
  const places = trades.map(({ owner, sellToken, buyToken, orderUid, ...trade }) => ({
    owner,
    sellToken,
    buyToken,
    orderUid,
    address: settlementContract,
    sellAmount: trade.sellAmount,
    buyAmount: trade.buyAmount,
    txHash: trade.txHash!,
    blockNumber: trade.blockNumber,
    logIndex: trade.logIndex,
    feeAmount: trade.sellAmount - trade.sellAmountBeforeFees,
  }));
  assertEquals<unknown>(emitted, places);
});

Deno.test("calldata of every settlement gives the amounts of its trades, by the contract's rules", async () => {
  const domain = orderDomain(sandbox.deployment);
  for (const { hash, transaction: { input }, receipt } of settlements) {
    const own = trades.filter(({ txHash }) => txHash === hash);
    const { functionName, args } = decodeFunctionData({ abi: ABI, data: input });
    assert(functionName === "settle");
    const [names, prices, encoded] = args;
    assertEquals(encoded.length, own.length);
    const decoded = decodeSettlement(input);
    const competition = decodeCompetition(
      await bodyOf(sandbox, `/api/v2/solver_competition/by_tx_hash/${hash}`),
    );
    assertEquals(decoded.auctionId, competition.auctionId);
    const winner = competition.solutions.find(({ txHash }) => txHash === hash);
    assertEquals(receipt.from, winner!.solverAddress);
    for (const [at, trade] of encoded.entries()) {
      const expected = own[at]!;
      const [sellPrice, buyPrice] = [trade.sellTokenIndex, trade.buyTokenIndex]
        .map((index) => prices[Number(index)]!) as [bigint, bigint];
      // GPv2Settlement.computeTradeExecution, which reverts beyond the limit price.
      assert(trade.sellAmount * sellPrice >= trade.buyAmount * buyPrice);
      const isBuy = (trade.flags & 1n) === 1n;
      const fixed = (trade.flags & 2n) === 2n
        ? trade.executedAmount
        : isBuy
        ? trade.buyAmount
        : trade.sellAmount;
      const amounts = isBuy
        ? { sellAmount: fixed * buyPrice / sellPrice, buyAmount: fixed }
        : { sellAmount: fixed, buyAmount: (fixed * sellPrice + buyPrice - 1n) / buyPrice };
      assertEquals(amounts, { sellAmount: expected.sellAmount, buyAmount: expected.buyAmount });
      assertEquals(names[Number(trade.sellTokenIndex)]!.toLowerCase(), expected.sellToken);
      assertEquals(names[Number(trade.buyTokenIndex)]!.toLowerCase(), expected.buyToken);
      assertEquals(await tradeOrderUid(domain, decoded.trades[at]!), expected.orderUid);
    }
  }
});

Deno.test("uniform prices of the calldata give the fees that orders report", async () => {
  const fees = new Map<string, bigint>();
  for (const { hash, transaction } of settlements) {
    const decoded = decodeSettlement(transaction.input);
    for (const trade of trades.filter(({ txHash }) => txHash === hash)) {
      const order = decodeOrder(await bodyOf(sandbox, `/api/v1/orders/${trade.orderUid}`));
      const fee = networkFee(trade, order, { settlement: decoded });
      assert(!isNotComputable(fee));
      fees.set(trade.orderUid, (fees.get(trade.orderUid) ?? 0n) + fee.executedFee);
    }
  }
  assert(fees.size > 0);
  for (const [uid, fee] of fees) {
    assertEquals(decodeOrder(await bodyOf(sandbox, `/api/v1/orders/${uid}`)).executedFee, fee);
  }
});

Deno.test("logs of receipts are those of eth_getLogs, and count through their block", () => {
  for (const { hash, receipt } of settlements) {
    const own = logs.filter(({ transactionHash }) => transactionHash === hash);
    assertEquals(receipt.logs.map((log) => ({ ...log })), own.map((log) => ({ ...log })));
    assertEquals(receipt.status, "success");
    const names = parseEventLogs({ abi: ABI, logs: own }).map(({ eventName }) => eventName);
    assertEquals(names.length, own.length);
    assertEquals(names.at(-1), "Settlement");
    assertEquals(names.filter((name) => name === "Settlement").length, 1);
    // Trades come first where there are no pre-hooks, then what is taken in.
    const count = trades.filter(({ txHash }) => txHash === hash).length;
    assertEquals(names.slice(0, 2 * count), [
      ...Array(count).fill("Trade"),
      ...Array(count).fill("Transfer"),
    ]);
  }
  for (const inBlock of Map.groupBy(logs, ({ blockNumber }) => blockNumber).values()) {
    assertEquals(inBlock.map(({ logIndex }) => logIndex), inBlock.map((_, at) => at));
  }
});

Deno.test("token transfers of a settlement are those of its trades", () => {
  for (const { hash } of settlements) {
    const expected = trades.filter(({ txHash }) => txHash === hash).flatMap((trade) => [
      [trade.sellToken, trade.owner, settlementContract, trade.sellAmount].join(),
      ...(trade.buyToken.startsWith("0xeeee")
        ? []
        : [[trade.buyToken, settlementContract, trade.owner, trade.buyAmount].join()]),
    ]);
    const moved = events.flatMap((log) =>
      log.transactionHash === hash && log.eventName === "Transfer"
        ? [[log.address, log.args.from, log.args.to, log.args.value].join().toLowerCase()]
        : []
    );
    for (const each of expected) assert(moved.includes(each), `${hash}: ${each}`);
  }
});

Deno.test("on-chain signatures come before the trades of their orders", () => {
  const signatures = events.filter(({ eventName }) => eventName === "PreSignature");
  assert(signatures.length > 3, `${signatures.length}`);
  for (const log of signatures) {
    assert(log.eventName === "PreSignature");
    const { owner, orderUid, signed } = log.args;
    assertEquals([orderUid.slice(66, 106), signed], [owner.slice(2).toLowerCase(), true]);
    for (const trade of trades.filter((one) => one.orderUid === orderUid)) {
      assert(
        trade.blockNumber > Number(log.blockNumber) ||
          (trade.blockNumber === Number(log.blockNumber) && trade.logIndex > log.logIndex),
      );
    }
  }
});
