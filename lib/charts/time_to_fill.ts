/** How long one order waited: columns of `lifecycleTable`. */
export interface TimeToFillRow {
  /** UID of the order. */
  order_uid: string;
  /** State at the end, as `fulfilled`, `cancelled`, `expired` or `open`. */
  status: string;
  /** Seconds from creation to the first fill; `null` when there was none. */
  time_to_first_fill_seconds?: number | null;
  /** Seconds from creation to the last fill; `null` when it was not filled whole. */
  time_to_last_fill_seconds?: number | null;
  /** Seconds from creation to the end: whole fill, cancellation, expiry, or the last moment known. */
  observed_seconds?: number | null;
}
