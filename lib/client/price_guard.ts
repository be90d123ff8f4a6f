import { DecodeError, HttpError, InputError, RateLimitedError } from "../errors/mod.ts";
import { checkedCount } from "../endpoints/checked_count.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import type { StageAmounts } from "../metrics/mod.ts";
import { type PricedAmount, shareOfNativeValue } from "../metrics/prices/share_of_native_value.ts";
import { NATIVE_TOKEN_ADDRESS } from "../networks/mod.ts";
import { bpsToRatio, compareRatios, Decimal, formatPercent, sameHex } from "../units/mod.ts";
import { sizeAsked } from "./check_request.ts";
import type { OrderBook } from "./order_book.ts";
import type { TradeRequest } from "./trade_request.ts";

/** The worst price at which an order is still placed. */
export interface PriceBounds {
  /**
   * Least that a sale may have as its limit, in buy-token atoms: after fees and tolerance, what is
   * signed. Nothing is compared with native prices then.
   */
  readonly minBuyAmount?: bigint;
  /**
   * Most that a purchase may have as its limit, in sell-token atoms: with fees and tolerance, what is
   * signed. Nothing is compared with native prices then. A sale by `sellAmountAfterFee`, whose fee comes
   * on top, takes it beside `minBuyAmount`.
   */
  readonly maxSellAmount?: bigint;
  /**
   * Least that the limit must give back of what it takes, both at native prices, in basis points from 0
   * to 10,000; with 0 nothing is compared.
   *
   * @default {8000, where no bound above fixes the price}
   */
  readonly minQuoteValueBps?: number;
}

const MIN_QUOTE_VALUE_BPS = 8_000;
const MOST_BPS = 10_000;
const ONE = new Decimal(1n, 0);

/**
 * Refuses bounds that mean nothing for a trade, before anything is sent.
 *
 * @throws {InputError} If one is no amount, or bounds what the trade fixes.
 */
export function checkBounds(request: TradeRequest, bounds: PriceBounds): void {
  const { minBuyAmount, maxSellAmount, minQuoteValueBps = 0 } = bounds;
  for (const [name, atoms] of Object.entries({ minBuyAmount, maxSellAmount })) {
    if (atoms === undefined || atoms > 0n) continue;
    throw new InputError(`Cannot place an order with a ${name} of ${atoms}`, {
      remedy: "Pass atoms as a bigint above 0n",
    });
  }
  checkedCount(minQuoteValueBps, { name: "minQuoteValueBps", least: 0, most: MOST_BPS });
  if (minBuyAmount !== undefined && request.kind === "buy") {
    throw new InputError(
      "Cannot place an order to buy with minBuyAmount: it buys what it asks for",
      { remedy: "Pass maxSellAmount, the most that it may cost" },
    );
  }
  if (maxSellAmount !== undefined && sizeAsked(request)[0] === "sellAmountBeforeFee") {
    throw new InputError(
      "Cannot place an order to sell with maxSellAmount: it sells sellAmountBeforeFee",
      { remedy: "Pass minBuyAmount, the least that it may bring" },
    );
  }
}

/**
 * Refuses a limit that is worse than the caller takes: below `minBuyAmount`, above `maxSellAmount`, or,
 * where these leave the price open, worth too little of what it gives away at native prices.
 *
 * @throws {InputError} If it is, or a native price that it takes cannot be had.
 */
export async function requirePrice(
  book: OrderBook,
  { request, limit, bounds }: {
    request: TradeRequest;
    limit: StageAmounts;
    bounds: PriceBounds;
  },
  call: CallOptions,
): Promise<void> {
  const { minBuyAmount, maxSellAmount } = bounds;
  if (minBuyAmount !== undefined && limit.buyAmount < minBuyAmount) {
    throw new InputError("Cannot place an order that may bring less than minBuyAmount", {
      facts: { limit: limit.buyAmount, minBuyAmount },
      remedy:
        "Wait for a better price, or lower minBuyAmount, which is what the order signs: after " +
        "fees and tolerance",
    });
  }
  if (maxSellAmount !== undefined && limit.sellAmount > maxSellAmount) {
    throw new InputError("Cannot place an order that may cost more than maxSellAmount", {
      facts: { limit: limit.sellAmount, maxSellAmount },
      remedy:
        "Wait for a better price, or raise maxSellAmount, which is what the order signs: with " +
        "fees and tolerance",
    });
  }
  const leastBps = bounds.minQuoteValueBps ??
    (isBounded(request, bounds) ? 0 : MIN_QUOTE_VALUE_BPS);
  if (leastBps > 0) await requireWorth(book, { request, limit, leastBps }, call);
}

/** Whether the caller's own bounds leave nothing of the price to whoever quotes it. */
function isBounded(request: TradeRequest, { minBuyAmount, maxSellAmount }: PriceBounds): boolean {
  if (request.kind === "buy") return maxSellAmount !== undefined;
  if (sizeAsked(request)[0] === "sellAmountBeforeFee") return minBuyAmount !== undefined;
  return minBuyAmount !== undefined && maxSellAmount !== undefined;
}

async function requireWorth(
  book: OrderBook,
  { request, limit, leastBps }: { request: TradeRequest; limit: StageAmounts; leastBps: number },
  call: CallOptions,
): Promise<void> {
  const { sellToken, buyToken } = request;
  const remedy = remedyFor(request);
  const [sellPrice, buyPrice] = await Promise.all([
    priceOf(book, sellToken, { ...call, remedy }),
    priceOf(book, buyToken, { ...call, remedy }),
  ]);
  const given: PricedAmount = { atoms: limit.sellAmount, price: sellPrice };
  const received: PricedAmount = { atoms: limit.buyAmount, price: buyPrice };
  const share = shareOfNativeValue(given, received);
  if (compareRatios(share, bpsToRatio(leastBps)) >= 0) return;
  const asPercent = formatPercent(share, { digits: 2, rounding: "trunc" });
  throw new InputError(
    `Cannot place an order that gives back ${asPercent} of what it takes, at native prices`,
    {
      facts: {
        least: formatPercent(bpsToRatio(leastBps), { digits: 2, rounding: "trunc" }),
        sells: `${limit.sellAmount} atoms of ${sellToken} at ${sellPrice} native atoms each`,
        buys: `${limit.buyAmount} atoms of ${buyToken} at ${buyPrice} native atoms each`,
      },
      remedy,
    },
  );
}

/** Native atoms for one atom of a token: 1 for the native token itself, by definition. */
async function priceOf(
  book: OrderBook,
  token: string,
  { signal, remedy }: CallOptions & { remedy: string },
): Promise<Decimal> {
  if (sameHex(token, NATIVE_TOKEN_ADDRESS)) return ONE;
  try {
    const price = await book.nativePrice(token, { signal });
    if (price.coefficient > 0n) return price;
  } catch (cause) {
    signal?.throwIfAborted();
    const isNoPrice = cause instanceof DecodeError ||
      (cause instanceof HttpError && !(cause instanceof RateLimitedError));
    if (!isNoPrice) throw cause;
    throw unpriced(token, { remedy, cause });
  }
  throw unpriced(token, { remedy });
}

function unpriced(token: string, options: { remedy: string; cause?: unknown }): InputError {
  return new InputError(
    `Cannot tell what the quote is worth: the service has no native price of ${token}`,
    options,
  );
}

function remedyFor(request: TradeRequest): string {
  const bounds = request.kind === "buy"
    ? "maxSellAmount, the most that it may cost"
    : sizeAsked(request)[0] === "sellAmountBeforeFee"
    ? "minBuyAmount, the least that it may bring"
    : "minBuyAmount and maxSellAmount, the least that it may bring and the most that it may cost";
  return `Pass ${bounds}; or a lower minQuoteValueBps, where 0 compares nothing`;
}
