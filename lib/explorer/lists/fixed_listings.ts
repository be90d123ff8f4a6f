import type { OrderBook } from "../../client/mod.ts";
import { tradesOf } from "../../client/trades_of.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { Recorded } from "../../recordings/mod.ts";
import type { Trade } from "../../schemas/mod.ts";
import { takeTurns } from "../caching/take_turns.ts";
import type { DatasetRecords } from "../source/explorer_source.ts";
import { auctionRow, orderRow, tradeRow } from "./list_rows.ts";
import {
  type Listing,
  listingOf,
  type Listings,
  MOST_ROWS,
  newerAuction,
  newerOrder,
  newerTrade,
  NewestRows,
} from "./listing.ts";

/** The lists of a recording or a dataset, whose records are read once, when they are asked for. */
export class FixedListings implements Listings {
  readonly #read: () => Promise<Listing>;
  #listing: Promise<Listing> | null = null;

  /** @param read Reads all records. */
  constructor(read: () => Promise<Listing>) {
    this.#read = read;
  }

  /** The rows. Reading them is tried again after a failure. */
  async current(): Promise<Listing> {
    const reading = this.#listing ??= this.#read();
    try {
      return await reading;
    } catch (error) {
      if (this.#listing === reading) this.#listing = null;
      throw error;
    }
  }
}

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
