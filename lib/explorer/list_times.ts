import { OrderlensError } from "../errors/mod.ts";
import { blockTimes, type NodeSource } from "../evm/mod.ts";
import type { AuctionRow, TradeRow } from "./list_rows.ts";
import type { Listing, Listings } from "./listings.ts";
import { FailureError } from "./reply.ts";
import type { SqlQueries } from "./sql_queries.ts";

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
const MOST_READ = 200_000;

/** Blocks whose times are kept. */
const MOST_KEPT = 500_000;

/** Where times come from: the tables of what does not change, or a node. */
interface TimeSources {
  readonly sql: SqlQueries | null;
  readonly node: NodeSource | null;
  readonly signal: AbortSignal;
}

/** Lists that know when their rows happened, as far as tables or a node say. */
export class TimedListings implements Listings, Times {
  readonly #listings: Listings;
  readonly #sources: TimeSources;
  readonly #timed = new WeakMap<Listing, Promise<void>>();
  readonly #blocks = new Map<number, Moment>();
  readonly #auctions = new Map<number, Moment>();

  /** Asks for nothing yet. */
  constructor(listings: Listings, sources: TimeSources) {
    this.#listings = listings;
    this.#sources = sources;
  }

  /** The rows as they are now. */
  async current(): Promise<Listing> {
    const listing = await this.#listings.current();
    const reading = this.#timed.get(listing) ?? this.#read(listing);
    this.#timed.set(listing, reading);
    await reading;
    return listing;
  }

  /** When an auction began. */
  auction({ auctionId, startBlock }: AuctionRow): Moment | null {
    return this.#auctions.get(auctionId) ?? this.#blocks.get(startBlock) ?? null;
  }

  /** When a fill happened. */
  trade({ block }: TradeRow): Moment | null {
    return this.#blocks.get(block) ?? null;
  }

  /** Where there is no answer, times stay unknown; while too many queries run, for now. */
  async #read(listing: Listing): Promise<void> {
    const { sql } = this.#sources;
    try {
      if (sql === null) return await this.#ask(listing);
      await this.#select(
        sql,
        "auction_id, auction_at_ms, auction_time_max_ms",
        "auctions",
        this.#auctions,
      );
      await this.#select(
        sql,
        "block_number, filled_at_ms, fill_time_max_ms",
        "trades",
        this.#blocks,
      );
    } catch (error) {
      if (error instanceof FailureError) this.#timed.delete(listing);
      else if (!(error instanceof OrderlensError)) throw error;
    }
  }

  async #select(sql: SqlQueries, columns: string, from: string, into: Map<number, Moment>) {
    await sql.run(`SELECT ${columns} FROM ${from}`, MOST_READ, async (result) => {
      for await (const rows of result.parts()) {
        for (const row of rows) {
          const [key, at, latest] = Object.values(row).map((one) =>
            one === null ? null : Number(one)
          );
          if (key != null && at != null) into.set(key, { at, latest: latest ?? null });
        }
      }
    });
  }

  /** Asks a node for the blocks that are not known yet. */
  async #ask({ auctions, trades }: Listing): Promise<void> {
    const { node, signal } = this.#sources;
    if (node === null) return;
    if (this.#blocks.size > MOST_KEPT) this.#blocks.clear();
    const blocks = [...auctions.map((row) => row.startBlock), ...trades.map((row) => row.block)];
    const wanted = blocks.filter((block) => !this.#blocks.has(block));
    for (const [block, time] of await blockTimes(node, wanted, { signal })) {
      this.#blocks.set(block, { at: time.epochMilliseconds, latest: null });
    }
  }
}
