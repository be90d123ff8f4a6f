import type { SignedOrder } from "./book_order.ts";
import { type AppDataField, readAppDataField } from "./app_data_field.ts";
import { Fields } from "./fields.ts";
import { parseBody } from "./json_body.ts";
import { Mismatch, readAmount, readFlag, readHex, readInteger } from "./loose_values.ts";
import { BUY_DESTINATIONS, SELL_SOURCES, SIGNING_SCHEMES } from "./read_order_creation.ts";

/** How large a quote is to be: one of three ways to say it. */
export type QuoteSize =
  | { readonly kind: "sell"; readonly sellAmountBeforeFee: bigint }
  | { readonly kind: "sell"; readonly sellAmountAfterFee: bigint }
  | { readonly kind: "buy"; readonly buyAmountAfterFee: bigint };

/** A request for a quote, well formed. */
export interface ReadQuote {
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
  /** How it will be signed. */
  readonly signingScheme: SignedOrder["signingScheme"];
  /** How good the quote is to be. */
  readonly priceQuality: "fast" | "optimal" | "verified";
  /** Milliseconds to answer in. */
  readonly timeoutMs: number | undefined;
}

const DEFAULT_VALIDITY_SEC = 1_800;
const QUALITIES = ["fast", "optimal", "verified"] as const;

/**
 * Reads the body of a request for a quote.
 *
 * @throws {Rejection} 400 or 422 as text.
 */
export function readQuoteRequest(body: string): ReadQuote {
  const fields = new Fields(parseBody(body), { struct: "OrderQuoteRequest", length: body.length });
  const address = (value: unknown) => readHex(value, 20);
  const from = fields.required("from", address);
  const sellToken = fields.required("sellToken", address);
  const buyToken = fields.required("buyToken", address);
  const receiver = fields.optional("receiver", address) ?? null;
  const sellTokenBalance = fields.word("sellTokenBalance", SELL_SOURCES, "erc20");
  const buyTokenBalance = fields.word("buyTokenBalance", BUY_DESTINATIONS, "erc20");
  const priceQuality = fields.word("priceQuality", QUALITIES, "verified");
  const timeoutMs = fields.optional("timeout", (value) => readInteger(value, "u32"));
  const size = readSize(fields);
  const signingScheme = readScheme(fields);
  const validity = readValidity(fields);
  const hasAppData = fields.has("appData") || fields.has("appDataHash");
  const appData: AppDataField | null = hasAppData
    ? readAppDataField(fields)
    : { kind: "document", document: "{}", expected: null };
  if (appData === null) throw fields.wrong("invalid app data");
  return {
    sellToken,
    buyToken,
    receiver,
    from,
    size,
    appData,
    validity,
    sellTokenBalance,
    buyTokenBalance,
    signingScheme,
    priceQuality,
    timeoutMs,
  };
}

function readSize(fields: Fields): QuoteSize {
  const kind = fields.raw("kind");
  if (kind === undefined) throw fields.wrong("missing field `kind`");
  if (kind === "buy") {
    if (!fields.has("buyAmountAfterFee")) throw fields.wrong("missing field `buyAmountAfterFee`");
    const buyAmountAfterFee = amountIn(fields, "buyAmountAfterFee");
    if (buyAmountAfterFee === null) throw fields.wrong("invalid value: expected a positive amount");
    return { kind, buyAmountAfterFee };
  }
  if (kind !== "sell") {
    throw fields.wrong(`unknown variant \`${kind}\`, expected \`buy\` or \`sell\``);
  }
  const sellAmountBeforeFee = amountIn(fields, "sellAmountBeforeFee");
  if (sellAmountBeforeFee !== null) return { kind, sellAmountBeforeFee };
  const sellAmountAfterFee = amountIn(fields, "sellAmountAfterFee");
  if (sellAmountAfterFee !== null) return { kind, sellAmountAfterFee };
  throw fields.wrong("data did not match any variant of untagged enum SellAmount");
}

/** A positive amount; `null` where the field holds none. */
function amountIn(fields: Fields, name: string): bigint | null {
  if (!fields.has(name)) return null;
  try {
    const amount = readAmount(fields.raw(name));
    return amount > 0n ? amount : null;
  } catch (error) {
    if (error instanceof Mismatch) return null;
    throw error;
  }
}

function readScheme(fields: Fields): SignedOrder["signingScheme"] {
  const given = fields.has("signingScheme") ? fields.raw("signingScheme") : "eip712";
  const scheme = SIGNING_SCHEMES.find((one) => one === given);
  if (scheme === undefined) throw fields.wrong(`unknown signing scheme ${JSON.stringify(given)}`);
  const isOnchain = fields.optional("onchainOrder", readFlag) === true;
  if (isOnchain && (scheme === "eip712" || scheme === "ethsign")) {
    throw fields.wrong("ECDSA-signed orders cannot be on-chain");
  }
  return scheme;
}

function readValidity(fields: Fields): ReadQuote["validity"] {
  const read = (name: string) => fields.optional(name, (value) => readInteger(value, "u32"));
  const validTo = read("validTo");
  const validFor = read("validFor");
  if (validTo !== undefined && validFor !== undefined) {
    throw fields.wrong("must specify at most one of `validTo` or `validFor`");
  }
  return validTo === undefined ? { validFor: validFor ?? DEFAULT_VALIDITY_SEC } : { validTo };
}
