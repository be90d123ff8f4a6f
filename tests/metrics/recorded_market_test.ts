import { assert, assertEquals } from "@std/assert";
import type { Order, QuoteResponse } from "orderlens";
import { decodeSettlement } from "orderlens/evm";
import {
  auditFees,
  inferMaxWinners,
  marketPosition,
  missedBaselines,
  networkFee,
  orderLifecycle,
  policiesByAuction,
  quoteStages,
  replayCompetition,
  settledFill,
  solverStatistics,
  storedQuoteFee,
} from "orderlens/metrics";
import { decodeQuoteResponse, effectiveValidTo, type FeePolicy } from "orderlens/schemas";
import { checkAuctions } from "../../tools/metrics/check_auctions.ts";
import { checkFees } from "../../tools/metrics/check_fees.ts";
import { checkOutcomes } from "../../tools/metrics/check_outcomes.ts";
import { checkStatuses } from "../../tools/metrics/check_statuses.ts";
import type { Scenario } from "../../tools/metrics/read_scenario.ts";
import { Tally } from "../../tools/metrics/tally.ts";
import { computed } from "./fixtures.ts";
import { orderOf, recordedFills, recordedRun, unpack } from "./recorded_run.ts";

const MOST_WINNERS = 20;

Deno.test("metrics of a recorded market equal the stored values of the service, to the atom", async () => {
  const market = await recordedRun("market_1");
  const tally = new Tally("market_1");
  checkAuctions(market, tally, MOST_WINNERS);
  checkFees(market, tally);
  checkStatuses(market, tally);
  checkOutcomes(market, tally);
  assertEquals(tally.failures, []);
  const counts = tally.counts.entries().filter(([, { made }]) => made > 0)
    .map(([check, { made, skipped }]) => [check, made, skipped]);
  assertEquals([...counts], [
    // Each auction twice: from its answer alone, in which some batches cannot be judged, and with
    // orders and policies.
    ["filter", 2 * 569, 216],
    ["winners", 2 * 569, 0],
    ["ranking", 2 * 569, 0],
    ["reference", 2 * 569, 0],
    // Policies are stored of orders in winning solutions alone.
    ["scores", 1_481, 0],
    ["score bounds", 317, 0],
    ["fees/trade", 1_435, 0],
    ["fees/report", 1_435, 0],
    ["executedFee", 664, 0],
    ["statuses", 1_876, 0],
    ["outcomes", 646, 0],
    ["prices", 637, 0],
  ]);
});

Deno.test("fees and settled amounts of fills of other runs equal the stored values of the service, to the atom", async () => {
  const fills = await recordedFills();
  let capped = 0;
  for (const { run, order, trade, executedFee, protocolFeeAmounts, input } of fills) {
    const { verdict, fees } = auditFees(trade, order);
    const recomputed = fees.map((fee) => "recomputedAtoms" in fee && fee.recomputedAtoms);
    assertEquals([verdict, ...recomputed], ["exact", ...protocolFeeAmounts]);
    capped += fees.filter((fee) => "isCapped" in fee && fee.isCapped).length;
    const settlement = decodeSettlement(input);
    const exact = computed(networkFee(trade, order, { settlement }));
    assertEquals(exact.executedFee, executedFee, `${run} ${trade.orderUid}`);
    const { low, high } = computed(networkFee(trade, order, { executedFee })).totalAtoms;
    assert(low <= exact.totalAtoms.low && exact.totalAtoms.high <= high);
    const encoded = settlement.trades.find((one) =>
      one.sellAmount === order.sellAmount && one.buyAmount === order.buyAmount &&
      one.validTo === order.validTo
    )!;
    const { sellAmount, sellAmountBeforeFees, buyAmount } = trade;
    assertEquals(settledFill(encoded, settlement), { sellAmount, sellAmountBeforeFees, buyAmount });
  }
  assertEquals([fills.length, capped], [171, 55]);
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

Deno.test("inferMaxWinners() of a recorded market explains all of its auctions", async () => {
  const { competitions } = await recordedRun("market_1");
  const inferred = computed(inferMaxWinners(competitions.values()));
  assertEquals(inferred, { maxWinners: 2, largest: null, auctions: 569, differing: [] });
  for (const competition of competitions.values()) {
    const winners = competition.solutions.filter(({ isWinner }) => isWinner).length;
    if (winners < 2) continue;
    assertEquals(replayCompetition(competition, { maxWinners: 1 }).agrees, false);
  }
});

function withoutQuotes(policies: readonly FeePolicy[]): FeePolicy[] {
  return policies.map(({ priceImprovement, ...others }) => {
    if (priceImprovement === undefined) return others;
    const { quote: _, ...factors } = priceImprovement;
    return { priceImprovement: factors };
  });
}

Deno.test("policiesByAuction() returns the same from trades as from debug reports of a recorded market", async () => {
  const { competitions, reports, trades } = await recordedRun("market_1");
  const reported = policiesByAuction({ debugReports: reports.values() });
  const charged = policiesByAuction({
    trades: trades.values(),
    competitions: competitions.values(),
  });
  let compared = 0;
  for (const [auctionId, ofAuction] of charged) {
    for (const [uid, policies] of ofAuction) {
      const known = reported.get(auctionId)?.get(uid);
      assert(known !== undefined);
      assertEquals(withoutQuotes(policies), withoutQuotes(known));
      compared++;
    }
  }
  assertEquals(compared, 664);
});

/** When a recording was made: after its last event, and after the end of what it calls expired. */
function afterAll({ reports }: Scenario): Temporal.Instant {
  const times = [...reports.values()].flatMap(({ order, events }) => [
    ...events.map(({ timestamp }) => timestamp),
    ...order.status === "expired"
      ? [Temporal.Instant.fromEpochMilliseconds((effectiveValidTo(order) + 1) * 1_000)]
      : [],
  ]);
  return times.reduce((latest, each) => Temporal.Instant.compare(each, latest) > 0 ? each : latest);
}

Deno.test("orderLifecycle() of every order of a recorded market agrees with the service", async () => {
  const market = await recordedRun("market_1");
  const now = afterAll(market);
  const trades = Map.groupBy(market.trades.values(), ({ orderUid }) => orderUid);
  const totals = { orders: 0, fills: 0, tableRows: 0, failedAttempts: 0, open: 0 };
  for (const debugReport of market.reports.values()) {
    const order = market.orders.get(debugReport.orderUid)!;
    const own = trades.get(order.uid) ?? [];
    const life = orderLifecycle({ order, debugReport, trades: own }, { now });
    assertEquals(life.status.agrees, true, order.uid);
    assertEquals(life.unknown, []);
    const spent = life.timeInStates!.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0n);
    assert(spent >= life.invalidNs! + life.filteredNs!);
    if (own.length > 0) {
      assert(life.toHappyMooNs! > 0n && life.toHappyMooNs! <= life.toFirstFillNs!);
      const sold = own.reduce((sum, { sellAmountBeforeFees }) => sum + sellAmountBeforeFees, 0n);
      assertEquals(sold, order.executedSellAmountBeforeFees);
    }
    totals.orders++;
    totals.fills += life.fills.length;
    totals.tableRows += life.leftOnTheTable.length;
    totals.failedAttempts += life.failedAttempts.length;
    if (life.status.reported === "open") totals.open++;
    if (totals.orders % 10 > 0) continue;
    // Competitions tell the same auctions, bids and fills as the report.
    const seen = orderLifecycle(
      { order, trades: own, competitions: market.competitions.values() },
      { now },
    );
    assertEquals(seen.auctions, life.auctions);
    assertEquals(seen.leftOnTheTable, life.leftOnTheTable);
  }
  const { tableRows, ...known } = totals;
  assertEquals(known, { orders: 938, fills: 664, failedAttempts: 9, open: 3 });
  assert(tableRows <= known.fills);
});

Deno.test("solverStatistics() of a recorded market matches the stored data", async () => {
  const { competitions, truth } = await recordedRun("market_1");
  const { solvers, totalScore, ...counts } = solverStatistics(competitions.values());
  const rows = truth.proposed_solutions;
  const sum = (scores: readonly { score: string }[]) =>
    scores.reduce((total, { score }) => total + BigInt(score), 0n);
  const { auctions, auctionsWithSeveralWinners: several } = counts;
  assertEquals([auctions, several, solvers.length], [569, 77, 4]);
  assertEquals(totalScore, sum(rows.filter(({ is_winner }) => is_winner)));
  for (const each of solvers) {
    const own = rows.filter(({ solver }) => solver === each.solver);
    const won = own.filter(({ is_winner }) => is_winner);
    assertEquals([each.bids, each.winningBids], [own.length, won.length]);
    assertEquals(each.filteredBids, own.filter(({ filtered_out }) => filtered_out).length);
    assertEquals(each.winRate.trials, new Set(own.map(({ auction_id }) => auction_id)).size);
    assertEquals(each.winRate.successes, new Set(won.map(({ auction_id }) => auction_id)).size);
    assertEquals(each.scoreWon, sum(won));
    const references = truth.reference_scores.filter(({ solver }) => solver === each.solver);
    assertEquals(
      each.referenceScoreSum,
      references.reduce((total, row) => total + BigInt(row.reference_score), 0n),
    );
  }
  const shares = solvers.reduce((total, { scoreShare }) => total + scoreShare!.numerator, 0n);
  assertEquals(shares, totalScore);
});

Deno.test("marketPosition() predicts the service's choice of fee for every fill of a market, and storedQuoteFee() the quoted fee of its policies", async () => {
  const market = await recordedRun("market_1");
  const counts = { in_market: 0, out_of_market: 0, carried: 0, unlikeTheOrder: 0 };
  for (const trade of market.trades.values()) {
    const order = orderOf(market, trade);
    const { position } = marketPosition(order, order.quote);
    // It took half of the surplus from out-of-market orders, of the improvement from others.
    const [kind] = Object.keys(trade.executedProtocolFees?.[0]?.policy ?? {});
    assertEquals(kind, position === "in_market" ? "priceImprovement" : "surplus");
    assertEquals(order.class, "limit");
    counts[position]++;
    for (const { policy } of trade.executedProtocolFees ?? []) {
      const carried = policy?.priceImprovement?.quote;
      if (carried === undefined) continue;
      const { sellAmount, buyAmount, feeAmount } = order.quote!;
      assertEquals<object>({ sellAmount, buyAmount, fee: storedQuoteFee(order.quote!) }, carried);
      if (feeAmount !== carried.fee) counts.unlikeTheOrder++;
      counts.carried++;
    }
  }
  const { unlikeTheOrder, ...known } = counts;
  assertEquals(known, { in_market: 573, out_of_market: 91, carried: 587 });
  assert(unlikeTheOrder > 0);
});

/** Quotes of a recording with the orders placed by them; those orders store the quote gross. */
async function ordersWithAnswers(name: string): Promise<[QuoteResponse, Order][]> {
  const { orderAnswers } = await recordedRun(name);
  const quoted = orderAnswers.filter(({ order }) => order.quote != null);
  const orders = new Map(quoted.map(({ order }) => [order.uid, order]));
  const answers = new Map<unknown, QuoteResponse>();
  const found: [QuoteResponse, Order][] = [];
  for (const line of (await unpack(`${name}.ndjson.gz`)).split("\n")) {
    if (!/"\/api\/v1\/(?:quote|orders)"/.test(line)) continue;
    const { method, path, status, requestBody, responseBody } = JSON.parse(line);
    if (method !== "POST" || status >= 300) continue;
    if (path === "/api/v1/quote") {
      const answer = decodeQuoteResponse(JSON.parse(responseBody));
      answers.set(answer.id, answer);
      continue;
    }
    const answer = answers.get(JSON.parse(requestBody).quoteId ?? NaN);
    const order = orders.get(JSON.parse(responseBody));
    if (answer !== undefined && order !== undefined) found.push([answer, order]);
  }
  return found;
}

Deno.test("quoteStages() recovers the gross quote that the service stored, for every recorded order", async () => {
  let sales = 0;
  let purchases = 0;
  for (const name of ["market_1", "protocol_fee__combined_protocol_fees"]) {
    for (const [answer, { kind, quote: stored }] of await ordersWithAnswers(name)) {
      const { beforeAllFees, costs } = quoteStages(answer);
      const { sellAmount, buyAmount } = stored!;
      if (kind === "buy") {
        purchases++;
        assertEquals(beforeAllFees, { sellAmount, buyAmount });
        continue;
      }
      sales++;
      assertEquals(beforeAllFees.sellAmount, sellAmount);
      // The reference leaves out what the protocol fee takes of the network fee, and each step rounds.
      const { protocolFeeAtoms, networkFeeSellAtoms } = costs;
      const left = protocolFeeAtoms * networkFeeSellAtoms / answer.quote.sellAmount;
      const rest = buyAmount - beforeAllFees.buyAmount - left;
      assert(rest >= 0n && rest <= 2n, `${rest} atoms`);
    }
  }
  assertEquals([sales, purchases], [615, 294]);
});
