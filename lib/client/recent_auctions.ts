import { CONCURRENCY, DEFAULT_CONCURRENCY, mapInOrder } from "../endpoints/calls.ts";
import type { FailedOrder, GetOrdersByUidsOptions, Progress } from "../endpoints/mod.ts";
import { BY_UIDS_OPTIONS } from "../endpoints/orders_by_uids.ts";
import { walkAuctions } from "../endpoints/walk_auctions.ts";
import {
  DecodeError,
  InputError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
  type OrderlensError,
  UnauthorizedError,
  UnavailableError,
} from "../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  isWhole,
  oneOf,
  type OptionRules,
  required,
  requireList,
  wholeNumber,
} from "../errors/option_rules.ts";
import { blockTimes } from "../evm/node/block_times.ts";
import type { NodeSource } from "../evm/node/node_source.ts";
import { CACHED_RPC_OPTIONS, type CachedRpcOptions } from "../evm/node/rpc_batches.ts";
import { AuctionTimes, type DatedAuction } from "../metrics/auctions/auction_times.ts";
import { type ByUid, defineByUidRule, list } from "../metrics/not_computable.ts";
import type { Competition, DebugReport, Order, Trade } from "../schemas/mod.ts";
import {
  type AccountsRead,
  collectAccountUids,
  collectBidUids,
  collectListedUids,
  collectWinningUids,
} from "./find_auction.ts";
import type { OrderBook } from "./order_book.ts";
import { fetchTrades } from "./trade_request.ts";

/** Options of {@linkcode recentAuctions}. */
export interface RecentAuctionsOptions {
  /** Number of auction ids to read, up to that of the latest competition; gaps count. */
  auctions: number;
  /**
   * Orders to gather: all that auctions list (`listed`, thousands on a public network), those that
   * solvers `bid` on, those of `winning` solutions, or `none`.
   *
   * @default {"bid"}
   */
  orders?: "listed" | "bid" | "winning" | "none" | undefined;
  /**
   * Number of accounts to gather the orders of, those with most bids first, whether anybody bid on
   * their orders or not. Orders of other accounts are left out then.
   *
   * @default {no list of an account is read}
   */
  accounts?: number | undefined;
  /** Maximum number of orders per account, newest first, in addition to those bid on. @default {1000} */
  ordersPerAccount?: number | undefined;
  /** A node of the network, for the timestamps of blocks; see {@linkcode auctionTimes}. */
  node?: NodeSource | null | undefined;
  /** Folder in which timestamps of blocks are cached. @default {none; nothing is written} */
  cacheFolder?: string | undefined;
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called for each auction id and then for each order. */
  onProgress?: ((progress: RecentProgress) => void) | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Progress of {@linkcode recentAuctions}. */
export interface RecentProgress extends Progress {
  /** The current phase. */
  readonly phase: "auctions" | "orders";
}

/** Result of {@linkcode recentAuctions}: the input of most tables. */
export interface RecentAuctions {
  /** Number of auction ids that were read, gaps included. */
  readonly ids: number;
  /** The competitions, oldest first. */
  readonly competitions: readonly Competition[];
  /**
   * Orders with their fills and debug reports, in the order in which auctions name them; those of
   * accounts by UID.
   */
  readonly records: readonly GatheredOrder[];
  /** The orders of `records`. */
  readonly orders: readonly Order[];
  /** Their fills. */
  readonly trades: readonly Trade[];
  /** Their debug reports, where the deployment provides them. */
  readonly debugReports: readonly DebugReport[];
  /** Times of auctions and fills. */
  readonly times: AuctionTimes;
  /** The accounts whose orders were read; `null` if none were requested. */
  readonly accounts: AccountsRead | null;
  /** UIDs that the service does not have. */
  readonly missing: readonly string[];
  /** Orders that could not be read. */
  readonly failed: readonly FailedOrder[];
  /**
   * UIDs of orders that nobody bid on here and that were executed, whose fills a recording or a dataset
   * does not have: their `trades` are empty.
   */
  readonly withoutFills: readonly string[];
  /** Reason why there are no debug reports; `null` if there are, or no order was gathered. */
  readonly reportsRefused: OrderlensError | null;
}

const OPTIONS: OptionRules<RecentAuctionsOptions> = {
  auctions: required(wholeNumber(1)),
  orders: oneOf("listed", "bid", "winning", "none"),
  accounts: wholeNumber(0),
  ordersPerAccount: wholeNumber(1),
  node: defineRule("the URL of a node, a sandbox, a recording, or null", () => true),
  cacheFolder: String,
  concurrency: CONCURRENCY,
  onProgress: Function,
  signal: AbortSignal,
};

/**
 * Reads the latest auctions with everything that tables take: competitions, the orders that solvers
 * bid on, their fills and debug reports, and when each auction began.
 *
 * Any book will do: of a public network, a URL, a recording, a dataset or a sandbox. A recording of
 * single auctions, which does not cover the ids between them, gives the latest of those it has. Final
 * responses are not requested twice if the book was connected with a `cacheFolder`.
 *
 * @throws {InputError} If an option is invalid.
 * @throws {IncompleteListError} If a competition cannot be decoded.
 * @throws {OrderlensError} As soon as a request fails for any reason other than the content of its
 *   response.
 *
 * @example The latest auctions of a recording, as a table
 * ```ts
 * import { connect, recentAuctions } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { buildTable, SOLUTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 * const { ids, competitions, orders, trades, debugReports, times } = await recentAuctions(book, {
 *   auctions: 10,
 * });
 *
 * const solutions = buildTable(SOLUTIONS, { competitions, orders, trades, debugReports, times });
 *
 * assertEquals([ids, competitions.length, solutions.height], [10, 4, 13]);
 * ```
 */
export async function recentAuctions(
  book: OrderBook,
  options: RecentAuctionsOptions,
): Promise<RecentAuctions> {
  checkOptions(options, OPTIONS, "Cannot read recent auctions");
  const { node = null, cacheFolder, concurrency = DEFAULT_CONCURRENCY, signal } = options;
  const { ids, competitions } = await readCompetitions(book, options);
  const { uids, accounts } = await selectUids(book, competitions, options);
  const bidOn = new Set(collectBidUids(competitions));
  const gathered = await gather(book, uids, {
    concurrency,
    signal,
    onProgress: (progress) => options.onProgress?.({ phase: "orders", ...progress }),
    needsFills: (uid) => bidOn.has(uid),
  });
  const { records } = gathered;
  const orders = records.map(({ order }) => order);
  const trades = records.flatMap((record) => record.trades);
  const debugReports = records.flatMap(({ debugReport }) => debugReport ?? []);
  const times = await auctionTimes(node, competitions, {
    orders,
    trades,
    debugReports,
    ...(cacheFolder === undefined || node === null ? {} : { cacheFolder }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ids, competitions, ...gathered, orders, trades, debugReports, times, accounts };
}

async function readCompetitions(
  book: OrderBook,
  { auctions: last, concurrency, signal, onProgress }: RecentAuctionsOptions,
): Promise<{ ids: number; competitions: Competition[] }> {
  const report = (progress: Progress) => onProgress?.({ phase: "auctions", ...progress });
  try {
    const options = { concurrency, signal, onProgress: report };
    const walked = await Array.fromAsync(book.competitions({ last }, options));
    const competitions = walked.flatMap(({ competition }) => competition ?? []);
    return { ids: walked.length, competitions };
  } catch (error) {
    const recorded = findRecordedIds(book);
    if (!(error instanceof NotRecordedError) || recorded === null) throw error;
    const ids = (await recorded()).slice(-last);
    const competitions: Competition[] = [];
    for await (const { competition, error } of walkAuctions(book.transport, ids, { signal })) {
      if (competition === null) throw error;
      competitions.push(competition);
      report({ done: competitions.length, total: ids.length });
    }
    return { ids: ids.length, competitions };
  }
}

/** Finds the ids of a recording's or dataset's auctions; `null` of other transports. */
function findRecordedIds({ transport }: OrderBook): (() => Promise<readonly number[]>) | null {
  if ("recorded" in transport) {
    const ids: unknown = Object(transport.recorded).auctionIds;
    if (Array.isArray(ids)) return () => Promise.resolve(ids);
  }
  if (!("auctionIds" in transport) || typeof transport.auctionIds !== "function") return null;
  return async () => await Object(transport).auctionIds();
}

async function selectUids(
  book: OrderBook,
  competitions: readonly Competition[],
  { orders = "bid", accounts, ordersPerAccount = 1_000, signal }: RecentAuctionsOptions,
): Promise<{ uids: Iterable<string>; accounts: AccountsRead | null }> {
  if (accounts !== undefined) {
    return await collectAccountUids(book, competitions, { accounts, ordersPerAccount, signal });
  }
  return { uids: UID_SELECTORS[orders](competitions), accounts: null };
}

const UID_SELECTORS = {
  listed: collectListedUids,
  bid: collectBidUids,
  winning: collectWinningUids,
  none: () => [],
} as const satisfies Readonly<Record<string, (competitions: readonly Competition[]) => string[]>>;

/** Records in addition to the auctions, and options of requests to the node. */
export interface GatherTimesOptions extends CachedRpcOptions {
  /** Orders of the auctions: their creation dates bound times if no block is known. */
  readonly orders?: ByUid<Pick<Order, "creationDate">>;
  /** Fills: the timestamps of their blocks are requested too. */
  readonly trades?: Iterable<Pick<Trade, "blockNumber">>;
  /** Debug reports of orders: their events say when fills were indexed. */
  readonly debugReports?: Iterable<DebugReport>;
}

const TIME_OPTIONS: OptionRules<GatherTimesOptions> = {
  ...CACHED_RPC_OPTIONS,
  orders: defineByUidRule("orders"),
  trades: list(),
  debugReports: list(),
};

const ACTION = "Cannot get times of auctions";

/**
 * Gets the times of auctions and fills, for the option `times` of tables: the timestamps of their
 * blocks from a node; otherwise events of debug reports, and intervals that follow from the dates
 * of orders.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording; `null`
 * without one. Keys in a URL are never shown.
 * @param competitions Auctions of one network and environment, in any order: consecutive ones, if
 * times must follow from the dates of orders.
 * @param options Orders, trades and debug reports; options of requests to the node; `cacheFolder`, in
 * which timestamps are cached.
 * @returns The times, by auction and by block.
 * @throws {InputError} If the source is not a node, or an option is unknown or invalid.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or an error.
 *
 * @example The times of a recording without a node
 * ```ts
 * import { auctionTimes, connect } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { buildTable, SOLUTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const book = connect(recording);
 * const found = await Array.fromAsync(book.competitions({ last: 3 }));
 * const competitions = found.flatMap(({ competition }) => competition ?? []);
 * const { orders } = await book.orders(competitions.flatMap(({ auction }) => auction.orders));
 *
 * const times = await auctionTimes(null, competitions, { orders });
 *
 * const [row] = buildTable(SOLUTIONS, { competitions, times }).toRecords();
 * assertEquals([row?.time_basis, row?.auction_at === row?.auction_time_min], ["bracketed", true]);
 * ```
 */
export async function auctionTimes(
  source: NodeSource | null,
  competitions: Iterable<DatedAuction>,
  options: GatherTimesOptions = {},
): Promise<AuctionTimes> {
  checkOptions(options, TIME_OPTIONS, ACTION);
  requireList(competitions, { action: ACTION, expected: "an array of decoded competitions" });
  const { orders, trades = [], debugReports, ...sending } = options;
  const auctions = [...competitions];
  auctions.forEach(requireDecoded);
  const evidence = { ...orders && { orders }, ...debugReports && { debugReports } };
  if (source === null) return new AuctionTimes(auctions, evidence);
  const blocks = new Set(auctions.map(({ auctionStartBlock }) => auctionStartBlock));
  for (const trade of trades) blocks.add(Object(trade).blockNumber);
  return new AuctionTimes(auctions, {
    ...evidence,
    blockTimes: await blockTimes(source, blocks, sending),
  });
}

/** Rejects the items of `book.competitions()`, which hold the competition: they would have no time. */
function requireDecoded(competition: unknown, index: number): void {
  const { auctionId, auctionStartBlock, auction } = Object(competition);
  if (isWhole(auctionId, 0) && isWhole(auctionStartBlock, 0) && Array.isArray(auction?.orders)) {
    return;
  }
  throw new InputError(`${ACTION}: item ${index} is not a decoded competition`, {
    remedy: "Pass decoded competitions, such as the `competition` of each item of `competitions()`",
  });
}

/** One order with its fills and debug report, as tables of fills take it. */
export interface GatheredOrder {
  /** The order. */
  readonly order: Order;
  /** Its fills, oldest first. */
  readonly trades: readonly Trade[];
  /** Its debug report; `null` if the deployment, or the recording, does not provide it. */
  readonly debugReport: DebugReport | null;
}

/** Result of {@linkcode gatherOrders}. */
export interface GatheredOrders {
  /** The orders, in the order requested, each once. */
  readonly records: readonly GatheredOrder[];
  /** UIDs that the service does not have. */
  readonly missing: readonly string[];
  /** Orders whose body, trade or report could not be read, or was of another order. */
  readonly failed: readonly FailedOrder[];
  /**
   * Reason why there are no debug reports, with the remedy; `null` if the deployment provides them.
   */
  readonly reportsRefused: OrderlensError | null;
}

/**
 * Gathers orders with their fills and debug reports, several concurrently: the input of most tables
 * and metrics of fills.
 *
 * Orders come from {@linkcode OrderBook.orders}, 128 per request. Trades are requested once per
 * order that executed anything. Debug reports are requested once per order until the deployment
 * rejects one, as all public ones do, or a recording turns out to have none: then no more are
 * requested, missing reports are `null`, and `reportsRefused` says why.
 *
 * @param book The deployment.
 * @param uids UIDs of the orders; may be empty, and duplicates count once.
 * @param options Same as for `orders`; `onProgress` counts gathered orders.
 * @returns Orders, missing UIDs and failures: together every requested UID.
 * @throws {InputError} If one of them is not an order UID; nothing is sent.
 * @throws {OrderlensError} As soon as a request fails for any reason other than the content of its
 *   response.
 * @example Two orders of a recording, which has reports
 * ```ts
 * import { connect, gatherOrders } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const { records, missing, reportsRefused } = await gatherOrders(
 *   connect(recording),
 *   recording.recorded.orderUids.slice(0, 2),
 * );
 *
 * assertEquals(records.map(({ order }) => order.status), ["expired", "fulfilled"]);
 * assertEquals(records.map(({ trades }) => trades.length), [0, 1]);
 * assertEquals(records[1]?.debugReport?.events[0]?.label, "created");
 * assertEquals([missing, reportsRefused], [[], null]);
 * ```
 */
export async function gatherOrders(
  book: OrderBook,
  uids: Iterable<string>,
  options: GetOrdersByUidsOptions = {},
): Promise<GatheredOrders> {
  checkOptions(options, BY_UIDS_OPTIONS, "Cannot gather orders");
  const { withoutFills: _, ...gathered } = await gather(book, uids, options);
  return gathered;
}

/** Options of {@linkcode gather}. */
interface GatherOptions extends GetOrdersByUidsOptions {
  /** Whether a recording or a dataset without the fills of an order is an error. @default {always} */
  readonly needsFills?: (uid: string) => boolean;
}

async function gather(
  book: OrderBook,
  uids: Iterable<string>,
  options: GatherOptions,
): Promise<GatheredOrders & Pick<RecentAuctions, "withoutFills">> {
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, signal, needsFills } = options;
  const { orders, missing, failed } = await book.orders(uids, { concurrency, signal });
  let reportsRefused: OrderlensError | null = null;
  async function fetchReport(uid: string, callSignal: AbortSignal): Promise<DebugReport | null> {
    if (reportsRefused !== null) return null;
    try {
      return await book.debugReport(uid, { signal: callSignal });
    } catch (error) {
      if (isReportMissing(error)) return null;
      if (!areReportsUnavailable(error)) throw error;
      reportsRefused ??= error;
      return null;
    }
  }
  const withoutFills: string[] = [];
  async function readFills(order: Order, callSignal: AbortSignal): Promise<Trade[]> {
    if (order.executedSellAmount === 0n && order.executedBuyAmount === 0n) return [];
    try {
      return await fetchTrades(book, order.uid, { signal: callSignal });
    } catch (error) {
      const isOptional = needsFills?.(order.uid) === false;
      if (!isOptional || !(error instanceof NotRecordedError)) throw error;
      withoutFills.push(order.uid);
      return [];
    }
  }
  async function readOrder(
    order: Order,
    callSignal: AbortSignal,
  ): Promise<GatheredOrder | FailedOrder> {
    try {
      const trades = await readFills(order, callSignal);
      return { order, trades, debugReport: await fetchReport(order.uid, callSignal) };
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof MismatchError)) throw error;
      return { uid: order.uid, error };
    }
  }

  const records: GatheredOrder[] = [];
  const unreadable: FailedOrder[] = [];
  let done = 0;
  for await (const gathered of mapInOrder(orders, readOrder, { concurrency, signal })) {
    if ("error" in gathered) unreadable.push(gathered);
    else records.push(gathered);
    onProgress?.({ done: ++done, total: orders.length });
  }
  const allFailed = [...failed, ...unreadable];
  return { records, missing, failed: allFailed, reportsRefused, withoutFills };
}

/** Whether the service lacks the report of one order, or a recording that has others does. */
function isReportMissing(error: unknown): boolean {
  return error instanceof NotFoundError ||
    error instanceof NotRecordedError && error.isRouteRecorded;
}

/** Whether the deployment or the recording provides no reports to this caller, for any order. */
function areReportsUnavailable(error: unknown): error is OrderlensError {
  return error instanceof UnauthorizedError || error instanceof UnavailableError ||
    error instanceof NotRecordedError;
}
