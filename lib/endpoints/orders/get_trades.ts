import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeTrades, type Page, type Trade } from "../../schemas/mod.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";
import { PAGED_LIST_OPTIONS, type PagedListOptions } from "../lists/list_options.ts";
import { pagedRows } from "../lists/paged_rows.ts";
import { requireAtMost } from "../call/require_at_most.ts";
import { requireSame } from "../call/require_same.ts";
import { uidParts } from "../call/uid_parts.ts";

/** Signed expiry of every EthFlow order. */
const ETH_FLOW_VALID_TO = 0xffff_ffff;

/** Selects the trades of an account or of an order. */
export type TradeFilter =
  | {
    /** Owner of the orders that were filled. */
    readonly owner: string;
    /** Cannot be combined with `owner`. */
    readonly orderUid?: never;
  }
  | {
    /** UID of the order that was filled. */
    readonly orderUid: string;
    /** Cannot be combined with `orderUid`. */
    readonly owner?: never;
  };

/**
 * Gets the trades of an account or of an order, newest first, page by page.
 *
 * Calls `GET /api/v2/trades` once per page, when the first trade of the page is consumed. A trade
 * is identified by its block, its log index and its order; none is yielded twice.
 *
 * The trades of an account include those of its EthFlow orders. Such a trade names the contract as
 * its owner and not the trader, so its account cannot be checked.
 *
 * @param transport Transport that sends the request.
 * @param filter `{ owner }` or `{ orderUid }`.
 * @throws {InputError} Immediately, if both or neither is given, one is malformed, or an option is
 *   out of range.
 * @throws {MismatchError} If a trade belongs to another order or account.
 * @throws {DecodeError} If a page has more trades than were requested; none of it is yielded.
 * @throws {IncompleteListError} After the last trade, if some could not be decoded and `onFailure`
 *   is not set.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example Every fill of one order
 * ```ts
 * import { getTrades } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const orderUid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const trades = await Array.fromAsync(getTrades(tape, { orderUid }));
 *
 * assertEquals(trades.map((trade) => trade.buyAmount), [124228176723986119522n]);
 * ```
 */
export function getTrades(
  transport: Transport,
  filter: TradeFilter,
  options: PagedListOptions = {},
): AsyncGenerator<Trade, void, undefined> {
  checkOptions(options, PAGED_LIST_OPTIONS, "Cannot get trades");
  const { query, whose } = readFilter(filter);
  return pagedRows({
    what: `the trades of ${whose}`,
    async requestPage({ offset, limit }, call) {
      const { json, source } = await getJson(transport, {
        path: `/api/v2/trades?${query}&offset=${offset}&limit=${limit}`,
        wanted: `get the trades of ${whose}`,
      }, call);
      requireAtMost(json, limit, { rows: "trades", source });
      function decode(): Page<Trade> {
        const page = decodeTrades(json, { source });
        for (const trade of page.items) requireAbout(filter, trade, source);
        return page;
      }
      return { count: Array.isArray(json) ? json.length : 0, decode };
    },
    keyOf: ({ blockNumber, logIndex, orderUid }) =>
      `${blockNumber} ${logIndex} ${orderUid.toLowerCase()}`,
  }, options);
}

/**
 * Whether a trade may be of an EthFlow order, whose trader it does not name: all of them sign the
 * same expiry.
 */
function mayBeEthFlow({ orderUid }: Trade): boolean {
  return uidParts(orderUid).validTo === ETH_FLOW_VALID_TO;
}

function requireAbout({ owner, orderUid }: TradeFilter, trade: Trade, request: string): void {
  if (orderUid !== undefined) {
    requireSame(request, { field: "orderUid", asked: orderUid, answered: trade.orderUid });
  } else if (!mayBeEthFlow(trade)) {
    const field = `owner of order ${trade.orderUid}`;
    requireSame(request, { field, asked: owner ?? "", answered: trade.owner });
  }
}

function readFilter({ owner, orderUid }: TradeFilter): { query: string; whose: string } {
  if (owner !== undefined && orderUid === undefined) {
    checkedHex(owner, "an address");
    return { query: `owner=${owner}`, whose: `account ${owner}` };
  }
  if (orderUid !== undefined && owner === undefined) {
    checkedHex(orderUid, "an order UID");
    return { query: `orderUid=${orderUid}`, whose: `order ${orderUid}` };
  }
  throw new InputError(
    `Cannot get the trades of ${
      owner === undefined ? "neither an account nor an order" : "both an account and an order"
    }`,
    { remedy: "Pass either { owner } or { orderUid }" },
  );
}
