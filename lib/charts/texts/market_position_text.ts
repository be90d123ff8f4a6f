/** What a market position is called. */
export interface MarketPositionText {
  /** Its name. */
  readonly short: string;
  /** Its name and what it means. */
  readonly long: string;
}

/** The positions, in reading order. */
export const MARKET_POSITIONS: Readonly<Record<string, MarketPositionText>> = {
  in_market: { short: "in market", long: "In market: the limit could be met at the quote" },
  out_of_market: {
    short: "out of market",
    long: "Out of market: the limit waits for a better price than the quote",
  },
};
