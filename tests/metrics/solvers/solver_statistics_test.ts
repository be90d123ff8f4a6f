import { settlementOutcomes, solverStatistics } from "orderlens/metrics";
import { compareRatios, ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";
import { recordedScenario } from "../recorded_scenario.ts";

function bid(solver: string, score: bigint, more: Partial<Bid> = {}): Bid {
  return { solver, score, pairs: [["0x01", "0x02"]], ...more };
}

Deno.test("solverStatistics() counts an auction once, even if a solver wins it twice", () => {
  const auction = auctionOf([
    bid("A", 30n, { isWinner: true }),
    bid("A", 20n, { isWinner: true, pairs: [["0x02", "0x03"]] }),
    bid("B", 10n),
  ], { referenceScores: { A: 10n } });
  const { solvers, auctionsWithSeveralWinners, totalScore } = solverStatistics([auction]);
  const [a, b] = solvers;
  assertEquals([a?.bids, a?.winningBids, a?.winRate.successes, a?.winRate.trials], [2, 2, 1, 1]);
  // 50 less 10, once; the answer repeats the reference score on both solutions.
  assertEquals([a?.referenceScoreSum, a?.winMarginSum, a?.winMarginAuctions], [10n, 40n, 1]);
  assertEquals([b?.winRate.successes, b?.winRate.trials, b?.scoreWon], [0, 1, 0n]);
  assertEquals([auctionsWithSeveralWinners, totalScore], [1, 50n]);
});

Deno.test("solverStatistics() measures a margin against the scores of all winners", () => {
  const auction = auctionOf([
    bid("A", 30n, { isWinner: true }),
    bid("B", 20n, { isWinner: true, pairs: [["0x02", "0x03"]] }),
  ], { referenceScores: { A: 20n, B: 30n } });
  const margins = solverStatistics([auction]).solvers.map(({ winMarginSum }) => winMarginSum);
  assertEquals(margins, [30n, 20n]);
});

Deno.test("solverStatistics() omits a margin without a reference score", () => {
  const auction = auctionOf([bid("A", 30n, { isWinner: true })]);
  const [a] = solverStatistics([auction]).solvers;
  assertEquals([a?.winRate.successes, a?.winMarginSum, a?.winMarginAuctions], [1, 0n, 0]);
});

Deno.test("solverStatistics() skips repeated auctions", () => {
  const auction = auctionOf([bid("A", 30n, { isWinner: true })]);
  assertEquals(solverStatistics([auction, auction]).auctions, 1);
  assertEquals(solverStatistics([auction, { ...auction, auctionId: 2 }]).auctions, 2);
});

Deno.test("solverStatistics() counts a directed pair once per solution", () => {
  const pairs: Bid["pairs"] = [["0x01", "0x02"], ["0x02", "0x01"], ["0x01", "0x02"]];
  const auction = auctionOf([bid("A", 30n, { isWinner: true, pairs }), bid("A", 3n)]);
  const common = {
    firstAuctionId: 1,
    firstStartBlock: 100,
    lastAuctionId: 1,
    lastStartBlock: 100,
  };
  assertEquals(solverStatistics([auction]).solvers[0]?.pairs, [
    { ...common, sellToken: "0x01", buyToken: "0x02", bids: 2, wins: 1, volumeWon: null },
    { ...common, sellToken: "0x02", buyToken: "0x01", bids: 1, wins: 1, volumeWon: null },
  ]);
});

Deno.test("solverStatistics() values what won on a pair at the native prices of its auctions", () => {
  const pairs: Bid["pairs"] = [["0x01", "0x02"], ["0x01", "0x02"], ["0x03", "0x02"]];
  const won = auctionOf([bid("A", 30n, { isWinner: true, pairs }), bid("B", 3n)], {
    // Each order sells and buys one atom: 7.9 and 5 native atoms, each rounded down.
    auction: {
      orders: [],
      prices: { "0x01": 7_900_000_000_000_000_000n, "0X02": 5n * 10n ** 18n },
    },
    auctionStartBlock: 200,
  });
  const later = { ...won, auctionId: 2, auctionStartBlock: 250 };
  const [a, b] = solverStatistics([later, won]).solvers;
  assertEquals(a?.pairs.map(({ volumeWon, wins }) => [volumeWon, wins]), [[28n, 2], [10n, 2]]);
  assertEquals([a?.pairs[0]?.firstStartBlock, a?.pairs[0]?.lastStartBlock], [200, 250]);
  assertEquals([a?.pairs[0]?.firstAuctionId, a?.pairs[0]?.lastAuctionId], [1, 2]);
  assertEquals(b?.pairs.map(({ volumeWon, wins }) => [volumeWon, wins]), [[0n, 0]]);
});

Deno.test("solverStatistics() counts filtered bids, and ignores the case of addresses", () => {
  const auction = auctionOf([bid("0xAA", 3n, { filteredOut: true }), bid("0xaa", 2n)]);
  const { solvers } = solverStatistics([auction]);
  assertEquals(solvers.map(({ bids, filteredBids }) => [bids, filteredBids]), [[2, 1]]);
});

Deno.test("solverStatistics() has a rate of settling in time only with outcomes", () => {
  const auction = auctionOf([bid("A", 30n, { isWinner: true, txHash: null }), bid("B", 3n)]);
  assertEquals(solverStatistics([auction]).solvers[0]?.inTimeRate, null);
  const outcomes = settlementOutcomes([auction], { latestBlock: 104 });
  const [a, b] = solverStatistics([auction], { outcomes }).solvers;
  assertEquals([a?.inTimeRate?.successes, a?.inTimeRate?.trials], [0, 1]);
  assertEquals(b?.inTimeRate?.trials, 0);
});

Deno.test("solverStatistics() of no auctions has no shares", () => {
  const empty = solverStatistics([]);
  assertEquals([empty.auctions, empty.solvers, empty.concentration.herfindahl], [0, [], null]);
  const [worthless] = solverStatistics([auctionOf([bid("A", 0n, { isWinner: true })])]).solvers;
  assertEquals([worthless?.scoreShare, worthless?.winRate.successes], [null, 1]);
});

Deno.test("solverStatistics() of a recorded market matches the stored data", async () => {
  const { competitions, truth } = await recordedScenario("market_1");
  const { solvers, auctions, auctionsWithSeveralWinners, totalScore, concentration } =
    solverStatistics(competitions.values());
  const rows = truth!.proposed_solutions!;
  const sum = (scores: readonly { score: string }[]) =>
    scores.reduce((total, { score }) => total + BigInt(score), 0n);
  assertEquals([auctions, auctionsWithSeveralWinners, solvers.length], [569, 77, 4]);
  assertEquals(totalScore, sum(rows.filter(({ is_winner }) => is_winner)));
  for (const each of solvers) {
    const own = rows.filter(({ solver }) => solver === each.solver);
    const won = own.filter(({ is_winner }) => is_winner);
    assertEquals([each.bids, each.winningBids], [own.length, won.length]);
    assertEquals(each.filteredBids, own.filter(({ filtered_out }) => filtered_out).length);
    assertEquals(each.winRate.trials, new Set(own.map(({ auction_id }) => auction_id)).size);
    assertEquals(each.winRate.successes, new Set(won.map(({ auction_id }) => auction_id)).size);
    assertEquals(each.scoreWon, sum(won));
    const references = truth!.reference_scores!.filter(({ solver }) => solver === each.solver);
    assertEquals(
      each.referenceScoreSum,
      references.reduce((total, row) => total + BigInt(row.reference_score), 0n),
    );
  }
  const shares = solvers.reduce((total, { scoreShare }) => total + scoreShare!.numerator, 0n);
  assertEquals(ratio(shares, totalScore), ratio(1n * totalScore, totalScore));
  assert(compareRatios(concentration.top3!, concentration.top1!) > 0);
});
