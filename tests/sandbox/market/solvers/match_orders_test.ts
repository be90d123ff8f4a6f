import { assertEquals } from "@std/assert";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { matchOrders } from "../../../../lib/sandbox/market/propose.ts";
import { bookOrder, DAI, ETHER, planningTerms, USDC, WETH } from "../book_orders.ts";

const terms = planningTerms(new Market(1), { gasPrice: 0 });
const sale = bookOrder();
const back = { sellToken: USDC, buyToken: WETH, sellAmount: 10n ** 9n, buyAmount: 1n };

Deno.test("matchOrders() trades two orders at one price, and the remainder with the pool", () => {
  const { executions: [forth, other], swaps } = matchOrders(sale, bookOrder(back), terms)!;
  // 1,000 USDC are worth 0.4 WETH in the pool; the other 0.6 yield 1,495.350913 USDC there.
  assertEquals(swaps.map((swap) => "paid" in swap && swap.paid), [6n * 10n ** 17n]);
  assertEquals(swaps[0]?.bound, 1_450_490_385n);
  assertEquals(forth.fill, { sellAmount: ETHER, buyAmount: 2_495_350_913n });
  // 1,000 USDC at 2,495.350913 for a WETH
  assertEquals(other.fill, { sellAmount: 10n ** 9n, buyAmount: 400_745_239_793_854_997n });
  assertEquals(forth.price, { sell: other.price.buy, buy: other.price.sell });
});

Deno.test("matchOrders() matches only whole sell orders in opposite directions", () => {
  const others = {
    "the same way": {},
    "another pair": { ...back, buyToken: DAI },
    "a purchase": { ...back, kind: "buy" },
    "a limit that the price is below": { ...back, buyAmount: 4n * 10n ** 17n + 10n ** 15n },
  } as const;
  for (const [what, other] of Object.entries(others)) {
    assertEquals(matchOrders(sale, bookOrder(other), terms), null, what);
  }
});

Deno.test("matchOrders() does not match an order above its owner's balance", () => {
  const balanceOf = (_owner: string, token: string) => token === WETH ? ETHER - 1n : ETHER;
  assertEquals(matchOrders(sale, bookOrder(back), { ...terms, balanceOf }), null);
});
