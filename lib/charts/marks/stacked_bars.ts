import * as Plot from "@observablehq/plot";

/** A part of a stacked bar. */
export interface StackPart {
  /** Row of its bar, from 0 at the top. */
  place: number;
  /** Its length; negative parts stack to the left of zero. */
  value: number;
  /** Its colour. */
  fill: string;
  /** What its tooltip says. */
  title: string;
}

/** Horizontal bars whose parts are stacked end to end, in the order given. */
export function stackedBars(
  parts: readonly StackPart[],
  look: Plot.BarXOptions & { className: string },
): Plot.Markish {
  const channels = { x: "value", y: "place", fill: "fill", title: "title" };
  return Plot.barX(parts, Plot.stackX({ ...channels, ...look }));
}
