import type { SettlementAttempt } from "../../../schemas/mod.ts";
import type { StoredAuction } from "./book.ts";
import type { PlannedSolution } from "./solution.ts";

/** A winning solution that is pending on-chain. */
export interface PendingSettlement {
  /** Its auction. */
  readonly auction: StoredAuction;
  /** Its number in the auction: its ranking minus 1. */
  readonly solutionUid: number;
  /** Its executions and swaps. */
  readonly plan: PlannedSolution;
  /** Its reported attempt. */
  readonly attempt: SettlementAttempt;
  /** Hash of its transaction, if it reaches the chain. */
  readonly txHash: string;
  /** Block in which the attempt ends. */
  readonly endsAt: number;
  /** Block in which it reaches the chain; `null` if it never does. */
  readonly landsAt: number | null;
}
