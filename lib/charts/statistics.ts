import * as d3 from "d3-array";

type Some = readonly [number, ...number[]];

/** Picks one number; none without numbers. */
interface OneOfMany {
  (values: Some): number;
  (values: readonly number[]): number | undefined;
}

// d3-array has no types of its own.

/** The smallest number. */
export const min: OneOfMany = d3.min;
/** The largest number. */
export const max: OneOfMany = d3.max;
/** The smallest and the largest number. */
export const extent: (
  values: readonly number[],
) => readonly [number, number] | readonly [undefined, undefined] = d3.extent;
/** The middle number, or the mean of the two in the middle. */
export const median: OneOfMany = d3.median;
/** The number below which a share of ascending numbers lies, interpolated linearly. */
export const quantile: {
  (ascending: Some, share: number): number;
  (ascending: readonly number[], share: number): number | undefined;
} = d3.quantileSorted;
/** The sum of numbers, or of one number per value. */
export const sum: {
  (values: readonly number[]): number;
  <Value>(values: readonly Value[], numberOf: (value: Value) => number): number;
} = d3.sum;
/** Lists about `count` multiples of 1, 2 or 5 times a power of ten within a range. */
export const ticks: (low: number, high: number, count: number) => number[] = d3.ticks;

/** Finds the smallest of 1, 2 and 5 times a power of ten that is not below a width. */
export function roundStep(width: number): number {
  const power = Math.floor(Math.log10(width));
  const steps = [1, 2, 5, 10].map((factor) => Number(`${factor}e${power}`));
  return steps.find((step) => step >= width) ?? width;
}
