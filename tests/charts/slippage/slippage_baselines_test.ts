import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { slippageBaselines } from "orderlens/charts";
import { fill } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

Deno.test("slippageBaselines() sets the same fills against four baselines on one axis", () => {
  const { svg, title } = slippageBaselines([fill(1), fill(2)]);
  assertEquals(title, "The same fills: median from −6.0 bps (gross quote) to +54.0 bps (limit)");
  const medians = marksOf(svg, "median").filter((mark) => mark.title?.startsWith("median "));
  const plain = medians.filter((mark) => !mark.title?.includes("weighted"));
  assertEquals(plain.map((mark) => mark.title), [
    "median −6.0 bps",
    "median +2.0 bps",
    "median +4.0 bps",
    "median +54.0 bps",
  ]);
  const [gross = NaN, net = NaN, shown = NaN, limit = NaN] = plain.map((mark) =>
    numberOf(mark, "x1")
  );
  assert(gross < net && net < shown && shown < limit);
  assert(Math.abs((limit - gross) / (net - gross) - 60 / 8) < 0.01, "the same scale");
  assertStringIncludes(svg, "(100% of fills better)");
});

Deno.test("slippageBaselines() counts only fills known against all, and names an unknown baseline", () => {
  const { rows, svg } = slippageBaselines([
    fill(1, { slippage_user_shown_bps: null }),
    fill(2, { slippage_user_shown_bps: null, slippage_gross_bps: null }),
  ]);
  assertEquals(rows.length, 1);
  assertStringIncludes(svg, "1 fill without a known slippage against all of them left out");
  assertStringIncludes(svg, "No fill has a known slippage against the quote as shown");
});
