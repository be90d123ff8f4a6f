import {
  type KnownTime,
  type MissedBaseline,
  missedBaselines,
  type PairCoverage,
  type RoleOptions,
  type ScoringTerms,
  solverStatistics,
} from "../../metrics/mod.ts";
import { type ByUid, byUid, byUidRule, type UidIndex } from "../../metrics/not_computable.ts";
import type { Competition, FeePolicy, Solution } from "../../schemas/mod.ts";
import { ratio } from "../../units/mod.ts";
import {
  flag,
  gaps,
  integer,
  native,
  nativeTokens,
  number,
  solver,
  timeBasis,
  timeInInterval,
  type TimeOptions,
} from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import { pairColumn, tokenColumns } from "../columns/order_columns.ts";
import type { SolverOptions, TokenOptions } from "../columns/lookups.ts";
import { type BuildTable, COMPETITION_KIND, optionsOn, tableOf } from "../columns/table_input.ts";

/** What one row is computed from. */
export interface MissedBaselineFacts {
  /** The pair in question. */
  readonly missed: MissedBaseline;
  /** The solution that was filtered out. */
  readonly solution: Solution;
  /** The solution whose score is the baseline. */
  readonly better: Solution;
  /**
   * Inputs that were not passed for some order of the solution, but would determine the pair score.
   */
  readonly missing: readonly ("orders" | "policies")[];
}

/** What is known about the orders besides the competitions. */
export interface MissedBaselinesOptions extends TokenOptions, SolverOptions, RoleOptions {
  /** The orders: their limits, and their stored quotes. */
  readonly orders?: ScoringTerms["orders"];
  /** Fee policies by auction, from `policiesByAuction`. */
  readonly policies?: Iterable<
    readonly [auctionId: number, policies: ByUid<readonly FeePolicy[]>]
  >;
}

/** By how much the pair score is below the baseline, if the score is known. */
function missedBy(
  { missed: { pairScore: { low, high }, baseline } }: MissedBaselineFacts,
): bigint | null {
  return low === high ? baseline - low : null;
}

/** The inputs that lack some order of a solution. */
function missingOf(
  { orders: bids }: Solution,
  known: Record<"orders" | "policies", UidIndex<unknown> | undefined>,
): ("orders" | "policies")[] {
  return (["orders", "policies"] as const).filter((input) =>
    bids.some(({ id }) => known[input]?.get(id) === undefined)
  );
}

/** One row per pair in question; see {@linkcode missedBaselinesTable}. */
export const MISSED_BASELINES: Table<MissedBaselineFacts> = {
  name: "missed_baselines",
  grain:
    "One directed pair on which one filtered solution scored, or may have scored, less than another",
  columns: [
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ missed }) => missed.auctionId,
    }),
    integer("ranking", {
      source: "solution.ranking: of the filtered solution",
      cell: ({ solution }) => solution.ranking,
    }),
    ...solver<MissedBaselineFacts>("solver", {
      source: "solution.solverAddress: of the filtered solution",
      solver: ({ solution }) => solution.solverAddress,
    }),
    ...native<MissedBaselineFacts>("score", {
      source: "solution.score: of the whole filtered solution",
      atoms: ({ solution }) => solution.score,
    }),
    ...tokenColumns<MissedBaselineFacts>("solution.orders[]", ({ missed }) => missed),
    pairColumn(({ missed }) => missed),
    flag("is_certain", {
      source: "missedBaselines: whether the pair was missed regardless of what is unknown",
      cell: ({ missed }) => missed.isCertain,
    }),
    ...native<MissedBaselineFacts>("pair_score_low", {
      source: "lower bound of the solution's score on the pair",
      atoms: ({ missed }) => missed.pairScore.low,
    }),
    ...native<MissedBaselineFacts>("pair_score_high", {
      source: "upper bound of the solution's score on the pair",
      atoms: ({ missed }) => missed.pairScore.high,
    }),
    ...native<MissedBaselineFacts>("baseline", {
      source: "best score of a solution on exactly this pair",
      atoms: ({ missed }) => missed.baseline,
    }),
    ...solver<MissedBaselineFacts>("baseline_solver", {
      source: "solution.solverAddress: of that solution",
      solver: ({ better }) => better.solverAddress,
    }),
    number("missed_by_native", {
      unit: "native tokens",
      source: "baseline - pair score; null if only bounds of the score are known",
      cell: (row) => nativeTokens(missedBy(row)),
    }),
    number("missed_by_share", {
      unit: "0 to 1",
      source: "missed_by_native / baseline_native",
      cell: (row) => {
        const by = missedBy(row);
        return by === null ? null : ratio(by, row.missed.baseline);
      },
    }),
    gaps(
      "why only bounds of the pair score are known: orders, or policies, of the solution were not passed",
      (row) => missedBy(row) === null ? row.missing : [],
    ),
  ],
};

/**
 * One row per directed pair on which a filtered solution was unfair, or may have been: why
 * solutions were filtered out. Competitions in the order given, solutions in the order of the
 * answer.
 *
 * Without orders and policies it is often certain that one of several pairs was missed, but not
 * which; `is_certain` is then false. If the shortfall is unknown, `missed_by_native` is `null`,
 * which sums skip, and `gaps` lists what was not passed.
 *
 * @param competitions Decoded competitions.
 * @param options Orders and policies, as far as known.
 * @returns A frame with the columns of {@linkcode MISSED_BASELINES}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example Nothing was filtered out
 * ```ts
 * import { missedBaselinesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(missedBaselinesTable([]).height, 0);
 * ```
 */
export const missedBaselinesTable: BuildTable<Competition, MissedBaselinesOptions> = tableOf({
  table: MISSED_BASELINES,
  records: COMPETITION_KIND,
  options: {
    ...optionsOn("tokens", "solvers", "roles"),
    orders: byUidRule("orders by UID"),
    policies: byUidRule("the result of policiesByAuction"),
  },
  rows: (all, options) => {
    const { surplusCapturingJitOrderOwners } = options;
    const orders = options.orders && byUid(options.orders);
    const policiesOf = new Map(options.policies);
    return all.flatMap((competition) => {
      const given = policiesOf.get(competition.auctionId);
      const policies = given && byUid(given);
      return missedBaselines(competition, {
        ...(orders === undefined ? {} : { orders }),
        policies,
        surplusCapturingJitOrderOwners,
      }).map((missed) => ({
        missed,
        solution: competition.solutions[missed.index]!,
        better: competition.solutions[missed.baselineIndex]!,
        missing: missingOf(competition.solutions[missed.index]!, { orders, policies }),
      }));
    });
  },
});

/** What one row is computed from. */
export interface SolverPairFacts {
  /** Address of the solver. */
  readonly solver: string;
  /** Its bids on one directed pair. */
  readonly coverage: PairCoverage;
  /** When the first auction with such a bid began; `null` if unknown. */
  readonly firstAt: KnownTime | null;
  /** When the last one began; `null` if unknown. */
  readonly lastAt: KnownTime | null;
}

/** The first or last auction of a row. */
function auctionColumns(end: "first" | "last"): Column<SolverPairFacts>[] {
  return [
    integer(`${end}_auction_id`, {
      source: `${end} auction in which it bid on the pair`,
      cell: ({ coverage }) => coverage[`${end}AuctionId`],
    }),
    integer(`${end}_start_block`, {
      source: "auction_start_block of that auction",
      cell: ({ coverage }) => coverage[`${end}StartBlock`],
    }),
    ...timeInInterval<SolverPairFacts>(`${end}_auction_at`, {
      interval: `${end}_auction_time`,
      source: "when that auction began: timestamp of its start block",
      of: (row) => row[`${end}At`],
    }),
  ];
}

/** One row per solver and pair; see {@linkcode solverPairsTable}. */
export const SOLVER_PAIRS: Table<SolverPairFacts> = {
  name: "solver_pairs",
  grain: "One solver and one directed pair of tokens that it bid on, over all auctions passed",
  columns: [
    ...solver<SolverPairFacts>("solver", {
      source: "solution.solverAddress",
      solver: (row) => row.solver,
    }),
    ...tokenColumns<SolverPairFacts>("solution.orders[]", ({ coverage }) => coverage),
    pairColumn(({ coverage }) => coverage),
    integer("bids", {
      unit: "solutions",
      source: "solutions of the solver with an order of the pair",
      cell: ({ coverage }) => coverage.bids,
    }),
    integer("wins", {
      unit: "solutions",
      source: "winning solutions among them",
      cell: ({ coverage }) => coverage.wins,
    }),
    ...native<SolverPairFacts>("volume", {
      source: "orders of the pair in winning solutions, settled or not: sell_amount at the " +
        "native price of the auction; buy_amount if the sell token has no price",
      atoms: ({ coverage }) => coverage.volumeWon,
    }),
    ...auctionColumns("first"),
    ...auctionColumns("last"),
    timeBasis<SolverPairFacts>(({ firstAt, lastAt }) => [firstAt, lastAt]),
    gaps(
      "price if an order of a winning solution has no native price for either token (volume is " +
        "then null), auction_time if `times` does not say when the auctions began",
      ({ coverage, firstAt, lastAt }) => [
        coverage.volumeWon === null && "price",
        (firstAt === null || lastAt === null) && "auction_time",
      ],
    ),
  ],
};

/** What else is known, besides the auctions: tokens, names of solvers, times. */
export interface SolverPairsOptions extends TokenOptions, SolverOptions, TimeOptions {}

/**
 * One row per solver and directed pair: solvers by score won, their pairs by number of bids.
 *
 * @param competitions Decoded competitions; each auction counts once.
 * @param options Decimals and symbols of tokens, names of solvers, times of auctions.
 * @returns A frame with the columns of {@linkcode SOLVER_PAIRS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No auctions
 * ```ts
 * import { solverPairsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(solverPairsTable([]).height, 0);
 * ```
 */
export const solverPairsTable: BuildTable<Competition, SolverPairsOptions> = tableOf({
  table: SOLVER_PAIRS,
  records: COMPETITION_KIND,
  options: optionsOn("tokens", "solvers", "times"),
  rows: (competitions, options) => {
    const { solvers } = solverStatistics(competitions);
    const beganAt = (id: number) => options.times?.auction(id) ?? null;
    return solvers.flatMap(({ solver, pairs }) =>
      pairs.map((coverage): SolverPairFacts => ({
        solver,
        coverage,
        firstAt: beganAt(coverage.firstAuctionId),
        lastAt: beganAt(coverage.lastAuctionId),
      }))
    );
  },
});
