import type { NodeSource } from "../../evm/mod.ts";
import { PageWords } from "../../reports/page/page_words.ts";
import { sameHex } from "../../units/mod.ts";
import { datasetListing, FixedListings, recordedListing } from "../lists/fixed_listings.ts";
import type { Names } from "../lists/list_filters.ts";
import type { Listings } from "../lists/listing.ts";
import { LiveListings } from "../lists/live_listings.ts";
import { RecentCompetitions } from "../lists/recent_competitions.ts";
import { Verdicts } from "../lists/verdicts.ts";
import type { OpenedSource } from "../source/explorer_source.ts";

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
export interface ShownOptions {
  /** Source of time in milliseconds. */
  readonly now: () => number;
  /** A node, if one is named. */
  readonly node: NodeSource | undefined;
  /** Milliseconds for which what a deployment said is not asked for again. */
  readonly freshMs: number;
  /** Ends what takes long. */
  readonly signal: AbortSignal;
}

/** Prepares what pages need; nothing is asked for yet. */
export function shownOf(
  source: OpenedSource,
  { now, node, freshMs, signal }: ShownOptions,
): Shown {
  const { book, isLocal, isFixed } = source;
  const recent = isFixed ? null : new RecentCompetitions(book, { freshMs, now });
  const words = new PageWords(source.tokens);
  return {
    source,
    node: node ?? source.node,
    signal,
    recent,
    listings: recent === null
      ? new FixedListings(() => fixedListing(source, signal))
      : new LiveListings(book, { recent, isLocal, freshMs, now }),
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
