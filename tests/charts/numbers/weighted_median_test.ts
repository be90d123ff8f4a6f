import { assertEquals } from "@std/assert";
import { median, quantile } from "../../../lib/charts/numbers/quantile.ts";
import { weightedMedian } from "../../../lib/charts/numbers/weighted_median.ts";

const weighted = (...pairs: [value: number, weight: number][]) =>
  weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));

Deno.test("quantile() interpolates between neighbours", () => {
  assertEquals(quantile([1, 2, 4], 0), 1);
  assertEquals(quantile([1, 2, 4], 0.75), 3);
  assertEquals(quantile([7], 0.3), 7);
});

Deno.test("median() is the middle value, the mean of two, or null for none", () => {
  assertEquals(median([5, 1, 3]), 3);
  assertEquals(median([5, 1, 3, 4]), 3.5);
  assertEquals(median([]), null);
});

Deno.test("weightedMedian() is where half of the weight is reached", () => {
  assertEquals(weighted([1, 1], [2, 1], [3, 1]), 2);
  assertEquals(weighted([1, 1], [2, 1], [3, 10]), 3);
  assertEquals(weighted([1, 1], [5, 1]), 3);
  assertEquals(weighted([3, 0], [9, 2], [4, -1]), 9);
  assertEquals(weighted([3, 0]), null);
  assertEquals(weightedMedian([]), null);
});
