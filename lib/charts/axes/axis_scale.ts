import type { ScaleOptions } from "@observablehq/plot";
import { axisText } from "../texts/axis_text.ts";
import { largest, smallest } from "../numbers/extremes.ts";

/** At this ratio of largest to smallest amount or above, a linear axis shows only the largest. */
export const LOG_FROM_RATIO = 1_000;

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
  return largest(positive) / smallest(positive) >= LOG_FROM_RATIO;
}

/** A linear axis from zero, for bars; it is not empty where all amounts are zero. */
export function linearAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const [low, high] = [Math.min(0, smallest(values)), Math.max(0, largest(values))];
  return {
    ...commonOf(meaning, ""),
    type: "linear",
    domain: low === high ? [0, 1] : [low, high],
    nice: true,
  };
}

/**
 * A logarithmic axis, for dots; values at or below zero belong on its left edge,
 * `leftEdge(values)`.
 */
export function logAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const domain = [leftEdge(values), largest(values) * 1.5] as const;
  return {
    ...commonOf(meaning, ", logarithmic"),
    type: "log",
    domain: [...domain],
    ticks: logTicks(domain),
  };
}

/** Where the logarithmic axis of some amounts begins: a third of the smallest above zero. */
export function leftEdge(values: readonly number[]): number {
  return smallest(values.filter((value) => value > 0)) / 3;
}

/** All powers of ten; over few decades 2 and 5 times powers of ten too. */
function logTicks([low, high]: readonly [number, number]): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : last - first > 2 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = first; power <= last; power++) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/**
 * Zero, and the powers of ten on both sides of it, for an axis that is linear up to `constant` and
 * logarithmic beyond; as many of them are drawn as fit.
 */
export function symlogTicks([low, high]: readonly [number, number], constant: number): number[] {
  const first = Math.round(Math.log10(constant));
  const last = Math.floor(Math.log10(Math.max(-low, high)));
  const powers: number[] = [];
  for (let power = first; power <= last; power++) powers.push(Number(`1e${power}`));
  return [...powers.toReversed().map((power) => -power), 0, ...powers]
    .filter((tick) => tick >= low && tick <= high);
}

/** What all axes of amounts have in common; `how` goes into the parentheses of the unit. */
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

/** Puts a word into the unit's parentheses, `Score (ETH)` to `Score (ETH, logarithmic)`. */
function insideUnit(label: string, how: string): string {
  if (how === "") return label;
  return label.endsWith(")") ? `${label.slice(0, -1)}${how})` : `${label} (${how.slice(2)})`;
}
