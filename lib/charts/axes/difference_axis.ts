import { axisText } from "../texts/axis_text.ts";
import { max, median, min, quantile } from "../numbers/statistics.ts";
import { type PlacedAxis, placedAxis, symlogScale } from "./axis_scale.ts";
import { count } from "../rows/row_selection.ts";
import { signedText } from "../texts/signed_text.ts";

/** How far an axis reaches beyond the middle 80% of the values, in multiples of their spread. */
const FENCE = 2;
/** From this ratio of the largest to the median size, a linear axis hides the small values. */
const LOG_FROM_RATIO = 1_000;
/** Share of the values that may lie beyond a linear axis, at its edge. */
const MOST_BEYOND = 0.02;
/** A smaller range has no ticks: doubles near it are too coarse. */
const LEAST_RANGE = 1e-100;

/** An axis for differences, which may be of either sign and of very different sizes. */
export interface DifferenceAxis extends PlacedAxis {
  /** The range of the axis. */
  domain: readonly [number, number];
  /** Whether a value lies beyond the axis. */
  isBeyond: (value: number) => boolean;
  /** A note for the caption: values beyond the axis, or that it is not linear; else `null`. */
  note: string | null;
}

/**
 * The range of a linear axis: zero, and all values except outliers. An outlier is farther from the
 * middle 80% of the values than twice its spread (the middle 96% where the middle 80% is one value).
 * The range ends at the farthest value that is not an outlier.
 */
export function fencedRange(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return [-1, 1];
  const [low, high] = middleOf(sorted);
  const reach = high > low ? FENCE * (high - low) : Infinity;
  const inside = sorted.filter((value) => value >= low - reach && value <= high + reach);
  const range: [number, number] = [Math.min(0, inside[0] ?? 0), Math.max(0, inside.at(-1) ?? 0)];
  return range[0] === range[1] ? [-1, 1] : range;
}

/** The middle 80% of some values; the middle 96% where those are all equal. */
function middleOf(sorted: readonly number[]): readonly [number, number] {
  const at = (share: number) => quantile(sorted, share) ?? NaN;
  const [low, high] = [at(0.1), at(0.9)];
  return high > low ? [low, high] : [at(0.02), at(0.98)];
}

/**
 * An axis that shows zero and all values. With few outliers it is linear and draws them at its edge;
 * with many it is linear near zero and logarithmic beyond. For dots only: bars would mislead.
 *
 * @param unit Unit of the values, for the note on those beyond the axis.
 */
export function differenceAxis(values: readonly number[], unit: string): DifferenceAxis {
  const [low, high] = fencedRange(values);
  const beyond = values.filter((value) => value < low || value > high);
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const middle = median(sizes) ?? 1;
  const isSymlog = beyond.length > MOST_BEYOND * values.length ||
    Math.max(-low, high) / middle >= LOG_FROM_RATIO;
  return isSymlog ? symlogAxis(values, middle, unit) : linearDifferenceAxis(values, unit);
}

/** A linear axis for signed differences, which draws all outliers at its edge. */
export function linearDifferenceAxis(values: readonly number[], unit: string): DifferenceAxis {
  const fenced = fencedRange(values);
  const [low, high] = fenced[1] - fenced[0] < LEAST_RANGE ? [-1, 1] : fenced;
  const beyond = values.filter((value) => value < low || value > high);
  const pad = (high - low) * 0.04;
  const domain = [low - pad, high + pad] as const;
  const isBeyond = (value: number) => value < low || value > high;
  const farthest = beyond.reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0);
  const place = (value: number) => Math.min(domain[1], Math.max(domain[0], value));
  const look = { grid: true, ticks: 6, tickFormat: signedText };
  return {
    ...placedAxis({ type: "linear", domain: [...domain], ...look }, place),
    domain,
    isBeyond,
    note: beyond.length === 0
      ? null
      : `${count(beyond.length, "value")} beyond the axis, up to ${signedText(farthest)} ` +
        `${unit}, drawn at its edge`,
  };
}

function symlogAxis(values: readonly number[], middle: number, unit: string): DifferenceAxis {
  const constant = 10 ** Math.floor(Math.log10(middle));
  const reach = values.map((value) => value * 4);
  const domain = [min([-constant, ...reach]), max([constant, ...reach])] as const;
  return {
    ...placedAxis({ ...symlogScale(domain, constant), tickFormat: signedText }),
    domain,
    isBeyond: () => false,
    note: `The axis is linear up to ${axisText(constant)} ${unit} and logarithmic beyond`,
  };
}
