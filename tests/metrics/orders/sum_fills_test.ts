import { sumFills } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

Deno.test("sumFills() adds what each fill exchanged, with and without a legacy fee told apart", () => {
  assertEquals(
    sumFills([
      { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n },
      { sellAmount: 20n, buyAmount: 19n },
    ]),
    { sellAmount: 123n, sellAmountBeforeFees: 120n, buyAmount: 114n },
  );
});

Deno.test("sumFills() of nothing is a fill of nothing", () => {
  assertEquals(sumFills([]), { sellAmount: 0n, sellAmountBeforeFees: 0n, buyAmount: 0n });
});
