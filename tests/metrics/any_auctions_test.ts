import fc from "fast-check";
import type { Competition, DebugReport, Order, Trade } from "orderlens";
import * as metrics from "orderlens/metrics";
import type { FeePolicy, Instance, InstanceOrder } from "orderlens/schemas";
import { HexMap, ratio, sameHex } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "./fixtures.ts";
import { debugAuctionOf, orderOf, reportOf } from "./reports.ts";

const UIDS = ["0x0e", "0x0f", `0x${"1f".repeat(56)}`];
const anyUid = fc.constantFrom(...UIDS);
const anyToken = fc.constantFrom("0x01", "0x02", "0xAB", "0xab");
const anyAddress = fc.constantFrom("0xa0", "0xA0", "0xb0");
const anyBlock = fc.nat(9);
const anyHash = fc.constantFrom("0x1a", "0x1A", "0x2b");
const anyKind = fc.constantFrom<("sell" | "buy")[]>("sell", "buy");
const anyTime = fc.nat(100).map((seconds) =>
  Temporal.Instant.fromEpochMilliseconds(1_787_300_000_000 + seconds * 1_000)
);

/** Records with some fields, and perhaps others. */
function partly<Required extends object, Optional extends object>(
  required: { [Key in keyof Required]: fc.Arbitrary<Required[Key]> },
  optional: { [Key in keyof Optional]: fc.Arbitrary<Optional[Key]> },
): fc.Arbitrary<Required & Partial<Optional>> {
  const requiredKeys = Object.keys(required) as never[];
  return fc.record({ ...required, ...optional }, { requiredKeys }) as never;
}

const anySolutionOrder = partly({
  id: anyUid,
  sellAmount: anyAmount(),
  buyAmount: anyAmount(),
}, {
  sellToken: anyToken,
  buyToken: anyToken,
});

const anySolution = partly({
  solverAddress: anyAddress,
  score: anyAmount(),
  ranking: fc.nat(5),
  clearingPrices: fc.constant({}),
  orders: fc.array(anySolutionOrder, { maxLength: 4 }),
  isWinner: fc.boolean(),
  filteredOut: fc.boolean(),
}, {
  txHash: fc.option(anyHash),
  referenceScore: fc.option(anyAmount()),
});

/** Whatever the types allow, however unlike an answer of the service. */
const anyCompetition: fc.Arbitrary<Competition> = partly({
  auctionId: fc.nat(3),
  auctionStartBlock: anyBlock,
  transactionHashes: fc.array(anyHash, { maxLength: 3 }),
  referenceScores: fc.dictionary(anyAddress, anyAmount(), { maxKeys: 2 }),
  auction: fc.record({
    orders: fc.array(anyUid, { maxLength: 3 }),
    prices: fc.dictionary(anyToken, anyAmount(), { maxKeys: 3 }),
  }),
  solutions: fc.array(anySolution, { maxLength: 6 }),
}, {
  auctionDeadlineBlock: anyBlock,
});

const anyOrder: fc.Arbitrary<Order> = fc.record({
  uid: anyUid,
  kind: anyKind,
  sellAmount: anyAmount(1n),
  buyAmount: anyAmount(1n),
  executedSellAmount: anyAmount(),
  executedSellAmountBeforeFees: anyAmount(),
  executedBuyAmount: anyAmount(),
  status: fc.constantFrom("open", "fulfilled", "expired", "cancelled", "postponed"),
  signingScheme: fc.constantFrom("eip712", "presign"),
  fullAppData: fc.constantFrom("{}", "no document", null, '{"metadata":{"enableFastPath":true}}'),
  creationDate: anyTime,
}).map((order) => orderOf(order));

const anyTrade: fc.Arbitrary<Trade> = fc.record({
  blockNumber: anyBlock,
  logIndex: anyBlock,
  orderUid: anyUid,
  buyAmount: anyAmount(),
  sellAmount: anyAmount(),
  sellAmountBeforeFees: anyAmount(),
  owner: anyAddress,
  buyToken: anyToken,
  sellToken: anyToken,
  txHash: fc.option(anyHash),
  executedProtocolFees: fc.array(
    fc.record({
      policy: fc.constantFrom<(FeePolicy | null)[]>({ volume: { factor: 0.5 } }, {}, null),
      amount: anyAmount(),
      token: anyToken,
    }),
    { maxLength: 2 },
  ),
});

const anyReport: fc.Arbitrary<DebugReport> = fc.record({
  order: anyOrder,
  events: fc.array(
    fc.record({
      label: fc.constantFrom("created", "ready", "invalid", "filtered", "traded", "postponed"),
      timestamp: anyTime,
      reason: fc.option(fc.constantFrom("in_flight", "insufficient_balance")),
    }),
    { maxLength: 5 },
  ),
  trades: fc.array(anyTrade.map((trade) => ({ ...trade, auctionId: 1 })), { maxLength: 2 }),
  auctions: fc.array(
    fc.record({
      id: fc.nat(3),
      proposedSolutions: fc.array(
        fc.record({
          solutionUid: fc.nat(2),
          ranking: fc.nat(3),
          solver: anyAddress,
          isWinner: fc.boolean(),
          filteredOut: fc.boolean(),
          score: anyAmount(),
          executedSell: anyAmount(),
          executedBuy: anyAmount(),
        }),
        { maxLength: 3 },
      ),
      settlementAttempts: fc.array(
        fc.record({
          solver: anyAddress,
          solutionUid: fc.nat(2),
          startTimestamp: anyTime,
          startBlock: anyBlock,
          endBlock: fc.option(anyBlock),
          deadlineBlock: anyBlock,
          outcome: fc.option(fc.constantFrom("success", "timeout", "driver failed: no")),
        }),
        { maxLength: 2 },
      ),
    }).map(({ id, ...more }) => debugAuctionOf(id, more)),
    { maxLength: 3 },
  ),
}).map((facts) => reportOf(facts));

const anyMarket = fc.record({
  competitions: fc.array(anyCompetition, { maxLength: 4 }),
  trades: fc.array(anyTrade, { maxLength: 4 }),
  orders: fc.array(anyOrder, { maxLength: 3 }),
  debugReports: fc.array(anyReport, { maxLength: 2 }),
});

const rules = { asOf: "2026-08", since: null, feeShare: ratio(1n, 2n), lowerCapAtoms: 10n };

Deno.test("replayCompetition() and its scoring throw nothing for any competition", () => {
  fc.assert(
    fc.property(
      anyCompetition,
      fc.array(anyOrder, { maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      (competition, given, maxWinners) => {
        const orders = new Map(given.map((order) => [order.uid, order]));
        const replay = metrics.replayCompetition(competition, { maxWinners, orders });
        const winners = replay.solutions.filter(({ isWinner }) => isWinner);
        assert(winners.length <= maxWinners);
        assertEquals(replay.solutions.length, competition.solutions.length);
        const [decided] = metrics.replayCompetitions([competition], { maxWinners, orders });
        assertEquals(decided!.solutions.filter((one) => one.isWinner).length, winners.length);
        assertEquals(replay.agrees, replay.differences.length === 0);
        assertEquals(
          replay.totalScore,
          winners.reduce((sum, { index }) => sum + competition.solutions[index]!.score, 0n),
        );
        for (const { raw, bracket } of metrics.judgeBySurplus(competition, { orders })) {
          assertEquals(raw, bracket !== "must_keep");
        }
        for (const solution of competition.solutions) {
          metrics.scoreSolution(solution, competition.auction, { orders });
        }
      },
    ),
    { numRuns: 2_500 },
  );
});

Deno.test("completeTerms() adds the limits of an instance to records, and takes none from them", () => {
  const anyInstance = partly<object, Instance>({}, {
    orders: fc.array(
      partly<object, InstanceOrder>({}, {
        uid: anyUid,
        kind: anyKind,
        sellToken: anyToken,
        buyToken: anyToken,
        fullSellAmount: anyAmount(),
        fullBuyAmount: anyAmount(),
      }),
      { maxLength: 4 },
    ),
    surplusCapturingJitOrderOwners: fc.array(anyAddress, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(
      anyCompetition,
      anyInstance,
      fc.array(anyOrder, { maxLength: 3 }),
      (competition, instance, orders) => {
        const terms = metrics.completeTerms(instance, { orders });
        metrics.replayCompetition(competition, terms);
        const amounts = new HexMap<{ sellAmount: bigint }>(
          Array.from(
            terms.orders as Iterable<Order | [string, Order]>,
            (entry) => Array.isArray(entry) ? entry : [entry.uid, entry],
          ),
        );
        for (const uid of UIDS) {
          const records = orders.filter((order) => sameHex(order.uid, uid));
          const stated = (instance.orders ?? []).filter((order) => order.uid === uid)
            .flatMap(({ kind, sellToken, buyToken, fullSellAmount, fullBuyAmount }) =>
              kind && sellToken && buyToken && fullBuyAmount !== undefined
                ? fullSellAmount ?? []
                : []
            );
          const expected = records.at(-1)?.sellAmount ?? stated.at(-1);
          assertEquals(amounts.get(uid)?.sellAmount, expected);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("bestPairOffer() is an offer of the pair, and no other has a better price, or the same and a better rank", () => {
  const pair = fc.record({ uid: anyUid, sellToken: anyToken, buyToken: anyToken });
  fc.assert(fc.property(anyCompetition, pair, (competition, order) => {
    const best = metrics.bestPairOffer(competition, order);
    const offers = competition.solutions.filter(({ filteredOut }) => !filteredOut)
      .flatMap(({ orders, solverAddress: solver, ranking }) =>
        orders.flatMap(({ id: uid, sellAmount, buyAmount, sellToken = "", buyToken = "" }) =>
          sellAmount > 0n && !sameHex(uid, order.uid) &&
            sameHex(sellToken, order.sellToken) && sameHex(buyToken, order.buyToken)
            ? [{ uid, solver, ranking, sellAmount, buyAmount }]
            : []
        )
      );
    if (best === null) return assertEquals(offers, []);
    const { auctionId, ...own } = best;
    assertEquals(auctionId, competition.auctionId);
    const same = offers.filter(({ uid, ranking }) => uid === own.uid && ranking === own.ranking);
    const { solver, sellAmount: sold, buyAmount: bought } = own;
    assert(
      same.some((one) =>
        one.solver === solver && one.sellAmount === sold && one.buyAmount === bought
      ),
    );
    for (const { sellAmount, buyAmount, ranking } of offers) {
      const ahead = own.buyAmount * sellAmount - buyAmount * own.sellAmount;
      assert(ahead > 0n || ahead === 0n && own.ranking <= ranking);
    }
  }));
});

Deno.test("fairGains() are the atoms over the price of the benchmark, and no single pair beats its own", () => {
  fc.assert(
    fc.property(anyCompetition, fc.array(anyOrder, { maxLength: 3 }), (competition, orders) => {
      const kinds = new Map(orders.map(({ uid, kind }) => [uid, kind]));
      for (
        const { uid, winner, isBatch, benchmark, atoms } of metrics.fairGains(competition, {
          orders,
        })
      ) {
        assert(winner.isWinner);
        assertEquals(benchmark === null, atoms === null);
        const hasPrice = winner.sellAmount > 0n && winner.buyAmount > 0n;
        if (!isBatch && hasPrice && kinds.has(uid)) assert(atoms !== null && atoms <= 0n);
        if (benchmark === null || atoms === null) continue;
        const [whole, part, exact] = kinds.get(uid) === "sell"
          ? [
            benchmark.sellAmount,
            winner.buyAmount - atoms,
            winner.sellAmount * benchmark.buyAmount,
          ]
          : [
            benchmark.buyAmount,
            winner.sellAmount + atoms,
            winner.buyAmount * benchmark.sellAmount,
          ];
        // Rounded for the winner: what it has to beat is lower for a sell order, higher for a buy order.
        const rounded = kinds.get(uid) === "sell" ? exact - part * whole : part * whole - exact;
        assert(0n <= rounded && rounded < whole);
      }
    }),
    { numRuns: 2_500 },
  );
});

Deno.test("fairnessCost() picks from the best score up to the sum of the best ones", () => {
  const anyMost = fc.integer({ min: 1, max: 4 });
  fc.assert(fc.property(anyCompetition, anyMost, (competition, maxWinners) => {
    const { solutions } = competition;
    const cost = metrics.fairnessCost(competition, { maxWinners });
    const scores = solutions.map(({ score }) => score).sort((a, b) => a < b ? 1 : a > b ? -1 : 0);
    const sum = scores.slice(0, maxWinners).reduce((total, score) => total + score, 0n);
    assert((scores[0] ?? 0n) <= cost.unfilteredScore && cost.unfilteredScore <= sum);
    assert(cost.filtered <= cost.solutions && cost.solutions === solutions.length);
    assertEquals(cost.totalScore + cost.lostScore, cost.unfilteredScore);
  }));
});

Deno.test("settlementPenalties() are within the cap, and equal a negative reward after a failure", () => {
  fc.assert(
    fc.property(anyCompetition, fc.array(anyTrade, { maxLength: 4 }), (competition, trades) => {
      // On the fast path, each order has a cap of its own.
      fc.pre(metrics.recognizeAuctionPath(competition).path !== "fast_path");
      const outcomes = metrics.settlementOutcomes([competition], { trades });
      const { lowerCapAtoms } = rules;
      const penalties = metrics.settlementPenalties(competition, outcomes.solutions, {
        lowerCapAtoms,
      });
      for (const { atStake, ifAbsent, owed } of penalties) {
        assert(0n <= owed.low && owed.low <= owed.high);
        for (const end of ["low", "high"] as const) {
          assert(owed[end] <= ifAbsent[end] && ifAbsent[end] <= atStake[end]);
          assert(ifAbsent[end] <= lowerCapAtoms);
        }
      }
      for (
        const { solver, performance } of metrics.estimateRewards([competition], { rules, outcomes })
          .rewards
      ) {
        const own = outcomes.solutions.filter((one) => sameHex(one.solver, solver));
        const owed = penalties.filter((one) => sameHex(one.solver, solver)).map((one) => one.owed);
        const negative = (reward: bigint) => reward < 0n ? -reward : 0n;
        assertEquals(
          [
            owed.reduce((sum, { low }) => sum + low, 0n),
            owed.reduce((sum, { high }) => sum + high, 0n),
          ],
          own.every(({ result }) => result === "in_time")
            ? [0n, 0n]
            : [negative(performance.high), negative(performance.low)],
        );
      }
    }),
    { numRuns: 1_500 },
  );
});

Deno.test("metrics of auctions and reports throw nothing, and rewards are intervals", () => {
  fc.assert(
    fc.property(
      anyMarket,
      anyTime,
      ({ competitions, trades, orders, debugReports }, now) => {
        const outcomes = metrics.settlementOutcomes(competitions, { trades, debugReports });
        const policies = metrics.policiesByAuction({ debugReports, trades, competitions });
        for (const competition of competitions) {
          metrics.missedBaselines(competition, {
            orders,
            policies: policies.get(competition.auctionId) ?? [],
          });
          for (const order of orders) metrics.auctionRole(order, competition.auction);
          for (const order of orders) {
            const cap = { factor: 0.001, absoluteCapAtoms: 5n };
            assert(metrics.computePenaltyCap(order, competition.auction, cap)! <= 5n);
          }
          const { path, basis } = metrics.recognizeAuctionPath(competition, { orders });
          assertEquals(path === null, basis === null);
        }
        metrics.inferMaxWinners(competitions);
        const latest = metrics.findLatestStart(competitions);
        assert(competitions.every((one) => one.auctionStartBlock <= latest!));
        metrics.consistencyShares(competitions, { orders, outcomes });
        metrics.quoteRewards(competitions, { outcomes, trades, orders, debugReports });
        for (const { events } of debugReports) metrics.timeInStates(events, now);
        const statistics = metrics.solverStatistics(competitions, { outcomes });
        const auctions = new Set(competitions.map(({ auctionId }) => auctionId));
        assertEquals(statistics.auctions, auctions.size);
        for (const { winRate, winningBids } of statistics.solvers) {
          assert(winRate.successes <= winRate.trials && winRate.successes <= winningBids);
        }
        const estimate = metrics.estimateRewards(competitions, { rules, outcomes, trades, orders });
        for (const { performance, upperCap } of estimate.rewards) {
          assert(performance.low <= performance.high);
          // On the fast path, each order has a cap of its own.
          const isFast = competitions.some((one) =>
            metrics.recognizeAuctionPath(one, { orders }).path === "fast_path"
          );
          assert(isFast || performance.low >= -rules.lowerCapAtoms);
          assert(upperCap.high === null || performance.high <= upperCap.high);
        }
        const { low, high } = estimate.consistencyBudget;
        assert(high === null || low <= high);
        const filled = orders.map((order) => ({ order, trades, debugReport: null }));
        for (const found of metrics.findContradictions({ orders: filled, competitions })) {
          assert(metrics.formatContradiction(found).startsWith(`${found.subject}: `));
        }
      },
    ),
    { numRuns: 750 },
  );
});

Deno.test("weeklyRewards() of any auctions are intervals that add up", () => {
  const quoteReward = { asOf: "2025-11", nativeAtoms: 700n, cowAtoms: 6n * 10n ** 18n };
  fc.assert(
    fc.property(
      anyMarket,
      fc.option(fc.bigInt(1n, 10n ** 15n), { nil: undefined }),
      fc.boolean(),
      ({ competitions, trades, orders, debugReports }, cowPrice, areAllAuctions) => {
        const weeks = metrics.weeklyRewards(competitions, {
          rules: [rules],
          quoteReward,
          outcomes: metrics.settlementOutcomes(competitions, { trades, debugReports }),
          trades,
          orders,
          debugReports,
          areAllAuctions,
          times: competitions.map(({ auctionId }, index) => [auctionId, index * 400_000_000]),
          ...(cowPrice === undefined ? {} : { cowPrice }),
        });
        for (const { sums, rewards, consistency, quotes, total, auctionsWon } of weeks) {
          assert(sums !== null && rewards.length <= auctionsWon);
          const { uncapped, upperCapCut, lowerCapRelief, performance } = sums;
          for (const one of [...Object.values(sums), consistency.reward, quotes.reward, total]) {
            if (one !== null) assert(one.high === null || one.low <= one.high);
          }
          // Where all is known the caps account for every atom.
          if (rewards.every(({ missing }) => missing.length === 0)) {
            const explained = uncapped.low - upperCapCut.low + lowerCapRelief.low;
            assertEquals([explained, explained], [performance.low, performance.high]);
          }
        }
        const byWeek = Map.groupBy(weeks, ({ week }) => week?.firstDay);
        for (const own of byWeek.values()) {
          if (own.some(({ consistency }) => consistency.basis !== "order_share")) continue;
          const budget = own.flatMap(({ rewards }) => rewards).reduce<bigint>(
            (sum, { upperCap, performance }) => sum + (upperCap.high ?? 0n) - performance.low,
            0n,
          );
          const isOpen = own.some(({ rewards }) =>
            rewards.some(({ missing }) => missing.length > 0)
          );
          const paid = own.reduce((sum, { consistency }) => sum + consistency.reward!.low, 0n);
          assert(isOpen || paid <= budget);
        }
      },
    ),
    { numRuns: 750 },
  );
});

Deno.test("orderLifecycle() throws nothing for any evidence", () => {
  fc.assert(
    fc.property(
      anyReport,
      fc.option(fc.array(anyTrade, { maxLength: 3 })),
      fc.option(fc.array(anyCompetition, { maxLength: 2 })),
      fc.boolean(),
      anyTime,
      (debugReport, trades, competitions, hasReport, now) => {
        const { order } = debugReport;
        const life = metrics.orderLifecycle({
          order,
          debugReport: hasReport ? debugReport : null,
          trades,
          competitions,
        }, { now });
        assertEquals(life.events === null, !hasReport);
        const { status } = metrics.calculateStatus(order, { now });
        assert(status !== null || order.signingScheme === "presign");
        assert(life.bidCount >= 0 && life.why !== "");
      },
    ),
    { numRuns: 1_500 },
  );
});
