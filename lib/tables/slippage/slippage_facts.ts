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
  /** How far the fill was from each baseline, or why that is unknown. */
  readonly slippages: Readonly<Record<Baseline, Slippage | NotComputable<string>>>;
  /** Why it differed from its gross quote, or why that is unknown. */
  readonly parts: SlippageParts | NotComputable<string>;
  /** How much worse than its quote the fill was allowed to be. */
  readonly tolerance: Tolerance;
}
