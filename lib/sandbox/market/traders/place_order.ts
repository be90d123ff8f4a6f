import type { OrderQuote } from "../../../schemas/mod.ts";
import { appDataTerms } from "./app_data_terms.ts";
import { bestQuote } from "../solvers/best_quote.ts";
import { BookOrder, type SignedOrder } from "../state/book_order.ts";
import { feePoliciesOf } from "../state/fee_policies_of.ts";
import type { Market } from "../state/market.ts";
import { type GrossQuote, storedQuote } from "../state/market_quote.ts";

/** A validated order that is about to enter the book. */
export interface ValidOrder {
  /** What was signed. */
  readonly signed: SignedOrder;
  /** Its UID. */
  readonly uid: string;
  /** Its owner. */
  readonly owner: string;
  /** Its app data document, where it is known. */
  readonly fullAppData: string | null;
  /** The quote to store with it. @default {a fresh one} */
  readonly quote?: OrderQuote | null;
}

/** Adds a valid order to the book, with its quote and its fee policies. */
export function placeOrder(market: Market, good: ValidOrder): BookOrder {
  const { signed, uid, owner, fullAppData, quote = quoteForOrder(market, signed) } = good;
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

/** The quote stored with an order: the one that it names, else a fresh one; `null` without any. */
export function quoteForOrder(
  market: Market,
  signed: SignedOrder,
  quoteId?: number,
): OrderQuote | null {
  const atoms = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const gross = givenQuote(market, signed, quoteId) ?? bestQuote(market, { ...signed, atoms });
  return gross === null ? null : storedQuote(gross, signed);
}

/** The quote of an id, if it was for the same trade and amount and has not ended. */
function givenQuote(
  market: Market,
  signed: SignedOrder,
  quoteId: number | undefined,
): GrossQuote | null {
  const given = quoteId === undefined ? undefined : market.quotes.get(quoteId);
  if (given === undefined || given.expiresMs < market.time.ms) return null;
  const { pair, gross } = given;
  const isOfPair = pair.kind === signed.kind && pair.sellToken === signed.sellToken &&
    pair.buyToken === signed.buyToken;
  const isOfAmount = signed.kind === "sell"
    ? gross.sellAmount === signed.sellAmount
    : gross.buyAmount === signed.buyAmount;
  return isOfPair && isOfAmount ? gross : null;
}
