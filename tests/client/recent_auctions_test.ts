import { connect, InputError, recentAuctions, type RecentAuctionsOptions } from "orderlens";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects } from "@std/assert";

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
  assertEquals([found.missing, found.failed, found.reportsRefused, found.accounts], [
    [],
    [],
    null,
    null,
  ]);
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
  assertEquals(
    accounts?.note,
    "Of 1 accounts, only the latest 3 orders and those bid on were read. " +
      `${
        recorded.orderUids.length - orders.length
      } of ${recorded.orderUids.length} orders of the ` +
      "recording were not read. ",
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
    await assertRejects(
      () => recentAuctions(BOOK, options as unknown as RecentAuctionsOptions),
      InputError,
      text,
    );
  }
});
