import type { Order, OrderEvent } from "orderlens/schemas";
import {
  type AuctionEvidence,
  buildVerdict,
  nameVerdict,
  ORDER_CAUSES,
  type OrderCause,
} from "../../../lib/reports/order/verdicts.ts";
import { reportDeposit } from "../../../lib/reports/order/ethflow_deposit.ts";
import { judgeOrder, type OrderFacts } from "../../../lib/reports/order/judge_order.ts";
import { formatSentence } from "../../../lib/reports/order/format_sentence.ts";
import { marketPosition } from "orderlens/metrics";
import { Decimal } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { orderOf } from "../../metrics/reports.ts";

const NOW = Temporal.Instant.from("2026-08-21T10:05:00Z");
const FILL = {
  blockNumber: 103,
  logIndex: 2,
  txHash: "0xaa",
  auctionId: 7,
  sellAmount: 100n,
  buyAmount: 210n,
  sellAmountBeforeFees: 100n,
};
const BID = {
  auctionId: 7,
  ranking: 1,
  solver: "0x50",
  score: 1n,
  isWinner: false,
  filteredOut: false,
  sellAmount: 100n,
  buyAmount: 210n,
};

/** An auction whose prices make the limit of 100 for 200 fair: 2 for the sell token, 1 for the other. */
function auctionOf(more: Partial<AuctionEvidence> = {}): AuctionEvidence {
  return {
    auctionId: 7,
    block: 100,
    deadlineBlock: 104,
    role: "listed",
    prices: { sell: 2n, buy: 1n },
    bids: [],
    fills: [],
    attempts: null,
    ...more,
  };
}

const WON = auctionOf({ bids: [{ ...BID, isWinner: true }] });
const LOST = auctionOf({ bids: [BID] });

function eventsOf(...labels: (string | [string, string])[]): OrderEvent[] {
  return labels.map((each, second) => {
    const [label, reason] = typeof each === "string" ? [each] : each;
    const timestamp = NOW.subtract({ seconds: labels.length - second });
    return { label, timestamp, ...reason !== undefined && { reason } } as OrderEvent;
  });
}

const EXPIRED = orderOf({ status: "expired" });
const OPEN = orderOf();
const FILLED = orderOf({ status: "fulfilled" });

/** The order of a row, by the first word of its sentence. */
const ORDERS: Readonly<Record<string, Order>> = {
  Filled: FILLED,
  Expired: EXPIRED,
  Open: OPEN,
  Cancelled: orderOf({ status: "cancelled" }),
};

/** What decides, and what is then known besides the order; once or in several ways. */
function by(cause: OrderCause, ...known: readonly Partial<OrderFacts>[]) {
  return { cause, known };
}

/** Six seconds after the last second of the validity. */
const JUST_EXPIRED = Temporal.Instant.fromEpochMilliseconds((OPEN.validTo + 6) * 1_000);
const LONG_EXPIRED = Temporal.Instant.fromEpochMilliseconds((OPEN.validTo + 121) * 1_000);
const LATE = { ...FILL, blockNumber: 105 };
const IN_FLIGHT = eventsOf("created", "ready", "executing", ["filtered", "in_flight"]);
const PENDING = { ...WON, attempts: [] };
const FAILED = { ...WON, attempts: [{ outcome: "timeout" }] } as never as AuctionEvidence;

/** A quote of 100 for 210, of which a fee of 5 takes 10: an order for 200 at most is in market. */
const QUOTE = {
  gasAmount: new Decimal(5n, 0),
  gasPrice: new Decimal(1n, 0),
  sellTokenPrice: new Decimal(1n, 0),
  sellAmount: 100n,
  buyAmount: 210n,
};

/** What is known of an order, by the sentence that says what became of it. */
const ROWS = {
  "This deployment does not have the order. It may be on another one: a UID names neither its network nor its environment.":
    by("unknown_here", { order: null }),
  "Settled outside the auction's list of orders: a solver added it as liquidity.": by(
    "jit_liquidity",
    {
      order: FILLED,
      fills: [FILL],
      auctions: [auctionOf({ fills: [FILL], role: "liquidity" })],
    },
  ),
  "Settled outside the auction's list of orders: a solver added it, and its owner captures surplus.":
    by("jit_capturing", {
      order: FILLED,
      fills: [FILL],
      auctions: [auctionOf({ fills: [FILL], role: "capturing" })],
    }),
  "Filled, in a transaction that no response shows.": by("filled", {
    fills: [FILL],
    auctions: [auctionOf({ fills: [FILL] })],
  }),
  "Filled, 0 blocks after the deadline of its auction.": by("filled_late", {
    fills: [LATE],
    auctions: [auctionOf({ fills: [LATE] })],
  }),
  "Cancelled with nothing filled: order 0x02020202…020202 replaced it.": by("replaced", {
    replacedBy: `0x${"02".repeat(56)}`,
  }),
  "Cancelled after at least 2 auctions with nothing filled.": by("cancelled", {
    auctions: [auctionOf(), auctionOf()],
  }),
  "Refunded; its ETH went back to its trader in transaction 0x4e.": by("refunded", {
    order: { ...EXPIRED, ethflowData: { userValidTo: 1, refundTxHash: "0x4e" } },
  }),
  "Not placed: the service rejected this on-chain order with invalidQuote.": by(
    "placement_failed",
    {
      order: { ...OPEN, onchainOrderData: { sender: "0x77", placementError: "invalidQuote" } },
    },
  ),
  "Waiting: its pre-signature is not on the chain.": by("presignature_missing", {
    order: orderOf({ status: "presignaturePending" }),
  }),
  "Expired: its pre-signature was not on the chain.": by("presignature_missing", {
    order: { ...EXPIRED, signingScheme: "presign" },
    events: eventsOf("created", ["invalid", "invalid_signature"]),
  }),
  "Open: it is not valid yet.": by("not_valid_yet", {
    order: { ...OPEN, validFrom: 1_900_000_000 },
    stage: { type: "scheduled" },
  }),
  "Expired: it could not be settled for lack of balance or allowance.": by("invalid", {
    events: eventsOf("created", ["invalid", "insufficient_balance"]),
  }),
  "Expired: it could not be settled for lack of balance or allowance; in 2 auctions before, nobody bid on it; in 1 auction before, no bid on it won.":
    by("invalid", {
      events: eventsOf("created", "ready", "considered", ["invalid", "insufficient_balance"]),
      auctions: [auctionOf(), auctionOf(), LOST],
    }),
  "Expired with 50.0% filled: the rest could not be settled for lack of balance or allowance.": by(
    "invalid",
    {
      order: { ...EXPIRED, executedSellAmountBeforeFees: 50n },
      events: eventsOf("created", ["invalid", "insufficient_balance"]),
    },
  ),
  "Open: the protocol leaves it out of auctions for being too small.": by("filtered", {
    events: eventsOf("created", "ready", ["filtered", "dust_order"]),
  }),
  "Expired: a solution with it won its only stored auction, and was not settled.": by(
    "won_not_settled",
    {
      events: eventsOf("created", "ready", "executing"),
      auctions: [WON],
      seenAt: LONG_EXPIRED,
    },
    { events: eventsOf("created", "ready", "executing"), auctions: [FAILED] },
  ),
  "Expired: a solution with it won an auction, and was not settled.": by("won_not_settled", {
    stage: { type: "executing" },
    seenAt: LONG_EXPIRED,
  }),
  "Expired: the settlement of a winning solution with it could still have been mined, which the responses do not show.":
    by(
      "executing",
      { stage: { type: "executing" } },
      { events: eventsOf("created", "ready", "executing") },
      { events: eventsOf("created", "ready", "executing"), auctions: [WON] },
    ),
  "Cancelled: the settlement of a winning solution with it could still have been mined, which the responses do not show.":
    by(
      "executing",
      { stage: { type: "executing" } },
      { events: eventsOf("created", "ready", "executing", "cancelled"), auctions: [PENDING] },
    ),
  "Open: a solution with it won its only auction that is known, and was not settled.": by(
    "won_not_settled",
    { stage: { type: "active" }, isLastAuctionKnown: true, auctions: [WON] },
  ),
  "Open: a winning solution with it is being settled.": by(
    "executing",
    { events: IN_FLIGHT, auctions: [PENDING] },
    { events: eventsOf("created", "ready", "executing"), auctions: [PENDING] },
  ),
  "Expired: a solution with it won the last of its 2 stored auctions, and was not settled; in 1 auction before, no bid on it won.":
    by("won_not_settled", { events: IN_FLIGHT, auctions: [LOST, WON], seenAt: LONG_EXPIRED }),
  "Open: the protocol leaves it out of auctions with a settlement of it pending.": by("filtered", {
    events: eventsOf("created", ["filtered", "in_flight"]),
  }),
  "Filled, in a transaction that no response shows, although it was cancelled before.": by(
    "filled",
    {
      order: { ...FILLED, invalidated: true },
      events: eventsOf("created", "cancelled", "ready", "executing", "traded"),
    },
  ),
  "Filled, in a transaction that no response shows, although it was cancelled while an auction with it was under way.":
    by("filled", {
      order: { ...FILLED, invalidated: true },
      events: eventsOf("created", "ready", "cancelled", "executing", "traded"),
    }),
  "Filled, in a transaction that no response shows, although it was also cancelled.": by("filled", {
    order: { ...FILLED, invalidated: true },
    stage: { type: "traded" },
  }),
  "Expired: every bid on it was filtered out as unfair in the last of its 2 stored auctions; in 1 auction before, nobody bid on it.":
    by("bids_unfair", {
      events: eventsOf("created", "ready"),
      auctions: [auctionOf(), auctionOf({ bids: [{ ...BID, filteredOut: true }] })],
    }),
  "Expired: no bid on it won in any of its 2 stored auctions.": by("outbid", {
    stage: { type: "solved" },
    areAuctionsComplete: true,
    auctions: [LOST, LOST],
  }),
  "Expired: nobody bid on it in its only stored auction, and native prices did not meet its limit.":
    by(
      "no_bid_limit_beyond_market",
      {
        stage: { type: "active" },
        areAuctionsComplete: true,
        auctions: [auctionOf({ prices: { sell: 2n, buy: 2n } })],
      },
    ),
  "Expired: nobody bid on it in any of its 3 stored auctions.": by("no_bid_at_a_fair_limit", {
    events: eventsOf("created", "ready"),
    auctions: [1, 2, 3].map(() => auctionOf()),
  }),
  "Expired: it went to solvers, but the service stored no such auction: it stores none in which nobody bid on anything.":
    by("ready_in_no_stored_auction", { stage: { type: "active" }, areAuctionsComplete: true }),
  "Expired: it was in no auction.": by("never_in_an_auction", { events: eventsOf("created") }),
  "Open: it was in no auction yet.": by("never_in_an_auction", { events: eventsOf("created") }, {
    order: { ...OPEN, signingScheme: "presign" },
    events: eventsOf("created", ["invalid", "invalid_signature"]),
  }),
  "Open: its first auction is still running.": by("auction_running", {
    events: eventsOf("created", "ready"),
    seenAt: NOW,
  }),
  "Open: an auction with it is still running.": by("auction_running", {
    events: eventsOf("created", "ready", ["invalid", "insufficient_balance"], "ready"),
    seenAt: NOW,
  }),
  "Open: it went to solvers, but the service stored no such auction: it stores one once it is decided, if anybody bid on anything.":
    by("ready_in_no_stored_auction", {
      events: eventsOf("created", "ready"),
      seenAt: NOW.add({ seconds: 60 }),
    }, { events: eventsOf("created", "ready") }),
  "Open: its first auction is still running, or is just over without a win.": by("unknown", {
    order: { ...OPEN, creationDate: NOW.subtract({ seconds: 3 }) },
    stage: { type: "active" },
    seenAt: NOW,
  }),
  "Open: it was executed, and its trade is not indexed yet.": by(
    "executed_not_indexed",
    { stage: { type: "traded" } },
    { events: eventsOf("created", "ready", "executing", "traded") },
  ),
  "Expired: the service recorded that it was executed, but lists no trade of it.": by(
    "executed_not_indexed",
    { stage: { type: "traded" } },
  ),
  "Expired: a winning solution with it may have been settled in its last seconds.": by(
    "executing",
    { stage: { type: "executing" }, seenAt: JUST_EXPIRED },
    { events: IN_FLIGHT, auctions: [PENDING], seenAt: JUST_EXPIRED },
    { events: eventsOf("created", "ready", "executing"), seenAt: JUST_EXPIRED },
  ),
  "Cancelled: a winning solution with it may still be settled.": by(
    "executing",
    { stage: { type: "executing" }, seenAt: NOW },
    { events: eventsOf("created", "ready", "cancelled", "executing"), seenAt: NOW },
  ),
  "Cancelled with nothing filled; a settlement from before its end may still fill it.": by(
    "cancelled",
    {
      events: eventsOf("created", "ready", "cancelled"),
      seenAt: NOW,
    },
  ),
  "Expired: no bid on it won in its only stored auction; a settlement from before its end may still fill it.":
    by("outbid", {
      events: eventsOf("created", "ready", "considered"),
      auctions: [LOST],
      seenAt: JUST_EXPIRED,
    }),
  "Expired: the service has no events of it, so the reason is unknown.": by("evidence_gone", {
    stage: "absent",
  }),
  "Expired: no bid on it won in the latest auction.": by("unknown", {
    stage: { type: "solved" },
  }),
  "Open: no bid on it won in the latest auction; in 2 auctions before, nobody bid on it.": by(
    "unknown",
    { stage: { type: "solved" }, auctions: [auctionOf(), auctionOf()] },
  ),
  "Open: it is in auctions, and no response shows whether anybody bid on it.": by("unknown", {
    stage: { type: "active" },
  }),
  "Open: it is in auctions, and no response shows whether anybody bid on it; its quote did not meet its limit after network costs.":
    by("unknown", { order: { ...OPEN, quote: quoteOf(209n) }, stage: { type: "active" } }),
  "Open: the service leaves it out of auctions, and no response shows why: it may be too little balance or allowance, a token without a native price, a settlement of it that is pending, or a settlement of it that failed; in 1 auction before, no bid on it won.":
    by("unknown", { stage: { type: "open" }, auctions: [LOST] }),
  "Expired: the service left it out of auctions in the end, and no response shows why: it may be too little balance or allowance, a token without a native price, or a settlement of it that failed.":
    by("unknown", { stage: { type: "open" } }),
  "Expired: the service left it out of auctions in the end, and no response shows why: it may be a pre-signature that was taken back, too little balance or allowance, a token without a native price, or a settlement of it that failed; in 1 auction before, no bid on it won.":
    by("unknown", {
      order: { ...EXPIRED, signingScheme: "presign" },
      stage: { type: "open" },
      auctions: [LOST],
    }),
  "Open; the responses do not show what keeps it from being filled.": by("unknown", {}, {
    order: { ...OPEN, signingScheme: "presign" },
    stage: { type: "open" },
  }),
  "Open: the service has no events of it, so what keeps it from being filled is unknown; in 1 auction before, no bid on it won.":
    by("evidence_gone", { stage: "absent", auctions: [LOST] }),
};

function factsOf(more: Partial<OrderFacts>): OrderFacts {
  return {
    order: OPEN,
    fills: [],
    auctions: [],
    areAuctionsComplete: false,
    events: null,
    stage: null,
    replacedBy: null,
    now: NOW,
    ...more,
  };
}

Deno.test("judgeOrder() reaches every cause, and a sentence says it", () => {
  for (const [sentence, { cause, known }] of Object.entries(ROWS)) {
    const order = ORDERS[sentence.match(/^\w+/)![0]];
    for (const facts of known.map((one) => factsOf({ ...order && { order }, ...one }))) {
      const judgement = judgeOrder(facts);
      assertEquals(judgement.cause, cause, sentence);
      const life = { events: facts.events };
      const { order, replacedBy } = facts;
      const deposit = order === null ? null : reportDeposit(order, 1);
      const own = { order, fills: [], replacedBy, funds: [], deposit };
      const said = formatSentence({ ...own, judgement, life });
      assertEquals(said, sentence);
    }
  }
  // Whether an order is a part that was not posted shows on the chain alone: see tests/peers.
  const judged = ORDER_CAUSES.filter((cause) => cause !== "part_not_posted");
  assertEquals(new Set(Object.values(ROWS).map(({ cause }) => cause)), new Set(judged));
});

Deno.test("judgeOrder() compares a limit with the order's quote, and with native prices only without one", () => {
  const beyond = { sell: 2n, buy: 2n };
  const within = { sell: 2n, buy: 1n };
  const judged = (buyAmount: bigint, prices: AuctionEvidence["prices"]) => {
    const order = orderOf({ status: "expired", buyAmount, quote: QUOTE as never });
    const facts = factsOf({
      order,
      events: eventsOf("created", "ready"),
      auctions: [auctionOf({ prices })],
    });
    const judgement = judgeOrder(facts);
    const position = marketPosition(order, order.quote).position;
    const said = formatSentence({
      order,
      judgement,
      fills: [],
      replacedBy: null,
      funds: [],
      deposit: null,
    });
    return [position, judgement.cause, /its quote .*$/.exec(said)?.[0]];
  };
  for (const prices of [beyond, within, null]) {
    assertEquals(judged(200n, prices), [
      "in_market",
      "no_bid_at_a_fair_limit",
      "its quote met its limit after network costs.",
    ]);
    assertEquals(judged(201n, prices), [
      "out_of_market",
      "no_bid_limit_beyond_market",
      "its quote did not meet its limit after network costs.",
    ]);
  }
});

Deno.test("judgeOrder() lets the last auction count once it is known, also if earlier ones are not", () => {
  const tail = { order: EXPIRED, stage: { type: "active" as const }, auctions: [LOST] };
  assertEquals(judgeOrder(factsOf({ ...tail, isLastAuctionKnown: true })).cause, "outbid");
  assertEquals(judgeOrder(factsOf(tail)).cause, "unknown");
  const none = { ...tail, auctions: [], isLastAuctionKnown: true };
  assertEquals(judgeOrder(factsOf(none)).cause, "unknown");
});

/**
 * What excludes a possible cause of an order whose last event is that it was ready, by the cause: the
 * evidence that does, and the nearest that does not.
 */
const EXCLUSIONS: Readonly<
  Partial<Record<OrderCause, readonly [does: Partial<OrderFacts>, doesNot: Partial<OrderFacts>]>>
> = {
  // A limit of 200 is within a quote of 200 after its fee, whatever an auction's prices were.
  no_bid_limit_beyond_market: [
    { order: { ...EXPIRED, quote: quoteOf(210n) } },
    { auctions: [auctionOf()] },
  ],
  no_bid_at_a_fair_limit: [
    { order: { ...EXPIRED, quote: quoteOf(209n) } },
    { auctions: [auctionOf({ prices: { sell: 2n, buy: 2n } })] },
  ],
  // One stored auction that listed it, unless it was filled since.
  ready_in_no_stored_auction: [
    { auctions: [LOST] },
    { auctions: [auctionOf({ fills: [FILL] })], fills: [FILL] },
  ],
  // The last auction that listed it, and no other: each may end in another way.
  outbid: [{ auctions: [LOST, auctionOf()], isLastAuctionKnown: true }, {
    auctions: [auctionOf()],
  }],
  bids_unfair: [{ auctions: [auctionOf()], isLastAuctionKnown: true }, { auctions: [LOST] }],
  won_not_settled: [{ auctions: [LOST], areAuctionsComplete: true }, { auctions: [LOST, LOST] }],
};

function quoteOf(buyAmount: bigint): NonNullable<Order["quote"]> {
  return { ...QUOTE, buyAmount } as never;
}

Deno.test("judgeOrder() excludes a cause by the evidence that shows it, and by no sample of auctions", () => {
  const ready = { order: EXPIRED, stage: { type: "active" as const } };
  const fittingOf = (more: Partial<OrderFacts>) => {
    const { cause, possible } = judgeOrder(factsOf({ ...ready, ...more }));
    return cause === "unknown" ? possible : [cause];
  };
  const all = fittingOf({});
  assertEquals([...all].sort(), Object.keys(EXCLUSIONS).sort());
  for (const [cause, [does, doesNot]] of Object.entries(EXCLUSIONS)) {
    assertEquals(fittingOf(does).includes(cause as OrderCause), false, `${cause} is excluded`);
    assertEquals(fittingOf(doesNot).includes(cause as OrderCause), true, `${cause} is possible`);
  }
  // A stage that says that it was bid on excludes that nobody did, whatever the visible auctions show.
  const solved = { stage: { type: "solved" as const }, areAuctionsComplete: true };
  assertEquals(fittingOf({ ...solved, auctions: [auctionOf()] }), ["bids_unfair", "outbid"]);
  assertEquals(fittingOf({ ...solved, auctions: [LOST] }), ["outbid"]);
});

Deno.test("judgeOrder() and its sentence claim no more of a sample than was read", () => {
  const walked = { isWhole: false } as never;
  const said = (more: Partial<OrderFacts>) => {
    const facts = factsOf({ order: EXPIRED, stage: { type: "active" }, ...more });
    const judgement = judgeOrder(facts);
    const own = { order: EXPIRED, fills: [], replacedBy: null, funds: [], deposit: null };
    return formatSentence({ ...own, judgement, evidence: { walked } });
  };
  const auctions = [auctionOf(), auctionOf()];
  assertEquals(
    said({ auctions, isLastAuctionKnown: true }),
    "Expired: nobody bid on it in any of its 2 auctions that were read.",
  );
  assertEquals(
    said({ auctions: [LOST] }),
    "Expired: no bid on it won in its only auction that was read; its last auctions are not known.",
  );
});

Deno.test("judgeOrder() does not take a win for pending once the order was in an auction again", () => {
  const outcomesOf = (more: Partial<OrderFacts>) => judgeOrder(factsOf(more)).outcomes;
  const stage = { type: "open" as const };
  assertEquals(outcomesOf({ stage, auctions: [WON] }), ["executing"]);
  assertEquals(outcomesOf({ stage, auctions: [WON, LOST] }), ["won_not_settled", "outbid"]);
  assertEquals(outcomesOf({ stage: { type: "solved" }, auctions: [WON] }), ["won_not_settled"]);
  assertEquals(outcomesOf({ events: eventsOf("ready"), auctions: [WON] }), ["won_not_settled"]);
});

Deno.test("judgeOrder() looks at what came after the last fill", () => {
  const auctions = [LOST, auctionOf({ fills: [FILL] }), auctionOf()];
  const facts = factsOf({
    order: EXPIRED,
    fills: [FILL],
    auctions,
    events: eventsOf("created", "traded", "ready"),
  });
  const judgement = judgeOrder(facts);
  assertEquals(judgement.cause, "no_bid_at_a_fair_limit");
  assertEquals(judgement.outcomes, ["outbid", "settled", "no_bid_at_a_fair_limit"]);
  const before = { ...facts, auctions: auctions.slice(0, 2) };
  const again = judgeOrder({ ...before, events: eventsOf("traded") });
  assertEquals(again.cause, "never_in_an_auction");
  const told = { order: EXPIRED, fills: [], replacedBy: null, funds: [], deposit: null };
  assertEquals(
    formatSentence({ ...told, judgement: again }),
    "Expired: it was in no further auction.",
  );
  assertEquals(
    formatSentence({ ...told, judgement: judgeOrder(before) }),
    "Expired: it went to solvers after its last fill, but the service stored no such auction: it stores none in which nobody bid on anything.",
  );
});

Deno.test("verdictOf() puts the status in front where the cause does not say it", () => {
  const of = (cause: OrderCause, status: string, isPartlyFilled = false) =>
    buildVerdict({ cause, status, isPartlyFilled });
  assertEquals(of("outbid", "expired"), "expired_outbid");
  assertEquals(of("outbid", "open", true), "partly_filled_open_outbid");
  assertEquals(of("cancelled", "cancelled", true), "partly_filled_cancelled");
  assertEquals(of("filled", "fulfilled"), "filled");
  assertEquals(of("executing", "cancelled"), "cancelled_executing");
  assertEquals(of("presignature_missing", "presignaturePending"), "presignature_missing");
});

Deno.test("nameVerdict() names verdicts and their classes in words", () => {
  const NAMES = {
    filled: "filled",
    open_no_bid_at_a_fair_limit: "open: no bid, with a limit within the market",
    partly_filled_expired_outbid: "partly filled, expired: outbid",
    partly_filled_cancelled: "partly filled, cancelled",
    cancelled_executing: "cancelled: being settled",
    presignature_missing: "no pre-signature",
    partly_filled: "partly filled",
    expired: "expired",
    constructor: "constructor",
  };
  assertEquals(Object.keys(NAMES).map(nameVerdict), Object.values(NAMES));
});
