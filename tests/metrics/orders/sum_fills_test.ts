import { sumFills } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("sumFills() adds the exchanged amounts, with and without a reported legacy fee", () => {
  assertEquals(
    sumFills([
      { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n },
      { sellAmount: 20n, buyAmount: 19n },
    ]),
    { sellAmount: 123n, sellAmountBeforeFees: 120n, buyAmount: 114n },
  );
});

Deno.test("sumFills() of no fills is a fill of 0", () => {
  assertEquals(sumFills([]), { sellAmount: 0n, sellAmountBeforeFees: 0n, buyAmount: 0n });
});
