/** Where a limit stood to its quote, in plain words. */
export interface MarketPositionText {
  /** In a word or two. */
  readonly short: string;
  /** With what it means. */
  readonly long: string;
}

/** The positions in the order in which they are read. */
export const MARKET_POSITIONS: Readonly<Record<string, MarketPositionText>> = {
  in_market: { short: "in market", long: "In market: the limit could be met at the quote" },
  out_of_market: {
    short: "out of market",
    long: "Out of market: the limit waits for a better price than the quote",
  },
};
