import { InputError, UnconfirmedOrderError } from "../errors/mod.ts";
import { orderDigest, type OrderSigner, type SignableOrder, signOrder } from "../evm/mod.ts";
import { signerAddress } from "../evm/request_signature.ts";
import { type QuoteStages, quoteStages } from "../metrics/mod.ts";
import type { OrderCreation, QuoteRequest, QuoteResponse } from "../schemas/mod.ts";
import { appDataOfTrade, registerUnknown } from "./app_data_of_trade.ts";
import { checkQuote, checkRequest, type QuoteFault } from "./check_quote.ts";
import type { OrderBook } from "./order_book.ts";
import { PlacedOrder } from "./placed_order.ts";
import type { TradeRequest } from "./trade_request.ts";

/** What may differ from the usual way of {@linkcode placeOrder}. */
export interface PlaceOrderOptions {
  /** Ends the requests; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Tolerance, in basis points; with 0, and no partner fee, the quote is signed unchanged.
   *
   * @default {that of the app data document, else 50}
   */
  readonly slippageBps?: number | string;
  /**
   * Volume fee of the partner that the limit leaves room for, in basis points.
   *
   * @default {the sum of the volume fees in the app data document}
   */
  readonly partnerFeeBps?: number | string;
  /** A quote that was asked for before; without it one is asked for. */
  readonly quote?: QuoteResponse;
  /** Faults of a quote to let pass. @default {none} */
  readonly allow?: readonly QuoteFault[];
  /** Makes the signature of an `eip1271` order: the bytes that the owner's contract takes. */
  readonly contractSignature?: (
    order: SignableOrder,
    digest: string,
  ) => string | Promise<string>;
}

const SLIPPAGE_BPS = 50;
const SCHEMES = ["eip712", "ethsign", "presign", "eip1271"] as const;
type Scheme = typeof SCHEMES[number];

/**
 * Trades: asks for a verified quote, takes off the client's tolerance and partner fee, signs, and
 * places the order.
 *
 * The amounts to sign are those of {@linkcode quoteStages}; `stages` of what is given tells them, and
 * whether the quote is signed unchanged. App data is given as a document's text, which is registered
 * where the service does not know it, or as the hash of one that it knows. No order is sent twice: when
 * the answer to it is lost, it is looked up by its UID.
 *
 * @param book Where to trade; its domain is what is signed in.
 * @param account An account or a wallet client of viem, a wallet (EIP-1193), or an `{ address }` for
 *   `presign` and `eip1271` orders.
 * @param request What to trade, as for `book.quote`; `from` is the account, and `priceQuality` is
 *   `verified` unless it says otherwise.
 * @param options Tolerance, partner fee, a quote at hand, and which of its faults to let pass.
 * @returns A handle to watch, verify and cancel the order.
 * @throws {InputError} If the quote is of another trade, or `fast`, unverified or expired and that is
 *   not allowed; if the account cannot or will not sign; if the app data cannot be read.
 * @throws {ServiceError} If the service refuses; `remedy` says what to do, as to approve the vault
 *   relayer or to ask for a new quote.
 * @throws {UnconfirmedOrderError} If no usable answer came and the order was not found; it has the UID.
 * @example An order from its quote to its fill, on an order book in the process
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
 * });
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
  const { signal, allow = [] } = options;
  const call = signal === undefined ? {} : { signal };
  const signingScheme = schemeOf(request, options);
  checkRequest(request, allow);
  const from = await signerAddress(account, { from: request.from, what: "the order" });
  const appData = await appDataOfTrade(book, request.appData, { from, ...call });

  const answer = options.quote ?? await book.quote(quoteRequest(request, from), call);
  checkQuote(answer, { request, allow, nowMs: book.clock.now() });
  const stages = quoteStages(answer, {
    slippageBps: options.slippageBps ?? appData.slippageBps ?? SLIPPAGE_BPS,
    partnerFeeBps: options.partnerFeeBps ?? appData.partnerFeeBps,
  });
  const terms = termsOf(request, { answer, stages });
  const signed = { ...terms, appData: appData.hash };
  const signature = await signOrder(account, book.domain, signed, {
    signingScheme,
    from,
    ...await madeByContract(signed, { book, signingScheme, options }),
  });

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

function schemeOf(
  { signingScheme = "eip712" }: TradeRequest,
  { contractSignature }: PlaceOrderOptions,
): Scheme {
  if (!isScheme(signingScheme)) {
    throw new InputError(`Cannot place an order by the scheme ${JSON.stringify(signingScheme)}`, {
      remedy: `Use one of ${SCHEMES.join(", ")}`,
    });
  }
  if (signingScheme === "eip1271" && contractSignature === undefined) {
    throw new InputError("Cannot place an eip1271 order without its contract's signature", {
      remedy: "Pass `contractSignature`, which makes the bytes that the owner's contract takes",
    });
  }
  return signingScheme;
}

function isScheme(word: string): word is Scheme {
  return (SCHEMES as readonly string[]).includes(word);
}

function quoteRequest(request: TradeRequest, from: string): QuoteRequest {
  return { ...request, from, priceQuality: request.priceQuality ?? "verified" };
}

/** The order that is signed, but for its app data. */
function termsOf(
  request: TradeRequest,
  { answer: { quote }, stages }: { answer: QuoteResponse; stages: QuoteStages },
): Omit<OrderCreation, "appData" | "signature" | "signingScheme"> {
  return {
    sellToken: quote.sellToken,
    buyToken: quote.buyToken,
    receiver: request.receiver ?? null,
    ...stages.amountsToSign,
    validTo: quote.validTo,
    feeAmount: 0n,
    kind: quote.kind,
    partiallyFillable: request.partiallyFillable ?? quote.partiallyFillable,
    sellTokenBalance: request.sellTokenBalance ?? "erc20",
    buyTokenBalance: request.buyTokenBalance ?? "erc20",
  };
}

async function madeByContract(
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

/** The UID; also of an order whose answer was lost and that is there all the same. */
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
