import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { createFixedAxis, createLinearScale } from "../../../lib/charts/axes/axis_scale.ts";
import { createListAxis, type ListSize } from "../../../lib/charts/axes/row_axes.ts";
import type { Panel } from "../../../lib/charts/figure/panel.ts";
import {
  createListPanel,
  fitNotes,
  measureNoteMargin,
  placeSideBySide,
} from "../../../lib/charts/marks/bars.ts";
import { placeReferenceLabels } from "../../../lib/charts/marks/dot_plot.ts";
import { countBars, createBins } from "../../../lib/charts/slippage/slippage_histogram.ts";
import { measureLabel } from "../../../lib/charts/texts/label_text.ts";

const axis = { clamp: (value: number) => value, fraction: (value: number) => value };
const notes = [
  { value: 1, text: "a note at the end" },
  { value: 0.2, text: "a much longer note ".repeat(3) },
];

Deno.test("notes stay inside the panel, wherever their marks end", () => {
  const room = { axis, width: 600, marginLeft: 100 };
  const marginRight = measureNoteMargin(notes, room);
  assertEquals(fitNotes(notes, { ...room, marginRight }), notes.map((note) => note.text));
  for (const { value, text } of notes) {
    const begin = 100 + value * (600 - 100 - marginRight);
    assert(begin + measureLabel(text) < 600, text);
  }
});

Deno.test("notes that have no room are cut, or say what is short", () => {
  const room = { axis, width: 240, marginLeft: 96 };
  const texts = (short?: string) => {
    const own = notes.map((note) => short === undefined ? note : { ...note, short });
    return fitNotes(own, { ...room, marginRight: measureNoteMargin(own, room) });
  };
  assert(texts()[1]!.includes("…"));
  assertEquals(texts("2")[1], "2");
});

Deno.test("countBars() counts each value once, and no bar has values of both signs", () => {
  fc.assert(fc.property(
    fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 60 }),
    (values) => {
      const bars = countBars(values, createBins(values));
      assertEquals(bars.reduce((sum, bar) => sum + bar.count, 0), values.length);
      for (const { from, to, isBeyond } of bars) assert(isBeyond || from >= 0 || to <= 1e-9);
    },
  ));
});

Deno.test("createBins() has widths of 1, 2 or 5 times a power of ten", () => {
  assertEquals(createBins([-10, 10]).step, 5);
  assertEquals(createBins([0, 7]).step, 1);
  assertEquals(createBins([0]).domain, [-1, 1.5]);
  assertEquals(createBins([5e-324]).step, 1e-100);
});

Deno.test("createBins() ends at the values near each other, with one bar for what is beyond", () => {
  const near = Array.from({ length: 41 }, (_, clamp) => clamp - 20);
  const binning = createBins([...near, -9_000]);
  // The middle 80% is −16.9 to 15.9: nothing between −20 and −9,000 widens the axis.
  assertEquals(binning.range, [-20, 25]);
  assertEquals(binning.domain, [-25, 25]);
  assertEquals([binning.belowCount, binning.aboveCount, binning.farthest], [1, 0, -9_000]);
  const [first] = countBars([...near, -9_000], binning);
  assertEquals(first, { from: -25, to: -20, count: 1, isBeyond: true, farthest: -9_000 });
});

const WIDTH = 60;

function linesAt(xs: readonly number[]) {
  return xs.map((x) => ({ x, width: WIDTH }));
}

/** Lines that run through a label: those that end higher, and stand where it stands. */
function crossings(xs: readonly number[], room: number): number {
  const places = placeReferenceLabels(linesAt(xs), { axis: 0, end: room });
  return places.reduce((sum, { isLeft, level }, at) => {
    const [from, to] = isLeft ? [xs[at]! - WIDTH, xs[at]!] : [xs[at]!, xs[at]! + WIDTH];
    const cut = from < 0 || to > room ? 1 : 0;
    return sum + cut +
      places.filter((other, line) => other.level > level && xs[line]! > from && xs[line]! < to)
        .length;
  }, 0);
}

Deno.test("placeReferenceLabels() lets no line run through a label, wherever the lines are", () => {
  assertEquals(crossings([100, 480, 490, 500], 520), 0);
  assertEquals(crossings([100, 110, 120, 130], 520), 0);
  assertEquals(crossings([5, 300, 310, 515], 520), 0);
  assertEquals(crossings([200, 200, 200, 200], 520), 0);
});

Deno.test("placeReferenceLabels() puts labels near the right end left of their lines, the rightmost highest", () => {
  const places = placeReferenceLabels(linesAt([480, 490, 500]), { axis: 0, end: 520 });
  assertEquals(places.map(({ isLeft }) => isLeft), [true, true, true]);
  assertEquals(places.map(({ level }) => level), [0, 1, 2]);
});

Deno.test("placeReferenceLabels() keeps labels off the ticks left of the axis", () => {
  // The label of the first line would be shorter to reach on its left, over the ticks.
  const isLeft = (axis: number) =>
    placeReferenceLabels(linesAt([110, 115]), { axis, end: 520 }).map((clamp) => clamp.isLeft);
  assertEquals(isLeft(40), [true, false]);
  assertEquals(isLeft(60), [false, false]);
});

const labels = ["one", "another"];
const bids = createFixedAxis(createLinearScale([4], { label: "Bids" }));

function list(size: ListSize): Panel {
  return createListPanel({ ...size, labels, axis: bids, marks: () => [] });
}

Deno.test("createListPanel() leaves room for a column of notes, and sets the label of its axis", () => {
  const { plot } = createListPanel({
    width: 500,
    labels,
    axis: bids,
    label: "Bids of each",
    marks: () => [],
    column: ["1", "22,222"],
  });
  // Ticks take 14 pixels, the gap 10, five digits 35 and the comma 3.74.
  assertEquals(plot.marginRight, 14 + 39 + 10);
  assertEquals([plot.x?.label, plot.x?.labelAnchor], ["Bids of each", "center"]);
});

Deno.test("placeSideBySide() gives lists axes of equal length, and labels the first alone", () => {
  const rows = placeSideBySide([list, list, list], { width: 800, marginLeft: 80, labels });
  const [panels] = rows as [readonly Panel[]];
  assertEquals(rows.length, 1);
  assertEquals(panels.map(({ share }) => share), [320, 240, 240]);
  assertEquals(panels.map(({ plot }) => plot.y?.axis), [undefined, null, null]);
});

Deno.test("placeSideBySide() stacks lists in a narrow figure, each with its labels", () => {
  const rows = placeSideBySide([list, list], { width: 599, labels }) as readonly Panel[];
  const { marginLeft } = createListAxis(labels, { width: 599 });
  assertEquals(rows.map(({ share, plot }) => [share, plot.marginLeft]), [
    [599, marginLeft],
    [599, marginLeft],
  ]);
});
