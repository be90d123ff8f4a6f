/** A value with a weight. */
export interface Weighted {
  /** The value. */
  value: number;
  /** Its weight; values with a weight at or below zero do not count. */
  weight: number;
}

/**
 * The value at which the cumulative weight reaches half of the total, from the smallest value up; the
 * mean of two values where it is exactly half at the lower one.
 *
 * @returns `null` when nothing has a weight above zero.
 */
export function weightedMedian(values: readonly Weighted[]): number | null {
  const sorted = values.filter(({ weight }) => weight > 0).toSorted((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let reached = 0;
  for (const [index, { value, weight }] of sorted.entries()) {
    reached += weight;
    if (reached < half) continue;
    const next = sorted[index + 1];
    return reached === half && next !== undefined ? (value + next.value) / 2 : value;
  }
  return null;
}
