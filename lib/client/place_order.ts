import type { CallOptions } from "../endpoints/mod.ts";
import { InputError, UnconfirmedOrderError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules, wholeNumber } from "../errors/option_rules.ts";
import { orderDigest, type SignableOrder } from "../evm/orders/order_digest.ts";
import { type OrderSigner, resolveSigner } from "../evm/orders/request_signature.ts";
import { signOrder } from "../evm/orders/sign_order.ts";
import { raceAbort } from "../http/transport.ts";
import { BPS } from "../metrics/not_computable.ts";
import { type QuoteStages, quoteStages } from "../metrics/quotes/quote_stages.ts";
import type { OrderCreation, QuoteRequest, QuoteResponse, QuoteValidity } from "../schemas/mod.ts";
import { formatInstant, sameHex } from "../units/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { PlacedOrder } from "./placed_order.ts";
import { checkBounds, checkPrice, type PriceBounds } from "./price_guard.ts";
import {
  checkRequest,
  createFastQuoteError,
  prepareAppData,
  type PreparedAppData,
  QUOTE_FAULTS,
  type QuoteFault,
  readSize,
  registerUnknown,
  type SizeField,
  type TradeRequest,
} from "./trade_request.ts";

/** Options of {@linkcode placeOrder}. */
export interface PlaceOrderOptions extends PriceBounds {
  /** Aborts requests and waiting for a wallet; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Slippage tolerance, in basis points; with 0 and no partner fee, the quote is signed unchanged.
   *
   * @default {the tolerance in the app data document, otherwise 50}
   */
  readonly slippageBps?: number | string;
  /**
   * Volume fee of the partner that is deducted from the limit, in basis points.
   *
   * @default {the sum of the volume fees in the app data document}
   */
  readonly partnerFeeBps?: number | string;
  /** An earlier quote; without it, one is requested. */
  readonly quote?: QuoteResponse;
  /** Faults of a quote to accept. @default {none} */
  readonly allow?: readonly QuoteFault[];
  /** Produces the signature of an `eip1271` order: the bytes that the owner's contract expects. */
  readonly contractSignature?: (order: SignableOrder, digest: string) => string | Promise<string>;
}

const OPTIONS: OptionRules<PlaceOrderOptions> = {
  signal: AbortSignal,
  slippageBps: BPS,
  partnerFeeBps: BPS,
  minBuyAmount: BigInt,
  maxSellAmount: BigInt,
  minQuoteValueBps: wholeNumber(0, 10_000),
  quote: defineRule(
    "the response of `book.quote`",
    (value) => typeof value === "object" && value !== null,
  ),
  allow: defineRule(
    "an array of expired, unverified, fast",
    (value) => Array.isArray(value) && value.every((fault) => QUOTE_FAULTS.includes(fault)),
  ),
  contractSignature: Function,
};

const DEFAULT_SLIPPAGE_BPS = 50;
const SCHEMES = ["eip712", "ethsign", "presign", "eip1271"] as const;
type Scheme = typeof SCHEMES[number];

/**
 * Trades: requests a verified quote, deducts slippage tolerance and partner fee, signs, and places
 * the order.
 *
 * Only the caller's terms are signed. A validity in seconds is converted to an expiry by the clock
 * of the book, 30 minutes from now by default, and requested as such; a response with another expiry
 * is rejected. `partiallyFillable` is `false` unless the request sets it. An earlier quote may be
 * valid from now on for as long as the request says, plus one minute, since the service dated it.
 *
 * `minBuyAmount` and `maxSellAmount` bound the price. Native prices of the service come from the same
 * source as the quote, so your own bounds are required, unless you pass `minQuoteValueBps`, or sell
 * at most 0.1 native or wrapped native tokens of the network by `sellAmountBeforeFee`: then the
 * signed buy amount must be worth that part of the signed sell amount at native prices, 80% by
 * default, and a token without one is rejected. Whether a quote is verified or expired is the
 * service's own word, and no bound.
 *
 * The amounts to sign are those of {@linkcode quoteStages}; `stages` of the result holds them, and
 * whether the quote was signed unchanged. App data is passed as a document's text, which is
 * registered if the service does not have it, or as the hash of a registered document. No order is
 * sent twice: if its response is lost or names another UID, it is looked up by its own UID.
 *
 * @param book Order book to trade at; its domain is used for signing.
 * @param account An account or a wallet client of viem, a wallet (EIP-1193), or an `{ address }` for
 *   `presign` and `eip1271` orders.
 * @param request What to trade, as for `book.quote`; `from` is the account, and `priceQuality` is
 *   `verified` unless it says otherwise.
 * @param options Tolerance, partner fee, price bounds, an earlier quote, and which of its faults to
 *   accept.
 * @returns A handle to watch, verify and cancel the order.
 * @throws {InputError} If no bound is passed; if the quote is worth too little, or its value cannot be determined; if a
 *   passed quote is for another trade; if the quote is `fast`, unverified or expired and that is
 *   not allowed; if the account cannot or does not sign; if the app data cannot be read.
 * @throws {MismatchError} If the service returns a quote for another trade or validity, or another
 *   app data document.
 * @throws {ServiceError} If the service rejects the order; `remedy` says what to do, for example to
 *   approve the vault relayer or to request a new quote.
 * @throws {UnconfirmedOrderError} If there is no usable response and the order was not found; holds the
 *   UID.
 * @example An order from quote to fill, on an in-process order book
 * ```ts
 * import { connect, placeOrder } from "orderlens";
 * import { openSandbox } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const sandbox = await openSandbox({ seed: 7, auctions: 5 });
 * const [weth, usdc] = sandbox.description.tokens;
 * const placed = await placeOrder(connect(sandbox), { address: sandbox.description.accounts[0]! }, {
 *   kind: "sell",
 *   sellToken: weth!.address,
 *   buyToken: usdc!.address,
 *   sellAmountBeforeFee: 10n ** 18n,
 *   validFor: 600,
 *   signingScheme: "presign",
 * }, { minBuyAmount: 1_900n * 10n ** 6n });
 * sandbox.preSign(placed.uid);
 *
 * const seen = await Array.fromAsync(placed.track());
 * const { fills, differences } = await placed.execution();
 *
 * assertEquals(seen.at(-1)?.order.status, "fulfilled");
 * assertEquals([fills.length, differences], [1, []]);
 * ```
 */
export async function placeOrder(
  book: OrderBook,
  account: OrderSigner,
  request: TradeRequest,
  options: PlaceOrderOptions = {},
): Promise<PlacedOrder> {
  checkOptions(options, OPTIONS, "Cannot place an order");
  const { signal, allow = [] } = options;
  const call = { signal };
  const signingScheme = chooseScheme(request, options);
  checkRequest(request, allow);
  checkBounds(request, options);
  const validTo = chooseValidTo(request, book.clock.now());
  const from = await awaitOrAbort(
    resolveSigner(account, { from: request.from, what: "the order" }),
    signal,
  );
  const appData = await prepareAppData(book, request.appData, { from, ...call });

  if (request.appDataHash != null && !sameHex(request.appDataHash, appData.hash)) {
    throw new InputError("Cannot place an order with the appDataHash of another document", {
      facts: { given: request.appDataHash, hash: appData.hash },
      remedy: "Omit appDataHash: it is computed from appData",
    });
  }
  const quoteTerms = buildQuoteRequest(request, { from, validTo, appData });
  const answer = options.quote ?? await book.quote(quoteTerms, call);
  checkQuote(answer, { request, from, allow, nowMs: book.clock.now() });
  const stages = quoteStages(answer, {
    slippageBps: options.slippageBps ?? appData.slippageBps ?? DEFAULT_SLIPPAGE_BPS,
    partnerFeeBps: options.partnerFeeBps ?? appData.partnerFeeBps,
  });
  await checkPrice(book, { request, limit: stages.amountsToSign, bounds: options }, call);
  const terms = buildTerms(request, { answer, stages });
  const signable = { ...terms, appData: appData.hash };
  const contractSignature = await awaitOrAbort(
    requestContractSignature(signable, { book, signingScheme, options }),
    signal,
  );
  const signing = { signingScheme, from, ...contractSignature };
  const signature = await awaitOrAbort(signOrder(account, book.domain, signable, signing), signal);

  await registerUnknown(book, appData, call);
  const creation: OrderCreation = {
    ...terms,
    ...signature,
    appData: appData.fullAppData,
    appDataHash: appData.hash,
    quoteId: answer.id ?? null,
  };
  return new PlacedOrder({
    book,
    account,
    uid: await create(book, creation, call),
    creation,
    answer,
    stages,
  });
}

/** Awaits a wallet, which may never respond, until the signal aborts. */
async function awaitOrAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return await (signal === undefined ? promise : raceAbort(promise, signal));
}

function chooseScheme(
  { signingScheme = "eip712" }: TradeRequest,
  { contractSignature }: PlaceOrderOptions,
): Scheme {
  if (!isScheme(signingScheme)) {
    throw new InputError(
      `Cannot place an order with the signing scheme ${JSON.stringify(signingScheme)}`,
      { remedy: `Use one of ${SCHEMES.join(", ")}` },
    );
  }
  if (signingScheme === "eip1271" && contractSignature === undefined) {
    throw new InputError("Cannot place an eip1271 order without its contract's signature", {
      remedy:
        "Pass `contractSignature`, a function that returns the bytes that the owner's contract expects",
    });
  }
  return signingScheme;
}

function isScheme(name: string): name is Scheme {
  return (SCHEMES as readonly string[]).includes(name);
}

/**
 * Builds the quote request: the trade with exactly the expiry and app data that will be signed, so that a
 * response with other values is detected.
 */
function buildQuoteRequest(
  { validFor: _, ...request }: TradeRequest,
  { from, validTo, appData }: { from: string; validTo: number; appData: PreparedAppData },
): QuoteRequest {
  const isText = request.appData === appData.fullAppData;
  return {
    ...request,
    from,
    validTo,
    ...(isText ? { appDataHash: appData.hash } : {}),
    priceQuality: request.priceQuality ?? "verified",
  };
}

/** Builds the order to sign, without app data: the caller's terms and the checked expiry. */
function buildTerms(
  request: TradeRequest,
  { answer: { quote }, stages }: { answer: QuoteResponse; stages: QuoteStages },
): Omit<OrderCreation, "appData" | "signature" | "signingScheme"> {
  return {
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    receiver: request.receiver ?? null,
    ...stages.amountsToSign,
    validTo: quote.validTo,
    feeAmount: 0n,
    kind: request.kind,
    partiallyFillable: request.partiallyFillable ?? false,
    sellTokenBalance: request.sellTokenBalance ?? "erc20",
    buyTokenBalance: request.buyTokenBalance ?? "erc20",
  };
}

async function requestContractSignature(
  order: SignableOrder,
  { book, signingScheme, options }: {
    book: OrderBook;
    signingScheme: Scheme;
    options: PlaceOrderOptions;
  },
): Promise<{ signature?: string }> {
  const { contractSignature } = options;
  if (signingScheme !== "eip1271" || contractSignature === undefined) return {};
  return { signature: await contractSignature(order, orderDigest(book.domain, order)) };
}

/** Creates the order; returns its UID even if the response is lost but the order exists. */
async function create(
  book: OrderBook,
  creation: OrderCreation,
  call: CallOptions,
): Promise<string> {
  try {
    return await book.createOrder(creation, call);
  } catch (error) {
    if (error instanceof UnconfirmedOrderError && error.exists === true) return error.uid;
    throw error;
  }
}

/**
 * Rejects a quote that no order should be placed with.
 *
 * @throws {InputError} If it is for another trade than requested, or valid for longer; if it is
 *   `fast`, unverified or expired and that is not allowed.
 */
function checkQuote(
  answer: QuoteResponse,
  options: { request: TradeRequest; from: string; allow: readonly QuoteFault[]; nowMs: number },
): void {
  const { request, from, allow, nowMs } = options;
  const { quote } = answer;
  const [size, amount] = readSize(request);
  const pairs = [
    ["sellToken", quote.sellToken, request.sellToken],
    ["buyToken", quote.buyToken, request.buyToken],
    ["kind", quote.kind, request.kind],
    [size, `${readQuotedSize(answer, size)}`, `${amount}`],
    ["trader", answer.from, from],
    ["receiver", quote.receiver, request.receiver],
  ] as const;
  for (const [field, quoted, requested] of pairs) {
    if (quoted == null || requested == null || sameHex(quoted, requested)) continue;
    throw new InputError(`Cannot place an order with a quote for another ${field}`, {
      facts: { quoted, requested },
      remedy: "Request a quote for exactly this trade",
    });
  }
  checkValidity(quote.validTo, request, nowMs);

  const isFast = request.priceQuality === "fast" || answer.id == null;
  if (isFast && !allow.includes("fast")) throw createFastQuoteError("it has no id");
  if (answer.verified !== true && !allow.includes("unverified")) {
    const description = answer.verified === undefined
      ? "a quote that does not say whether it is verified"
      : "an unverified quote";
    throw new InputError(`Cannot place an order with ${description}`, {
      facts: { id: answer.id ?? "none" },
      remedy:
        'Check that the account holds and has approved the sell token, or pass { allow: ["unverified"] }',
    });
  }
  if (answer.expiration.epochMilliseconds <= nowMs && !allow.includes("expired")) {
    throw new InputError("Cannot place an order with an expired quote", {
      facts: { expiration: formatInstant(answer.expiration) },
      remedy: 'Request a new quote, or pass { allow: ["expired"] }',
    });
  }
}

function readQuotedSize({ quote }: QuoteResponse, field: SizeField): bigint {
  if (field === "buyAmountAfterFee") return quote.buyAmount;
  return field === "sellAmountBeforeFee" ? quote.sellAmount + quote.feeAmount : quote.sellAmount;
}

/** Default validity of an order, in seconds; the same as the service's. */
const DEFAULT_SEC = 1_800;
/**
 * Tolerance for the clock of the service, which dates a quote, in seconds.
 */
const CLOCK_TOLERANCE_SEC = 60;
/** 2^32 - 1: an order's expiry has 32 bits. */
const MAX_VALID_TO = 0xffff_ffff;

/**
 * Chooses the expiry to sign, in unix seconds: the caller's `validTo`, or `validFor` seconds from now by
 * the caller's clock, or 30 minutes from now.
 *
 * @throws {InputError} If both are given, or one is out of range.
 */
function chooseValidTo({ validTo, validFor }: QuoteValidity, nowMs: number): number {
  if (validTo != null && validFor != null) {
    throw new InputError("Cannot place an order with both validTo and validFor", {
      facts: { validTo, validFor },
      remedy: "Pass one of them: validTo in unix seconds, or validFor in seconds from now",
    });
  }
  const nowSec = Math.floor(nowMs / 1_000);
  checkOptions(
    { validTo: validTo ?? undefined, validFor: validFor ?? undefined },
    { validTo: wholeNumber(0, MAX_VALID_TO), validFor: wholeNumber(1, MAX_VALID_TO - nowSec) },
    "Cannot place an order",
  );
  return validTo ?? nowSec + (validFor ?? DEFAULT_SEC);
}

/**
 * Rejects an earlier quote whose validity differs from the order's: another `validTo` than the
 * caller's, or a longer validity than `validFor` from now on. The latter has a tolerance of one
 * minute, since the quote was dated by the clock of the service.
 *
 * @throws {InputError} If the validity differs.
 */
function checkValidity(quoted: number, request: QuoteValidity, nowMs: number): void {
  const latest = chooseValidTo(request, nowMs);
  const isRequested = request.validTo == null
    ? quoted <= latest + CLOCK_TOLERANCE_SEC
    : quoted === latest;
  if (isRequested) return;
  throw new InputError("Cannot place an order with a quote for another validTo", {
    facts: { quoted, requested: request.validTo == null ? `at most ${latest}` : latest },
    remedy:
      "Request a quote for exactly this trade, or pass the validTo that the order should have",
  });
}
