import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { type CompetitionOrderStatus, decodeOrderStatus } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets an order's stage in the latest auction, and what each solver would have executed of it.
 *
 * Calls `GET /api/v1/orders/{uid}/status`. For an order with several fills, the answer is about the
 * auction of the first fill.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The stage, and the solvers of the competition if there was one, worst first. The answer
 *   does not name its order, so a mix-up cannot be detected.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service has no events of the order; it deletes them after 30 days.
 * @throws {DecodeError} If the answer is not a competition status.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/orderbook.rs | get_order_status in the service}
 * @example The winner comes last
 * ```ts
 * import { getOrderStatus } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const { type, value } = await getOrderStatus(await replay("market_1"), uid);
 *
 * assertEquals(type, "traded");
 * assertEquals(value?.at(-1)?.solver, "0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344");
 * ```
 */
export async function getOrderStatus(
  transport: Transport,
  uid: string,
  options: CallOptions = {},
): Promise<CompetitionOrderStatus> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the status of an order");
  checkedHex(uid, "an order UID");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/orders/${uid}/status`,
    wanted: `get the competition status of order ${uid}`,
    notFound:
      "Get the order itself: the service deletes the auction events of an order after 30 days",
  }, options);
  return decodeOrderStatus(json, { source });
}
