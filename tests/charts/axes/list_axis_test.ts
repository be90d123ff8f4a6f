import { assert, assertEquals } from "@std/assert";
import { labelWidth } from "../../../lib/charts/texts/label_text.ts";
import { listAxis, stripAxis } from "../../../lib/charts/axes/row_axes.ts";

Deno.test("listAxis() has room for its labels, and cuts those that are too long", () => {
  const list = listAxis(["a", "a"], { width: 760 });
  assertEquals(list.y.domain, [0, 1], "equal labels stay apart");
  assert(list.marginLeft > labelWidth("a"));
  const long = listAxis(["a name that is much too long for this"], { width: 240 });
  assertEquals(long.marginLeft, 96);
  const label = (long.y.tickFormat as (place: number) => string)(0);
  assert(labelWidth(label) < 96, label);
  assert(label.includes("…"));
});

Deno.test("listAxis() of a list beside another has no labels and little room for them", () => {
  const { y, marginLeft } = listAxis(["a name"], { width: 400, marginLeft: 90, isLabelled: false });
  assertEquals([y.axis, marginLeft], [null, 18]);
});

Deno.test("stripAxis() has higher rows than a list of bars, lower ones where there are many", () => {
  const heightOf = (rows: number) => stripAxis(Array(rows).fill("a"), { width: 400 }).height - 54;
  assertEquals([heightOf(1), heightOf(15), heightOf(16)], [34, 15 * 34, 16 * 22]);
  assertEquals(stripAxis(["a", "b"], { width: 400 }).y.domain, [1.5, -0.5]);
});
