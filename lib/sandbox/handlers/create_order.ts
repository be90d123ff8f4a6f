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
import { issuedQuote, placeOrder, quoteForOrder } from "../market/traders.ts";
import { pageOf, readList } from "../wire/fields.ts";
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
import { netAmounts } from "./quote.ts";
import { cancellableOrder } from "./simulate_order.ts";

/** `POST orders`: runs the checks in the service's sequence, then adds the order to the book. */
export async function createOrder(
  market: Market,
  { body, limits }: { body: string; limits: SandboxLimits },
): Promise<Reply> {
  const read = readOrderCreation(body);
  const document = documentOf(market, read);
  const { replacedOrder } = document;
  if (replacedOrder !== null) cancellableOrder(market, replacedOrder);
  const signed: SignedOrder = { ...read.terms, appData: document.hash };
  const digest = orderDigest(market.domain, signed);
  const owner = await checkSigner(market, { read, digest, namedSigner: document.signer });
  if (signed.feeAmount !== 0n) throw badRequest("NonZeroFee", "Fee must be zero");
  if (signed.sellAmount === 0n || signed.buyAmount === 0n) {
    throw badRequest("ZeroAmount", "Buy or sell amount is zero.");
  }
  checkTerms(market, { ...signed, owner });
  checkFunds(market, signed, { owner, requiresFullBalance: read.fullBalanceCheck });
  const quote = quoteForOrder(market, signed, read.quoteId);
  if (quote !== null) {
    checkQuoted(market, { signed, owner, quote }, { ...limits, hookGas: document.hookGas });
  }
  const replaced = replacedOrder === null ? null : cancellableOrder(market, replacedOrder);
  if (replaced !== null) checkReplacement(market, { replaced, signed, owner });
  const uid = packOrderUid({ digest, owner, validTo: signed.validTo });
  if (market.book.orders.has(uid)) {
    throw badRequest("DuplicatedOrder", "order already exists");
  }
  const issued = document.enableFastPath ? issuedQuote(market, signed, read.quoteId) : null;
  if (issued !== null) checkFastLimit(signed, issued, document.hookGas);
  const placed = placeOrder(market, { signed, uid, owner, document, quote });
  placed.validFrom = document.enableFastPath ? market.time.seconds : document.validFrom;
  if (issued !== null && issued.auctionId !== null) {
    takeFastPath(market, placed, { ...issued, auctionId: issued.auctionId });
  }
  if (replaced !== null) market.cancel(replaced);
  return json(uid, 201);
}

function documentOf(market: Market, { appData }: ParsedOrder) {
  if (appData.kind === "document") {
    const checked = checkDocument(appData.document, appData.expected, market.hasFastPath);
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
  const held = market.ledger.balanceOf(owner, sellToken);
  if (held < (requiresFullBalance ? sellAmount : 1n)) {
    throw badRequest(
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
}

/**
 * Checks that the solver of a quote can keep to an order's limit: the amounts of the quote, at most.
 *
 * @throws {Rejection} 400 with a type.
 */
function checkFastLimit(signed: SignedOrder, { gross }: IssuedQuote, extraGas: number): void {
  const { sellAmount, feeAmount, buyAmount } = netAmounts(gross, { kind: signed.kind, extraGas });
  const fits = signed.kind === "sell"
    ? signed.buyAmount <= buyAmount
    : signed.sellAmount >= sellAmount + feeAmount;
  if (fits) return;
  throw badRequest(
    "FastPathLimitTooTight",
    "the limit price leaves no room for the fees of the quote",
  );
}

/** Number of latest auctions in which a bid on an order prevents its replacement. */
const AUCTIONS = 5;

/**
 * Checks that an order may replace another.
 *
 * @throws {Rejection} 400 or 401 with a type.
 */
function checkReplacement(
  market: Market,
  { replaced, signed, owner }: { replaced: BookOrder; signed: SignedOrder; owner: string },
): void {
  if (!isEcdsa(signed.signingScheme)) {
    throw badRequest("InvalidSignature", "Malformed signature");
  }
  if (replaced.owner !== owner) {
    throw rejection(401, "WrongOwner", "Old and new orders have different signers");
  }
  const isBidOn = [...market.book.auctions.values()].slice(-AUCTIONS).some(({ competition }) =>
    competition.solutions.some(({ orders }) => orders.some(({ id }) => id === replaced.uid))
  );
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
  { signed, owner, quote }: { signed: SignedOrder; owner: string; quote: OrderQuote },
  { openLimitOrders, hookGas }: { openLimitOrders?: number; hookGas: number },
): void {
  const isOneMore = openLimitOrders !== undefined && isOutOfMarket(signed, quote);
  if (isOneMore && openOutOfMarket(market, owner) >= openLimitOrders) {
    throw badRequest("TooManyLimitOrders", "Too many limit orders");
  }
  if (quote.gasAmount.toNumber() + hookGas > MAX_GAS) {
    throw badRequest("TooMuchGas", "Executing order requires too many gas units");
  }
}

function openOutOfMarket(market: Market, owner: string): number {
  const now = market.time.instant;
  let count = 0;
  for (const order of market.book.ordersByOwner.get(owner) ?? []) {
    const { quote } = order.origin;
    if (quote === null || order.statusAt(now) !== "open") continue;
    if (isOutOfMarket(order.signed, quote)) count++;
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
  { read: { terms, from }, digest, namedSigner }: {
    read: ParsedOrder;
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

/** The JSON of an order. */
function orderBody(market: Market, order: BookOrder): unknown {
  return encodeOrder(
    order.toRecord({ now: market.time.instant, settlementContract: SETTLEMENT_CONTRACT }),
  );
}

/** `GET orders/{uid}`. */
export function getOrder(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "Order was not found");
  return json(orderBody(market, order));
}

/** `POST orders/by_uids`. */
export function getOrdersByUids(market: Market, body: string): Reply {
  const uids = readList(body, readUid);
  if (uids.length > MAX_UIDS) {
    throw badText(`Request exceeds maximum number of order UIDs of ${MAX_UIDS}`);
  }
  const found = [...new Set(uids)].map((uid) => market.book.orders.get(uid))
    .filter((order) => order !== undefined);
  return json(found.map((order) => ({ order: orderBody(market, order) })));
}

/** `GET account/{owner}/orders`: newest first. */
export function getAccountOrders(
  market: Market,
  { owner, query }: { owner: string; query: URLSearchParams },
): Reply {
  const orders = market.book.ordersByOwner.get(owner) ?? [];
  const page = pageOf(orders, query, [
    "LIMIT_OUT_OF_BOUNDS",
    "The pagination limit is [1,1000].",
  ]);
  return json(page.map((order) => orderBody(market, order)));
}

/** `GET transactions/{hash}/orders`. */
export function getTransactionOrders(market: Market, hash: string): Reply {
  const fills = market.book.fillsByTransaction.get(hash) ?? [];
  return json(fills.map(({ uid }) => orderBody(market, market.book.orders.get(uid)!)));
}

/** `GET orders/{uid}/status`. */
export function getOrderStatus(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "order status not found");
  const type = order.stage;
  const auction = auctionOf(market, order, type);
  const value = auction?.competition.solutions.map(({ solverAddress, orders }) => {
    const own = orders.find(({ id }) => id === uid);
    const executedAmounts = own === undefined ? null : { sell: own.sellAmount, buy: own.buyAmount };
    return { solver: solverAddress, executedAmounts };
  });
  return json(encodeOrderStatus(value === undefined ? { type } : { type, value }));
}

/** The auction of a stage: that of the first fill, or the latest one with the order. */
function auctionOf(market: Market, order: BookOrder, type: string): StoredAuction | undefined {
  const { auctions, auctionsByOrder } = market.book;
  if (type === "traded") return auctions.get(order.fills[0]!.auctionId);
  if (type !== "solved" && type !== "executing") return undefined;
  const latest = auctionsByOrder.get(order.uid)?.at(-1);
  return latest === undefined ? undefined : auctions.get(latest);
}
