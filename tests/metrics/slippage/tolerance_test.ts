import { tolerance } from "orderlens/metrics";
import { compareRatios, ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { orderOf, recordedRun } from "../recorded_run.ts";

const SELL = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_980n } as const;
const QUOTE = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 0n };

Deno.test("tolerance() reads the tolerance in the app data, as a number or as text", () => {
  const asked = (slippageBips: number | string) =>
    tolerance(SELL, null, { appData: { metadata: { quote: { slippageBips } } } }).askedBps;
  const expected = [ratio(50n, 1n), ratio(50n, 1n), ratio(5n, 10n), null, null];
  assertEquals([50, "50", "0.5", "half a percent", -1].map(asked), expected);
  for (const options of [{ appData: {} }, { appData: null }, {}]) {
    assertEquals(tolerance(SELL, null, options).askedBps, null);
  }
});

Deno.test("tolerance() of a buy order counts the maximum above the quote", () => {
  const order = { kind: "buy", sellAmount: 2_020n, buyAmount: 1_000n } as const;
  const quote = { sellAmount: 2_000n, buyAmount: 1_000n, fee: 0n };
  const { gross } = tolerance(order, quote, { fill: { sellAmount: 2_005n, buyAmount: 1_000n } });
  assert(!("reason" in gross) && gross.usedBps !== null && gross.leftBps !== null);
  assertEquals(ratioToNumber(gross.signedBps), 100);
  assertEquals(ratioToNumber(gross.usedBps), 25);
  assertEquals(ratioToNumber(gross.leftBps), 75);
});

Deno.test("tolerance() is negative if the limit is better than the quote", () => {
  const { gross } = tolerance({ ...SELL, buyAmount: 2_020n }, QUOTE);
  assert(!("reason" in gross));
  assertEquals(ratioToNumber(gross.signedBps), -100);
});

Deno.test("tolerance() returns the signed tolerance of an unfilled order", () => {
  const { gross, userShown } = tolerance(SELL, QUOTE);
  assert(!("reason" in gross));
  assertEquals(ratioToNumber(gross.signedBps), 100);
  assertEquals([gross.usedBps, gross.leftBps], [null, null]);
  assertEquals("reason" in userShown && userShown.reason, "no_volume_factors");
});

Deno.test("tolerance() gives the reason if there is no quote", () => {
  const { gross, net, userShown } = tolerance(SELL, null);
  for (const part of [gross, net, userShown]) {
    assertEquals("reason" in part && part.reason, "no_quote");
  }
});

Deno.test("tolerance() adds up: signed is used plus left", async () => {
  const market = await recordedRun("market_1");
  for (const trade of market.trades) {
    const order = orderOf(market, trade);
    const { gross, net, userShown } = tolerance(order, order.quote, { fill: trade });
    for (const part of [gross, net, userShown]) {
      assert(!("reason" in part) && part.usedBps !== null && part.leftBps !== null);
      const { usedBps: used, leftBps: left } = part;
      const sum = ratio(
        used.numerator * left.denominator + left.numerator * used.denominator,
        used.denominator * left.denominator,
      );
      assertEquals(compareRatios(part.signedBps, sum), 0);
    }
  }
});
