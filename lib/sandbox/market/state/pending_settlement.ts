import type { SettlementAttempt } from "../../../schemas/mod.ts";
import type { StoredAuction } from "./book.ts";
import type { PlannedSolution } from "./solution.ts";

/** A winning solution that is pending on-chain. */
export interface PendingSettlement {
  /** Its auction. */
  readonly auction: StoredAuction;
  /** Its place in the ranking, from 0. */
  readonly place: number;
  /** What it does. */
  readonly plan: PlannedSolution;
  /** What is told of the try. */
  readonly attempt: SettlementAttempt;
  /** Its transaction, should it come to one. */
  readonly txHash: string;
  /** Block in which the try ends. */
  readonly endsAt: number;
  /** Block in which it reaches the chain; `null` if it never does. */
  readonly landsAt: number | null;
}
