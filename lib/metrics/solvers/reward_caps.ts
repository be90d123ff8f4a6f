import type { RewardRules } from "../../networks/reward_rules.ts";
import { mulDivDown } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import type { OpenInterval } from "./reward_facts.ts";

/** Which cap decided a reward; `"unknown"` if the bounds do not determine it. */
export type BindingCap = "none" | "upper" | "lower" | "unknown";

/** How the caps changed a reward. */
export interface CapEffects {
  /** Which cap decided. */
  readonly cap: BindingCap;
  /** `max(0, uncapped - upperCap)`: what the upper cap withheld. */
  readonly upperCapCut: AtomInterval;
  /** `max(0, -lowerCap - uncapped)`: what the lower cap spared the solver. */
  readonly lowerCapRelief: AtomInterval;
}

/** Maximum reward: `floor(feeShare * protocolFee)`. */
export function upperCapOf({ low, high }: OpenInterval, { feeShare }: RewardRules): OpenInterval {
  const cap = (fee: bigint) => mulDivDown(fee, feeShare.numerator, feeShare.denominator);
  return { low: cap(low), high: high === null ? null : cap(high) };
}

/** Increases with both, so that each bound follows from the same bounds of the inputs. */
export function performanceOf(
  uncapped: AtomInterval,
  upperCap: OpenInterval,
  { lowerCapAtoms }: RewardRules,
): AtomInterval {
  const capped = (value: bigint, cap: bigint | null) => {
    const below = cap !== null && cap < value ? cap : value;
    return below < -lowerCapAtoms ? -lowerCapAtoms : below;
  };
  return {
    low: capped(uncapped.low, upperCap.low),
    high: capped(uncapped.high, upperCap.high),
  };
}

/**
 * The effect of the caps. An upper cap is never below 0, so at most one of the two decides. If
 * everything is known, `performance = uncapped - upperCapCut + lowerCapRelief`.
 */
export function capEffectsOf(
  uncapped: AtomInterval,
  upperCap: OpenInterval,
  { lowerCapAtoms }: RewardRules,
): CapEffects {
  const upperCapCut = {
    low: upperCap.high === null ? 0n : positive(uncapped.low - upperCap.high),
    high: positive(uncapped.high - upperCap.low),
  };
  const lowerCapRelief = {
    low: positive(-lowerCapAtoms - uncapped.high),
    high: positive(-lowerCapAtoms - uncapped.low),
  };
  return { cap: bindingCap(upperCapCut, lowerCapRelief), upperCapCut, lowerCapRelief };
}

function bindingCap(cut: AtomInterval, relief: AtomInterval): BindingCap {
  if (cut.low > 0n) return "upper";
  if (relief.low > 0n) return "lower";
  return cut.high === 0n && relief.high === 0n ? "none" : "unknown";
}

/** The unused part of the upper cap of a reward, which goes to consistency. */
export interface CappedReward {
  /** The reward before its caps. */
  readonly uncapped: AtomInterval;
  /** Maximum reward. */
  readonly upperCap: OpenInterval;
}

/** The unused part increases with the cap, and decreases with the reward before the cap. */
export function budgetOf(rewards: readonly CappedReward[], rules: RewardRules): OpenInterval {
  let low = 0n;
  let high: bigint | null = 0n;
  for (const { uncapped, upperCap } of rewards) {
    const exactly = (margin: bigint, cap: bigint) =>
      cap -
      performanceOf({ low: margin, high: margin }, { low: cap, high: cap }, rules).low;
    low += exactly(uncapped.high, upperCap.low);
    high = high === null || upperCap.high === null
      ? null
      : high + exactly(uncapped.low, upperCap.high);
  }
  return { low, high };
}

function positive(atoms: bigint): bigint {
  return atoms > 0n ? atoms : 0n;
}
