import * as Plot from "@observablehq/plot";
import { COLORS } from "../figure/colors.ts";
import type { DifferenceAxis } from "../axes/difference_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { count } from "../rows/row_selection.ts";

/** One row as a dot. */
export interface RowDot<Row> {
  /** The row. */
  row: Row;
  /** Place from left to right. */
  x: number;
  /** Place from bottom to top. */
  y: number;
  /** Colour of the dot. */
  color: string;
  /** Colour of its outline. @default {none} */
  outline?: string;
  /** What the tooltip says. */
  title: string;
}

/** Where an axis draws a value, and whether that value lies beyond it. */
export type DotAxis = Pick<DifferenceAxis, "place" | "isBeyond">;

/** Axes of dots. Values beyond an axis are drawn at its edge, as triangles. */
export interface DotAxes {
  /** Axis from left to right, where it may have values beyond it. */
  x?: DotAxis;
  /** Axis from bottom to top. */
  y: DotAxis;
  /** What a row is, for tooltips of dots that stand for several. */
  noun: string;
}

/** Above this number of rows, nearby ones share a dot sized by their number. */
const MOST_DOTS = 2_000;
const SMALL_FROM = 300;
const CELL_WIDTH = 8;

/** What a dot is, for the legend. */
export function dotNoun(rows: number, noun: string): string {
  return rows > MOST_DOTS ? `${noun}s (area: how many)` : noun;
}

/** One dot per row; where there are too many, one for nearby rows of the same colour. */
export function dotMarks<Row>(
  dots: readonly RowDot<Row>[],
  { noun, x, y }: DotAxes,
): Plot.Markish[] {
  const isBeyond = (dot: RowDot<Row>) => y.isBeyond(dot.y) || (x?.isBeyond(dot.x) ?? false);
  const inside = dots.filter((dot) => !isBeyond(dot));
  const beyond = dots.filter(isBeyond);
  const hasOutlines = inside.some(({ outline }) => outline !== undefined);
  return [
    dots.length > MOST_DOTS ? areas(inside, noun) : Plot.dot(inside, {
      x: "x",
      y: "y",
      r: dots.length > SMALL_FROM ? 2.2 : 3.2,
      fill: "color",
      stroke: hasOutlines ? ({ outline }: RowDot<Row>) => outline ?? "none" : "none",
      fillOpacity: 0.6,
      title: "title",
      className: "fill",
    }),
    Plot.dot(beyond, {
      x: (dot: RowDot<Row>) => x?.place(dot.x) ?? dot.x,
      y: (dot: RowDot<Row>) => y.place(dot.y),
      symbol: (dot: RowDot<Row>) => y.place(dot.y) > dot.y ? "triangle2" : "triangle",
      r: 4,
      fill: "white",
      stroke: ({ color, outline }: RowDot<Row>) => outline ?? color,
      title: "title",
      className: "beyond",
    }),
  ];
}

function areas<Row>(dots: readonly RowDot<Row>[], noun: string): Plot.Markish {
  const title = (members: readonly unknown[]) => count(members.length, noun);
  const inputs = { x: "x", y: "y", fill: "color", binWidth: CELL_WIDTH };
  return Plot.dot(dots, {
    ...Plot.hexbin({ r: "count", title }, inputs),
    stroke: COLORS.muted,
    strokeWidth: 0.3,
    fillOpacity: 0.75,
    className: "fills",
  });
}

/** A plot of dots with two axes. */
export interface DotPlot {
  /** Height with margins, in pixels. @default {340} */
  readonly height?: number | undefined;
  /** Room left of the axis, in pixels. @default {72} */
  readonly marginLeft?: number | undefined;
  /** Room above the plot, in pixels. @default {28} */
  readonly marginTop?: number;
  /** Room right of the axis, in pixels. @default {24} */
  readonly marginRight?: number;
  /** Horizontal scale. */
  readonly x: Plot.ScaleOptions;
  /** Vertical scale. */
  readonly y: Plot.ScaleOptions;
  /** The dots, with what is drawn under and over them. */
  readonly marks: readonly Plot.Markish[];
}

/** A panel of dots. */
export function dotPlot({ x, y, marks, ...room }: DotPlot): Panel {
  const { height = 340, marginLeft = 72, marginTop = 28, marginRight = 24 } = room;
  const margins = { marginLeft, marginRight, marginTop, marginBottom: 44 };
  return { plot: { height, ...margins, x, y, r: DOT_AREAS, marks: [...marks] } };
}

/** Radii of dots whose area is a number of rows, in pixels. */
const DOT_AREAS: Plot.ScaleOptions = { range: [0, 4.5] };
