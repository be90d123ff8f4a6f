import { hashAppData, type SignableOrder } from "../../evm/mod.ts";
import { checkAppData, type CheckedAppData } from "./check_app_data.ts";
import {
  defaulted,
  type Fields,
  optional,
  readBody,
  readField,
  readFields,
  readFlattened,
} from "./fields.ts";
import {
  enumeration,
  integer,
  Mismatch,
  orNull,
  parseHex,
  readAddress,
  readAmount,
  readBoolean,
  readBytes,
  readPositive,
  variant,
} from "./loose_values.ts";
import { badRequest, orReject } from "./reply.ts";

/** Signing schemes. */
const SIGNING_SCHEMES = ["eip712", "ethsign", "eip1271", "presign"] as const;
/** Sources of sell tokens. */
const SELL_SOURCES = ["erc20", "internal", "external"] as const;
/** Destinations of buy tokens. */
const BUY_DESTINATIONS = ["erc20", "internal"] as const;

/** The size of a quote, in one of three forms. */
type QuoteSize =
  | { readonly kind: "sell"; readonly sellAmountBeforeFee: bigint }
  | { readonly kind: "sell"; readonly sellAmountAfterFee: bigint }
  | { readonly kind: "buy"; readonly buyAmountAfterFee: bigint };

const DEFAULT_VALIDITY_SEC = 1_800;
const DEFAULT_VERIFICATION_GAS = 27_000;
const EMPTY_DOCUMENT: AppDataField = { kind: "document", document: "{}", expectedHash: null };

const QUOTE_FIELDS = {
  from: readAddress,
  sellToken: readAddress,
  buyToken: readAddress,
  receiver: optional(readAddress),
  sellTokenBalance: defaulted(enumeration(SELL_SOURCES), "erc20"),
  buyTokenBalance: defaulted(enumeration(BUY_DESTINATIONS), "erc20"),
  priceQuality: defaulted(enumeration(["fast", "optimal", "verified"]), "verified"),
  timeout: optional(integer("u32")),
  fastPath: defaulted(readBoolean, false),
};

/** A well-formed quote request. */
export type ParsedQuoteRequest = ReturnType<typeof readQuoteRequest>;

/**
 * Reads the body of a quote request.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readQuoteRequest(body: string) {
  return readBody(body, "OrderQuoteRequest", (fields) => {
    const terms = readFields(fields, QUOTE_FIELDS);
    const size = readSize(fields);
    const validity = readValidity(fields);
    const hasAppData = "appData" in fields || "appDataHash" in fields;
    const appData = hasAppData ? readAppDataField(fields) : EMPTY_DOCUMENT;
    if (appData === null) throw new Mismatch("invalid app data");
    return { ...terms, size, validity, appData, ...readScheme(fields) };
  });
}

function readSize(fields: Fields): QuoteSize {
  const kind = readField(fields, "kind", variant(["sell", "buy"]));
  if (kind === "buy") {
    return { kind, buyAmountAfterFee: readField(fields, "buyAmountAfterFee", readPositive) };
  }
  const sellAmountBeforeFee = orNull(() => readPositive(fields.sellAmountBeforeFee));
  if (sellAmountBeforeFee !== null) return { kind, sellAmountBeforeFee };
  const sellAmountAfterFee = orNull(() => readPositive(fields.sellAmountAfterFee));
  if (sellAmountAfterFee !== null) return { kind, sellAmountAfterFee };
  throw new Mismatch("data did not match any variant of untagged enum SellAmount");
}

const SCHEME_FIELDS = {
  signingScheme: defaulted(variant(SIGNING_SCHEMES), "eip712"),
  onchainOrder: defaulted(readBoolean, false),
  verificationGasLimit: defaulted(integer("u64"), DEFAULT_VERIFICATION_GAS),
};

/** Reads the signing scheme of orders from the quote, and the gas to verify a contract signature. */
function readScheme(fields: Fields) {
  const { signingScheme, onchainOrder: isOnchain, verificationGasLimit } = readFlattened(
    fields,
    SCHEME_FIELDS,
  );
  if (isOnchain && isEcdsa(signingScheme)) {
    throw new Mismatch("ECDSA-signed orders cannot be on-chain");
  }
  const verificationGas = signingScheme === "eip1271" ? verificationGasLimit : 0;
  return { signingScheme, isOnchain, verificationGas };
}

/** Reads the expiry in unix seconds, or in seconds from now. */
function readValidity(fields: Fields): { validTo: number } | { validFor: number } {
  if (!("validTo" in fields)) {
    const validFor = defaulted(integer("u32"), DEFAULT_VALIDITY_SEC);
    return { validFor: readField(fields, "validFor", validFor) };
  }
  const validTo = readField(fields, "validTo", integer("u32"));
  if (!("validFor" in fields)) return { validTo };
  throw new Mismatch("must specify at most one of `validTo` or `validFor`");
}

const ECDSA_BYTES = 65;
const ADDRESS_BYTES = 20;

/** The signed fields of every body with an order. */
export const SIGNED_FIELDS = {
  sellToken: readAddress,
  buyToken: readAddress,
  receiver: optional(readAddress),
  sellAmount: readAmount,
  buyAmount: readAmount,
  validTo: integer("u32"),
  feeAmount: readAmount,
  kind: enumeration(["buy", "sell"]),
  partiallyFillable: readBoolean,
  sellTokenBalance: defaulted(enumeration(SELL_SOURCES), "erc20"),
  buyTokenBalance: defaulted(enumeration(BUY_DESTINATIONS), "erc20"),
};

/** The signature of an order. */
export interface OrderSignature {
  /** Signing scheme. */
  readonly signingScheme: typeof SIGNING_SCHEMES[number];
  /** The signature. */
  readonly signature: string;
}

type NarrowedField = "receiver" | "kind" | "sellTokenBalance" | "buyTokenBalance";

/** A signed order, its hex in lower case. */
export interface SignedOrder extends Readonly<Omit<SignableOrder, NarrowedField>>, OrderSignature {
  /** Recipient of the bought tokens; `null` for the owner. */
  readonly receiver: string | null;
  /** Side whose amount is fixed. */
  readonly kind: "sell" | "buy";
  /** Source of the sell token. */
  readonly sellTokenBalance: "erc20" | "internal" | "external";
  /** Destination of the buy token. */
  readonly buyTokenBalance: "erc20" | "internal";
}

/** An order as received: well formed, not yet validated. */
export type ParsedOrder = ReturnType<typeof readOrderCreation>;

/**
 * Reads the body of an order.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readOrderCreation(body: string) {
  return readBody(body, "OrderCreation", (fields) => {
    const { from, quoteId, fullBalanceCheck, ...signedFields } = readFields(
      fields,
      CREATION_FIELDS,
    );
    const terms = { ...signedFields, ...readSignature(fields) };
    const appData = readAppDataField(fields);
    if (appData === null) {
      throw new Mismatch("data did not match any variant of untagged enum OrderCreationAppData");
    }
    return { terms, appData, from, quoteId, fullBalanceCheck };
  });
}

const CREATION_FIELDS = {
  ...SIGNED_FIELDS,
  from: optional(readAddress),
  quoteId: optional(integer("i64")),
  fullBalanceCheck: defaulted(readBoolean, false),
};

/** Reads scheme and signature; as in the service, their errors do not name the field. */
export function readSignature(fields: Fields): OrderSignature {
  const { signingScheme, signature } = readFlattened(fields, {
    signingScheme: variant(SIGNING_SCHEMES),
    signature: readBytes,
  });
  const bytes = signature.length / 2 - 1;
  if (isEcdsa(signingScheme)) {
    if (bytes !== ECDSA_BYTES) throw new Mismatch("ECDSA signature must be 65 bytes long");
    return { signingScheme, signature: normalizeV(signature) };
  }
  if (signingScheme !== "presign") return { signingScheme, signature };
  if (bytes !== 0 && bytes !== ADDRESS_BYTES) {
    throw new Mismatch("presign signature bytes should be empty or an address (legacy)");
  }
  return { signingScheme, signature: "0x" };
}

/** Recovery bytes as the contract expects them: 0 and 1 become 27 and 28. */
const CONTRACT_V: Readonly<Record<number, string>> = { 0: "1b", 1: "1c", 27: "1b", 28: "1c" };

function normalizeV(signature: string): string {
  const v = Number(`0x${signature.slice(-2)}`);
  const contractV = CONTRACT_V[v];
  if (contractV === undefined) {
    throw new Mismatch(`invalid signature v value: ${v}, expected 0, 1, 27, or 28`);
  }
  return `${signature.slice(0, -2)}${contractV}`;
}

/** Whether a scheme signs with a private key, off-chain. */
export function isEcdsa(signingScheme: string): boolean {
  return signingScheme === "eip712" || signingScheme === "ethsign";
}

/** The app data of an order or quote request: a document, a hash, or both. */
type AppDataField =
  | { readonly kind: "document"; readonly document: string; readonly expectedHash: string | null }
  | { readonly kind: "hash"; readonly hash: string };

/** Reads both app data fields; `null` if they are invalid. */
function readAppDataField({ appData, appDataHash }: Fields): AppDataField | null {
  if (typeof appData !== "string") return null;
  const expectedHash = hashOrNull(appDataHash);
  if (expectedHash !== null) return { kind: "document", document: appData, expectedHash };
  const hash = appData.startsWith("0x") ? hashOrNull(appData) : null;
  return hash === null
    ? { kind: "document", document: appData, expectedHash: null }
    : { kind: "hash", hash };
}

function hashOrNull(text: unknown): string | null {
  return typeof text === "string" ? orNull(() => parseHex(text, 32)) : null;
}

/**
 * Checks a document and its hash.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkDocument(
  document: string,
  expectedHash: string | null,
  hasFastPath: boolean,
): CheckedAppData & { readonly hash: string } {
  const checked = orReject(
    () => checkAppData(document, hasFastPath),
    (reason) => badRequest("InvalidAppData", reason),
  );
  const hash = hashAppData(document);
  if (expectedHash !== null && expectedHash !== hash) {
    throw badRequest(
      "AppDataHashMismatch",
      `calculated app data hash ${hash} doesn't match order app data field ${expectedHash}`,
    );
  }
  return { hash, ...checked };
}
