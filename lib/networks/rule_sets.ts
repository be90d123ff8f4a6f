import { ALL_FEES, pickDating } from "./reward_history.ts";
import type { NetworkName, RewardRules } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** The last day on which an auction may have had one winner only. */
export const ONE_WINNER_UNTIL = "2025-06-24";

/** The rules of auctions and of performance rewards that one proposal left in force. */
export interface RuleSet {
  /** The proposal, such as `CIP-74`; the rules are as it left them. */
  readonly name: string;
  /** Choice of winners: options of `replayCompetition`. The maximum of winners is the service's by default. */
  readonly auction: { readonly fairness: boolean; readonly maxWinners?: number };
  /** Caps of the rewards, as rules of `estimateRewards` and of the tables of rewards. */
  readonly rewards: RewardRules;
}

/**
 * Returns the rules that governance voted for, oldest first, to compare their outcomes: the newest but
 * one is in force as of 2026-08.
 *
 * - `CIP-36`, on other networks than mainnet `CIP-57`: one winner, rewards capped at a fixed amount.
 *   CIP-38 and CIP-48 left both.
 * - `CIP-67`: the fair combinatorial auction, with a fairness filter and several winners
 * - `CIP-74`: rewards capped at the protocol fees of the solver
 * - `CIP-85`: at half of them on some networks; what is left over is shared out for consistency
 * - `CIP-87`: a cap on penalties for each order, which only trades name
 *
 * `since` is the first day of the caps on the network. To apply a set to another week,
 * pass it as `rules` alone, not in an array: it counts in every week then. The penalty cap is the present
 * one in all sets: sources state no other.
 *
 * @param name A network; `sepolia` has no rewards, and no sets.
 * @see {@link https://github.com/cowprotocol/docs/blob/00b4a6dfa413a13af9467fc13f9f8cd8c9a7193c/docs/cow-protocol/reference/core/auctions/rewards.md | the caps of CIP-74}
 * @see {@link https://github.com/cowprotocol/solver-rewards/pull/446 | the caps of CIP-57}
 * @see {@link https://github.com/cowprotocol/solver-rewards/pull/339 | the caps of CIP-36}
 * @see {@link https://github.com/cowprotocol/services/pull/4773 | the caps of CIP-87}
 *
 * @example A fixed cap before CIP-74
 * ```ts
 * import { ruleSets } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const [first, ...others] = ruleSets("mainnet");
 *
 * assertEquals(first?.rewards.upperCapAtoms, 12_000_000_000_000_000n);
 * assertEquals(others.map(({ name }) => name), ["CIP-67", "CIP-74", "CIP-85", "CIP-87"]);
 * ```
 */
export function ruleSets(name: NetworkName): RuleSet[] {
  const { rewards } = NETWORKS[name];
  const now = rewards.at(-1);
  if (now === undefined) return [];
  const auction = { fairness: true };
  const capped = rewards.find(({ feeShare }) => feeShare === null);
  const shared = rewards.find(({ feeShare }) => feeShare !== null)!;
  const consistent = rewards.find(({ consistencyMetric: metric }) =>
    metric === "executed_orders" || metric === "order_share"
  )!;
  // The caps are as each proposal left them; all other rules are as today.
  const buildRewards = (set: RewardRules, more: Partial<RewardRules> = {}): RewardRules => {
    const { asOf, feeShare, upperCapAtoms } = set;
    const { hasConsistency, consistencyMetric, lowerCapAtoms } = now;
    return {
      ...pickDating(set),
      asOf,
      feeShare,
      ...upperCapAtoms !== undefined && { upperCapAtoms },
      lowerCapAtoms,
      hasConsistency: hasConsistency ?? true,
      ...consistencyMetric !== undefined && { consistencyMetric },
      hasOrderCaps: false,
      ...more,
    };
  };
  const unshared = { hasConsistency: false, consistencyMetric: "none" } as const;
  const uncut = shared.since! < consistent.since!
    ? { ...shared, feeShare: ALL_FEES }
    : { ...consistent, feeShare: ALL_FEES };
  const sets = [
    { name: "CIP-74", auction, rewards: buildRewards(uncut, unshared) },
    { name: "CIP-85", auction, rewards: buildRewards({ ...consistent, feeShare: now.feeShare }) },
    {
      name: "CIP-87",
      auction,
      rewards: buildRewards(now, { asOf: "2026-09", hasOrderCaps: true }),
    },
  ];
  if (capped === undefined) return sets;
  const fixed = buildRewards(capped, unshared);
  const several = { name: "CIP-67", auction, rewards: fixed };
  // Networks that began later never had auctions of one winner.
  if (capped.since! > ONE_WINNER_UNTIL) return [several, ...sets];
  const first = name === "mainnet" ? "CIP-36" : "CIP-57";
  return [
    { name: first, auction: { fairness: false, maxWinners: 1 }, rewards: fixed },
    several,
    ...sets,
  ];
}
