import { assertEquals } from "@std/assert";
import type { Competition, Trade } from "orderlens";
import { estimateRewards, settlementOutcomes } from "orderlens/metrics";
import { listDatedRuleSets } from "orderlens/networks";

const [FIRST, SECOND, THIRD] = ["11", "22", "33"].map((digits) =>
  `0x5${digits.repeat(20).slice(1)}`
);
const [A, B, C] = ["0x01", "0x02", "0x03"];
const FINNEY = 10n ** 15n;

/**
 * The auctions of the accounting's own test: id, winner, winning and reference score in thousandths of
 * the native token, block of the deadline, and of the settlement; `null` where it failed.
 *
 * tests/queries/batch_rewards_test_db.sql of cowprotocol/solver-rewards at 06b05212.
 */
const AUCTIONS: readonly [number, string, number, number, number, number | null][] = [
  [1, FIRST!, 6_000, 4_000, 10, 1],
  [2, SECOND!, 12_000, 3_000, 11, 2],
  [3, FIRST!, 21_000, 3_000, 12, null],
  [5, FIRST!, 5_000, 3_000, 14, 5],
  // Settled too late.
  [6, FIRST!, 10_000, 9_000, 15, 20],
  // Nobody else bid.
  [7, FIRST!, 6_000, 0, 30, 25],
  [8, FIRST!, 5_000, 0, 35, null],
  [9, FIRST!, 5_000, 1_000, 36, 26],
  [10, THIRD!, 5_000, 4_000, 37, null],
  [51, A!, 0.5, 0, 60, 51],
  [52, B!, 0.5, 0, 61, 52],
  [53, A!, 1, 0, 62, 53],
  [54, B!, 2, 0, 62, 54],
  [55, A!, 0.5, 0, 64, 55],
  [56, B!, 0.5, 0, 65, 56],
  [57, C!, 1, 0, 66, 57],
  [58, C!, 1.5, 0, 67, 58],
  [59, C!, 0.5, 0, 68, 59],
  [60, C!, 0.5, 0, 69, 60],
];

/** `primary_reward_eth` of tests/queries/test_batch_rewards.py at 01a65d14, in native atoms. */
const PUBLISHED = {
  [A!]: 2_000_000_000_000_000n,
  [B!]: 3_000_000_000_000_000n,
  [C!]: 3_500_000_000_000_000n,
  [FIRST!]: 28_000_000_000_000_000n,
  [SECOND!]: 12_000_000_000_000_000n,
  [THIRD!]: -10_000_000_000_000_000n,
};

function toAtoms(thousandths: number): bigint {
  return BigInt(thousandths * 10) * FINNEY / 10n;
}

function competitionOf([id, solver, score, reference, deadline, block]: typeof AUCTIONS[number]) {
  const order = { sellAmount: 1n, buyAmount: 1n, sellToken: "0xa1", buyToken: "0xb2" };
  const competition: Competition = {
    auctionId: id,
    auctionStartBlock: 0,
    auctionDeadlineBlock: deadline,
    transactionHashes: block === null ? [] : [`0x${id}`],
    referenceScores: { [solver]: toAtoms(reference) },
    auction: { orders: [], prices: {} },
    solutions: [{
      solverAddress: solver,
      score: toAtoms(score),
      ranking: 1,
      clearingPrices: {},
      orders: [{ id: `0x0${id}`, ...order }],
      isWinner: true,
      filteredOut: false,
      txHash: block === null ? null : `0x${id}`,
    }],
  };
  return competition;
}

function tradesOf([id, , , , , block]: typeof AUCTIONS[number]): Trade[] {
  return block === null ? [] : [{
    blockNumber: block,
    logIndex: 0,
    orderUid: `0x0${id}`,
    sellAmount: 1n,
    buyAmount: 1n,
    sellAmountBeforeFees: 1n,
    owner: "0x0d",
    sellToken: "0xa1",
    buyToken: "0xb2",
    txHash: `0x${id}`,
  }];
}

const COMPETITIONS = AUCTIONS.map(competitionOf);
const TRADES = AUCTIONS.flatMap(tradesOf);
const OUTCOMES = settlementOutcomes(COMPETITIONS, { trades: TRADES, latestBlock: 100 });

// Until several solutions could win, with and without the block of grace.
for (const day of ["2024-07-23", "2024-08-13", "2025-02-18"]) {
  Deno.test(`estimateRewards() by the rules of ${day} gives what the accounting's own test expects`, () => {
    const { rewards: rules } = listDatedRuleSets("mainnet").find(({ name }) => name === day)!;
    const estimate = estimateRewards(COMPETITIONS, { rules, outcomes: OUTCOMES, trades: TRADES });
    const performance = estimate.solvers.map(({ solver, performance }) => [solver, performance]);
    assertEquals(
      Object.fromEntries(performance),
      Object.fromEntries(
        Object.entries(PUBLISHED).map(([solver, atoms]) => [solver, { low: atoms, high: atoms }]),
      ),
    );
  });
}
