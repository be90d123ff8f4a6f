/** Bounds of a whole number of atoms; it is exact if both are equal. */
export interface AtomInterval {
  /** The smallest possible value. */
  readonly low: bigint;
  /** The largest possible value, `>= low`. */
  readonly high: bigint;
}
