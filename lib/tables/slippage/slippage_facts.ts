import type {
  Baseline,
  NotComputable,
  Slippage,
  SlippageParts,
  Tolerance,
} from "../../metrics/mod.ts";
import type { KnownFill } from "../columns/order_records.ts";

/** What one row is computed from. */
export interface SlippageFacts extends KnownFill {
  /** How far the fill was from each baseline, or why that is not known. */
  readonly slippages: Readonly<Record<Baseline, Slippage | NotComputable<string>>>;
  /** Why it was not its gross quote, or why that is not known. */
  readonly parts: SlippageParts | NotComputable<string>;
  /** How much worse than its quote it was allowed to be. */
  readonly tolerance: Tolerance;
}
