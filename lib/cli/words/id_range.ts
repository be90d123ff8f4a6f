/** Numbers from one to another, both included. */
export interface IdRange {
  /** The first. */
  readonly from: number;
  /** The last. */
  readonly to: number;
}
