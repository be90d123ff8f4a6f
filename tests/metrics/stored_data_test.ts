import { assert, assertEquals } from "@std/assert";
import { decodeSettlement } from "orderlens/evm";
import { auditFees, networkFee, settledFill } from "orderlens/metrics";
import { checkAuctions } from "../../tools/metrics/check_auctions.ts";
import { checkFees } from "../../tools/metrics/check_fees.ts";
import { checkOutcomes } from "../../tools/metrics/check_outcomes.ts";
import { checkStatuses } from "../../tools/metrics/check_statuses.ts";
import { Tally } from "../../tools/metrics/tally.ts";
import { computed } from "./fixtures.ts";
import { recordedFills, recordedRun } from "./recorded_run.ts";

const MOST_WINNERS = 20;

Deno.test("metrics of a recorded market are what the service stored, to the atom", async () => {
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

Deno.test("fees and settled amounts of fills of other runs are what the service stored, to the atom", async () => {
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
