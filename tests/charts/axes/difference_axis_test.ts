import { assertEquals } from "@std/assert";
import {
  differenceAxis,
  fencedRange,
  linearDifferenceAxis,
} from "../../../lib/charts/axes/axis_scale.ts";

Deno.test("fencedRange() has zero in it, and all values where none is far from the rest", () => {
  assertEquals(fencedRange([3, 5]), [0, 5]);
  assertEquals(fencedRange([100, 101, 102]), [0, 102]);
  assertEquals(fencedRange([-3, -5]), [-5, 0]);
  assertEquals(fencedRange([0, 0]), [-1, 1]);
  assertEquals(fencedRange([7]), [0, 7]);
});

Deno.test("fencedRange() ends at the farthest value within twice the spread of the middle 80%", () => {
  const values = Array.from({ length: 101 }, (_, place) => place === 100 ? 1e9 : place);
  // The middle 80% is 10 to 90, so that the fence is at 250: of what is within, 99 is the farthest.
  assertEquals(fencedRange(values), [0, 99]);
  assertEquals(fencedRange([...values, 240, -200]), [0, 240]);
});

Deno.test("differenceAxis() is linear, with a few far values at its edge", () => {
  const values = Array.from({ length: 101 }, (_, place) => place === 100 ? 1e9 : place);
  const axis = differenceAxis(values, "bps");
  assertEquals(axis.scale.type, "linear");
  assertEquals(axis.note, "1 value beyond the axis, up to +1e9 bps, drawn at its edge");
  assertEquals([axis.isBeyond(1e9), axis.isBeyond(99)], [true, false]);
  assertEquals([axis.place(1e9), axis.place(5)], [axis.domain[1], 5]);
});

Deno.test("differenceAxis() is logarithmic beyond the median where sizes differ a thousandfold", () => {
  const axis = differenceAxis([-1e6, -1e3, -1, 1, 1e3, 1e6], "bps");
  assertEquals(axis.scale.type, "symlog");
  assertEquals(axis.place(1e6), 1e6);
  assertEquals(axis.note, "The axis is linear up to 1000 bps and logarithmic beyond");
  assertEquals(axis.scale.ticks, [-1e6, -1e5, -1e4, -1e3, 0, 1e3, 1e4, 1e5, 1e6]);
});

Deno.test("linearDifferenceAxis() stays linear whatever the sizes", () => {
  assertEquals(linearDifferenceAxis([-1e6, -1, 1, 1e6], "bps").scale.type, "linear");
});

Deno.test("linearDifferenceAxis() has a range wide enough for ticks, however small its values", () => {
  assertEquals(linearDifferenceAxis([Number.MIN_VALUE], "bps").domain, [-1.08, 1.08]);
  assertEquals(linearDifferenceAxis([1e-35], "bps").domain, [-4e-37, 1.04e-35]);
});
