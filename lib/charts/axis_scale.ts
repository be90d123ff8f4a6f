import type { ScaleOptions } from "@observablehq/plot";
import { axisText } from "./axis_text.ts";

/** From this ratio of largest to smallest amount on, a linear axis would show the largest only. */
export const LOG_FROM_RATIO = 1_000;

/** What an axis shows. */
export interface AxisMeaning {
  /** What the numbers are, with their unit, as `Score (ETH)`. */
  label: string;
  /** Which way the axis points. @default {"right"} */
  towards?: "right" | "up";
}

/** Whether amounts differ so much that they need a logarithmic axis, and so dots instead of bars. */
export function needsLogAxis(values: readonly number[]): boolean {
  const positive = values.filter((value) => value > 0);
  if (positive.length < 2 || values.some((value) => value < 0)) return false;
  return largest(positive) / smallest(positive) >= LOG_FROM_RATIO;
}

/** The largest of any number of values; `-Infinity` for none. */
export function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** The smallest of any number of values; `Infinity` for none. */
export function smallest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
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

/** A logarithmic axis, for dots; values at or below zero belong on its left edge, `leftEdge(values)`. */
export function logAxis(values: readonly number[], meaning: AxisMeaning): ScaleOptions {
  const positive = values.filter((value) => value > 0);
  return {
    ...commonOf(meaning, ", logarithmic"),
    type: "log",
    domain: [leftEdge(values), largest(positive) * 1.5],
    tickFormat: powersOnly(positive),
  };
}

/** Where the logarithmic axis of some amounts begins: a third of the smallest above zero. */
export function leftEdge(values: readonly number[]): number {
  return smallest(values.filter((value) => value > 0)) / 3;
}

/** Over many decades only powers of ten are labelled, and of those only as many as fit. */
function powersOnly(positive: readonly number[]): (value: number) => string {
  const decades = Math.log10(largest(positive) / smallest(positive));
  const step = Math.max(1, Math.ceil(decades / 6));
  return (value) => {
    const power = Math.log10(value);
    const whole = Math.round(power);
    return Math.abs(power - whole) < 1e-9 && whole % step === 0 ? axisText(value) : "";
  };
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
