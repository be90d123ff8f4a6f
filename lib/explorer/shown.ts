import type { OrderBook } from "../client/mod.ts";
import { tradesOf } from "../client/trade_request.ts";
import { readAuction, walkAuctions } from "../endpoints/walk_auctions.ts";
import { NotFoundError, NotRecordedError } from "../errors/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import { judgedReport } from "../reports/order/inspect_order.ts";
import { ORDER_CAUSES } from "../reports/order/verdicts.ts";
import { PageWords } from "../reports/page/page_words.ts";
import type { Competition, Order } from "../schemas/mod.ts";
import { counted } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import { exploredFills } from "./explorations.ts";
import { type ExplorerSource, hasRpc, type OpenedSource } from "./explorer_source.ts";
import { Kept, keptOne } from "./kept.ts";
import type { Names } from "./list_filters.ts";
import { type AuctionRow, auctionRow, orderRow, type TradeRow, tradeRow } from "./list_rows.ts";
import {
  datasetListing,
  type Listing,
  listingOf,
  newerOrder,
  newerTrade,
  recordedListing,
  timedListing,
} from "./listings.ts";
import { sqlQueries } from "./sql_queries.ts";

/** What all pages are made from. */
export type Shown = ReturnType<typeof shownOf>;

/** What {@linkcode shownOf} needs beside the source. */
interface ShownOptions {
  /** The source as it was given. */
  readonly given: ExplorerSource;
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
export function shownOf(source: OpenedSource, { given, node, freshMs, signal }: ShownOptions) {
  const { book, isLocal, isFixed } = source;
  const recent = isFixed ? null : recentCompetitions(book, { freshMs, signal });
  const words = new PageWords(source.tokens);
  // Tables need native code, so they are loaded for the first page that shows them.
  const market = keptOne(async () => {
    const { openMarket } = await import("../market/mod.ts");
    return await openMarket(given, { signal, ...!isFixed && { last: GOES_ON.last } });
  }, { freshMs: isFixed ? Infinity : GOES_ON.freshMs });
  const sql = sqlQueries(source, market, signal);
  // The records of a recording or a dataset are read once.
  const read = recent === null
    ? keptOne(() => fixedListing(source, signal))
    : keptOne(liveListing(book, recent, { isLocal, signal }), { freshMs });
  const { listing, times } = timedListing(read, {
    sql: isFixed ? sql : null,
    node: node ?? (hasRpc(given) ? given : source.node),
    signal,
  });
  const names: Names = {
    times,
    isToken: (address, word) =>
      sameHex(address, word) || words.token(address).text.toLowerCase() === word.toLowerCase(),
    isSolver: (address, word) =>
      sameHex(address, word) ||
      source.solverName(address)?.toLowerCase() === word.toLowerCase(),
  };
  return {
    ...names,
    source,
    /** A node, for times and balances; `null` without one. */
    node: node ?? source.node,
    /** Ends what takes long. */
    signal,
    /** Its newest auctions; `null` of recordings and datasets, which have no newer ones. */
    recent,
    /** Its lists as they are now. */
    listing,
    /** Its fills, to be explored. */
    fills: exploredFills(source, market),
    sql,
    /** Judges an order of a list; `null` where lists have no verdicts. */
    verdictOf: verdictsOf(source, signal),
    /** Writes amounts and tokens. */
    words,
    /** Milliseconds for which pages are kept. */
    freshMs: isFixed ? Infinity : freshMs,
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

/** Fills of orders, and how much each had sold when they were read. */
type Fills = Map<string, { readonly sold: bigint; readonly rows: readonly TradeRow[] }>;

/**
 * Reads the lists of a deployment that goes on: its newest auctions, the orders in them, and their
 * fills. An interface without lists of everything has no more to ask for.
 */
function liveListing(
  book: OrderBook,
  recent: RecentCompetitions,
  { isLocal, signal }: { readonly isLocal: boolean; readonly signal: AbortSignal },
): () => Promise<Listing> {
  const bound = isLocal ? "local" : "public";
  let fills: Fills = new Map();

  /** Reads fills only of orders that were executed since. */
  const readFills = async (orders: readonly Order[]) => {
    const read: Fills = new Map();
    let asked = 0;
    for (const { uid, executedSellAmount: sold } of orders) {
      const known = fills.get(uid);
      if (sold === 0n) continue;
      if (known?.sold === sold) read.set(uid, known);
      else if (asked++ < MOST_FILLS[bound]) {
        const rows = (await tradesOf(book, uid, { signal })).map(tradeRow);
        read.set(uid, { sold, rows });
      }
    }
    fills = read;
  };

  return async () => {
    const auctions = await recent.rows();
    const uids = await recent.uids(isLocal ? "listed" : "bids", MOST_ORDERS[bound]);
    const { orders } = uids.length === 0 ? { orders: [] } : await book.orders(uids, { signal });
    await readFills(orders);
    return listingOf({
      orders: orders.map(orderRow).sort(newerOrder),
      auctions,
      trades: [...fills.values()].flatMap(({ rows }) => rows).sort(newerTrade),
      note: `From the newest ${counted(auctions.length, "auction")}: ` +
        `the deployment has no list of all orders.`,
    });
  };
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

type RecentCompetitions = ReturnType<typeof recentCompetitions>;

/**
 * The newest auctions of a deployment that goes on, each asked for as rarely as possible.
 *
 * @param options `freshMs` is how long what is known is not asked for again; `signal` ends requests.
 */
export function recentCompetitions(
  book: OrderBook,
  { freshMs, signal, now = () => performance.now() }: {
    readonly freshMs: number;
    readonly signal?: AbortSignal;
    readonly now?: () => number;
  },
) {
  const auctions = new Map<number, RecentAuction>();
  /** Ids that are still to be asked for: a failed request is made again. */
  const wanted = new Set<number>();
  let upTo: number | null = null;

  const newest = () => [...auctions.values()].sort((a, b) => b.row.auctionId - a.row.auctionId);

  const add = (competition: Competition) => {
    const { auctionId, auction, solutions } = competition;
    const bids = new Set(solutions.flatMap(({ orders }) => orders.map(({ id }) => id)));
    const seenMs = auctions.get(auctionId)?.seenMs ?? now();
    // It goes behind the others, which are asked for before it next time.
    auctions.delete(auctionId);
    auctions.set(auctionId, {
      row: auctionRow(competition),
      bids: [...bids],
      listed: auction.orders,
      isOpen: solutions.some(({ isWinner, txHash }) => isWinner && txHash == null),
      seenMs,
    });
  };

  /** Auctions that may still be settled, those first that were not asked for the longest. */
  const open = () => {
    const nowMs = now();
    return [...auctions].flatMap(([id, { isOpen, seenMs }]) =>
      isOpen && nowMs - seenMs < SETTLES_WITHIN_MS ? id : []
    );
  };

  const refresh = keptOne(async () => {
    const { competition: latest, error } = await readAuction(book.transport, "latest", signal);
    if (error instanceof NotFoundError || error instanceof NotRecordedError) return;
    if (error !== null) throw error;
    const { auctionId } = latest;
    const oldest = Math.max(auctionId - (upTo === null ? FIRST : MOST_KEPT) + 1, 0);
    const from = upTo === null ? oldest : Math.max(upTo + 1, oldest);
    // After a long pause, what is older than the ids that are asked for would stand behind a hole.
    if (upTo !== null && from > upTo + 1) auctions.clear();
    for (let id = from; id < auctionId; id++) wanted.add(id);
    upTo = Math.max(upTo ?? 0, auctionId);
    add(latest);
    const again = open().filter((id) => id !== auctionId).slice(0, LOOKED_AT_AGAIN);
    for (const id of wanted) if (id < oldest) wanted.delete(id);
    const ids = [...wanted, ...again].filter((id) => id >= oldest);
    for await (const step of walkAuctions(book.transport, ids, { concurrency: 1, signal })) {
      wanted.delete(step.id);
      if (step.competition !== null) add(step.competition);
      else if (!(step.error instanceof NotFoundError || step.error instanceof NotRecordedError)) {
        // It is asked for again next time, after the others.
        wanted.add(step.id);
        break;
      }
    }
    for (const { row } of newest().slice(MOST_KEPT)) auctions.delete(row.auctionId);
  }, { freshMs, now });

  return {
    /** The newest auctions, the newest first. */
    rows: async (): Promise<AuctionRow[]> => {
      await refresh();
      return newest().map(({ row }) => row);
    },
    /** UIDs of the orders that somebody bid on, or that an auction listed, the newest first. */
    uids: async (which: "bids" | "listed", most: number): Promise<string[]> => {
      await refresh();
      const uids = new Set(newest().flatMap((auction) => auction[which]));
      return [...uids].slice(0, most);
    },
  };
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

/**
 * Judges orders of lists when they are asked for; `null` where whole lists are not judged: each takes
 * several requests elsewhere.
 */
function verdictsOf(
  { book, solvers, isLocal, isFixed }: OpenedSource,
  signal: AbortSignal,
) {
  if (!isLocal) return null;
  const kept = new Kept<string>({
    mostWeight: MOST_VERDICTS,
    freshMs: isFixed ? Infinity : FRESH_MS,
  });
  return (uid: string) =>
    kept.of(uid, async () => (await judgedReport(book, uid, { solvers, signal })).verdict);
}

/** Whether a verdict is of a class: it begins or ends with it, or is it. */
export function isOfClass(verdict: string, word: string): boolean {
  return verdict === word || verdict.startsWith(`${word}_`) || verdict.endsWith(`_${word}`);
}
