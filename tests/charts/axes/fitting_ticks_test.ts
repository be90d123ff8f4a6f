import { assertEquals } from "@std/assert";
import { axisText } from "../../../lib/charts/texts/label_text.ts";
import { symlogTicks, valueAxis } from "../../../lib/charts/axes/axis_scale.ts";
import { withFittingTicks } from "../../../lib/charts/figure/panel.ts";
import { signedText } from "../../../lib/charts/texts/alike_texts.ts";

type Axis = Parameters<typeof withFittingTicks>[0];

function labels(axis: Axis, length: number, side: "x" | "y" = "x"): string[] {
  const fitted = withFittingTicks(axis, { side, length, margins: [40, 40] });
  return (fitted.ticks as number[]).map((tick) =>
    (fitted.tickFormat as (tick: number) => string)(tick)
  );
}

/** From 1e-6 to 1e6 on both sides of zero. */
const DECADES = Array.from({ length: 13 }, (_, place) => 10 ** (place - 6))
  .flatMap((size) => [-size, size]);

Deno.test("an axis over 12 decades on both sides of zero has ticks at powers of ten, as many as fit", () => {
  const { scale } = valueAxis(DECADES, { label: "Score (ETH)", noun: "score" });
  assertEquals(labels(scale, 600), [
    "−1,000,000",
    "−1,000",
    "−1",
    "−0.001",
    "0",
    "0.001",
    "1",
    "1,000",
    "1,000,000",
  ]);
  assertEquals(labels(scale, 240), ["−100,000", "−1", "0", "1", "100,000"]);
  assertEquals(labels(scale, 100), ["−1", "0", "1"]);
});

Deno.test("symlogTicks() are zero and every power of ten within the axis", () => {
  assertEquals(symlogTicks([-20, 1_500], 1), [-10, -1, 0, 1, 10, 100, 1_000]);
});

Deno.test("an axis over 12 decades above zero counts its powers of ten from 1", () => {
  const { scale } = valueAxis(DECADES.filter((value) => value > 0), {
    label: "Score (ETH)",
    noun: "score",
  });
  assertEquals(labels(scale, 300), ["0.000001", "0.001", "1", "1,000", "1,000,000"]);
});

Deno.test("all ticks of an axis have one form", () => {
  const linear = (domain: [number, number], tickFormat = axisText): Axis => ({
    type: "linear",
    domain,
    ticks: 6,
    tickFormat,
  });
  assertEquals(labels(linear([0, 2]), 600), ["0", "0.5", "1.0", "1.5", "2.0"]);
  assertEquals(labels(linear([0, 1e-4]), 600), [
    "0",
    "2e−5",
    "4e−5",
    "6e−5",
    "8e−5",
    "1e−4",
  ]);
  assertEquals(labels(linear([-10, 10], signedText), 600), ["−10", "−5", "0", "+5", "+10"]);
  assertEquals(labels(linear([0, 12_000]), 600), [
    "0",
    "2,000",
    "4,000",
    "6,000",
    "8,000",
    "10,000",
    "12,000",
  ]);
  const logarithmic: Axis = {
    type: "log",
    domain: [5e-6, 2],
    ticks: [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1],
    tickFormat: axisText,
  };
  assertEquals(labels(logarithmic, 600), ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1"]);
});

Deno.test("an axis from bottom to top has ticks a line apart", () => {
  const { scale } = valueAxis(DECADES, { label: "Score (ETH)", noun: "score" });
  assertEquals(labels(scale, 100, "y").length, 5);
});
