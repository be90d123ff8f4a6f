import { assertEquals, assertStringIncludes } from "@std/assert";
import { slippageBySolver } from "orderlens/charts";
import { fill } from "../slippage_rows.ts";
import { marksOf } from "../svg_marks.ts";

Deno.test("slippageBySolver() has a row per solver, addresses cut to their ends", () => {
  const { svg, title } = slippageBySolver([
    fill(1, { solver: `0x${"ab".repeat(20)}` }),
    fill(2, { solver: undefined as never }),
    fill(3, { solver: "quasilabs", slippage_net_bps: -4 }),
  ]);
  for (const name of ["0xabab…abab", "unknown solver", "quasilabs"]) {
    assertStringIncludes(svg, `>${name}<`);
  }
  assertEquals(marksOf(svg, "fill").length, 3);
  assertEquals(title, "Fills against the net quote, by solver: median better in 2 of 3 solvers");
});
