import type { OrderBook } from "../client/mod.ts";
import { tradesOf } from "../client/trade_request.ts";
import { isPartitioned } from "../datasets/layout/id_ranges.ts";
import { NotFoundError, NotRecordedError, OrderlensError } from "../errors/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import { inspectOrder } from "../reports/mod.ts";
import { ORDER_CAUSES } from "../reports/order/verdicts.ts";
import { PageWords } from "../reports/page/page_words.ts";
import type { Competition, Order } from "../schemas/mod.ts";
import { sameHex } from "../units/mod.ts";
import { ExploredFills } from "./explored_fills.ts";
import { type ExplorerSource, hasRpc, type OpenedSource } from "./explorer_source.ts";
import { TimedListings } from "./list_times.ts";
import { Kept } from "./kept.ts";
import { SqlQueries } from "./sql_queries.ts";
import type { Market } from "../market/mod.ts";
import type { Names } from "./list_filters.ts";
import { type AuctionRow, auctionRow, orderRow, type TradeRow, tradeRow } from "./list_rows.ts";
import {
  datasetListing,
  type Listing,
  listingOf,
  type Listings,
  newerOrder,
  newerTrade,
  recordedListing,
} from "./listings.ts";

/** What all pages are made from. */
export interface Shown extends Names {
  /** The source. */
  readonly source: OpenedSource;
  /** A node, for times and balances; `null` without one. */
  readonly node: NodeSource | null;
  /** Its lists. */
  readonly listings: Listings;
  /** Its newest auctions; `null` of recordings and datasets, which have no newer ones. */
  readonly recent: RecentCompetitions | null;
  /** Its tables and reports, of a source that costs nobody anything. */
  readonly market: () => Promise<Market>;
  /** Its fills, to be explored. */
  readonly fills: ExploredFills;
  /** Its tables in SQL. */
  readonly sql: SqlQueries;
  /** Verdicts of orders in lists. */
  readonly verdicts: Verdicts;
  /** Writes amounts and tokens. */
  readonly words: PageWords;
  /** Ends what takes long. */
  readonly signal: AbortSignal;
  /** Milliseconds for which pages are kept. */
  readonly freshMs: number;
}

/** What {@linkcode shownOf} needs beside the source. */
interface ShownOptions {
  /** The source as it was given. */
  readonly given: ExplorerSource;
  /** Source of time in milliseconds. */
  readonly now: () => number;
  /** A node, if one is named. */
  readonly node: NodeSource | undefined;
  /** Milliseconds for which what a deployment said is not asked for again. */
  readonly freshMs: number;
  /** Ends what takes long. */
  readonly signal: AbortSignal;
}

/** Of a sandbox that goes on: auction ids whose tables are read, and for how long they are kept. */
const GOES_ON = { last: 100, freshMs: 15_000 };

/** Prepares what pages need; nothing is asked for yet. */
export function shownOf(
  source: OpenedSource,
  { given, now, node, freshMs, signal }: ShownOptions,
): Shown {
  const { book, isLocal, isFixed } = source;
  const recent = isFixed ? null : new RecentCompetitions(book, { freshMs, now });
  const words = new PageWords(source.tokens);
  // The records of a recording or a dataset are read once.
  const fixed = new Kept<Listing>({ mostWeight: 1, now });
  const markets = new Kept<Market>({
    mostWeight: 1,
    freshMs: isFixed ? Infinity : GOES_ON.freshMs,
    now,
  });
  // Tables need native code, so they are loaded for the first page that shows them.
  const market = () =>
    markets.of("all", async () => {
      const { openMarket } = await import("../market/mod.ts");
      return await openMarket(given, isFixed ? {} : { last: GOES_ON.last });
    });
  const sql = new SqlQueries(source, market, signal);
  const listings = new TimedListings(
    recent === null
      ? { current: () => fixed.of("all", () => fixedListing(source, signal)) }
      : new LiveListings(book, { recent, isLocal, freshMs, now }),
    { sql: isFixed ? sql : null, node: node ?? (hasRpc(given) ? given : source.node), signal },
  );
  return {
    source,
    node: node ?? source.node,
    signal,
    recent,
    listings,
    times: listings,
    market,
    fills: new ExploredFills(source, market),
    sql,
    verdicts: new Verdicts(source, now),
    words,
    freshMs: isFixed ? Infinity : freshMs,
    isToken: (address, word) =>
      sameHex(address, word) || words.token(address).text.toLowerCase() === word.toLowerCase(),
    isSolver: (address, word) =>
      sameHex(address, word) ||
      source.solverName(address)?.toLowerCase() === word.toLowerCase(),
  };
}

async function fixedListing(
  { book, dataset, recorded, settledIn }: OpenedSource,
  signal: AbortSignal,
) {
  if (dataset !== null) {
    const listing = await datasetListing(dataset, signal);
    for (const { auctionId, settlements } of listing.auctions) {
      for (const { txHash } of settlements) settledIn?.set(txHash.toLowerCase(), auctionId);
    }
    return listing;
  }
  if (recorded !== null) return await recordedListing(book, recorded, signal);
  throw new TypeError("This source goes on: it has no fixed lists");
}

/** Orders that are asked for: two requests of a public deployment. */
const MOST_ORDERS = { public: 256, local: 2_000 };

/** Orders whose fills are asked for at once, one request each. */
const MOST_FILLS = { public: 20, local: 2_000 };

/** What {@linkcode LiveListings} needs. */
interface LiveListingsOptions {
  /** The newest auctions. */
  readonly recent: RecentCompetitions;
  /** Whether the deployment is in this process. */
  readonly isLocal: boolean;
  /** Milliseconds for which the lists are not read again. */
  readonly freshMs: number;
  /** Source of time. */
  readonly now: () => number;
}

/** Fills of orders, and how much each had sold when they were read. */
type Fills = Map<string, { readonly sold: bigint; readonly rows: readonly TradeRow[] }>;

/**
 * The lists of a deployment that goes on: its newest auctions, the orders in them, and their fills.
 * An interface without lists of everything has no more to ask for.
 */
class LiveListings implements Listings {
  readonly #book: OrderBook;
  readonly #options: LiveListingsOptions;
  readonly #kept: Kept<Listing>;
  #fills: Fills = new Map();

  /** Asks for nothing yet. */
  constructor(book: OrderBook, options: LiveListingsOptions) {
    this.#book = book;
    this.#options = options;
    const { freshMs, now } = options;
    this.#kept = new Kept({ mostWeight: 1, freshMs, now });
  }

  /** The rows, at most as old as the options say. */
  async current(): Promise<Listing> {
    return await this.#kept.of("all", () => this.#read());
  }

  async #read(): Promise<Listing> {
    const { recent, isLocal } = this.#options;
    const bound = isLocal ? "local" : "public";
    const auctions = await recent.rows();
    const uids = await recent.uids(isLocal ? "listed" : "bids", MOST_ORDERS[bound]);
    const { orders } = uids.length === 0 ? { orders: [] } : await this.#book.orders(uids);
    await this.#readFills(orders, MOST_FILLS[bound]);
    return listingOf({
      orders: orders.map(orderRow).sort(newerOrder),
      auctions,
      trades: [...this.#fills.values()].flatMap(({ rows }) => rows).sort(newerTrade),
      note: `What the newest ${auctions.length} auctions hold: ` +
        `the deployment has no list of all orders.`,
    });
  }

  /** Reads fills only of orders that were executed since. */
  async #readFills(orders: readonly Order[], most: number): Promise<void> {
    const fills: Fills = new Map();
    let asked = 0;
    for (const { uid, executedSellAmount: sold } of orders) {
      const known = this.#fills.get(uid);
      if (sold === 0n) continue;
      if (known?.sold === sold) fills.set(uid, known);
      else if (asked++ < most) {
        const rows = (await tradesOf(this.#book, uid, {})).map(tradeRow);
        fills.set(uid, { sold, rows });
      }
    }
    this.#fills = fills;
  }
}

/** Auctions that are kept. */
const MOST_KEPT = 200;

/** Auctions that are asked for at the beginning. */
const FIRST = 25;

/** Settlements appear after their auction: as many are asked for again at a time, for half an hour. */
const LOOKED_AT_AGAIN = 10;
const SETTLES_WITHIN_MS = 1_800_000;

interface RecentAuction {
  readonly row: AuctionRow;
  readonly bids: readonly string[];
  readonly listed: readonly string[];
  /** Whether a winner has no settlement yet. */
  readonly isOpen: boolean;
  readonly seenMs: number;
}

/** The newest auctions of a deployment that goes on, each asked for as rarely as possible. */
export class RecentCompetitions {
  readonly #book: OrderBook;
  readonly #freshMs: number;
  readonly #now: () => number;
  readonly #auctions = new Map<number, RecentAuction>();
  /** Ids that are still to be asked for: a failed request is made again. */
  readonly #wanted = new Set<number>();
  #upTo: number | null = null;
  #lookedAt = -Infinity;
  #looking: Promise<void> | null = null;

  /** @param options `freshMs` is how long what is known is not asked for again. */
  constructor(book: OrderBook, { freshMs, now }: { freshMs: number; now: () => number }) {
    this.#book = book;
    this.#freshMs = freshMs;
    this.#now = now;
  }

  /** The newest auctions, the newest first. */
  async rows(): Promise<AuctionRow[]> {
    await this.#refresh();
    return this.#newest().map(({ row }) => row);
  }

  /** UIDs of the orders that somebody bid on, or that an auction listed, the newest first. */
  async uids(which: "bids" | "listed", most: number): Promise<string[]> {
    await this.#refresh();
    const uids = new Set<string>();
    for (const auction of this.#newest()) {
      for (const uid of auction[which]) {
        if (uids.size >= most) return [...uids];
        uids.add(uid);
      }
    }
    return [...uids];
  }

  #newest(): RecentAuction[] {
    return [...this.#auctions.values()].sort((a, b) => b.row.auctionId - a.row.auctionId);
  }

  async #refresh(): Promise<void> {
    if (this.#looking !== null) return await this.#looking;
    if (this.#now() - this.#lookedAt < this.#freshMs) return;
    this.#looking = this.#look();
    try {
      await this.#looking;
      this.#lookedAt = this.#now();
    } finally {
      this.#looking = null;
    }
  }

  async #look(): Promise<void> {
    const latest = await this.#competition("latest");
    if (latest === null) return;
    const { auctionId } = latest;
    const oldest = Math.max(auctionId - (this.#upTo === null ? FIRST : MOST_KEPT) + 1, 0);
    const from = this.#upTo === null ? oldest : Math.max(this.#upTo + 1, oldest);
    // After a long pause, what is older than the ids that are asked for would stand behind a hole.
    if (this.#upTo !== null && from > this.#upTo + 1) this.#auctions.clear();
    for (let id = from; id < auctionId; id++) this.#wanted.add(id);
    this.#upTo = Math.max(this.#upTo ?? 0, auctionId);
    this.#add(latest);
    const again = this.#open().filter((id) => id !== auctionId).slice(0, LOOKED_AT_AGAIN);
    for (const id of [...this.#wanted, ...again]) {
      this.#wanted.delete(id);
      try {
        const competition = id < oldest ? null : await this.#competition(id);
        if (competition !== null) this.#add(competition);
      } catch (error) {
        if (!(error instanceof OrderlensError)) throw error;
        // It is asked for again next time, after the others.
        this.#wanted.add(id);
        break;
      }
    }
    for (const { row } of this.#newest().slice(MOST_KEPT)) this.#auctions.delete(row.auctionId);
  }

  /** Auctions that may still be settled, those first that were not asked for the longest. */
  #open(): number[] {
    const now = this.#now();
    return [...this.#auctions].flatMap(([id, { isOpen, seenMs }]) =>
      isOpen && now - seenMs < SETTLES_WITHIN_MS ? id : []
    );
  }

  #add(competition: Competition): void {
    const { auctionId, auction, solutions } = competition;
    const bids = new Set(solutions.flatMap(({ orders }) => orders.map(({ id }) => id)));
    const seenMs = this.#auctions.get(auctionId)?.seenMs ?? this.#now();
    // It goes behind the others, which are asked for before it next time.
    this.#auctions.delete(auctionId);
    this.#auctions.set(auctionId, {
      row: auctionRow(competition),
      bids: [...bids],
      listed: auction.orders,
      isOpen: solutions.some(({ isWinner, txHash }) => isWinner && txHash == null),
      seenMs,
    });
  }

  async #competition(which: number | "latest"): Promise<Competition | null> {
    try {
      return await this.#book.competition(which);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof NotRecordedError) return null;
      throw error;
    }
  }
}

/** Verdicts that are kept: some tens of bytes each. */
const MOST_VERDICTS = 200_000;
/** A deployment that goes on may come to another verdict. */
const FRESH_MS = 30_000;

/** Classes of verdicts: what they begin with, or the whole verdict. */
export const VERDICT_CLASSES: readonly string[] = [
  "expired",
  "open",
  "partly_filled",
  ...ORDER_CAUSES,
];

/** The verdicts of orders in lists, judged when they are asked for. */
class Verdicts {
  readonly #source: OpenedSource;
  readonly #kept: Kept<string>;

  /** Judges nothing yet. */
  constructor(source: OpenedSource, now: () => number) {
    this.#source = source;
    this.#kept = new Kept({
      mostWeight: MOST_VERDICTS,
      freshMs: source.isFixed ? Infinity : FRESH_MS,
      now,
    });
  }

  /**
   * Whether verdicts of whole lists are judged: each takes several requests elsewhere, and a dataset
   * of several environments answers no request.
   */
  get areJudged(): boolean {
    const { isLocal, dataset } = this.#source;
    const files = dataset?.manifest?.files ?? [];
    return isLocal && !isPartitioned({ files });
  }

  /** The verdict of an order; `null` where lists have none. */
  async of(uid: string): Promise<string | null> {
    if (!this.areJudged) return null;
    const { book, solvers } = this.#source;
    return await this.#kept.of(uid, async () => {
      const { verdict } = await inspectOrder(book, uid, { solvers });
      return verdict;
    });
  }
}

/** Whether a verdict is of a class: it begins or ends with it, or is it. */
export function isOfClass(verdict: string, word: string): boolean {
  return verdict === word || verdict.startsWith(`${word}_`) || verdict.endsWith(`_${word}`);
}
