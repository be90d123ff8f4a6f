import { rate, wilsonInterval } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assertEquals, assertThrows } from "@std/assert";

Deno.test("rate() returns counts, the exact share and the interval", () => {
  assertEquals(rate(3, 9), {
    successes: 3,
    trials: 9,
    share: ratio(3n, 9n),
    interval: wilsonInterval(3, 9),
  });
});

Deno.test("rate() of no trials has no share, not a share of 0", () => {
  assertEquals(rate(0, 0).share, null);
  assertEquals(rate(0, 1).share, ratio(0n, 1n));
});

Deno.test("rate() rejects more successes than trials", () => {
  assertThrows(() => rate(2, 1), RangeError);
});
