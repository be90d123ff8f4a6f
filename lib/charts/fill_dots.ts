import * as Plot from "@observablehq/plot";
import type { DifferenceAxis } from "./difference_axis.ts";
import { count } from "./row_selection.ts";
import type { SlippageRow } from "./slippage_row.ts";

/** One fill as a dot. */
export interface FillDot {
  /** The fill. */
  row: SlippageRow;
  /** Place from left to right. */
  x: number;
  /** Place from bottom to top. */
  y: number;
  /** Colour of the dot. */
  color: string;
  /** What the tooltip says. */
  title: string;
}

/** Axes of a picture of fills; values beyond one are drawn at its edge, as triangles. */
export interface FillDotAxes {
  /** Axis from left to right, where it may have values beyond it. */
  x?: DifferenceAxis;
  /** Axis from bottom to top. */
  y: DifferenceAxis;
}

/** More fills than these are drawn as dots whose area is the number of fills. */
const MOST_DOTS = 2_000;
const SMALL_FROM = 300;
const CELL_WIDTH = 8;

/** Radii of dots whose area is a number of fills, in pixels. */
export const DOT_AREAS: Plot.ScaleOptions = { range: [0, 4.5] };

/** What a dot is, for the legend. */
export function dotNoun(fills: number): string {
  return fills > MOST_DOTS ? "fills (area: how many)" : "fill";
}

/** A dot a fill; where they are too many, a dot for the fills of one colour around it. */
export function fillDots(dots: readonly FillDot[], { x, y }: FillDotAxes): Plot.Markish[] {
  const isBeyond = (dot: FillDot) => y.isBeyond(dot.y) || (x?.isBeyond(dot.x) ?? false);
  const inside = dots.filter((dot) => !isBeyond(dot));
  const beyond = dots.filter(isBeyond);
  return [
    dots.length > MOST_DOTS ? areas(inside) : Plot.dot(inside, {
      x: "x",
      y: "y",
      r: dots.length > SMALL_FROM ? 2.2 : 3.2,
      fill: "color",
      fillOpacity: 0.6,
      title: "title",
      className: "fill",
    }),
    Plot.dot(beyond, {
      x: (dot: FillDot) => x?.place(dot.x) ?? dot.x,
      y: (dot: FillDot) => y.place(dot.y),
      symbol: (dot: FillDot) => y.place(dot.y) > dot.y ? "triangle2" : "triangle",
      r: 4,
      fill: "white",
      stroke: "color",
      title: "title",
      className: "beyond",
    }),
  ];
}

function areas(dots: readonly FillDot[]): Plot.Markish {
  const title = (members: readonly unknown[]) => count(members.length, "fill");
  return Plot.dot(dots, {
    ...Plot.hexbin({ r: "count", title }, { x: "x", y: "y", fill: "color", binWidth: CELL_WIDTH }),
    fillOpacity: 0.75,
    className: "fills",
  });
}
