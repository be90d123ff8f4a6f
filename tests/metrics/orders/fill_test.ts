import { exchangedSellAmount } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("exchangedSellAmount() excludes the legacy signed fee", () => {
  const fill = { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n };
  assertEquals(exchangedSellAmount(fill), 100n);
});

Deno.test("exchangedSellAmount() is the sell amount if no legacy fee is reported", () => {
  assertEquals(exchangedSellAmount({ sellAmount: 103n, buyAmount: 95n }), 103n);
  assertEquals(
    exchangedSellAmount({ sellAmount: 103n, sellAmountBeforeFees: undefined, buyAmount: 95n }),
    103n,
  );
});

Deno.test("exchangedSellAmount() is 0 if the fee was the whole amount", () => {
  const fill = { sellAmount: 3n, sellAmountBeforeFees: 0n, buyAmount: 0n };
  assertEquals(exchangedSellAmount(fill), 0n);
});
