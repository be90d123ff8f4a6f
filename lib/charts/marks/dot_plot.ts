import * as Plot from "@observablehq/plot";
import type { DifferenceAxis, PlacedAxis } from "../axes/axis_scale.ts";
import type { Panel } from "../figure/panel.ts";
import { COLORS } from "../looks.ts";
import { count } from "../texts/count_text.ts";
import { formatPercent, measureLabel } from "../texts/label_text.ts";

interface ReferenceLine {
  /** Its place, in pixels. */
  x: number;
  /** Width of its label, in pixels. */
  width: number;
}

interface LabelPlace {
  isLeft: boolean;
  /** Lines of text between it and the lowest label: its line ends there. */
  level: number;
}

/** Room for labels, in pixels. */
interface LabelRoom {
  /** Left end of the axis: left of it, a label may cover ticks. */
  axis: number;
  end: number;
}

/** Distance of a line from its label, in pixels. */
const LABEL_GAP = 4;
/** Maximum number of lines whose labels may change their order. */
const MAX_TRIED = 5;

/**
 * Places the labels of lines above a picture, each on its own level and on one side of its line, so
 * that no label is cut or crossed by another line. Among such placements it picks the one closest to
 * the order of the lines, over the axis where it can.
 */
export function placeReferenceLabels(
  lines: readonly ReferenceLine[],
  room: LabelRoom,
): LabelPlace[] {
  const inOrder = lines.map((_, level) => level);
  let best = { cost: Infinity, places: inOrder.map((level) => ({ isLeft: false, level })) };
  const levels = lines.length > MAX_TRIED ? [inOrder] : listPermutations(inOrder);
  for (const order of levels) {
    for (let sides = 0; sides < 2 ** Math.min(lines.length, MAX_TRIED); sides++) {
      const places = order.map((level, index) => ({ isLeft: (sides >> index & 1) === 1, level }));
      const cost = scorePlacement(places, { lines, room });
      if (cost < best.cost) best = { cost, places };
    }
  }
  return best.places;
}

function scorePlacement(
  places: readonly LabelPlace[],
  { lines, room }: { lines: readonly ReferenceLine[]; room: LabelRoom },
): number {
  let cost = 0;
  for (const [index, { isLeft, level }] of places.entries()) {
    const { x, width } = lines[index]!;
    const [from, to] = isLeft ? [x - width - LABEL_GAP, x - 1] : [x + 1, x + width + LABEL_GAP];
    if (from < 0 || to > room.end) cost += 100;
    else if (from < room.axis) cost += 10;
    cost += 100 * places.filter((otherPlace, otherIndex) => {
      const line = lines[otherIndex]!.x;
      return otherPlace.level > level && line > from && line < to;
    }).length;
    cost += Math.abs(level - index) + (isLeft ? 0.1 : 0);
  }
  return cost;
}

function listPermutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value) =>
    listPermutations(values.filter((candidate) => candidate !== value)).map((
      tail,
    ) => [value, ...tail])
  );
}

export interface Reference {
  value: number;
  text: string;
  title: string;
  /** Dashes of its line; `none` for a solid one. */
  dash: string;
}

interface ReferenceRoom {
  axis: Pick<PlacedAxis, "clamp" | "fraction">;
  /** Length of the axis, in pixels. */
  axisWidth: number;
  /** Room left of the axis, in pixels. */
  marginLeft: number;
  /** Width of the panel, in pixels. */
  width: number;
  /** Heights from the panel up to the lowest name and from it to the next, in pixels. */
  heights: readonly [lowest: number, line: number];
}

export function drawReferences(
  references: readonly Reference[],
  { axis, axisWidth, marginLeft, width, heights: [lowest, height] }: ReferenceRoom,
  { line, name }: { line: Plot.RuleXOptions; name?: Plot.TextOptions },
): Plot.Markish[] {
  const lines = references.map(({ value, text }) => ({
    x: marginLeft + axisWidth * axis.fraction(value),
    width: measureLabel(text),
  }));
  const places = placeReferenceLabels(lines, { axis: marginLeft, end: width });
  return references.flatMap(({ value, text, title, dash }, index) => {
    const { isLeft, level } = places[index]!;
    const ruleLine = lines[index]!;
    const isCut = (isLeft ? ruleLine.x : width - ruleLine.x) < ruleLine.width + LABEL_GAP;
    const top = -lowest - level * height;
    return [
      Plot.ruleX([value], {
        ...line,
        x: axis.clamp,
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
          x: axis.clamp,
          dx: isLeft ? -LABEL_GAP : LABEL_GAP,
          textAnchor: isLeft ? "end" : "start",
        }),
      }),
    ];
  });
}

export interface RowDot<Row> {
  row: Row;
  x: number;
  y: number;
  color: string;
  /** Colour of its outline. @default {none} */
  outline?: string;
  title: string;
}

export type DotAxis = Pick<DifferenceAxis, "clamp" | "isBeyond">;

/** Axes of dots. Values beyond an axis are drawn at its edge, as triangles. */
interface DotAxes {
  /** Axis from left to right, where it may have values beyond it. */
  x?: DotAxis;
  y: DotAxis;
  noun: string;
  /** Opacity of dots inside the axes. @default {0.6, of many rows 0.75} */
  opacity?: number;
}

/** Above this number of rows, nearby ones share a dot sized by their number. */
export const MAX_DOTS = 2_000;
const SMALL_FROM = 300;
const CELL_WIDTH = 8;

export function nameDots(rows: number, noun: string): string {
  return rows > MAX_DOTS ? `${noun}s (area: how many)` : noun;
}

/** Draws one dot per row; where there are too many, one for nearby rows of the same colour. */
export function drawDots<Row>(
  dots: readonly RowDot<Row>[],
  { noun, x, y, opacity }: DotAxes,
): Plot.Markish[] {
  const isBeyond = (dot: RowDot<Row>) => y.isBeyond(dot.y) || (x?.isBeyond(dot.x) ?? false);
  const inside = dots.filter((dot) => !isBeyond(dot));
  const beyond = dots.filter(isBeyond);
  const hasOutlines = inside.some(({ outline }) => outline !== undefined);
  return [
    ...(dots.length > MAX_DOTS ? drawDotAreas(inside, noun, opacity) : [Plot.dot(inside, {
      x: "x",
      y: "y",
      r: dots.length > SMALL_FROM ? 2.2 : 3.2,
      fill: "color",
      stroke: hasOutlines ? ({ outline }: RowDot<Row>) => outline ?? "none" : "none",
      fillOpacity: opacity ?? 0.6,
      title: "title",
      className: "fill",
    })]),
    Plot.dot(beyond, {
      x: (dot: RowDot<Row>) => x?.clamp(dot.x) ?? dot.x,
      y: (dot: RowDot<Row>) => y.clamp(dot.y),
      symbol: (dot: RowDot<Row>) => y.clamp(dot.y) > dot.y ? "triangle2" : "triangle",
      r: 4,
      fill: "white",
      stroke: ({ color, outline }: RowDot<Row>) => outline ?? color,
      title: "title",
      className: "beyond",
    }),
  ];
}

/** Draws dots whose area is a number of rows; a mark per colour, so that the SVG states it once. */
function drawDotAreas<Row>(
  dots: readonly RowDot<Row>[],
  noun: string,
  opacity = 0.75,
): Plot.Markish[] {
  const title = (members: readonly unknown[]) => count(members.length, noun);
  const inputs = { x: "x", y: "y", binWidth: CELL_WIDTH, symbol: "circle" } as const;
  return [...Map.groupBy(dots, ({ color }) => color)].map(([color, sameColor]) =>
    Plot.dot(sameColor, {
      ...Plot.hexbin({ r: "count", title }, inputs),
      fill: color,
      fillOpacity: opacity,
      className: "fills",
    })
  );
}

interface DotPanel {
  /** Height with margins, in pixels. @default {340} */
  readonly height?: number | undefined;
  /** Room left of the axis, in pixels. @default {72} */
  readonly marginLeft?: number | undefined;
  /** Room above the plot, in pixels. @default {28} */
  readonly marginTop?: number;
  /** Room right of the axis, in pixels. @default {24} */
  readonly marginRight?: number;
  readonly marginBottom?: number;
  readonly r?: Plot.ScaleOptions;
  readonly x: Plot.ScaleOptions;
  readonly y: Plot.ScaleOptions;
  readonly marks: readonly Plot.Markish[];
}

export function createDotPanel({ x, y, marks, ...room }: DotPanel): Panel {
  const { height = 340, marginLeft = 72, marginTop = 28, marginRight = 24, r = DOT_AREAS } = room;
  const { marginBottom = 44 } = room;
  const margins = { marginLeft, marginRight, marginTop, marginBottom };
  return { plot: { height, ...margins, x, y, r, marks: [...marks] } };
}

/** Radii of dots whose area is a number of rows, in pixels. */
const DOT_AREAS: Plot.ScaleOptions = { range: [0, 4.5] };

/** A label beside an axis from bottom to top. */
export interface PlacedLabel {
  text: string;
  y: number;
}

/**
 * Moves labels apart so that none overlaps another: up, or down where they would end above `most`.
 *
 * @returns The labels from the lowest to the highest.
 */
export function spreadLabels(
  labels: readonly PlacedLabel[],
  { gap, max = Infinity }: { gap: number; max?: number },
): PlacedLabel[] {
  const raised: PlacedLabel[] = [];
  for (const label of labels.toSorted((a, b) => a.y - b.y)) {
    const lower = raised.at(-1)?.y ?? -Infinity;
    raised.push({ ...label, y: Math.max(label.y, lower + gap) });
  }
  let ceiling = max + gap;
  return raised.toReversed().map((label) => {
    ceiling = Math.min(label.y, ceiling - gap);
    return { ...label, y: ceiling };
  }).reverse();
}

export function drawEndLabels(
  labels: readonly PlacedLabel[],
  look: Plot.TextOptions = { className: "end" },
): Plot.Markish {
  const anchor = { frameAnchor: "right", textAnchor: "start", dx: 6 } as const;
  return Plot.text(labels, { y: "y", text: "text", ...anchor, ...look });
}

export function createShareScale(label: string): Plot.ScaleOptions {
  return { label: `↑ ${label}`, domain: [0, 1], grid: true, ticks: 5, tickFormat: formatPercent };
}

/** Draws bars between two positions and two levels, such as parts of a stack in a bin. */
export function drawBinBars<Bar extends { readonly color: string; readonly title: string }>(
  bars: readonly Bar[],
  className: string,
): Plot.Markish {
  const ends = { x1: "x1", x2: "x2", y1: "y1", y2: "y2", insetLeft: 0.5, insetRight: 0.5 };
  return Plot.rect(bars, { ...ends, fill: "color", title: "title", className });
}
