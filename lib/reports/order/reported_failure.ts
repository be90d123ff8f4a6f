import type { AttemptBasis } from "../../evm/node/failed_settlements.ts";

/** A settlement with the order that failed, and why. */
export interface ReportedFailure {
  /** The auction whose winning solution it was. */
  readonly auctionId: number;
  /** The solver; `null` if unknown. */
  readonly solver: string | null;
  /** Name of the solver; `null` if unknown. */
  readonly solverName: string | null;
  /** First block that was searched for its transaction. */
  readonly fromBlock: number;
  /** Last block that was searched for it. */
  readonly toBlock: number;
  /** The failed transaction; `null` if none is in those blocks. */
  readonly txHash: string | null;
  /** Its block; `null` without a transaction. */
  readonly block: number | null;
  /** Timestamp of the block; `null` without a transaction. */
  readonly at: Temporal.Instant | null;
  /** Account that sent it; `null` without a transaction. */
  readonly sender: string | null;
  /** The contract that it called, if that is not the settlement contract; `null` without a transaction. */
  readonly through: string | null;
  /**
   * Its calldata has the order and the auction, or through another contract only one of them; `null`
   * without a transaction.
   */
  readonly basis: AttemptBasis | null;
  /** Gas that it used; `null` without a transaction. */
  readonly gasUsed: bigint | null;
  /** The most gas that it could use; `null` if unknown. */
  readonly gasLimit: bigint | null;
  /** Cost of its gas, in native atoms; `null` if unknown. */
  readonly costAtoms: bigint | null;
  /**
   * Its replay in the state of the block before: whether it reverts there too; `unknown` if the node does not
   * execute it, `null` without a transaction.
   */
  readonly replay: "reverted" | "succeeded" | "unknown" | null;
  /**
   * The reason of the revert in words: a text is the contract's own. `null` without a transaction, if its
   * replay did not revert, and if the node does not execute it.
   */
  readonly reason: string | null;
  /** Data that the replay returned, as hex; `null` without it. */
  readonly revertData: string | null;
  /** A known reason in plain words; `null` for others. */
  readonly meaning: string | null;
  /** All of it as a sentence without a full stop. */
  readonly text: string;
}

/** A simulated settlement of an order at the block of its last failure. */
export interface FailureSimulation {
  /** The block before which it failed. */
  readonly block: number;
  /** Error of the simulation; `null` if it succeeded. */
  readonly error: string | null;
  /** Page of the simulation at Tenderly; `null` without one. */
  readonly tenderlyUrl: string | null;
}

/** The outcome of an attempt with the description in the response of its driver, without the rest of it. */
export function describeOutcome(outcome: string): string {
  const [, kind, description] = /^([\w ]+): .*"description":"([^"\\]+)"/s.exec(outcome) ?? [];
  return description === undefined ? outcome : `${kind}: ${description}`;
}
