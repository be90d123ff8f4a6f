import { assert, assertEquals, assertMatch } from "@std/assert";
import { orderPage, type OrderReport, orderText } from "orderlens/reports";
import { describeNow } from "../../../lib/reports/order/order_now.ts";
import { hex } from "../canned_book.ts";
import { reportsOf } from "../page/reports_of_verdicts.ts";

const [OPEN] = await reportsOf("market_1", ["0xd5f3d087"]);
const ORDER = OPEN!.order!;
const VALID_UNTIL = ORDER.validTo;
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
/** An event some seconds before the end of its validity. */
const eventOf = (label: string, seconds: number): OrderReport["timeline"][number] => ({
  ...{ at: at(VALID_UNTIL - seconds), latestAt: at(VALID_UNTIL - seconds), basis: "event" },
  ...{ block: null, kind: label === "cancelled" ? "cancelled" : "event", text: label, label },
  ...{ reason: null, auctionId: null, txHash: null },
});
const BASE: OrderReport = { ...OPEN!, auctions: [], timeline: [eventOf("created", 100)] };
const [AUCTION] = OPEN!.auctions;
const UNBID = { ...AUCTION!, bids: [], attempts: [] };
const SOLVER = hex("50", 20);
const WON = {
  ...UNBID,
  auctionId: 17,
  deadlineBlock: 1_280,
  outcome: "executing" as const,
  bids: [{ solver: SOLVER, ranking: 1, solverName: "solver_x", isWinner: true } as never],
};
const FUNDS: NonNullable<OrderReport["funds"]> = {
  ...{ moment: "now", block: 900, at: at(VALID_UNTIL - 9), neededAtoms: 100n, isChecked: true },
  ...{ remainingAtoms: 100n, missingBalanceAtoms: 60n, missingAllowanceAtoms: 0n },
  ...{ balanceAtoms: 40n, nativeAtoms: 0n, allowanceAtoms: 1_000n, isRelayerApproved: null },
  ...{ spender: hex("5e", 20), relayer: hex("44", 20) },
} as never;
const LACKS = { cause: "invalid", reason: "insufficient_balance" } as const;
/** The time of an event, as texts have it. */
const text = (seconds: number) => `${at(VALID_UNTIL - seconds)}`;

/** What differs of a report, when it was seen before the end, and what its order does then. */
const ROWS: readonly (readonly [Partial<OrderReport>, number | null, string])[] = [
  [
    { cause: "auction_running", timeline: [eventOf("ready", 20)] },
    15,
    `in_auction: An auction with it began at ${text(20)}: it runs, or was just decided`,
  ],
  [
    {
      cause: "no_bid_at_a_fair_limit",
      auctions: [UNBID, { ...UNBID, outcome: "won_not_settled", bids: [{} as never] }],
      timeline: [eventOf("ready", 90), eventOf("filtered", 60), eventOf("ready", 50)],
    },
    15,
    `between_auctions: It has been ready for auctions since ${
      text(50)
    }; 2 stored auctions since it was placed, 1 win not settled, 1 without a bid`,
  ],
  [
    { cause: "no_bid_at_a_fair_limit", auctions: [UNBID, UNBID], timeline: [eventOf("ready", 20)] },
    15,
    `in_auction: An auction with it began at ${
      text(20)
    }: it runs, or was just decided; 2 stored auctions so far, all without a bid`,
  ],
  // A recording has no time: what was last may have been long ago.
  [
    { cause: "no_bid_at_a_fair_limit", auctions: [UNBID], timeline: [eventOf("ready", 20)] },
    null,
    `between_auctions: It has been ready for auctions since ${
      text(20)
    }; 1 stored auction since it was placed, without a bid`,
  ],
  [
    {
      cause: "bids_unfair",
      auctions: [UNBID, { ...UNBID, outcome: "bids_unfair", bids: [{} as never] }],
      timeline: [],
    },
    15,
    "between_auctions: It is ready for auctions; 2 stored auctions so far, 1 with bids that were all filtered out, 1 without a bid",
  ],
  [
    {
      cause: "no_bid_at_a_fair_limit",
      auctions: [UNBID, UNBID],
      timeline: [],
      evidence: { ...OPEN!.evidence, walked: { isWhole: false } as never },
    },
    15,
    "between_auctions: It is ready for auctions; 2 stored auctions that were read so far, all without a bid",
  ],
  [
    {
      cause: "outbid",
      auctions: [{ ...UNBID, outcome: "settled" }, {
        ...UNBID,
        outcome: "outbid",
        bids: [{} as never],
      }],
      timeline: [],
    },
    15,
    "between_auctions: It is ready for auctions; 1 stored auction since its last fill, with bids that did not win",
  ],
  [
    {
      cause: "executing",
      auctions: [{
        ...WON,
        attempts: [
          {
            solver: SOLVER.toUpperCase().replace("X", "x"),
            solutionUid: 0,
            startTimestamp: at(VALID_UNTIL - 30),
            startBlock: 1_277,
            deadlineBlock: 1_281,
          } as never,
        ],
      }],
    },
    15,
    `settling: Solver solver_x won auction 17 with it, and has until block 1281 to settle it; it began at ${
      text(30)
    }`,
  ],
  [
    { cause: "executing", auctions: [WON] },
    15,
    "settling: Solver solver_x won auction 17 with it, and has until block 1280 to settle it",
  ],
  [{ cause: "executing" }, 15, "settling: A winning solution with it is being settled"],
  [
    { cause: "executed_not_indexed" },
    15,
    "indexing: It was executed, and its trade is not indexed yet",
  ],
  [
    { cause: "presignature_missing" },
    15,
    "presignature_missing: It waits for its pre-signature on the chain",
  ],
  [
    {
      ...LACKS,
      timeline: [eventOf("ready", 90), eventOf("invalid", 80), eventOf("invalid", 70)],
      funds: FUNDS,
    },
    15,
    `left_out: The service has left it out of auctions since ${
      text(80)
    } for lack of balance or allowance`,
  ],
  [
    { ...LACKS, timeline: [], funds: { ...FUNDS, missingBalanceAtoms: 0n } },
    15,
    "left_out: The service leaves it out of auctions for lack of balance or allowance; in block 900, the latest one, nothing is missing",
  ],
  [
    { cause: "filtered", reason: "dust_order", timeline: [] },
    15,
    "left_out: The service leaves it out of auctions for being too small",
  ],
  [
    { cause: "won_not_settled", timeline: [eventOf("executing", 40), eventOf("filtered", 30)] },
    15,
    `left_out: The service has left it out of auctions since ${
      text(30)
    } with a settlement of it pending, which has failed`,
  ],
  [{ cause: "never_in_an_auction" }, 15, "waiting: It waits for an auction"],
  [
    { cause: "unknown", stage: { derived: null, reported: "active", agrees: null } },
    15,
    "in_auction: It is in an auction that runs or was just decided",
  ],
  // It stays at this stage after a fill in part.
  [
    {
      cause: "unknown",
      stage: { derived: "traded", reported: "traded", agrees: true },
      fills: [{} as never],
    },
    15,
    "unknown: The rest can still be filled; the service shows no stage of it",
  ],
  // The stage is ahead of the status.
  [
    { cause: "unknown", stage: { derived: null, reported: "cancelled", agrees: null } },
    15,
    "unknown: Its status is open, its stage already cancelled: one of them is behind",
  ],
  // The event is of the first of several auctions.
  [
    {
      cause: "no_bid_at_a_fair_limit",
      auctions: [UNBID],
      timeline: [eventOf("ready", 20), { ...eventOf("ready", 18), kind: "auction", label: null }],
    },
    15,
    `between_auctions: It has been ready for auctions since ${
      text(20)
    }; 1 stored auction since it was placed, without a bid`,
  ],
  [
    {
      cause: "outbid",
      order: { ...ORDER, status: "expired" },
      outlook: { mayStillSettle: true, basis: "in_flight", until: at(VALID_UNTIL) },
    },
    -1,
    "settling: It has expired, and a settlement from before its end may still fill it",
  ],
  [{ cause: "outbid" }, -1, "unknown: Its validity is over, and its status is still open"],
];

Deno.test("describeNow() says what an order does, since when, and until when", () => {
  for (const [differs, seconds, expected] of ROWS) {
    const seenAt = seconds === null ? null : at(VALID_UNTIL - seconds);
    const now = describeNow({ ...BASE, ...differs }, seenAt)!;
    assertEquals(`${now.state}: ${now.text}`, expected);
    assertEquals(now.until?.epochMilliseconds, VALID_UNTIL * 1_000);
  }
});

Deno.test("describeNow() ends with the first second of a validity, or with what an ended order waits for", () => {
  const early = { ...ORDER, validFrom: VALID_UNTIL - 60 };
  const now = describeNow({ ...BASE, cause: "not_valid_yet", order: early }, at(VALID_UNTIL - 90))!;
  assertEquals(`${now.text}, ${now.until}`, `It is not valid yet, ${text(60)}`);
  const outlook = {
    mayStillSettle: true,
    basis: "in_flight",
    until: at(VALID_UNTIL + 121),
  } as const;
  const cancelled = { ...ORDER, status: "cancelled" } as const;
  const pending = describeNow({ ...BASE, cause: "cancelled", order: cancelled, outlook }, null)!;
  assertEquals(pending.text, "It is cancelled, and a settlement from before may still fill it");
  assertEquals(`${pending.until}`, text(-121));
});

Deno.test("describeNow() has nothing about an order that is final, or may be", () => {
  for (const mayStillSettle of [false, null]) {
    const outlook = { mayStillSettle, basis: "over", until: null } as const;
    assertEquals(describeNow({ ...BASE, outlook }, null), null);
  }
});

Deno.test("describeNow() takes 200,000 events", () => {
  const timeline = Array.from({ length: 200_000 }, (_, index) => eventOf("ready", 300_000 - index));
  assertEquals(describeNow({ ...BASE, timeline, cause: "outbid" }, null)?.since, timeline[0]!.at);
});

Deno.test("pages and texts of an open order begin with now, and have its verdict so far", async () => {
  const timed = { ...OPEN!, evidence: { ...OPEN!.evidence, isTimed: true } };
  const text = orderText(timed);
  assertMatch(
    text,
    /^Order .*\[Open\]\n\nNow, 2026-11-21 15:28:45\.127 UTC\nIt has been ready for auctions/,
  );
  assertMatch(text, /Valid\s+until\s+2026-11-21\s+15:32:09\s+UTC\s+\(in\s+3\s+min\)\./);
  assertMatch(text, /\n\nSo far: nobody bid on it/);
  const page = await orderPage(timed, { charts: false });
  const parts = [
    "<strong>Now</strong>",
    '<span class="left"> (in 3 min)</span>',
    "<h1>So far: nobody",
  ];
  const indexes = parts.map((part) => page.indexOf(part));
  assertEquals(indexes.includes(-1), false, parts[indexes.indexOf(-1)]);
  assertEquals(indexes, indexes.toSorted((a, b) => a - b));
});

Deno.test("pages and texts count no time from responses that have none", async () => {
  for (const report of await reportsOf("market_1", ["0xd5f3d087", "0x500b5278", "0x00142bf0"])) {
    assertEquals(report.evidence.isTimed, false);
    for (const text of [orderText(report), await orderPage(report, { charts: false })]) {
      assertMatch(text, / UTC or later/);
      assert(
        !/\(in \d+ |\d+ (?:s|min|h|d) ago/.test(text.split("application/json")[0]!),
        report.uid,
      );
    }
  }
});
