import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, TEXT } from "../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../http/mod.ts";
import {
  decodeOrderUid,
  encodeOrderCancellations,
  encodeOrderCreation,
  type OrderCancellations,
  type OrderCreation,
} from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions, jsonText, requireSame, uidParts } from "./calls.ts";
import { sendFor, withSignal } from "./send_for.ts";

/** Options of {@linkcode postOrder}. */
export interface PostOrderOptions extends CallOptions {
  /** UID of the order, where it is known: `computeOrderUid` computes it for a domain. */
  uid?: string | undefined;
}

const OPTIONS: OptionRules<PostOrderOptions> = { ...CALL_OPTIONS, uid: TEXT };

/**
 * Places a signed order.
 *
 * Calls `POST /api/v1/orders`. An order is never sent twice: without a usable answer the call
 * fails, and whether the order exists is unknown; `createOrder` of a connection then looks it up.
 *
 * @param transport Transport that sends the request.
 * @param order The signed order.
 * @returns The order's UID.
 * @throws {InputError} If the order cannot be written; nothing is sent.
 * @throws {ServiceError} If the service rejects it, for example with `InsufficientBalance`.
 * @throws {DecodeError} If the answer is not a UID.
 * @throws {MismatchError} If the answer is a UID with another owner or expiry, or not the UID in
 *   the options; whether the order exists under its own UID is then unknown.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example A signature of another account
 * ```ts
 * import { ServiceError } from "orderlens";
 * import { postOrder } from "orderlens/endpoints";
 * import { assertEquals, assertRejects } from "@std/assert";
 *
 * const answer = '{"errorType":"InvalidSignature","description":"invalid signature"}';
 * const transport = {
 *   baseUrl: "http://localhost",
 *   send: () =>
 *     Promise.resolve({
 *       status: 400,
 *       contentType: "application/json",
 *       headers: new Headers(),
 *       body: answer,
 *     }),
 * };
 * const order = {
 *   sellToken: `0x${"11".repeat(20)}`,
 *   buyToken: `0x${"22".repeat(20)}`,
 *   sellAmount: 1000n,
 *   buyAmount: 900n,
 *   validTo: 1795273344,
 *   feeAmount: 0n,
 *   kind: "sell" as const,
 *   partiallyFillable: false,
 *   appData: "{}",
 *   signingScheme: "eip712",
 *   signature: `0x${"00".repeat(65)}`,
 * };
 *
 * const error = await assertRejects(() => postOrder(transport, order), ServiceError);
 * assertEquals(error.errorType, "InvalidSignature");
 * ```
 */
export async function postOrder(
  transport: Transport,
  order: OrderCreation,
  options: PostOrderOptions = {},
): Promise<string> {
  checkOptions(options, OPTIONS, "Cannot create an order");
  const request = withSignal({
    method: "POST",
    path: "/api/v1/orders",
    body: jsonText(encodeOrderCreation(order)),
  }, options);
  const wanted = `create an order to ${order.kind} ${
    order.kind === "sell" ? order.sellToken : order.buyToken
  }`;
  const response = await sendFor({ wanted }, transport, request);
  const source = requestLine(request);
  const uid = decodeOrderUid(jsonOf(response, request), { source });
  requireOf(order, { uid, asked: options.uid, source });
  return uid;
}

/** Rejects the UID of another order. */
function requireOf(
  { from, validTo }: OrderCreation,
  { uid, asked, source }: { uid: string; asked: string | undefined; source: string },
): void {
  if (asked !== undefined) requireSame(source, { field: "uid", asked, answered: uid });
  const named = uidParts(uid);
  if (from != null) requireSame(source, { field: "owner", asked: from, answered: named.owner });
  requireSame(source, { field: "validTo", asked: validTo, answered: named.validTo });
}

/** Maximum number of orders in one cancellation. */
const MOST_UIDS = 128;

/**
 * Cancels orders off-chain, all of them or none.
 *
 * Calls `DELETE /api/v1/orders`. A pending settlement may still fill an order. The cancellation is
 * never sent twice: without a usable answer the call fails and the outcome is unknown;
 * `cancelOrders` of a connection then looks it up.
 *
 * @param transport Transport that sends the request.
 * @param cancellations The UIDs with their owner's signature over exactly this list.
 * @throws {InputError} If there are more than 128 UIDs, or one is malformed; nothing is sent. One
 *   signature covers one list, so the list cannot be split automatically.
 * @throws {ServiceError} If the service rejects it, for example with `WrongOwner`, `OrderNotFound`
 * or `OrderExpired`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { deleteOrders } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 *
 * await deleteOrders(await replay("market_1"), {
 *   orderUids: [
 *     "0x099c7dcce3ab741aa6bd756db2f804bc01c4a20f7526f149ee3d3af09044156f" +
 *     "d217e8a0924a6806c7616a4ab0c39df86e0bf8896b01b296",
 *   ],
 *   signature: "0x1212e53466e8e222f98cb61158165225329deb238eaac04dbd7bedc458f81d0e" +
 *     "39240ba6a4cebaa1ea8d7b86cfb83306545e594239ab57afd2a287cca32cda1b1b",
 *   signingScheme: "eip712",
 * });
 * ```
 */
export async function deleteOrders(
  transport: Transport,
  cancellations: OrderCancellations,
  options: CallOptions = {},
): Promise<void> {
  checkOptions(options, CALL_OPTIONS, "Cannot cancel orders");
  const { orderUids } = cancellations;
  const body = jsonText(encodeOrderCancellations(cancellations));
  if (orderUids.length > MOST_UIDS) {
    throw new InputError(`Cannot cancel ${orderUids.length} orders at once`, {
      remedy: `Sign and send lists of at most ${MOST_UIDS} UIDs: one signature covers one list`,
    });
  }
  const request = withSignal({
    method: "DELETE",
    path: "/api/v1/orders",
    body,
  }, options);
  const wanted = `cancel ${orderUids.length} orders: ${orderUids[0] ?? "none"}`;
  await sendFor({ wanted }, transport, request);
}
