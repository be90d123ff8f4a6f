import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { leftOnTheTable } from "orderlens/charts";
import { execution } from "../order_rows.ts";
import { fillsOf, marksOf, numberOf, testPicture } from "../svg_marks.ts";

const alone = { best_unexecuted_solver: null, best_unexecuted_over_limit_bps: null };
const worse = { best_unexecuted_over_limit_bps: 30, left_native: -1 };

Deno.test("leftOnTheTable() sets the best other bid against the executed one", () => {
  const { svg, title } = leftOnTheTable([
    execution(1),
    execution(2, { best_unexecuted_filtered_out: true }),
    execution(3, worse),
  ], { nativeSymbol: "ETH" });
  assertEquals(
    title,
    "Left on the table: 1 of 2 better bids could have won, worth 0.25 ETH more",
  );
  assertEquals(fillsOf(svg, "fill"), ["#e69f00", "white", "#0072b2"]);
  const [better, , best] = marksOf(svg, "fill");
  assert(numberOf(better, "cy") < numberOf(best, "cy"));
  assertStringIncludes(better?.title ?? "", "difference +2.0 bps, +0.25 native tokens");
});

Deno.test("leftOnTheTable() places dots by size, and by the executed bid where one has no size", () => {
  const sizes = [0.5, 2, 1].map((volume_native, place) => execution(place, { volume_native }));
  const bySize = leftOnTheTable(sizes, { nativeSymbol: "ETH" }).svg;
  assertStringIncludes(bySize, "Size of the execution (ETH)");
  const [least, most, middle] = marksOf(bySize, "fill").map((mark) => numberOf(mark, "cx"));
  assert(least! < middle! && middle! < most!);
  const { svg } = leftOnTheTable([...sizes, execution(3)]);
  assertStringIncludes(svg, "Executed bid over the limit (bps)");
});

Deno.test("leftOnTheTable() lists the executions with the most left first", () => {
  const rows = [0.1, 0.3, 0.2].map((left_native, place) => execution(place, { left_native }));
  const { svg } = leftOnTheTable(rows, { limit: 2, nativeSymbol: "ETH" });
  assertEquals(marksOf(svg, "executed").length, 2);
  assert(svg.indexOf("+0.3 ETH<") < svg.indexOf("+0.2 ETH<"));
  assert(!svg.includes("+0.1 ETH<"));
  assertStringIncludes(svg, "The list shows the 2 executions with the most left, of 3");
});

Deno.test("leftOnTheTable() sorts and names basis points where a worth is not known", () => {
  const { svg, title } = leftOnTheTable([
    execution(1, { left_native: null }),
    execution(2, { best_unexecuted_over_limit_bps: 50 }),
  ]);
  assertEquals(title, "Left on the table: 2 better bids");
  assertEquals(
    marksOf(svg, "other").map(({ title }) => title?.includes("+10.0 bps")),
    [true, false],
  );
});

Deno.test("leftOnTheTable() says that none of the better bids could win, and where there is none", () => {
  const filtered = { best_unexecuted_filtered_out: true };
  const { title, finding } = leftOnTheTable([execution(1, filtered), execution(2, worse)]);
  assertEquals(title, "Left on the table: 1 better bid, none of which could win");
  assertEquals(
    finding,
    "In 1 of 2 (50%) executions that another solver bid on, its bid for the order was better. All of " +
      "those were filtered out, so none could have won. The most was left by order " +
      `${finding.match(/0x\S+/)![0]} +2.0 bps.`,
  );
  assertEquals(
    leftOnTheTable([execution(2, worse)]).title,
    "Left on the table: nothing in 1 execution",
  );
});

Deno.test("leftOnTheTable() has no list where the executed bids were the best", () => {
  const { svg } = leftOnTheTable([execution(1, worse)]);
  assert(!svg.includes("most left"));
  assertEquals(marksOf(svg, "fill").length, 1);
});

Deno.test("leftOnTheTable() tells executions without another bid from those not known", () => {
  const { rows, svg } = leftOnTheTable([
    execution(1),
    execution(2, alone),
    execution(3, { executed_over_limit_bps: NaN }),
  ]);
  assertEquals(rows.length, 1);
  assertStringIncludes(svg, "1 execution without another bid left out");
  assertStringIncludes(svg, "1 execution without both prices left out");
});

testPicture(
  "leftOnTheTable",
  leftOnTheTable,
  [execution(1), execution(2, worse), execution(3, { left_native: 0.5 })],
  ["No executions in this range", []],
  ["had another bid", [execution(1, alone)]],
);
