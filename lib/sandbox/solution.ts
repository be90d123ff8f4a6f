import type { Fill } from "../metrics/mod.ts";
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
}

/** Uniform prices of a pair: only their quotient means anything. */
export interface UniformPair {
  /** Price of the sell token. */
  readonly sell: bigint;
  /** Price of the buy token. */
  readonly buy: bigint;
}

/** A trade with pools that a solution needs. */
export interface PlannedSwap {
  /** The way through the pools. */
  readonly route: Route;
  /** What is paid in, in atoms, where that is what is fixed. */
  readonly paid?: bigint;
  /** What must come out, in atoms, where that is what is fixed. */
  readonly wanted?: bigint;
  /** The least that may come out, or the most that may be paid in: otherwise it reverts. */
  readonly bound: bigint;
}

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
