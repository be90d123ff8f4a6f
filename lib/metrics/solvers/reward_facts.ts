import type { RewardRules } from "../../networks/reward_rules.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import type { Ratio } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import type { RoleOptions } from "../orders/auction_role.ts";
import type { ConsistencyShares } from "./consistency_shares.ts";
import type { CapEffects } from "./reward_caps.ts";
import type { SettlementOutcomes } from "./settlement_outcomes.ts";

/** What a rewards estimate is computed from. */
export interface RewardOptions extends RoleOptions {
  /** The rules in force: one of `network(name).rewards`. */
  readonly rules: RewardRules;
  /** The outcomes of the winning solutions of the same auctions. */
  readonly outcomes: SettlementOutcomes;
  /** Trades of their settlements, for the protocol fees that limit rewards. */
  readonly trades?: Iterable<Trade>;
  /** Orders of those trades: app data for partner fees, limits for consistency. */
  readonly orders?: Iterable<Order>;
}

/** Bounds of an amount. */
export interface OpenInterval {
  /** The smallest possible value. */
  readonly low: bigint;
  /** The largest possible value; `null` if unbounded. */
  readonly high: bigint | null;
}

/** The performance reward of one solver for one auction, with its inputs. */
export interface AuctionReward extends CapEffects {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Sum of the scores of all winning solutions of the auction. */
  readonly totalScore: bigint;
  /** The solver's reference score, as reported. */
  readonly referenceScore: bigint;
  /** Scores of its winning solutions that were not settled in time. */
  readonly missingScore: AtomInterval;
  /** `totalScore - referenceScore - missingScore`. */
  readonly uncapped: AtomInterval;
  /** Protocol fees of its executed trades without partner fees, at the auction's native prices. */
  readonly protocolFee: OpenInterval;
  /** `floor(feeShare * protocolFee)`: the maximum reward. */
  readonly upperCap: OpenInterval;
  /** The reward; negative if the solver pays. Both bounds are equal if everything is known. */
  readonly performance: AtomInterval;
  /** What is missing for an exact number; empty if everything is known. */
  readonly missing: readonly RewardGap["what"][];
}

/** The rewards of one solver over a set of auctions. */
export interface SolverReward {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Number of auctions that it won and has a reward for. */
  readonly auctions: number;
  /** Sum of its performance rewards, in native atoms. */
  readonly performance: AtomInterval;
  /**
   * Its share of the consistency budget; `null` without orders, or if there is nothing to
   * distribute.
   */
  readonly consistencyShare: Ratio | null;
}

/** Something missing in an estimate, and how often. */
export interface RewardGap {
  /** What is missing. */
  readonly what:
    | "reference_score"
    | "settlement"
    | "protocol_fees"
    | "fee_partner"
    | "price"
    | "consistency";
  /** Number of rewards, or of orders for `consistency`, that lack it. */
  readonly count: number;
  /** The consequence, as a sentence. */
  readonly effect: string;
}

/** The number of records that an estimate was computed from. */
export interface RewardInputs {
  /** Auctions. */
  readonly auctions: number;
  /** Winning solutions whose outcome is known: in time, late or absent. */
  readonly settlementsKnown: number;
  /** All winning solutions. */
  readonly settlements: number;
  /** Trades passed. */
  readonly trades: number;
  /** Orders passed. */
  readonly orders: number;
}

/** Rewards as far as public data determine them; an estimate, not what was paid. */
export interface RewardsEstimate {
  /** Always `"estimate"`: rules change by vote, and payments are made from data that is not public. */
  readonly kind: "estimate";
  /** The rules used. */
  readonly rules: RewardRules;
  /** The number of records it was computed from. */
  readonly inputs: RewardInputs;
  /** One for each solver and auction that it won, in the order of the auctions given. */
  readonly rewards: readonly AuctionReward[];
  /** One for each solver with a reward or a share, largest performance first. */
  readonly solvers: readonly SolverReward[];
  /**
   * Sum of the upper caps minus the performance rewards, penalties included: the consistency
   * budget, in native atoms.
   */
  readonly consistencyBudget: OpenInterval;
  /** How that budget is distributed; `null` without orders. */
  readonly consistency: ConsistencyShares | null;
  /** What is unknown. */
  readonly unknown: readonly RewardGap[];
}
