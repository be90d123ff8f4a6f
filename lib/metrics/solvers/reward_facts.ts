import type { RewardRules } from "../../networks/reward_rules.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import type { Ratio } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import type { RoleOptions } from "../orders/auction_role.ts";
import type { ConsistencyShares } from "./consistency_shares.ts";
import type { CapEffects } from "./reward_caps.ts";
import type { SettlementOutcomes } from "./settlement_outcomes.ts";

/** What a rewards estimate is made from. */
export interface RewardOptions extends RoleOptions {
  /** The rules in force: one of `network(name).rewards`. */
  readonly rules: RewardRules;
  /** What became of the winning solutions of the same auctions. */
  readonly outcomes: SettlementOutcomes;
  /** Trades of their settlements, for the protocol fees that limit rewards. */
  readonly trades?: Iterable<Trade>;
  /** Orders of those trades: app data tells partner fees, limits tell consistency. */
  readonly orders?: Iterable<Order>;
}

/** An amount of which at least the lower bound is known. */
export interface OpenInterval {
  /** The smallest value possible. */
  readonly low: bigint;
  /** The largest value possible; `null` where nothing bounds it. */
  readonly high: bigint | null;
}

/** The performance reward of one solver for one auction, with all that it follows from. */
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
  /** `floor(feeShare * protocolFee)`: the most that it can be. */
  readonly upperCap: OpenInterval;
  /** The reward; negative when the solver pays. Both ends are the same where all is known. */
  readonly performance: AtomInterval;
  /** What is missing for one exact number; empty where all is known. */
  readonly missing: readonly RewardGap["what"][];
}

/** The rewards of one solver over a set of auctions. */
export interface SolverReward {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Auctions it won and has a reward for. */
  readonly auctions: number;
  /** Sum of its performance rewards, in native atoms. */
  readonly performance: AtomInterval;
  /** Its part of the consistency budget; `null` without orders or where there is none to share. */
  readonly consistencyShare: Ratio | null;
}

/** Something that an estimate lacks, and how often. */
export interface RewardGap {
  /** What is missing. */
  readonly what:
    | "reference_score"
    | "settlement"
    | "protocol_fees"
    | "fee_partner"
    | "price"
    | "consistency";
  /** For how many rewards, or orders for `consistency`. */
  readonly count: number;
  /** What follows from that, as a sentence. */
  readonly effect: string;
}

/** What an estimate was made from. */
export interface RewardInputs {
  /** Auctions. */
  readonly auctions: number;
  /** Winning solutions whose settlement is known to be in time, late or absent. */
  readonly settlementsKnown: number;
  /** Winning solutions in all. */
  readonly settlements: number;
  /** Trades given. */
  readonly trades: number;
  /** Orders given. */
  readonly orders: number;
}

/** Rewards as far as public data tell them; an estimate, not what was paid. */
export interface RewardsEstimate {
  /** Always `"estimate"`: rules change by vote, and payments are made from data that is not public. */
  readonly kind: "estimate";
  /** The rules used. */
  readonly rules: RewardRules;
  /** What it was made from. */
  readonly inputs: RewardInputs;
  /** One for each solver and auction that it won, in the order of the auctions given. */
  readonly rewards: readonly AuctionReward[];
  /** One for each solver with a reward or a share, largest performance first. */
  readonly solvers: readonly SolverReward[];
  /**
   * Sum of what the upper caps leave over performance rewards, penalties included: the budget for
   * consistency, in native atoms.
   */
  readonly consistencyBudget: OpenInterval;
  /** How that budget is shared; `null` without orders. */
  readonly consistency: ConsistencyShares | null;
  /** What could not be known. */
  readonly unknown: readonly RewardGap[];
}
