import type { Competition, Order } from "orderlens";
import {
  estimateRewards,
  fairnessCost,
  recognizeAuctionPath,
  replayCompetition,
  settlementOutcomes,
} from "orderlens/metrics";
import { network } from "orderlens/networks";
import { auctionRanking, winMargin } from "orderlens/charts";
import { AUCTION_REWARDS, buildTable, FAIR_GAIN, SOLUTIONS } from "orderlens/tables";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { markPartialList } from "../../../lib/metrics/auctions/fast_path.ts";
import { auctionOf, type Bid, uidOf } from "../auctions.ts";
import { orderOf, tradeOf } from "../reports.ts";

const PAIR = ["0x01", "0x02"] as const;
const UID = uidOf(PAIR);
const WAD = 10n ** 18n;
const ASKING = '{"metadata":{"enableFastPath":true}}';

/** A bid that sells 100 of the order, which wants 200. */
function bidOf(solver: string, bought: bigint, more: Partial<Bid> = {}): Bid {
  return { solver, score: bought - 200n, pairs: [PAIR], sells: 100n, buys: [bought], ...more };
}

/** The bid of b does not meet the limit of 200, and that of c is better than the winner's. */
const BIDS = [
  bidOf("0xa0", 250n, { isWinner: true }),
  bidOf("0xb0", 190n, { score: 0n, filteredOut: true }),
  bidOf("0xc0", 260n),
];
const FAST = fastOf(BIDS, { "0xa0": 60n });

function fastOf(bids: readonly Bid[], referenceScores: Record<string, bigint>): Competition {
  return auctionOf(bids, {
    referenceScores,
    auction: { orders: [UID], prices: { "0x01": WAD, "0x02": WAD } },
  });
}

function askingOrder(more: Partial<Order> = {}): Order {
  return orderOf({ uid: UID, fullAppData: ASKING, ...more });
}

Deno.test("replayCompetition() replays the fast path by its quote", () => {
  for (const orders of [undefined, [askingOrder()]]) {
    const replay = replayCompetition(FAST, orders === undefined ? {} : { orders });
    assertEquals([replay.path, replay.agrees, replay.differences], ["fast_path", true, []]);
    assertEquals(replay.totalScore, 50n);
    assertEquals([...replay.referenceScores], [["0xa0", 60n]]);
    assertEquals(
      replay.solutions.map(({ ranking, isWinner, filteredOut, filterFrom }) =>
        `${ranking} ${isWinner} ${filteredOut} ${filterFrom}`
      ),
      orders === undefined
        ? ["1 true false reported", "2 false true reported", "3 false false reported"]
        : ["1 true false scores", "2 false true scores", "3 false false scores"],
    );
  }
  // What other rules would have made of it: the path has neither a filter nor several winners.
  assertEquals(replayCompetition(FAST, { fairness: false, maxWinners: 3 }).agrees, true);
});

Deno.test("replayCompetition() names contradictions to the rule of the fast path", () => {
  const whats = (competition: Competition, order: Partial<Order> = {}) => {
    const replay = replayCompetition(competition, { orders: [askingOrder(order)] });
    assertEquals(replay.path, "fast_path");
    return replay.differences.map(({ what, reported, replayed }) =>
      `${what} ${reported} ${replayed}`
    );
  };
  assertEquals(whats(fastOf(BIDS, { "0xa0": 40n })), ["referenceScore 40 60"]);
  // The quote was of c; the bid of b would meet a limit of 190.
  const quote = { solver: "0xC0", verified: true } as NonNullable<Order["quote"]>;
  assertEquals(whats(FAST, { quote }), [
    "isWinner true false",
    "isWinner false true",
    "referenceScore null 50",
    "referenceScore 60 null",
  ]);
  assertEquals(whats(FAST, { buyAmount: 190n }), ["filteredOut true false"]);
});

Deno.test("recognizeAuctionPath() states the basis of the path", () => {
  const pathOf = (competition: Competition, orders: Order[] = []) => {
    const { path, basis } = recognizeAuctionPath(competition, { orders });
    return `${path} ${basis}`;
  };
  const single = fastOf([bidOf("0xa0", 250n, { isWinner: true })], { "0xa0": 0n });
  assertEquals(pathOf(single), "null null");
  assertEquals(pathOf(single, [askingOrder()]), "fast_path app_data");
  assertEquals(pathOf(single, [askingOrder({ fullAppData: null })]), "null null");
  // A response that only the fast path gives, of an order that did not ask for it, is wrong.
  assertEquals(pathOf(FAST), "fast_path response");
  assertEquals(pathOf(FAST, [askingOrder({ fullAppData: "{}" })]), "regular app_data");
  assertEquals(
    replayCompetition(FAST, { orders: [orderOf({ uid: UID, fullAppData: "{}" })] }).agrees,
    false,
  );
  // A second bid of the winner is no other solver's: only regular auctions leave it out.
  const own = [bidOf("0xa0", 250n, { isWinner: true }), bidOf("0xa0", 240n)];
  assertEquals(pathOf(fastOf(own, { "0xa0": 0n }), [askingOrder()]), "regular response");
  assertEquals(pathOf(fastOf(own, { "0xa0": 40n })), "fast_path response");
  // Several orders, winners or other orders: a regular auction.
  const { auction } = FAST;
  assertEquals(
    pathOf({ ...FAST, auction: { ...auction, orders: [UID, "0x0e"] } }),
    "regular shape",
  );
  assertEquals(pathOf({ ...FAST, auction: markPartialList(auction) }), "regular shape");
  const two = [bidOf("0xa0", 250n, { isWinner: true }), bidOf("0xc0", 260n, { isWinner: true })];
  assertEquals(pathOf(fastOf(two, { "0xa0": 60n })), "regular shape");
  const other = [BIDS[0]!, bidOf("0xc0", 260n, { uid: "0x0e" })];
  assertEquals(pathOf(fastOf(other, { "0xa0": 60n })), "regular shape");
});

Deno.test("estimateRewards() charges no winner of the fast path for settled orders, by its own cap", () => {
  const rules = network("mainnet").rewards.at(-1)!;
  const rewardOf = (blockNumber: number | null, penaltyCapNative: bigint) => {
    const txHash = blockNumber === null ? null : "0xab";
    const [won, ...others] = BIDS;
    const competition = fastOf([{ ...won!, txHash }, ...others], { "0xa0": 60n });
    const trades = blockNumber === null
      ? []
      : [tradeOf({ orderUid: UID, blockNumber, executedProtocolFees: [], penaltyCapNative })];
    const outcomes = settlementOutcomes([competition], { trades, latestBlock: 200 });
    const orders = [askingOrder({ sellAmount: 100_000n, buyAmount: 200_000n })];
    const [reward] = estimateRewards([competition], { rules, outcomes, trades, orders }).rewards;
    return [reward?.uncapped, reward?.performance].map((one) => [one?.low, one?.high]);
  };
  // 50 - min(50, 60); late: - 50, of which its cap is paid; never: between nothing and 50, since the
  // vote allows a cap of up to 200 of 200,000.
  assertEquals(rewardOf(103, 0n), [[0n, 0n], [0n, 0n]]);
  assertEquals(rewardOf(104, 0n), [[-50n, -50n], [0n, 0n]]);
  assertEquals(rewardOf(104, 7n), [[-50n, -50n], [-7n, -7n]]);
  assertEquals(rewardOf(null, 0n), [[-50n, -50n], [-50n, 0n]]);
});

Deno.test("a cap of 0 on the fast path does not give regular auctions caps of orders", () => {
  const rules = { ...network("mainnet").rewards.at(-1)!, lowerCapAtoms: 5n, hasOrderCaps: false };
  const [won, ...others] = BIDS;
  const fast = fastOf([{ ...won!, txHash: "0xab" }, ...others], { "0xa0": 60n });
  const pair = ["0x02", "0x01"] as const;
  const lost = {
    ...auctionOf([{ solver: "0xa0", score: 100n, pairs: [pair], isWinner: true }], {
      auctionId: 2,
      referenceScores: { "0xa0": 60n },
    }),
    auctionDeadlineBlock: 110,
  };
  const regular = { ...lost, auction: { ...lost.auction, orders: [uidOf(pair), "0x0e"] } };
  const trades = [tradeOf({ orderUid: UID, blockNumber: 103, penaltyCapNative: 0n })];
  const competitions = [fast, regular];
  const outcomes = settlementOutcomes(competitions, { trades, latestBlock: 200 });
  const { rewards } = estimateRewards(competitions, { rules, outcomes, trades });
  assertEquals(rewards.map(({ performance }) => performance.low), [0n, -5n]);
});

Deno.test("tables mark auctions on the fast path", () => {
  const orders = [askingOrder()];
  const paths = (table: { toRecords(): Record<string, unknown>[] }) =>
    table.toRecords().map((row) => row.auction_path);
  assertEquals(
    paths(buildTable(SOLUTIONS, { competitions: [FAST], orders })),
    Array(3).fill("fast_path"),
  );
  const gains = buildTable(FAIR_GAIN, { competitions: [FAST], orders });
  assertEquals(paths(gains), ["fast_path"]);
  // No filter of fairness took anything.
  assertEquals(gains.toRecords().map((row) => [row.filtered_count, row.lost_score_atoms]), [
    [0, "0"],
  ]);
  assertEquals(fairnessCost(FAST).lostScore, 0n);
  const times = new Map([[1, Temporal.Instant.from("2026-11-21T15:00:00Z")]]);
  const [reward] = buildTable(AUCTION_REWARDS, {
    competitions: [FAST],
    network: "mainnet",
    orders,
    rewardTimes: times,
  }).toRecords();
  assertEquals([reward?.uncapped_low_atoms, reward?.uncapped_high_atoms], ["-50", "0"]);
});

Deno.test("findings do not count the fast path as unfair, or as a close race", () => {
  const orders = [askingOrder()];
  const rows = buildTable(SOLUTIONS, { competitions: [FAST], orders }).toRecords() as never[];
  const { finding } = auctionRanking(rows, { nativeSymbol: "ETH" });
  const said = String(finding);
  assertStringIncludes(said, "filtered out for a price below the order's limit");
  assertStringIncludes(said, "fast path");
  const margin = { auction_id: 1, solver: "A", margin_native: -0.1, margin_share: -0.2 };
  const margins = winMargin([margin], { nativeSymbol: "ETH" });
  assertStringIncludes(String(margins.finding), "the others would have scored more");
  assertStringIncludes(String(margins.finding), "In 0 of 1 (0%), it added less than 5%");
});
