import { CONCURRENCY, DEFAULT_CONCURRENCY, Failures, ignoreNotFound } from "../endpoints/calls.ts";
import {
  findFirstExpiryMs,
  isFinalCompetition,
  QUOTE_VALIDITY_MS,
} from "../endpoints/competitions.ts";
import type { CompetitionFailure, FailedOrder, Progress } from "../endpoints/mod.ts";
import { type AuctionResponse, listIds, walkAuctions } from "../endpoints/walk_auctions.ts";
import {
  DecodeError,
  InputError,
  NotFoundError,
  NotRecordedError,
  type OrderlensError,
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
import {
  type Competition,
  type DebugReport,
  encodeCompetition,
  type Order,
  type Trade,
} from "../schemas/mod.ts";
import { IN_PROCESS_URL } from "./connect.ts";
import { FinalOrders, type GatheredOrder, hasAllFills } from "./final_orders.ts";
import {
  type AccountsRead,
  collectAccountUids,
  collectBidUids,
  collectListedUids,
  collectWinningUids,
} from "./find_auction.ts";
import { HexMap } from "../units/mod.ts";
import { type EarlierOrders, gatherRecords } from "./gather_orders.ts";
import type { OrderBook } from "./order_book.ts";

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
  /**
   * Folder that caches timestamps of blocks and, of a network or a URL, final orders with their fills.
   *
   * @default {none; nothing is written}
   */
  cacheFolder?: string | undefined;
  /**
   * Result of an earlier call with the same options: what cannot change any more is not requested again.
   *
   * @default {none}
   */
  earlier?: RecentAuctions | null | undefined;
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
  earlier: defineRule(
    "a result of recentAuctions, or null",
    (value) => value === null || Array.isArray(Object(value).competitions),
  ),
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
  const { ids, competitions: walked } = await readCompetitions(book, options);
  const { uids, accounts } = await selectUids(book, walked, options);
  const bidOn = new Set(collectBidUids(walked));
  const gathered = await gatherRecords(book, uids, {
    concurrency,
    signal,
    onProgress: (progress) => options.onProgress?.({ phase: "orders", ...progress }),
    needsFills: (uid) => bidOn.has(uid),
    earlier: selectEarlier(walked, options),
    finalOrders: cacheFolder !== undefined && isRemote(book)
      ? new FinalOrders(cacheFolder, book.baseUrl)
      : null,
  });
  const { records } = gathered;
  const competitions = await readSettlements(book, { competitions: walked, records }, options);
  const orders = records.map(({ order }) => order);
  const trades = records.flatMap((record) => record.trades);
  const debugReports = records.flatMap(({ debugReport }) => debugReport ?? []);
  const times = await readTimes(node, competitions, {
    orders,
    trades,
    debugReports,
    known: options.earlier?.times,
    ...(cacheFolder === undefined || node === null ? {} : { cacheFolder }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ids, competitions, ...gathered, orders, trades, debugReports, times, accounts };
}

/** Whether a book gets new auctions: a deployment, also one in this process. */
export function isLive({ baseUrl }: OrderBook): boolean {
  return /^https?:/i.test(baseUrl);
}

/** Whether responses come over the network, from a live deployment. */
export function isRemote(book: OrderBook): boolean {
  return isLive(book) && book.baseUrl !== IN_PROCESS_URL;
}

/** Selects what an earlier call knows of orders, by the competitions that are new or changed since. */
function selectEarlier(
  competitions: readonly Competition[],
  { earlier }: RecentAuctionsOptions,
): EarlierOrders | null {
  if (earlier == null) return null;
  const isKnown = new Set(earlier.competitions);
  const newAuctions = competitions.filter((competition) => !isKnown.has(competition));
  const listedUids = new Set(collectListedUids(newAuctions));
  return {
    records: earlier.records,
    reportsRefused: earlier.reportsRefused,
    missing: new Set(earlier.missing.filter((uid) => !listedUids.has(uid))),
    hasNewAuctions: newAuctions.length > 0,
  };
}

/**
 * The id above which a gap may still get a competition: a quote on the fast path takes an id up to an
 * hour before its order has an auction. Ids below the first competition are not waited for.
 */
function findLastPastId(competitions: readonly Competition[], nowMs: number): number {
  const isPast = (competition: Competition) =>
    nowMs > findFirstExpiryMs(competition) + QUOTE_VALIDITY_MS;
  return (competitions.findLast(isPast) ?? competitions[0])?.auctionId ?? Infinity;
}

async function readCompetitions(
  book: OrderBook,
  options: RecentAuctionsOptions,
): Promise<{ ids: number; competitions: readonly Competition[] }> {
  const { auctions: last, signal, earlier } = options;
  try {
    const latest = await book.competition("latest", { signal }).catch(ignoreNotFound);
    const earlierLast = earlier?.competitions.at(-1)?.auctionId ?? -1;
    // A replica that lags behind does not take back what another one has shown.
    const to = Math.max(latest?.auctionId ?? -1, earlierLast);
    if (to === -1) return { ids: 0, competitions: [] };
    const from = Math.max(0, to - last + 1);
    const earlierById = new Map(
      (earlier?.competitions ?? []).map((competition) => [competition.auctionId, competition]),
    );
    const isGap = (id: number) =>
      id <= earlierLast && id > earlierLast - earlier!.ids && !earlierById.has(id);
    const pendingAfter = findLastPastId(earlier?.competitions ?? [], book.clock.now());
    const ids = [...listIds(from, to)].filter((id) => !isGap(id) || id > pendingAfter);
    const cache = new Map(
      [...earlierById].map(([id, competition]) => [id, toResponse(competition)]),
    );
    // A recording may have it as it was at another time.
    if (latest !== null && isLive(book)) cache.set(latest.auctionId, toResponse(latest));
    const responses = await readIds(book, ids, { ...options, cache });
    const competitions = responses.map((competition) =>
      keepEqual(earlierById.get(competition.auctionId), competition)
    );
    return { ids: to - from + 1, competitions };
  } catch (error) {
    const recorded = findRecordedIds(book);
    if (!(error instanceof NotRecordedError) || recorded === null) throw error;
    const ids = (await recorded()).slice(-last);
    return { ids: ids.length, competitions: await readIds(book, ids, options) };
  }
}

/**
 * Requests earlier competitions again whose winners may have been settled since. A solution is settled
 * only if each of its orders has a fill in a transaction that settled no other solution.
 */
async function readSettlements(
  book: OrderBook,
  { competitions, records }: Pick<RecentAuctions, "competitions" | "records">,
  options: RecentAuctionsOptions,
): Promise<readonly Competition[]> {
  if (options.earlier == null) return competitions;
  const earlier = new Set(options.earlier.competitions);
  const nowMs = book.clock.now();
  const hashes = competitions.flatMap(({ solutions }) =>
    solutions.flatMap(({ txHash }) => txHash ?? [])
  );
  const settled = new HexMap(hashes.map((hash) => [hash, true]));
  const orders = new HexMap(records.map((record) => [record.order.uid, record]));
  const mayBeFilled = (uid: string) => {
    const record = orders.get(uid);
    return record === undefined || !hasAllFills(record) ||
      record.trades.some(({ txHash }) => txHash === null || !settled.has(txHash));
  };
  const ids = competitions.filter((competition) =>
    earlier.has(competition) && !isFinalCompetition(competition, nowMs) &&
    competition.solutions.some(({ isWinner, txHash, orders }) =>
      isWinner && txHash == null && orders.every(({ id }) => mayBeFilled(id))
    )
  ).map(({ auctionId }) => auctionId);
  const read = await readIds(book, ids, { ...options, onProgress: undefined });
  const readById = new Map(read.map((competition) => [competition.auctionId, competition]));
  return competitions.map((competition) =>
    keepEqual(competition, readById.get(competition.auctionId) ?? competition)
  );
}

/** Returns the earlier of two competitions of an auction, unless they differ. */
function keepEqual(before: Competition | undefined, competition: Competition): Competition {
  const isSame = before !== undefined && before !== competition &&
    JSON.stringify(encodeCompetition(before)) === JSON.stringify(encodeCompetition(competition));
  return isSame ? before : competition;
}

function toResponse(competition: Competition): AuctionResponse {
  return { competition, error: null };
}

/** Reads the competitions of ids; an id without one is a gap. */
async function readIds(
  book: OrderBook,
  ids: readonly number[],
  { concurrency, signal, onProgress, cache }: RecentAuctionsOptions & {
    readonly cache?: Map<number, AuctionResponse>;
  },
): Promise<Competition[]> {
  const competitions: Competition[] = [];
  const subject = `competitions ${ids[0]} to ${ids.at(-1)}`;
  const failures = new Failures<CompetitionFailure>(subject, undefined);
  let done = 0;
  const now = () => book.clock.now();
  for await (const step of walkAuctions(book.transport, ids, { concurrency, signal, cache, now })) {
    onProgress?.({ phase: "auctions", done: ++done, total: ids.length });
    const { id, competition, error } = step;
    if (competition !== null) competitions.push(competition);
    else if (error instanceof DecodeError) failures.add({ auctionId: id, error });
    else if (!(error instanceof NotFoundError)) throw error;
  }
  failures.throwIfAny();
  return competitions;
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
  return await readTimes(source, [...competitions], options);
}

/** Reads the times of auctions and fills, without requests for blocks that are `known`. */
async function readTimes(
  source: NodeSource | null,
  auctions: readonly DatedAuction[],
  options: GatherTimesOptions & { readonly known?: AuctionTimes | undefined },
): Promise<AuctionTimes> {
  const { orders, trades = [], debugReports, known, ...sending } = options;
  auctions.forEach(requireDecoded);
  const evidence = { ...orders && { orders }, ...debugReports && { debugReports } };
  if (source === null) return new AuctionTimes(auctions, evidence);
  const blocks = new Set(auctions.map(({ auctionStartBlock }) => auctionStartBlock));
  for (const trade of trades) blocks.add(Object(trade).blockNumber);
  const stated = [...blocks].map((block) => [block, known?.statedBlock(block) ?? null] as const);
  const unknown = stated.flatMap(([block, time]) => time === null ? block : []);
  const read = await blockTimes(source, unknown, sending);
  for (const [block, time] of stated) if (time !== null) read.set(block, time);
  return new AuctionTimes(auctions, { ...evidence, blockTimes: read });
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
