import {
  type MissedBaseline,
  missedBaselines,
  type RoleOptions,
  type ScoringTerms,
} from "../../metrics/mod.ts";
import { type ByUid, byUid, byUidRule, type UidIndex } from "../../metrics/not_computable.ts";
import type { Competition, FeePolicy, Solution } from "../../schemas/mod.ts";
import { ratio } from "../../units/mod.ts";
import { flag, gaps, integer, native, nativeTokens, number, solver } from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
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
