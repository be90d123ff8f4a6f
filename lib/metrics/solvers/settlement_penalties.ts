import { checkOptions, needed, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { valueByHex } from "../../units/hex_map.ts";
import { groupByHex } from "../../units/mod.ts";
import { ATOMS } from "../not_computable.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import { missingScoreOf } from "./estimate_rewards.ts";
import type { SolutionOutcome } from "./settlement_outcomes.ts";

/** What not settling one winning solution costs its solver, in native atoms. */
export interface SettlementPenalty {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** What the solver would owe for the auction without this solution, before the cap. */
  readonly atStake: AtomInterval;
  /** The same with the cap: `min(cap, atStake)`. */
  readonly ifAbsent: AtomInterval;
  /**
   * What the solver owes for the auction: on the best ranked of its solutions that was not settled in
   * time, or else of those that may not have been; 0 on the others, so that a sum counts it once.
   */
  readonly owed: AtomInterval;
}

/** The rule that limits a penalty. */
export interface SettlementPenaltyOptions {
  /** The largest penalty in one auction, in native atoms: `lowerCapAtoms` of the rules in force. */
  readonly lowerCapAtoms: bigint;
}

const OPTIONS: OptionRules<SettlementPenaltyOptions> = { lowerCapAtoms: needed(ATOMS) };

/**
 * What not settling costs: for each winning solution of an auction, the penalty of its solver if it
 * is not settled in time, and the one that the solver does owe.
 *
 * `penalty = min(lowerCap, max(0, referenceScore + missingScore - totalScore))`
 *
 * with the terms of {@linkcode estimateRewards}: where a win was not settled in time, the penalty is the
 * reward of the auction if that is negative, with the sign of what is paid. A solver that settled all in
 * time owes nothing here, whatever its reward. `missingScore` is the score of this solution and of the
 * solver's other solutions that were not settled in time, late ones included. The penalty is 0 where
 * nobody else would have added as much, as on pairs without another bid. Nothing is rounded. Where
 * outcomes are unknown, both ends of an interval are what they may be.
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
  { auctionId, referenceScores }: Competition,
  outcomes: Iterable<SolutionOutcome>,
  options: SettlementPenaltyOptions,
): SettlementPenalty[] {
  checkOptions(options, OPTIONS, "Cannot compute penalties");
  const { lowerCapAtoms } = options;
  const won = [...outcomes].filter((one) => one.auctionId === auctionId);
  const totalScore = won.reduce((sum, { score }) => sum + score, 0n);
  const capped = (atoms: bigint) => atoms < lowerCapAtoms ? atoms : lowerCapAtoms;
  const penalties = new Map<SolutionOutcome, SettlementPenalty>();
  for (const own of groupByHex(won, ({ solver }) => solver).values()) {
    const reference = valueByHex(referenceScores, own[0]!.solver);
    if (reference === undefined) continue;
    const due = ({ low, high }: AtomInterval) => ({
      low: positive(reference + low - totalScore),
      high: positive(reference + high - totalScore),
    });
    const atCap = ({ low, high }: AtomInterval) => ({ low: capped(low), high: capped(high) });
    const failed = own.filter(({ result }) => result !== "in_time");
    const first = failed.find(({ result }) => result === "late" || result === "absent") ??
      failed[0];
    for (const outcome of own) {
      const others = missingScoreOf(own.filter((one) => one !== outcome));
      const { score, ranking, solver } = outcome;
      const atStake = due({ low: others.low + score, high: others.high + score });
      penalties.set(outcome, {
        auctionId,
        ranking,
        solver,
        atStake,
        ifAbsent: atCap(atStake),
        owed: outcome === first ? atCap(due(missingScoreOf(own))) : { low: 0n, high: 0n },
      });
    }
  }
  return won.flatMap((outcome) => penalties.get(outcome) ?? []);
}

function positive(atoms: bigint): bigint {
  return atoms > 0n ? atoms : 0n;
}
