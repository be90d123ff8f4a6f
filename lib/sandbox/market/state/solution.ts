import type { Fill } from "../../../metrics/mod.ts";
import type { ExecutedProtocolFee } from "../../../schemas/mod.ts";
import type { BookOrder } from "./book_order.ts";
import type { Route } from "./liquidity.ts";

/** One order's execution in a solution. */
export interface PlannedExecution {
  /** The order. */
  readonly order: BookOrder;
  /** What it sells and buys, after all fees, in atoms. */
  readonly fill: Fill;
  /** The settlement's uniform price of the pair, as a ratio of the two tokens' prices. */
  readonly price: UniformPair;
  /** What of it is fees. */
  readonly fees: ExecutedFees;
}

/** Fees of an execution. */
export interface ExecutedFees {
  /** Those of the order's policies, in the order they are applied. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
  /** All of them, in sell-token atoms. */
  readonly executedFee: bigint;
}

/** Uniform prices of a pair: only their quotient means anything. */
export interface UniformPair {
  /** Price of the sell token. */
  readonly sell: bigint;
  /** Price of the buy token. */
  readonly buy: bigint;
}

/** A trade with pools that a solution needs; outside its bound it reverts. */
export type PlannedSwap =
  & {
    /** The way through the pools. */
    readonly route: Route;
    /** The least atoms that may come out, or the most that may be paid in. */
    readonly bound: bigint;
  }
  & ({
    /** Atoms that are paid in. */
    readonly paid: bigint;
  } | {
    /** Atoms that must come out. */
    readonly wanted: bigint;
  });

/** What becomes of a solution that wins, decided when it is made. */
export type Fate = "settles" | "slow" | "reverts" | "times out" | "late";

/** A solution before it is scored. */
export interface PlannedSolution {
  /** Address of the solver. */
  readonly solver: string;
  /** Its executions. */
  readonly executions: readonly PlannedExecution[];
  /** Its trades with pools. */
  readonly swaps: readonly PlannedSwap[];
  /** What becomes of it if it wins. */
  readonly fate: Fate;
}
