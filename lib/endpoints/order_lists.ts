import { InputError } from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import {
  type Decode,
  decodeOrders,
  decodeTrades,
  type Order,
  type Page,
  type Trade,
} from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import {
  MAX_UNPAGED,
  NO_EXPIRY,
  requireAtMost,
  requireHex,
  requireSame,
  splitUid,
} from "./calls.ts";
import {
  LIST_OPTIONS,
  type ListOptions,
  PAGED_LIST_OPTIONS,
  type PagedListOptions,
  readPagedRows,
  type RequestPage,
  requireWholeList,
} from "./paged_rows.ts";
import { requestEitherPath, requestJson } from "./send.ts";

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
 * const recording = await replay("market_1");
 * const orderUid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const trades = await Array.fromAsync(getTrades(recording, { orderUid }));
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
  const { query, label } = readFilter(filter);
  return readPagedRows({
    subject: `the trades of ${label}`,
    requestPage: createPageRequest(transport, {
      path: `/api/v2/trades?${query}&`,
      action: `get the trades of ${label}`,
      rows: "trades",
      decode: decodeTrades,
      requireRow: (trade, source) => requireMatch(filter, trade, source),
    }),
    getKey: ({ blockNumber, logIndex, orderUid }) =>
      `${blockNumber} ${logIndex} ${orderUid.toLowerCase()}`,
  }, options);
}

/** A list that is requested page by page. */
interface PagedRoute<T> {
  /** Path with all of the query but the page. */
  readonly path: string;
  readonly action: string;
  readonly rows: string;
  readonly decode: Decode<Page<T>>;
  /** Throws if a row was not requested. */
  readonly requireRow: (row: T, source: string) => void;
}

function createPageRequest<T>(
  transport: Transport,
  { path, action, rows, decode, requireRow }: PagedRoute<T>,
): RequestPage<T> {
  return async ({ offset, limit }, options) => {
    const page = { path: `${path}offset=${offset}&limit=${limit}`, action };
    const { json, source } = await requestJson(transport, page, options);
    requireAtMost(json, limit, { rows, source });
    return {
      count: Array.isArray(json) ? json.length : 0,
      decode() {
        const decodedPage = decode(json, { source });
        for (const row of decodedPage.items) requireRow(row, source);
        return decodedPage;
      },
    };
  };
}

/**
 * Whether a trade may belong to an EthFlow order, whose trader it does not name: all of them sign the
 * same expiry.
 */
function mayBeEthFlow({ orderUid }: Trade): boolean {
  return splitUid(orderUid).validTo === NO_EXPIRY;
}

function requireMatch({ owner, orderUid }: TradeFilter, trade: Trade, request: string): void {
  if (orderUid !== undefined) {
    requireSame(request, { field: "orderUid", asked: orderUid, answered: trade.orderUid });
  } else if (!mayBeEthFlow(trade)) {
    const field = `owner of order ${trade.orderUid}`;
    requireSame(request, { field, asked: owner ?? "", answered: trade.owner });
  }
}

function readFilter({ owner, orderUid }: TradeFilter): { query: string; label: string } {
  if (owner !== undefined && orderUid === undefined) {
    requireHex(owner, "an address");
    return { query: `owner=${owner}`, label: `account ${owner}` };
  }
  if (orderUid !== undefined && owner === undefined) {
    requireHex(orderUid, "an order UID");
    return { query: `orderUid=${orderUid}`, label: `order ${orderUid}` };
  }
  throw new InputError(
    `Cannot get the trades of ${
      owner === undefined ? "neither an account nor an order" : "both an account and an order"
    }`,
    { remedy: "Pass either { owner } or { orderUid }" },
  );
}

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
 * const recording = await replay("market_1");
 * const owner = "0xae8be95be03288071217078950278910001dcbc8";
 * const orders = await Array.fromAsync(getAccountOrders(recording, owner, { limit: 10 }));
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
  requireHex(owner, "an address");
  return readPagedRows({
    subject: `the orders of account ${owner}`,
    requestPage: createPageRequest(transport, {
      path: `/api/v1/account/${owner}/orders?`,
      action: `get the orders of account ${owner}`,
      rows: "orders",
      decode: decodeOrders,
      requireRow: (order, source) => requireAccount(owner, order, source),
    }),
    getKey: (order) => order.uid.toLowerCase(),
  }, options);
}

/** Rejects an order that the account neither signed nor placed on-chain. */
function requireAccount(asked: string, order: Order, request: string): void {
  const { uid, owner, onchainUser, onchainOrderData } = order;
  const placedBy = [onchainUser, onchainOrderData?.sender];
  if (placedBy.some((account) => account !== undefined && sameHex(account, asked))) return;
  requireSame(request, { field: `owner of order ${uid}`, asked, answered: owner });
}

/**
 * Gets the orders that one transaction settled.
 *
 * Calls `GET /api/v1/transactions/{txHash}/orders`, and on deployments without that route
 * `GET /api/v1/orders/tx/{txHash}`, the path in the API specification.
 *
 * An order does not name its transactions, so whether it belongs to this one cannot be checked;
 * only its UID is checked against its own fields.
 *
 * @param transport Transport that sends the request.
 * @param txHash Hash of the transaction.
 * @returns The orders; an empty list for a transaction that settled nothing or is unknown to the
 * service.
 * @throws {InputError} If `txHash` is not a hash; nothing is sent.
 * @throws {UnavailableError} If the deployment has neither route.
 * @throws {DecodeError} If there are more than 10,000.
 * @throws {MismatchError} If the owner or expiry in an order's UID differs from that of the order.
 * @throws {IncompleteListError} If some orders could not be decoded and `onFailure` is not set;
 *   `items` holds the others.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getTransactionOrders } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const txHash = "0xf6cd30be1044908507d0561a99cecabb1ad288d00313e475784806955b2076f1";
 * const orders = await getTransactionOrders(recording, txHash);
 *
 * assertEquals(orders.map((order) => order.status), ["fulfilled"]);
 * ```
 */
export async function getTransactionOrders(
  transport: Transport,
  txHash: string,
  options: ListOptions = {},
): Promise<Order[]> {
  checkOptions(options, LIST_OPTIONS, "Cannot get the orders of a transaction");
  requireHex(txHash, "a hash");
  const { json, source } = await requestEitherPath(transport, {
    route: "transactionOrders",
    path: `/api/v1/transactions/${txHash}/orders`,
    document: `/api/v1/orders/tx/${txHash}`,
    action: `get the orders of transaction ${txHash}`,
    feature: "the operation",
    unavailable:
      "Check the address of the deployment, or get the competition of the transaction, which lists the orders too",
  }, options);
  requireAtMost(json, MAX_UNPAGED, { rows: "orders", source });
  const page = decodeOrders(json, { source });
  for (const order of page.items) requireOwnUid(source, order);
  return requireWholeList(page, `the orders of transaction ${txHash}`, options);
}

/**
 * Rejects an order whose UID has another owner or expiry than the order itself. For EthFlow orders,
 * both have the contract and the expiry that it signs.
 *
 * @param request The request, as formatted by `requestLine`.
 * @throws {MismatchError} If they differ.
 */
function requireOwnUid(request: string, { uid, owner, validTo }: Order): void {
  const parts = splitUid(uid);
  requireSame(request, { field: `owner in order ${uid}`, asked: parts.owner, answered: owner });
  requireSame(request, {
    field: `validTo in order ${uid}`,
    asked: parts.validTo,
    answered: validTo,
  });
}
