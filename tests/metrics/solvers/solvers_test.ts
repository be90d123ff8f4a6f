import fc from "fast-check";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  accountingWeek,
  concentration,
  rate,
  solverStatistics,
  wilsonInterval,
} from "orderlens/metrics";
import { compareRatios, ratio } from "orderlens/units";
import { auctionOf, type Bid } from "../auctions.ts";

Deno.test("accountingWeek() goes from Tuesday to Tuesday, the first instant included, and gives both ends", () => {
  const of = (time: string) => accountingWeek(Temporal.Instant.from(time)).firstDay;
  assertEquals(of("2026-11-21T15:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-17T00:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-16T23:59:59.999Z"), "2026-11-10");
  assertEquals(of("2026-11-23T23:59:59.999999999Z"), "2026-11-17");
  // Over the turn of a year, a leap day, and before the epoch, a Thursday.
  assertEquals(of("2027-01-01T00:00:00Z"), "2026-12-29");
  assertEquals(of("2028-03-01T00:00:00Z"), "2028-02-29");
  assertEquals(of("1970-01-01T00:00:00Z"), "1969-12-30");
  const startMs = Date.UTC(2026, 10, 17);
  assertEquals(accountingWeek(startMs + 1), {
    firstDay: "2026-11-17",
    startMs,
    endMs: Date.UTC(2026, 10, 24),
  });
});

Deno.test("accountingWeek() rejects an invalid time", () => {
  for (const wrong of [NaN, Infinity, "2026-11-21", null, undefined, {}]) {
    assertThrows(
      () => accountingWeek(wrong as never),
      InputError,
      "Cannot find the accounting week of",
    );
  }
});

Deno.test("concentration() sums the largest parts, in any order, and is unknown without any", () => {
  const { herfindahl, top1, top3, top5 } = concentration([2n, 2n, 2n, 2n]);
  const expected = [ratio(1n, 4n), ratio(1n, 4n), ratio(3n, 4n), ratio(1n, 1n)];
  for (const [at, part] of [herfindahl, top1, top3, top5].entries()) {
    assertEquals(compareRatios(part!, expected[at]!), 0);
  }
  const uneven = concentration([1n, 10n, 2n, 20n, 3n, 30n]);
  const tops = [uneven.top1, uneven.top3, uneven.top5];
  assertEquals(tops, [ratio(30n, 66n), ratio(60n, 66n), ratio(65n, 66n)]);
  const none = { herfindahl: null, top1: null, top3: null, top5: null };
  for (const nothing of [[], [0n, 0n]]) assertEquals(concentration(nothing), none);
  assertThrows(() => concentration([3n, -1n]), RangeError, "the part -1 must not be negative");
});

Deno.test("wilsonInterval() matches published intervals, and one by hand", () => {
  // Newcombe 1998, table I, method 3 (Wilson): 0.2553 to 0.3662; likewise 15/148, 0/20, 1/29.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const;
  for (const [successes, trials, low, high] of published) {
    const interval = wilsonInterval(successes, trials);
    assertAlmostEquals(interval!.low, low, 0.00005);
    assertAlmostEquals(interval!.high, high, 0.00005);
  }
  // (1/2 + 1/4 -+ sqrt(1/8 + 1/16)) / (3/2)
  const { low, high } = wilsonInterval(1, 2, { z: 1 })!;
  assertAlmostEquals(low, (0.75 - Math.sqrt(3) / 4) / 1.5, 1e-15);
  assertAlmostEquals(high, (0.75 + Math.sqrt(3) / 4) / 1.5, 1e-15);
  // Ends exactly at 0 and 1, and null without trials.
  assertEquals([wilsonInterval(0, 7)!.low, wilsonInterval(7, 7)!.high], [0, 1]);
  assertEquals(wilsonInterval(0, 0), null);
});

Deno.test("wilsonInterval() contains the rate, and is symmetric", () => {
  const anyCounts = fc.nat(1_000_000).chain((trials) =>
    fc.tuple(fc.nat(trials), fc.constant(trials))
  );
  fc.assert(fc.property(anyCounts, ([successes, trials]) => {
    fc.pre(trials > 0);
    const { low, high } = wilsonInterval(successes, trials)!;
    const rate = successes / trials;
    assert(0 <= low && low <= rate && rate <= high && high <= 1);
    const mirrored = wilsonInterval(trials - successes, trials)!;
    assertAlmostEquals(mirrored.low, 1 - high, 1e-12);
  }));
});

Deno.test("wilsonInterval() rejects invalid counts", () => {
  for (const [successes, trials] of [[-1, 2], [3, 2], [0.5, 1], [1, NaN], [0, -1]] as const) {
    assertThrows(() => wilsonInterval(successes, trials), RangeError, "Cannot estimate a rate");
  }
  assertThrows(() => rate(2, 1), RangeError);
  for (const z of [0, -1, NaN, Infinity]) {
    assertThrows(() => wilsonInterval(1, 2, { z }), RangeError, "with z");
  }
});

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

Deno.test("solverStatistics() omits a margin without a reference score", () => {
  const auction = auctionOf([bid("A", 30n, { isWinner: true })]);
  const [a] = solverStatistics([auction]).solvers;
  assertEquals([a?.winRate.successes, a?.winMarginSum, a?.winMarginAuctions], [1, 0n, 0]);
});

Deno.test("solverStatistics() counts filtered bids, and ignores the case of addresses", () => {
  const auction = auctionOf([bid("0xAA", 3n, { filteredOut: true }), bid("0xaa", 2n)]);
  const { solvers } = solverStatistics([auction]);
  assertEquals(solvers.map(({ bids, filteredBids }) => [bids, filteredBids]), [[2, 1]]);
});

Deno.test("solverStatistics() of no auctions has no shares", () => {
  const empty = solverStatistics([]);
  assertEquals([empty.auctions, empty.solvers, empty.concentration.herfindahl], [0, [], null]);
  const [worthless] = solverStatistics([auctionOf([bid("A", 0n, { isWinner: true })])]).solvers;
  assertEquals([worthless?.scoreShare, worthless?.winRate.successes], [null, 1]);
});
