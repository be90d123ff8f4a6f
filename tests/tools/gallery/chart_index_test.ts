import { assert, assertEquals, assertMatch } from "@std/assert";
import { DRAWN } from "../../charts/drawn.ts";
import { DRAWN_INDEX as index } from "./drawn_index.ts";

Deno.test("indexCharts() has every chart, by name", () => {
  const drawn = ["explore", "figure", ...DRAWN.map(([name]) => name)].sort();
  const indexed = index.charts.map(({ name }) => name);
  const missing = drawn.filter((name) => !indexed.includes(name))
    .map((name) => `tools/gallery/charts/${name}.ts`);
  assertEquals(missing, [], `Add an example of about five lines: ${missing.join(", ")}`);
  assertEquals(indexed, drawn);
});

Deno.test("indexCharts() draws every chart from rows, and says what it shows and needs", () => {
  for (const { name, summary, columns, svg } of index.charts) {
    assertMatch(summary, /^Draws [^.]+\.$/, name);
    assert(columns.needed.length + columns.read.length > 0, name);
    assertEquals(columns.needed.filter((column) => columns.read.includes(column)), []);
    assert(!/>No \w+/.test(svg), `${name} draws nothing`);
  }
});

Deno.test("indexCharts() shows code of about five lines that a reader can type", () => {
  for (const { name, code } of index.charts) {
    assert(code.split("\n").filter((line) => line !== "").length <= 8, name);
    assert(!code.includes("export ") && !code.includes("./"), name);
    assert(code.includes(`${name}(`), name);
  }
  assert(index.beginning.includes('await openMarket("market_1"'));
});

Deno.test("indexCharts() names the columns that the question is about", () => {
  const { columns } = index.charts.find(({ name }) => name === "slippageByPair")!;
  assertEquals(columns.needed, ["order_uid", "kind", "slippage_net_bps", "pair"]);
  assert(columns.read.includes("solver"));
  const general = index.charts.find(({ name }) => name === "timeSeries")!;
  assertEquals(general.columns, { needed: ["x"], read: ["y", "series"] });
});
