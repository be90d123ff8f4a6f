import { type CallOptions, runTogether } from "../endpoints/calls.ts";
import { DecodeError, HttpError, InputError, RateLimitedError } from "../errors/mod.ts";
import type { StageAmounts } from "../metrics/mod.ts";
import { divideNativeValues, type PricedAmount } from "../metrics/prices/markout.ts";
import { NATIVE_TOKEN_ADDRESS } from "../networks/networks.ts";
import { bpsToRatio, compareRatios, Decimal, formatPercent, sameHex } from "../units/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { readSize, type TradeRequest } from "./trade_request.ts";

/** Bounds on the price at which an order is placed. */
export interface PriceBounds {
  /**
   * Minimum signed buy amount of a sale, after fees and tolerance, in buy-token atoms. If set,
   * native prices are not checked.
   */
  readonly minBuyAmount?: bigint;
  /**
   * Maximum signed sell amount of a purchase, with fees and tolerance, in sell-token atoms. If set,
   * native prices are not checked. A sale by `sellAmountAfterFee`, whose fee comes on top, accepts
   * it in addition to `minBuyAmount`.
   */
  readonly maxSellAmount?: bigint;
  /**
   * Minimum value of the signed buy amount relative to the signed sell amount, both at native
   * prices, in basis points from 0 to 10,000; 0 disables the check. Passing it means to trust the
   * service: quote and native prices come from the same one.
   *
   * @default {8000 for a sale by `sellAmountBeforeFee` of at most 0.1 native or wrapped native
   * tokens; for any other trade, the bounds above must be set}
   */
  readonly minQuoteValueBps?: number;
}

const MIN_QUOTE_VALUE_BPS = 8_000;
/** Maximum native atoms sold at prices of which the service alone is the source: 0.1 tokens. */
const MAX_UNBOUNDED_ATOMS = 10n ** 17n;
const ONE = new Decimal(1n, 0);

/**
 * Rejects bounds that do not apply to a trade, before anything is sent.
 *
 * @throws {InputError} If a bound is not an amount, or bounds an amount that the trade fixes.
 */
export function checkBounds(request: TradeRequest, bounds: PriceBounds): void {
  const { minBuyAmount, maxSellAmount } = bounds;
  for (const [name, atoms] of Object.entries({ minBuyAmount, maxSellAmount })) {
    if (atoms === undefined || atoms > 0n) continue;
    throw new InputError(`Cannot place an order with a ${name} of ${atoms}`, {
      remedy: "Pass the amount in atoms as a bigint above 0n",
    });
  }
  const isBuy = request.kind === "buy";
  const [misplaced] = (["minBuyAmount", "maxSellAmount"] as const)
    .filter((name) => bounds[name] !== undefined && !listOpenBounds(request).includes(name));
  if (misplaced === undefined) return;
  throw new InputError(
    isBuy
      ? "Cannot place an order to buy with minBuyAmount: its buy amount is fixed"
      : "Cannot place an order to sell with maxSellAmount: sellAmountBeforeFee fixes its sell amount",
    { remedy: formatBounds(request) },
  );
}

const BOUNDS = {
  minBuyAmount: "the minimum to receive",
  maxSellAmount: "the maximum to pay",
} as const;

/** Lists the bounds of the amounts that a trade does not fix: with them, its price is bounded. */
function listOpenBounds(request: TradeRequest): (keyof typeof BOUNDS)[] {
  if (request.kind === "buy") return ["maxSellAmount"];
  const isWhole = readSize(request)[0] === "sellAmountBeforeFee";
  return isWhole ? ["minBuyAmount"] : ["minBuyAmount", "maxSellAmount"];
}

/**
 * Rejects a limit that is worse than the caller accepts: below `minBuyAmount`, above
 * `maxSellAmount`, or, where these do not determine the price, worth too little at native prices.
 *
 * @throws {InputError} If it is, or if a native price that the check needs is not available; if the
 * caller says nothing of the price, and does not fix a small amount of native tokens to sell.
 */
export async function checkPrice(
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
    throw new InputError("Cannot place an order that may receive less than minBuyAmount", {
      facts: { limit: limit.buyAmount, minBuyAmount },
      remedy:
        "Wait for a better price, or lower minBuyAmount, which bounds the signed amount: after " +
        "fees and tolerance",
    });
  }
  if (maxSellAmount !== undefined && limit.sellAmount > maxSellAmount) {
    throw new InputError("Cannot place an order that may cost more than maxSellAmount", {
      facts: { limit: limit.sellAmount, maxSellAmount },
      remedy:
        "Wait for a better price, or raise maxSellAmount, which bounds the signed amount: with " +
        "fees and tolerance",
    });
  }
  const isOpen = listOpenBounds(request).some((name) => bounds[name] === undefined);
  if (isOpen && bounds.minQuoteValueBps === undefined) requireSmallSale(book, { request, limit });
  const minBps = bounds.minQuoteValueBps ?? (isOpen ? MIN_QUOTE_VALUE_BPS : 0);
  if (minBps > 0) await checkNativeValue(book, { request, limit, minBps }, call);
}

/**
 * Rejects a trade whose loss is not limited by the caller's own numbers: unless the caller fixes
 * the whole amount sold, in native tokens, the service determines what the trade is worth. An
 * amount of the quote limits nothing, whichever token it is in.
 */
function requireSmallSale(
  book: OrderBook,
  { request, limit: { sellAmount, buyAmount } }: { request: TradeRequest; limit: StageAmounts },
): void {
  const { sellToken, buyToken } = request;
  const [size, atoms] = readSize(request);
  const isLossLimited = size === "sellAmountBeforeFee" && isNative(book, sellToken) &&
    atoms <= MAX_UNBOUNDED_ATOMS && sellAmount === atoms;
  if (isLossLimited) return;
  throw new InputError(
    "Cannot place an order at a price that the service alone knows: its quote and its native prices " +
      "may be wrong together",
    {
      facts: {
        sells: `${sellAmount} atoms of ${sellToken}`,
        buys: `${buyAmount} atoms of ${buyToken}`,
      },
      remedy: `${formatBounds(request)}, or minQuoteValueBps to trust the service's native prices`,
    },
  );
}

function isNative(book: OrderBook, token: string): boolean {
  const wrapped = book.network?.wrappedNativeToken.address;
  return sameHex(token, NATIVE_TOKEN_ADDRESS) || wrapped !== undefined && sameHex(token, wrapped);
}

async function checkNativeValue(
  book: OrderBook,
  { request, limit, minBps }: { request: TradeRequest; limit: StageAmounts; minBps: number },
  call: CallOptions,
): Promise<void> {
  const { sellToken, buyToken } = request;
  const remedy = `${formatBounds(request)}, or lower minQuoteValueBps; 0 disables the check`;
  const [sellPrice, buyPrice] = await runTogether([
    (signal) => fetchPrice(book, sellToken, { signal, remedy }),
    (signal) => fetchPrice(book, buyToken, { signal, remedy }),
  ], call.signal);
  const sale: PricedAmount = { atoms: limit.sellAmount, price: sellPrice };
  const purchase: PricedAmount = { atoms: limit.buyAmount, price: buyPrice };
  const share = divideNativeValues(sale, purchase);
  if (compareRatios(share, bpsToRatio(minBps)) >= 0) return;
  const asPercent = formatPercent(share, { digits: 2, rounding: "trunc" });
  throw new InputError(
    `Cannot place an order that buys only ${asPercent} of the value it sells, at native prices`,
    {
      facts: {
        minimum: formatPercent(bpsToRatio(minBps), { digits: 2, rounding: "trunc" }),
        sells: `${limit.sellAmount} atoms of ${sellToken} at ${sellPrice} native atoms each`,
        buys: `${limit.buyAmount} atoms of ${buyToken} at ${buyPrice} native atoms each`,
      },
      remedy,
    },
  );
}

/** Fetches the native atoms per atom of a token: 1 for the native token itself. */
async function fetchPrice(
  book: OrderBook,
  token: string,
  { signal, remedy }: CallOptions & { remedy: string },
): Promise<Decimal> {
  if (isNative(book, token)) return ONE;
  const noPrice = `Cannot value the quote: the service has no native price of ${token}`;
  try {
    const price = await book.nativePrice(token, { signal });
    if (price.coefficient > 0n) return price;
  } catch (cause) {
    signal?.throwIfAborted();
    const isPriceMissing = cause instanceof DecodeError ||
      (cause instanceof HttpError && !(cause instanceof RateLimitedError));
    if (!isPriceMissing) throw cause;
    throw new InputError(noPrice, { remedy, cause });
  }
  throw new InputError(noPrice, { remedy });
}

function formatBounds(request: TradeRequest): string {
  const names = listOpenBounds(request);
  return `Pass ${names.join(" and ")}, ${names.map((name) => BOUNDS[name]).join(" and ")}`;
}
