import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address, appDataField, hash32 } from "../codec/hex.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "../orders/order_words.ts";
import type { Unknown } from "../codec/unknown_word.ts";
import { boolean, integer, openEnum, unixSeconds } from "../codec/scalars.ts";

/** How carefully the service prices; `fast` quotes are not for placing orders. */
export type PriceQuality = "fast" | "optimal" | "verified" | Unknown;

/** Requests a sale of a total budget: the network fee is deducted from it. */
export interface SellBeforeFee {
  /** A sale. */
  kind: "sell";
  /** Budget, in sell-token atoms. */
  sellAmountBeforeFee: bigint;
}

/** Requests a sale of exactly this amount after the network fee, which comes on top. */
export interface SellAfterFee {
  /** A sale. */
  kind: "sell";
  /** Amount sold after the fee, in sell-token atoms: a current order sells both. */
  sellAmountAfterFee: bigint;
}

/** Requests a purchase of exactly this amount. */
export interface BuyAfterFee {
  /** A purchase. */
  kind: "buy";
  /** Buy amount of the order, in buy-token atoms. */
  buyAmountAfterFee: bigint;
}

/** Requests an absolute expiry, a relative one, or the default (30 minutes). */
export interface QuoteValidity {
  /** Expiry, in unix seconds; cannot be combined with `validFor`. */
  validTo?: number | null;
  /** Seconds from now until expiry; cannot be combined with `validTo`. */
  validFor?: number | null;
}

/** Terms of every quote request, however its size is given. */
export interface QuoteTerms extends QuoteValidity {
  /** Token to sell. */
  sellToken: string;
  /** Token to buy. */
  buyToken: string;
  /** Trader. */
  from: string;
  /** Receiver of the buy token; `null` or absent means the trader. */
  receiver?: string | null;
  /** The app data document as text, or its hash. */
  appData?: string | null;
  /** Hash of the document; needs `appData`. */
  appDataHash?: string | null;
  /** Where the sell token is taken from. @default {"erc20"} */
  sellTokenBalance?: SellTokenSource;
  /** Where the buy token is sent to. @default {"erc20"} */
  buyTokenBalance?: BuyTokenDestination;
  /**
   * How carefully to price. Always send it: the service and its specification differ on the
   * default.
   */
  priceQuality?: PriceQuality;
  /** How the order will be signed. @default {"eip712"} */
  signingScheme?: SigningScheme;
  /** Whether the order will be placed on-chain; not with ECDSA schemes. @default {false} */
  onchainOrder?: boolean;
  /** Gas needed to verify an ERC-1271 signature. */
  verificationGasLimit?: number;
  /** Whether the order may be partially filled; in requests of 2024. */
  partiallyFillable?: boolean;
  /** Milliseconds to wait for prices; capped by the service. */
  timeout?: number | null;
}

/** Body of `POST quote`: one of three sizes, and the terms. */
export type QuoteRequest = QuoteTerms & (SellBeforeFee | SellAfterFee | BuyAfterFee);

/** The size fields, and the kind that each belongs to. */
const SIZES = {
  sellAmountBeforeFee: "sell",
  sellAmountAfterFee: "sell",
  buyAmountAfterFee: "buy",
} as const;

const quoteRequestFields = z.looseObject({
  sellToken: address,
  buyToken: address,
  from: address,
  kind: orderKind,
  sellAmountBeforeFee: z.exactOptional(atoms),
  sellAmountAfterFee: z.exactOptional(atoms),
  buyAmountAfterFee: z.exactOptional(atoms),
  validTo: z.exactOptional(z.nullable(unixSeconds)),
  validFor: z.exactOptional(z.nullable(unixSeconds)),
  receiver: z.exactOptional(z.nullable(address)),
  appData: z.exactOptional(z.nullable(appDataField)),
  appDataHash: z.exactOptional(z.nullable(hash32)),
  sellTokenBalance: z.exactOptional(sellTokenSource),
  buyTokenBalance: z.exactOptional(buyTokenDestination),
  priceQuality: z.exactOptional(openEnum(["fast", "optimal", "verified"])),
  signingScheme: z.exactOptional(signingScheme),
  onchainOrder: z.exactOptional(boolean),
  verificationGasLimit: z.exactOptional(integer),
  partiallyFillable: z.exactOptional(boolean),
  timeout: z.exactOptional(z.nullable(integer)),
});

/**
 * Schema of {@linkcode QuoteRequest}: a size of the request's kind, and at most one validity. Like
 * the service, it ignores a size of the other kind.
 */
export const quoteRequest: z.ZodType<QuoteRequest> = quoteRequestFields.check((context) => {
  const { value, issues } = context;
  const fitting = Object.entries(SIZES).filter(([, kind]) => kind === value.kind);
  if (!fitting.some(([name]) => Object.hasOwn(value, name))) {
    const names = fitting.map(([name]) => name).join(" or ");
    const message = `given its size as ${names}, to ${value.kind}`;
    issues.push({ code: "custom", path: [], message, input: value });
  }
  if (typeof value.validTo === "number" && typeof value.validFor === "number") {
    const message = "given validTo or validFor, not both";
    issues.push({ code: "custom", path: [], message, input: value });
  }
}) as unknown as z.ZodType<QuoteRequest>;

/**
 * Decodes a quote request.
 *
 * @throws {DecodeError} If the body is not a quote request.
 * @example A sale with the size of a purchase
 * ```ts
 * import { DecodeError } from "orderlens";
 * import { decodeQuoteRequest } from "orderlens/schemas";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const terms = {
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   from: `0x${"02".repeat(20)}`,
 * };
 * const request = decodeQuoteRequest({ ...terms, kind: "buy", buyAmountAfterFee: "7" });
 *
 * assertEquals("buyAmountAfterFee" in request && request.buyAmountAfterFee, 7n);
 * assertThrows(
 *   () => decodeQuoteRequest({ ...terms, kind: "sell", buyAmountAfterFee: "7" }),
 *   DecodeError,
 *   "sellAmountBeforeFee or sellAmountAfterFee",
 * );
 * ```
 */
export function decodeQuoteRequest(body: unknown, options: DecodeOptions = {}): QuoteRequest {
  return decode(quoteRequest, body, "a quote request", options);
}

/**
 * Writes a quote request in its wire format; the inverse of {@linkcode decodeQuoteRequest}.
 *
 * @throws {InputError} If the record is not a complete quote request.
 */
export function encodeQuoteRequest(record: QuoteRequest): unknown {
  return encode(quoteRequest, record, "a quote request");
}
