import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { toleranceUsed } from "orderlens/charts";
import { fill } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

Deno.test("toleranceUsed() sets what was used against what was signed; the limit is the diagonal", () => {
  const { svg, title } = toleranceUsed([
    fill(1, { slippage_user_shown_bps: -50 }),
    fill(2, { slippage_user_shown_bps: 0 }),
    fill(3, { slippage_user_shown_bps: 9 }),
  ]);
  assertEquals(
    title,
    "67% of fills needed none of their tolerance below the quote as shown",
  );
  const [all, none, better] = marksOf(svg, "fill");
  assertEquals([all, none, better].map((mark) => mark?.attributes["fill"]), [
    "#e69f00",
    "#0072b2",
    "#0072b2",
  ]);
  assertStringIncludes(all?.title ?? "", "50 bps signed, 50 bps used");
  const [limit] = marksOf(svg, "limit");
  const [, x1, y1, x2, y2] = (limit?.attributes["d"] ?? "")
    .match(/M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)/)?.map(Number) ?? [];
  const slope = (y2! - y1!) / (x2! - x1!);
  assertAlmostEquals(numberOf(all, "cy"), y1! + slope * (numberOf(all, "cx") - x1!), 0.01);
});

Deno.test("toleranceUsed() marks the tolerances asked for where there are at most three", () => {
  const asked = (tolerances: readonly (number | null)[]) =>
    marksOf(
      toleranceUsed(tolerances.map((bps, place) => fill(place, { tolerance_asked_bps: bps }))).svg,
      "asked",
    ).length;
  assertEquals(asked([50, 50, null]), 1);
  assertEquals(asked([10, 20, 30, 40]), 0);
});

Deno.test("toleranceUsed() measures from a quote, not from the limit itself", () => {
  assertThrows(() => toleranceUsed([], { baseline: "limit" as never }), InputError, "limit");
  const { svg } = toleranceUsed([fill(1)], { baseline: "gross" });
  assertStringIncludes(svg, "60 bps signed, 6 bps used against the gross quote");
});

Deno.test("toleranceUsed() counts fills without a tolerance in no share, and draws better ones higher", () => {
  const { svg, title, rows } = toleranceUsed([
    fill(1, { slippage_user_shown_bps: -12 }),
    fill(2, { slippage_user_shown_bps: 9 }),
    fill(3, { slippage_user_shown_bps: 30, tolerance_signed_user_shown_bps: 0 }),
    fill(4, { slippage_user_shown_bps: 30, tolerance_signed_user_shown_bps: -20 }),
  ]);
  // Of two fills that had a tolerance one used none of it; the other two had none to use.
  assertEquals(
    title,
    "50% of fills needed none of their tolerance below the quote as shown",
  );
  assertEquals(rows.map(({ slippage_user_shown_bps: bps }) => bps), [-12, 9]);
  assertStringIncludes(
    svg,
    "n = 2 fills. 2 fills whose limit left no room below the quote as shown left out",
  );
  const [worse, better] = marksOf(svg, "fill");
  assertEquals(numberOf(better, "cy") < numberOf(worse, "cy"), true);
});
