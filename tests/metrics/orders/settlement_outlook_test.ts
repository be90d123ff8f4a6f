import { assessSettlement, type OutlookFacts, SETTLING_MS } from "orderlens/metrics";
import type { Order, OrderEvent } from "orderlens/schemas";
import { assertEquals } from "@std/assert";
import { orderOf } from "../reports.ts";

/** Last second of the validity. */
const VALID_TO = 1_787_310_000;

/** A time some seconds after the last second of the validity. */
function after(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds((VALID_TO + seconds) * 1_000);
}

function assess(more: Partial<OutlookFacts> & { readonly status?: Order["status"] }) {
  const { status = "open", ...facts } = more;
  return assessSettlement({ order: orderOf({ status, validTo: VALID_TO }), now: null, ...facts });
}

const STAGES = [
  ...["open", "scheduled", "active", "solved", "executing", "traded", "cancelled"],
  ...["absent", null],
] as const;
/** The answer in a table: `+` for true, `-` for false, `?` for not known. */
const SIGNS = new Map([[true, "+"], [false, "-"], [null, "?"]]);

/**
 * The answer for each status and stage, in the order of `STAGES`: ten minutes before the end of the
 * validity, 6 s after it, and ten minutes after it.
 */
const TABLE: Readonly<Record<string, readonly [string, string, string]>> = {
  open: ["+++++++++", "+++++++++", "+++++++++"],
  presignaturePending: ["+++++++++", "+++++++++", "+++++++++"],
  // In its last block it may have been settled, unless no auction had it. What was executed and is not
  // indexed after minutes is not known.
  expired: ["+-+++++++", "+-+++++++", "-----?---"],
  // No answer says when it was cancelled; bids on it may be under way.
  cancelled: ["?-?+++?-?", "?-?+++?-?", "-----?---"],
  fulfilled: ["---------", "---------", "---------"],
  unheardOf: ["?????????", "?????????", "?????????"],
};

Deno.test("assessSettlement() has a verdict for each status, stage and time", () => {
  for (const [status, expected] of Object.entries(TABLE)) {
    const seen = [-600, 6, 600].map((seconds) =>
      STAGES.map((stage) =>
        SIGNS.get(
          assess({ status: status as Order["status"], stage, now: after(seconds) }).mayStillSettle,
        )
      ).join("")
    );
    assertEquals(seen, [...expected], status);
  }
});

Deno.test("assessSettlement() ends two minutes after the last second that the contract accepts", () => {
  const outlook = (now: Temporal.Instant) => assess({ status: "expired", stage: "executing", now });
  const until = after(1).add({ milliseconds: SETTLING_MS });
  assertEquals(`${until}`, `${after(121)}`);
  assertEquals(outlook(after(1)), { mayStillSettle: true, basis: "in_flight", until });
  assertEquals(outlook(until.subtract({ milliseconds: 1 })).mayStillSettle, true);
  assertEquals(outlook(until), { mayStillSettle: false, basis: "over", until: null });
  const ethflowData = { userValidTo: VALID_TO, refundTxHash: null };
  const order = orderOf({ status: "expired", validTo: 4_294_967_295, ethflowData });
  assertEquals(assessSettlement({ order, now: after(6) }).until, until);
  const refunded = { ...order, ethflowData: { ...ethflowData, refundTxHash: "0x4e" } };
  assertEquals(assessSettlement({ order: refunded, now: after(6) }).basis, "over");
});

Deno.test("assessSettlement() shows that an order was executed and is not indexed yet", () => {
  const basis = (more: Partial<OutlookFacts>) => {
    const { mayStillSettle, basis } = assess({ status: "expired", now: after(6), ...more });
    return [mayStillSettle, basis];
  };
  assertEquals(basis({ stage: "traded" }), [true, "executed"]);
  assertEquals(basis({ stage: "traded", now: after(600) }), [null, "executed"]);
  assertEquals(basis({ stage: "traded", now: null }), [null, "executed"]);
  // Trades that the order does not show yet.
  assertEquals(basis({ stage: "traded", boughtByTrades: 210n }), [true, "executed"]);
  // Of a part that was filled, the stage stays.
  const order = orderOf({ status: "expired", validTo: VALID_TO, executedBuyAmount: 21n });
  const facts = { order, stage: "traded", boughtByTrades: 21n } as const;
  assertEquals(basis(facts), [true, "in_flight"]);
  assertEquals(basis({ ...facts, now: after(600) }), [false, "over"]);
});

function eventsOf(...labels: readonly [seconds: number, label: string][]): OrderEvent[] {
  return labels.map(([seconds, label]) => ({ label, timestamp: after(seconds) }) as OrderEvent);
}

Deno.test("assessSettlement() dates a cancellation by its events, or by the first look", () => {
  const basis = (more: Partial<OutlookFacts>) => {
    const { mayStillSettle, until } = assess({ status: "cancelled", now: after(-300), ...more });
    return [mayStillSettle, until?.toString()];
  };
  const listed = eventsOf([-900, "created"], [-890, "ready"], [-310, "cancelled"]);
  assertEquals(basis({ events: listed }), [true, `${after(-190)}`]);
  assertEquals(basis({ events: listed, now: after(-190) }), [false, undefined]);
  // The auction that ran won afterwards.
  const won = [...listed, ...eventsOf([-305, "executing"])];
  assertEquals(basis({ events: won }), [true, `${after(-185)}`]);
  // No event of a cancellation on the chain: the win is the last thing that is known.
  const onchain = eventsOf([-900, "created"], [-890, "ready"], [-880, "executing"]);
  assertEquals(basis({ events: onchain }), [false, undefined]);
  assertEquals(basis({ events: onchain, now: after(-870) }), [true, `${after(-760)}`]);
  const waiting = eventsOf([-900, "created"], [-890, "ready"]);
  assertEquals(basis({ events: waiting }), [null, `${after(121)}`]);
  // Nobody can have won with what no auction had, unless by the fast path.
  const early = eventsOf([-900, "created"], [-880, "invalid"], [-310, "cancelled"]);
  assertEquals(basis({ events: early }), [false, undefined]);
  const fullAppData = '{"metadata":{"enableFastPath":true}}';
  const fast = orderOf({ status: "cancelled", validTo: VALID_TO, fullAppData });
  assertEquals(basis({ order: fast, events: early })[0], true);
  assertEquals(basis({ overSince: after(-310) }), [true, `${after(-190)}`]);
  assertEquals(basis({ overSince: after(-420) }), [false, undefined]);
  assertEquals(basis({ overSince: after(-310), isLastWinSettled: true })[0], false);
  assertEquals(basis({ overSince: after(-310), stage: "scheduled" })[0], false);
});

Deno.test("assessSettlement() treats a recording as final, unless a win is pending in it", () => {
  for (const status of ["expired", "cancelled"] as const) {
    const stages = STAGES.filter((stage) => stage !== "traded" && stage !== "executing");
    const answers = stages.map((stage) => assess({ status, stage }).mayStillSettle);
    assertEquals(answers, stages.map(() => false));
    const until = after(121);
    const unseen = { mayStillSettle: null, basis: "in_flight", until } as const;
    assertEquals(assess({ status, stage: "executing" }), unseen);
    assertEquals(assess({ status, stage: "open", isWinPending: true }), unseen);
    const failed = assess({ status, stage: "executing", isWinPending: false });
    assertEquals([failed.mayStillSettle, failed.basis], [false, "over"]);
  }
});
