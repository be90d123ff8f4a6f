import type { ExcludedAuctions } from "../../networks/network.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import type { AuctionReward, OpenInterval, RewardGap, RewardsEstimate } from "./reward_facts.ts";
import type { AccountingPeriod } from "./reward_times.ts";

const NONE: AtomInterval = { low: 0n, high: 0n };

/** Joins intervals to the smallest one that contains them. */
export function joinIntervals(intervals: readonly AtomInterval[]): AtomInterval {
  return intervals.reduce((hull, { low, high }) => ({
    low: low < hull.low ? low : hull.low,
    high: high > hull.high ? high : hull.high,
  }));
}

/** Joins intervals, some with an open upper end, to the smallest one that contains them. */
export function joinOpenIntervals(intervals: readonly OpenInterval[]): OpenInterval {
  return intervals.reduce((hull, { low, high }) => ({
    low: low < hull.low ? low : hull.low,
    high: hull.high === null || high === null ? null : high > hull.high ? high : hull.high,
  }));
}

/** Combines the rewards by several rules into one that contains them; a difference is missing as `rules`. */
function combineReward(rewards: readonly AuctionReward[]): AuctionReward {
  const [first, ...otherRewards] = rewards as [AuctionReward, ...AuctionReward[]];
  if (otherRewards.length === 0) return first;
  const performance = joinIntervals(rewards.map((reward) => reward.performance));
  const missingInputs = new Set(rewards.flatMap((reward) => reward.missing));
  const isSame = ({ low, high }: AtomInterval) =>
    low === first.performance.low && high === first.performance.high;
  if (!otherRewards.every((reward) => isSame(reward.performance))) missingInputs.add("rules");
  return {
    ...first,
    missingScore: joinIntervals(rewards.map((reward) => reward.missingScore)),
    uncapped: joinIntervals(rewards.map((reward) => reward.uncapped)),
    upperCap: joinOpenIntervals(rewards.map((reward) => reward.upperCap)),
    lowerCap: joinOpenIntervals(rewards.map((reward) => reward.lowerCap)),
    upperCapCut: joinIntervals(rewards.map((reward) => reward.upperCapCut)),
    lowerCapRelief: joinIntervals(rewards.map((reward) => reward.lowerCapRelief)),
    cap: otherRewards.every(({ cap }) => cap === first.cap) ? first.cap : "unknown",
    performance,
    missing: [...missingInputs],
  };
}

/** Combines the estimates by all rules that may have been in force into one; `null` for none. */
export function combineEstimates(estimates: readonly RewardsEstimate[]): RewardsEstimate | null {
  const last = estimates.at(-1);
  if (last === undefined || estimates.length === 1) return last ?? null;
  // The rules decide the amounts, and not which solver has a reward in which auction.
  const rewards = last.rewards.map((_, index) =>
    combineReward(estimates.map((estimate) => estimate.rewards[index]!))
  );
  const gaps = new Map(
    estimates.flatMap((estimate) => estimate.unknown).map((gap) => [gap.what, gap]),
  );
  const differing = rewards.filter(({ missing }) => missing.includes("rules")).length;
  if (differing > 0) {
    gaps.set("rules", { what: "rules", count: differing, effect: RULES_EFFECT });
  }
  return {
    ...last,
    rewards,
    consistencyBudget: joinOpenIntervals(estimates.map((estimate) => estimate.consistencyBudget)),
    unknown: [...gaps.values()],
  };
}

/** The consequence of unknown rules. */
export const RULES_EFFECT: RewardGap["effect"] =
  "More than one set of rules may have been in force, so the reward is between theirs";

/** Whether the rewards of an auction were multiplied by 0; `null` if they may have been. */
export function findExclusion(
  { auctionId, auction, solutions }: Competition,
  week: AccountingPeriod | null,
  exclusions: readonly ExcludedAuctions[],
): boolean | null {
  let isExcluded: boolean | null = false;
  for (const exclusion of exclusions) {
    if (week !== null && week.firstDay !== exclusion.week) continue;
    const { ids, orders = [] } = exclusion;
    const isInRange = ids !== undefined && ids.from <= auctionId && auctionId <= ids.to;
    const isWhole = isInRange && ids.count === ids.to - ids.from + 1;
    // The first and the last are named.
    const isNamed = isInRange && (auctionId === ids.from || auctionId === ids.to || isWhole);
    if (isNamed && week !== null) return true;
    const listUids = () => [
      ...auction.orders,
      ...solutions.flatMap((solution) => solution.orders).map(({ id }) => id),
    ];
    const isMeant = orders.length > 0 &&
      listUids().some((uid) => orders.some(([beginning, end]) => isCutTo(uid, beginning, end)));
    if (isInRange || isMeant) isExcluded = null;
  }
  return isExcluded;
}

function isCutTo(uid: string, beginning: string, end: string): boolean {
  const text = uid.toLowerCase();
  return text.startsWith(beginning) && text.endsWith(end);
}

/** Excludes the reward of an auction that was, or may have been, excluded. */
export function excludeReward(reward: AuctionReward, isExcluded: boolean | null): AuctionReward {
  if (isExcluded === false) return reward;
  const nothing: AuctionReward = {
    ...reward,
    uncapped: NONE,
    upperCapCut: NONE,
    lowerCapRelief: NONE,
    cap: "none",
    performance: NONE,
  };
  return isExcluded === true ? nothing : combineReward([reward, nothing]);
}
