import { consistencyShares, estimateRewards, settlementOutcomes } from "orderlens/metrics";
import {
  bidsTable,
  referenceScoresTable,
  solutionsTable,
  solverLeaderboardTable,
} from "orderlens/tables";
import { solverLeaderboard, winMargin } from "orderlens/charts";
import { ratio } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { auctionOf, uidOf } from "./auctions.ts";
import { orderOf, tradeOf } from "./reports.ts";

/**
 * A token without decimals leaves no surplus to score: since 2026-08-18 the service keeps solutions of
 * score 0 if one of their orders counts (services#4753), and dropped them for three months before.
 */
const ALONE = auctionOf([
  { solver: "0xa0", score: 0n, pairs: [["0x01", "0x02"]], isWinner: true, txHash: "0x0a" },
], { auctionId: 1, referenceScores: { "0xa0": 0n } });
const BESIDE = auctionOf([
  { solver: "0xb0", score: 60n, pairs: [["0x03", "0x04"]], isWinner: true, txHash: "0x0b" },
  { solver: "0xa0", score: 0n, pairs: [["0x01", "0x02"]], isWinner: true, txHash: "0x0c" },
  { solver: "0xc0", score: 0n, pairs: [["0x01", "0x02"]] },
], { auctionId: 2, referenceScores: { "0xa0": 60n, "0xb0": 0n } });

const pair = ["0x01", "0x02"] as const;
const orders = [
  orderOf({ uid: uidOf(pair), sellAmount: 1n, buyAmount: 1n, fullAppData: "{}" }),
  orderOf({ uid: uidOf(["0x03", "0x04"]), sellAmount: 1n, buyAmount: 1n, fullAppData: "{}" }),
];
const trades = [[1, "0x0a"], [2, "0x0c"]].map(([logIndex, txHash]) =>
  tradeOf({
    ...{ blockNumber: 101, logIndex: Number(logIndex), txHash: `${txHash}`, orderUid: uidOf(pair) },
    ...{ sellAmount: 1n, sellAmountBeforeFees: 1n, buyAmount: 1n, executedProtocolFees: [] },
  })
);

Deno.test("a winner of score 0 is rewarded 0, settled or not", () => {
  const rules = { asOf: "2026-08", since: null, feeShare: ratio(1n, 2n), lowerCapAtoms: 5n };
  for (const known of [trades, []]) {
    const outcomes = settlementOutcomes([ALONE, BESIDE], { trades: known, latestBlock: 200 });
    const given = { rules, outcomes, trades: known, orders };
    const { rewards } = estimateRewards([ALONE, BESIDE], given);
    const own = rewards.filter(({ solver }) => solver === "0xa0");
    const nothing = { low: 0n, high: 0n };
    assertEquals(own.map(({ uncapped }) => uncapped), [nothing, nothing]);
    assertEquals(own.map(({ performance }) => performance.high), [0n, 0n]);
  }
  const outcomes = settlementOutcomes([ALONE, BESIDE], { trades, latestBlock: 200 });
  const shares = consistencyShares([ALONE, BESIDE], { outcomes, orders });
  // No bid has surplus on the executed order, so that no order is shared.
  assertEquals(shares.solvers.filter(({ share }) => share !== null), []);
});

Deno.test("a winner of score 0 is in tables and pictures", () => {
  const rows = solutionsTable([ALONE, BESIDE]).toRecords();
  const won = rows.filter((row) => row.is_winner)
    .map((row) => [row.auction_id, row.ranking, row.score_atoms]);
  assertEquals(won, [[1, 1, "0"], [2, 1, "60"], [2, 2, "0"]]);
  assertEquals(bidsTable([ALONE, BESIDE]).height, 4);
  const leaders = solverLeaderboardTable([ALONE]);
  assertEquals(leaders.toRecords().map((row) => [row.solver, row.score_share]), [["0xa0", null]]);
  solverLeaderboard(solverLeaderboardTable([ALONE, BESIDE]));
  winMargin(referenceScoresTable([ALONE, BESIDE]));
});
