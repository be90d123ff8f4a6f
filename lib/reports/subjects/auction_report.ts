import type { CompetitionReplay, MissedBaseline, SettlementResult } from "../../metrics/mod.ts";
import type { SolutionOrder } from "../../schemas/mod.ts";
import type { ReportedDeployment, ReportedUnknown, TimelineBasis } from "../order/order_report.ts";
import type { SettledOrder } from "./settled_orders.ts";

/** One solution of a reported auction. */
export interface ReportedSolution {
  /** Rank, from 1. */
  readonly ranking: number;
  /** Solver. */
  readonly solver: string;
  /** Its name; `null` if unknown. */
  readonly solverName: string | null;
  /** Score, in native atoms. */
  readonly score: bigint;
  /** Whether it won. */
  readonly isWinner: boolean;
  /** Whether it was filtered out as unfair. */
  readonly filteredOut: boolean;
  /** Its orders, with their amounts after all fees. */
  readonly orders: readonly SolutionOrder[];
  /** Whether it was settled; `null` unless it won. */
  readonly settled: SettlementResult | null;
  /** Its settlement; `null` if unknown or none. */
  readonly txHash: string | null;
  /** Block of the settlement; `null` if unknown or none. */
  readonly block: number | null;
  /** Pairs to which it was unfair; empty unless it was filtered out. */
  readonly missedBaselines: readonly MissedBaseline[];
}

/** What happened in one auction: plain data. Scores are in native atoms. */
export interface AuctionReport {
  /** Always `orderlens/inspect-auction@1`. */
  readonly schema: "orderlens/inspect-auction@1";
  /** Id that was asked for. */
  readonly auctionId: number;
  /** Where. */
  readonly deployment: ReportedDeployment;
  /** What happened, as one sentence. */
  readonly sentence: string;
  /** Whether the deployment has its competition. */
  readonly isFound: boolean;
  /** Start block; `null` without the competition. */
  readonly block: number | null;
  /** Last block in which to settle; `null` if unknown. */
  readonly deadlineBlock: number | null;
  /** When its start block was produced; `null` without a node. */
  readonly at: Temporal.Instant | null;
  /** How the time is known; `null` without one. */
  readonly basis: TimelineBasis | null;
  /** UIDs of the orders that it listed. */
  readonly orderUids: readonly string[];
  /** Native prices: native atoms for 10^18 atoms of each token. */
  readonly prices: Readonly<Record<string, bigint>>;
  /** Solutions, best rank first. */
  readonly solutions: readonly ReportedSolution[];
  /** Sum of the scores of all winners. */
  readonly totalScore: bigint;
  /** Reference score of each winning solver. */
  readonly referenceScores: Readonly<Record<string, bigint>>;
  /** Filter, winners, places and reference scores by the rules; `null` without the competition. */
  readonly replay: CompetitionReplay | null;
  /** Settlement transactions. */
  readonly transactions: readonly string[];
  /** Orders that were settled from it, with their fills. */
  readonly settled: readonly SettledOrder[];
  /** What cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}
