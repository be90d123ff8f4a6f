import { cancellationDigest, recoverCancellationsSigner } from "../../evm/mod.ts";
import { recoverSigner } from "../../evm/signing/recover_signer.ts";
import { listOf, readUid } from "../wire/loose_values.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import { cancelOrder } from "../market/traders/cancel_order.ts";
import type { Market } from "../market/state/market.ts";
import { Fields, required } from "../wire/fields.ts";
import { isEcdsa, readSignature } from "../wire/read_order_creation.ts";
import { recovered } from "../wire/recovered.ts";
import { empty, json, refuse, Rejection, type Reply } from "../wire/reply.ts";

/** Maximum number of orders per cancellation request. */
const MOST_ORDERS = 128;
const MALFORMED = "Malformed signature";

interface Signed {
  readonly signature: string;
  readonly signingScheme: string;
}

/** `DELETE orders`: cancels orders of one owner, who signed the list. */
export async function cancelOrders(market: Market, body: string): Promise<Reply> {
  const { orderUids, ...signed } = shapeless(() => readCancellations(body));
  if (orderUids.length > MOST_ORDERS) throw refuse(500, "InternalServerError", "");
  const orders = new Set(orderUids.map((uid) => cancellableOrder(market, uid)));
  const signer = await recovered(
    () => recoverCancellationsSigner(market.domain, { orderUids, ...signed }),
    MALFORMED,
  );
  return cancelAll(market, { orders, signer });
}

/** `DELETE orders/{uid}`: cancels one order, whose owner signed its UID alone. */
export async function cancelOneOrder(
  market: Market,
  { uid, body }: { uid: string; body: string },
): Promise<Reply> {
  const signed = shapeless(() => readEcdsa(new Fields(body, "CancellationPayload")));
  const orders = new Set([cancellableOrder(market, uid)]);
  const signer = await recovered(
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
  if (!isEcdsa(signed.signingScheme)) throw fields.wrong("unknown variant");
  return signed;
}

/** The service says nothing of what is wrong with the shape of a cancellation. */
function shapeless<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Rejection ? new Rejection(empty(400)) : error;
  }
}

/**
 * An order that its owner can cancel by a signature off the chain.
 *
 * @throws {Rejection} 400 or 404 with a type.
 */
export function cancellableOrder(market: Market, uid: string): BookOrder {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw refuse(404, "OrderNotFound", "Order not located in database");
  switch (order.statusAt(market.time.instant)) {
    case "cancelled":
      throw refuse(400, "AlreadyCancelled", "Order is already cancelled");
    case "fulfilled":
      throw refuse(400, "OrderFullyExecuted", "Order is fully executed");
    case "expired":
      throw refuse(400, "OrderExpired", "Order is expired");
  }
  if (isEcdsa(order.signed.signingScheme)) return order;
  throw refuse(400, "OnChainOrder", "On-chain orders must be cancelled on-chain");
}

function cancelAll(
  market: Market,
  { orders, signer }: { orders: ReadonlySet<BookOrder>; signer: string },
): Reply {
  for (const { owner } of orders) {
    if (owner !== signer) {
      throw refuse(401, "WrongOwner", "Signature recovery's owner doesn't match order's");
    }
  }
  // Auctions may have been held while the signature was recovered.
  for (const { uid } of orders) cancellableOrder(market, uid);
  for (const order of orders) cancelOrder(market, order);
  return json("Cancelled");
}
