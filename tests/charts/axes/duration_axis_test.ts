import { assertEquals } from "@std/assert";
import {
  durationAxis,
  durationText,
  linearDurationAxis,
} from "../../../lib/charts/axes/duration_axis.ts";
import { momentText, secondsOf } from "../../../lib/charts/texts/label_text.ts";

Deno.test("durationText() rounds to what a person reads", () => {
  const texts = [0, 0.00123, 4.06, 59.97, 61.4, 3_599.6, 36_030, 200_000, -4, Infinity]
    .map(durationText);
  assertEquals(texts, [
    "0 s",
    "0.0012 s",
    "4.1 s",
    "1 min",
    "1 min 1 s",
    "1 h",
    "10 h 1 min",
    "2 d 7 h 33 min",
    "−4 s",
    "an unknown time",
  ]);
});

Deno.test("durationText() keeps to one form below a second, and to what is known of long spans", () => {
  assertEquals([1e-6, 1e-4, 0.01].map(durationText), ["0.000001 s", "0.0001 s", "0.01 s"]);
  assertEquals(durationText(8.64e34), "1e30 d");
});

Deno.test("durationAxis() is logarithmic where spans differ a hundredfold, in units of time", () => {
  const axis = durationAxis([2, 900, 0], "Age");
  assertEquals(axis.isLog, true);
  assertEquals(axis.place(0), axis.domain[0]);
  const texts = (axis.scale.ticks as number[]).map((tick) =>
    (axis.scale.tickFormat as (tick: number) => string)(tick)
  );
  assertEquals(texts, [
    "2 s",
    "5 s",
    "10 s",
    "30 s",
    "1 min",
    "2 min",
    "5 min",
    "10 min",
  ]);
  const wide = durationAxis([0.002, 900], "Age").scale;
  assertEquals(
    (wide.ticks as number[]).map((tick) => (wide.tickFormat as (tick: number) => string)(tick)),
    ["0.01 s", "0.1 s", "1 s", "10 s", "1 min", "10 min"],
  );
});

Deno.test("durationAxis() is linear from zero elsewhere, in the unit that suits", () => {
  assertEquals(durationAxis([10, 20], "Age").scale.label, "Age (s) →");
  assertEquals(durationAxis([7_200, 20_000], "Age").scale.label, "Age (h) →");
  assertEquals(durationAxis([], "Age").domain, [0, 1]);
  assertEquals(linearDurationAxis([0, 600], "Age").scale.domain, [0, 10]);
});

Deno.test("secondsOf() reads text, dates and instants, and says when it cannot", () => {
  assertEquals(secondsOf("1970-01-01T00:00:01.5Z"), 1.5);
  assertEquals(secondsOf(new Date(2_000)), 2);
  assertEquals(secondsOf(Temporal.Instant.fromEpochMilliseconds(250)), 0.25);
  for (const none of ["yesterday", new Date(NaN), null, undefined]) {
    assertEquals(secondsOf(none), null);
  }
  assertEquals(momentText(1_795_274_299.9), "2026-11-21 15:18:19 UTC");
});
