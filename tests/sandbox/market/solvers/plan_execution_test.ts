import { assertEquals } from "@std/assert";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { planExecution } from "../../../../lib/sandbox/market/plan_execution.ts";
import { bookOrder, DAI, ETHER, GNO, planningTerms, USDC } from "../book_orders.ts";

const market = new Market(1);
const terms = planningTerms(market);

Deno.test("planExecution() sells the amount after gas, less the solver's margin", () => {
  // (10^18 - 198,391 * 10^9) WETH into 6,000 of them and 15,000,000 USDC
  const { execution, swap } = planExecution(bookOrder(), terms)!;
  assertEquals(execution.fill, { sellAmount: ETHER, buyAmount: 2_491_591_573n });
  assertEquals("paid" in swap && swap.paid, ETHER - 198_391n * 10n ** 9n);
  // 3% less than planned
  assertEquals(swap.bound, 2_416_843_825n);
  const kept = planExecution(bookOrder(), { ...terms, marginBps: 10n });
  assertEquals(kept?.execution.fill.buyAmount, 2_489_099_981n);
});

Deno.test("planExecution() buys an exact amount, at cost plus gas", () => {
  const order = bookOrder({ kind: "buy", buyAmount: 10n ** 9n });
  const { fill } = planExecution(order, terms)!.execution;
  assertEquals(fill, {
    sellAmount: 401_230_359_523_132_368n + 198_391n * 10n ** 9n,
    buyAmount: 10n ** 9n,
  });
});

Deno.test("planExecution() takes the best of the routes within reach", () => {
  const order = bookOrder({ sellToken: GNO, buyToken: DAI });
  const hops = (most: number) =>
    planExecution(order, { ...terms, hops: most })?.swap.route.pools.length;
  assertEquals([hops(1), hops(3)], [1, 1]);
  const roundabout = bookOrder({ sellToken: GNO, buyToken: USDC });
  assertEquals(planExecution(roundabout, terms), null);
  assertEquals(planExecution(roundabout, { ...terms, hops: 2 })?.swap.route.pools.length, 2);
});

Deno.test("planExecution() fills all or nothing, unless the order is partially fillable", () => {
  // 800 WETH move the pool: at 2,400 USDC for one at least, a quarter of them goes through.
  const large = { sellAmount: 800n * ETHER, buyAmount: 800n * 2_400n * 10n ** 6n };
  assertEquals(planExecution(bookOrder(large), terms), null);
  const parts = planExecution(bookOrder({ ...large, partiallyFillable: true }), terms);
  assertEquals(parts?.execution.fill.sellAmount, 200n * ETHER);
});

Deno.test("planExecution() plans with the owner's balance", () => {
  const sale = bookOrder({ sellAmount: 800n * ETHER, partiallyFillable: true });
  const poor = { ...terms, balanceOf: () => 3n * ETHER };
  assertEquals(planExecution(sale, poor)?.execution.fill.sellAmount, 3n * ETHER);
  assertEquals(planExecution(bookOrder({ sellAmount: 4n * ETHER }), poor), null);
  // 1,000 USDC cost 0.40 WETH, half of them 0.20.
  const purchase = bookOrder({ kind: "buy", buyAmount: 10n ** 9n, partiallyFillable: true });
  const half = planExecution(purchase, { ...terms, balanceOf: () => ETHER / 4n });
  assertEquals(half?.execution.fill.buyAmount, 5n * 10n ** 8n);
});

Deno.test("planExecution() plans no sale below its gas, and none of tokens without a price", () => {
  assertEquals(planExecution(bookOrder({ sellAmount: 198_391n * 10n ** 9n }), terms), null);
  assertEquals(planExecution(bookOrder(), { ...terms, priceOf: () => null }), null);
});
