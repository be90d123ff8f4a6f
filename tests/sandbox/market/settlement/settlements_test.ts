import { assertEquals } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../../../lib/networks/mod.ts";
import type { PlannedOutcome, StoredAuction } from "../../../../lib/sandbox/market/book.ts";
import type { BookOrder } from "../../../../lib/sandbox/market/book_order.ts";
import { cancelOrder } from "../../../../lib/sandbox/market/wallet_contract.ts";
import { OUTSIDE } from "../../../../lib/sandbox/market/ledger.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { planExecution } from "../../../../lib/sandbox/market/plan_execution.ts";
import { beginSettlement, settlePending } from "../../../../lib/sandbox/market/settlements.ts";
import { auctionOf } from "../../../metrics/auctions.ts";
import { bookOrder, ETHER, GNO, OWNER, planningTerms, WETH } from "../book_orders.ts";

const SOLVER = "0x50";
const TX = "0x70";
const BLOCKS = 4;
const REVERTED = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";

/** An auction of block 1,000 with one winning solution, which is submitted. */
function winnerOf(
  order: BookOrder,
  plannedOutcome: PlannedOutcome,
): { market: Market; auction: StoredAuction } {
  const market = new Market(1);
  market.fund(OWNER);
  market.book.add(order);
  const { execution, swap } = planExecution(order, planningTerms(market))!;
  const plan = { solver: SOLVER, executions: [execution], swaps: [swap], plannedOutcome };
  const auction: StoredAuction = {
    competition: auctionOf([
      { solver: SOLVER, score: 1n, pairs: [], isWinner: true, txHash: null },
    ], {
      auctionId: 7,
      auctionStartBlock: market.block,
      auctionDeadlineBlock: market.block + BLOCKS,
      auction: { orders: [order.uid], prices: {} },
    }),
    attempts: [],
    prices: {},
    deadline: market.block + BLOCKS,
  };
  beginSettlement(market, { auction, solutionUid: 0, plan, txHash: TX });
  return { market, auction };
}

/** Advances by one block; returns the attempt's outcome and the number of fills. */
function nextBlock(market: Market, auction: StoredAuction): unknown[] {
  market.block++;
  settlePending(market);
  return [auction.attempts[0]?.outcome, market.book.fills.length];
}

Deno.test("settlePending() ends attempts, and executes settlements, in the blocks of their outcome", () => {
  const reason = "driver failed: bad status 500 Internal Server Error: settlement not submitted";
  const fates: Record<PlannedOutcome, unknown[][]> = {
    settles: [["success", 1]],
    slow: [[undefined, 0], ["success", 1]],
    reverts: [[reason, 0]],
    "times out": [[undefined, 0], [undefined, 0], [undefined, 0], ["timeout", 0]],
    late: [[undefined, 0], [undefined, 0], [undefined, 0], ["timeout", 0], ["timeout", 0], [
      "timeout",
      1,
    ]],
  };
  for (const [plannedOutcome, expected] of Object.entries(fates)) {
    const order = bookOrder();
    const { market, auction } = winnerOf(order, plannedOutcome as PlannedOutcome);
    assertEquals([order.attempts, market.pending.size], [1, 1]);
    assertEquals(expected.map(() => nextBlock(market, auction)), expected, plannedOutcome);
    assertEquals([order.attempts, market.pending.size], [0, 0]);
    const hasLanded = expected.at(-1)![1] === 1;
    assertEquals(order.events.map(({ label }) => label), [
      "executing",
      ...(hasLanded ? ["traded"] : []),
    ]);
    assertEquals(auction.competition.transactionHashes, hasLanded ? [TX] : []);
    assertEquals(auction.competition.solutions[0]?.txHash, hasLanded ? TX : null);
  }
});

Deno.test("settlePending() moves the planned amounts, to the receiver", () => {
  const receiver = `0x${"0b".repeat(20)}`;
  const order = bookOrder({ receiver });
  const { market, auction } = winnerOf(order, "settles");
  const before = market.ledger.balanceOf(OWNER, WETH);
  nextBlock(market, auction);
  assertEquals(before - market.ledger.balanceOf(OWNER, WETH), ETHER);
  assertEquals(market.ledger.balanceOf(receiver, order.signed.buyToken), 2_491_591_573n);
  assertEquals(
    [order.executedSellAmount, order.executedBuyAmount, order.remaining],
    [ETHER, 2_491_591_573n, 0n],
  );
  assertEquals(market.book.open.size, 0);
});

Deno.test("settlePending() pays the native token unwrapped", () => {
  const order = bookOrder({ sellToken: GNO, buyToken: NATIVE_TOKEN_ADDRESS, buyAmount: 1n });
  const { market, auction } = winnerOf(order, "settles");
  assertEquals(nextBlock(market, auction), ["success", 1]);
  assertEquals(market.ledger.balanceOf(OWNER, NATIVE_TOKEN_ADDRESS), order.executedBuyAmount);
});

Deno.test("settlePending() settles an order that was cancelled while pending", () => {
  const order = bookOrder();
  const { market, auction } = winnerOf(order, "settles");
  cancelOrder(market, order);
  assertEquals(nextBlock(market, auction), ["success", 1]);
  assertEquals(order.events.map(({ label }) => label), ["executing", "cancelled", "traded"]);
  assertEquals(order.statusAt(market.time.instant), "fulfilled");
});

Deno.test("settlePending() reverts an impossible settlement, and moves nothing", () => {
  const faults: Record<string, (market: Market, order: BookOrder) => void> = {
    "the owner's balance is gone": ({ ledger }) =>
      ledger.move(WETH, ledger.balanceOf(OWNER, WETH), { from: OWNER, to: OUTSIDE }),
    "the order is filled": (_, order) => {
      order.executedSellAmount = 1n;
    },
    "the order is expired": ({ time }) => {
      for (let block = 0; block < 50; block++) time.tick();
    },
    "the pool has moved too far": ({ liquidity }) => {
      const [pool] = liquidity.pools;
      pool!.exchange(WETH, { paid: 0n, out: pool!.reserveOf(pool!.otherToken(WETH)) / 20n });
    },
  };
  for (const [what, becomeImpossible] of Object.entries(faults)) {
    const opening = new Market(1).time.seconds;
    const order = bookOrder({ validTo: opening + 99 });
    const { market, auction } = winnerOf(order, "settles");
    becomeImpossible(market, order);
    const before = [...market.ledger.entries()];
    assertEquals(nextBlock(market, auction), [REVERTED, 0], what);
    assertEquals([...market.ledger.entries()], before, what);
  }
});

Deno.test("settlePending() buys at most the remaining amount", () => {
  const order = bookOrder({ kind: "buy", buyAmount: 10n ** 9n });
  const { market, auction } = winnerOf(order, "settles");
  order.executedBuyAmount = 1n;
  assertEquals(nextBlock(market, auction), [REVERTED, 0]);
});
