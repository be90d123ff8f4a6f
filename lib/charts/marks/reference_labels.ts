import * as Plot from "@observablehq/plot";
import { COLORS } from "../figure/colors.ts";
import { labelWidth } from "../texts/label_size.ts";
import type { PlacedAxis } from "../axes/axis_scale.ts";

/** A line from the bottom of a picture up to its label. */
export interface ReferenceLine {
  /** Its place, in pixels. */
  x: number;
  /** How wide its label is, in pixels. */
  width: number;
}

/** Where the label of a line stands. */
export interface LabelPlace {
  /** Whether it stands left of its line. */
  isLeft: boolean;
  /** How many lines of text it stands above the lowest label: its line ends there. */
  level: number;
}

/** From a line to its label, in pixels. */
const LABEL_GAP = 4;
/** Above this number of lines, labels keep the order of their lines. */
const MOST_TRIED = 5;

/**
 * Places the labels of lines above a picture, each on its own level and on one side of its line, so
 * that no label is cut or crossed by another line. Among such placements it picks the one closest to
 * the order of the lines.
 *
 * @param room Width of what labels may use, from 0, in pixels.
 */
export function referenceLabels(lines: readonly ReferenceLine[], room: number): LabelPlace[] {
  const inOrder = lines.map((_, level) => level);
  let best = { cost: Infinity, places: inOrder.map((level) => ({ isLeft: false, level })) };
  const levels = lines.length > MOST_TRIED ? [inOrder] : permutations(inOrder);
  for (const order of levels) {
    for (let sides = 0; sides < 2 ** Math.min(lines.length, MOST_TRIED); sides++) {
      const places = order.map((level, at) => ({ isLeft: (sides >> at & 1) === 1, level }));
      const cost = costOf(places, { lines, room });
      if (cost < best.cost) best = { cost, places };
    }
  }
  return best.places;
}

function costOf(
  places: readonly LabelPlace[],
  { lines, room }: { lines: readonly ReferenceLine[]; room: number },
): number {
  let cost = 0;
  for (const [at, { isLeft, level }] of places.entries()) {
    const { x, width } = lines[at]!;
    const [from, to] = isLeft ? [x - width - LABEL_GAP, x - 1] : [x + 1, x + width + LABEL_GAP];
    if (from < 0 || to > room) cost += 100;
    cost += 100 * places.filter((other, which) => {
      const line = lines[which]!.x;
      return other.level > level && line > from && line < to;
    }).length;
    cost += Math.abs(level - at) + (isLeft ? 0.1 : 0);
  }
  return cost;
}

function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    permutations(values.filter((other) => other !== value)).map((rest) => [value, ...rest])
  );
}

/** A value that others are compared with. */
export interface Reference {
  /** The value. */
  value: number;
  /** Its name, above its line. */
  text: string;
  /** What the tooltip of its line says. */
  title: string;
  /** Dashes of its line; `none` for a solid one. */
  dash: string;
}

/** Where lines to references and their names stand. */
export interface ReferenceRoom {
  /** Axis of the values. */
  axis: Pick<PlacedAxis, "place" | "fraction">;
  /** Length of the axis, in pixels. */
  axisWidth: number;
  /** Room left of the axis, in pixels. */
  marginLeft: number;
  /** Width of the panel, in pixels. */
  width: number;
  /** From the panel up to the lowest name and from it to the next, in pixels. */
  heights: readonly [lowest: number, line: number];
}

/** Lines at some values, each with its name above it. */
export function referenceMarks(
  references: readonly Reference[],
  { axis, axisWidth, marginLeft, width, heights: [lowest, height] }: ReferenceRoom,
  { line, name }: { line: Plot.RuleXOptions; name?: Plot.TextOptions },
): Plot.Markish[] {
  const lines = references.map(({ value, text }) => ({
    x: marginLeft + axisWidth * axis.fraction(value),
    width: labelWidth(text),
  }));
  const places = referenceLabels(lines, width);
  return references.flatMap(({ value, text, title, dash }, at) => {
    const { isLeft, level } = places[at]!;
    const own = lines[at]!;
    const isCut = (isLeft ? own.x : width - own.x) < own.width + LABEL_GAP;
    const top = -lowest - level * height;
    return [
      Plot.ruleX([value], {
        ...line,
        x: axis.place,
        insetTop: top,
        stroke: COLORS.ink,
        strokeDasharray: dash,
        title: () => title,
      }),
      Plot.text([value], {
        ...name,
        text: () => text,
        frameAnchor: "top",
        dy: top - 4,
        ...(isCut ? {} : {
          x: axis.place,
          dx: isLeft ? -LABEL_GAP : LABEL_GAP,
          textAnchor: isLeft ? "end" : "start",
        }),
      }),
    ];
  });
}
