/** The largest of any number of values; `-Infinity` for none. */
export function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** The smallest of any number of values; `Infinity` for none. */
export function smallest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}
