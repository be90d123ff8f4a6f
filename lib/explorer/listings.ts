import type { OrderBook } from "../client/mod.ts";
import { tradesOf } from "../client/trade_request.ts";
import { NotRecordedError, OrderlensError } from "../errors/mod.ts";
import { blockTimes, type NodeSource } from "../evm/mod.ts";
import type { Recorded } from "../recordings/mod.ts";
import type { Trade } from "../schemas/mod.ts";
import type { DatasetRecords } from "./explorer_source.ts";
import { takeTurns } from "./kept.ts";
import {
  type AuctionRow,
  auctionRow,
  type OrderRow,
  orderRow,
  type TradeRow,
  tradeRow,
} from "./list_rows.ts";
import { FailureError } from "./reply.ts";
import type { SqlQueries } from "./sql_queries.ts";

/** The lists of a dataset. */
export async function datasetListing(
  dataset: DatasetRecords,
  signal: AbortSignal,
): Promise<Listing> {
  return await newestListing("of the dataset", async ({ orders, auctions, trades }) => {
    const add = async <Record>(
      records: AsyncIterable<Record>,
      to: { readonly add: (record: Record) => void },
    ) => {
      for await (const record of records) {
        signal.throwIfAborted();
        to.add(record);
      }
    };
    await add(dataset.orders(), orders);
    await add(dataset.competitions(), auctions);
    await add(dataset.trades(), trades);
  });
}

/** The lists of a recording. */
export async function recordedListing(
  book: OrderBook,
  recorded: Recorded,
  signal: AbortSignal,
): Promise<Listing> {
  return await newestListing("of the recording", async ({ orders, auctions, trades }) => {
    const known = await book.orders(recorded.orderUids);
    for await (const order of takeTurns(known.orders, signal)) {
      orders.add(order);
      if (order.executedSellAmount === 0n && order.executedBuyAmount === 0n) continue;
      for (const trade of await recordedTrades(book, order.uid)) trades.add(trade);
    }
    for await (const auctionId of takeTurns(recorded.auctionIds, signal)) {
      auctions.add(await book.competition(auctionId));
    }
  });
}

async function recordedTrades(book: OrderBook, uid: string): Promise<Trade[]> {
  try {
    return await tradesOf(book, uid, {});
  } catch (error) {
    if (error instanceof NotRecordedError) return [];
    throw error;
  }
}

/** The newest records of each list, as far as there is room for them. */
async function newestListing(
  where: string,
  read: (lists: ReturnType<typeof newestLists>) => Promise<void>,
): Promise<Listing> {
  const lists = newestLists();
  await read(lists);
  const [orders, auctions, trades] = [
    lists.orders.rows(),
    lists.auctions.rows(),
    lists.trades.rows(),
  ];
  const isCut = Object.values(lists).some(({ count }) => count > MOST_ROWS);
  const note = isCut ? `The newest ${MOST_ROWS} of each ${where}.` : `All ${where}.`;
  return listingOf({ orders, auctions, trades, note });
}

function newestLists() {
  return {
    orders: new NewestRows(orderRow, newerOrder),
    auctions: new NewestRows(auctionRow, newerAuction),
    trades: new NewestRows(tradeRow, newerTrade),
  };
}

/** Rows of each list that are kept in memory; of larger datasets, the newest. */
const MOST_ROWS = 200_000;

/** What the lists show, newest first. */
export interface Listing {
  /** Orders by the time of their creation. */
  readonly orders: readonly OrderRow[];
  /** Auctions by their id. */
  readonly auctions: readonly AuctionRow[];
  /** Fills by block and log index. */
  readonly trades: readonly TradeRow[];
  /** Solvers that won an order, by its UID. */
  readonly solversOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Solver of a settlement, by its transaction. */
  readonly solverOf: ReadonlyMap<string, string>;
  /** What the lists hold, as a sentence. */
  readonly note: string;
}

/** The newest rows of any number of records, within a bound. */
class NewestRows<Record, Row> {
  readonly #rowOf: (record: Record) => Row;
  readonly #isNewer: (a: Row, b: Row) => number;
  readonly #rows: Row[] = [];

  /** Number of records that were added. */
  count = 0;

  /** @param isNewer Sorts rows, the newest first. */
  constructor(rowOf: (record: Record) => Row, isNewer: (a: Row, b: Row) => number) {
    this.#rowOf = rowOf;
    this.#isNewer = isNewer;
  }

  /** Adds one record; the oldest go. */
  add(record: Record): void {
    this.count++;
    if (this.#rows.push(this.#rowOf(record)) >= 2 * MOST_ROWS) this.rows();
  }

  /** The rows, newest first. */
  rows(): Row[] {
    this.#rows.sort(this.#isNewer);
    this.#rows.length = Math.min(this.#rows.length, MOST_ROWS);
    return this.#rows;
  }
}

/** Orders by their time, newest first. */
export function newerOrder(a: OrderRow, b: OrderRow): number {
  return b.createdMs - a.createdMs || (a.uid < b.uid ? -1 : 1);
}

/** Auctions by id, newest first. */
function newerAuction(a: AuctionRow, b: AuctionRow): number {
  return b.auctionId - a.auctionId;
}

/** Fills by their place on the chain, newest first. */
export function newerTrade(a: TradeRow, b: TradeRow): number {
  return b.block - a.block || b.logIndex - a.logIndex;
}

/** Puts rows together to a listing. */
export function listingOf(
  rows: Pick<Listing, "orders" | "auctions" | "trades" | "note">,
): Listing {
  const solverOf = new Map<string, string>();
  const solversOf = new Map<string, Set<string>>();
  for (const { settlements, won } of rows.auctions) {
    for (const { txHash, solver } of settlements) if (solver !== null) solverOf.set(txHash, solver);
    for (const { uid, solver } of won) addTo(solversOf, uid, solver);
  }
  for (const { uid, txHash } of rows.trades) {
    const solver = txHash === null ? undefined : solverOf.get(txHash);
    if (solver !== undefined) addTo(solversOf, uid, solver);
  }
  return { ...rows, solverOf, solversOf };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

/** When something happened, in unix milliseconds; `latest` is later where it is not known better. */
export interface Moment {
  readonly at: number;
  readonly latest: number | null;
}

/** When auctions began and orders were filled. */
export interface Times {
  /** When an auction began; `null` if that is unknown. */
  auction(row: AuctionRow): Moment | null;
  /** When a fill happened; `null` if that is unknown. */
  trade(row: TradeRow): Moment | null;
}

/** Rows of a table whose times are read. */
const MOST_TIMES = 200_000;

const AUCTION_TIMES = "SELECT auction_id, auction_at_ms, auction_time_max_ms FROM auctions";
const BLOCK_TIMES = "SELECT block_number, filled_at_ms, fill_time_max_ms FROM trades";

/** Blocks whose times are kept. */
const MOST_BLOCKS = 500_000;

/** Where times come from: the tables of what does not change, or a node. */
interface TimeSources {
  readonly sql: SqlQueries | null;
  readonly node: NodeSource | null;
  readonly signal: AbortSignal;
}

/** Lists that know when their rows happened, as far as tables or a node say. */
export function timedListing(
  read: () => Promise<Listing>,
  { sql, node, signal }: TimeSources,
): { readonly listing: () => Promise<Listing>; readonly times: Times } {
  const timed = new WeakMap<Listing, Promise<void>>();
  const blocks = new Map<number, Moment>();
  const auctions = new Map<number, Moment>();

  const select = async (sql: SqlQueries, query: string, into: Map<number, Moment>) => {
    await sql.run(query, MOST_TIMES, async (result) => {
      for await (const rows of result.parts()) {
        for (const row of rows) {
          const [key, at, latest] = Object.values(row).map((one) =>
            one === null ? null : Number(one)
          );
          if (key != null && at != null) into.set(key, { at, latest: latest ?? null });
        }
      }
    });
  };

  /** Asks a node for the blocks that are not known yet. */
  const ask = async (node: NodeSource, listing: Listing) => {
    if (blocks.size > MOST_BLOCKS) blocks.clear();
    const all = [
      ...listing.auctions.map((row) => row.startBlock),
      ...listing.trades.map((row) => row.block),
    ];
    const wanted = all.filter((block) => !blocks.has(block));
    for (const [block, time] of await blockTimes(node, wanted, { signal })) {
      blocks.set(block, { at: time.epochMilliseconds, latest: null });
    }
  };

  /** Where there is no answer, times stay unknown; while too many queries run, for now. */
  const readTimes = async (listing: Listing) => {
    try {
      if (sql !== null) {
        await select(sql, AUCTION_TIMES, auctions);
        await select(sql, BLOCK_TIMES, blocks);
      } else if (node !== null) await ask(node, listing);
    } catch (error) {
      if (error instanceof FailureError) timed.delete(listing);
      else if (!(error instanceof OrderlensError)) throw error;
    }
  };

  return {
    listing: async () => {
      const listing = await read();
      const reading = timed.get(listing) ?? readTimes(listing);
      timed.set(listing, reading);
      await reading;
      return listing;
    },
    times: {
      auction: ({ auctionId, startBlock }) =>
        auctions.get(auctionId) ?? blocks.get(startBlock) ?? null,
      trade: ({ block }) => blocks.get(block) ?? null,
    },
  };
}
