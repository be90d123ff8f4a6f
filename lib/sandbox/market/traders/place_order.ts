import type { OrderQuote } from "../../../schemas/mod.ts";
import { appDataTerms } from "./app_data_terms.ts";
import { bestQuote } from "../solvers/best_quote.ts";
import { BookOrder, type SignedOrder } from "../state/book_order.ts";
import { feePoliciesOf } from "../state/fee_policies_of.ts";
import type { Market } from "../state/market.ts";
import { type GrossQuote, storedQuote } from "../state/market_quote.ts";

/** A validated order to add to the book. */
export interface ValidOrder {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Its UID. */
  readonly uid: string;
  /** Its owner. */
  readonly owner: string;
  /** Its app data document; `null` if it is unknown. */
  readonly fullAppData: string | null;
  /** The quote to store with it. @default {a fresh one} */
  readonly quote?: OrderQuote | null;
}

/** Adds a valid order to the book, with its quote and fee policies. */
export function placeOrder(market: Market, order: ValidOrder): BookOrder {
  const { signed, uid, owner, fullAppData, quote = quoteForOrder(market, signed) } = order;
  const { partnerFees, interactions } = appDataTerms(fullAppData);
  const created = market.time.stamp();
  const placed = new BookOrder(signed, {
    uid,
    owner,
    created,
    fullAppData,
    quote,
    policies: feePoliciesOf({ order: signed, quote, partnerFees }),
    interactions,
  });
  placed.addEvent("created", market.time.stamp());
  if (fullAppData !== null) market.book.documents.set(signed.appData, fullAppData);
  market.book.add(placed);
  return placed;
}

/** The quote to store with an order: the one it names, else a fresh one; `null` without either. */
export function quoteForOrder(
  market: Market,
  signed: SignedOrder,
  quoteId?: number,
): OrderQuote | null {
  const atoms = signed.kind === "sell" ? signed.sellAmount : signed.buyAmount;
  const gross = issuedQuote(market, signed, quoteId) ?? bestQuote(market, { ...signed, atoms });
  return gross === null ? null : storedQuote(gross, signed);
}

/** The quote with an id, if it matches the trade and amount and has not expired. */
function issuedQuote(
  market: Market,
  signed: SignedOrder,
  quoteId: number | undefined,
): GrossQuote | null {
  const issued = quoteId === undefined ? undefined : market.quotes.get(quoteId);
  if (issued === undefined || issued.expiresMs < market.time.ms) return null;
  const { pair, gross } = issued;
  const isSamePair = pair.kind === signed.kind && pair.sellToken === signed.sellToken &&
    pair.buyToken === signed.buyToken;
  const isSameAmount = signed.kind === "sell"
    ? gross.sellAmount === signed.sellAmount
    : gross.buyAmount === signed.buyAmount;
  return isSamePair && isSameAmount ? gross : null;
}
