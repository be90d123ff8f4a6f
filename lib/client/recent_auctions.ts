import type { NodeSource } from "../evm/node/node_source.ts";
import type { FailedOrder, Progress } from "../endpoints/mod.ts";
import { CONCURRENCY, DEFAULT_CONCURRENCY } from "../endpoints/call/call_options.ts";
import { mapInOrder } from "../endpoints/call/map_in_order.ts";
import { NotRecordedError, type OrderlensError } from "../errors/mod.ts";
import {
  callable,
  checkOptions,
  needed,
  oneOf,
  type OptionRules,
  rule,
  SIGNAL,
  TEXT,
  wholeFrom,
} from "../errors/option_rules.ts";
import type { AuctionTimes } from "../metrics/auctions/auction_times.ts";
import type { Competition, DebugReport, Order, Trade } from "../schemas/mod.ts";
import { type AccountsRead, bidsOf, ordersOfAccounts, winnersOf } from "./auction_orders.ts";
import { auctionTimes } from "./auction_times.ts";
import { type GatheredOrder, gatherOrders } from "./gather_orders.ts";
import type { OrderBook } from "./order_book.ts";

/** Options of {@linkcode recentAuctions}. */
export interface RecentAuctionsOptions {
  /** Number of auction ids to read, up to that of the latest competition; gaps count. */
  auctions: number;
  /**
   * Orders to gather: those that solvers `bid` on, those of `winning` solutions, or `none`.
   *
   * @default {"bid"}
   */
  orders?: "bid" | "winning" | "none" | undefined;
  /**
   * Number of accounts to gather the orders of, those with most bids first, whether anybody bid on
   * their orders or not. Orders of other accounts are left out then.
   *
   * @default {no list of an account is read}
   */
  accounts?: number | undefined;
  /** Maximum number of orders per account, newest first. @default {1000} */
  ordersPerAccount?: number | undefined;
  /** A node of the network, for the timestamps of blocks; see {@linkcode auctionTimes}. */
  node?: NodeSource | null | undefined;
  /** Folder in which timestamps of blocks are cached. @default {none; nothing is written} */
  cacheFolder?: string | undefined;
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called for each auction id and then for each order, with what is being read. */
  onProgress?: ((progress: RecentProgress) => void) | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** How far {@linkcode recentAuctions} is. */
export interface RecentProgress extends Progress {
  /** What is being read. */
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
  /** Their debug reports, as far as the deployment provides them. */
  readonly debugReports: readonly DebugReport[];
  /** When auctions began and fills were settled. */
  readonly times: AuctionTimes;
  /** The accounts whose orders were read; `null` if none were asked for. */
  readonly accounts: AccountsRead | null;
  /** UIDs that the service does not have. */
  readonly missing: readonly string[];
  /** Orders that could not be read. */
  readonly failed: readonly FailedOrder[];
  /** Why there are no debug reports; `null` if there are, or no order was gathered. */
  readonly reportsRefused: OrderlensError | null;
}

const OPTIONS: OptionRules<RecentAuctionsOptions> = {
  auctions: needed(wholeFrom(1)),
  orders: oneOf("bid", "winning", "none"),
  accounts: wholeFrom(0),
  ordersPerAccount: wholeFrom(1),
  node: rule("the URL of a node, a sandbox, a recording, or null", () => true),
  cacheFolder: TEXT,
  concurrency: CONCURRENCY,
  onProgress: callable(),
  signal: SIGNAL,
};

/**
 * Reads the latest auctions with everything that tables take: competitions, the orders that solvers
 * bid on, their fills and debug reports, and when each auction began.
 *
 * Any book will do: of a public network, a URL, a recording, a dataset or a sandbox. A recording of
 * single auctions, which does not say what lies between them, gives the latest of those it has. The
 * same call sends nothing final twice if the book was connected with a `cacheFolder`.
 *
 * @throws {InputError} If an option is invalid.
 * @throws {IncompleteListError} If a competition cannot be decoded.
 * @throws {OrderlensError} As soon as a request fails for any reason other than the content of its
 *   answer.
 *
 * @example The latest auctions of a recording, as a table
 * ```ts
 * import { connect, recentAuctions } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { solutionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 * const { ids, competitions, orders, trades, debugReports, times } = await recentAuctions(book, {
 *   auctions: 10,
 * });
 *
 * const solutions = solutionsTable(competitions, { orders, trades, debugReports, times });
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
  const { uids, accounts } = await uidsOf(book, competitions, options);
  const gathered = await gatherOrders(book, uids, {
    concurrency,
    signal,
    onProgress: (progress) => options.onProgress?.({ phase: "orders", ...progress }),
  });
  const { records, missing, failed, reportsRefused } = gathered;
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
  return {
    ids,
    competitions,
    records,
    orders,
    trades,
    debugReports,
    times,
    accounts,
    missing,
    failed,
    reportsRefused,
  };
}

interface ReadCompetitions {
  readonly ids: number;
  readonly competitions: Competition[];
}

async function readCompetitions(
  book: OrderBook,
  { auctions: last, concurrency, signal, onProgress }: RecentAuctionsOptions,
): Promise<ReadCompetitions> {
  const report = (progress: Progress) => onProgress?.({ phase: "auctions", ...progress });
  try {
    const options = { concurrency, signal, onProgress: report };
    const walked = await Array.fromAsync(book.competitions({ last }, options));
    const competitions = walked.flatMap(({ competition }) => competition ?? []);
    return { ids: walked.length, competitions };
  } catch (error) {
    const recorded = recordedIds(book);
    if (!(error instanceof NotRecordedError) || recorded === null) throw error;
    const ids = (await recorded()).slice(-last);
    const read = (id: number, ended: AbortSignal) => book.competition(id, { signal: ended });
    const competitions: Competition[] = [];
    const each = mapInOrder(ids, read, { concurrency: DEFAULT_CONCURRENCY, signal });
    for await (const competition of each) {
      competitions.push(competition);
      report({ done: competitions.length, total: ids.length });
    }
    return { ids: ids.length, competitions };
  }
}

/** Ids of the auctions that a recording or a dataset has; `null` of other transports. */
function recordedIds({ transport }: OrderBook): (() => Promise<readonly number[]>) | null {
  if ("recorded" in transport) {
    const ids: unknown = Object(transport.recorded).auctionIds;
    if (Array.isArray(ids)) return () => Promise.resolve(ids);
  }
  if (!("auctionIds" in transport) || typeof transport.auctionIds !== "function") return null;
  return async () => await Object(transport).auctionIds();
}

async function uidsOf(
  book: OrderBook,
  competitions: readonly Competition[],
  { orders = "bid", accounts, ordersPerAccount = 1_000, signal }: RecentAuctionsOptions,
): Promise<{ uids: Iterable<string>; accounts: AccountsRead | null }> {
  if (accounts !== undefined) {
    return await ordersOfAccounts(book, competitions, { accounts, ordersPerAccount, signal });
  }
  const uids = orders === "none"
    ? []
    : orders === "bid"
    ? bidsOf(competitions)
    : winnersOf(competitions);
  return { uids, accounts: null };
}
