import { recoverCancellationsSigner } from "../evm/mod.ts";
import { InputError } from "../errors/mod.ts";
import { recoverSigner } from "../evm/recover_signer.ts";
import { cancellationDigest } from "../evm/mod.ts";
import type { BookOrder } from "./book_order.ts";
import { cancelOrder } from "./cancel_order.ts";
import type { Market } from "./market.ts";
import { Fields } from "./fields.ts";
import { parseBody } from "./json_body.ts";
import { readHex } from "./loose_values.ts";
import { readSignature } from "./read_order_creation.ts";
import { empty, json, refuse, Rejection, type Reply } from "./reply.ts";

/** The most orders that one request cancels. */
const MOST_ORDERS = 128;
const UID_BYTES = 56;

/** `DELETE orders`: cancels orders of one owner, who signed the list. */
export async function cancelOrders(market: Market, body: string): Promise<Reply> {
  const { orderUids, signature, signingScheme } = shapeless(() => readCancellations(body));
  if (orderUids.length > MOST_ORDERS) throw refuse(500, "InternalServerError", "");
  const signer = await signerOf(() =>
    recoverCancellationsSigner(market.domain, { orderUids, signature, signingScheme })
  );
  const orders = orderUids.map((uid) => ordered(market, uid, signer));
  for (const order of new Set(orders)) cancelOrder(market, order);
  return json("Cancelled");
}

/** `DELETE orders/{uid}`: cancels one order, whose owner signed its UID alone. */
export async function cancelOneOrder(
  market: Market,
  { uid, body }: { uid: string; body: string },
): Promise<Reply> {
  const { signature, signingScheme } = shapeless(() => readEcdsa(fieldsOf(body)));
  const signer = await signerOf(() =>
    recoverSigner(cancellationDigest(market.domain, uid), { signature, signingScheme })
  );
  cancelOrder(market, ordered(market, uid, signer));
  return json("Cancelled");
}

function readCancellations(
  body: string,
): { orderUids: string[]; signature: string; signingScheme: string } {
  const fields = fieldsOf(body);
  const orderUids = fields.required("orderUids", (value) => {
    if (!Array.isArray(value)) throw fields.wrong("expected a sequence");
    return value.map((uid) => readHex(uid, UID_BYTES));
  });
  return { orderUids, ...readEcdsa(fields) };
}

function fieldsOf(body: string): Fields {
  return new Fields(parseBody(body), { struct: "CancellationPayload", length: body.length });
}

function readEcdsa(fields: Fields): { signature: string; signingScheme: string } {
  const signed = readSignature(fields);
  const isEcdsa = signed.signingScheme === "eip712" || signed.signingScheme === "ethsign";
  if (!isEcdsa) throw fields.wrong("unknown variant");
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

async function signerOf(recover: () => Promise<string>): Promise<string> {
  try {
    return await recover();
  } catch (error) {
    if (error instanceof InputError) throw refuse(400, "InvalidSignature", "Malformed signature");
    throw error;
  }
}

function ordered(market: Market, uid: string, signer: string): BookOrder {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw refuse(404, "OrderNotFound", "Order not located in database");
  if (order.owner !== signer) {
    throw refuse(401, "WrongOwner", "Signature recovery's owner doesn't match order's");
  }
  const status = order.statusAt(market.time.instant);
  if (status === "cancelled") throw refuse(400, "AlreadyCancelled", "Order is already cancelled");
  if (status === "fulfilled") throw refuse(400, "OrderFullyExecuted", "Order is fully executed");
  if (status === "expired") throw refuse(400, "OrderExpired", "Order is expired");
  return order;
}
