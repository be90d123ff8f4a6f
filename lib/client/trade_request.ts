import type { BuyAfterFee, QuoteTerms, SellAfterFee, SellBeforeFee } from "../schemas/mod.ts";

/**
 * The trade: a quote request whose trader is the signing account.
 *
 * All terms are signed as given here. Omitted ones have defaults of the client, never values of the
 * answer: `validFor` 1,800 seconds, `partiallyFillable` `false`, `receiver` the trader, both
 * balances `erc20`, app data `{}`.
 */
export type TradeRequest =
  & Omit<QuoteTerms, "from">
  & {
    /** Trader. @default {the account, or the first one of a wallet} */
    from?: string;
  }
  & (SellBeforeFee | SellAfterFee | BuyAfterFee);
