import { type AppData, type DebugReport, InputError } from "orderlens";
import { auditFees, type FeeAudit, partnerServiceShare, policyOrigins } from "orderlens/metrics";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { orderOf, recordedRun } from "../recorded_run.ts";
import { assertReason, reasonOf } from "../fixtures.ts";
import { decodeAppData, type ExecutedProtocolFee, type FeePolicy } from "orderlens/schemas";

const run = await recordedRun("protocol_fee__combined_protocol_fees");

/** A fill with two fees, of which the last is a partner's. */
const trade = run.trades.values().find((one) => one.executedProtocolFees?.length === 2)!;
const order = orderOf(run, trade);

/** The audit of that fill with its fees reported otherwise. */
function auditOf(change: (fee: ExecutedProtocolFee, at: number) => Partial<ExecutedProtocolFee>) {
  const executedProtocolFees = trade.executedProtocolFees!
    .map((fee, at) => ({ ...fee, ...change(fee, at) }));
  return auditFees({ ...trade, executedProtocolFees }, order);
}

Deno.test("auditFees() names the fee that differs, and by how much", () => {
  const { verdict, fees } = auditOf(({ amount }, at) => at > 0 ? {} : { amount: amount - 2n });
  assertEquals(verdict, "differs");
  assertEquals(fees.map((fee) => fee.verdict), ["differs", "exact"]);
  assertEquals(fees[0] && "differenceAtoms" in fees[0] && fees[0].differenceAtoms, -2n);
});

Deno.test("auditFees() prefers the app data option to the order's document", () => {
  const documents = [null, '{"metadata":{"partnerFee":7}}', "partnerFee"];
  const audits = [
    auditFees(trade, order, { appData: null }),
    ...documents.map((fullAppData) => auditFees(trade, { ...order, fullAppData })),
  ];
  for (const { fees } of audits) {
    assertEquals(fees.map(({ origin }) => origin), ["unknown", "unknown"]);
  }
});

Deno.test("auditFees() recomputes the fees around an unknown policy", () => {
  const { verdict, fees } = auditOf((_, at) => at === 1 ? { policy: null } : {});
  assertEquals(verdict, "not_computable");
  assertEquals(fees.map((fee) => fee.verdict), ["exact", "not_computable"]);
  assertReason(fees[1], "no_policy");
});

Deno.test("auditFees() does not compare a fee in another token", () => {
  const token = order.kind === "sell" ? order.sellToken : order.buyToken;
  const { fees } = auditOf(() => ({ token }));
  assertEquals(fees.length, 2);
  for (const fee of fees) assertReason(fee, "other_token");
});

Deno.test("auditFees() of a trade is not computable if it does not report fees, exact if it has none", () => {
  const { executedProtocolFees: _, ...old } = trade;
  assertEquals(auditFees(old, order).verdict, "not_computable");
  assertEquals(auditFees({ ...trade, executedProtocolFees: [] }, order).verdict, "exact");
});

Deno.test("auditFees() rejects the fill of another order", () => {
  assertThrows(
    () => auditFees(trade, { ...order, uid: `0x${"00".repeat(56)}` }),
    InputError,
    `Cannot audit the fees of a fill of order ${trade.orderUid}`,
  );
});

Deno.test("auditFees() of a report needs the order's quote for price improvement", () => {
  const improved = run.reports.values().find(({ auctions }) =>
    auctions.some(({ feePolicies }) => feePolicies[0]?.kind === "priceImprovement")
  )!;
  const [audit] = auditFees({ ...improved, order: { ...improved.order, quote: null } });
  const reasons = audit?.fees.flatMap((fee) => reasonOf(fee) ?? []);
  assertEquals(reasons, ["no_quote"]);
});

Deno.test("auditFees() of a report is not computable without a fill or a policy", () => {
  const whole = run.reports.values().find((one) => one.trades.length === 1)!;
  const reasonFor = (changed: DebugReport) => {
    const [audit] = auditFees(changed);
    assertEquals(audit?.verdict, "not_computable");
    assertEquals(audit?.logIndex, null);
    return reasonOf(audit?.fees[0]);
  };
  assertEquals(reasonFor({ ...whole, trades: [] }), "no_fill");
  const auctions = whole.auctions.map((auction) => ({ ...auction, feePolicies: [] }));
  assertEquals(reasonFor({ ...whole, auctions }), "policies_do_not_match");
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

const at = (text: string) => Temporal.Instant.from(text);

Deno.test("partnerServiceShare() is 15 %, 50 % and 25 %, and unknown while it changed", () => {
  for (
    const [time, numerator] of [
      ["2024-04-03T23:59:59.999Z", null],
      ["2024-04-04T00:00:00Z", 1_500n],
      // By the payouts that the changes were written for; 2025-11-18 is not excluded.
      ["2025-02-03T23:59:59.999Z", 1_500n],
      ["2025-02-04T00:00:00Z", 5_000n],
      ["2025-11-17T23:59:59.999Z", 5_000n],
      ["2025-11-18T00:00:00Z", null],
      ["2025-11-24T23:59:59.999Z", null],
      ["2025-11-25T00:00:00Z", 2_500n],
      ["2026-11-21T15:00:00Z", 2_500n],
    ] as const
  ) {
    const share = numerator === null ? null : { numerator, denominator: 10_000n };
    assertEquals(partnerServiceShare(at(time)), share, time);
  }
});

const PROTOCOL: FeePolicy[] = [
  { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.0098 } },
  { volume: { factor: 0.0002 } },
];

const A = "0x0101010101010101010101010101010101010101";

const B = "0x0202020202020202020202020202020202020202";

function asking(...partnerFee: unknown[]): AppData {
  return decodeAppData({
    metadata: { partnerFee: partnerFee.length === 1 ? partnerFee[0] : partnerFee },
  });
}

function origins(policies: readonly FeePolicy[], appData: AppData | null): string[] {
  return policyOrigins(policies, appData).map(({ origin, recipient }) => recipient ?? origin);
}

Deno.test("policyOrigins() supports every form of a partner fee", () => {
  const improvement = { priceImprovement: { factor: 0.3, maxVolumeFactor: 0.01 } };
  const surplus = { surplus: { factor: 0.2, maxVolumeFactor: 0.01 } };
  const volume = { volume: { factor: 0.0025 } };
  assertEquals(
    origins(
      [...PROTOCOL, improvement, surplus, volume, volume],
      asking(
        { priceImprovementBps: 3_000, maxVolumeBps: 100, recipient: A },
        { surplusBps: 2_000, maxVolumeBps: 100, recipient: B },
        { volumeBps: 25, recipient: A },
        { bps: 25, recipient: B },
      ),
    ),
    ["protocol", "protocol", A, B, A, B],
  );
});

// Caps of the service's own tests (crates/autopilot/src/domain/fee/mod.rs): what the first fee left of
// a maximum of 30 % is (1 + 0.3) / (1 + 0.2) - 1.
Deno.test("policyOrigins() recognizes a partner fee that the service capped", () => {
  const policies = [{ volume: { factor: 0.2 } }, { volume: { factor: 1.3 / 1.2 - 1 } }];
  const appData = asking({ bps: 2_000, recipient: A }, { bps: 2_000, recipient: B });
  assertEquals(origins(policies, appData), [A, B]);
});

Deno.test("policyOrigins() are unknown if the policies do not match the document", () => {
  const asked = asking({ volumeBps: 1, recipient: A });
  assertEquals(origins(PROTOCOL, asked), ["unknown", "unknown"]);
  assertEquals(origins([], asked), []);
  assertEquals(
    origins([{ surplus: { factor: 0.1, maxVolumeFactor: 0.00001 } }], asked),
    ["unknown"],
  );
  assertEquals(policyOrigins([null], asked), [{ origin: "unknown", recipient: null }]);
  const one = [{ volume: { factor: 0.0001 } }];
  const two = asking({ volumeBps: 1, recipient: A }, { volumeBps: 1, recipient: B });
  assertEquals(origins(one, two), ["unknown"]);
});
