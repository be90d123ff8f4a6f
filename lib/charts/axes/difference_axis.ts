import { axisText } from "../texts/axis_text.ts";
import { max, median, min, quantile } from "../numbers/statistics.ts";
import { type PlacedAxis, placedAxis, symlogScale } from "./axis_scale.ts";
import { count } from "../rows/row_selection.ts";
import { signedText } from "../texts/signed_text.ts";

/** How many times the spread of the middle 80% an axis reaches beyond it. */
const FENCE = 2;
/** At this ratio of largest to median size or above, a linear axis shows only the largest. */
const LOG_FROM_RATIO = 1_000;
/** Share of the values that may lie beyond a linear axis, at its edge. */
const MOST_BEYOND = 0.02;

/** An axis for differences, which may be of either sign and of very different sizes. */
export interface DifferenceAxis extends PlacedAxis {
  /** The range of the axis. */
  domain: readonly [number, number];
  /** Whether a value lies beyond the axis. */
  isBeyond: (value: number) => boolean;
  /** What the caption says of the axis: of values beyond it, or that it is not linear. */
  note: string | null;
}

/**
 * The range that a linear axis shows: zero, and all values but those farther from the middle 80%
 * than twice its spread (from the middle 96% where the middle 80% is one value). It ends at the
 * farthest value within, so that what is beyond does not widen it.
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
 * An axis that shows zero and all values; linear, where a few far ones stand at its edge, or linear
 * near zero and logarithmic beyond where there are many. For dots only: bars would mislead.
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

/** A linear axis for signed differences; far values, however many, stand at its edge. */
export function linearDifferenceAxis(values: readonly number[], unit: string): DifferenceAxis {
  const [low, high] = fencedRange(values);
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
