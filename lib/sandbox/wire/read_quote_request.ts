import type { JsonNode } from "./json_node.ts";
import {
  enumOf,
  integer,
  parseEnum,
  readAddress,
  readAmount,
  readBoolean,
  readText,
} from "./loose_values.ts";
import { Mismatch, orNull } from "./mismatch.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { defaulted, optional, required } from "./field.ts";
import { Fields } from "./fields.ts";
import { BUY_DESTINATIONS, isEcdsa, SELL_SOURCES, SIGNING_SCHEMES } from "./read_order_creation.ts";

/** The size of a quote, in one of three forms. */
export type QuoteSize =
  | { readonly kind: "sell"; readonly sellAmountBeforeFee: bigint }
  | { readonly kind: "sell"; readonly sellAmountAfterFee: bigint }
  | { readonly kind: "buy"; readonly buyAmountAfterFee: bigint };

/** How an order from the quote will be signed. */
export interface QuoteScheme {
  /** The scheme. */
  readonly signingScheme: SignedOrder["signingScheme"];
  /** Whether it will be placed on-chain. */
  readonly isOnchain: boolean;
  /** Gas to verify a contract signature; 0 for other schemes. */
  readonly verificationGas: number;
}

/** A well-formed quote request. */
export interface ParsedQuoteRequest extends QuoteScheme {
  /** Token to sell. */
  readonly sellToken: string;
  /** Token to buy. */
  readonly buyToken: string;
  /** Recipient of the bought tokens; `null` for the trader. */
  readonly receiver: string | null;
  /** Trader. */
  readonly from: string;
  /** Size. */
  readonly size: QuoteSize;
  /** App data as received. */
  readonly appData: AppDataField;
  /** Expiry in unix seconds, or seconds from now. */
  readonly validity: { readonly validTo: number } | { readonly validFor: number };
  /** Where sell tokens are taken from. */
  readonly sellTokenBalance: string;
  /** Where buy tokens go. */
  readonly buyTokenBalance: string;
  /** Requested quality. */
  readonly priceQuality: "fast" | "optimal" | "verified";
  /** Maximum time to answer, in milliseconds. */
  readonly timeout: number | undefined;
}

const DEFAULT_VALIDITY_SEC = 1_800;
const DEFAULT_VERIFICATION_GAS = 27_000;
const QUALITIES = ["fast", "optimal", "verified"] as const;
const EMPTY_DOCUMENT: AppDataField = { kind: "document", document: "{}", expected: null };

/**
 * Reads the body of a quote request.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readQuoteRequest(body: string): ParsedQuoteRequest {
  const fields = new Fields(body, "OrderQuoteRequest");
  const { receiver = null, ...terms } = fields.all({
    from: required(readAddress),
    sellToken: required(readAddress),
    buyToken: required(readAddress),
    receiver: optional(readAddress),
    sellTokenBalance: defaulted(enumOf(SELL_SOURCES), "erc20"),
    buyTokenBalance: defaulted(enumOf(BUY_DESTINATIONS), "erc20"),
    priceQuality: defaulted(enumOf(QUALITIES), "verified"),
    timeout: optional(integer("u32")),
  });
  const size = readSize(fields);
  const validity = readValidity(fields);
  const hasAppData = fields.has("appData") || fields.has("appDataHash");
  const appData = hasAppData ? readAppDataField(fields) : EMPTY_DOCUMENT;
  if (appData === null) throw fields.rejection("invalid app data");
  return { ...terms, receiver, size, validity, appData, ...readScheme(fields) };
}

function readSize(fields: Fields): QuoteSize {
  const kind = fields.deferred("kind", (node) => parseEnum(readText(node), ["sell", "buy"]));
  if (kind === undefined) throw fields.rejection("missing field `kind`");
  if (kind === "buy") {
    const buyAmountAfterFee = fields.deferred("buyAmountAfterFee", readPositive);
    if (buyAmountAfterFee === undefined) {
      throw fields.rejection("missing field `buyAmountAfterFee`");
    }
    return { kind, buyAmountAfterFee };
  }
  const sellAmountBeforeFee = optionalAmount(fields, "sellAmountBeforeFee");
  if (sellAmountBeforeFee !== null) return { kind, sellAmountBeforeFee };
  const sellAmountAfterFee = optionalAmount(fields, "sellAmountAfterFee");
  if (sellAmountAfterFee !== null) return { kind, sellAmountAfterFee };
  throw fields.rejection("data did not match any variant of untagged enum SellAmount");
}

/** An amount above 0. */
export function readPositive(node: JsonNode): bigint {
  const amount = readAmount(node);
  if (amount === 0n) throw new Mismatch("Value cannot be zero!");
  return amount;
}

/** A positive amount; `null` if the field is missing or invalid. */
function optionalAmount(fields: Fields, name: string): bigint | null {
  const node = fields.raw(name);
  return node === undefined ? null : orNull(() => readPositive(node));
}

function readScheme(fields: Fields): QuoteScheme {
  const signingScheme =
    fields.deferred("signingScheme", (node) => parseEnum(readText(node), SIGNING_SCHEMES)) ??
      "eip712";
  const isOnchain = fields.deferred("onchainOrder", readBoolean) ?? false;
  if (isOnchain && isEcdsa(signingScheme)) {
    throw fields.rejection("ECDSA-signed orders cannot be on-chain");
  }
  const gas = fields.deferred("verificationGasLimit", integer("u64")) ?? DEFAULT_VERIFICATION_GAS;
  return { signingScheme, isOnchain, verificationGas: signingScheme === "eip1271" ? gas : 0 };
}

function readValidity(fields: Fields): ParsedQuoteRequest["validity"] {
  const validTo = fields.deferred("validTo", integer("u32"));
  const validFor = fields.deferred("validFor", integer("u32"));
  if (validTo !== undefined && validFor !== undefined) {
    throw fields.rejection("must specify at most one of `validTo` or `validFor`");
  }
  return validTo === undefined ? { validFor: validFor ?? DEFAULT_VALIDITY_SEC } : { validTo };
}
