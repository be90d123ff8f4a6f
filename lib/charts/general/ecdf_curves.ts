import { median } from "../numbers/statistics.ts";
import type { OpenAxis } from "./open_axis.ts";
import type { Series } from "./series.ts";

/** The values of one series, ascending. */
export interface EcdfCurve extends Series<number> {
  /** The value in the middle, or the mean of the two there. */
  readonly median: number;
}

/** A corner of a curve. */
export interface EcdfStep {
  readonly x: number;
  /** Share of the values that are at most `x`. */
  readonly share: number;
}

/** A place on a curve that is marked. */
export interface EcdfMark extends EcdfStep {
  readonly curve: EcdfCurve;
  readonly value: number;
  readonly isMedian: boolean;
}

/** More steps would be less than a pixel. */
const MOST_STEPS = 1_000;
const MARKED = [0.1, 0.25, 0.75, 0.9];

/** A series with its values in order. */
export function curveOf(series: Series<number>): EcdfCurve {
  const points = series.points.toSorted((a, b) => a - b);
  return { ...series, points, median: median(points) ?? NaN };
}

/**
 * The share of the values that are at most each of them, from the left end of the axis to its right
 * end. Of many values every so-manieth has a corner, and the last one.
 */
export function ecdfSteps({ points }: EcdfCurve, { scale, place }: OpenAxis): EcdfStep[] {
  const [from, to] = scale.domain as readonly [number, number];
  const each = Math.ceil(points.length / MOST_STEPS);
  const steps: EcdfStep[] = [{ x: from, share: 0 }];
  for (const [at, value] of points.entries()) {
    const isLastOfEqual = points[at + 1] !== value;
    const isCorner = each === 1 ? isLastOfEqual : (at + 1) % each === 0 || at + 1 === points.length;
    if (isCorner) steps.push({ x: place(value), share: (at + 1) / points.length });
  }
  steps.push({ x: to, share: 1 });
  return steps;
}

/** Whether a curve has enough values for marks beside its median. */
export function hasSmallMarks({ points }: EcdfCurve): boolean {
  return points.length >= MARKED.length;
}

/** The median of a curve, and the smallest values that 10%, 25%, 75% and 90% do not exceed. */
export function ecdfMarks(curve: EcdfCurve, { place }: OpenAxis): EcdfMark[] {
  const { points } = curve;
  const others = !hasSmallMarks(curve) ? [] : MARKED.map((share) => {
    const value = points[Math.ceil(share * points.length - 1e-9) - 1]!;
    return { curve, value, x: place(value), share, isMedian: false };
  });
  const middle = curve.median;
  return [...others, { curve, value: middle, x: place(middle), share: 0.5, isMedian: true }];
}
