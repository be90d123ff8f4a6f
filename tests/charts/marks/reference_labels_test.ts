import { assertEquals } from "@std/assert";
import { referenceLabels } from "../../../lib/charts/marks/dot_plot.ts";

const WIDTH = 60;

/** Lines that run through a label: those that end higher, and stand where it stands. */
function crossings(xs: readonly number[], room: number): number {
  const places = referenceLabels(xs.map((x) => ({ x, width: WIDTH })), room);
  return places.reduce((sum, { isLeft, level }, at) => {
    const [from, to] = isLeft ? [xs[at]! - WIDTH, xs[at]!] : [xs[at]!, xs[at]! + WIDTH];
    const cut = from < 0 || to > room ? 1 : 0;
    return sum + cut +
      places.filter((other, line) => other.level > level && xs[line]! > from && xs[line]! < to)
        .length;
  }, 0);
}

Deno.test("referenceLabels() lets no line run through a label, wherever the lines are", () => {
  assertEquals(crossings([100, 480, 490, 500], 520), 0);
  assertEquals(crossings([100, 110, 120, 130], 520), 0);
  assertEquals(crossings([5, 300, 310, 515], 520), 0);
  assertEquals(crossings([200, 200, 200, 200], 520), 0);
});

Deno.test("referenceLabels() puts labels near the right end left of their lines, the rightmost highest", () => {
  const places = referenceLabels([480, 490, 500].map((x) => ({ x, width: WIDTH })), 520);
  assertEquals(places.map(({ isLeft }) => isLeft), [true, true, true]);
  assertEquals(places.map(({ level }) => level), [0, 1, 2]);
});
