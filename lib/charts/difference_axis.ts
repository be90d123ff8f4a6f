import type { ScaleOptions } from "@observablehq/plot";
import { largest, smallest } from "./axis_scale.ts";
import { axisText } from "./axis_text.ts";
import { median, quantile } from "./quantile.ts";
import { count } from "./row_selection.ts";
import { signedText } from "./signed_text.ts";

/** How many times the spread of the middle 80 % an axis reaches beyond it. */
const FENCE = 2;
/** From this ratio of the largest to the median size on, a linear axis shows the largest only. */
const LOG_FROM_RATIO = 1_000;
/** Share of the values that may lie beyond a linear axis, at its edge. */
const MOST_BEYOND = 0.02;

/** An axis for differences, which may be of either sign and of very different sizes. */
export interface DifferenceAxis {
  /** Plot's scale, without a label. */
  scale: ScaleOptions;
  /** From where to where the axis reaches. */
  domain: readonly [number, number];
  /** Where a value is drawn: at the edge when it lies beyond. */
  place: (value: number) => number;
  /** Whether a value lies beyond the axis. */
  isBeyond: (value: number) => boolean;
  /** What the caption says of the axis: of values beyond it, or that it is not linear. */
  note: string | null;
}

/** The range that a linear axis shows: zero, and all values but the few that are far from the rest. */
export function fencedRange(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (first === undefined || last === undefined) return [-1, 1];
  const [low, high] = [quantile(sorted, 0.1), quantile(sorted, 0.9)];
  const reach = high > low ? FENCE * (high - low) : Infinity;
  const range: [number, number] = [
    Math.min(0, Math.max(first, low - reach)),
    Math.max(0, Math.min(last, high + reach)),
  ];
  return range[0] === range[1] ? [-1, 1] : range;
}

/**
 * An axis that shows zero and all values; linear, where a few far ones stand at its edge, or linear
 * near zero and logarithmic beyond where there are many. For dots: bars would lie.
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
  return {
    scale: { type: "linear", domain: [...domain], grid: true, ticks: 6, tickFormat: signedText },
    domain,
    place: (value) => Math.min(domain[1], Math.max(domain[0], value)),
    isBeyond,
    note: beyond.length === 0
      ? null
      : `${count(beyond.length, "value")} beyond the axis, as far as ${signedText(farthest)} ` +
        `${unit}, drawn at its edge`,
  };
}

function symlogAxis(values: readonly number[], middle: number, unit: string): DifferenceAxis {
  const constant = 10 ** Math.floor(Math.log10(middle));
  const domain = [
    Math.min(-constant, smallest(values) * 4),
    Math.max(constant, largest(values) * 4),
  ] as const;
  return {
    scale: {
      type: "symlog",
      constant,
      domain: [...domain],
      grid: true,
      ticks: symlogTicks(domain, constant),
      tickFormat: signedText,
    },
    domain,
    place: (value) => value,
    isBeyond: () => false,
    note: `The axis is linear up to ${axisText(constant)} ${unit} and logarithmic beyond`,
  };
}

/** Zero and powers of ten on both sides, as many as fit. */
function symlogTicks([low, high]: readonly [number, number], constant: number): number[] {
  const first = Math.round(Math.log10(constant));
  const last = Math.log10(Math.max(-low, high));
  const step = Math.max(1, Math.ceil((last - first) / 3));
  const ticks = [0];
  for (let power = first + step; power <= last; power += step) {
    if (10 ** power <= high) ticks.push(10 ** power);
    if (-(10 ** power) >= low) ticks.unshift(-(10 ** power));
  }
  return ticks;
}
