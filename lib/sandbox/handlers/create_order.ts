import { orderDigest, packOrderUid } from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/orders/request_signature.ts";
import { marketPosition, type OrderLimit } from "../../metrics/mod.ts";
import { encodeOrder, encodeOrderStatus, type OrderQuote } from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/book.ts";
import type { BookOrder } from "../market/book_order.ts";
import {
  checkDocument,
  isEcdsa,
  type ParsedOrder,
  readOrderCreation,
  type SignedOrder,
} from "../wire/read_bodies.ts";
import { takeFastPath } from "../market/hold_auction.ts";
import { SETTLEMENT_CONTRACT } from "../market/ledger.ts";
import type { IssuedQuote, Market } from "../market/market.ts";
import { findIssuedQuote, placeOrder, quoteForOrder } from "../market/traders.ts";
import { readList, slicePage } from "../wire/fields.ts";
import { readUid } from "../wire/loose_values.ts";
import {
  badRequest,
  badText,
  json,
  recoverOrReject,
  rejection,
  type Reply,
} from "../wire/reply.ts";
import { checkTerms, type SandboxLimits } from "./terms.ts";
import { applyFees } from "./quote.ts";
import { requireCancellable } from "./simulate_order.ts";

/** `POST orders`: runs the checks in the service's sequence, then adds the order to the book. */
export async function createOrder(
  market: Market,
  { body, limits }: { body: string; limits: SandboxLimits },
): Promise<Reply> {
  const request = readOrderCreation(body);
  const document = resolveDocument(market, request);
  const { replacedOrder } = document;
  if (replacedOrder !== null) requireCancellable(market, replacedOrder);
  const order: SignedOrder = { ...request.terms, appData: document.hash };
  const digest = orderDigest(market.domain, order);
  const owner = await checkSigner(market, { request, digest, namedSigner: document.signer });
  if (order.feeAmount !== 0n) throw badRequest("NonZeroFee", "Fee must be zero");
  if (order.sellAmount === 0n || order.buyAmount === 0n) {
    throw badRequest("ZeroAmount", "Buy or sell amount is zero.");
  }
  checkTerms(market, { ...order, owner });
  checkFunds(market, order, { owner, requiresFullBalance: request.fullBalanceCheck });
  const quote = quoteForOrder(market, order, request.quoteId);
  if (quote !== null) {
    checkQuoted(market, { order, owner, quote }, { ...limits, hookGas: document.hookGas });
  }
  const replaced = replacedOrder === null ? null : requireCancellable(market, replacedOrder);
  if (replaced !== null) checkReplacement(market, { replaced, order, owner });
  const uid = packOrderUid({ digest, owner, validTo: order.validTo });
  if (market.book.orders.has(uid)) {
    throw badRequest("DuplicatedOrder", "order already exists");
  }
  const issuedQuote = document.enableFastPath
    ? findIssuedQuote(market, order, request.quoteId)
    : null;
  if (issuedQuote !== null) checkFastLimit(order, issuedQuote, document.hookGas);
  const bookOrder = placeOrder(market, { data: order, uid, owner, document, quote });
  bookOrder.validFrom = document.enableFastPath ? market.time.seconds : document.validFrom;
  if (issuedQuote !== null && issuedQuote.auctionId !== null) {
    takeFastPath(market, bookOrder, { ...issuedQuote, auctionId: issuedQuote.auctionId });
  }
  if (replaced !== null) market.cancel(replaced);
  return json(uid, 201);
}

function resolveDocument(market: Market, { appData }: ParsedOrder) {
  if (appData.kind === "document") {
    const checked = checkDocument(appData.document, appData.expectedHash, market.hasFastPath);
    return { ...checked, text: appData.document };
  }
  const { hash } = appData;
  const text = market.book.documents.get(hash);
  if (text === undefined) {
    throw badRequest("InvalidAppData", `Unknown pre-image for app data hash ${hash}`);
  }
  return { ...checkDocument(text, null, market.hasFastPath), hash, text };
}

/**
 * Checks that an owner holds at least one atom, or the whole sell amount if the order requires it.
 *
 * Each order is checked on its own; other open orders do not count. A pre-signed order may be placed
 * before its funds arrive, because the same transaction can sign it.
 *
 * @throws {Rejection} 400 with a type.
 */
function checkFunds(
  market: Market,
  { sellToken, sellAmount, signingScheme }: SignedOrder,
  { owner, requiresFullBalance }: { owner: string; requiresFullBalance: boolean },
): void {
  if (signingScheme === "presign") return;
  if (!market.isToken(sellToken)) {
    throw badRequest("TransferSimulationFailed", "sell token cannot be transferred");
  }
  const balance = market.ledger.balanceOf(owner, sellToken);
  if (balance < (requiresFullBalance ? sellAmount : 1n)) {
    throw badRequest(
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
}

/**
 * Checks that the solver of a quote can meet an order's limit: the amounts of the quote, at most.
 *
 * @throws {Rejection} 400 with a type.
 */
function checkFastLimit(order: SignedOrder, { gross }: IssuedQuote, extraGas: number): void {
  const { sellAmount, feeAmount, buyAmount } = applyFees(gross, { kind: order.kind, extraGas });
  const fits = order.kind === "sell"
    ? order.buyAmount <= buyAmount
    : order.sellAmount >= sellAmount + feeAmount;
  if (fits) return;
  throw badRequest(
    "FastPathLimitTooTight",
    "the limit price leaves no room for the fees of the quote",
  );
}

/** Number of latest auctions in which a bid on an order prevents its replacement. */
const RECENT_AUCTIONS = 5;

/**
 * Checks that an order may replace another.
 *
 * @throws {Rejection} 400 or 401 with a type.
 */
function checkReplacement(
  market: Market,
  { replaced, order, owner }: { replaced: BookOrder; order: SignedOrder; owner: string },
): void {
  if (!isEcdsa(order.signingScheme)) {
    throw badRequest("InvalidSignature", "Malformed signature");
  }
  if (replaced.owner !== owner) {
    throw rejection(401, "WrongOwner", "Old and new orders have different signers");
  }
  const isBidOn = [...market.book.auctions.values()].slice(-RECENT_AUCTIONS).some((
    { competition },
  ) => competition.solutions.some(({ orders }) => orders.some(({ id }) => id === replaced.uid)));
  if (isBidOn) {
    throw badRequest(
      "OldOrderActivelyBidOn",
      // The service's spelling.
      "The old order is actively beign bid on in recent auctions",
    );
  }
}

/** Maximum gas to settle one order. */
const MAX_GAS = 8_000_000;

/**
 * Checks an order against its quote: the number of its owner's open out-of-market orders, and the
 * gas including hooks.
 *
 * @throws {Rejection} 400 with a type.
 */
function checkQuoted(
  market: Market,
  { order, owner, quote }: { order: SignedOrder; owner: string; quote: OrderQuote },
  { openLimitOrders, hookGas }: { openLimitOrders?: number; hookGas: number },
): void {
  const isOneMore = openLimitOrders !== undefined && isOutOfMarket(order, quote);
  if (isOneMore && countOpenOutOfMarket(market, owner) >= openLimitOrders) {
    throw badRequest("TooManyLimitOrders", "Too many limit orders");
  }
  if (quote.gasAmount.toNumber() + hookGas > MAX_GAS) {
    throw badRequest("TooMuchGas", "Executing order requires too many gas units");
  }
}

function countOpenOutOfMarket(market: Market, owner: string): number {
  const now = market.time.instant;
  let count = 0;
  for (const order of market.book.ordersByOwner.get(owner) ?? []) {
    const { quote } = order.origin;
    if (quote === null || order.resolveStatus(now) !== "open") continue;
    if (isOutOfMarket(order.data, quote)) count++;
  }
  return count;
}

function isOutOfMarket(order: OrderLimit, quote: OrderQuote): boolean {
  return marketPosition(order, quote).position === "out_of_market";
}

/**
 * Determines who signed an order.
 *
 * @throws {Rejection} 400 with a type, if the signature is invalid or another account's.
 */
async function checkSigner(
  market: Market,
  { request: { terms, from }, digest, namedSigner }: {
    request: ParsedOrder;
    digest: string;
    namedSigner: string | null;
  },
): Promise<string> {
  const signer = isEcdsa(terms.signingScheme)
    ? await recoverOrReject(() => recoverSigner(digest, terms), "invalid signature")
    : undefined;
  if (from !== null && namedSigner !== null && from !== namedSigner) {
    throw badRequest(
      "AppdataFromMismatch",
      `from address ${from} cannot be different from metadata.signer ${namedSigner} specified in the app data`,
    );
  }
  const claimed = from ?? namedSigner ?? signer;
  if (claimed === undefined) {
    throw badRequest("MissingFrom", "From address must be specified for on-chain signature");
  }
  if (signer !== undefined && signer !== claimed) {
    throw badRequest(
      "WrongOwner",
      `recovered signer ${signer} from signing hash ${digest} does not match from address`,
    );
  }
  const { signingScheme, signature } = terms;
  const isAccepted = signingScheme !== "eip1271" ||
    await market.isSignedBy(claimed, { digest, signature });
  if (isAccepted) return claimed;
  throw badRequest(
    "InvalidEip1271Signature",
    `signature for computed order hash ${digest} is not valid`,
  );
}

/** Maximum number of UIDs per request. */
const MAX_UIDS = 128;

/** Encodes an order as JSON. */
function encodeBookOrder(market: Market, order: BookOrder): unknown {
  return encodeOrder(
    order.toRecord({ now: market.time.instant, settlementContract: SETTLEMENT_CONTRACT }),
  );
}

/** `GET orders/{uid}`. */
export function getOrder(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "Order was not found");
  return json(encodeBookOrder(market, order));
}

/** `POST orders/by_uids`. */
export function getOrdersByUids(market: Market, body: string): Reply {
  const uids = readList(body, readUid);
  if (uids.length > MAX_UIDS) {
    throw badText(`Request exceeds maximum number of order UIDs of ${MAX_UIDS}`);
  }
  const orders = [...new Set(uids)].map((uid) => market.book.orders.get(uid))
    .filter((order) => order !== undefined);
  return json(orders.map((order) => ({ order: encodeBookOrder(market, order) })));
}

/** `GET account/{owner}/orders`: newest first. */
export function getAccountOrders(
  market: Market,
  { owner, query }: { owner: string; query: URLSearchParams },
): Reply {
  const orders = market.book.ordersByOwner.get(owner) ?? [];
  const page = slicePage(orders, query, [
    "LIMIT_OUT_OF_BOUNDS",
    "The pagination limit is [1,1000].",
  ]);
  return json(page.map((order) => encodeBookOrder(market, order)));
}

/** `GET transactions/{hash}/orders`. */
export function getTransactionOrders(market: Market, hash: string): Reply {
  const fills = market.book.fillsByTransaction.get(hash) ?? [];
  return json(fills.map(({ uid }) => encodeBookOrder(market, market.book.orders.get(uid)!)));
}

/** `GET orders/{uid}/status`. */
export function getOrderStatus(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "order status not found");
  const type = order.stage;
  const auction = findStageAuction(market, order, type);
  const value = auction?.competition.solutions.map(({ solverAddress, orders }) => {
    const execution = orders.find(({ id }) => id === uid);
    const executedAmounts = execution === undefined
      ? null
      : { sell: execution.sellAmount, buy: execution.buyAmount };
    return { solver: solverAddress, executedAmounts };
  });
  return json(encodeOrderStatus(value === undefined ? { type } : { type, value }));
}

/** Finds the auction of a stage: that of the first fill, or the latest one with the order. */
function findStageAuction(
  market: Market,
  order: BookOrder,
  type: string,
): StoredAuction | undefined {
  const { auctions, auctionsByOrder } = market.book;
  if (type === "traded") return auctions.get(order.fills[0]!.auctionId);
  if (type !== "solved" && type !== "executing") return undefined;
  const latest = auctionsByOrder.get(order.uid)?.at(-1);
  return latest === undefined ? undefined : auctions.get(latest);
}
