import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Chart, ChartOptions, SlippageRow } from "orderlens/charts";
import { DRAWN, tableOf } from "./drawn.ts";
import { HOSTILE, TWELVE } from "./slippage_rows.ts";
import { assertDrawn } from "./svg_marks.ts";

type Draw = (rows: readonly SlippageRow[], options?: ChartOptions) => Chart<SlippageRow>;

/** Every chart of fills with their slippage, whatever is added to them. */
const CHARTS = DRAWN.filter(([name, draw]) =>
  name !== "orderTimeline" && tableOf(name, draw) === "fillsTable"
) as [string, Draw][];

for (const [name, draw] of CHARTS) {
  for (const [what, rows] of Object.entries(HOSTILE)) {
    Deno.test(`${name}() draws ${what} without an exception or a broken mark`, () => {
      const { rows: drawn, svg } = draw(rows, { source: "a test" });
      assertDrawn(svg);
      assert(!svg.includes("<b>"));
      assertMatch(svg, /Source: a/);
      assert(svg.length < 800_000, `${svg.length} characters`);
      const kept = new Set(rows);
      assert(drawn.every((row) => kept.has(row)), "draws rows that it was given");
      assertMatch(svg, new RegExp(`n = ${drawn.length.toLocaleString("en-US")} fill`));
    });
  }

  Deno.test(`${name}() has a title, a description and takes width and height`, () => {
    const small = draw(TWELVE, { width: 480, height: 200 });
    assertMatch(small.svg, /width="480"/);
    assert(small.svg.length > 0 && draw(TWELVE, { height: 500 }).svg !== small.svg);
    assertMatch(
      small.svg,
      /role="img" aria-label="[^"]{20,}"><title>[^<]{20,}<\/title><desc>[^<]{40,}/,
    );
  });

  Deno.test(`${name}() draws the same figure for the same rows`, async (t) => {
    const { svg } = draw(TWELVE, { source: "a test" });
    assertEquals(draw(TWELVE, { source: "a test" }).svg, svg);
    await t.assertSnapshot(svg.split("><"));
  });
}
