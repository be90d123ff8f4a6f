import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { valueAxis } from "../../../lib/charts/axes/axis_scale.ts";

const meaning = { label: "Score (ETH)", noun: "score" };

Deno.test("valueAxis() is linear from zero for amounts of one size", () => {
  const axis = valueAxis([2, 10], meaning);
  assertEquals([axis.isLinear, axis.note], [true, null]);
  assertEquals([axis.fraction(0), axis.fraction(10)], [0, 1]);
  assertEquals(axis.scale.label, "Score (ETH) →");
  assertEquals(valueAxis([-10, 10], meaning).fraction(0), 0.5);
});

Deno.test("valueAxis() is not empty for zeros and for nothing", () => {
  for (const values of [[], [0], [0, 0]]) {
    const { scale, fraction } = valueAxis(values, meaning);
    assertEquals(scale.domain, [0, 1]);
    assertEquals(fraction(0), 0);
  }
});

Deno.test("valueAxis() is logarithmic for amounts a thousandfold apart, zeros at its edge", () => {
  const axis = valueAxis([0, 1, 1_000], meaning);
  assertEquals(axis.isLinear, false);
  assertEquals(axis.scale.label, "Score (ETH, logarithmic) →");
  assertEquals(axis.fraction(0), 0);
  assertEquals(axis.note, "1 score of 0 drawn at the edge of the axis");
  assertAlmostEquals(axis.fraction(10) - axis.fraction(1), axis.fraction(100) - axis.fraction(10));
});

Deno.test("valueAxis() is logarithmic on both sides of zero where amounts differ as much", () => {
  const axis = valueAxis([-1_000, 0.01, 1_000], meaning);
  assertEquals(axis.isLinear, false);
  assertStringIncludes(String(axis.scale.label), "both sides of 0");
  assertAlmostEquals(axis.fraction(0), 0.5);
  assertAlmostEquals(axis.fraction(10) + axis.fraction(-10), 1);
});
