/**
 * Whether a value is a whole number from `least` to `most`, both inclusive: the one rule for
 * counts, ids, digits and times. A number beyond 2^53 - 1 does not count, since its last digit is
 * unknown.
 *
 * @param value Anything, such as what a caller passed.
 * @param least Minimum.
 * @param most Maximum.
 */
export function isWhole(
  value: unknown,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}
