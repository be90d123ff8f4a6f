import { assertEquals } from "@std/assert";
import { weightedMedian } from "../../../lib/charts/slippage/measured_fills.ts";
import { extent, max, median, min, quantile, sum, ticks } from "../../../lib/charts/statistics.ts";

Deno.test("quantile() interpolates between neighbours", () => {
  assertEquals(quantile([1, 2, 4], 0), 1);
  assertEquals(quantile([1, 2, 4], 0.75), 3);
  assertEquals(quantile([7], 0.3), 7);
  assertEquals(quantile([], 0.5), undefined);
});

Deno.test("median() is the middle value, the mean of two, or none of none", () => {
  assertEquals(median([5, 1, 3]), 3);
  assertEquals(median([5, 1, 3, 4]), 3.5);
  assertEquals(median([]), undefined);
});

Deno.test("min(), max(), extent() and sum() take as many numbers as there are, also none", () => {
  const many = Array.from({ length: 200_000 }, (_, place) => place - 3);
  assertEquals([min(many), max(many)], [-3, 199_996]);
  assertEquals(extent([2, -1, 7]), [-1, 7]);
  assertEquals(extent([]), [undefined, undefined]);
  assertEquals([min([]), max([])], [undefined, undefined]);
  assertEquals([sum([1, 2, 4]), sum(["a", "bcd"], (text) => text.length), sum([])], [7, 4, 0]);
});

Deno.test("ticks() are multiples of 1, 2 or 5 times a power of ten, without noise", () => {
  assertEquals(ticks(0, 0.5, 5), [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assertEquals(ticks(-35, 40, 8), [-30, -20, -10, 0, 10, 20, 30, 40]);
});

const weighted = (...pairs: [value: number, weight: number][]) =>
  weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));

Deno.test("weightedMedian() is where half of the weight is reached", () => {
  assertEquals(weighted([1, 1], [2, 1], [3, 1]), 2);
  assertEquals(weighted([1, 1], [2, 1], [3, 10]), 3);
  assertEquals(weighted([1, 1], [5, 1]), 3);
  assertEquals(weighted([3, 0], [9, 2], [4, -1]), 9);
  assertEquals(weighted([3, 0]), null);
  assertEquals(weightedMedian([]), null);
});
