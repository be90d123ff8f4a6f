import type { Transport } from "../http/mod.ts";
import { decodeOrders, type Order } from "../schemas/mod.ts";
import { checkedHex } from "./checked_hex.ts";
import { getJson } from "./get_json.ts";
import type { PagedListOptions } from "./list_options.ts";
import { pagedRows } from "./paged_rows.ts";

/**
 * Reads the orders of an account, newest first, all pages.
 *
 * Calls `GET /api/v1/account/{owner}/orders` for one page after the other, each only when its first
 * order is wanted. Orders that are placed meanwhile may be missing; none is given twice.
 *
 * @param transport Where to ask.
 * @param owner Account that signed the orders; of ETH-flow orders that is the contract, their trader
 *   is in `onchainUser`.
 * @throws {InputError} At once, if `owner` is no address or an option is out of range.
 * @throws {IncompleteListError} After the last order, if some could not be decoded and there is no
 *   `onFailure`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The ten newest
 * ```ts
 * import { getAccountOrders } from "orderlens";
 * import { replay } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const owner = "0xae8be95be03288071217078950278910001dcbc8";
 * const orders = await Array.fromAsync(getAccountOrders(tape, owner, { limit: 10 }));
 *
 * assertEquals(orders.length, 10);
 * assertEquals(orders.every((order) => order.owner === owner), true);
 * ```
 */
export function getAccountOrders(
  transport: Transport,
  owner: string,
  options: PagedListOptions = {},
): AsyncGenerator<Order, void, undefined> {
  checkedHex(owner, "an address");
  return pagedRows({
    what: `the orders of account ${owner}`,
    async readPage({ offset, limit }) {
      const { json, source } = await getJson(transport, {
        path: `/api/v1/account/${owner}/orders?offset=${offset}&limit=${limit}`,
        wanted: `get the orders of account ${owner}`,
      }, options);
      return decodeOrders(json, { source });
    },
    keyOf: (order) => order.uid.toLowerCase(),
  }, options);
}
