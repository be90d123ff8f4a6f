import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import {
  createDifferenceAxis,
  createValueAxis,
  findInlierRange,
  listSymlogTicks,
} from "../../../lib/charts/axes/axis_scale.ts";
import {
  createDurationAxis,
  createLinearDurationAxis,
  formatDuration,
} from "../../../lib/charts/axes/duration_axis.ts";
import { createListAxis, createStripAxis } from "../../../lib/charts/axes/row_axes.ts";
import { fitTicks } from "../../../lib/charts/figure/panel.ts";
import {
  formatMoment,
  formatNumber,
  formatSigned,
  measureLabel,
  toSeconds,
} from "../../../lib/charts/texts/label_text.ts";

Deno.test("findInlierRange() has zero in it, and all values where none is far from the rest", () => {
  assertEquals(findInlierRange([3, 5]), [0, 5]);
  assertEquals(findInlierRange([100, 101, 102]), [0, 102]);
  assertEquals(findInlierRange([-3, -5]), [-5, 0]);
  assertEquals(findInlierRange([0, 0]), [-1, 1]);
  assertEquals(findInlierRange([7]), [0, 7]);
});

Deno.test("findInlierRange() ends at the farthest value within twice the spread of the middle 80%", () => {
  const values = Array.from({ length: 101 }, (_, place) => place === 100 ? 1e9 : place);
  // The middle 80% is 10 to 90, so that the fence is at 250: of what is within, 99 is the farthest.
  assertEquals(findInlierRange(values), [0, 99]);
  assertEquals(findInlierRange([...values, 240, -200]), [0, 240]);
});

Deno.test("createDifferenceAxis() is logarithmic beyond the median where sizes differ a thousandfold", () => {
  const axis = createDifferenceAxis([-1e6, -1e3, -1, 1, 1e3, 1e6], "bps");
  assertEquals(axis.scale.type, "symlog");
  assertEquals(axis.clamp(1e6), 1e6);
  assertEquals(axis.note, "The axis is linear up to 1,000 bps and logarithmic beyond");
  assertEquals(axis.scale.ticks, [-1e6, -1e5, -1e4, -1e3, 0, 1e3, 1e4, 1e5, 1e6]);
});

Deno.test("createDifferenceAxis() has a range wide enough for ticks, however small its values", () => {
  assertEquals(createDifferenceAxis([Number.MIN_VALUE], "bps").domain, [-1.08, 1.08]);
  assertEquals(createDifferenceAxis([1e-35], "bps").domain, [-4e-37, 1.04e-35]);
});

Deno.test("formatDuration() rounds to what a person reads", () => {
  const texts = [0, 0.00123, 4.06, 59.97, 61.4, 3_599.6, 36_030, 200_000, -4, Infinity]
    .map(formatDuration);
  const expected = "0 s, 0.0012 s, 4.1 s, 1 min, 1 min 1 s, 1 h, 10 h 1 min, 2 d 7 h 33 min, −4 s";
  assertEquals(texts.join(", "), `${expected}, an unknown time`);
});

Deno.test("formatDuration() keeps to one form below a second, and to what is known of long spans", () => {
  assertEquals([1e-6, 1e-4, 0.01].map(formatDuration), ["0.000001 s", "0.0001 s", "0.01 s"]);
  assertEquals(formatDuration(8.64e34), "1e30 d");
});

Deno.test("createDurationAxis() is logarithmic where spans differ a hundredfold, in units of time", () => {
  const axis = createDurationAxis([2, 900, 0], "Age");
  assertEquals(axis.isLog, true);
  assertEquals(axis.clamp(0), axis.domain[0]);
  const texts = textsOf(axis.scale).join("  ");
  assertEquals(texts, "2 s  5 s  10 s  30 s  1 min  2 min  5 min  10 min");
  const wide = textsOf(createDurationAxis([0.002, 900], "Age").scale).join("  ");
  assertEquals(wide, "0.01 s  0.1 s  1 s  10 s  1 min  10 min");
});

Deno.test("createDurationAxis() is linear from zero elsewhere, in the unit that suits", () => {
  assertEquals(createDurationAxis([10, 20], "Age").scale.label, "Age (s) →");
  assertEquals(createDurationAxis([7_200, 20_000], "Age").scale.label, "Age (h) →");
  assertEquals(createDurationAxis([], "Age").domain, [0, 1]);
  assertEquals(createLinearDurationAxis([0, 600], "Age").scale.domain, [0, 10]);
});

Deno.test("toSeconds() reads text, dates and instants, and returns null for others", () => {
  assertEquals(toSeconds("1970-01-01T00:00:01.5Z"), 1.5);
  assertEquals(toSeconds(new Date(2_000)), 2);
  assertEquals(toSeconds(Temporal.Instant.fromEpochMilliseconds(250)), 0.25);
  for (const none of ["yesterday", new Date(NaN), null, undefined]) {
    assertEquals(toSeconds(none), null);
  }
  assertEquals(formatMoment(1_795_274_299.9), "2026-11-21 15:18:19 UTC");
});

/** Texts of the ticks that an axis names. */
function textsOf({ ticks, tickFormat }: Axis): string[] {
  return (ticks as number[]).map(tickFormat as (tick: number) => string);
}

type Axis = Parameters<typeof fitTicks>[0];

/** Labels as they stand along an axis. */
function labels(axis: Axis, length: number): string {
  const fitted = fitTicks(axis, { side: "x", length, margins: [40, 40] });
  return textsOf(fitted).join("  ");
}

/** From 1e-6 to 1e6 on both sides of zero. */
const DECADES = Array.from({ length: 13 }, (_, place) => 10 ** (place - 6))
  .flatMap((size) => [-size, size]);

Deno.test("an axis over 12 decades on both sides of zero has ticks at powers of ten, as many as fit", () => {
  const { scale } = createValueAxis(DECADES, { label: "Score (ETH)", noun: "score" });
  const wide = "−1,000,000  −1,000  −1  −0.001  0  0.001  1  1,000  1,000,000";
  assertEquals(labels(scale, 600), wide);
  assertEquals(labels(scale, 240), "−100,000  −1  0  1  100,000");
  assertEquals(labels(scale, 100), "−1  0  1");
});

Deno.test("listSymlogTicks() are zero and every power of ten within the axis", () => {
  assertEquals(listSymlogTicks([-20, 1_500], 1), [-10, -1, 0, 1, 10, 100, 1_000]);
});

Deno.test("an axis over 12 decades above zero counts its powers of ten from 1", () => {
  const { scale } = createValueAxis(DECADES.filter((value) => value > 0), {
    label: "Score (ETH)",
    noun: "score",
  });
  assertEquals(labels(scale, 300), "0.000001  0.001  1  1,000  1,000,000");
});

Deno.test("all ticks of an axis have one form", () => {
  const linear = (domain: [number, number], tickFormat = formatNumber): Axis => ({
    type: "linear",
    domain,
    ticks: 6,
    tickFormat,
  });
  assertEquals(labels(linear([0, 2]), 600), "0  0.5  1.0  1.5  2.0");
  assertEquals(labels(linear([0, 1e-4]), 600), "0  0.00002  0.00004  0.00006  0.00008  0.00010");
  assertEquals(labels(linear([-10, 10], formatSigned), 600), "−10  −5  0  +5  +10");
  const thousands = "0  2,000  4,000  6,000  8,000  10,000  12,000";
  assertEquals(labels(linear([0, 12_000]), 600), thousands);
  const logarithmic: Axis = {
    type: "log",
    domain: [5e-6, 2],
    ticks: [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1],
    tickFormat: formatNumber,
  };
  assertEquals(labels(logarithmic, 600), "0.00001  0.0001  0.001  0.01  0.1  1");
});

Deno.test("createListAxis() has room for its labels, and cuts those that are too long", () => {
  const list = createListAxis(["a", "a"], { width: 760 });
  assertEquals(list.y.domain, [0, 1], "equal labels stay apart");
  assert(list.marginLeft > measureLabel("a"));
  const long = createListAxis(["a name that is much too long for this"], { width: 240 });
  assertEquals(long.marginLeft, 96);
  const label = (long.y.tickFormat as (place: number) => string)(0);
  assert(measureLabel(label) < 96, label);
  assert(label.includes("…"));
});

Deno.test("createStripAxis() has higher rows than a list of bars, lower ones where there are many", () => {
  const heightOf = (rows: number) =>
    createStripAxis(Array(rows).fill("a"), { width: 400 }).height - 54;
  assertEquals([heightOf(1), heightOf(15), heightOf(16)], [34, 15 * 34, 16 * 22]);
  assertEquals(createStripAxis(["a", "b"], { width: 400 }).y.domain, [1.5, -0.5]);
});

const meaning = { label: "Score (ETH)", noun: "score" };

Deno.test("createValueAxis() is linear from zero for amounts of one size", () => {
  const axis = createValueAxis([2, 10], meaning);
  assertEquals([axis.isLinear, axis.note], [true, null]);
  assertEquals([axis.fraction(0), axis.fraction(10)], [0, 1]);
  assertEquals(axis.scale.label, "Score (ETH) →");
  assertEquals(createValueAxis([-10, 10], meaning).fraction(0), 0.5);
});

Deno.test("createValueAxis() is logarithmic for amounts a thousandfold apart, zeros at its edge", () => {
  const axis = createValueAxis([0, 1, 1_000], meaning);
  assertEquals(axis.isLinear, false);
  assertEquals(axis.scale.label, "Score (ETH, logarithmic) →");
  assertEquals(axis.fraction(0), 0);
  assertEquals(axis.note, "1 score of 0 shown at the edge of the axis");
  assertAlmostEquals(axis.fraction(10) - axis.fraction(1), axis.fraction(100) - axis.fraction(10));
});

Deno.test("createValueAxis() is logarithmic on both sides of zero where amounts differ as much", () => {
  const axis = createValueAxis([-1_000, 0.01, 1_000], meaning);
  assertEquals(axis.isLinear, false);
  assertStringIncludes(String(axis.scale.label), "both sides of 0");
  assertAlmostEquals(axis.fraction(0), 0.5);
  assertAlmostEquals(axis.fraction(10) + axis.fraction(-10), 1);
});
