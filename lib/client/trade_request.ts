import type { BuyAfterFee, QuoteTerms, SellAfterFee, SellBeforeFee } from "../schemas/mod.ts";

/**
 * What is to be traded: a quote request whose trader is the account that signs.
 *
 * All of it is signed as it stands here, and what is left out has a default of the client's, never of
 * the answer's: `validFor` 1,800 seconds, `partiallyFillable` `false`, `receiver` the trader, both
 * balances `erc20`, app data `{}`.
 */
export type TradeRequest =
  & Omit<QuoteTerms, "from">
  & {
    /** Trader. @default {the account, or the first one of a wallet} */
    from?: string;
  }
  & (SellBeforeFee | SellAfterFee | BuyAfterFee);
