import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  auctionRole,
  calculateStatus,
  competitionStage,
  ethFlowRefund,
  leftOnTheTable,
  type OrderBid,
  orderFill,
  type StatusFacts,
  sumFills,
  timeInStates,
} from "orderlens/metrics";
import {
  parseOrderAppData,
  parsePartnerAppData,
} from "../../../lib/metrics/orders/calculate_status.ts";
import { anyAmount } from "../fixtures.ts";
import { recordedRun } from "../recorded_run.ts";
import { at, event, orderOf } from "../reports.ts";
import { effectiveValidTo } from "orderlens/schemas";

const OWNER = `0x${"aB".repeat(20)}`;
const UID = `0x${"01".repeat(32)}${OWNER.slice(2).toLowerCase()}ffffffff`;
const LIQUIDITY = { uid: UID, class: "liquidity", fullAppData: null };

Deno.test("auctionRole() follows the list of UIDs, then the owner in the UID, then other evidence", () => {
  const owners = (...surplusCapturingJitOrderOwners: string[]) => (
    { surplusCapturingJitOrderOwners }
  );
  const [order, other] = [{ uid: UID }, { orders: ["0x0e"] }];
  const listed = { orders: ["0x0e", UID.toUpperCase().replace("0X", "0x")] };
  const cases: [...Parameters<typeof auctionRole>, ReturnType<typeof auctionRole>][] = [
    [LIQUIDITY, listed, {}, "listed"],
    [{ ...order, class: "limit" }, other, owners(), "liquidity"],
    [order, other, owners("0x00", OWNER), "capturing"],
    [order, other, owners("0x00"), "liquidity"],
    [order, other, {}, "unknown"],
    [order, { orders: [] }, owners(), "liquidity"],
    [order, null, owners(), "listed"],
  ];
  // Without the auction, or without its list.
  for (const auction of [null, undefined, { orders: [] }]) {
    cases.push([order, auction, {}, "listed"], [LIQUIDITY, auction, {}, "unknown"]);
    cases.push([{ ...LIQUIDITY, fullAppData: "{}" }, auction, {}, "listed"]);
  }
  for (const [place, [order, auction, options, role]] of cases.entries()) {
    assertEquals(auctionRole(order, auction, options), role, `case ${place}`);
  }
});

Deno.test("competitionStage() reads each event as the service does, and no other", () => {
  const stages = {
    created: "scheduled",
    ready: "active",
    considered: "solved",
    executing: "executing",
    traded: "traded",
    cancelled: "cancelled",
    filtered: "open",
    invalid: "open",
  } as const;
  for (const [latestLabel, stage] of Object.entries(stages)) {
    assertEquals(competitionStage({ hasTrade: false, latestLabel }), stage);
    assertEquals(competitionStage({ hasTrade: true, latestLabel }), "traded");
  }
  for (const latestLabel of [null, "postponed"]) {
    assertEquals(competitionStage({ hasTrade: false, latestLabel }), null);
  }
});

Deno.test("ethFlowRefund() rejects a fill that the order cannot have", () => {
  const order = { sellAmount: 7n, feeAmount: 3n };
  for (const filled of [-1n, 8n]) assertThrows(() => ethFlowRefund(order, filled), RangeError);
  assertThrows(() => ethFlowRefund({ sellAmount: 0n, feeAmount: 0n }, 0n), RangeError);
});

Deno.test("ethFlowRefund() is the part of the deposit that was not filled, less than an atom above it", () => {
  fc.assert(
    fc.property(anyAmount(1n), anyAmount(), anyAmount(), (sellAmount, feeAmount, any) => {
      const filled = any % (sellAmount + 1n);
      const refund = ethFlowRefund({ sellAmount, feeAmount }, filled);
      const above = refund * sellAmount - (sellAmount - filled) * (sellAmount + feeAmount);
      assert(above >= 0n && above < sellAmount);
    }),
  );
});

function bidOf(sellAmount: bigint, buyAmount: bigint, more: Partial<OrderBid> = {}): OrderBid {
  return {
    auctionId: 1,
    ranking: 2,
    solver: "0xb0",
    score: 0n,
    isWinner: false,
    filteredOut: false,
    sellAmount,
    buyAmount,
    ...more,
  };
}

const winner = bidOf(10n, 20n, { isWinner: true, ranking: 1 });
const fill = { sellAmount: 10n, buyAmount: 20n };

function leftOf(kind: "sell" | "buy", bids: readonly OrderBid[]) {
  return leftOnTheTable(fill, { kind }, { auctionId: 1, bids })?.atoms;
}

Deno.test("leftOnTheTable() scales the best other bid to the fixed amount, rounded against it", () => {
  // 10 * 7 / 3 = 23.3 is rounded down.
  assertEquals(leftOf("sell", [winner, bidOf(3n, 7n)]), 3n);
  assertEquals(leftOf("buy", [winner, bidOf(9n, 20n), bidOf(11n, 20n)]), 1n);
  // 20 * 3 / 7 = 8.6 is rounded up.
  assertEquals(leftOf("buy", [winner, bidOf(3n, 7n)]), 1n);
});

Deno.test("leftOnTheTable() is unknown if no other solver bid, or bid 0", () => {
  assertEquals(leftOf("sell", [winner]), undefined);
  assertEquals(leftOf("sell", [winner, bidOf(0n, 5n), bidOf(5n, 0n)]), undefined);
});

const RECIPIENT = `0x${"a1".repeat(20)}`;
const PARTNER = `{"metadata":{"partnerFee":{"bps":25,"recipient":"${RECIPIENT}"}}}`;

Deno.test("parsePartnerAppData() has the partner fees of every document that has some, without parsing others", () => {
  const escaped = PARTNER.replace("partnerFee", "partner\\u0046ee");
  for (const fullAppData of [PARTNER, escaped]) {
    const { recipient } = Object(parsePartnerAppData({ fullAppData })?.metadata?.partnerFee);
    assertEquals(recipient, RECIPIENT);
  }
  assertEquals(parsePartnerAppData({ fullAppData: '{"appCode":"Bot"}' }), {});
  for (const fullAppData of [null, undefined, "", "{", "7"]) {
    assertEquals(parseOrderAppData({ fullAppData }), null, `${fullAppData}`);
  }
  // An unreadable member costs that member only.
  assertEquals(parsePartnerAppData({ fullAppData: '{"metadata":{"partnerFee":7}}' }), {
    metadata: {},
  });
});

Deno.test("orderFill() is the sum of all fills of a recorded order", async () => {
  const run = await recordedRun("hooks__partial_fills");
  const [order] = run.orders.values();
  assert(order !== undefined);
  assertEquals(orderFill(order), sumFills(run.trades.values()));
});

Deno.test("sumFills() and orderFill() have the exchanged amounts, with and without a reported legacy fee", () => {
  assertEquals(
    sumFills([
      { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n },
      { sellAmount: 20n, buyAmount: 19n },
    ]),
    { sellAmount: 123n, sellAmountBeforeFees: 120n, buyAmount: 114n },
  );
  assertEquals(
    orderFill({
      executedSellAmount: 103n,
      executedSellAmountBeforeFees: 100n,
      executedBuyAmount: 95n,
    }),
    { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n },
  );
});

const SECOND = 1_000_000_000n;

Deno.test("timeInStates() sums the time in a state per reason", () => {
  const times = timeInStates([
    event("created", 0),
    event("invalid", 1, "insufficient_balance"),
    event("ready", 3),
    event("invalid", 10, "insufficient_balance"),
    event("invalid", 15, "invalid_signature"),
  ], at(20));
  assertEquals(times, [
    { label: "created", reason: null, stays: 1, nanoseconds: 1n * SECOND },
    { label: "invalid", reason: "insufficient_balance", stays: 2, nanoseconds: 7n * SECOND },
    { label: "ready", reason: null, stays: 1, nanoseconds: 7n * SECOND },
    { label: "invalid", reason: "invalid_signature", stays: 1, nanoseconds: 5n * SECOND },
  ]);
});

Deno.test("timeInStates() ends at the given time, even between events", () => {
  const events = [event("created", 0), event("ready", 4), event("traded", 9)];
  assertEquals(timeInStates(events, at(6)).map(({ label, nanoseconds }) => [label, nanoseconds]), [
    ["created", 4n * SECOND],
    ["ready", 2n * SECOND],
  ]);
  assertEquals(timeInStates(events, at(0)), []);
});

const now = Temporal.Instant.fromEpochMilliseconds(1_000_000_000);
const tomorrow = 1_000_000 + 86_400;
const yesterday = 1_000_000 - 86_400;

const order: StatusFacts = orderOf({ sellAmount: 2n, buyAmount: 1n, validTo: tomorrow });

function statusOf(facts: Partial<StatusFacts>, presignaturePending?: boolean) {
  const { status } = calculateStatus({ ...order, ...facts }, {
    now,
    ...(presignaturePending === undefined ? {} : { presignaturePending }),
  });
  return status;
}

// The cases of the service's own test of calculate_status, with its amounts.
Deno.test("calculateStatus() agrees with the cases of the service's own test", () => {
  const presign = { signingScheme: "presign" };
  const cases: [string, Partial<StatusFacts>, boolean?][] = [
    ["open", {}],
    ["open", { sellAmount: 10_000n, executedSellAmount: 9_999n }],
    ["open", presign, false],
    ["presignaturePending", presign, true],
    ["fulfilled", { executedSellAmount: 3n, executedFeeAmount: 1n }],
    ["open", { kind: "buy" }],
    ["open", { kind: "buy", buyAmount: 10_000n, executedBuyAmount: 9_999n }],
    ["fulfilled", { kind: "buy", executedBuyAmount: 1n }],
    ["cancelled", { invalidated: true }],
    ["cancelled", { executedSellAmount: 1n, invalidated: true }],
    ["expired", { validTo: yesterday }],
    ["expired", { executedSellAmount: 1n, validTo: yesterday }],
    ["expired", { ...presign, validTo: yesterday }, true],
    // Without executed amounts nothing is fulfilled.
    ["open", { sellAmount: 0n }],
    ["open", { kind: "buy", buyAmount: 0n }],
  ];
  for (const [status, facts, pending] of cases) {
    assertEquals(statusOf(facts, pending), status, Deno.inspect(facts));
  }
});

Deno.test("calculateStatus() names the first matching rule", () => {
  const facts = { ...order, executedSellAmount: 2n, invalidated: true, validTo: yesterday };
  assertEquals(calculateStatus(facts, { now }), { status: "fulfilled", rule: 1 });
  const unfilled = { ...facts, executedSellAmount: 0n };
  assertEquals(calculateStatus(unfilled, { now }), { status: "cancelled", rule: 2 });
  assertEquals(calculateStatus({ ...unfilled, invalidated: false }, { now }), {
    status: "expired",
    rule: 3,
  });
});

Deno.test("calculateStatus() keeps an order open through the second of its expiry", () => {
  const at = (milliseconds: number) =>
    calculateStatus({ ...order, validTo: 1_000_000 }, {
      now: Temporal.Instant.fromEpochMilliseconds(milliseconds),
    }).status;
  assertEquals(at(1_000_000_999), "open");
  assertEquals(at(1_000_001_000), "expired");
});

Deno.test("calculateStatus() does not decide whether a pre-signed order is signed", () => {
  assertEquals(calculateStatus({ ...order, signingScheme: "presign" }, { now }), {
    status: null,
    oneOf: ["presignaturePending", "open"],
  });
});

Deno.test("effectiveValidTo() is the trader's own for EthFlow orders", () => {
  const ethflowData = { userValidTo: yesterday, refundTxHash: null };
  assertEquals(effectiveValidTo({ validTo: 4_294_967_295, ethflowData }), yesterday);
  assertEquals(statusOf({ validTo: 4_294_967_295, ethflowData }), "expired");
  assertEquals(effectiveValidTo({ validTo: tomorrow }), tomorrow);
});
