import { scale as plotScale, type ScaleOptions } from "@observablehq/plot";
import { axisText } from "../texts/axis_text.ts";
import { extent, max, min } from "../numbers/statistics.ts";

/** From this ratio of the largest to the smallest amount, a linear axis hides the small ones. */
export const LOG_FROM_RATIO = 1_000;

/** A scale, and where values are drawn on it. */
export interface PlacedAxis {
  /** Plot's scale. */
  scale: ScaleOptions;
  /** Where a value is drawn on the axis. */
  place: (value: number) => number;
  /** The same as a part of the axis: 0 is its left end, 1 the right. */
  fraction: (value: number) => number;
}

/** A scale on which values are drawn where they are, or where `place` puts them. */
export function placedAxis(
  scale: ScaleOptions,
  place: (value: number) => number = (value) => value,
): PlacedAxis {
  const { apply } = plotScale({ x: { ...scale, range: [0, 1] } });
  return { scale, place, fraction: (value) => apply(place(value)) };
}

/** The ratio of the largest to the smallest of some positive values; 1 without values. */
export function ratioOf(values: readonly number[]): number {
  const [low = 1, high = 1] = extent(values);
  return high / low;
}

/** What an axis shows. */
export interface AxisMeaning {
  /** What the numbers are, with their unit, such as `Score (ETH)`. */
  label: string;
  /** Which way the axis points. @default {"right"} */
  towards?: "right" | "up";
}

/**
 * Whether amounts differ so much that they need a logarithmic axis, and so dots instead of bars.
 */
export function needsLogAxis(values: readonly number[]): boolean {
  const positive = values.filter((value) => value > 0);
  if (positive.length < 2 || values.some((value) => value < 0)) return false;
  return ratioOf(positive) >= LOG_FROM_RATIO;
}

/** A linear axis from zero, for bars. Where all amounts are zero, it goes from 0 to 1. */
export function linearAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const [low = 0, high = 0] = extent([0, ...values]);
  return {
    ...commonOf(meaning, ""),
    type: "linear",
    domain: low === high ? [0, 1] : [low, high],
    nice: true,
  };
}

/**
 * A logarithmic axis, for dots. Draw values at or below zero at its left edge, `leftEdge(values)`.
 */
export function logAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const domain = [leftEdge(values), max(values)! * 1.5] as const;
  return {
    ...commonOf(meaning, ", logarithmic"),
    type: "log",
    domain: [...domain],
    ticks: logTicks(domain),
  };
}

/** Where the logarithmic axis of some amounts begins: a third of the smallest above zero. */
export function leftEdge(values: readonly number[]): number {
  return min(values.filter((value) => value > 0))! / 3;
}

/** All powers of ten; over a few decades also multiples of them. */
function logTicks([low, high]: readonly [number, number]): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : last - first > 2 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = first; power <= last; power++) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** A scale that is linear up to `constant` on both sides of zero, and logarithmic beyond. */
export function symlogScale(domain: readonly [number, number], constant: number): ScaleOptions {
  return {
    type: "symlog",
    constant,
    domain: [...domain],
    grid: true,
    ticks: symlogTicks(domain, constant),
  };
}

/**
 * Ticks of an axis that is linear up to `constant` and logarithmic beyond: zero, and the powers of
 * ten on both sides of it. The panel draws as many of them as fit.
 */
export function symlogTicks([low, high]: readonly [number, number], constant: number): number[] {
  const first = Math.round(Math.log10(constant));
  const last = Math.floor(Math.log10(Math.max(-low, high)));
  const powers: number[] = [];
  for (let power = first; power <= last; power++) powers.push(Number(`1e${power}`));
  return [...powers.toReversed().map((power) => -power), 0, ...powers]
    .filter((tick) => tick >= low && tick <= high);
}

/** What all axes of amounts share; `how` is added inside the parentheses of the unit. */
export function commonOf({ label, towards = "right" }: AxisMeaning, how: string): ScaleOptions {
  const named = insideUnit(label, how);
  return {
    label: towards === "right" ? `${named} →` : `↑ ${named}`,
    ...(towards === "right" ? { labelAnchor: "center" as const } : {}),
    grid: true,
    ticks: 6,
    tickFormat: axisText,
  };
}

/** Adds a word inside the unit's parentheses: `Score (ETH)` becomes `Score (ETH, logarithmic)`. */
function insideUnit(label: string, how: string): string {
  if (how === "") return label;
  return label.endsWith(")") ? `${label.slice(0, -1)}${how})` : `${label} (${how.slice(2)})`;
}
