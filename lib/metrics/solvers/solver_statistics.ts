import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { groupByHex, nativeValue, type Ratio, ratio, sameHex } from "../../units/mod.ts";
import { anyRecord } from "../not_computable.ts";
import { findNativePrice, pricedSide } from "../prices/price_interval.ts";
import { type Concentration, concentration } from "./concentration.ts";
import { type Rate, rate, type SettlementOutcomes } from "./settlement_outcomes.ts";

/** Statistics of a solver over a set of auctions. */
export interface SolverStatistics {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Solutions it proposed. */
  readonly bids: number;
  /** Its solutions that were filtered out as unfair. */
  readonly filteredBids: number;
  /** Its solutions that won; several of them can win one auction. */
  readonly winningBids: number;
  /** Auctions won, with at least one solution, out of auctions bid in. */
  readonly winRate: Rate;
  /** Sum of the scores of its winning solutions, in native atoms. */
  readonly scoreWon: bigint;
  /** `scoreWon` as a share of the scores of all winning solutions; `null` if those sum to 0. */
  readonly scoreShare: Ratio | null;
  /** Sum of its reference scores, each once per auction, in native atoms. */
  readonly referenceScoreSum: bigint;
  /**
   * Sum of its win margins, in native atoms: over the auctions that it won, the scores of all winners
   * minus its reference score, which is the loss of the auction without it.
   */
  readonly winMarginSum: bigint;
  /** Number of auctions in that sum: those won whose response has its reference score. */
  readonly winMarginAuctions: number;
  /** Winning solutions settled in time, out of those settled or absent; `null` without outcomes. */
  readonly inTimeRate: Rate | null;
  /** Directed pairs it bid on, most bids first. */
  readonly pairs: readonly PairCoverage[];
}

/** Statistics of the solvers of a set of auctions. */
export interface MarketStatistics {
  /** Auctions. */
  readonly auctions: number;
  /** Auctions with at least one winner. */
  readonly auctionsWithWinner: number;
  /** Auctions with several winning solutions. */
  readonly auctionsWithSeveralWinners: number;
  /** Sum of the scores of all winning solutions, in native atoms. */
  readonly totalScore: bigint;
  /** Concentration of the scores won. */
  readonly concentration: Concentration;
  /** The solvers, by descending score won. */
  readonly solvers: readonly SolverStatistics[];
}

/** Options of the statistics. */
export interface StatisticsOptions {
  /** The outcomes of the winning solutions of the same auctions. */
  readonly outcomes?: SettlementOutcomes;
}

/**
 * Counts the bids, wins and settlements of the solvers of many auctions.
 *
 * Counts are those of the reports. Each auction counts once, regardless of its number of winners, and each
 * reference score once per solver and auction, although responses repeat it on every solution of the
 * solver. A win rate counts auctions, so each trial has two outcomes and a Wilson interval applies;
 * shares of score are amounts and have none. Atoms and shares are exact; the intervals are
 * statistics for an axis.
 *
 * @param competitions Auctions of one deployment; one with a repeated id is ignored.
 * @returns Statistics of the market and its solvers; zeros and no solvers for no auctions.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example Two auctions, one of them with two winners
 * ```ts
 * import { solverStatistics } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = (solverAddress: string, ranking: number, score: bigint, isWinner: boolean) => ({
 *   solverAddress,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: [],
 *   isWinner,
 *   filteredOut: false,
 * });
 * const auction = { auctionStartBlock: 1, transactionHashes: [], auction: { orders: [], prices: {} } };
 * const statistics = solverStatistics([
 *   {
 *     ...auction,
 *     auctionId: 1,
 *     referenceScores: { "0xa0": 20n, "0xb0": 30n },
 *     solutions: [bid("0xb0", 2, 20n, true), bid("0xa0", 1, 30n, true)],
 *   },
 *   {
 *     ...auction,
 *     auctionId: 2,
 *     referenceScores: { "0xa0": 40n },
 *     solutions: [bid("0xb0", 2, 40n, false), bid("0xa0", 1, 50n, true)],
 *   },
 * ]);
 * const [first] = statistics.solvers;
 *
 * assertEquals(first?.solver, "0xa0");
 * assertEquals(first?.winRate.share, ratio(2n, 2n));
 * assertEquals(first?.winMarginSum, 30n + 10n);
 * assertEquals(statistics.concentration.herfindahl, ratio(80n ** 2n + 20n ** 2n, 100n ** 2n));
 * ```
 */
export function solverStatistics(
  competitions: Iterable<Competition>,
  options: StatisticsOptions = {},
): MarketStatistics {
  checkOptions(options, { outcomes: anyRecord() }, "Cannot compute solver statistics");
  const tallies = new Map<string, Tally>();
  const auctionIds = new Set<number>();
  let auctionsWithWinner = 0;
  let auctionsWithSeveralWinners = 0;
  let totalScore = 0n;
  for (const competition of competitions) {
    if (auctionIds.has(competition.auctionId)) continue;
    auctionIds.add(competition.auctionId);
    const winners = competition.solutions.filter(({ isWinner }) => isWinner);
    const won = winners.reduce((sum, { score }) => sum + score, 0n);
    if (winners.length > 0) auctionsWithWinner++;
    if (winners.length > 1) auctionsWithSeveralWinners++;
    totalScore += won;
    const bySolver = groupByHex(competition.solutions, ({ solverAddress }) => solverAddress);
    for (const [key, solutions] of bySolver) {
      let tally = tallies.get(key);
      if (tally === undefined) tallies.set(key, tally = createTally(solutions[0]!.solverAddress));
      const reference = findByHex(competition.referenceScores, key);
      addAuction(tally, solutions, { competition, won, reference });
    }
  }
  const solvers = [...tallies.values()]
    .sort((a, b) => a.scoreWon === b.scoreWon ? b.bids - a.bids : a.scoreWon > b.scoreWon ? -1 : 1)
    .map((tally) => summarizeTally(tally, totalScore, options.outcomes));
  return {
    auctions: auctionIds.size,
    auctionsWithWinner,
    auctionsWithSeveralWinners,
    totalScore,
    concentration: concentration(solvers.map(({ scoreWon }) => scoreWon)),
    solvers,
  };
}

type Tally =
  & {
    -readonly [
      Key in Exclude<keyof SolverStatistics, "winRate" | "scoreShare" | "inTimeRate" | "pairs">
    ]: SolverStatistics[Key];
  }
  & { auctionsBid: number; auctionsWon: number; readonly pairs: PairTally };

function createTally(solver: string): Tally {
  return {
    solver,
    bids: 0,
    filteredBids: 0,
    winningBids: 0,
    auctionsBid: 0,
    auctionsWon: 0,
    scoreWon: 0n,
    referenceScoreSum: 0n,
    winMarginSum: 0n,
    winMarginAuctions: 0,
    pairs: new Map(),
  };
}

function addAuction(
  tally: Tally,
  solutions: readonly Solution[],
  { competition, won, reference }: {
    competition: Competition;
    won: bigint;
    reference: bigint | undefined;
  },
): void {
  tally.auctionsBid++;
  let hasWon = false;
  for (const solution of solutions) {
    tally.bids++;
    if (solution.filteredOut) tally.filteredBids++;
    if (solution.isWinner) {
      hasWon = true;
      tally.winningBids++;
      tally.scoreWon += solution.score;
    }
    addPairs(tally.pairs, solution, competition);
  }
  if (!hasWon) return;
  tally.auctionsWon++;
  if (reference === undefined) return;
  tally.referenceScoreSum += reference;
  tally.winMarginSum += won - reference;
  tally.winMarginAuctions++;
}

function summarizeTally(
  tally: Tally,
  totalScore: bigint,
  outcomes: SettlementOutcomes | undefined,
): SolverStatistics {
  const { auctionsBid, auctionsWon, pairs, ...counts } = tally;
  const solverOutcomes = outcomes?.solvers.find(({ solver }) => sameHex(solver, tally.solver));
  return {
    ...counts,
    winRate: rate(auctionsWon, auctionsBid),
    scoreShare: totalScore === 0n ? null : ratio(tally.scoreWon, totalScore),
    inTimeRate: outcomes === undefined ? null : solverOutcomes?.successRate ?? rate(0, 0),
    pairs: [...pairs.values()].sort((a, b) => b.bids - a.bids),
  };
}

/** Bids of a solver on one directed pair of tokens. */
export interface PairCoverage {
  /** Token sold, as first written. */
  readonly sellToken: string;
  /** Token bought, as first written. */
  readonly buyToken: string;
  /** Solutions with an order of this pair. */
  readonly bids: number;
  /** Winning solutions among them. */
  readonly wins: number;
  /**
   * Volume of the orders of this pair in its winning solutions, in native atoms, settled or not:
   * the sum of `floor(sellAmount * price / 10^18)` at the native price of the sell token in the
   * auction, or of the buy amount at that of the buy token if the sell token has none. `null` if an
   * order has neither price.
   */
  readonly volumeWon: bigint | null;
  /** Id of the first auction with such a bid. */
  readonly firstAuctionId: number;
  /** Its start block. */
  readonly firstStartBlock: number;
  /** Id of the last one. */
  readonly lastAuctionId: number;
  /** Its start block. */
  readonly lastStartBlock: number;
}

/** Counts in progress, by pair in lower case. */
type PairTally = Map<string, { -readonly [Key in keyof PairCoverage]: PairCoverage[Key] }>;

/** Counts the pairs of one solution, each once regardless of its number of orders. */
function addPairs(
  pairs: PairTally,
  { orders, isWinner }: Solution,
  { auction, auctionId, auctionStartBlock }: Competition,
): void {
  const countedKeys = new Set<string>();
  for (const order of orders) {
    const { sellToken, buyToken } = order;
    if (sellToken === undefined || buyToken === undefined) continue;
    const key = `${sellToken} ${buyToken}`.toLowerCase();
    let pair = pairs.get(key);
    if (pair === undefined) {
      pair = {
        sellToken,
        buyToken,
        bids: 0,
        wins: 0,
        volumeWon: 0n,
        firstAuctionId: auctionId,
        firstStartBlock: auctionStartBlock,
        lastAuctionId: auctionId,
        lastStartBlock: auctionStartBlock,
      };
      pairs.set(key, pair);
    }
    if (isWinner) {
      const volume = computeVolume({ ...order, sellToken, buyToken }, auction);
      pair.volumeWon = pair.volumeWon === null || volume === null ? null : pair.volumeWon + volume;
    }
    if (countedKeys.has(key)) continue;
    countedKeys.add(key);
    pair.bids++;
    if (isWinner) pair.wins++;
    if (auctionId < pair.firstAuctionId) {
      pair.firstAuctionId = auctionId;
      pair.firstStartBlock = auctionStartBlock;
    }
    if (auctionId > pair.lastAuctionId) {
      pair.lastAuctionId = auctionId;
      pair.lastStartBlock = auctionStartBlock;
    }
  }
}

function computeVolume(
  order: SolutionOrder & { readonly sellToken: string; readonly buyToken: string },
  auction: Competition["auction"],
): bigint | null {
  const side = pricedSide(order, (token) => findNativePrice(auction, token));
  return side === null ? null : nativeValue(side.atoms, side.price);
}
