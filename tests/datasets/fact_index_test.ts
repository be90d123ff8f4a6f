import { connect } from "orderlens";
import { assertEquals } from "@std/assert";
import {
  collectReferences,
  encodeRecords,
  FactIndex,
  lookUpRecords,
} from "../../lib/datasets/shards/fact_index.ts";
import { auctionOf } from "../metrics/auctions.ts";
import { tradeOf } from "../tables/made_up.ts";
import { recorded } from "./exported.ts";

const TX = `0x${"aa".repeat(32)}`;
const [FIRST, SECOND] = ["01", "02"].map((byte) => `0x${byte.repeat(56)}`) as [string, string];

/** A shard with an auction that one transaction settled, and with fills of that transaction. */
function shardOf(auctionId: number | null, uid: string, filled: readonly string[] = []) {
  const [solver, gold, silver] = ["0a", "a1", "b2"].map((byte) => `0x${byte.repeat(20)}`) as [
    string,
    string,
    string,
  ];
  const order = { id: uid, sellAmount: 1n, buyAmount: 1n, sellToken: gold, buyToken: silver };
  const auction = auctionOf(
    [{ solver, score: 1n, orders: [order], isWinner: true, txHash: TX }],
    { auctionId: auctionId ?? 0, transactionHashes: [TX] },
  );
  return {
    orders: [],
    reports: [],
    absentOrders: new Set<string>(),
    listings: [],
    competitions: auctionId === null ? [] : [auction],
    trades: filled.map((orderUid, logIndex) => tradeOf({ orderUid, txHash: TX, logIndex })),
    latest: Temporal.Instant.fromEpochMilliseconds(0),
  };
}

/** The auctions that each shard finds in others, by the transactions of its fills. */
function findAuctions(...shards: readonly ReturnType<typeof shardOf>[]): number[][] {
  using index = FactIndex.create(":memory:");
  const names = shards.map(collectReferences);
  for (const [at, each] of names.entries()) index.add(at, each);
  for (const [at, wanted] of index.groupKeysByShard()) {
    index.addRecords(lookUpRecords(shards[at]!, wanted));
  }
  return names.map(({ lackedHashes }) =>
    index.findAuctions(lackedHashes).map(({ auctionId }) => auctionId).toSorted()
  );
}

Deno.test("FactIndex finds every auction that the transaction of a fill settled", () => {
  const [one, two] = [shardOf(1, FIRST), shardOf(2, SECOND)];
  const fills = shardOf(null, FIRST, [FIRST, SECOND]);
  assertEquals(findAuctions(one, two, fills), [[], [], [1, 2]]);
  assertEquals(findAuctions(fills, two, one), [[1, 2], [], []]);
});

Deno.test("FactIndex finds the auction of a fill whose transaction also settled one of its own shard", () => {
  const [whole, other] = [shardOf(1, FIRST, [FIRST]), shardOf(2, SECOND)];
  assertEquals(findAuctions(whole, other), [[], []]);
  const also = shardOf(1, FIRST, [FIRST, SECOND]);
  assertEquals(findAuctions(also, other), [[1, 2], []]);
});

Deno.test("FactIndex selects orders without a response", () => {
  using index = FactIndex.create(":memory:");
  index.add(0, collectReferences({ ...shardOf(1, FIRST), absentOrders: new Set([FIRST]) }));
  assertEquals(index.selectUnanswered([FIRST, SECOND]), [SECOND]);
});

Deno.test("FactIndex keeps the records of each week apart, in the order in which they came", async () => {
  using index = FactIndex.create(":memory:");
  const recording = await recorded("market_1");
  const { orders: [order] } = await connect(recording).orders(
    recording.recorded.orderUids.slice(-1),
  );
  const textOf = (uid: string, executedFee: bigint) =>
    encodeRecords({ order: { ...order!, uid, executedFee }, trades: [], debugReport: null });
  const auction = (body: string) => ({ body, blocks: [[7, 1, null]] });
  const [one, two] = ["2026-11-17", "2026-11-24"] as const;
  index.addWeek({
    week: one,
    auctions: [auction("9"), auction("8")],
    orders: [[SECOND, textOf(SECOND, 0n)], [FIRST, textOf(FIRST, 1n)]],
  });
  index.addWeek({ week: two, auctions: [auction("7")], orders: [[FIRST, textOf(FIRST, 2n)]] });
  index.addWeek({ week: one, auctions: [auction("6")], orders: [[SECOND, textOf(SECOND, 3n)]] });
  const auctionsOf = (week: string) =>
    index.readAuctions(week, (facts, body) => [body, JSON.parse(facts).blocks]);
  const feesOf = (week: string) =>
    index.readWeekOrders(week).map(({ order: { uid, executedFee } }) => [uid, executedFee]);
  const blocks = [[7, 1, null]];
  assertEquals(auctionsOf(one), [["9", blocks], ["8", blocks], ["6", blocks]]);
  assertEquals(feesOf(one), [[SECOND, 3n], [FIRST, 1n]]);
  index.removeWeek(one);
  assertEquals([auctionsOf(one), feesOf(one)], [[], []]);
  assertEquals([auctionsOf(two), feesOf(two)], [[["7", blocks]], [[FIRST, 2n]]]);
});
