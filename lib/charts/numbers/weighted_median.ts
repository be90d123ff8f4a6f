/** A value that counts as much as its weight. */
export interface Weighted {
  /** The value. */
  value: number;
  /** How much it counts; at or below zero, not at all. */
  weight: number;
}

/**
 * The value at which half of the weight is reached, from the smallest value up; the mean of two values
 * where exactly half lies at or below the lower one.
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
