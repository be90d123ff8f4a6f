/**
 * Why an answer cannot be had from the records at hand. It stands in the place of the answer, never
 * beside a number; `"reason" in answer` tells the two apart.
 */
export interface NotComputable<Reason extends string> {
  /** Why, as one of a closed set of words. */
  readonly reason: Reason;
  /** The same as a sentence with the values at fault. */
  readonly detail: string;
}
