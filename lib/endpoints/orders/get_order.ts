import { callable, checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeOrder, type Order } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";
import { isFinalOrder } from "./is_final_order.ts";
import { requireSame } from "../call/require_same.ts";

/** Options of {@linkcode getOrder}. */
export interface GetOrderOptions extends CallOptions {
  /**
   * Returns milliseconds since the unix epoch, to determine how long ago an order expired. @default
   * {Date.now}
   */
  now?: (() => number) | undefined;
}

const OPTIONS: OptionRules<GetOrderOptions> = {
  ...CALL_OPTIONS,
  now: callable(),
};

/**
 * Gets one order.
 *
 * Calls `GET /api/v1/orders/{uid}`. An order that can no longer change may be cached on disk, if
 * the transport has a cache folder: an order fulfilled by a single fill, once its fees are known,
 * and any closed order a day after its expiry.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The order; amounts in atoms.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {DecodeError} If the answer is not an order.
 * @throws {MismatchError} If the answer is another order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getOrder } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const order = await getOrder(await replay("market_1"), uid);
 *
 * assertEquals(order.kind, "sell");
 * assertEquals(order.sellAmount, 125349568184000000000n);
 * ```
 */
export async function getOrder(
  transport: Transport,
  uid: string,
  options: GetOrderOptions = {},
): Promise<Order> {
  checkOptions(options, OPTIONS, "Cannot get an order");
  checkedHex(uid, "an order UID");
  const { now = Date.now } = options;
  const path = `/api/v1/orders/${uid}`;
  function read(body: unknown): Order {
    const source = `GET ${path}`;
    const order = decodeOrder(body, { source });
    requireSame(source, { field: "uid", asked: uid, answered: order.uid });
    return order;
  }
  const { json } = await getJson(transport, {
    path,
    isImmutable: ({ body }) => isFinalOrder(read(JSON.parse(body)), now()),
    wanted: `get order ${uid}`,
    notFound:
      "Check the UID, the network and the environment: a UID names neither network nor environment, and an order is only known where it was placed",
  }, options);
  return read(json);
}
