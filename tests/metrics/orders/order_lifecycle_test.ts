import { InputError, type Order } from "orderlens";
import { AuctionTimes, orderLifecycle } from "orderlens/metrics";
import type { DebugAuction, ProposedSolution, SettlementAttempt } from "orderlens/schemas";
import { ratio } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { auctionOf } from "../auctions.ts";
import {
  at,
  attemptOf,
  debugAuctionOf,
  event,
  orderOf,
  proposedOf,
  reportOf,
  tradeOf,
} from "../reports.ts";

const SECOND = 1_000_000_000n;

function timesOf(...blocks: [number, second: number][]): AuctionTimes {
  const blockTimes = new Map(blocks.map(([block, second]) => [block, at(second)]));
  return new AuctionTimes([], { blockTimes });
}

function proposed(solutionUid: number): ProposedSolution {
  return proposedOf({
    solutionUid,
    ranking: solutionUid + 1,
    isWinner: solutionUid === 0,
    score: 10n,
    executedSell: 100n,
    executedBuy: 210n - BigInt(solutionUid),
  });
}

function attempt(solutionUid: number, outcome?: string): SettlementAttempt {
  const ended = outcome === undefined ? {} : { outcome, endBlock: 102, endTimestamp: at(6) };
  return attemptOf({ solutionUid, startTimestamp: at(5), ...ended });
}

const filled: Partial<Order> = {
  executedSellAmount: 100n,
  executedSellAmountBeforeFees: 100n,
  executedBuyAmount: 210n,
  status: "fulfilled",
};

const auction: DebugAuction = debugAuctionOf(7, {
  proposedSolutions: [proposed(0), proposed(1)],
  // Attempts at other solutions, or that have not ended, are no failures of it.
  settlementAttempts: [attempt(0, "success"), attempt(0), attempt(1, "timeout")],
});

const events = [
  event("created", 0),
  event("invalid", 1, "insufficient_balance"),
  event("ready", 4),
  event("filtered", 6, "in_flight"),
  event("traded", 7),
  event("invalid", 8, "insufficient_balance"),
  event("traded", 20),
];

Deno.test("orderLifecycle() of a filled order returns times, bids, fills and amounts left on the table", () => {
  const order = orderOf(filled);
  const trades = [{ ...tradeOf(), auctionId: 7 }];
  const report = reportOf({ order, events, auctions: [auction], trades });
  const life = orderLifecycle({ order, debugReport: report }, { now: at(60) });
  assertEquals(life.status.agrees, true);
  assertEquals(life.why, "Fulfilled: 100 of 100 sell-token atoms filled");
  assertEquals([life.toFirstFillNs, life.toLastFillNs], [7n * SECOND, 20n * SECOND]);
  // Three seconds without funds before the first fill do not count, the one in flight does.
  assertEquals(life.toHappyMooNs, 4n * SECOND);
  assertEquals([life.invalidNs, life.filteredNs], [15n * SECOND, 1n * SECOND]);
  assertEquals([life.auctions.length, life.bidCount], [1, 2]);
  const { txHash, auctionId, ...amounts } = life.fills[0]!;
  assertEquals([life.fills.length, txHash, auctionId], [1, "0xab", 7]);
  assertEquals(amounts, {
    blockNumber: 102,
    logIndex: 3,
    sellAmount: 100n,
    sellAmountBeforeFees: 100n,
    buyAmount: 210n,
  });
  assertEquals(life.filledFraction, ratio(100n, 100n));
  assertEquals(life.failedAttempts, []);
  assertEquals(life.leftOnTheTable.map(({ atoms }) => atoms), [-1n]);
  assertEquals(life.stage, { derived: "traded", reported: null, agrees: null });
  assertEquals(life.unknown, []);
});

Deno.test("orderLifecycle() takes an attempt for its own if number and solver are those of its winner", () => {
  const own = { ...attempt(0, "timeout"), solver: "0xA0" };
  const settlementAttempts = [own, { ...own, solver: "0xB0" }, { ...own, solutionUid: 1 }];
  const order = orderOf();
  const auctions = [{ ...auction, settlementAttempts }];
  const life = orderLifecycle({ order, debugReport: reportOf({ order, auctions }) }, {
    now: at(9),
  });
  assertEquals(life.failedAttempts, [{ ...own, auctionId: 7 }]);
});

Deno.test("orderLifecycle() rejects an order or a debug report alone, with a remedy", () => {
  for (
    const [evidence, words] of [
      [orderOf(), "without its order"],
      [{ order: orderOf(), trades: [{ blockNumber: 1 }] }, "from trades without orderUid"],
    ] as const
  ) {
    assertThrows(
      () => orderLifecycle(evidence as never, { now: at(5) }),
      InputError,
      `Cannot compute the lifecycle of an order ${words}\nFix: Pass { order, trades, debugReport }`,
    );
  }
});

Deno.test("orderLifecycle() measures time in a state up to now, or to the expiry", () => {
  const validTo = at(9).epochMilliseconds / 1_000;
  const order = orderOf({ validTo });
  const debugReport = reportOf({ order, events: [event("created", 0), event("invalid", 2)] });
  const early = orderLifecycle({ order, debugReport }, { now: at(5) });
  assertEquals([early.status.calculated.status, early.invalidNs], ["open", 3n * SECOND]);
  const expired = { ...order, status: "expired" };
  const late = orderLifecycle({ order: expired, debugReport }, { now: at(500) });
  const before = orderLifecycle({ order: expired, debugReport }, { now: at(5) });
  assertEquals(before.invalidNs, 8n * SECOND);
  assertEquals([late.status.agrees, late.invalidNs], [true, 8n * SECOND]);
  assertEquals(
    late.why,
    "Expired with 0 of 100 sell-token atoms filled; its latest event is invalid",
  );
});

Deno.test("orderLifecycle() compares the reported stage with its events and fills", () => {
  const order = orderOf();
  const debugReport = reportOf({ order, events: [event("created", 0), event("ready", 1)] });
  const stageOf = (type: string) =>
    orderLifecycle({ order, debugReport, competitionStatus: { type } }, { now: at(5) }).stage;
  assertEquals(stageOf("active"), { derived: "active", reported: "active", agrees: true });
  assertEquals(stageOf("solved").agrees, false);
});

Deno.test("orderLifecycle() assigns fills to auctions that name transactions for all solutions together", () => {
  const bid = { solver: "0xa0", score: 10n, pairs: [["0x01", "0x02"]], isWinner: true } as const;
  const competitions = [
    auctionOf([bid], { auctionId: 7, auction: { orders: ["0x0f"], prices: {} } }),
    auctionOf([bid], {
      auctionId: 8,
      auction: { orders: ["0x0f"], prices: {} },
      transactionHashes: ["0xcd", "0xAB"],
    }),
  ];
  const { auctions } = orderLifecycle(
    { order: orderOf(filled), trades: [tradeOf()], competitions },
    { now: at(60) },
  );
  assertEquals(auctions.map(({ auctionId, fills }) => [auctionId, fills.length]), [[7, 0], [8, 1]]);
});

Deno.test("orderLifecycle() dates the creation by its event, otherwise by the order", () => {
  const order = orderOf({ ...filled, creationDate: at(-2) });
  const debugReport = reportOf({ order, events, auctions: [], trades: [] });
  assertEquals(orderLifecycle({ order, debugReport }, { now: at(60) }).createdAt, at(0));
  assertEquals(orderLifecycle({ order, trades: [] }, { now: at(60) }).createdAt, at(-2));
});

Deno.test("orderLifecycle() of public responses alone lists its gaps", () => {
  const trades = [tradeOf(), tradeOf({ orderUid: "0x0e" })];
  const evidence = { order: orderOf(filled), trades, competitions: [] };
  const life = orderLifecycle(evidence, { now: at(60) });
  assertEquals(life.fills.length, 1);
  assertEquals([life.events, life.toFirstFillNs, life.invalidNs], [null, null, null]);
  const unknown = life.unknown.map(({ what }) => what);
  assertEquals(unknown, ["events", "auctions", "attempts", "fill_times"]);
});

Deno.test("orderLifecycle() of public responses dates fills by blocks", () => {
  const order = { ...orderOf(filled), creationDate: at(0) };
  const evidence = {
    order,
    trades: [tradeOf({ blockNumber: 104 }), tradeOf()],
    competitions: [],
  };
  const lifeOf = (times: AuctionTimes) => orderLifecycle(evidence, { now: at(60), times });
  const exact = lifeOf(timesOf([102, 10], [104, 34]));
  assertEquals([exact.firstFill?.basis, exact.lastFill?.basis], ["block", "block"]);
  assertEquals([exact.toFirstFillNs, exact.toLastFillNs], [10n * SECOND, 34n * SECOND]);
  assertEquals(exact.toHappyMooNs, null);
  assert(!exact.unknown.some(({ what }) => what === "fill_times"));
  const around = lifeOf(timesOf([101, 6], [103, 22], [104, 34]));
  assertEquals(around.firstFill?.bracket, { min: at(6), max: at(22) });
  assertEquals([around.firstFillAt, around.toFirstFillNs], [at(6), 6n * SECOND]);
  assert(!around.unknown.some(({ what }) => what === "fill_times"));
  // Nothing is known before the first block, and the gap says so.
  const partly = lifeOf(timesOf([104, 34]));
  assertEquals([partly.firstFill, partly.lastFill?.basis], [null, "block"]);
  assert(partly.unknown.some(({ what, why }) => what === "fill_times" && why.includes("`times`")));
});

Deno.test("orderLifecycle() reports deleted early events, and fills that share an event", () => {
  const order = orderOf(filled);
  const trades = [
    tradeOf({ sellAmount: 50n, sellAmountBeforeFees: 50n, buyAmount: 105n }),
    tradeOf({ logIndex: 4, sellAmount: 50n, sellAmountBeforeFees: 50n, buyAmount: 105n }),
  ];
  const debugReport = reportOf({ order, events: [event("ready", 1), event("traded", 7)] });
  const { unknown } = orderLifecycle({ order, debugReport, trades }, { now: at(60) });
  assertEquals(unknown, [
    { what: "events", why: "The report does not reach back to the order's creation" },
    { what: "fill_times", why: "The numbers of fills (2) and of `traded` events (1) differ" },
  ]);
});

Deno.test("orderLifecycle() derives from the status whether a pre-signature is on-chain", () => {
  const lifeOf = (status: string, presignaturePending?: boolean) => {
    const order = orderOf({ signingScheme: "presign", status });
    const life = orderLifecycle({ order }, {
      now: at(5),
      ...(presignaturePending === undefined ? {} : { presignaturePending }),
    });
    const gaps = life.unknown.map(({ what }) => what)
      .filter((what) => what === "presignature" || what === "status");
    return [life.status.calculated.status, life.status.agrees, life.why, gaps];
  };
  const open = "Open with 0 of 100 sell-token atoms filled";
  const pending = "Waiting for its signature on the chain";
  assertEquals(lifeOf("open"), ["open", true, open, []]);
  assertEquals(lifeOf("presignaturePending"), ["presignaturePending", true, pending, []]);
  assertEquals(lifeOf("presignaturePending", false), ["open", false, pending, ["status"]]);
  // Neither of the two follows from an order that is reported otherwise.
  assertEquals(lifeOf("soon"), [
    null,
    false,
    "Reported soon with 0 of 100 sell-token atoms filled",
    ["presignature", "status"],
  ]);
});

Deno.test("orderLifecycle() keeps the reported state for any `now`", () => {
  const validTo = at(9).epochMilliseconds / 1_000;
  const open = orderLifecycle({ order: orderOf({ validTo }) }, { now: at(500) });
  assertEquals(open.status.calculated.status, "expired");
  assertEquals(open.why, "Open with 0 of 100 sell-token atoms filled");
  assertEquals(open.unknown.at(-1), {
    what: "status",
    why:
      "The reported status is open, but the rules give expired at 2026-08-21T10:08:20Z: the time " +
      "passed is not that of the response, or the response contradicts itself",
  });
  const order = orderOf({ validTo, status: "expired" });
  const expired = orderLifecycle({ order }, { now: at(5) });
  assertEquals(expired.why, "Expired with 0 of 100 sell-token atoms filled");
  assertEquals(expired.unknown.at(-1)?.what, "status");
  const invalidated = orderOf({ status: "open", invalidated: true, sellAmount: 0n });
  const { status, filledFraction } = orderLifecycle({ order: invalidated }, { now: at(5) });
  const calculated = { status: "cancelled", rule: 2 } as const;
  assertEquals(status, { reported: "open", calculated, agrees: false });
  assertEquals(filledFraction, null);
});
