import fc from "fast-check";
import { wilsonInterval } from "orderlens/metrics";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";

Deno.test("wilsonInterval() matches the published interval of 81 of 263", () => {
  // Newcombe 1998, table I, method 3 (Wilson): 0.2553 to 0.3662; likewise 15/148, 0/20, 1/29.
  const published = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const;
  for (const [successes, trials, low, high] of published) {
    const interval = wilsonInterval(successes, trials);
    assertAlmostEquals(interval!.low, low, 0.00005);
    assertAlmostEquals(interval!.high, high, 0.00005);
  }
});

Deno.test("wilsonInterval() of one of two with z = 1, computed by hand", () => {
  // (1/2 + 1/4 -+ sqrt(1/8 + 1/16)) / (3/2)
  const { low, high } = wilsonInterval(1, 2, { z: 1 })!;
  assertAlmostEquals(low, (0.75 - Math.sqrt(3) / 4) / 1.5, 1e-15);
  assertAlmostEquals(high, (0.75 + Math.sqrt(3) / 4) / 1.5, 1e-15);
});

Deno.test("wilsonInterval() ends exactly at 0 and 1", () => {
  assertEquals(wilsonInterval(0, 7)!.low, 0);
  assertEquals(wilsonInterval(7, 7)!.high, 1);
});

Deno.test("wilsonInterval() of no trials is null", () => {
  assertEquals(wilsonInterval(0, 0), null);
});

Deno.test("wilsonInterval() contains the rate, and is symmetric", () => {
  const anyCounts = fc.nat(1_000_000).chain((trials) =>
    fc.tuple(fc.nat(trials), fc.constant(trials))
  );
  fc.assert(fc.property(anyCounts, ([successes, trials]) => {
    fc.pre(trials > 0);
    const { low, high } = wilsonInterval(successes, trials)!;
    const rate = successes / trials;
    assert(0 <= low && low <= rate && rate <= high && high <= 1);
    const mirrored = wilsonInterval(trials - successes, trials)!;
    assertAlmostEquals(mirrored.low, 1 - high, 1e-12);
  }));
});

Deno.test("wilsonInterval() rejects invalid counts", () => {
  for (const [successes, trials] of [[-1, 2], [3, 2], [0.5, 1], [1, NaN], [0, -1]] as const) {
    assertThrows(() => wilsonInterval(successes, trials), RangeError, "Cannot estimate a rate");
  }
  for (const z of [0, -1, NaN, Infinity]) {
    assertThrows(() => wilsonInterval(1, 2, { z }), RangeError, "with z");
  }
});
