import { OrderBook, type RecentAuctions } from "../client/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import type { Market } from "../market/mod.ts";
import { judgedReport } from "../reports/order/inspect_order.ts";
import { ORDER_CAUSES } from "../reports/order/verdicts.ts";
import { PageWords } from "../reports/page/page_words.ts";
import type { Order, Trade } from "../schemas/mod.ts";
import { pluralize } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import { exploredFills } from "./explorations.ts";
import { type ExplorerSource, hasRpc, type OpenedSource } from "./explorer_source.ts";
import { Kept, keptOne } from "./kept.ts";
import { liveRecords, readRecorded } from "./list_sources.ts";
import { Listing, type Names } from "./listing.ts";
import type { ListRows } from "./lists.ts";
import { auctionRow, recentCompetitions } from "./recent_competitions.ts";
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

/** Auctions of what has ended on the page of the newest ones. */
const NEWEST = 25;

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
  const lowerCase = (addresses: Iterable<string>) =>
    [...addresses].map((address) => address.toLowerCase());
  const names: Names = {
    named: {
      solver: lowerCase(source.solvers.keys()),
      token: lowerCase(source.symbols.keys()),
    },
    isToken: (address, word) =>
      sameHex(address, word) || words.token(address).text.toLowerCase() === word.toLowerCase(),
    isSolver: (address, word) =>
      sameHex(address, word) ||
      source.solverName(address)?.toLowerCase() === word.toLowerCase(),
  };
  /** Queries of lists that run. */
  const running = new Set<Promise<unknown>>();
  const origin = given instanceof OrderBook ? given.transport : given;
  const toListing = (market: Market, note: string) => new Listing({ market, note, names, running });
  const listRecords = async (records: () => Promise<RecentAuctions>, note: string) => {
    const { Market } = await import("../market/mod.ts");
    return toListing(new Market({ book, origin, records }, { signal }), note);
  };
  const live = recent === null ? null : liveRecords(book, recent, {
    isLocal,
    node: node ?? (hasRpc(given) ? given : source.node),
    signal,
  });

  const openListing = async (): Promise<Listing> => {
    if (live !== null) {
      const records = await live.read();
      const count = pluralize(records.competitions.length, "auction");
      const note = `From the newest ${count}: the deployment has no list of all orders.`;
      return await listRecords(() => Promise.resolve(records), note);
    }
    if (source.recorded !== null) {
      const { recorded } = source;
      const records = async () =>
        await readRecorded(book, recorded, await (await market()).records(), signal);
      return await listRecords(records, "All of the recording.");
    }
    const listing = toListing(await market(), "All of the dataset.");
    const settled = await listing.select<{ tx_hash: string; auction_id: number }>(
      "SELECT lower(tx_hash) AS tx_hash, auction_id FROM solutions WHERE is_winner AND " +
        "tx_hash IS NOT NULL UNION SELECT unnest(string_split(lower(tx_hashes), ' ')), auction_id " +
        "FROM auctions WHERE tx_hashes IS NOT NULL",
    );
    for (const { tx_hash, auction_id } of settled) source.settledIn?.set(tx_hash, auction_id);
    return listing;
  };
  let newest: Listing | null = null;
  const listing = keptOne(async () => {
    const earlier = newest;
    newest = await openListing();
    await earlier?.replace();
    return newest;
  }, { freshMs: isFixed ? Infinity : freshMs });
  const lastAuctions = keptOne(async () =>
    await (await listing()).rows("auctions", { limit: NEWEST })
  );

  return {
    ...names,
    source,
    /** A node, for times and balances; `null` without one. */
    node: node ?? source.node,
    /** Ends what takes long. */
    signal,
    /** Its newest auctions, as they are now. */
    newestAuctions: async (): Promise<readonly ListRows["auctions"][]> =>
      recent === null ? await lastAuctions() : (await recent.competitions()).map(auctionRow),
    /** Its lists as they are now. */
    listing,
    /** Orders and fills of a live deployment as lists; to be replaced after use. */
    listRecords: async (orders: readonly Order[], trades: readonly Trade[]) =>
      await listRecords(() => Promise.resolve(live!.toRecords(orders, trades)), ""),
    /** Resolves when no query of a list runs. */
    settle: async (): Promise<void> => void await Promise.allSettled(running),
    /** Its fills, to be explored. */
    fills: exploredFills(source, market),
    sql: sqlQueries(source, market, signal),
    /** Judges an order of a list; `null` where lists have no verdicts. */
    verdictOf: verdictsOf(source, signal),
    /** Writes amounts and tokens. */
    words,
    /** Milliseconds for which pages are kept. */
    freshMs: isFixed ? Infinity : freshMs,
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
