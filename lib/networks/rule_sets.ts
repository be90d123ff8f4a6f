import { parseAtoms, ratio } from "../units/mod.ts";
import type { NetworkName, RewardRules } from "./network.ts";
import { NETWORKS } from "./networks.ts";

/** The rules of auctions and of performance rewards that one proposal left in force. */
export interface RuleSet {
  /** The proposal, such as `CIP-74`; the rules are as it left them. */
  readonly name: string;
  /** Who wins: options of `replayCompetition`. The maximum of winners is the service's by default. */
  readonly auction: { readonly fairness: boolean; readonly maxWinners?: number };
  /** Caps of the rewards, as rules of `estimateRewards` and of the tables of rewards. */
  readonly rewards: RewardRules;
}

/** The fixed caps before CIP-74, in native tokens; those of other networks were not found. */
const FIXED_CAPS: Partial<Record<NetworkName, string>> = {
  mainnet: "0.012",
  xdai: "10",
  arbitrum_one: "0.012",
  base: "0.012",
};

/**
 * The rules that governance voted for, oldest first, to ask what each would have done: the newest but
 * one is in force as of 2026-08.
 *
 * - `CIP-36`, on other networks than mainnet `CIP-57`: one winner, rewards capped at a fixed amount.
 *   CIP-38 and CIP-48 left both.
 * - `CIP-67`: the fair combinatorial auction, with a fairness filter and several winners
 * - `CIP-74`: rewards capped at the protocol fees of the solver
 * - `CIP-85`: at half of them on some networks; what is left over is shared out for consistency
 * - `CIP-87`: a cap on penalties for each order, which only trades name
 *
 * The caps are as the protocol's documentation stated them in the month of `asOf`. It does not say from
 * which day: `since` is `null`, so pass a set alone. The penalty cap is the present one in all sets: the
 * documentation states the same one before CIP-74 where it names the network.
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
  const now = NETWORKS[name].rewards.at(-1);
  if (now === undefined) return [];
  const old = { ...now, since: null, hasConsistency: false };
  const auction = { fairness: true };
  const sets = [
    { name: "CIP-74", auction, rewards: { ...old, asOf: "2025-11", feeShare: ratio(1n, 1n) } },
    { name: "CIP-85", auction, rewards: now },
    { name: "CIP-87", auction, rewards: { ...now, asOf: "2026-09", hasOrderCaps: true } },
  ];
  const cap = FIXED_CAPS[name];
  if (cap === undefined) return sets;
  const rewards = {
    ...old,
    asOf: "2025-01",
    feeShare: null,
    upperCapAtoms: parseAtoms(cap, 18),
  };
  const first = name === "mainnet" ? "CIP-36" : "CIP-57";
  return [
    { name: first, auction: { fairness: false, maxWinners: 1 }, rewards },
    { name: "CIP-67", auction, rewards },
    ...sets,
  ];
}
