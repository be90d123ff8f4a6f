import type { Moment } from "./moment.ts";

/** What one policy, or the network, took from one fill: columns of `protocolFeesTable`. */
export interface FeeTimelineRow {
  /** Block of the settlement. */
  block_number: number;
  /** Time of that block; `null` where it is not known. */
  timestamp?: Moment | null;
  /**
   * Kind of the policy, as `surplus`, `volume` or `priceImprovement`, or `network`; `null` where none
   * was named.
   */
  policy_kind: string | null;
  /** Whether the fee goes to a partner of the app data. */
  is_partner?: boolean | null;
  /** The fee, in native tokens; `null` where the token has no price. */
  fee_native: number | null;
}
