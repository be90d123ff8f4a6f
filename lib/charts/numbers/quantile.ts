/**
 * The value below which a share of some values lies, interpolated linearly between its neighbours.
 *
 * @param sorted Values in ascending order, at least one.
 * @param share From 0 to 1.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = sorted[Math.ceil(place)] ?? NaN;
  return low === high ? low : low + (high - low) * (place - Math.floor(place));
}

/** The value in the middle, or the mean of the two there; `null` for no values. */
export function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile(values.toSorted((a, b) => a - b), 0.5);
}
