import { InputError, UnconfirmedOrderError } from "../errors/mod.ts";
import {
  callable,
  checkOptions,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../errors/option_rules.ts";
import { orderDigest, type SignableOrder } from "../evm/orders/order_digest.ts";
import type { OrderSigner } from "../evm/signing/order_signer.ts";
import { signOrder } from "../evm/signing/sign_order.ts";
import { signerAddress } from "../evm/signing/request_signature.ts";
import { type QuoteStages, quoteStages } from "../metrics/quotes/quote_stages.ts";
import { ATOMS, BPS } from "../metrics/option_kinds.ts";
import type { OrderCreation, QuoteRequest, QuoteResponse } from "../schemas/mod.ts";
import { orAborted } from "../http/requests/or_aborted.ts";
import { sameHex } from "../units/mod.ts";
import { type AppDataOfTrade, appDataOfTrade, registerUnknown } from "./app_data_of_trade.ts";
import { checkQuote } from "./check_quote.ts";
import { checkRequest, FAULTS, type QuoteFault } from "./check_request.ts";
import { validToOf } from "./order_validity.ts";
import type { OrderBook } from "./order_book.ts";
import { PlacedOrder } from "./placed_order.ts";
import { checkBounds, checkPrice, type PriceBounds } from "./price_guard.ts";
import type { TradeRequest } from "./trade_request.ts";

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
  readonly contractSignature?: (
    order: SignableOrder,
    digest: string,
  ) => string | Promise<string>;
}

const OPTIONS: OptionRules<PlaceOrderOptions> = {
  signal: SIGNAL,
  slippageBps: BPS,
  partnerFeeBps: BPS,
  minBuyAmount: ATOMS,
  maxSellAmount: ATOMS,
  minQuoteValueBps: wholeFrom(0, 10_000),
  quote: rule("the answer of `book.quote`", (value) => typeof value === "object" && value !== null),
  allow: rule(
    "an array of expired, unverified, fast",
    (value) => Array.isArray(value) && value.every((fault) => FAULTS.includes(fault)),
  ),
  contractSignature: callable(),
};

const SLIPPAGE_BPS = 50;
const SCHEMES = ["eip712", "ethsign", "presign", "eip1271"] as const;
type Scheme = typeof SCHEMES[number];

/**
 * Trades: requests a verified quote, deducts slippage tolerance and partner fee, signs, and places
 * the order.
 *
 * Only the caller's terms are signed. A validity in seconds is converted to an expiry by the clock
 * of the book, 30 minutes from now by default, and requested as such; an answer with another expiry
 * is rejected. `partiallyFillable` is `false` unless the request sets it. An earlier quote may be
 * valid from now on for as long as the request says, plus one minute, since the service dated it.
 *
 * `minBuyAmount` and `maxSellAmount` bound the price. Native prices of the service come from the same
 * source as the quote, so your own bounds are required, unless you pass `minQuoteValueBps`, or the
 * trade is of at most 0.1 native tokens: then the signed buy amount must be worth that part of the
 * signed sell amount at native prices, 80% by default, and a token without one is rejected.
 *
 * The amounts to sign are those of {@linkcode quoteStages}; `stages` of the result holds them, and
 * whether the quote was signed unchanged. App data is passed as a document's text, which is
 * registered if the service does not have it, or as the hash of a registered document. No order is
 * sent twice: if its answer is lost or names another UID, it is looked up by its own UID.
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
 * @throws {UnconfirmedOrderError} If there is no usable answer and the order was not found; holds the
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
  const call = signal === undefined ? {} : { signal };
  const signingScheme = schemeOf(request, options);
  checkRequest(request, allow);
  checkBounds(request, options);
  const validTo = validToOf(request, book.clock.now());
  const from = await untilAborted(
    signerAddress(account, { from: request.from, what: "the order" }),
    signal,
  );
  const appData = await appDataOfTrade(book, request.appData, { from, ...call });

  if (request.appDataHash != null && !sameHex(request.appDataHash, appData.hash)) {
    throw new InputError("Cannot place an order with the appDataHash of another document", {
      facts: { given: request.appDataHash, hash: appData.hash },
      remedy: "Omit appDataHash: it is computed from appData",
    });
  }
  const quoteTerms = quoteRequest(request, { from, validTo, appData });
  const answer = options.quote ?? await book.quote(quoteTerms, call);
  checkQuote(answer, { request, from, allow, nowMs: book.clock.now() });
  const stages = quoteStages(answer, {
    slippageBps: options.slippageBps ?? appData.slippageBps ?? SLIPPAGE_BPS,
    partnerFeeBps: options.partnerFeeBps ?? appData.partnerFeeBps,
  });
  await checkPrice(book, { request, limit: stages.amountsToSign, bounds: options }, call);
  const terms = termsOf(request, { answer, stages });
  const signed = { ...terms, appData: appData.hash };
  const contractSignature = await untilAborted(
    contractSignatureOf(signed, { book, signingScheme, options }),
    signal,
  );
  const signing = { signingScheme, from, ...contractSignature };
  const signature = await untilAborted(signOrder(account, book.domain, signed, signing), signal);

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

/** A wallet may never answer. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return await (signal === undefined ? promise : orAborted(promise, signal));
}

function schemeOf(
  { signingScheme = "eip712" }: TradeRequest,
  { contractSignature }: PlaceOrderOptions,
): Scheme {
  if (!isScheme(signingScheme)) {
    throw new InputError(
      `Cannot place an order with the signing scheme ${JSON.stringify(signingScheme)}`,
      {
        remedy: `Use one of ${SCHEMES.join(", ")}`,
      },
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
 * The quote request: the trade with exactly the expiry and app data that will be signed, so that an
 * answer with other values is detected.
 */
function quoteRequest(
  { validFor: _, ...request }: TradeRequest,
  { from, validTo, appData }: { from: string; validTo: number; appData: AppDataOfTrade },
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

/** The order to sign, without app data: the caller's terms and the checked expiry. */
function termsOf(
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

async function contractSignatureOf(
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

/** Creates the order; returns its UID even if the answer is lost but the order exists. */
async function create(
  book: OrderBook,
  creation: OrderCreation,
  call: { signal?: AbortSignal },
): Promise<string> {
  try {
    return await book.createOrder(creation, call);
  } catch (error) {
    if (error instanceof UnconfirmedOrderError && error.exists === true) return error.uid;
    throw error;
  }
}
