import type { JsonNode } from "./json_node.ts";
import {
  integer,
  readAddress,
  readAmount,
  readFlag,
  readText,
  word,
  wordIn,
} from "./loose_values.ts";
import { Mismatch, orNull } from "./mismatch.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { defaulted, Fields, optional, required } from "./fields.ts";
import { BUY_DESTINATIONS, isEcdsa, SELL_SOURCES, SIGNING_SCHEMES } from "./read_order_creation.ts";

/** How large a quote is to be: one of three ways to say it. */
export type QuoteSize =
  | { readonly kind: "sell"; readonly sellAmountBeforeFee: bigint }
  | { readonly kind: "sell"; readonly sellAmountAfterFee: bigint }
  | { readonly kind: "buy"; readonly buyAmountAfterFee: bigint };

/** How an order made from a quote will be signed. */
export interface QuoteScheme {
  /** The scheme. */
  readonly signingScheme: SignedOrder["signingScheme"];
  /** Whether it will be placed on the chain. */
  readonly isOnchain: boolean;
  /** Gas that checking the signature of a contract takes; 0 of all others. */
  readonly verificationGas: number;
}

/** A request for a quote, well formed. */
export interface ReadQuote extends QuoteScheme {
  /** Token to sell. */
  readonly sellToken: string;
  /** Token to buy. */
  readonly buyToken: string;
  /** Who gets the bought tokens. */
  readonly receiver: string | null;
  /** Trader. */
  readonly from: string;
  /** How large. */
  readonly size: QuoteSize;
  /** App data, as it came. */
  readonly appData: AppDataField;
  /** Expiry in unix seconds, or seconds from now. */
  readonly validity: { readonly validTo: number } | { readonly validFor: number };
  /** Where sell tokens are taken from. */
  readonly sellTokenBalance: string;
  /** Where buy tokens go. */
  readonly buyTokenBalance: string;
  /** How good the quote is to be. */
  readonly priceQuality: "fast" | "optimal" | "verified";
  /** Milliseconds to answer in. */
  readonly timeout: number | undefined;
}

const DEFAULT_VALIDITY_SEC = 1_800;
const DEFAULT_VERIFICATION_GAS = 27_000;
const QUALITIES = ["fast", "optimal", "verified"] as const;
const EMPTY_DOCUMENT: AppDataField = { kind: "document", document: "{}", expected: null };

/**
 * Reads the body of a request for a quote.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readQuoteRequest(body: string): ReadQuote {
  const fields = new Fields(body, "OrderQuoteRequest");
  const { receiver = null, ...terms } = fields.all({
    from: required(readAddress),
    sellToken: required(readAddress),
    buyToken: required(readAddress),
    receiver: optional(readAddress),
    sellTokenBalance: defaulted(word(SELL_SOURCES), "erc20"),
    buyTokenBalance: defaulted(word(BUY_DESTINATIONS), "erc20"),
    priceQuality: defaulted(word(QUALITIES), "verified"),
    timeout: optional(integer("u32")),
  });
  const size = readSize(fields);
  const validity = readValidity(fields);
  const hasAppData = fields.has("appData") || fields.has("appDataHash");
  const appData = hasAppData ? readAppDataField(fields) : EMPTY_DOCUMENT;
  if (appData === null) throw fields.wrong("invalid app data");
  return { ...terms, receiver, size, validity, appData, ...readScheme(fields) };
}

function readSize(fields: Fields): QuoteSize {
  const kind = fields.late("kind", (node) => wordIn(readText(node), ["sell", "buy"]));
  if (kind === undefined) throw fields.wrong("missing field `kind`");
  if (kind === "buy") {
    const buyAmountAfterFee = fields.late("buyAmountAfterFee", readPositive);
    if (buyAmountAfterFee === undefined) throw fields.wrong("missing field `buyAmountAfterFee`");
    return { kind, buyAmountAfterFee };
  }
  const sellAmountBeforeFee = amountIn(fields, "sellAmountBeforeFee");
  if (sellAmountBeforeFee !== null) return { kind, sellAmountBeforeFee };
  const sellAmountAfterFee = amountIn(fields, "sellAmountAfterFee");
  if (sellAmountAfterFee !== null) return { kind, sellAmountAfterFee };
  throw fields.wrong("data did not match any variant of untagged enum SellAmount");
}

/** An amount that is not 0. */
export function readPositive(node: JsonNode): bigint {
  const amount = readAmount(node);
  if (amount === 0n) throw new Mismatch("Value cannot be zero!");
  return amount;
}

/** A positive amount; `null` where the field holds none. */
function amountIn(fields: Fields, name: string): bigint | null {
  const node = fields.raw(name);
  return node === undefined ? null : orNull(() => readPositive(node));
}

function readScheme(fields: Fields): QuoteScheme {
  const signingScheme =
    fields.late("signingScheme", (node) => wordIn(readText(node), SIGNING_SCHEMES)) ?? "eip712";
  const isOnchain = fields.late("onchainOrder", readFlag) ?? false;
  if (isOnchain && isEcdsa(signingScheme)) {
    throw fields.wrong("ECDSA-signed orders cannot be on-chain");
  }
  const gas = fields.late("verificationGasLimit", integer("u64")) ?? DEFAULT_VERIFICATION_GAS;
  return { signingScheme, isOnchain, verificationGas: signingScheme === "eip1271" ? gas : 0 };
}

function readValidity(fields: Fields): ReadQuote["validity"] {
  const validTo = fields.late("validTo", integer("u32"));
  const validFor = fields.late("validFor", integer("u32"));
  if (validTo !== undefined && validFor !== undefined) {
    throw fields.wrong("must specify at most one of `validTo` or `validFor`");
  }
  return validTo === undefined ? { validFor: validFor ?? DEFAULT_VALIDITY_SEC } : { validTo };
}
