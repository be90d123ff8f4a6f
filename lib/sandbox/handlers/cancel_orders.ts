import { cancellationDigest, recoverCancellationsSigner } from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { listOf, readUid } from "../wire/loose_values.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import { cancelOrder } from "../market/traders/cancel_order.ts";
import type { Market } from "../market/state/market.ts";
import { required } from "../wire/field.ts";
import { Fields } from "../wire/fields.ts";
import { isEcdsa, readSignature } from "../wire/read_order_creation.ts";
import { recoverOrReject } from "../wire/recover_or_reject.ts";
import { empty, json, Rejection, rejection, type Reply } from "../wire/reply.ts";

/** Maximum number of orders per cancellation request. */
const MAX_ORDERS = 128;
const MALFORMED = "Malformed signature";

interface Signed {
  readonly signature: string;
  readonly signingScheme: string;
}

/** `DELETE orders`: cancels several orders of one owner, by a signature over the list. */
export async function cancelOrders(market: Market, body: string): Promise<Reply> {
  const { orderUids, ...signed } = withEmptyRejection(() => readCancellations(body));
  if (orderUids.length > MAX_ORDERS) throw rejection(500, "InternalServerError", "");
  const orders = new Set(orderUids.map((uid) => cancellableOrder(market, uid)));
  const signer = await recoverOrReject(
    () => recoverCancellationsSigner(market.domain, { orderUids, ...signed }),
    MALFORMED,
  );
  return cancelAll(market, { orders, signer });
}

/** `DELETE orders/{uid}`: cancels one order, by a signature over its UID. */
export async function cancelOneOrder(
  market: Market,
  { uid, body }: { uid: string; body: string },
): Promise<Reply> {
  const signed = withEmptyRejection(() => readEcdsa(new Fields(body, "CancellationPayload")));
  const orders = new Set([cancellableOrder(market, uid)]);
  const signer = await recoverOrReject(
    () => recoverSigner(cancellationDigest(market.domain, uid), signed),
    MALFORMED,
  );
  return cancelAll(market, { orders, signer });
}

function readCancellations(body: string): Signed & { orderUids: string[] } {
  const fields = new Fields(body, "SignedOrderCancellations");
  const { orderUids } = fields.all({
    orderUids: required(listOf(readUid)),
  });
  return { orderUids, ...readEcdsa(fields) };
}

function readEcdsa(fields: Fields): Signed {
  const signed = readSignature(fields);
  if (!isEcdsa(signed.signingScheme)) throw fields.rejection("unknown variant");
  return signed;
}

/** The service answers a malformed cancellation with an empty 400. */
function withEmptyRejection<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Rejection ? new Rejection(empty(400)) : error;
  }
}

/**
 * An order that its owner can cancel with an off-chain signature.
 *
 * @throws {Rejection} 400 or 404 with a type.
 */
export function cancellableOrder(market: Market, uid: string): BookOrder {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "OrderNotFound", "Order not located in database");
  switch (order.statusAt(market.time.instant)) {
    case "cancelled":
      throw rejection(400, "AlreadyCancelled", "Order is already cancelled");
    case "fulfilled":
      throw rejection(400, "OrderFullyExecuted", "Order is fully executed");
    case "expired":
      throw rejection(400, "OrderExpired", "Order is expired");
  }
  if (isEcdsa(order.signed.signingScheme)) return order;
  throw rejection(400, "OnChainOrder", "On-chain orders must be cancelled on-chain");
}

function cancelAll(
  market: Market,
  { orders, signer }: { orders: ReadonlySet<BookOrder>; signer: string },
): Reply {
  for (const { owner } of orders) {
    if (owner !== signer) {
      throw rejection(401, "WrongOwner", "Signature recovery's owner doesn't match order's");
    }
  }
  // An auction may have run while the signature was recoverOrReject.
  for (const { uid } of orders) cancellableOrder(market, uid);
  for (const order of orders) cancelOrder(market, order);
  return json("Cancelled");
}
