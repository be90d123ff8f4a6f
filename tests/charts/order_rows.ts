import type {
  LeftOnTheTableRow,
  OrderBidRow,
  OrderTimelineRows,
  TimeToFillRow,
} from "orderlens/charts";

const UID = `0x${"12".repeat(56)}`;

/** One order that was filled in two parts, after a try that failed. */
export const ORDER = {
  order_uid: UID,
  valid_to: "2026-11-21T15:19:19Z",
  events: [
    { label: "created", timestamp: "2026-11-21T15:18:19.058308Z" },
    { label: "ready", timestamp: "2026-11-21T15:18:19.569153Z" },
    { label: "executing", timestamp: "2026-11-21T15:18:21.480892Z" },
    { label: "filtered", timestamp: "2026-11-21T15:18:21.609552Z", reason: "in_flight" },
    { label: "traded", timestamp: "2026-11-21T15:18:25.626084Z" },
    { label: "ready", timestamp: "2026-11-21T15:18:29.660783Z" },
    { label: "traded", timestamp: "2026-11-21T15:18:42.139571Z" },
  ],
  auctions: [
    { auction_id: 7, block_number: 100, deadline_block: 108, bid_count: 2, is_won: true },
    { auction_id: 8, block_number: 104, deadline_block: 112, bid_count: 0, is_won: false },
    { auction_id: 9, block_number: 105, deadline_block: 113, bid_count: 3, is_won: false },
    { auction_id: 10, block_number: 109, deadline_block: 117, bid_count: 1, is_won: true },
  ],
  attempts: [
    {
      auction_id: 7,
      solver: "solver a",
      start_timestamp: "2026-11-21T15:18:21.4Z",
      end_timestamp: "2026-11-21T15:18:23.4Z",
      start_block: 101,
      end_block: 103,
      deadline_block: 108,
      outcome: "timeout",
    },
    {
      auction_id: 10,
      solver: "solver b",
      start_timestamp: "2026-11-21T15:18:41Z",
      end_timestamp: "2026-11-21T15:18:42Z",
      start_block: 110,
      end_block: 111,
      deadline_block: 117,
      outcome: "success",
    },
  ],
  fills: [{
    block_number: 111,
    timestamp: "2026-11-21T15:18:42Z",
    auction_id: 10,
    filled_fraction: 1,
  }],
} satisfies OrderTimelineRows;

/** One bid for an order whose quotes are known. */
export function bid(place: number, facts: Partial<OrderBidRow> = {}): OrderBidRow {
  return {
    auction_id: 100 + Math.floor(place / 3),
    solver: `solver ${place % 3}`,
    ranking: place % 3 + 1,
    is_winner: place % 3 === 0,
    filtered_out: place % 3 === 2,
    is_executed: place === 0,
    over_limit_bps: 50 - 3 * place,
    quote_gross_over_limit_bps: 60,
    quote_net_over_limit_bps: 45,
    quote_user_shown_over_limit_bps: 44,
    ...facts,
  };
}

/** One execution with a better bid beside it. */
export function execution(
  place: number,
  facts: Partial<LeftOnTheTableRow> = {},
): LeftOnTheTableRow {
  return {
    order_uid: `0x${place.toString(16).padStart(112, "0")}`,
    auction_id: 100 + place,
    pair: "WETH → USDC",
    executed_solver: "solver a",
    executed_over_limit_bps: 40,
    best_unexecuted_solver: "solver b",
    best_unexecuted_over_limit_bps: 42,
    best_unexecuted_filtered_out: false,
    left_native: 0.25,
    ...facts,
  };
}

/** One order that was filled after so many seconds. */
export function filled(seconds: number, facts: Partial<TimeToFillRow> = {}): TimeToFillRow {
  return {
    order_uid: UID,
    status: "fulfilled",
    time_to_first_fill_seconds: seconds,
    time_to_last_fill_seconds: seconds,
    observed_seconds: seconds,
    kind: "sell",
    ...facts,
  };
}

/** One order that was not filled until it ended or was last seen. */
export function unfilled(status: string, seconds: number | null): TimeToFillRow {
  return { order_uid: UID, status, time_to_first_fill_seconds: null, observed_seconds: seconds };
}
