import { type DebugReport, InputError, type Order, type Trade } from "orderlens";
import { auditFees, type FeeAudit } from "orderlens/metrics";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { orderOf, recordedFills, recordedRun } from "../recorded_run.ts";
import { assertReason, reasonOf } from "../assert_reason.ts";
import type { ExecutedProtocolFee } from "orderlens/schemas";

const market = await recordedRun("market_1");
const run = await recordedRun("protocol_fee__combined_protocol_fees");

function recorded(): { trade: Trade; order: Order } {
  const trade = market.trades.values().find((one) => one.executedProtocolFees?.length === 3);
  assert(trade !== undefined);
  return { trade, order: orderOf(market, trade) };
}

/** A trade whose fees are reported otherwise. */
function changed(
  trade: Trade,
  change: (fee: ExecutedProtocolFee, at: number) => ExecutedProtocolFee,
): Trade {
  return { ...trade, executedProtocolFees: trade.executedProtocolFees!.map(change) };
}

/** A recorded report of an order with one fill. */
function report(): DebugReport {
  const found = market.reports.values().find((one) => one.trades.length === 1);
  assert(found !== undefined);
  return found;
}

Deno.test("auditFees() of every recorded debug report is exact, one audit per execution", () => {
  const audits = [...market.reports.values()].flatMap((one) => auditFees(one));
  assertEquals(audits.length, 664);
  assertEquals(new Set(audits.map((audit) => audit.verdict)), new Set(["exact"]));
  for (const { orderUid, blockNumber, logIndex } of audits) {
    assert(
      market.trades.values().some((trade) =>
        trade.orderUid === orderUid && trade.blockNumber === blockNumber &&
        trade.logIndex === logIndex
      ),
    );
  }
});

Deno.test("auditFees() of capped fills is exact", async () => {
  const fills = await recordedFills();
  let capped = 0;
  for (const { order, trade, protocolFeeAmounts } of fills) {
    const { verdict, fees } = auditFees(trade, order);
    assertEquals(verdict, "exact");
    assertEquals(
      fees.map((fee) => "recomputedAtoms" in fee && fee.recomputedAtoms),
      protocolFeeAmounts,
    );
    capped += fees.filter((fee) => "isCapped" in fee && fee.isCapped).length;
  }
  assertEquals(fills.length, 171);
  assertEquals(capped, 55);
});

Deno.test("auditFees() of all three policy kinds in one auction is exact, with the service's factors", () => {
  const kinds = [...run.trades.values()].map((trade) => {
    const { verdict, fees } = auditFees(trade, orderOf(run, trade));
    return [verdict, ...fees.map((fee) => `${fee.kind} ${fee.origin}`)];
  });
  assertEquals(kinds.map(([verdict]) => verdict), ["exact", "exact", "exact"]);
  assertEquals(
    new Set(kinds.flatMap(([, ...fees]) => fees.map((fee) => fee.split(" ")[0]))),
    new Set(["surplus", "volume", "priceImprovement"]),
  );
});

Deno.test("auditFees() names the fee that differs, and by how much", () => {
  const { trade, order } = recorded();
  const { verdict, fees } = auditFees(
    changed(trade, (fee, at) => at === 0 ? { ...fee, amount: fee.amount - 2n } : fee),
    order,
  );
  assertEquals(verdict, "differs");
  assertEquals(fees.map((fee) => fee.verdict), ["differs", "exact", "exact"]);
  assertEquals(fees[0] && "differenceAtoms" in fees[0] && fees[0].differenceAtoms, -2n);
});

Deno.test("auditFees() names the recipient of a partner fee", () => {
  const { trade, order } = recorded();
  const { fees } = auditFees(trade, order);
  assertEquals(fees.map((fee) => fee.origin), ["protocol", "protocol", "partner"]);
  assert(fees[2]?.recipient?.startsWith("0x"));
  assertEquals(fees[0]?.recipient, null);
});

Deno.test("auditFees() prefers the app data option to the order's document", () => {
  const { trade, order } = recorded();
  const documents = [null, '{"metadata":{"partnerFee":7}}', "partnerFee"];
  const audits = [
    auditFees(trade, order, { appData: null }),
    ...documents.map((fullAppData) => auditFees(trade, { ...order, fullAppData })),
  ];
  for (const { fees } of audits) {
    assertEquals(fees.map(({ origin }) => origin), ["unknown", "unknown", "unknown"]);
  }
});

Deno.test("auditFees() recomputes the fees around an unknown policy", () => {
  const { trade, order } = recorded();
  const { verdict, fees } = auditFees(
    changed(trade, (fee, at) => at === 2 ? { ...fee, policy: null } : fee),
    order,
  );
  assertEquals(verdict, "not_computable");
  assertEquals(fees.map((fee) => fee.verdict), ["exact", "exact", "not_computable"]);
  assertReason(fees[2], "no_policy");
});

Deno.test("auditFees() does not compare a fee in another token", () => {
  const { trade, order } = recorded();
  const { fees } = auditFees(
    changed(trade, (fee) => ({
      ...fee,
      token: order.kind === "sell" ? order.sellToken : order.buyToken,
    })),
    order,
  );
  assertEquals(fees.length, 3);
  for (const fee of fees) assertReason(fee, "other_token");
});

Deno.test("auditFees() of a trade is not computable if it does not report fees, exact if it has none", () => {
  const { trade, order } = recorded();
  const { executedProtocolFees: _, ...old } = trade;
  assertEquals(auditFees(old, order).verdict, "not_computable");
  assertEquals(auditFees({ ...trade, executedProtocolFees: [] }, order).verdict, "exact");
});

Deno.test("auditFees() rejects the fill of another order", () => {
  const { trade, order } = recorded();
  assertThrows(
    () => auditFees(trade, { ...order, uid: `0x${"00".repeat(56)}` }),
    InputError,
    `Cannot audit the fees of a fill of order ${trade.orderUid}`,
  );
});

Deno.test("auditFees() of a report needs the order's quote for price improvement", () => {
  const first = market.reports.values().find((one) =>
    one.auctions.some((auction) =>
      auction.executions.length > 0 &&
      auction.feePolicies.some((policy) => policy.kind === "priceImprovement")
    )
  );
  assert(first !== undefined);
  const [audit] = auditFees({ ...first, order: { ...first.order, quote: null } });
  const reasons = audit?.fees.flatMap((fee) => reasonOf(fee) ?? []);
  assertEquals(reasons, ["no_quote"]);
});

Deno.test("auditFees() of a report is not computable without a fill or a policy", () => {
  const whole = report();
  const reasonFor = (changed: DebugReport) => {
    const [audit] = auditFees(changed);
    assertEquals(audit?.verdict, "not_computable");
    assertEquals(audit?.logIndex, null);
    return reasonOf(audit?.fees[0]);
  };
  assertEquals(reasonFor({ ...whole, trades: [] }), "no_fill");
  assertEquals(
    reasonFor({
      ...whole,
      auctions: whole.auctions.map((auction) => ({ ...auction, feePolicies: [] })),
    }),
    "policies_do_not_match",
  );
});

Deno.test("auditFees() of a report also finds the fill of an execution by its block", async () => {
  const parts = await recordedRun("hooks__partial_fills");
  const [whole] = parts.reports.values();
  assert(whole !== undefined);
  const trades = whole.trades.map(({ auctionId: _, ...trade }) => trade);
  const places = (audits: readonly FeeAudit[]) =>
    audits.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`);
  const own = trades.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`);
  assertEquals(places(auditFees({ ...whole, trades })).toSorted(), own.toSorted());
  assertEquals(new Set(own).size, 2);
});
