/** A moment: RFC 3339 text as tables have it, or a date or instant. */
export type Moment = string | Date | Temporal.Instant;

/** One change in the life of the order: the columns of `orderEventsTable`. */
export interface OrderTimelineEvent {
  /** When it was stored. */
  timestamp: Moment;
  /** What happened, as `created`, `ready` or `traded`. */
  label: string;
  /** Why, for `filtered` and `invalid`. */
  reason?: string | null;
}

/** One auction that had the order in it. */
export interface OrderTimelineAuction {
  /** Id of the auction. */
  auction_id: number;
  /** Block the auction began at. */
  block_number: number;
  /** Last block to settle in. */
  deadline_block?: number | null;
  /** Solutions that execute the order. */
  bid_count?: number | null;
  /** Whether one of them won. */
  is_won?: boolean | null;
}

/** One try to settle the order: the columns of `settlementAttemptsTable`, this order's only. */
export interface OrderTimelineAttempt {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** When the try began. */
  start_timestamp?: Moment | null;
  /** When it ended; `null` while pending. */
  end_timestamp?: Moment | null;
  /** Block the try began at. */
  start_block?: number | null;
  /** Block it ended at; `null` while pending. */
  end_block?: number | null;
  /** Last block to settle in. */
  deadline_block?: number | null;
  /** `success`, `timeout` or `driver failed: <text>`; `null` while pending. */
  outcome?: string | null;
}

/** One fill of the order. */
export interface OrderTimelineFill {
  /** Block of the settlement. */
  block_number: number;
  /** Time of that block; `null` where it is not known. */
  timestamp?: Moment | null;
  /** Auction it was settled from. */
  auction_id?: number | null;
  /** Share of the whole order that this fill executed, from 0 to 1. */
  filled_fraction?: number | null;
}
