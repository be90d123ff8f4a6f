import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, CompetitionAuction, Solution } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { sameHex } from "../../units/mod.ts";
import { type ByUid, defineByUidRule, indexByUid } from "../not_computable.ts";
import { parseOrderAppData } from "../orders/calculate_status.ts";
import type { StoredQuote } from "../quotes/quote_baseline.ts";

/**
 * Path of an auction: `"regular"`, decided by the scores of its bids; `"fast_path"`, by the quote of its
 * only order, before regular auctions.
 */
export type AuctionPath = "regular" | "fast_path";

/**
 * Basis of the path of an auction.
 *
 * - `"shape"`: it lists several orders, a solution has several or another one, or not exactly one
 *   solution won: a regular auction, for certain
 * - `"app_data"`: the app data of its only order. Without `enableFastPath` it is regular, for certain.
 *   With it, it counts as fast, though a regular auction that lists no other order, after a fast attempt
 *   that failed, can look the same
 * - `"response"`: its filter flags, ranks, winner and reference score are as one of the two paths gives
 *   them, and as the other never does
 */
export type AuctionPathBasis = "shape" | "app_data" | "response";

/** The path of an auction and its basis; both `null` where the records fit both paths. */
export type RecognizedPath =
  | { readonly path: AuctionPath; readonly basis: AuctionPathBasis }
  | { readonly path: null; readonly basis: null };

/** The fields of an order that identify the fast path. An `Order` has them. */
export interface FastPathOrder {
  /** Its app data document; `null` or absent if unknown. */
  readonly fullAppData?: string | null | undefined;
  /** Its quote, whose solver wins on the fast path. */
  readonly quote?: StoredQuote & { readonly solver?: string | undefined } | null | undefined;
}

/** Records in addition to the auction. */
export interface AuctionPathOptions {
  /** Orders of the auction: their app data requests the fast path, or does not. */
  readonly orders?: ByUid<FastPathOrder> | undefined;
}

const OPTIONS: OptionRules<AuctionPathOptions> = { orders: defineByUidRule("orders by UID") };

/**
 * Recognises auctions on the fast path, which no response names.
 *
 * An order whose app data has `enableFastPath` may be settled by the solver of its quote alone. The
 * service stores that as an auction of this one order: the bids are those of the quote less volume fees,
 * the quote decides who wins, a bid whose score cannot be computed is filtered out with score 0, and the
 * reference score of the winner is the best score of the other bids that were not filtered out, which
 * may be above its own. {@linkcode AuctionPathBasis} states how certain each result is.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param options Its orders; without them, an auction that both paths explain has no path.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/40b135ba034ab790446b7a2f5ce3a44cdddcb3cb/crates/autopilot/src/fast_path.rs | the fast path of the service}
 *
 * @example The quote won, and another bid had the higher score
 * ```ts
 * import { recognizeAuctionPath } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = (solverAddress: string, score: bigint, ranking: number) => ({
 *   solverAddress,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: [{ id: "0x0f", sellAmount: 1n, buyAmount: 1n, sellToken: "0xa1", buyToken: "0xb2" }],
 *   isWinner: ranking === 1,
 *   filteredOut: false,
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   transactionHashes: [],
 *   referenceScores: { "0xa0": 60n },
 *   auction: { orders: ["0x0f"], prices: {} },
 *   solutions: [bid("0xb0", 60n, 2), bid("0xa0", 50n, 1)],
 * };
 *
 * assertEquals(recognizeAuctionPath(competition), { path: "fast_path", basis: "response" });
 * ```
 */
export function recognizeAuctionPath(
  competition: Competition,
  options: AuctionPathOptions = {},
): RecognizedPath {
  checkOptions(options, OPTIONS, "Cannot recognise the path of an auction");
  if (hasKnownPath(competition)) return competition[KNOWN_PATH];
  const uid = findOnlyOrder(competition);
  if (uid === null) return { path: "regular", basis: "shape" };
  const order = options.orders === undefined ? undefined : indexByUid(options.orders).get(uid);
  const isRequested = order === undefined ? null : requestsFastPath(order);
  if (isRequested === false) return { path: "regular", basis: "app_data" };
  const [isRegular, isFast] = [followsScores(competition), followsQuote(competition)];
  if (isFast !== isRegular) {
    return { path: isFast ? "fast_path" : "regular", basis: "response" };
  }
  return isRequested ? { path: "fast_path", basis: "app_data" } : { path: null, basis: null };
}

/** Whether the app data requests the fast path; `null` if the document is unknown. */
function requestsFastPath(order: FastPathOrder): boolean | null {
  const text = order.fullAppData;
  if (text === null || text === undefined) return null;
  // Most documents cannot have the member, and are not parsed.
  if (!text.includes("enableFastPath") && !text.includes("\\u")) return false;
  return parseOrderAppData(order)?.metadata?.enableFastPath === true;
}

const KNOWN_PATH: unique symbol = Symbol("known path");

/** Marks a part of an auction, and its copies, with the path that the whole of it has. */
export function markAuctionPath(competition: Competition, path: RecognizedPath): Competition {
  const markedCompetition: Competition & { [KNOWN_PATH]: RecognizedPath } = {
    ...competition,
    [KNOWN_PATH]: path,
  };
  return markedCompetition;
}

function hasKnownPath(
  competition: Competition,
): competition is Competition & { [KNOWN_PATH]: RecognizedPath } {
  return KNOWN_PATH in competition;
}

const PARTIAL_LIST: unique symbol = Symbol("partial list");

/** Marks an auction, and its copies, of which a reader read only some of the listed orders. */
export function markPartialList(auction: CompetitionAuction): CompetitionAuction {
  const markedAuction: CompetitionAuction & { [PARTIAL_LIST]: true } = {
    ...auction,
    [PARTIAL_LIST]: true,
  };
  return markedAuction;
}

/** Finds the one order of an auction in which each solution has this order alone and exactly one won. */
function findOnlyOrder({ auction, solutions }: Competition): string | null {
  const [listedUid, ...otherListed] = auction.orders;
  if (listedUid === undefined || otherListed.length > 0 || PARTIAL_LIST in auction) return null;
  if (solutions.filter(({ isWinner }) => isWinner).length !== 1) return null;
  const isAlone = ({ orders: [only, ...otherExecutions] }: Solution) =>
    only !== undefined && otherExecutions.length === 0 && sameHex(only.id, listedUid);
  return solutions.every(isAlone) ? listedUid : null;
}

/** Whether a regular auction of one pair can have this result: nothing filtered, the best score wins. */
function followsScores({ solutions, referenceScores }: Competition): boolean {
  const ranked = solutions.toSorted((a, b) => a.ranking - b.ranking);
  const winner = ranked[0]!;
  const reference = findByHex(referenceScores, winner.solverAddress);
  return winner.isWinner && ranked.every(({ filteredOut }) => !filteredOut) &&
    ranked.every(({ score }, index) => index === 0 || score <= ranked[index - 1]!.score) &&
    reference ===
      findBestScore(ranked.filter((solution) => !isOfSolver(solution, winner.solverAddress)));
}

/** Whether the fast path can give this result. */
function followsQuote(competition: Competition): boolean {
  const { solutions, referenceScores } = competition;
  const winner = solutions.find(({ isWinner }) => isWinner)!;
  const rivals = solutions.filter((solution) => solution !== winner && !solution.filteredOut);
  return !winner.filteredOut && Object.keys(referenceScores).length === 1 &&
    solutions.every(({ filteredOut, score }) => !filteredOut || score === 0n) &&
    findByHex(referenceScores, winner.solverAddress) === findBestScore(rivals);
}

function isOfSolver({ solverAddress }: Solution, solver: string): boolean {
  return sameHex(solverAddress, solver);
}

/** Finds the best score of some bids; 0 if there are none. */
export function findBestScore(bids: readonly Pick<Solution, "score">[]): bigint {
  return bids.reduce((best, { score }) => score > best ? score : best, 0n);
}

/** Finds the solution that wins on the fast path: of the quote's solver if it bid, else as reported. */
export function findQuoteWinner(
  { solutions }: Competition,
  order: FastPathOrder | undefined,
): number {
  const solver = order?.quote?.solver;
  const reportedIndex = solutions.findIndex(({ isWinner }) => isWinner);
  if (solver === undefined || isOfSolver(solutions[reportedIndex]!, solver)) return reportedIndex;
  const quoterIndex = solutions.findIndex((solution) =>
    isOfSolver(solution, solver) && !solution.filteredOut
  );
  return quoterIndex === -1 ? reportedIndex : quoterIndex;
}
