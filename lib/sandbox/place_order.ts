import { appDataTerms } from "./app_data_terms.ts";
import { BookOrder, type SignedOrder } from "./book_order.ts";
import { feePoliciesOf } from "./fee_policies_of.ts";
import type { Market } from "./market.ts";
import { type GrossQuote, storedQuote } from "./market_quote.ts";
import { bestQuote } from "./best_quote.ts";

/** An order that was found good, on its way into the book. */
export interface GoodOrder {
  /** What was signed. */
  readonly signed: SignedOrder;
  /** Its UID. */
  readonly uid: string;
  /** Its owner. */
  readonly owner: string;
  /** Its app data document, where it is known. */
  readonly fullAppData: string | null;
  /** Quote that it was placed with. */
  readonly quoteId?: number | undefined;
}

/** Takes a good order into the book, with its quote and its fee policies. */
export function placeOrder(market: Market, good: GoodOrder): BookOrder {
  const { signed, uid, owner, fullAppData } = good;
  const gross = givenQuote(market, good) ?? bestQuote(market, {
    ...signed,
    atoms: signed.kind === "sell" ? signed.sellAmount : signed.buyAmount,
  });
  const quote = gross === null ? null : storedQuote(gross, signed);
  const { partnerFees, interactions } = appDataTerms(fullAppData);
  const created = market.time.stamp();
  const order = new BookOrder(signed, {
    uid,
    owner,
    created,
    fullAppData,
    quote,
    policies: feePoliciesOf({ order: signed, quote, partnerFees }),
    interactions,
  });
  order.note("created", market.time.stamp());
  if (fullAppData !== null) market.book.documents.set(signed.appData, fullAppData);
  market.book.add(order);
  return order;
}

/** The quote that an order names, if it was for the same trade and has not ended. */
function givenQuote(market: Market, { signed, quoteId }: GoodOrder): GrossQuote | null {
  const given = quoteId === undefined ? undefined : market.quotes.get(quoteId);
  if (given === undefined || given.expiresMs < market.time.ms) return null;
  const { pair, gross } = given;
  return pair.kind === signed.kind && pair.sellToken === signed.sellToken &&
      pair.buyToken === signed.buyToken
    ? gross
    : null;
}
