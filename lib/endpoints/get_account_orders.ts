import { checkOptions } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import { decodeOrders, type Order } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import { checkedHex } from "./checked_hex.ts";
import { getJson } from "./get_json.ts";
import { PAGED_LIST_OPTIONS, type PagedListOptions } from "./list_options.ts";
import { pagedRows } from "./paged_rows.ts";
import { requireAtMost } from "./require_at_most.ts";
import { requireOwnOwner } from "./require_own_uid.ts";
import { requireSame } from "./require_same.ts";

/**
 * Reads the orders of an account, newest first, all pages.
 *
 * Calls `GET /api/v1/account/{owner}/orders` for one page after the other, each only when its first
 * order is wanted. Orders that are placed meanwhile may be missing; none is given twice.
 *
 * @param transport Where to ask.
 * @param owner Account that signed the orders, or that placed them on the chain: EthFlow orders are
 *   given for their contract, which is their `owner`, and for their trader, who is their `onchainUser`.
 * @throws {InputError} At once, if `owner` is no address or an option is out of range.
 * @throws {MismatchError} If an order is of another account, or of another owner than its UID names.
 * @throws {DecodeError} If a page has more orders than were asked for; nothing of it is given.
 * @throws {IncompleteListError} After the last order, if some could not be decoded and there is no
 *   `onFailure`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The ten newest
 * ```ts
 * import { getAccountOrders } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
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
  checkOptions(options, PAGED_LIST_OPTIONS, "Cannot get the orders of an account");
  checkedHex(owner, "an address");
  return pagedRows({
    what: `the orders of account ${owner}`,
    async readPage({ offset, limit }) {
      const { json, source } = await getJson(transport, {
        path: `/api/v1/account/${owner}/orders?offset=${offset}&limit=${limit}`,
        wanted: `get the orders of account ${owner}`,
      }, options);
      requireAtMost(json, limit, { rows: "orders", source });
      const page = decodeOrders(json, { source });
      for (const order of page.items) {
        requireOwnOwner(source, order.uid, order.owner);
        requireAccount(owner, order, source);
      }
      return page;
    },
    keyOf: (order) => order.uid.toLowerCase(),
  }, options);
}

/** Refuses an order of another account than the one that signed it, or placed it on the chain. */
function requireAccount(asked: string, order: Order, request: string): void {
  const { uid, owner, onchainUser, onchainOrderData } = order;
  const placedBy = [onchainUser, onchainOrderData?.sender];
  if (placedBy.some((account) => account !== undefined && sameHex(account, asked))) return;
  requireSame(request, { field: `owner of order ${uid}`, asked, answered: owner });
}
