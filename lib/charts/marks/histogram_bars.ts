import { fencedRange } from "../axes/axis_scale.ts";
import { roundStep } from "../statistics.ts";

/** Bins of equal width, in which values are counted. */
export interface Binning {
  /** Width of a bar: 1, 2 or 5 times a power of ten. */
  step: number;
  /** The range of the bars, including those for values beyond. */
  domain: readonly [number, number];
  /** Values below the first number or not below the second are beyond the bars. */
  range: readonly [number, number];
  /** How many values are below the bars. */
  below: number;
  /** How many are above them. */
  above: number;
  /** The value beyond the bars that is farthest from zero; 0 where none is. */
  farthest: number;
}

/** One bar of a histogram. */
export interface HistogramBar {
  /** Smallest value that belongs to it. */
  from: number;
  /** Values below this one belong to it. */
  to: number;
  /** Number of values in it. */
  count: number;
  /** Whether it has the values beyond the range. */
  isBeyond: boolean;
  /** Its value farthest from zero. */
  farthest: number;
}

const MOST_BARS = 50;
const FEWEST_BARS = 8;
/** Least width of a bin: doubles near the smallest cannot be divided. */
const LEAST_STEP = 1e-100;

/**
 * Bins of equal and round width. One of them begins at zero, so that no bin has values of both signs.
 * A few outliers lie beyond the bins, which keeps the others wide enough to read.
 *
 * @param values All values that will be counted, in one histogram or several.
 * @param size How many values one histogram has. @default {all}
 */
export function binningOf(values: readonly number[], size: number = values.length): Binning {
  const [low, high] = fencedRange(values);
  const wanted = Math.min(MOST_BARS, Math.max(FEWEST_BARS, 2 * Math.sqrt(size)));
  const step = roundStep(Math.max(LEAST_STEP, (high - low) / wanted));
  const first = Math.floor(low / step);
  const last = Math.floor(high / step) + 1;
  const below = values.filter((value) => Math.floor(value / step) < first);
  const above = values.filter((value) => Math.floor(value / step) >= last);
  return {
    step,
    domain: [
      (first - (below.length > 0 ? 1 : 0)) * step,
      (last + (above.length > 0 ? 1 : 0)) * step,
    ],
    range: [first * step, last * step],
    below: below.length,
    above: above.length,
    farthest: [...below, ...above].reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0),
  };
}

/**
 * Counts values in bins. Values beyond them have a bar of their own at each end.
 *
 * @returns Bars with at least one value, from left to right.
 */
export function histogramBars(
  values: readonly number[],
  { step, domain, range }: Binning,
): HistogramBar[] {
  const bars = new Map<number, HistogramBar>();
  const [first, last] = range.map((end) => Math.round(end / step)) as [number, number];
  for (const value of values) {
    const at = Math.floor(value / step);
    const isBeyond = at < first || at >= last;
    const from = !isBeyond ? at * step : at < first ? domain[0] : domain[1] - step;
    const bar = bars.get(from) ?? { from, to: from + step, count: 0, isBeyond, farthest: value };
    bar.count += 1;
    if (Math.abs(value) > Math.abs(bar.farthest)) bar.farthest = value;
    bars.set(from, bar);
  }
  return [...bars.values()].toSorted((a, b) => a.from - b.from);
}
