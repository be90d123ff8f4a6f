import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { planExecution } from "../../../../lib/sandbox/market/plan_execution.ts";
import { reachableOrders } from "../../../../lib/sandbox/market/propose.ts";
import { TOKENS } from "../../../../lib/sandbox/market/ledger.ts";
import { bookOrder, COW, GNO, planningTerms, USDC, WETH } from "../book_orders.ts";

const { liquidity } = new Market(1);

Deno.test("reachableOrders() keeps orders up to the best spot price, exactly", () => {
  // 15,000,000 USDC to 6,000 WETH, less 0.3%: 2,492.5 USDC for a WETH.
  const best = bookOrder({ buyAmount: 2_492_500_000n });
  const beyond = bookOrder({ buyAmount: 2_492_500_001n });
  const purchase = bookOrder({ kind: "buy", buyAmount: 2_492_500_000n });
  const orders = [beyond, best, purchase];
  assertEquals(reachableOrders(orders, { liquidity, hops: 1 }), [best, purchase]);
});

Deno.test("reachableOrders() considers as many pools per route as the solver", () => {
  const orders = [bookOrder({ sellToken: GNO, buyToken: COW, buyAmount: 1n })];
  assertEquals(reachableOrders(orders, { liquidity, hops: 1 }), []);
  assertEquals(reachableOrders(orders, { liquidity, hops: 2 }), orders);
});

Deno.test("reachableOrders() drops no executable order", () => {
  const tokens = fc.constantFrom(...TOKENS.map(({ address }) => address));
  const terms = fc.record({
    sellToken: tokens,
    buyToken: tokens,
    kind: fc.constantFrom("sell", "buy"),
    partiallyFillable: fc.boolean(),
    sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  });
  const hops = fc.integer({ min: 1, max: 3 });
  const planning = planningTerms(new Market(1), { gasPrice: 0 });
  fc.assert(fc.property(terms, hops, (signed, hops) => {
    const order = bookOrder(signed);
    if (planExecution(order, { ...planning, hops }) === null) return;
    assert(reachableOrders([order], { liquidity, hops }).includes(order));
  }));
});

Deno.test("reachableOrders() drops orders that buy their own sell token", () => {
  const orders = [WETH, USDC].map((token) => bookOrder({ sellToken: token, buyToken: token }));
  assertEquals(reachableOrders(orders, { liquidity, hops: 3 }), []);
});
