import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeOrders, type Order, type Page } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";
import { PAGED_LIST_OPTIONS, type PagedListOptions } from "../lists/list_options.ts";
import { pagedRows } from "../lists/paged_rows.ts";
import { requireAtMost } from "../call/require_at_most.ts";
import { requireSame } from "../call/require_same.ts";

/**
 * Gets the orders of an account, newest first, page by page.
 *
 * Calls `GET /api/v1/account/{owner}/orders` once per page, when the first order of the page is
 * consumed. Orders placed in the meantime may be missing; no order is yielded twice.
 *
 * @param transport Transport that sends the request.
 * @param owner Account that signed the orders or placed them on-chain: EthFlow orders are listed
 *   for their contract, which is their `owner`, and for their trader, which is their `onchainUser`.
 * @throws {InputError} Immediately, if `owner` is not an address or an option is out of range.
 * @throws {MismatchError} If an order belongs to another account.
 * @throws {DecodeError} If a page has more orders than were requested; none of it is yielded.
 * @throws {IncompleteListError} After the last order, if some could not be decoded and `onFailure`
 *   is not set.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The ten newest orders
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
    async requestPage({ offset, limit }, call) {
      const { json, source } = await getJson(transport, {
        path: `/api/v1/account/${owner}/orders?offset=${offset}&limit=${limit}`,
        wanted: `get the orders of account ${owner}`,
      }, call);
      requireAtMost(json, limit, { rows: "orders", source });
      function decode(): Page<Order> {
        const page = decodeOrders(json, { source });
        for (const order of page.items) requireAccount(owner, order, source);
        return page;
      }
      return { count: Array.isArray(json) ? json.length : 0, decode };
    },
    keyOf: (order) => order.uid.toLowerCase(),
  }, options);
}

/** Rejects an order that the account neither signed nor placed on-chain. */
function requireAccount(asked: string, order: Order, request: string): void {
  const { uid, owner, onchainUser, onchainOrderData } = order;
  const placedBy = [onchainUser, onchainOrderData?.sender];
  if (placedBy.some((account) => account !== undefined && sameHex(account, asked))) return;
  requireSame(request, { field: `owner of order ${uid}`, asked, answered: owner });
}
