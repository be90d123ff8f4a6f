/** What decided the fate of an order; each is one row of the verdicts. */
export type OrderCause = EndingCause | LastingCause | "evidence_gone" | "unknown";

/** What may keep an order from being filled for a time, and may change from auction to auction. */
export type LastingCause =
  | "presignature_missing"
  | "not_valid_yet"
  | "invalid"
  | "filtered"
  | "won_not_settled"
  | "executing"
  | AuctionCause
  | "ready_in_no_stored_auction"
  | "never_in_an_auction";

/** What one auction did with an order that it listed. */
export type AuctionCause =
  | "bids_unfair"
  | "outbid"
  | "no_bid_limit_beyond_market"
  | "no_bid_at_a_fair_limit";

const ENDING_CAUSES: readonly EndingCause[] = [
  "unknown_here",
  "jit_liquidity",
  "jit_capturing",
  "filled",
  "filled_late",
  "replaced",
  "cancelled",
  "refunded",
  "placement_failed",
];

/** Every cause, in the order of the verdicts. */
export const ORDER_CAUSES: readonly OrderCause[] = [
  ...ENDING_CAUSES,
  "presignature_missing",
  "not_valid_yet",
  "invalid",
  "filtered",
  "won_not_settled",
  "executing",
  "bids_unfair",
  "outbid",
  "no_bid_limit_beyond_market",
  "no_bid_at_a_fair_limit",
  "ready_in_no_stored_auction",
  "never_in_an_auction",
  "evidence_gone",
  "unknown",
];

/** Causes that end an order: the verdict is the cause alone, whatever the status is. */
export type EndingCause =
  | "unknown_here"
  | "jit_liquidity"
  | "jit_capturing"
  | "filled"
  | "filled_late"
  | "replaced"
  | "cancelled"
  | "refunded"
  | "placement_failed";

/** A cause that leaves an order open, or lets it expire. */
export type PendingCause = Exclude<OrderCause, EndingCause>;

/** The verdict: the cause, with the status in front where the cause alone does not say it. */
export type OrderVerdict =
  | EndingCause
  | PendingCause
  | `open_${PendingCause}`
  | `expired_${PendingCause}`
  | `partly_filled_${EndingCause | `open_${PendingCause}` | `expired_${PendingCause}`}`;

/** What the text of a verdict depends on. */
export interface VerdictParts {
  /** What decided. */
  readonly cause: OrderCause;
  /** The reported status; `null` if the order is unknown. */
  readonly status: string | null;
  /** Whether something, but not all, was filled. */
  readonly isPartlyFilled: boolean;
}

/** The text of a verdict: `expired_outbid`, `partly_filled_cancelled`, `filled`. */
export function verdictOf({ cause, status, isPartlyFilled }: VerdictParts): OrderVerdict {
  const isPrefixed = !isEnding(cause) && (status === "open" || status === "expired");
  const rest = isPrefixed ? `${status}_${cause}` : cause;
  return (isPartlyFilled ? `partly_filled_${rest}` : rest) as OrderVerdict;
}

function isEnding(cause: OrderCause): boolean {
  return (ENDING_CAUSES as readonly OrderCause[]).includes(cause);
}
