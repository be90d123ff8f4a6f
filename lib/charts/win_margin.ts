/** What one winning solver added to one auction. */
export interface WinMarginRow {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Total score of the auction less the solver's reference score, in native tokens. */
  margin_native: number | null;
  /** The same as a part of the total score: 1 where no other solver could have traded. */
  margin_share: number | null;
}
