import { assertEquals } from "@std/assert";
import { weightedMedian } from "../../../lib/charts/slippage/measured_fills.ts";

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
