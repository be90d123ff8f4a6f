import { OrderBook, type RecentAuctions } from "../client/mod.ts";
import type { NodeSource } from "../evm/mod.ts";
import type { Market } from "../market/mod.ts";
import { buildOrderReport } from "../reports/order/inspect_order.ts";
import { reportDeployment } from "../reports/order/order_report.ts";
import { ORDER_CAUSES } from "../reports/order/verdicts.ts";
import { CellFormatter } from "../reports/page/cell_formatter.ts";
import { createTokenReader, namePageTokens } from "../reports/page/node_tokens.ts";
import type { Order, Trade } from "../schemas/mod.ts";
import type { TokenOptions } from "../tables/columns/lookups.ts";
import { pluralize } from "../units/format.ts";
import { sameHex } from "../units/mod.ts";
import { createFillsExplorer } from "./explorations.ts";
import { type ExplorerSource, hasRpc, type OpenedSource } from "./explorer_source.ts";
import { Cache, memoize } from "./cache.ts";
import { createLiveReader, createMarketReader, readRecording } from "./list_sources.ts";
import { Listing, type Names } from "./listing.ts";
import type { ListRows } from "./lists.ts";
import { followCompetitions, toAuctionRow } from "./recent_competitions.ts";
import { createSqlQueries, type QueryLimits } from "./sql_queries.ts";

/** Shared context of all explorer pages. */
export type PageContext = ReturnType<typeof createPageContext>;

/** Options of {@linkcode createPageContext}. */
interface PageContextOptions {
  /** The source as it was given. */
  readonly rawSource: ExplorerSource;
  /** A node, if one is named. */
  readonly node: NodeSource | undefined;
  /** Cache lifetime of responses of a deployment, in milliseconds. */
  readonly freshMs: number;
  /** Aborts requests and queries. */
  readonly signal: AbortSignal;
  /** Limits of queries in SQL. @default {those of a server} */
  readonly queryLimits?: QueryLimits | undefined;
}

/** Milliseconds for which the market of a live sandbox is used. */
const MARKET_FRESH_MS = 15_000;

/** Auctions of what has ended on the page of the newest ones. */
const NEWEST_COUNT = 25;

/** Creates the context of all pages, without any request. */
export function createPageContext(
  source: OpenedSource,
  { rawSource, node, freshMs, signal, queryLimits }: PageContextOptions,
) {
  const { book, isLocal, isFixed } = source;
  const recent = isFixed ? null : followCompetitions(book, { freshMs, signal });
  const { tokens } = source;
  // A sandbox answers as a node does.
  const chainNode = node ?? (hasRpc(rawSource) ? rawSource : source.node);
  const deployment = reportDeployment(book);
  const createWords = (facts: TokenOptions, addresses: Iterable<string> = []) =>
    new CellFormatter(namePageTokens(addresses, facts, deployment));
  const words = createWords(tokens);
  const readTokens = createTokenReader(chainNode, {
    chainId: book.chainId,
    known: tokens,
    signal,
  });
  // Tables need native code, so they are loaded for the first page that shows them.
  const openFixed = async () => {
    const { openMarket } = await import("../market/mod.ts");
    return await openMarket(rawSource, { signal });
  };
  const origin = rawSource instanceof OrderBook ? rawSource.transport : rawSource;
  const market = isFixed ? memoize(openFixed) : memoize(
    createMarketReader(book, origin, signal),
    { freshMs: MARKET_FRESH_MS },
  );
  const lowerCase = (addresses: Iterable<string>) =>
    [...addresses].map((address) => address.toLowerCase());
  const names: Names = {
    addresses: {
      solver: lowerCase(source.solvers.keys()),
      token: lowerCase(source.tokenAddresses),
    },
    isToken: (address, word) =>
      sameHex(address, word) || words.token(address).text.toLowerCase() === word.toLowerCase(),
    isSolver: (address, word) =>
      sameHex(address, word) ||
      source.solverName(address)?.toLowerCase() === word.toLowerCase(),
  };
  /** Queries of lists that run. */
  const queries = new Set<Promise<unknown>>();
  const toListing = (market: Market, note: string) =>
    new Listing({ market, note, names, running: queries });
  const listRecords = async (records: () => Promise<RecentAuctions>, note: string) => {
    const { Market } = await import("../market/mod.ts");
    return toListing(new Market({ book, origin, records }, { signal }), note);
  };
  const live = recent === null ? null : createLiveReader(book, recent, {
    isLocal,
    node: chainNode,
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
        await readRecording(book, recorded, await (await market()).records(), signal);
      return await listRecords(records, "All of the recording.");
    }
    const listing = toListing(await market(), "All of the dataset.");
    const settlements = await listing.select<{ tx_hash: string; auction_id: number }>(
      "SELECT lower(tx_hash) AS tx_hash, auction_id FROM solutions WHERE is_winner AND " +
        "tx_hash IS NOT NULL UNION SELECT unnest(string_split(lower(tx_hashes), ' ')), auction_id " +
        "FROM auctions WHERE tx_hashes IS NOT NULL ORDER BY auction_id, tx_hash",
    );
    for (const { tx_hash, auction_id } of settlements) source.settledIn?.set(tx_hash, auction_id);
    return listing;
  };
  let newest: Listing | null = null;
  const listing = memoize(async () => {
    const earlier = newest;
    newest = await openListing();
    await earlier?.replace();
    return newest;
  }, { freshMs: isFixed ? Infinity : freshMs });
  const lastAuctions = memoize(async () =>
    await (await listing()).rows("auctions", { limit: NEWEST_COUNT })
  );

  return {
    ...names,
    source,
    /** A node, for times and balances; `null` without one. */
    node: chainNode,
    /** Aborts requests and queries. */
    signal,
    /** Its newest auctions, as they are now. */
    newestAuctions: async (): Promise<readonly ListRows["auctions"][]> =>
      recent === null ? await lastAuctions() : (await recent.competitions()).map(toAuctionRow),
    /** Its lists as they are now. */
    listing,
    /** Orders and fills of a live deployment as lists; to be replaced after use. */
    listRecords: async (orders: readonly Order[], trades: readonly Trade[]) =>
      await listRecords(() => Promise.resolve(live!.toRecords(orders, trades)), ""),
    /** Resolves when no query of a list runs. */
    settle: async (): Promise<void> => void await Promise.allSettled(queries),
    /** Describes a dataset; `null` for other sources. */
    describe: memoize(async () => {
      if (source.dataset === null) return null;
      // Reads columns with native code: only who opens a dataset needs it.
      const { describeDataset } = await import("../datasets/reading/describe_dataset.ts");
      return await describeDataset(source.dataset.folder);
    }),
    /** Its fills, to be explored. */
    fills: createFillsExplorer(source, market),
    sql: createSqlQueries(source, market, { ending: signal, limits: queryLimits }),
    /** Judges an order of a list, or not: `null`; there is none where lists have no verdicts. */
    verdictOf: createJudge(source, signal),
    /** Writes amounts and tokens that the source or the files that ship name. */
    words,
    /** Facts about tokens, those included that only a node knows. */
    readTokens: async (addresses: Iterable<string>) => (await readTokens(addresses)).tokens,
    /** Writes amounts of the tokens of some rows. */
    nameTokensOf: async (rows: readonly object[]) => {
      const addresses = listRowTokens(rows);
      return createWords((await readTokens(addresses)).tokens, addresses);
    },
    /** Milliseconds for which pages are kept. */
    freshMs: isFixed ? Infinity : freshMs,
  };
}

/** Lists the addresses of the tokens of rows of orders or fills. */
export function listRowTokens(rows: readonly object[]): ReadonlySet<string> {
  return new Set(rows.flatMap((row) =>
    ["sell_token", "buy_token"].flatMap((column) => {
      const token: unknown = Reflect.get(row, column);
      return typeof token === "string" ? [token.toLowerCase()] : [];
    })
  ));
}

/** Verdicts that are kept: some tens of bytes each. */
const MAX_VERDICTS = 200_000;
/** A deployment that goes on may come to another verdict. */
const VERDICT_FRESH_MS = 30_000;

/** Classes of verdicts: what they begin with, or the whole verdict. */
export const VERDICT_CLASSES: readonly string[] = [
  "expired",
  "open",
  "partly_filled",
  ...ORDER_CAUSES,
];

/**
 * Judges orders of lists when they are requested; `null` where whole lists are not judged: each takes
 * several requests elsewhere.
 */
function createJudge(
  { book, solvers, isLocal, isFixed }: OpenedSource,
  signal: AbortSignal,
): ((uid: string) => Promise<string | null>) | null {
  if (!isLocal) return null;
  const cache = new Cache<string>({
    maxWeight: MAX_VERDICTS,
    freshMs: isFixed ? Infinity : VERDICT_FRESH_MS,
  });
  return (uid: string) =>
    cache.get(uid, async () => (await buildOrderReport(book, uid, { solvers, signal })).verdict);
}

/** Whether a verdict is of a class: it begins or ends with it, or is it. */
export function isInClass(verdict: string, word: string): boolean {
  return verdict === word || verdict.startsWith(`${word}_`) || verdict.endsWith(`_${word}`);
}
