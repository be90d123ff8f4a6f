import fc from "fast-check";
import { InputError } from "orderlens";
import { compareSamples, compareShares, estimateSample } from "orderlens/metrics";
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { computeStatistic } from "../../lib/metrics/intervals.ts";
import { resampleMedian, resampleRows, seedRandom } from "../../lib/metrics/resampling.ts";

/** So many ones among zeros. */
function ones(part: number, whole: number) {
  return { values: Array.from({ length: whole }, (_, index) => index < part ? 1 : 0) };
}

/** The statistics of all resamples of some values, ascending: each is drawn equally often. */
function allResamples(values: readonly number[], compute: (sample: number[]) => number): number[] {
  const draw = (rest: number): number[][] =>
    rest === 0 ? [[]] : draw(rest - 1).flatMap((some) => values.map((value) => [...some, value]));
  return draw(values.length).map(compute).sort((a, b) => a - b);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const middle = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

Deno.test("estimateSample() has Wilson's interval of a share at any level", () => {
  const at = (level: number) => estimateSample(ones(8, 10), { stat: "share", level });
  // Wilson's formula by hand with z = 1.959964 (95%), 1.644854 (90%) and 2.575829 (99%).
  for (
    const [level, low, high] of [
      [0.95, 0.4901625, 0.9433178],
      [0.9, 0.5407928, 0.9314420],
      [0.99, 0.4008187, 0.9598688],
    ] as const
  ) {
    const { value, interval, n } = at(level)!;
    assertEquals([value, n], [0.8, 10]);
    assertAlmostEquals(interval!.low, low, 1e-6);
    assertAlmostEquals(interval!.high, high, 1e-6);
  }
});

Deno.test("compareSamples() has Newcombe's intervals of differences of shares", () => {
  // Table II, method 10, of his paper.
  for (
    const [first, second, low, high] of [
      [ones(56, 70), ones(48, 80), 0.0524, 0.3339],
      [ones(9, 10), ones(3, 10), 0.1705, 0.8090],
      [ones(5, 56), ones(0, 29), -0.0381, 0.1926],
      [ones(10, 10), ones(0, 10), 0.6075, 1],
    ] as const
  ) {
    const { interval, isSeen } = compareSamples(first, second, { stat: "share" })!;
    assertAlmostEquals(interval!.low, low, 5e-5);
    assertAlmostEquals(interval!.high, high, 5e-5);
    assertEquals(isSeen, low > 0);
  }
});

Deno.test("compareShares() is compareSamples() of so many ones and zeros, for any counts", () => {
  const counts = fc.tuple(fc.nat(40), fc.nat(40)).map(([part, more]) => ({
    part,
    whole: part + more,
  }));
  fc.assert(fc.property(counts, counts, fc.integer({ min: 2, max: 9 }), (a, b, groups) => {
    assertEquals(
      compareShares(a, b, { groups }),
      compareSamples(ones(a.part, a.whole), ones(b.part, b.whole), { stat: "share", groups }),
    );
  }));
  assertThrows(() => compareShares({ part: 20, whole: 10 }, { part: 1, whole: 10 }), RangeError);
});

Deno.test("resampleMedian() and resampleRows() draw medians and means as often as all resamples have them", () => {
  const random = seedRandom(1);
  for (const values of [[1, 2, 4, 8, 16], [1, 2, 4, 8, 16, 32]]) {
    for (const stat of ["median", "mean"] as const) {
      const all = allResamples(values, stat === "median" ? middle : (one) => sum(one) / one.length);
      const numbers = Float64Array.from(values);
      const resample = stat === "median"
        ? resampleMedian(numbers)
        : resampleRows(values.length, (times) =>
          sum(values.map((value, index) => value * times[index]!)) / values.length);
      const draws = Array.from({ length: 30_000 }, () => resample(random));
      for (const limit of new Set(all)) {
        const share = (of: readonly number[]) =>
          of.filter((value) => value <= limit + 1e-9).length / of.length;
        assertAlmostEquals(share(draws), share(all), 0.012);
      }
    }
  }
});

Deno.test("estimateSample() weighs medians, means and shares, and divides sums", () => {
  const values = [1, 2, 3, 4];
  const weights = [1, 1, 1, 5];
  const at = (stat: "median" | "mean" | "ratio") => estimateSample({ values, weights }, { stat })!;
  assertEquals(at("median").value, 4);
  // (1 + 2 + 3 + 20) / 8 and 10 / 8.
  assertEquals([at("mean").value, at("ratio").value], [3.25, 1.25]);
  const even = estimateSample({ values, weights: [1, 2, 3, 0] }, { stat: "median" });
  assertEquals(even?.value, 2.5);
  const share = estimateSample({ values: [1, 0, 0], weights: [2, 3, 3] }, { stat: "share" });
  assertEquals([share?.value, share?.n], [0.25, 3]);
});

Deno.test("computeStatistic() reaches half of the weight, without an interval", () => {
  const weigh = (...weights: number[]) =>
    computeStatistic({ values: [1, 5, 9], weights }, "median");
  assertEquals([weigh(1, 1, 1), weigh(1, 1, 10), weigh(1, 1, 0)], [5, 9, 3]);
  assertEquals(weigh(0, 0, 0), null);
});

const same = (value: number, size: number) => Array.from({ length: size }, () => value);

Deno.test("estimateSample() gives no interval that it cannot know, and says why", () => {
  assertEquals(estimateSample({ values: [7] }), {
    value: 7,
    interval: null,
    reason: "too_few",
    n: 1,
  });
  const reasonOf = (...call: Parameters<typeof estimateSample>) => {
    const { interval, reason } = estimateSample(...call)!;
    assertEquals(interval === null, reason !== null);
    return reason;
  };
  const upTo = (size: number) => Array.from({ length: size }, (_, index) => index);
  for (const [stat, fewest] of [["median", 10], ["mean", 30], ["ratio", 30]] as const) {
    const sample = (size: number) => ({
      values: upTo(size),
      ...(stat === "ratio" ? { weights: same(2, size) } : {}),
    });
    assertEquals(reasonOf(sample(fewest - 1), { stat }), "too_few");
    assertEquals(reasonOf(sample(fewest), { stat }), null);
  }
  // The true median is beyond all of n values once in 2 ** (n - 1) times: in 1,024 of eleven.
  assertEquals(reasonOf({ values: upTo(10) }, { level: 0.999 }), "too_few");
  assertEquals(reasonOf({ values: upTo(11) }, { level: 0.999 }), null);
  assertEquals(reasonOf({ values: same(5, 99) }, { stat: "mean" }), "no_spread");
  const settled = { values: same(1, 99), weights: upTo(99).map((index) => index + 1) };
  assertEquals(reasonOf(settled, { stat: "share" }), "no_spread");
  const cancelling = { values: upTo(40), weights: upTo(40).map((index) => index < 39 ? 0 : 1) };
  assertEquals(reasonOf(cancelling, { stat: "ratio" }), "zero_weight");
});

Deno.test("estimateSample() has an interval of no width for a median of equal values", () => {
  const interval = { low: 5, high: 5 };
  assertEquals(estimateSample({ values: same(5, 10) }), {
    value: 5,
    interval,
    reason: null,
    n: 10,
  });
});

Deno.test("estimateSample() counts no values without weight, and gives nothing without values", () => {
  const weighted = { values: [1, 2, 3], weights: [1, 0, 1] };
  assertEquals(estimateSample(weighted)?.n, 2);
  assertEquals(estimateSample(weighted, { stat: "mean" })?.value, 2);
  assertEquals(estimateSample(weighted, { stat: "ratio" })?.n, 3);
  assertEquals(estimateSample({ values: [] }), null);
  for (const stat of ["ratio", "mean", "median"] as const) {
    assertEquals(estimateSample({ values: [1], weights: [0] }, { stat }), null);
  }
  assertEquals(compareSamples({ values: [] }, { values: [1] }), null);
});

Deno.test("estimateSample() and compareSamples() go by values, weights and seed, not by their order", () => {
  const pair = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }));
  const list = fc.array(pair, { minLength: 10, maxLength: 20 });
  const sample = (pairs: readonly (readonly [number, number])[]) => ({
    values: pairs.map(([value]) => value),
    weights: pairs.map(([, weight]) => weight),
  });
  fc.assert(
    fc.property(list, list, fc.constantFrom("median", "mean", "ratio"), (a, b, stat) => {
      const options = { stat: stat as "median", n: 100 };
      assertEquals(
        estimateSample(sample(a), options),
        estimateSample(sample(a.toReversed()), options),
      );
      assertEquals(
        compareSamples(sample(a), sample(b), options),
        compareSamples(sample(a.toReversed()), sample(b.toReversed()), options),
      );
    }),
    { numRuns: 50 },
  );
  const values = Array.from({ length: 30 }, (_, index) => index ** 2);
  assert(
    estimateSample({ values }, { seed: 1, stat: "mean" })!.interval!.low !==
      estimateSample({ values }, { seed: 2, stat: "mean" })!.interval!.low,
  );
});

Deno.test("compareSamples() distinguishes no samples of fewer than ten values", () => {
  const far = (size: number) =>
    compareSamples(
      { values: Array.from({ length: size }, (_, index) => 100 + index) },
      { values: Array.from({ length: size }, (_, index) => index) },
    );
  assertEquals(far(9), { value: 100, interval: null, isSeen: false });
  assert(far(10)!.isSeen);
  const means = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  assertEquals(
    compareSamples({ values: means.map((one) => one + 50) }, { values: means }, { stat: "mean" })
      ?.isSeen,
    false,
  );
});

/** Numbers between 0 and 1 that look like chance, of a multiplicative congruential generator. */
function* numbers(): Generator<number, never> {
  for (let state = 12_345;;) yield (state = state * 48_271 % 2_147_483_647) / 2_147_483_647;
}

Deno.test("compareSamples() sees a difference of equal populations about once in twenty times", () => {
  const chance = numbers();
  const draw = (size: number) => Array.from({ length: size }, () => Math.log(chance.next().value));
  const samples = Array.from({ length: 400 }, () => [draw(25), draw(40)] as const);
  const seen = samples.filter(([a, b]) =>
    compareSamples({ values: a }, { values: b }, { n: 400 })!.isSeen
  );
  assert(seen.length <= 32, `${seen.length} of 400`);
});

Deno.test("compareSamples() sees less between the two of many groups that differ most", () => {
  const chance = numbers();
  // Of ten groups of one population, the medians of the two extreme ones.
  const isSeen = (groups: number) => {
    const lists = Array.from(
      { length: 10 },
      () => Array.from({ length: 20 }, () => Math.log(chance.next().value)),
    ).sort((a, b) => middle(a) - middle(b));
    const [low, high] = [{ values: lists.at(0)! }, { values: lists.at(-1)! }];
    return compareSamples(high, low, { groups })!.isSeen;
  };
  const count = (groups: number) =>
    Array.from({ length: 60 }, () => isSeen(groups)).filter(Boolean).length;
  assert(count(2) > 6);
  assert(count(10) <= 4);
});

Deno.test("estimateSample() and compareSamples() reject unusable samples", () => {
  assertThrows(() => estimateSample({ values: [1] }, { level: 1 }), InputError, "level");
  assertThrows(
    () => estimateSample({ values: [1] }, { stat: "mode" as never }),
    InputError,
    "stat",
  );
  assertThrows(() => compareSamples({ values: [1] }, { values: [1] }, { groups: 1 }), InputError);
  assertThrows(() => estimateSample({ values: [2] }, { stat: "share" }), RangeError, "1 and 0");
  assertThrows(() => estimateSample({ values: [2] }, { stat: "ratio" }), RangeError, "weights");
  assertThrows(() => estimateSample({ values: [2], weights: [] }), RangeError, "0 weights");
});
