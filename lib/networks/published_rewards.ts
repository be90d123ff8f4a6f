import facts from "../../data/published_rewards.json" with { type: "json" };
import { freeze, type NetworkName } from "./network.ts";

/**
 * Rewards of one solver in one accounting week, as the accounting published them: decimal texts of
 * whole tokens, mostly doubles, so that their last digits are rounded.
 */
export interface PublishedReward {
  /** Name with its environment, such as `prod-Baseline`. */
  readonly name: string;
  /** Address that it submits from. */
  readonly address: string;
  /** Whether it pays the service fee. */
  readonly has_service_fee: boolean;
  /** Performance rewards less penalties, before the service fee, in COW. */
  readonly performance_cow: string;
  /** Consistency rewards, before the service fee. */
  readonly consistency_cow: string;
  /** Both, after the service fee. */
  readonly total_cow: string;
  /** Rewards for quotes, after the service fee. */
  readonly quotes_cow: string;
  /** Slippage in the native token: what its settlements left in the settlement contract. */
  readonly slippage_native: string;
  /** Network fees that traders paid for its settlements. */
  readonly network_fee_native: string;
  /** Slippage and network fees together. */
  readonly reimbursement_native: string;
  /** The same in COW. */
  readonly reimbursement_cow: string;
  /** The amount to send in COW, without the quotes; `null` where it owes something. */
  readonly transfer_cow: string | null;
  /** The amount to send in the native token. */
  readonly transfer_native: string | null;
  /** The amount that it owes, negative; `null` where it owes nothing. */
  readonly overdraft_native: string | null;
}

/** The rewards of all solvers in one accounting week of one network. */
export interface PublishedWeek {
  /** The network. */
  readonly network: NetworkName;
  /** First day of the accounting week. */
  readonly week: string;
  /** Folder of the files that were published. */
  readonly source: string;
  /** Protocol fees of the week without partner fees, in native tokens. */
  readonly protocol_fee_native: string;
  /** One for each solver. */
  readonly solvers: readonly PublishedReward[];
}

/**
 * Weeks of rewards that the accounting published in its repository, to compare with estimates and with the
 * dated rules; frozen.
 *
 * @see {@link https://github.com/cowprotocol/solver-rewards/tree/ec8e7c95db855a53433f17e6980ed98ac1a8e692/tests/e2e/2026-06-16-arbitrum | the published files}
 *
 * @example The solvers of a week that pay the service fee
 * ```ts
 * import { PUBLISHED_WEEKS } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const [{ week, solvers } = { week: "", solvers: [] }] = PUBLISHED_WEEKS;
 * const paying = solvers.filter((solver) => solver.has_service_fee);
 *
 * assertEquals([week, solvers.length, paying.length], ["2026-06-09", 28, 9]);
 * ```
 */
export const PUBLISHED_WEEKS: readonly PublishedWeek[] = freeze(
  facts.map((week): PublishedWeek => ({ ...week, network: week.network as NetworkName })),
);
