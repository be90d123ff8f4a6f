import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { encodeOrderCancellations, type OrderCancellations } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { jsonText } from "../call/json_text.ts";
import { sendFor, withSignal } from "../call/send_for.ts";

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
