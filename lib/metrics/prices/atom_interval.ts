/** A whole number of atoms of which only the bounds are known; exact where both are the same. */
export interface AtomInterval {
  /** The smallest value possible. */
  readonly low: bigint;
  /** The largest value possible, `>= low`. */
  readonly high: bigint;
}
