import {
  FLAG,
  type OptionRule,
  type OptionRules,
  rule,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { RewardRules } from "../../networks/reward_rules.ts";
import { ATOMS } from "../option_kinds.ts";
import { REWARD_TIMES } from "./auction_moments.ts";
import type { WeeklyRewardOptions } from "./weekly_reward_facts.ts";

/** Allowed values of reward rules. */
export const RULES: OptionRule<readonly RewardRules[]> = rule(
  "an array of reward rules, such as `network(name).rewards`,",
  (value) =>
    Array.isArray(value) &&
    value.every((one) => Object(one).feeShare !== undefined && "lowerCapAtoms" in Object(one)),
);

function byDay(value: unknown): boolean {
  return value instanceof Map &&
    value.entries().every(([day, atoms]) => typeof day === "string" && ATOMS.accepts(atoms));
}

/** Allowed values of the options about weeks and prices. */
export const WEEK_OPTIONS: OptionRules<
  Pick<
    WeeklyRewardOptions,
    "quoteReward" | "times" | "deadlineMs" | "cowPrice" | "consistencyBudget" | "areAllAuctions"
  >
> = {
  quoteReward: rule(
    "a reward for quotes, such as `network(name).quoteReward`,",
    (value) => value === null || "nativeAtoms" in Object(value) && "cowAtoms" in Object(value),
  ),
  times: REWARD_TIMES,
  deadlineMs: wholeFrom(0),
  cowPrice: rule(
    "native atoms for 10^18 COW atoms as a bigint, or a Map of them by first day",
    (value) => ATOMS.accepts(value) || byDay(value),
  ),
  consistencyBudget: rule("a Map of native atoms by first day", byDay),
  areAllAuctions: FLAG,
};
