import type * as Plot from "@observablehq/plot";
import type { Panel } from "../figure/panel.ts";

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
