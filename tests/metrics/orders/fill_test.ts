import { exchangedSellAmount } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("exchangedSellAmount() leaves the legacy signed fee out", () => {
  const fill = { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n };
  assertEquals(exchangedSellAmount(fill), 100n);
});

Deno.test("exchangedSellAmount() is the sell amount where no legacy fee is told apart", () => {
  assertEquals(exchangedSellAmount({ sellAmount: 103n, buyAmount: 95n }), 103n);
  assertEquals(
    exchangedSellAmount({ sellAmount: 103n, sellAmountBeforeFees: undefined, buyAmount: 95n }),
    103n,
  );
});

Deno.test("exchangedSellAmount() takes a fee that was all there was", () => {
  const fill = { sellAmount: 3n, sellAmountBeforeFees: 0n, buyAmount: 0n };
  assertEquals(exchangedSellAmount(fill), 0n);
});
