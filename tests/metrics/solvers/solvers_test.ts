import fc from "fast-check";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { accountingWeek, concentration, rate, wilsonInterval } from "orderlens/metrics";
import { compareRatios, ratio } from "orderlens/units";
import { anyAmount } from "../amounts.ts";

Deno.test("accountingWeek() goes from Tuesday to Tuesday, the first instant included", () => {
  const of = (time: string) => accountingWeek(Temporal.Instant.from(time)).firstDay;
  assertEquals(of("2026-11-21T15:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-17T00:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-16T23:59:59.999Z"), "2026-11-10");
  assertEquals(of("2026-11-23T23:59:59.999999999Z"), "2026-11-17");
  assertEquals(of("2026-11-24T00:00:00Z"), "2026-11-24");
  // Over the turn of a year, a leap day, and before the epoch, a Thursday.
  assertEquals(of("2027-01-01T00:00:00Z"), "2026-12-29");
  assertEquals(of("2028-03-01T00:00:00Z"), "2028-02-29");
  assertEquals(of("1970-01-01T00:00:00Z"), "1969-12-30");
});

Deno.test("accountingWeek() takes milliseconds too, and gives both ends", () => {
  const startMs = Date.UTC(2026, 10, 17);
  assertEquals(accountingWeek(startMs + 1), {
    firstDay: "2026-11-17",
    startMs,
    endMs: Date.UTC(2026, 10, 24),
  });
});

Deno.test("accountingWeek() rejects an invalid time", () => {
  for (const wrong of [NaN, Infinity, "2026-11-21", null, undefined, {}]) {
    assertThrows(
      () => accountingWeek(wrong as never),
      InputError,
      "Cannot find the accounting week of",
    );
  }
});

Deno.test("concentration() of equal parts is one part", () => {
  const { herfindahl, top1, top3, top5 } = concentration([2n, 2n, 2n, 2n]);
  assertEquals(compareRatios(herfindahl!, ratio(1n, 4n)), 0);
  assertEquals(compareRatios(top1!, ratio(1n, 4n)), 0);
  assertEquals(compareRatios(top3!, ratio(3n, 4n)), 0);
  assertEquals(compareRatios(top5!, ratio(1n, 1n)), 0);
});

Deno.test("concentration() takes the largest parts, in any order", () => {
  const { top1, top3, top5 } = concentration([1n, 10n, 2n, 20n, 3n, 30n]);
  assertEquals([top1, top3, top5], [ratio(30n, 66n), ratio(60n, 66n), ratio(65n, 66n)]);
});

Deno.test("concentration() of no parts is unknown", () => {
  const none = { herfindahl: null, top1: null, top3: null, top5: null };
  assertEquals(concentration([]), none);
  assertEquals(concentration([0n, 0n]), none);
});

Deno.test("concentration() is between 1/n and 1, exactly", () => {
  fc.assert(fc.property(fc.array(anyAmount(), { minLength: 1, maxLength: 8 }), (parts) => {
    const { herfindahl } = concentration(parts);
    if (herfindahl === null) return;
    assertEquals(compareRatios(herfindahl, ratio(1n, BigInt(parts.length))) >= 0, true);
    assertEquals(compareRatios(herfindahl, ratio(1n, 1n)) <= 0, true);
  }));
});

Deno.test("concentration() rejects a negative part", () => {
  assertThrows(() => concentration([3n, -1n]), RangeError, "the part -1 must not be negative");
});

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
