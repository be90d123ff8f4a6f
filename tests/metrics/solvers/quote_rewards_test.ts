import { Decimal, type Order } from "orderlens";
import { quoteRewards, settlementOutcomes } from "orderlens/metrics";
import type { ProposedSolution } from "orderlens/schemas";
import { assertEquals } from "@std/assert";
import { auctionOf, type Bid, uidOf } from "../auctions.ts";
import { debugAuctionOf, orderOf, proposedOf, reportOf, tradeOf } from "../reports.ts";

const PAIR = ["0x01", "0x02"] as const;
const UID = uidOf(PAIR);
const QUOTE = {
  gasAmount: Decimal.parse("10"),
  gasPrice: Decimal.parse("1"),
  sellTokenPrice: Decimal.parse("1"),
  sellAmount: 100n,
  buyAmount: 200n,
  feeAmount: 10n,
  solver: "0xB0",
  verified: true,
};

/** Sells 100 for at least 150; quoted 200 gross, 180 less the network fee of 10. */
function order(more: Partial<Order> = {}): Order {
  return orderOf({
    uid: UID,
    sellAmount: 100n,
    buyAmount: 150n,
    partiallyFillable: false,
    quote: QUOTE,
    ...more,
  });
}

interface Case {
  /** What the quoter `0xb0` buys in its bid. */
  bought?: bigint;
  bid?: Partial<Bid>;
  order?: Partial<Order>;
  txHash?: string | null;
  volumeFactor?: number;
  options?: object;
}

function verdictOf({ bought = 200n, bid = {}, txHash = "0xaa", ...more }: Case): string {
  const competition = auctionOf([
    { solver: "0xa0", score: 2n, pairs: [PAIR], isWinner: true, txHash },
    { solver: "0xb0", score: 1n, pairs: [PAIR], sells: 100n, buys: [bought], ...bid },
  ]);
  const policy = { volume: { factor: more.volumeFactor ?? 0 } };
  const trade = tradeOf({
    blockNumber: 103,
    orderUid: UID,
    buyAmount: 170n,
    txHash,
    ...more.volumeFactor !== undefined && {
      executedProtocolFees: [{ policy, amount: 1n, token: "0x02" }],
    },
  });
  const trades = txHash === null ? [] : [trade];
  const all = [competition];
  const [quote] = quoteRewards(all, {
    outcomes: settlementOutcomes(all, { trades }),
    orders: [order(more.order)],
    trades,
    ...more.options,
  });
  return [quote?.solver, quote?.verdict, quote?.reason].join(" ");
}

function assertVerdict(given: Case, verdict: string, reason = ""): void {
  assertEquals(verdictOf(given), `0xB0 ${verdict} ${reason}`);
}

Deno.test("quoteRewards() pays for a bid that reaches the gross quote, whoever executed it", () => {
  assertVerdict({ bought: 200n }, "earned");
  assertVerdict({ bought: 199n }, "possible", "bid_below_gross_quote");
});

Deno.test("quoteRewards() requires a bid as good as the quote that the trader was shown", () => {
  const options = { areAllAuctions: true };
  // 180 less a volume fee of 5% are 171.
  const shown = { volumeFactor: 0.05, options };
  assertVerdict({ bought: 171n, ...shown }, "possible", "bid_below_gross_quote");
  assertVerdict({ bought: 170n, ...shown }, "not_earned", "no_bid_as_good");
  // Without the policies nobody knows how far below the quote the trader was shown.
  assertVerdict({ bought: 1n, options }, "possible", "bid_below_gross_quote");
});

Deno.test("quoteRewards() does not take a bid as missing that it may not have seen", () => {
  const low = { bought: 100n, volumeFactor: 0.05 };
  assertVerdict(low, "possible", "bid_not_seen");
  const reported = (...proposedSolutions: ProposedSolution[]) => {
    const auctions = [debugAuctionOf(1), debugAuctionOf(2, { proposedSolutions })];
    return { ...low, options: { debugReports: [reportOf({ order: order(), auctions })] } };
  };
  assertVerdict(reported(), "not_earned", "no_bid_as_good");
  const better = { solver: "0xb0", isWinner: false, executedSell: 100n, executedBuy: 200n };
  assertVerdict(reported(proposedOf(better)), "earned");
});

Deno.test("quoteRewards() leaves out bids that were filtered", () => {
  const filtered = { bid: { filteredOut: true }, volumeFactor: 0 };
  const given = { ...filtered, options: { areAllAuctions: true } };
  assertVerdict(given, "not_earned", "no_bid_as_good");
});

Deno.test("quoteRewards() pays for verified quotes of fill-or-kill market orders alone", () => {
  const cases: [Partial<Order>, reason: string][] = [
    [{ partiallyFillable: true }, "partially_fillable"],
    [{ quote: { ...QUOTE, verified: false } }, "quote_not_verified"],
    [{ buyAmount: 181n }, "out_of_market"],
  ];
  for (const [order, reason] of cases) assertVerdict({ order }, "not_earned", reason);
  assertEquals(verdictOf({ order: { quote: null } }), " not_earned no_quote");
  assertVerdict({ order: { buyAmount: 180n } }, "earned");
});

/** An auction with one bid on the order, which won. */
function wonAlone(txHash: string | null) {
  return auctionOf([{ solver: "0xa0", score: 2n, pairs: [PAIR], isWinner: true, txHash }]);
}

Deno.test("quoteRewards() waits for a settlement, and has no row for one that failed", () => {
  assertVerdict({ txHash: null }, "possible", "settlement_unknown");
  const competition = wonAlone(null);
  const outcomes = settlementOutcomes([competition], { latestBlock: 200 });
  assertEquals(quoteRewards([competition], { outcomes, orders: [order()] }), []);
});

Deno.test("quoteRewards() names orders that it does not know, but not those that a solver brought", () => {
  const competition = wonAlone("0xaa");
  const outcomes = settlementOutcomes([competition]);
  assertEquals(quoteRewards([competition], { outcomes }), [
    { orderUid: UID, auctionId: 1, solver: null, verdict: "unknown", reason: "order_unknown" },
  ]);
  const unlisted = { ...competition, auction: { orders: ["0x0f"], prices: {} } };
  assertEquals(quoteRewards([unlisted], { outcomes }), []);
});
