import type {
  Baseline,
  LeftOnTheTable,
  NotComputable,
  Slippage,
  SlippageParts,
  Tolerance,
} from "../../metrics/mod.ts";
import type { KnownFill } from "../columns/order_records.ts";

/** What one row of fills is computed from. */
export interface FillFacts extends KnownFill {
  /** The limit, scaled to the fill, in surplus token atoms; `null` if it has no price. */
  readonly scaledLimit: bigint | null;
  /** How much better than the limit it was; `null` if that or the role of the order is unknown. */
  readonly surplus: bigint | null;
  /** How far the fill was from each baseline, or why that is unknown. */
  readonly slippages: Readonly<Record<Baseline, Slippage | NotComputable<string>>>;
  /** Why it differed from its gross quote, or why that is unknown. */
  readonly parts: SlippageParts | NotComputable<string>;
  /** How much worse than its quote the fill was allowed to be. */
  readonly tolerance: Tolerance;
  /** Protocol and partner fees, in surplus token atoms; `null` if the trade names none. */
  readonly fees: bigint | null;
  /** Partner fees among them; `null` if unknown. */
  readonly partnerFees: bigint | null;
  /** What the app that created the order calls itself; `null` without a document. */
  readonly appCode: string | null;
  /** The best bid that was not executed; `null` if nobody else bid, or the auction is unknown. */
  readonly left: LeftOnTheTable | null;
  /** Whether that bid was filtered out; `null` without one, and where that was not stored. */
  readonly isLeftFiltered: boolean | null;
}
