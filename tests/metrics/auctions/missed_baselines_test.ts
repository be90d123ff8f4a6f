import type { Competition } from "orderlens";
import { missedBaselines, policiesByAuction } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { auctionOf, uidOf } from "../auctions.ts";
import { recordedRun } from "../recorded_run.ts";

const [X, Y, Z] = ["0x0a", "0x0b", "0x0c"];
const XY = [X, Y] as const;
const YZ = [Y, Z] as const;
const ZX = [Z, X] as const;

/** A on two pairs, filtered out; B, C and D on one pair each, as in the worked example of the rules. */
function auction(scoreOfA: bigint): Competition {
  return auctionOf([
    { solver: "0xb0", score: 70n, pairs: [XY], isWinner: true },
    { solver: "0xc0", score: 50n, pairs: [YZ], isWinner: true },
    { solver: "0xd0", score: 45n, pairs: [ZX], isWinner: true },
    { solver: "0xb0", score: 30n, pairs: [YZ] },
    { solver: "0xa0", score: scoreOfA, pairs: [XY, YZ], filteredOut: true },
  ]);
}

function found(competition: Competition, terms = {}) {
  return missedBaselines(competition, terms).map((one) => ({
    pair: `${one.sellToken}>${one.buyToken}`,
    score: [one.pairScore.low, one.pairScore.high],
    baseline: one.baseline,
    by: competition.solutions[one.baselineIndex]!.solverAddress,
    isCertain: one.isCertain,
  }));
}

Deno.test("missedBaselines() lists every possible pair while pair scores are unknown", () => {
  assertEquals(found(auction(100n)), [
    { pair: uidOf(XY), score: [0n, 100n], baseline: 70n, by: "0xb0", isCertain: false },
    { pair: uidOf(YZ), score: [0n, 100n], baseline: 50n, by: "0xc0", isCertain: false },
  ]);
});

Deno.test("missedBaselines() uses known pair scores to bound the others", () => {
  // Executions are 1 for 1 at a limit of 0: a surplus of 1, at 40 native atoms an atom of z.
  const orders = new Map([
    [uidOf(YZ), { kind: "sell", sellAmount: 1n, buyAmount: 0n }],
  ]);
  const policies = new Map([[uidOf(YZ), []]]);
  const competition = {
    ...auction(100n),
    auction: { ...auction(100n).auction, prices: { [Z]: 40n * 10n ** 18n } },
  };
  assertEquals(found(competition, { orders, policies }), [
    { pair: uidOf(XY), score: [60n, 60n], baseline: 70n, by: "0xb0", isCertain: true },
    { pair: uidOf(YZ), score: [40n, 40n], baseline: 50n, by: "0xc0", isCertain: true },
  ]);
  // With a fee that is not known, 40 is the least it scores.
  assertEquals(found(competition, { orders }), [
    { pair: uidOf(XY), score: [0n, 60n], baseline: 70n, by: "0xb0", isCertain: true },
    { pair: uidOf(YZ), score: [40n, 100n], baseline: 50n, by: "0xc0", isCertain: false },
  ]);
});

Deno.test("missedBaselines() names the only pair with a baseline", () => {
  const competition = auctionOf([
    { solver: "0xb0", score: 70n, pairs: [XY], isWinner: true },
    { solver: "0xa0", score: 100n, pairs: [XY, YZ], filteredOut: true },
  ]);
  assertEquals(found(competition), [
    { pair: uidOf(XY), score: [0n, 100n], baseline: 70n, by: "0xb0", isCertain: true },
  ]);
});

Deno.test("missedBaselines() is empty without filtered solutions, baselines or tokens", () => {
  assertEquals(missedBaselines(auctionOf([])), []);
  const alone = { solver: "0xa0", score: 100n, pairs: [XY, YZ] };
  assertEquals(missedBaselines(auctionOf([alone])), []);
  assertEquals(missedBaselines(auctionOf([{ ...alone, filteredOut: true }])), []);
  const competition = auction(60n);
  const withoutTokens = competition.solutions.map((solution) => ({
    ...solution,
    orders: solution.orders.map(({ id, sellAmount, buyAmount }) => ({ id, sellAmount, buyAmount })),
  }));
  assertEquals(missedBaselines({ ...competition, solutions: withoutTokens }), []);
});

Deno.test("missedBaselines() explains every filtered solution of a recorded market", async () => {
  const { competitions, orders, reports } = await recordedRun("market_1");
  const policies = policiesByAuction({ debugReports: reports.values() });
  let filtered = 0;
  let certain = 0;
  for (const competition of competitions.values()) {
    const { solutions, auctionId } = competition;
    const missed = missedBaselines(competition, { orders, policies: policies.get(auctionId) });
    const byPublic = missedBaselines(competition);
    for (const [index, { filteredOut, score }] of solutions.entries()) {
      const own = missed.filter((one) => one.index === index);
      assertEquals(own.length > 0, filteredOut, `auction ${auctionId}`);
      assertEquals(byPublic.some((one) => one.index === index), filteredOut);
      if (!filteredOut) continue;
      filtered++;
      if (own.some(({ isCertain }) => isCertain)) certain++;
      for (const { baseline, baselineIndex, pairScore: { low, high } } of own) {
        assertEquals(solutions[baselineIndex]!.score, baseline);
        assert(0n <= low && low <= high && high <= score && low < baseline);
      }
    }
  }
  // What replayCompetition() decides without the reported flags, missedBaselines() can name.
  assertEquals([filtered, certain], [365, 365]);
});
