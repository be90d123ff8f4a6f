import type { RowKind } from "../rows/row_kind.ts";

/** How long one order waited: columns of `lifecycleTable`. */
export interface TimeToFillRow {
  /** UID of the order. */
  order_uid: string;
  /** State at the end, such as `fulfilled`, `cancelled`, `expired` or `open`. */
  status: string;
  /** Seconds from creation to the first fill; `null` when there was none. */
  time_to_first_fill_seconds?: number | null;
  /** Seconds from creation to the last fill; read for orders whose status is `fulfilled` only. */
  time_to_last_fill_seconds?: number | null;
  /**
   * Seconds from creation to the end: whole fill, cancellation, expiry, or the last moment known.
   */
  observed_seconds?: number | null;
  /** Fills it had; an order with fills whose time is not known is left out. */
  fill_count?: number | null;
  /** How the times of its fills are known: `block`, `event` or `bracketed`, at the earliest. */
  time_basis?: string | null;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Where the limit was against the quote, such as `in_market` or `out_of_market`. */
  market_position?: string | null;
}

/** The table these rows come from, and its columns. */
export const TIME_TO_FILL_ROWS: RowKind<TimeToFillRow> = {
  table: "lifecycleTable",
  columns: {
    order_uid: "text",
    status: "text",
    time_to_first_fill_seconds: "number?",
    time_to_last_fill_seconds: "number?",
    observed_seconds: "number?",
    fill_count: "number?",
    time_basis: "text?",
    kind: "text?",
    pair: "text?",
    market_position: "text?",
  },
};
