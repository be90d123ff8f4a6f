import { assert, assertEquals } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../../../lib/networks/mod.ts";
import type { BookOrder } from "../../../../lib/sandbox/market/book_order.ts";
import { DEADLINE_BLOCKS, holdAuction } from "../../../../lib/sandbox/market/hold_auction.ts";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { bookOrder, DAI, ETHER, GNO, OWNER, WETH } from "../book_orders.ts";

/** A market after one auction over orders of an owner with funds. */
async function marketAfter(...orders: BookOrder[]): Promise<Market> {
  const market = new Market(1);
  market.fund(OWNER);
  for (const order of orders) market.book.add(order);
  await holdAuction(market, orders, market.random("solvers"));
  return market;
}

Deno.test("holdAuction() stores the bids, worst first, with prices and deadline", async () => {
  const order = bookOrder();
  const { book, block, auctionId } = await marketAfter(order);
  const { competition, deadline } = book.latestAuction!;
  assertEquals([competition.auctionId, competition.auctionStartBlock], [auctionId, block]);
  assertEquals([deadline, competition.auctionDeadlineBlock], [
    block + DEADLINE_BLOCKS,
    block + DEADLINE_BLOCKS,
  ]);
  assertEquals(competition.auction.orders, [order.uid]);
  assertEquals(competition.auction.prices[NATIVE_TOKEN_ADDRESS], ETHER);
  const { solutions } = competition;
  assert(solutions.length > 1);
  assertEquals(
    solutions.map(({ ranking }) => ranking),
    solutions.map((_, at) => solutions.length - at),
  );
  assertEquals(solutions.filter(({ isWinner }) => isWinner), [solutions.at(-1)!]);
  for (const [at, { score }] of solutions.entries()) {
    assert(at === 0 || score >= solutions[at - 1]!.score);
  }
});

Deno.test("holdAuction() submits winners, and marks other orders as considered", async () => {
  const [better, worse] = [bookOrder(), bookOrder({ sellAmount: ETHER / 4n, buyAmount: 1n })];
  const elsewhere = bookOrder({ sellToken: GNO, buyToken: DAI });
  const { pending } = await marketAfter(better, worse, elsewhere);
  // Two orders of one directed pair: only one of them can be in a winning solution.
  assertEquals(
    [better, worse, elsewhere].map(({ events }) => events.map(({ label }) => label)),
    [["executing"], ["considered"], ["executing"]],
  );
  assertEquals(
    [...pending].map(({ plan }) => plan.executions.map(({ order }) => order)).flat(),
    [better, elsewhere],
  );
});

Deno.test("holdAuction() stores no auction without bids, and leaves a gap for its id", async () => {
  for (const orders of [[], [bookOrder({ buyAmount: 10n ** 12n })]]) {
    const market = await marketAfter(...orders);
    assertEquals(market.book.latestAuction, undefined);
    assertEquals(market.book.auctions.size, 0);
    assert(market.auctionId > 1_000);
    assertEquals(market.auction?.orders, orders);
  }
});

Deno.test("holdAuction() equates the native token and its wrapped one", async () => {
  const wrapped = bookOrder({ sellToken: GNO, buyToken: WETH, buyAmount: 1n });
  const native = bookOrder({ sellToken: GNO, buyToken: NATIVE_TOKEN_ADDRESS, buyAmount: 1n });
  const { pending } = await marketAfter(wrapped, native);
  assertEquals(pending.size, 1);
});
