import {
  FLAG,
  type OptionRule,
  type OptionRules,
  rule,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { RewardRules } from "../../networks/reward_rules.ts";
import { ATOMS } from "../option_kinds.ts";
import { accountingWeek } from "./accounting_week.ts";
import { REWARD_TIMES } from "./auction_moments.ts";
import type { WeeklyRewardOptions } from "./weekly_reward_facts.ts";

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Allowed values of reward rules. */
export const RULES: OptionRule<readonly RewardRules[]> = rule(
  "an array of reward rules, such as `network(name).rewards`,",
  (value) =>
    Array.isArray(value) &&
    value.every((one) => Object(one).feeShare !== undefined && "lowerCapAtoms" in Object(one)),
);

/** A day that begins an accounting week: amounts of any other day would never be used. */
function isFirstDay(day: unknown): boolean {
  const ms = typeof day === "string" && DAY.test(day) ? Date.parse(day) : NaN;
  return Number.isFinite(ms) && accountingWeek(ms).firstDay === day;
}

function isAmount(atoms: unknown): boolean {
  return ATOMS.accepts(atoms) && (atoms as bigint) >= 0n;
}

function byDay(value: unknown): boolean {
  return value instanceof Map &&
    value.entries().every(([day, atoms]) => isFirstDay(day) && isAmount(atoms));
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
    "native atoms for 10^18 COW atoms as a bigint of at least 0, or a Map of them by first day, " +
      "a Tuesday such as 2026-11-17,",
    (value) => isAmount(value) || byDay(value),
  ),
  consistencyBudget: rule(
    "a Map of native atoms of at least 0 by first day, a Tuesday such as 2026-11-17,",
    byDay,
  ),
  areAllAuctions: FLAG,
};
