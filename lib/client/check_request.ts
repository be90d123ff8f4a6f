import { InputError } from "../errors/mod.ts";
import { requireKnown } from "../errors/require_known.ts";
import type { TradeRequest } from "./trade_request.ts";

/** Faults of a quote that a caller may allow. */
export const FAULTS = ["expired", "unverified", "fast"] as const;

/** A fault of a quote that an order may still be placed with. */
export type QuoteFault = "expired" | "unverified" | "fast";

/**
 * Rejects a trade with unknown or contradictory terms, without a size, or with a fast quote, before
 * anything is sent.
 */
export function checkRequest(request: TradeRequest, allow: readonly QuoteFault[]): void {
  const misplaced = Object.keys(request).find((name) => BOUNDS.includes(name));
  if (misplaced !== undefined) {
    throw new InputError(`Cannot place an order with ${misplaced} in its request`, {
      remedy: `Pass it in the options: placeOrder(book, account, request, { ${misplaced} })`,
    });
  }
  requireKnown(request, TERMS, "Cannot place an order");
  const { partiallyFillable = false } = request;
  if (typeof partiallyFillable !== "boolean") {
    throw new InputError(
      `Cannot place an order with partiallyFillable ${JSON.stringify(partiallyFillable)}`,
      { remedy: "Pass true or false" },
    );
  }
  checkSize(request);
  if (request.priceQuality !== "fast" || allow.includes("fast")) return;
  throw fastQuote("its price is only an estimate");
}

function checkSize(request: TradeRequest): void {
  const { kind } = request;
  if (kind !== "sell" && kind !== "buy") {
    throw new InputError(`Cannot place an order of kind ${JSON.stringify(kind)}`, {
      remedy: 'Pass "sell" or "buy"',
    });
  }
  const sizes: Partial<Record<SizeField, bigint>> = request;
  const present = SIZES.filter((name) => sizes[name] != null);
  if (present.length !== 1) {
    throw new InputError(`Cannot place an order with ${present.join(" and ") || "no size"}`, {
      remedy: `Pass one of ${SIZES.join(", ")}`,
    });
  }
  const [field, amount] = requestedSize(request);
  if (typeof amount !== "bigint" || amount <= 0n) {
    throw new InputError(`Cannot place an order with a ${field} of ${amount} (${typeof amount})`, {
      remedy: "Pass the amount in atoms as a bigint above 0n",
    });
  }
  if (KIND_OF[field] !== kind) {
    throw new InputError(`Cannot place an order to ${kind} with ${field}`, {
      remedy: `Pass ${SIZES.filter((name) => KIND_OF[name] === kind).join(" or ")}`,
    });
  }
}

/** The error for a fast quote. */
export function fastQuote(why: string): InputError {
  return new InputError(`Cannot place an order with a fast quote: ${why}`, {
    remedy: 'Request priceQuality "verified", or pass { allow: ["fast", "unverified", "expired"] }',
  });
}

/** The terms that set the size of a trade. */
export type SizeField = "buyAmountAfterFee" | "sellAmountBeforeFee" | "sellAmountAfterFee";
const SIZES: readonly SizeField[] = [
  "sellAmountBeforeFee",
  "sellAmountAfterFee",
  "buyAmountAfterFee",
];

const KIND_OF = {
  sellAmountBeforeFee: "sell",
  sellAmountAfterFee: "sell",
  buyAmountAfterFee: "buy",
} as const;

/** Options that bound the price; they are not terms of the request. */
const BOUNDS: readonly string[] = ["minBuyAmount", "maxSellAmount", "minQuoteValueBps"];

/** All valid terms. */
const TERMS: readonly string[] = [
  "kind",
  ...SIZES,
  "sellToken",
  "buyToken",
  "from",
  "receiver",
  "validTo",
  "validFor",
  "appData",
  "appDataHash",
  "partiallyFillable",
  "sellTokenBalance",
  "buyTokenBalance",
  "signingScheme",
  "priceQuality",
  "onchainOrder",
  "verificationGasLimit",
  "timeout",
];

/** The field that sets the size of a trade, and its amount. */
export function requestedSize(request: TradeRequest): [SizeField, bigint] {
  const sizes: Partial<Record<SizeField, bigint>> = request;
  for (const name of SIZES) {
    const size = sizes[name];
    if (size != null) return [name, size];
  }
  throw new TypeError("The trade has no size; checkRequest comes first");
}
