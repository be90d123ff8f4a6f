import { orderDigest, packOrderUid } from "../../evm/mod.ts";
import type { BookOrder, SignedOrder } from "../market/state/book_order.ts";
import { cancelOrder } from "../market/traders/cancel_order.ts";
import { hookGas } from "../wire/check_app_data.ts";
import type { Market } from "../market/state/market.ts";
import { placeOrder, quoteForOrder } from "../market/traders/place_order.ts";
import { checkDocument, type ValidDocument } from "../wire/app_data_field.ts";
import { cancellableOrder } from "./cancel_orders.ts";
import { checkTerms } from "../rules/check_terms.ts";
import type { SandboxLimits } from "../rules/rate_limit.ts";
import { isEcdsa, type ParsedOrder, readOrderCreation } from "../wire/read_order_creation.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";
import { marketPosition, type OrderLimit } from "../../metrics/mod.ts";
import type { OrderQuote } from "../../schemas/mod.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { isSignedByContract } from "../market/settlement/is_signed_by_contract.ts";
import { recoverOrReject } from "../wire/recover_or_reject.ts";

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
  if (signed.feeAmount !== 0n) throw rejection(400, "NonZeroFee", "Fee must be zero");
  if (signed.sellAmount === 0n || signed.buyAmount === 0n) {
    throw rejection(400, "ZeroAmount", "Buy or sell amount is zero.");
  }
  checkTerms(market, { ...signed, owner });
  checkFunds(market, signed, { owner, requiresFullBalance: read.fullBalanceCheck });
  const quote = quoteForOrder(market, signed, read.quoteId);
  if (quote !== null) {
    checkQuoted(market, { signed, owner, quote }, { ...limits, hookGas: hookGas(document) });
  }
  const replaced = replacedOrder === null ? null : cancellableOrder(market, replacedOrder);
  if (replaced !== null) checkReplacement(market, { replaced, signed, owner });
  const uid = packOrderUid({ digest, owner, validTo: signed.validTo });
  if (market.book.orders.has(uid)) {
    throw rejection(400, "DuplicatedOrder", "order already exists");
  }
  placeOrder(market, { signed, uid, owner, fullAppData: document.text, quote });
  if (replaced !== null) cancelOrder(market, replaced);
  return json(uid, 201);
}

function documentOf(market: Market, { appData }: ParsedOrder): ValidDocument & { text: string } {
  if (appData.kind === "document") {
    return { ...checkDocument(appData.document, appData.expected), text: appData.document };
  }
  const { hash } = appData;
  const text = market.book.documents.get(hash);
  if (text === undefined) {
    throw rejection(400, "InvalidAppData", `Unknown pre-image for app data hash ${hash}`);
  }
  return { ...checkDocument(text, null), hash, text };
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
    throw rejection(400, "TransferSimulationFailed", "sell token cannot be transferred");
  }
  const held = market.ledger.balanceOf(owner, sellToken);
  if (held < (requiresFullBalance ? sellAmount : 1n)) {
    throw rejection(
      400,
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
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
    throw rejection(400, "InvalidSignature", "Malformed signature");
  }
  if (replaced.owner !== owner) {
    throw rejection(401, "WrongOwner", "Old and new orders have different signers");
  }
  const isBidOn = [...market.book.auctions.values()].slice(-AUCTIONS).some(({ competition }) =>
    competition.solutions.some(({ orders }) => orders.some(({ id }) => id === replaced.uid))
  );
  if (isBidOn) {
    throw rejection(
      400,
      "OldOrderActivelyBidOn",
      // The service's spelling.
      "The old order is actively beign bid on in recent auctions",
    );
  }
}

/** Maximum gas to settle one order. */
const MAX_GAS = 8_000_000;

/** An order with the quote that will be stored with it. */
interface QuotedOrder {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Its owner. */
  readonly owner: string;
  /** Its quote. */
  readonly quote: OrderQuote;
}

/**
 * Checks an order against its quote: the number of its owner's open out-of-market orders, and the
 * gas including hooks.
 *
 * @throws {Rejection} 400 with a type.
 */
function checkQuoted(
  market: Market,
  { signed, owner, quote }: QuotedOrder,
  { openLimitOrders, hookGas }: { openLimitOrders?: number; hookGas: number },
): void {
  const isOneMore = openLimitOrders !== undefined && isOutOfMarket(signed, quote);
  if (isOneMore && openOutOfMarket(market, owner) >= openLimitOrders) {
    throw rejection(400, "TooManyLimitOrders", "Too many limit orders");
  }
  if (quote.gasAmount.toNumber() + hookGas > MAX_GAS) {
    throw rejection(400, "TooMuchGas", "Executing order requires too many gas units");
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

/** A signed order with its claimed signers. */
interface SignatureClaim {
  /** The order as received. */
  readonly read: ParsedOrder;
  /** The signed digest. */
  readonly digest: string;
  /** Signer that the app data names; `null` if it names none. */
  readonly namedSigner: string | null;
}

/**
 * Determines who signed an order.
 *
 * @throws {Rejection} 400 with a type, if the signature is invalid or another account's.
 */
async function checkSigner(market: Market, claim: SignatureClaim): Promise<string> {
  const { read: { terms, from }, digest, namedSigner } = claim;
  const signer = isEcdsa(terms.signingScheme)
    ? await recoverOrReject(() => recoverSigner(digest, terms), "invalid signature")
    : undefined;
  if (from !== undefined && namedSigner !== null && from !== namedSigner) {
    throw rejection(
      400,
      "AppdataFromMismatch",
      `from address ${from} cannot be different from metadata.signer ${namedSigner} specified in the app data`,
    );
  }
  const claimed = from ?? namedSigner ?? signer;
  if (claimed === undefined) {
    throw rejection(400, "MissingFrom", "From address must be specified for on-chain signature");
  }
  if (signer !== undefined && signer !== claimed) {
    throw rejection(
      400,
      "WrongOwner",
      `recovered signer ${signer} from signing hash ${digest} does not match from address`,
    );
  }
  const { signingScheme, signature } = terms;
  if (signingScheme === "eip1271") {
    if (await isSignedByContract(market, { owner: claimed, digest, signature })) return claimed;
    throw rejection(
      400,
      "InvalidEip1271Signature",
      `signature for computed order hash ${digest} is not valid`,
    );
  }
  return claimed;
}
