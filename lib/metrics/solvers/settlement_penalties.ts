import {
  checkOptions,
  defineRule,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import type { Competition, Order, Trade } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { groupByHex } from "../../units/mod.ts";
import { ATOMS_OR_NULL, type ByUid, defineByUidRule, indexByUid, list } from "../not_computable.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import { joinOpenIntervals } from "./combine_rewards.ts";
import { applyGrace, computeMissingScore, sumOrderCaps } from "./estimate_rewards.ts";
import { floorAtZero, limitReference, type OpenInterval } from "./reward_facts.ts";
import type { SolutionOutcome } from "./settlement_outcomes.ts";

/** Cost of not settling one winning solution for its solver, in native atoms. */
export interface SettlementPenalty {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Amount that the solver would owe for the auction without this solution, before the cap. */
  readonly atStake: AtomInterval;
  /** The cap on that amount: the lower cap, or the sum of the orders' own; `high` may be `null`. */
  readonly cap: OpenInterval;
  /** Whether the cap is less than `atStake`; `null` if that is unknown. */
  readonly isCapped: boolean | null;
  /** Amount with the cap: `min(cap, atStake)`. */
  readonly ifAbsent: AtomInterval;
  /**
   * Amount that the solver owes for the auction: on the best ranked of its solutions that was not settled in
   * time, or else of those that may not have been; 0 on the others, so that a sum counts it once.
   */
  readonly owed: AtomInterval;
}

/** The rule that limits a penalty. */
export interface SettlementPenaltyOptions {
  /**
   * The largest penalty in one auction, in native atoms: `lowerCapAtoms` of the rules in force; `null`
   * where each order has a cap of its own.
   */
  readonly lowerCapAtoms: bigint | null;
  /**
   * Whether each order may have a cap of its own in place of `lowerCapAtoms`: caps hold both then.
   *
   * @default {false}
   */
  readonly mayHaveOrderCaps?: boolean;
  /** Whether a reference score counts at most as the total; `null` if unknown. @default {true} */
  readonly limitsReference?: boolean | null;
  /** Blocks after the deadline that still count as in time. @default {0} */
  readonly graceBlocks?: number;
  /** Trades, which name the caps of their orders. */
  readonly trades?: Iterable<Trade> | undefined;
  /** Orders: their limits bound the caps that no trade names; without its order, such a cap may be any. */
  readonly orders?: ByUid<Order> | undefined;
}

const OPTIONS: OptionRules<SettlementPenaltyOptions> = {
  lowerCapAtoms: required(ATOMS_OR_NULL),
  mayHaveOrderCaps: Boolean,
  limitsReference: defineRule(
    "true, false or null",
    (value) => value === null || typeof value === "boolean",
  ),
  graceBlocks: wholeNumber(0),
  trades: list(),
  orders: defineByUidRule("orders"),
};

/**
 * Computes the cost of not settling: for each winning solution of an auction, the penalty of its solver if
 * it is not settled in time, and the one that the solver does owe.
 *
 * `penalty = min(lowerCap, max(0, min(totalScore, referenceScore) + missingScore - totalScore))`
 *
 * with the terms of {@linkcode estimateRewards}: where a win was not settled in time, the penalty is the
 * reward of the auction if that is negative, with the sign of a payment. A solver that settled all in time
 * owes nothing here, whatever its reward. `missingScore` is the score of this solution and of the
 * solver's other solutions that were not settled in time, late ones included. The penalty is 0 where
 * nobody else would have added as much, as on pairs without another bid. Nothing is rounded. Where
 * outcomes are unknown, the ends of an interval are the extreme possible values.
 *
 * Where orders have penalty caps of their own (CIP-87), their sum takes the place of `lowerCap`: of
 * those that are surely missing, or of all that the solver won. An order that was settled late has its
 * cap in its trade; no response has that of one that was not settled, so `low` counts it as 0, and
 * `high` as 10 basis points of its limit, the most that the vote allows, or as unlimited where its order
 * or its price is unknown.
 *
 * @param competition One auction, with the reference scores of its winners.
 * @param outcomes Outcomes of its winning solutions, from `settlementOutcomes`; those of other
 * auctions are ignored.
 * @returns One for each winning solution whose solver has a reference score, in the order of
 * `outcomes`; native atoms, 0 or more.
 * @throws {InputError} If the cap is not an amount.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 *
 * @example A score of 100 fails where others would have given 60, with a cap of 25
 * ```ts
 * import { settlementPenalties } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   transactionHashes: [],
 *   referenceScores: { "0xa0": 60n },
 *   auction: { orders: [], prices: {} },
 *   solutions: [],
 * };
 * const outcome = {
 *   auctionId: 1,
 *   ranking: 1,
 *   solver: "0xa0",
 *   score: 100n,
 *   orders: [],
 *   result: "absent",
 *   basis: "latest_block",
 *   txHash: null,
 *   block: null,
 *   deadlineBlock: 4,
 *   attempts: [],
 * } as const;
 *
 * const [penalty] = settlementPenalties(competition, [outcome], { lowerCapAtoms: 25n });
 *
 * assertEquals(penalty?.atStake, { low: 60n, high: 60n });
 * assertEquals(penalty?.owed, { low: 25n, high: 25n });
 * ```
 */
export function settlementPenalties(
  { auctionId, referenceScores, auction }: Competition,
  outcomes: Iterable<SolutionOutcome>,
  options: SettlementPenaltyOptions,
): SettlementPenalty[] {
  checkOptions(options, OPTIONS, "Cannot compute penalties");
  const { lowerCapAtoms, mayHaveOrderCaps = false, limitsReference = true } = options;
  const { trades = [], orders = [], graceBlocks = 0 } = options;
  const sources = {
    trades: groupByHex(trades, ({ txHash }) => `${txHash}`),
    orders: indexByUid(orders),
  };
  const won = [...outcomes].filter((candidate) => candidate.auctionId === auctionId)
    .map((candidate) => applyGrace(candidate, { graceBlocks }));
  const totalScore = won.reduce((sum, { score }) => sum + score, 0n);
  const findCap = (group: readonly SolutionOutcome[]): OpenInterval => {
    if (lowerCapAtoms === null) return sumOrderCaps(group, auction, sources);
    const fixed = { low: lowerCapAtoms, high: lowerCapAtoms };
    return mayHaveOrderCaps
      ? joinOpenIntervals([fixed, sumOrderCaps(group, auction, sources)])
      : fixed;
  };
  const penalties = new Map<SolutionOutcome, SettlementPenalty>();
  for (const group of groupByHex(won, ({ solver }) => solver).values()) {
    const referenceScore = findByHex(referenceScores, group[0]!.solver);
    if (referenceScore === undefined) continue;
    const limited = limitReference(referenceScore, totalScore);
    const minReference = limitsReference === false ? referenceScore : limited;
    const maxReference = limitsReference === true ? limited : referenceScore;
    const computeDue = ({ low, high }: AtomInterval) => ({
      low: floorAtZero(minReference + low - totalScore),
      high: floorAtZero(maxReference + high - totalScore),
    });
    const failures = group.filter(({ result }) => result !== "in_time");
    const first = failures.find(({ result }) => result === "late" || result === "absent") ??
      failures[0];
    for (const outcome of group) {
      const { low, high } = computeMissingScore(group.filter((win) => win !== outcome));
      const { score, ranking, solver } = outcome;
      const atStake = computeDue({ low: low + score, high: high + score });
      const cap = findCap(group.map((win) => win === outcome ? { ...win, result: "absent" } : win));
      penalties.set(outcome, {
        auctionId,
        ranking,
        solver,
        atStake,
        cap,
        isCapped: isCapped(cap, atStake),
        ifAbsent: applyCap(cap, atStake),
        owed: outcome === first
          ? applyCap(findCap(group), computeDue(computeMissingScore(group)))
          : { low: 0n, high: 0n },
      });
    }
  }
  return won.flatMap((outcome) => penalties.get(outcome) ?? []);
}

function isCapped(cap: OpenInterval, { low, high }: AtomInterval): boolean | null {
  if (cap.high !== null && low > cap.high) return true;
  return high > cap.low ? null : false;
}

function applyCap(cap: OpenInterval, { low, high }: AtomInterval): AtomInterval {
  return {
    low: low < cap.low ? low : cap.low,
    high: cap.high === null || high < cap.high ? high : cap.high,
  };
}
