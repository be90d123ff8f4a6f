import { ignoreNotFound } from "../endpoints/calls.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import { DecodeError, InputError, MismatchError } from "../errors/mod.ts";
import { requireKnown } from "../errors/option_rules.ts";
import type { NodeSource } from "../evm/node/node_source.ts";
import { hashAppData } from "../evm/orders/app_data.ts";
import { holdsKey } from "../evm/orders/request_signature.ts";
import type {
  AppData,
  AppDataMetadata,
  BuyAfterFee,
  DocumentBps,
  QuoteTerms,
  SellAfterFee,
  SellBeforeFee,
  Trade,
} from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import { decodeValidAppData } from "../schemas/app_data.ts";
import { getAppData, parseAppData } from "./build_app_data.ts";
import { isOutcomeUnknown } from "./connect_options.ts";
import type { OrderBook } from "./order_book.ts";

/**
 * The trade: a quote request whose trader is the signing account.
 *
 * All terms are signed as passed here. Omitted ones have defaults of the client, never values of the
 * response: `validFor` 1,800 seconds, `partiallyFillable` `false`, `receiver` the trader, both
 * balances `erc20`, app data `{}`.
 */
export type TradeRequest =
  & Omit<QuoteTerms, "from">
  & {
    /** Trader. @default {the account, or the first one of a wallet} */
    from?: string;
  }
  & (SellBeforeFee | SellAfterFee | BuyAfterFee);

/** Faults of a quote that a caller may allow. */
export const QUOTE_FAULTS = ["expired", "unverified", "fast"] as const;

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
  throw createFastQuoteError("its price is only an estimate");
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
  const [field, amount] = readSize(request);
  if (typeof amount !== "bigint" || amount <= 0n) {
    throw new InputError(`Cannot place an order with a ${field} of ${amount} (${typeof amount})`, {
      remedy: "Pass the amount in atoms as a bigint above 0n",
    });
  }
  if (!field.startsWith(kind)) {
    throw new InputError(`Cannot place an order to ${kind} with ${field}`, {
      remedy: `Pass ${SIZES.filter((name) => name.startsWith(kind)).join(" or ")}`,
    });
  }
}

/** Creates the error for a fast quote. */
export function createFastQuoteError(reason: string): InputError {
  return new InputError(`Cannot place an order with a fast quote: ${reason}`, {
    remedy: 'Request priceQuality "verified", or pass { allow: ["fast", "unverified", "expired"] }',
  });
}

/** The terms that set the size of a trade. */
export type SizeField = typeof SIZES[number];
const SIZES = ["sellAmountBeforeFee", "sellAmountAfterFee", "buyAmountAfterFee"] as const;

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
  "fastPath",
];

/** Reads the field that sets the size of a trade, and its amount. */
export function readSize(request: TradeRequest): [SizeField, bigint] {
  const sizes: Partial<Record<SizeField, bigint>> = request;
  for (const name of SIZES) {
    const size = sizes[name];
    if (size != null) return [name, size];
  }
  throw new TypeError("The trade has no size; checkRequest comes first");
}

/** Fetches all trades of an order, oldest first. */
export async function fetchTrades(
  book: OrderBook,
  orderUid: string,
  options: CallOptions,
): Promise<Trade[]> {
  const trades = await Array.fromAsync(book.trades({ orderUid }, options));
  return trades.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

/** Facts about a chain that audits need. */
interface ChainFacts {
  /** Chain id; absent if unknown. */
  readonly chainId?: number;
  /** Wrapped native token; absent if unknown. */
  readonly wrappedNativeToken?: string;
  /** Settlement contract; absent if unknown. */
  readonly settlementContract?: string;
}

/** Reads the facts of the chain from a source in the same process, or from a book. */
export function readChainFacts(source: NodeSource, book: OrderBook | undefined): ChainFacts {
  const deployment = typeof source === "object" ? Reflect.get(source, "deployment") : undefined;
  const { wrappedNativeToken: wrappedToken, settlementContract: called } = Object(deployment);
  const wrapped = typeof wrappedToken === "string"
    ? wrappedToken
    : book?.network?.wrappedNativeToken.address;
  const contract = book?.settlementContract ?? (typeof called === "string" ? called : undefined);
  return {
    ...wrapped === undefined ? {} : { wrappedNativeToken: wrapped },
    ...contract === undefined ? {} : { settlementContract: contract },
  };
}

/** The app data that an order is placed with. */
export interface PreparedAppData {
  /** The document's text. */
  readonly fullAppData: string;
  /** Its hash, which the order signs. */
  readonly hash: string;
  /** Volume fees of its partners together, in basis points. */
  readonly partnerFeeBps: number;
  /** Tolerance in the document, in basis points. */
  readonly slippageBps: DocumentBps | undefined;
}

/**
 * Prepares the app data of a trade request, parsed and hashed: a document as text, or the hash of a
 * registered one.
 *
 * @throws {InputError} If it is not a document that the service accepts, or is an unregistered
 *   hash; if it contains the private key of `from`, which would become public.
 */
export async function prepareAppData(
  book: OrderBook,
  appData: string | null | undefined,
  { from, ...call }: CallOptions & { from: string },
): Promise<PreparedAppData> {
  const input = appData ?? "{}";
  if (await holdsKey(input, from)) {
    throw new InputError(
      "Cannot place an order: its app data contains the private key of its owner",
      { remedy: "Remove the key from appData, which is public" },
    );
  }
  const isHash = /^0x[0-9a-f]{64}$/i.test(input);
  const fullAppData = isHash ? await fetchRegistered(book, input, call) : input;
  if (fullAppData === null) {
    throw new InputError("Cannot place an order with the hash of unregistered app data", {
      remedy: "Pass the document itself as appData; it is then registered with the order",
    });
  }
  const { metadata } = parse(fullAppData);
  const hash = hashAppData(fullAppData);
  if (input !== fullAppData && !sameHex(input, hash)) {
    throw new InputError(
      "Cannot place an order with an outdated hash of its app data",
      {
        facts: { given: input, hash },
        remedy: "Pass the document itself as appData, or its own hash",
      },
    );
  }
  return {
    fullAppData,
    hash,
    partnerFeeBps: sumVolumeBps(metadata),
    slippageBps: metadata?.quote?.slippageBips,
  };
}

/**
 * Registers a document that the service does not have. The order also contains the document, so a
 * lost response does not prevent placing it; a response about another document does.
 *
 * @throws {MismatchError} If the service has another document under this hash.
 */
export async function registerUnknown(
  book: OrderBook,
  { fullAppData, hash }: PreparedAppData,
  call: CallOptions,
): Promise<void> {
  try {
    if (await fetchRegistered(book, hash, call) === null) {
      await book.registerAppData(fullAppData, call);
    }
  } catch (error) {
    if (call.signal?.aborted || error instanceof MismatchError || !isOutcomeUnknown(error)) {
      throw error;
    }
  }
}

/** Fetches the text of a registered document; `null` if there is none with this hash. */
async function fetchRegistered(
  book: OrderBook,
  hash: string,
  call: CallOptions,
): Promise<string | null> {
  const registration = await getAppData(book.transport, hash, call).catch(ignoreNotFound);
  return registration === null ? null : registration.fullAppData;
}

/** Parses the document; its error omits the value found, which may contain secrets. */
function parse(fullAppData: string): AppData {
  try {
    return parseAppData(fullAppData, "the app data of the request", decodeValidAppData);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error.failure;
    throw new InputError(
      `Cannot place an order with this app data: ${path || "the document"} must be ${expected}`,
      { remedy: "Build the document with buildAppData, which checks it" },
    );
  }
}

function sumVolumeBps(metadata: AppDataMetadata | undefined): number {
  const fees = [metadata?.partnerFee ?? []].flat();
  return fees.reduce((sum, fee) => {
    if ("volumeBps" in fee) return sum + fee.volumeBps;
    return "bps" in fee ? sum + fee.bps : sum;
  }, 0);
}
