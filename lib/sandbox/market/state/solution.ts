import type { Fill } from "../../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../../schemas/mod.ts";
import type { BookOrder } from "./book_order.ts";
import type { Route } from "./liquidity.ts";

/** One order's execution in a solution. */
export interface PlannedExecution {
  /** The order. */
  readonly order: BookOrder;
  /** Executed amounts after all fees, in atoms. */
  readonly fill: Fill;
  /** Uniform clearing prices of the two tokens. */
  readonly price: UniformPair;
  /** Its fees. */
  readonly fees: ExecutedFees;
}

/** Fees of an execution. */
export interface ExecutedFees {
  /** Protocol fees, in the sequence of their application. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
  /** All fees, in sell-token atoms. */
  readonly executedFee: bigint;
}

/** Uniform clearing prices of a pair; only their ratio matters. */
export interface UniformPair {
  /** Price of the sell token. */
  readonly sell: bigint;
  /** Price of the buy token. */
  readonly buy: bigint;
}

/** A trade of a solution with pools; outside its bound, it reverts. */
export type PlannedSwap =
  & {
    /** The route through the pools. */
    readonly route: Route;
    /** Minimum atoms of output, or maximum atoms of input. */
    readonly bound: bigint;
  }
  & ({
    /** Exact atoms of input. */
    readonly paid: bigint;
  } | {
    /** Exact atoms of output. */
    readonly wanted: bigint;
  });

/** What happens to a solution if it wins, drawn when it is planned. */
export type PlannedOutcome = "settles" | "slow" | "reverts" | "times out" | "late";

/** A solution before it is scored. */
export interface PlannedSolution {
  /** Address of the solver. */
  readonly solver: string;
  /** Its executions. */
  readonly executions: readonly PlannedExecution[];
  /** Its trades with pools. */
  readonly swaps: readonly PlannedSwap[];
  /** What happens if it wins. */
  readonly plannedOutcome: PlannedOutcome;
}
