import { type MissedBaseline, missedBaselines } from "../../metrics/mod.ts";
import type { AuctionTerms } from "../../metrics/auctions/instance_terms.ts";
import type { Solution } from "../../schemas/mod.ts";
import { ratio } from "../../units/mod.ts";
import { flag, gaps, integer, native, number, solver, toNativeTokens } from "../columns/columns.ts";
import { indexTerms } from "../columns/instance_facts.ts";
import { pairColumn, tokenColumns } from "../columns/order_columns.ts";
import { computeOnce } from "../columns/records.ts";
import { defineTable, type Table } from "../columns/table.ts";

/** The inputs of one row. */
interface MissedBaselineFacts {
  /** The pair in question. */
  readonly missed: MissedBaseline;
  /** The solution that was filtered out. */
  readonly solution: Solution;
  /** The solution whose score is the baseline. */
  readonly better: Solution;
  /**
   * Inputs that were not passed for some order of the solution, but would determine the pair score.
   */
  readonly missingInputs: readonly ("orders" | "policies")[];
}

/** Calculates how far the pair score is below the baseline; `null` if the score is unknown. */
function calculateShortfall(
  { missed: { pairScore: { low, high }, baseline } }: MissedBaselineFacts,
): bigint | null {
  return low === high ? baseline - low : null;
}

/** Lists the inputs that lack an order of a solution. */
function listMissing(
  { orders: bids }: Solution,
  terms: AuctionTerms,
): ("orders" | "policies")[] {
  return (["orders", "policies"] as const).filter((input) =>
    bids.some(({ id }) => terms[input]?.get(id) === undefined)
  );
}

/**
 * One row per directed pair on which a filtered solution was unfair, or may have been: why
 * solutions were filtered out. Competitions in the order given, solutions in the order of the
 * response.
 *
 * Without orders and policies it is often certain that one of several pairs was missed, but not
 * which; `is_certain` is then false. If the shortfall is unknown, `missed_by_native` is `null`,
 * which sums skip, and `gaps` lists what was not passed.
 *
 * @example Nothing was filtered out
 * ```ts
 * import { buildTable, MISSED_BASELINES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(MISSED_BASELINES, { competitions: [] }).height, 0);
 * ```
 */
export const MISSED_BASELINES: Table<"competitions"> = defineTable<
  MissedBaselineFacts,
  "competitions"
>({
  name: "missed_baselines",
  grain:
    "One directed pair on which one filtered solution scored, or may have scored, less than another",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "ranking", "sell_token", "buy_token"],
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
      cell: (row) => toNativeTokens(calculateShortfall(row)),
    }),
    number("missed_by_share", {
      unit: "0 to 1",
      source: "missed_by_native / baseline_native",
      cell: (row) => {
        const shortfall = calculateShortfall(row);
        return shortfall === null ? null : ratio(shortfall, row.missed.baseline);
      },
    }),
    gaps(
      "why only bounds of the pair score are known: orders, or policies, of the solution were not passed",
      (row) => calculateShortfall(row) === null ? row.missingInputs : [],
    ),
  ],
  rows: (records) => {
    const findTerms = computeOnce(records, indexTerms);
    return records.competitions.flatMap((competition) => {
      const terms = findTerms(competition.auctionId);
      return missedBaselines(competition, terms).map((missed) => ({
        missed,
        solution: competition.solutions[missed.index]!,
        better: competition.solutions[missed.baselineIndex]!,
        missingInputs: listMissing(competition.solutions[missed.index]!, terms),
      }));
    });
  },
});
