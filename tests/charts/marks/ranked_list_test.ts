import { assertEquals } from "@std/assert";
import { fixedAxis, linearAxis } from "../../../lib/charts/axes/axis_scale.ts";
import { listAxis, type ListSize } from "../../../lib/charts/axes/row_axes.ts";
import type { Panel } from "../../../lib/charts/figure/panel.ts";
import { rankedList, sideBySide } from "../../../lib/charts/marks/bars.ts";

const labels = ["one", "another"];
const axis = fixedAxis(linearAxis([4], { label: "Bids" }));

function list(size: ListSize): Panel {
  return rankedList({ ...size, labels, axis, marks: () => [] });
}

Deno.test("rankedList() tells its marks how long the axis is", () => {
  let room = {};
  const marks = (one: object) => {
    room = one;
    return [];
  };
  rankedList({ width: 500, marginLeft: 90, marginRight: 30, labels, axis, marks });
  assertEquals(room, { axis, width: 500, marginLeft: 90, axisWidth: 380 });
});

Deno.test("rankedList() leaves room for a column of notes, and labels its axis as asked", () => {
  const { plot } = rankedList({
    width: 500,
    labels,
    axis,
    label: "Bids of each",
    marks: () => [],
    column: ["1", "22,222"],
  });
  // Ticks take 14 pixels, the gap 10, five digits 35 and the comma 3.74.
  assertEquals(plot.marginRight, 14 + 39 + 10);
  assertEquals([plot.x?.label, plot.x?.labelAnchor], ["Bids of each", "center"]);
});

Deno.test("sideBySide() gives lists axes of equal length, and labels the first alone", () => {
  const rows = sideBySide([list, list, list], { width: 800, marginLeft: 80, labels });
  const [panels] = rows as [readonly Panel[]];
  assertEquals(rows.length, 1);
  assertEquals(panels.map(({ share }) => share), [320, 240, 240]);
  assertEquals(panels.map(({ plot }) => plot.y?.axis), [undefined, null, null]);
});

Deno.test("sideBySide() takes the part of the width that the second list has", () => {
  const [panels] = sideBySide([list, list], { width: 800, labels }, 0.25) as [readonly Panel[]];
  assertEquals(panels.map(({ share }) => share), [600, 200]);
});

Deno.test("sideBySide() stacks lists in a narrow figure, each with its labels", () => {
  const rows = sideBySide([list, list], { width: 599, labels }) as readonly Panel[];
  const { marginLeft } = listAxis(labels, { width: 599 });
  assertEquals(rows.map(({ share, plot }) => [share, plot.marginLeft]), [
    [599, marginLeft],
    [599, marginLeft],
  ]);
});
