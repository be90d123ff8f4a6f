import { COLORS, type MarkLook } from "../looks.ts";
import { declare, type RowKind, type Rows } from "../rows.ts";
import type { Moment } from "../texts/label_text.ts";

/** One change in the life of the order: columns of `order_events`. */
export interface OrderTimelineEvent {
  /** UID of its order; rows of other orders are left out. */
  order_uid?: string | null;
  /** Time of storage. */
  timestamp: Moment;
  /** Kind of event, such as `created`, `ready` or `traded`. */
  label: string;
  /** Reason for `filtered` and `invalid`. */
  reason?: string | null;
}

/** Table and columns of {@linkcode OrderTimelineEvent}. */
export const EVENT_ROWS: RowKind<OrderTimelineEvent> = {
  table: "order_events",
  columns: { order_uid: "text?", timestamp: "moment", label: "text", reason: "text?" },
};

/** One auction that had the order in it: columns of `order_auctions`. */
export interface OrderTimelineAuction {
  /** UID of its order; rows of other orders are left out. */
  order_uid?: string | null;
  /** Id of the auction. */
  auction_id: number;
  /** Block the auction began at. */
  block_number: number;
  /** Its start, in unix milliseconds; the earliest if `time_basis` is `bracketed`. */
  auction_at_ms?: number | null;
  /** Source of that time: `block` or `bracketed`; `null` if it is unknown. */
  time_basis?: string | null;
  /** The latest it may have begun, in unix milliseconds, if `time_basis` is `bracketed`. */
  auction_time_max_ms?: number | null;
  /** Last block to settle in. */
  deadline_block?: number | null;
  /** Solutions that execute the order. */
  bid_count?: number | null;
  /** Whether one of them won. */
  is_won?: boolean | null;
}

/** Table and columns of {@linkcode OrderTimelineAuction}. */
export const AUCTION_ROWS: RowKind<OrderTimelineAuction> = {
  table: "order_auctions",
  columns: {
    ...declare("text?", "order_uid", "time_basis"),
    ...declare("number", "auction_id", "block_number"),
    ...declare("number?", "auction_at_ms", "auction_time_max_ms", "deadline_block", "bid_count"),
    ...declare("flag?", "is_won"),
  },
};

/** One attempt to settle the order: columns of `settlement_attempts`, for this order only. */
export interface OrderTimelineAttempt {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Start of the attempt. */
  start_timestamp?: Moment | null;
  /** End of the attempt; `null` while pending. */
  end_timestamp?: Moment | null;
  /** Block the attempt started at. */
  start_block?: number | null;
  /** Block it ended at; `null` while pending. */
  end_block?: number | null;
  /** Last block to settle in. */
  deadline_block?: number | null;
  /** `success`, `timeout` or `driver failed: <text>`; `null` while pending. */
  outcome?: string | null;
}

/** Table and columns of {@linkcode OrderTimelineAttempt}. */
export const ATTEMPT_ROWS: RowKind<OrderTimelineAttempt> = {
  table: "settlement_attempts",
  columns: {
    ...declare("number", "auction_id"),
    ...declare("text", "solver"),
    ...declare("text?", "solver_name", "outcome"),
    ...declare("moment?", "start_timestamp", "end_timestamp"),
    ...declare("number?", "start_block", "end_block", "deadline_block"),
  },
};

/** One fill of the order: columns of `executions`, or of `fills`, which has times. */
export interface OrderTimelineFill {
  /** UID of its order; rows of other orders are left out. */
  order_uid?: string | null;
  /** Block of the settlement. */
  block_number: number;
  /**
   * Its time, in unix milliseconds: when it was indexed if `time_basis` is `event`, the
   * earliest if it is `bracketed`.
   */
  filled_at_ms?: number | null;
  /** Source of that time: `block`, `event` or `bracketed`; `null` if it is unknown. */
  time_basis?: string | null;
  /** The latest it may have happened, in unix milliseconds, if `time_basis` is `bracketed`. */
  fill_time_max_ms?: number | null;
  /**
   * Time of its block, for rows without `filled_at_ms`; where neither is known, the order's events
   * `traded` tell when it was indexed.
   */
  timestamp?: Moment | null;
  /** Auction it was settled from. */
  auction_id?: number | null;
  /** Share of the whole order that this fill executed, from 0 to 1. */
  filled_fraction?: number | null;
}

/** Table and columns of {@linkcode OrderTimelineFill}. */
export const FILL_ROWS: RowKind<OrderTimelineFill> = {
  table: "executions",
  columns: {
    ...declare("text?", "order_uid", "time_basis"),
    ...declare("number", "block_number"),
    ...declare("number?", "filled_at_ms", "fill_time_max_ms", "auction_id", "filled_fraction"),
    ...declare("moment?", "timestamp"),
  },
};

/** Known rows on the life of one order. */
export interface OrderTimelineRows {
  /** UID of the order. */
  order_uid: string;
  /**
   * The last second in which it may be filled, as `effectiveValidTo` gives it (an EthFlow order's
   * is `userValidTo`); `null` or absent where that is not known.
   */
  valid_to?: Moment | null;
  /** Whether it may still be filled, as its status says. @default {false} */
  is_open?: boolean;
  /** Its events. @default {none} */
  events?: Rows<OrderTimelineEvent>;
  /** Auctions that had it in them. @default {none} */
  auctions?: Rows<OrderTimelineAuction>;
  /** Attempts to settle it. @default {none} */
  attempts?: Rows<OrderTimelineAttempt>;
  /** Its fills. @default {none} */
  fills?: Rows<OrderTimelineFill>;
}

/** A row of any of the parts of an order's life. */
export type OrderTimelineRow =
  | OrderTimelineEvent
  | OrderTimelineAuction
  | OrderTimelineAttempt
  | OrderTimelineFill;

/** Known parts of an order's life, with the rows as objects. */
export interface OrderParts {
  events: readonly OrderTimelineEvent[];
  auctions: readonly OrderTimelineAuction[];
  attempts: readonly OrderTimelineAttempt[];
  fills: readonly OrderTimelineFill[];
}

export const ATTEMPT_LOOKS = {
  success: { label: "successful attempt", fill: COLORS.green, stroke: COLORS.green },
  failed: { label: "failed attempt", fill: COLORS.vermilion, stroke: COLORS.vermilion },
  pending: { label: "pending attempt", fill: "white", stroke: COLORS.muted },
} as const satisfies Readonly<Record<string, MarkLook>>;

export function pickAttemptLook(outcome: string | null | undefined): MarkLook {
  if (outcome === null || outcome === undefined) return ATTEMPT_LOOKS.pending;
  return outcome === "success" ? ATTEMPT_LOOKS.success : ATTEMPT_LOOKS.failed;
}
