import { COLORS } from "../figure/chart_options.ts";
import type { MarkLook } from "../figure/chosen_colors.ts";
import { each, isNumber, type Known, type RowKind, secondsFrom } from "../rows.ts";
import { bpsText, signedText } from "../texts/alike_texts.ts";
import { shortHex, SolverNames } from "../texts/short_names.ts";
import { exactText } from "../texts/label_text.ts";

/** How one solver did over a set of auctions: columns of `solverLeaderboardTable`. */
export interface SolverLeaderboardRow {
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Auctions in which it proposed at least one solution. */
  auctions_bid: number;
  /** Auctions in which at least one of its solutions won. */
  auctions_won: number;
  /** `auctions_won / auctions_bid`, from 0 to 1. */
  win_rate: number | null;
  /** Lower end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_high?: number | null;
  /** Its winning solutions' part of all winning scores, from 0 to 1. */
  score_share?: number | null;
  /** Winning solutions settled in time, of those in time, late or absent; from 0 to 1. */
  in_time_rate?: number | null;
  /** Lower end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_high?: number | null;
}

/** The table these rows come from, and its columns. */
export const SOLVER_LEADERBOARD_ROWS: RowKind<SolverLeaderboardRow> = {
  table: "solverLeaderboardTable",
  columns: {
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number", "auctions_bid", "auctions_won", "win_rate"),
    ...each("number?", "win_rate_low", "win_rate_high", "score_share", "in_time_rate"),
    ...each("number?", "in_time_rate_low", "in_time_rate_high"),
  },
};

/** One solution of one auction; the columns of `solutionsTable`, of which more may be there. */
export interface AuctionRankingRow {
  /** Id of the auction; all rows are of one. */
  auction_id: number;
  /** Place of the solution, from 1. */
  ranking: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Score, in native tokens. */
  score_native: number | null;
  /** Whether it won. */
  is_winner: boolean;
  /** Whether it was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Reference score of the solver, in native tokens; `null` if it did not win. */
  reference_score_native?: number | null;
  /** The directed pair whose baseline a filtered solution missed, as text. */
  missed_pair?: string | null;
}

/** The table these rows come from, and its columns. */
export const AUCTION_RANKING_ROWS: RowKind<AuctionRankingRow> = {
  table: "solutionsTable",
  columns: {
    ...each("number", "auction_id", "ranking", "score_native"),
    ...each("text", "solver"),
    ...each("text?", "solver_name", "missed_pair"),
    ...each("flag", "is_winner", "filtered_out"),
    ...each("number?", "reference_score_native"),
  },
};

/**
 * One execution of one order beside the best bid for it that was not executed: columns of
 * `bestOtherBidsTable`.
 */
export interface LeftOnTheTableRow {
  /** UID of the order. */
  order_uid: string;
  /** Id of the auction. */
  auction_id: number;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Address or name of the solver that was executed. */
  executed_solver: string;
  /** Name of that solver; `null` if unknown. */
  executed_solver_name?: string | null;
  /** What was executed, in basis points over the limit. */
  executed_over_limit_bps: number | null;
  /** Address or name of the solver of the best other bid; `null` when there was no other. */
  best_unexecuted_solver: string | null;
  /** Name of that solver; `null` if unknown. */
  best_unexecuted_solver_name?: string | null;
  /** The best other bid, in basis points over the limit; `null` when there was no other. */
  best_unexecuted_over_limit_bps: number | null;
  /** Whether that bid's solution was filtered out as unfair to a pair. */
  best_unexecuted_filtered_out?: boolean | null;
  /**
   * Best other bid less what was executed, in native tokens; negative where the executed was best.
   */
  left_native?: number | null;
  /** Size of the execution, in native tokens. */
  volume_native?: number | null;
}

/** The table these rows come from, and its columns. */
export const LEFT_ON_THE_TABLE_ROWS: RowKind<LeftOnTheTableRow> = {
  table: "bestOtherBidsTable",
  columns: {
    ...each("text", "order_uid", "executed_solver", "best_unexecuted_solver"),
    ...each("number", "auction_id", "executed_over_limit_bps", "best_unexecuted_over_limit_bps"),
    ...each("text?", "pair", "executed_solver_name", "best_unexecuted_solver_name"),
    ...each("flag?", "best_unexecuted_filtered_out"),
    ...each("number?", "left_native", "volume_native"),
  },
};

/** An execution whose two bids are known. */
export type ComparedRow = Known<
  LeftOnTheTableRow,
  "executed_over_limit_bps" | "best_unexecuted_over_limit_bps"
>;

/** How the best other bid looks. */
export const OTHER_BID = {
  better: { label: "other bid was better", fill: COLORS.orange, stroke: COLORS.orange },
  filtered: {
    label: "other bid was better, but filtered out",
    fill: "white",
    stroke: COLORS.vermilion,
  },
  worse: { label: "executed bid was the best", fill: COLORS.blue, stroke: COLORS.blue },
} as const;

/** What the tooltip of an execution says. */
export function executionTooltip(row: ComparedRow, names: SolverNames): string {
  const native = isNumber(row.left_native) ? `, ${signedText(row.left_native)} native tokens` : "";
  return `order ${shortHex(row.order_uid)}${row.pair ? `, ${row.pair}` : ""}\n` +
    `auction ${row.auction_id}\n` +
    `executed ${bpsText(row.executed_over_limit_bps)} by ${names.withHex(row.executed_solver)}\n` +
    `best other ${bpsText(row.best_unexecuted_over_limit_bps)} by ` +
    `${names.withHex(row.best_unexecuted_solver ?? "an unknown solver")}\n` +
    `difference ${bpsText(leftBps(row))}${native}`;
}

/** What the solvers of some executions are called. */
export function executionNames(rows: readonly LeftOnTheTableRow[]): SolverNames {
  return new SolverNames(rows.flatMap((row) => [
    [row.executed_solver, row.executed_solver_name] as const,
    [row.best_unexecuted_solver, row.best_unexecuted_solver_name] as const,
  ]));
}

/** Best other bid less the executed one, in basis points of the limit. */
export function leftBps(row: ComparedRow): number {
  return row.best_unexecuted_over_limit_bps - row.executed_over_limit_bps;
}

/** Which of the looks the best other bid of an execution has. */
export function otherBid(row: ComparedRow): (typeof OTHER_BID)[keyof typeof OTHER_BID] {
  if (leftBps(row) <= 0) return OTHER_BID.worse;
  return row.best_unexecuted_filtered_out === true ? OTHER_BID.filtered : OTHER_BID.better;
}

/** What one solver offered for the order in one auction: columns of `bidsTable`. */
export interface OrderBidRow {
  /** UID of the order. */
  order_uid?: string | null;
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Place of its solution, from 1. */
  ranking: number;
  /** When the auction began, in unix milliseconds; the earliest if `time_basis` is `bracketed`. */
  auction_at_ms?: number | null;
  /** How that time is known: `block` or `bracketed`; `null` if it is not. */
  time_basis?: string | null;
  /** Whether the solution won. */
  is_winner: boolean;
  /** Whether the solution was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Whether the bid became a fill; `null` or absent where that is not known. */
  is_executed?: boolean | null;
  /** How much better than the limit the bid is, in basis points of the limit. */
  over_limit_bps: number | null;
  /** The stored quote before any fee, in basis points over the limit; the same on every row. */
  quote_gross_over_limit_bps?: number | null;
  /** The quote less its network fee, in basis points over the limit; the same on every row. */
  quote_net_over_limit_bps?: number | null;
  /** What the trader was shown, in basis points over the limit; the same on every row. */
  quote_user_shown_over_limit_bps?: number | null;
}

/** The table these rows come from, and its columns. */
export const ORDER_BID_ROWS: RowKind<OrderBidRow> = {
  table: "bidsTable",
  columns: {
    ...each("text?", "order_uid", "solver_name", "time_basis"),
    ...each("number", "auction_id", "ranking", "over_limit_bps"),
    ...each("text", "solver"),
    ...each("number?", "auction_at_ms", "quote_gross_over_limit_bps", "quote_net_over_limit_bps"),
    ...each("number?", "quote_user_shown_over_limit_bps"),
    ...each("flag", "is_winner", "filtered_out"),
    ...each("flag?", "is_executed"),
  },
};

/** When the auctions of bids began, by id, in seconds since 1970. */
export function auctionTimesOf(bids: readonly OrderBidRow[]): Map<number, number> {
  return new Map(bids.flatMap(({ auction_id: id, auction_at_ms: at }): [number, number][] => {
    const seconds = secondsFrom(at);
    return seconds === null ? [] : [[id, seconds]];
  }));
}

/** A bid that can be drawn. */
export type PlacedBid = Known<OrderBidRow, "over_limit_bps">;

/** What may become of a bid, and how it looks then. */
export const BID_LOOKS = {
  executed: { label: "bid that was executed", fill: COLORS.blue, stroke: COLORS.ink },
  winner: { label: "winner, not executed", fill: COLORS.sky, stroke: COLORS.blue },
  lost: { label: "did not win", fill: COLORS.grey, stroke: COLORS.muted },
  filtered: { label: "filtered out", fill: "white", stroke: COLORS.vermilion },
  unknown: { label: "winner", fill: COLORS.blue, stroke: COLORS.blue },
} as const satisfies Readonly<Record<string, MarkLook>>;

/** How a bid looks. */
export function bidLook(row: OrderBidRow): MarkLook {
  if (row.filtered_out) return BID_LOOKS.filtered;
  if (row.is_executed === true) return BID_LOOKS.executed;
  if (!row.is_winner) return BID_LOOKS.lost;
  return row.is_executed === false ? BID_LOOKS.winner : BID_LOOKS.unknown;
}

/** What the tooltip of a bid says. */
export function bidTooltip(row: PlacedBid, names: SolverNames): string {
  return `${names.withHex(row.solver)}, auction ${row.auction_id}\n` +
    `ranking ${row.ranking}, ${bidLook(row).label}\n${
      exactText(row.over_limit_bps)
    } bps over the limit`;
}
