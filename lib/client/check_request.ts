import { InputError } from "../errors/mod.ts";
import { requireKnown } from "../errors/require_known.ts";
import type { TradeRequest } from "./trade_request.ts";

/** Faults of a quote that a caller may allow. */
export const FAULTS = ["expired", "unverified", "fast"] as const;

/** What a quote may be and an order still be placed with it. */
export type QuoteFault = "expired" | "unverified" | "fast";

/**
 * Refuses a trade with unknown or contradictory terms, a trade of nothing, and one by a fast quote,
 * before anything is sent.
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
  throw fastQuote("its price is a guess");
}

function checkSize(request: TradeRequest): void {
  const { kind } = request;
  if (kind !== "sell" && kind !== "buy") {
    throw new InputError(`Cannot place an order of kind ${JSON.stringify(kind)}`, {
      remedy: "Pass sell or buy",
    });
  }
  const sizes: Partial<Record<SizeField, bigint>> = request;
  const given = SIZES.filter((name) => sizes[name] != null);
  if (given.length !== 1) {
    throw new InputError(`Cannot place an order with ${given.join(" and ") || "no size"}`, {
      remedy: `Pass one of ${SIZES.join(", ")}`,
    });
  }
  const [field, asked] = sizeAsked(request);
  if (typeof asked !== "bigint" || asked <= 0n) {
    throw new InputError(`Cannot place an order with a ${field} of ${asked} (${typeof asked})`, {
      remedy: "Pass atoms as a bigint above 0n",
    });
  }
  if (KIND_OF[field] !== kind) {
    throw new InputError(`Cannot place an order to ${kind} with ${field}`, {
      remedy: `Pass ${SIZES.filter((name) => KIND_OF[name] === kind).join(" or ")}`,
    });
  }
}

/** Refuses a fast quote. */
export function fastQuote(why: string): InputError {
  return new InputError(`Cannot place an order with a fast quote: ${why}`, {
    remedy: 'Ask for priceQuality "verified", or pass { allow: ["fast", "unverified", "expired"] }',
  });
}

/** The terms that give the size of a trade. */
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

/** Options that bound the price, and are no terms. */
const BOUNDS: readonly string[] = ["minBuyAmount", "maxSellAmount", "minQuoteValueBps"];

/** Every term that a trade may have. */
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

/** Which size a trade is given by, and how much it is. */
export function sizeAsked(request: TradeRequest): [SizeField, bigint] {
  const sizes: Partial<Record<SizeField, bigint>> = request;
  for (const name of SIZES) {
    const size = sizes[name];
    if (size != null) return [name, size];
  }
  throw new TypeError("A trade without a size was not checked");
}
