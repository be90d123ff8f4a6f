import { hashAppData } from "../../evm/mod.ts";
import { checkAppData, type CheckedAppData } from "./check_app_data.ts";
import { defaulted, Fields, optional, required } from "./fields.ts";
import { type JsonNode, Mismatch, orNull } from "./json.ts";
import {
  enumOf,
  integer,
  parseEnum,
  parseHex,
  readAddress,
  readAmount,
  readBoolean,
  readBytes,
  readText,
} from "./loose_values.ts";
import { orReject, rejection } from "./reply.ts";

/** The size of a quote, in one of three forms. */
type QuoteSize =
  | { readonly kind: "sell"; readonly sellAmountBeforeFee: bigint }
  | { readonly kind: "sell"; readonly sellAmountAfterFee: bigint }
  | { readonly kind: "buy"; readonly buyAmountAfterFee: bigint };

/** How an order from the quote will be signed. */
interface QuoteScheme {
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

/** Signing schemes. */
const SIGNING_SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;
/** Sources of sell tokens. */
const SELL_SOURCES = ["erc20", "internal", "external"] as const;
/** Destinations of buy tokens. */
const BUY_DESTINATIONS = ["erc20", "internal"] as const;

/** An order as received: well formed, not yet validated. */
export interface ParsedOrder {
  /** Signed terms, except the app data hash. */
  readonly terms: Omit<SignedOrder, "appData">;
  /** App data as received. */
  readonly appData: AppDataField;
  /** Claimed signer; `undefined` if the body names none. */
  readonly from: string | undefined;
  /** Id of the quote it was made from. */
  readonly quoteId: number | undefined;
  /** Whether the owner must hold the whole sell amount. */
  readonly fullBalanceCheck: boolean;
}

const ECDSA_BYTES = 65;
const ADDRESS_BYTES = 20;

/** The signed fields of every body with an order. */
export const SIGNED_FIELDS = {
  sellToken: required(readAddress),
  buyToken: required(readAddress),
  receiver: optional(readAddress),
  sellAmount: required(readAmount),
  buyAmount: required(readAmount),
  validTo: required(integer("u32")),
  feeAmount: required(readAmount),
  kind: required(enumOf(["buy", "sell"])),
  partiallyFillable: required(readBoolean),
  sellTokenBalance: defaulted(enumOf(SELL_SOURCES), "erc20"),
  buyTokenBalance: defaulted(enumOf(BUY_DESTINATIONS), "erc20"),
};

/**
 * Reads the body of an order.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readOrderCreation(body: string): ParsedOrder {
  const fields = new Fields(body, "OrderCreation");
  const { from, quoteId, fullBalanceCheck, receiver = null, ...signed } = fields.all({
    ...SIGNED_FIELDS,
    from: optional(readAddress),
    quoteId: optional(integer("i64")),
    fullBalanceCheck: defaulted(readBoolean, false),
  });
  const terms = { ...signed, receiver, ...readSignature(fields) };
  const appData = readAppDataField(fields);
  if (appData === null) {
    throw fields.rejection("data did not match any variant of untagged enum OrderCreationAppData");
  }
  return { terms, appData, from, quoteId, fullBalanceCheck };
}

/** Reads scheme and signature; as in the service, their errors do not name the field. */
export function readSignature(
  fields: Fields,
): { signingScheme: SignedOrder["signingScheme"]; signature: string } {
  const signingScheme = fields.deferred(
    "signingScheme",
    (node) => parseEnum(readText(node), SIGNING_SCHEMES),
  );
  if (signingScheme === undefined) throw fields.rejection("missing field `signingScheme`");
  const signature = fields.deferred("signature", readBytes);
  if (signature === undefined) throw fields.rejection("missing field `signature`");
  const bytes = signature.length / 2 - 1;
  if (isEcdsa(signingScheme) && bytes !== ECDSA_BYTES) {
    throw fields.rejection("ECDSA signature must be 65 bytes long");
  }
  if (isEcdsa(signingScheme)) return { signingScheme, signature: withContractV(fields, signature) };
  if (signingScheme !== "presign") return { signingScheme, signature };
  if (bytes !== 0 && bytes !== ADDRESS_BYTES) {
    throw fields.rejection("presign signature bytes should be empty or an address (legacy)");
  }
  return { signingScheme, signature: "0x" };
}

/** Recovery bytes as the contract expects them: 0 and 1 become 27 and 28. */
const CONTRACT_V: Readonly<Record<number, string>> = { 0: "1b", 1: "1c", 27: "1b", 28: "1c" };

function withContractV(fields: Fields, signature: string): string {
  const v = Number(`0x${signature.slice(-2)}`);
  const stored = CONTRACT_V[v];
  if (stored === undefined) {
    throw fields.rejection(`invalid signature v value: ${v}, expected 0, 1, 27, or 28`);
  }
  return `${signature.slice(0, -2)}${stored}`;
}

/** Whether a scheme signs with a private key, off-chain. */
export function isEcdsa(signingScheme: string): boolean {
  return signingScheme === "eip712" || signingScheme === "ethsign";
}

/** The app data of an order or quote request: a document, a hash, or both. */
type AppDataField =
  | { readonly kind: "document"; readonly document: string; readonly expected: string | null }
  | { readonly kind: "hash"; readonly hash: string };

/** Reads both app data fields; `null` if they are invalid. */
function readAppDataField(fields: Fields): AppDataField | null {
  const document = textOf(fields.raw("appData"));
  if (document === null) return null;
  const expected = hashOf(textOf(fields.raw("appDataHash")));
  if (expected !== null) return { kind: "document", document, expected };
  const hash = document.startsWith("0x") ? hashOf(document) : null;
  return hash === null ? { kind: "document", document, expected: null } : { kind: "hash", hash };
}

function textOf(node: JsonNode | undefined): string | null {
  return node?.kind === "string" ? node.value : null;
}

function hashOf(text: string | null): string | null {
  return text === null ? null : orNull(() => parseHex(text, 32));
}

/** A validated document and its hash. */
export interface ValidDocument extends CheckedAppData {
  /** Its hash. */
  readonly hash: string;
}

/**
 * Checks a document and its hash.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkDocument(document: string, expected: string | null): ValidDocument {
  const checked = orReject(
    () => checkAppData(document),
    (reason) => rejection(400, "InvalidAppData", reason),
  );
  const hash = hashAppData(document);
  if (expected !== null && expected !== hash) {
    throw rejection(
      400,
      "AppDataHashMismatch",
      `calculated app data hash ${hash} doesn't match order app data field ${expected}`,
    );
  }
  return { hash, ...checked };
}

/** A signed order. */
export interface SignedOrder {
  /** Token to sell, in lower case. */
  readonly sellToken: string;
  /** Token to buy, in lower case; `0xeeee…` is the native one. */
  readonly buyToken: string;
  /** Recipient of the bought tokens; `null` for the owner. */
  readonly receiver: string | null;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Expiry, in unix seconds. */
  readonly validTo: number;
  /** Hash of the app data document. */
  readonly appData: string;
  /** Signed fee; always 0 here. */
  readonly feeAmount: bigint;
  /** Which amount is fixed. */
  readonly kind: "sell" | "buy";
  /** Whether it may be filled partially. */
  readonly partiallyFillable: boolean;
  /** Source of the sell token. */
  readonly sellTokenBalance: "erc20" | "internal" | "external";
  /** Destination of the buy token. */
  readonly buyTokenBalance: "erc20" | "internal";
  /** Signing scheme. */
  readonly signingScheme: "eip712" | "ethsign" | "presign" | "eip1271";
  /** The signature. */
  readonly signature: string;
}
