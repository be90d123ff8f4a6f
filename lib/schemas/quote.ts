import { z } from "zod";
import type { Decimal } from "../units/decimal.ts";
import { type Decode, type Encode, toDecoder, toEncoder, type Unknown } from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";
import { sentSince } from "./codec/sent_since.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "./order.ts";

/** Care the service takes in pricing; `fast` quotes are not for placing orders. */
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
  /** Source of the sell token. @default {"erc20"} */
  sellTokenBalance?: SellTokenSource;
  /** Destination of the buy token. @default {"erc20"} */
  buyTokenBalance?: BuyTokenDestination;
  /**
   * Care to take in pricing. Always send it: the service and its specification differ on the
   * default.
   */
  priceQuality?: PriceQuality;
  /** Signing scheme of the future order. @default {"eip712"} */
  signingScheme?: SigningScheme;
  /** Whether the order will be placed on-chain; not with ECDSA schemes. @default {false} */
  onchainOrder?: boolean;
  /** Gas needed to verify an ERC-1271 signature. */
  verificationGasLimit?: number;
  /** Whether the order may be partially filled; in requests of 2024. */
  partiallyFillable?: boolean;
  /** Milliseconds to wait for prices; capped by the service. */
  timeout?: number | null;
  /**
   * Whether the quote is for an order that takes the fast path: its solver settles it alone, before
   * auctions. The order's app data has `enableFastPath` then. In services#4713; off in releases as of
   * 2026-09.
   */
  fastPath?: boolean;
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
  sellToken: wire.address,
  buyToken: wire.address,
  from: wire.address,
  kind: orderKind,
  sellAmountBeforeFee: z.exactOptional(wire.atoms),
  sellAmountAfterFee: z.exactOptional(wire.atoms),
  buyAmountAfterFee: z.exactOptional(wire.atoms),
  validTo: z.exactOptional(z.nullable(wire.unixSeconds)),
  validFor: z.exactOptional(z.nullable(wire.unixSeconds)),
  receiver: z.exactOptional(z.nullable(wire.address)),
  appData: z.exactOptional(z.nullable(wire.appDataField)),
  appDataHash: z.exactOptional(z.nullable(wire.hash32)),
  sellTokenBalance: z.exactOptional(sellTokenSource),
  buyTokenBalance: z.exactOptional(buyTokenDestination),
  priceQuality: z.exactOptional(wire.openEnum(["fast", "optimal", "verified"])),
  signingScheme: z.exactOptional(signingScheme),
  onchainOrder: z.exactOptional(wire.boolean),
  verificationGasLimit: z.exactOptional(wire.integer),
  partiallyFillable: z.exactOptional(wire.boolean),
  timeout: z.exactOptional(z.nullable(wire.integer)),
  fastPath: z.exactOptional(wire.boolean),
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
export const decodeQuoteRequest: Decode<QuoteRequest> = toDecoder(quoteRequest, "a quote request");

/**
 * Writes a quote request in its wire format; the inverse of {@linkcode decodeQuoteRequest}.
 *
 * @throws {InputError} If the record is not a complete quote request.
 */
export const encodeQuoteRequest: Encode<QuoteRequest> = toEncoder(quoteRequest, "a quote request");

/**
 * The order parameters of a response of `POST quote`. They are *net*: the amounts that the service
 * expects after network and volume fees. The quote stored on an order is gross.
 */
export interface QuotedOrder {
  /** Token to sell. */
  sellToken: string;
  /** Token to buy. */
  buyToken: string;
  /** Receiver of the buy token; `null` means the trader. */
  receiver?: string | null;
  /** Sell amount, in sell-token atoms; for `sellAmountBeforeFee` the budget minus `feeAmount`. */
  sellAmount: bigint;
  /** Buy amount, in buy-token atoms. */
  buyAmount: bigint;
  /** Expiry, in unix seconds. */
  validTo: number;
  /** The app data document as text, or its hash, as in the request. */
  appData: string;
  /** Hash of the document; absent when the request has no document, or no hash beside it. */
  appDataHash?: string;
  /** Network fee, in sell-token atoms. */
  feeAmount: bigint;
  /** Estimated gas, in gas units. Absent in responses before 2026, and so are the next two. */
  gasAmount?: Decimal;
  /** Gas price, in wei per gas unit. */
  gasPrice?: Decimal;
  /** Price of the sell token, in native atoms per sell-token atom. */
  sellTokenPrice?: Decimal;
  /** The amount that is fixed. */
  kind: OrderKind;
  /** Whether the order may be partially filled. */
  partiallyFillable: boolean;
  /** Source of the sell token. */
  sellTokenBalance?: SellTokenSource;
  /** Destination of the buy token. */
  buyTokenBalance?: BuyTokenDestination;
  /** Signing scheme of the future order; absent in responses before 2023. */
  signingScheme?: SigningScheme;
}

/** The response of `POST quote`. */
export interface QuoteResponse {
  /** Order parameters, net of fees. */
  quote: QuotedOrder;
  /** Trader. */
  from?: string;
  /** Expiry of the quote; 1970-01-01 for `fast` quotes. */
  expiration: Temporal.Instant;
  /** Id for placing an order; `null` for `fast` quotes, absent in the first responses. */
  id?: number | null;
  /**
   * Whether a simulation confirmed the amounts. Absent in responses before 2024-04, which do not tell:
   * `placeOrder` takes such a quote as unverified.
   */
  verified?: boolean;
  /**
   * Protocol volume fee in basis points, an exact decimal such as `0.3`. Absent where the deployment
   * adds none to quotes, and in responses before 2025-11 (services#3900).
   */
  protocolFeeBps?: Decimal;
  /**
   * Whether the solver of the quote settles orders by the fast path. In services#4662, not in a
   * release as of 2026-09.
   */
  supportsFastPath?: boolean;
}

export const quoteResponse: z.ZodType<QuoteResponse> = z.looseObject({
  quote: z.looseObject({
    sellToken: wire.address,
    buyToken: wire.address,
    receiver: sentSince("2024-04-09", z.nullable(wire.address)),
    sellAmount: wire.atoms,
    buyAmount: wire.atoms,
    validTo: wire.unixSeconds,
    appData: wire.appDataField,
    appDataHash: z.exactOptional(wire.hash32),
    feeAmount: wire.atoms,
    gasAmount: sentSince("2026-02-16", wire.decimal),
    gasPrice: sentSince("2026-02-16", wire.decimal),
    sellTokenPrice: sentSince("2026-02-16", wire.decimal),
    kind: orderKind,
    partiallyFillable: wire.boolean,
    sellTokenBalance: sentSince("2024-04-09", sellTokenSource),
    buyTokenBalance: sentSince("2024-04-09", buyTokenDestination),
    signingScheme: sentSince("2024-04-09", signingScheme),
  }),
  from: sentSince("2024-04-09", wire.address),
  expiration: wire.instant,
  id: sentSince("2024-04-09", z.nullable(wire.integer)),
  verified: sentSince("2024-04-09", wire.boolean),
  protocolFeeBps: z.exactOptional(wire.decimal),
  supportsFastPath: z.exactOptional(wire.boolean),
});

/**
 * Decodes a response of `POST quote`.
 *
 * @throws {DecodeError} If the body is not such a response.
 * @example A quote net of its fees
 * ```ts
 * import { decodeQuoteResponse } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { quote, protocolFeeBps, expiration } = decodeQuoteResponse({
 *   quote: {
 *     sellToken: `0x${"aa".repeat(20)}`,
 *     buyToken: `0x${"bb".repeat(20)}`,
 *     receiver: null,
 *     sellAmount: "999000000000000000",
 *     buyAmount: "2497500000",
 *     feeAmount: "1000000000000000",
 *     validTo: 1795275000,
 *     appData: `0x${"00".repeat(32)}`,
 *     kind: "sell",
 *     partiallyFillable: false,
 *   },
 *   expiration: "2026-11-21T15:02:00Z",
 *   id: 7,
 *   verified: true,
 *   protocolFeeBps: "0.3",
 * });
 *
 * assertEquals(quote.sellAmount + quote.feeAmount, 10n ** 18n);
 * assertEquals([String(protocolFeeBps), String(expiration)], ["0.3", "2026-11-21T15:02:00Z"]);
 * ```
 */
export const decodeQuoteResponse: Decode<QuoteResponse> = toDecoder(quoteResponse, "a quote");

/**
 * Writes a quote in its wire format; the inverse of {@linkcode decodeQuoteResponse}.
 *
 * @throws {InputError} If the record is not a complete quote.
 */
export const encodeQuoteResponse: Encode<QuoteResponse> = toEncoder(quoteResponse, "a quote");
