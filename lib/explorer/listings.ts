import type { OrderBook } from "../client/mod.ts";
import { tradesOf } from "../client/trade_request.ts";
import { NotRecordedError } from "../errors/mod.ts";
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

/** The lists of a dataset. */
export async function datasetListing(
  dataset: DatasetRecords,
  signal: AbortSignal,
): Promise<Listing> {
  const orders = new NewestRows(newerOrder);
  const auctions = new NewestRows(newerAuction);
  const trades = new NewestRows(newerTrade);
  const add = async <Record>(records: AsyncIterable<Record>, one: (record: Record) => void) => {
    for await (const record of records) {
      signal.throwIfAborted();
      one(record);
    }
  };
  await add(dataset.orders(), (order) => orders.add(orderRow(order)));
  await add(dataset.competitions(), (each) => auctions.add(auctionRow(each)));
  await add(dataset.trades(), (trade) => trades.add(tradeRow(trade)));
  return together({ orders, auctions, trades }, "of the dataset");
}

/** The lists of a recording. */
export async function recordedListing(
  book: OrderBook,
  recorded: Recorded,
  signal: AbortSignal,
): Promise<Listing> {
  const orders = new NewestRows(newerOrder);
  const auctions = new NewestRows(newerAuction);
  const trades = new NewestRows(newerTrade);
  const known = await book.orders(recorded.orderUids);
  for await (const order of takeTurns(known.orders, signal)) {
    orders.add(orderRow(order));
    if (order.executedSellAmount === 0n && order.executedBuyAmount === 0n) continue;
    for (const trade of await recordedTrades(book, order.uid)) trades.add(tradeRow(trade));
  }
  for await (const auctionId of takeTurns(recorded.auctionIds, signal)) {
    auctions.add(auctionRow(await book.competition(auctionId)));
  }
  return together({ orders, auctions, trades }, "of the recording");
}

async function recordedTrades(book: OrderBook, uid: string): Promise<Trade[]> {
  try {
    return await tradesOf(book, uid, {});
  } catch (error) {
    if (error instanceof NotRecordedError) return [];
    throw error;
  }
}

interface Rows {
  readonly orders: NewestRows<Listing["orders"][number]>;
  readonly auctions: NewestRows<Listing["auctions"][number]>;
  readonly trades: NewestRows<Listing["trades"][number]>;
}

function together({ orders, auctions, trades }: Rows, where: string): Listing {
  const isCut = [orders, auctions, trades].some(({ count }) => count > MOST_ROWS);
  return listingOf({
    orders: orders.rows(),
    auctions: auctions.rows(),
    trades: trades.rows(),
    note: isCut ? `The newest ${MOST_ROWS} of each ${where}.` : `All ${where}.`,
  });
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

/** The lists of a source. */
export interface Listings {
  /** The rows as they are now. */
  current(): Promise<Listing>;
}

/** The newest rows of any number, within a bound. */
class NewestRows<Row> {
  readonly #isNewer: (a: Row, b: Row) => number;
  readonly #most: number;
  #rows: Row[] = [];
  #count = 0;

  /** @param isNewer Sorts rows, the newest first. */
  constructor(isNewer: (a: Row, b: Row) => number, most: number = MOST_ROWS) {
    this.#isNewer = isNewer;
    this.#most = most;
  }

  /** Number of rows that were added. */
  get count(): number {
    return this.#count;
  }

  /** Adds one row; the oldest go. */
  add(row: Row): void {
    this.#count++;
    if (this.#rows.push(row) >= 2 * this.#most) this.#cut();
  }

  /** The rows, newest first. */
  rows(): Row[] {
    this.#cut();
    return this.#rows;
  }

  #cut(): void {
    this.#rows.sort(this.#isNewer);
    this.#rows.length = Math.min(this.#rows.length, this.#most);
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
