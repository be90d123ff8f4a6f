import type { BuyAfterFee, QuoteTerms, SellAfterFee, SellBeforeFee } from "../schemas/mod.ts";

/** What is to be traded: a quote request whose trader is the account that signs. */
export type TradeRequest =
  & Omit<QuoteTerms, "from">
  & {
    /** Trader. @default {the account, or the first one of a wallet} */
    from?: string;
  }
  & (SellBeforeFee | SellAfterFee | BuyAfterFee);
