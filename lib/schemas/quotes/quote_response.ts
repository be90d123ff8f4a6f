import { z } from "zod";
import type { Decimal } from "../../units/decimal.ts";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address, appDataField, hash32 } from "../codec/hex.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "../orders/order_words.ts";
import { boolean, decimal, instant, integer, unixSeconds } from "../codec/scalars.ts";

/**
 * The order parameters of an answer of `POST quote`. They are *net*: the amounts that the service
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
  /** Hash of the document. */
  appDataHash?: string;
  /** Network fee, in sell-token atoms. */
  feeAmount: bigint;
  /** Estimated gas, in gas units. */
  gasAmount?: Decimal;
  /** Gas price, in wei per gas unit. */
  gasPrice?: Decimal;
  /** Price of the sell token, in native atoms per sell-token atom. */
  sellTokenPrice?: Decimal;
  /** Which amount is fixed. */
  kind: OrderKind;
  /** Whether the order may be partially filled. */
  partiallyFillable: boolean;
  /** Where the sell token is taken from. */
  sellTokenBalance?: SellTokenSource;
  /** Where the buy token is sent to. */
  buyTokenBalance?: BuyTokenDestination;
  /** How the order will be signed. */
  signingScheme?: SigningScheme;
}

/** The answer of `POST quote`. */
export interface QuoteResponse {
  /** Order parameters, net of fees. */
  quote: QuotedOrder;
  /** Trader. */
  from?: string;
  /** Expiry of the quote; 1970-01-01 for `fast` quotes. */
  expiration: Temporal.Instant;
  /** Id for placing an order; `null` for `fast` quotes. */
  id?: number | null;
  /** Whether a simulation confirmed the amounts. */
  verified: boolean;
  /** Protocol volume fee in basis points, an exact decimal such as `0.3`. */
  protocolFeeBps?: Decimal;
}

/** Schema of {@linkcode QuoteResponse}. */
export const quoteResponse: z.ZodType<QuoteResponse> = z.looseObject({
  quote: z.looseObject({
    sellToken: address,
    buyToken: address,
    receiver: z.exactOptional(z.nullable(address)),
    sellAmount: atoms,
    buyAmount: atoms,
    validTo: unixSeconds,
    appData: appDataField,
    appDataHash: z.exactOptional(hash32),
    feeAmount: atoms,
    gasAmount: z.exactOptional(decimal),
    gasPrice: z.exactOptional(decimal),
    sellTokenPrice: z.exactOptional(decimal),
    kind: orderKind,
    partiallyFillable: boolean,
    sellTokenBalance: z.exactOptional(sellTokenSource),
    buyTokenBalance: z.exactOptional(buyTokenDestination),
    signingScheme: z.exactOptional(signingScheme),
  }),
  from: z.exactOptional(address),
  expiration: instant,
  id: z.exactOptional(z.nullable(integer)),
  verified: boolean,
  protocolFeeBps: z.exactOptional(decimal),
});

/**
 * Decodes an answer of `POST quote`.
 *
 * @throws {DecodeError} If the body is not such an answer.
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
export function decodeQuoteResponse(body: unknown, options: DecodeOptions = {}): QuoteResponse {
  return decode(quoteResponse, body, "a quote", options);
}

/**
 * Writes a quote in its wire format; the inverse of {@linkcode decodeQuoteResponse}.
 *
 * @throws {InputError} If the record is not a complete quote.
 */
export function encodeQuoteResponse(record: QuoteResponse): unknown {
  return encode(quoteResponse, record, "a quote");
}
