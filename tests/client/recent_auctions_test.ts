import {
  auctionTimes,
  connect,
  InputError,
  recentAuctions,
  type RecentAuctionsOptions,
} from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects } from "@std/assert";
import { nodeThat, range, secondsOfBlock, startBlockServer } from "../evm/node_server.ts";
import { MARKET_3 } from "../metrics/auctions/market_3_times.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const RECORDING = await replay("market_1");
const BOOK = connect(RECORDING);
const LATEST = RECORDING.recorded.auctionIds.at(-1)!;

Deno.test("recentAuctions() reads what walking and gathering read", async () => {
  const progress: string[] = [];
  const found = await recentAuctions(BOOK, {
    auctions: 10,
    onProgress: ({ phase, done, total }) => progress.push(`${phase} ${done}/${total}`),
  });
  const ids = RECORDING.recorded.auctionIds.filter((id) => id > LATEST - 10);
  assertEquals(found.ids, 10);
  assertEquals(found.competitions.map(({ auctionId }) => auctionId), ids);
  const bids = found.competitions.flatMap(({ solutions }) =>
    solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
  );
  assertEquals(found.orders.map(({ uid }) => uid), [...new Set(bids)]);
  assertEquals(found.records.map(({ order }) => order), found.orders);
  assertEquals(found.trades, found.records.flatMap(({ trades }) => trades));
  assertEquals(found.debugReports.length, found.orders.length);
  assertEquals(found.times.auction(ids[0]!)?.basis, "bracketed");
  assertEquals([found.missing, found.failed], [[], []]);
  assertEquals([found.reportsRefused, found.accounts], [null, null]);
  const last = found.orders.length;
  assertEquals(progress.filter((line) => line.startsWith("auctions")).length, 10);
  assertEquals(progress.at(-1), `orders ${last}/${last}`);
});

Deno.test("recentAuctions() gathers the orders of winners, of accounts, or none", async () => {
  const auctions = 30;
  const none = await recentAuctions(BOOK, { auctions, orders: "none" });
  assertEquals(none.records, []);
  const winning = await recentAuctions(BOOK, { auctions, orders: "winning" });
  const winners = none.competitions.flatMap(({ solutions }) =>
    solutions.filter(({ isWinner }) => isWinner).flatMap(({ orders }) => orders.map(({ id }) => id))
  );
  assertEquals(winning.orders.map(({ uid }) => uid), [...new Set(winners)]);

  const options = { auctions, accounts: 1, ordersPerAccount: 3 };
  const { orders, accounts } = await recentAuctions(BOOK, options);
  const owners = new Set(orders.map(({ owner }) => owner));
  assertEquals([owners.size, accounts?.read, accounts?.cut], [1, 1, 1]);
  const { recorded } = RECORDING;
  const { length } = recorded.orderUids;
  assertEquals(
    accounts?.note,
    "Of 1 accounts, only the latest 3 orders and those bid on were read. " +
      `${length - orders.length} of ${length} orders of the recording were not read. `,
  );
  const all = await recentAuctions(BOOK, { auctions: 2_000, accounts: 50 });
  assertEquals([all.orders.length, all.accounts?.note], [recorded.orderUids.length, ""]);
  const [owner = ""] = owners;
  const newest = await Array.fromAsync(BOOK.accountOrders(owner, { limit: 3 }));
  const gathered = new Set(orders.map(({ uid }) => uid));
  assertEquals(newest.filter(({ uid }) => !gathered.has(uid)), []);
});

Deno.test("recentAuctions() of a recording of single auctions gives the latest of them", async () => {
  const recording = await replay("protocol_fee__combined_protocol_fees");
  const { auctionIds } = recording.recorded;
  const { ids, competitions, trades } = await recentAuctions(connect(recording), { auctions: 2 });
  assertEquals(competitions.map(({ auctionId }) => auctionId), auctionIds.slice(-2));
  assertEquals([ids, trades.length > 0], [Math.min(2, auctionIds.length), true]);
});

Deno.test("recentAuctions() takes block times from a node, and rejects invalid options", async () => {
  const market = await replay("market_3");
  const { competitions, times } = await recentAuctions(connect(market), {
    auctions: 5,
    orders: "none",
    node: market,
  });
  assertEquals(times.auction(competitions[0]!.auctionId)?.basis, "block");
  for (
    const [options, text] of [
      [{}, "auctions"],
      [{ auctions: 0 }, "auctions 0"],
      [{ auctions: 1, orders: "all" }, "orders"],
      [{ auctions: 1, last: 3 }, "last"],
    ] as const
  ) {
    const ask = () => recentAuctions(BOOK, options as unknown as RecentAuctionsOptions);
    await assertRejects(ask, InputError, text);
  }
});

const { auctions, orders, fills, blocks } = MARKET_3;

/** A node that has some blocks of the recorded chain. */
function nodeOf(known: (block: number) => boolean) {
  return nodeThat(({ params: [number] }) => {
    const block = Number(number);
    const timestamp = `0x${blocks[block]?.toString(16)}`;
    return { result: known(block) ? { number, timestamp } : null };
  });
}

Deno.test("auctionTimes() requests the blocks of auctions and fills, each once", async () => {
  const node = nodeOf(() => true);
  const times = await auctionTimes(node, auctions, { orders, trades: fills });
  const wanted = new Set([
    ...auctions.map(({ auctionStartBlock }) => auctionStartBlock),
    ...fills.map(({ blockNumber }) => blockNumber),
  ]);
  const asked = node.sent.map(({ params: [number] }) => Number(number));
  assertEquals(asked, [...wanted].sort((a, b) => a - b));
  for (const { auctionId, auctionStartBlock } of auctions) {
    const time = times.auction(auctionId)!;
    assertEquals(time.basis, "block");
    assertEquals(time.at.epochMilliseconds, 1_000 * blocks[auctionStartBlock]!);
  }
  for (const { blockNumber } of fills) assertEquals(times.block(blockNumber)?.basis, "block");
});

Deno.test("auctionTimes() takes intervals for blocks that the node lacks, and without a node", async () => {
  const middle = auctions[50]!.auctionStartBlock;
  const partly = await auctionTimes(nodeOf((block) => block < middle), auctions, { orders });
  const without = await auctionTimes(null, auctions, { orders });
  for (const { auctionId, auctionStartBlock } of auctions) {
    const basis = auctionStartBlock < middle ? "block" : "bracketed";
    assertEquals(partly.auction(auctionId)?.basis, basis);
    assertEquals(without.auction(auctionId)?.basis, "bracketed");
  }
  const nothing = await auctionTimes(null, auctions);
  assertEquals(nothing.auction(auctions[0]!.auctionId), null);
});

inFolder.test("auctionTimes() caches timestamps of a node in a folder", async (cacheFolder) => {
  await using node = startBlockServer();
  const many = range(1, 250).map((block) => ({
    auctionId: block,
    auctionStartBlock: block,
    auction: { orders: [] },
  }));
  for (let round = 0; round < 2; round++) {
    const times = await auctionTimes(node.url, many, { cacheFolder });
    assertEquals(times.auction(250)?.at.epochMilliseconds, 1_000 * secondsOfBlock(250));
  }
  assertEquals(node.asked(), 250);
});

Deno.test("auctionTimes() rejects invalid nodes, lists, options, and what is not decoded", async () => {
  const action = "Cannot get times of auctions";
  const wrong = [null, {}, { competition: auctions[0] }, { ...auctions[0], auction: null }];
  const cases: readonly (readonly [says: string, ...given: unknown[]])[] = [
    ["the source is not a node", undefined, auctions],
    [action, null, 7],
    ["`await` it first", null, Promise.resolve(auctions)],
    ["orders", null, [], { order: [] }],
    [action, null, [], { orders: 7 }],
    [action, null, [], { trades: 7 }],
    ["not an http URL", "ftp://node", auctions],
    ["undefined is not a block number", nodeOf(() => true), auctions, { trades: [null] }],
    ...wrong.map((one) =>
      [`${action}: item 1 is no decoded competition`, null, [auctions[0], one]] as const
    ),
  ];
  for (const [says, ...given] of cases) {
    const ask = () => auctionTimes(...given as Parameters<typeof auctionTimes>);
    await assertRejects(ask, InputError, says);
  }
});
