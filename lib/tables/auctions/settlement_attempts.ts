import type { DebugReport, SettlementAttempt } from "../../schemas/mod.ts";
import { flag, integer, number, text, time } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { secondsBetween } from "../orders/order_events.ts";
import { solver, type SolverOptions } from "../columns/solver_names.ts";
import {
  readRecords,
  REPORT_KIND,
  SOLVER_OPTIONS,
  type TableInput,
} from "../columns/table_input.ts";

/** What one row is computed from. */
export interface SettlementAttemptFacts {
  /** Id of the auction. */
  readonly auctionId: number;
  /** The attempt. */
  readonly attempt: SettlementAttempt;
  /** Whether the winning solution contains an order whose report was passed. */
  holdsGivenOrder: boolean;
}

/** One row per settlement attempt; see {@linkcode settlementAttemptsTable}. */
export const SETTLEMENT_ATTEMPTS: Table<SettlementAttemptFacts> = {
  name: "settlement_attempts",
  grain: "One attempt to settle one winning solution of one auction",
  columns: [
    integer("auction_id", {
      source: "report.auctions[].id",
      cell: ({ auctionId }) => auctionId,
    }),
    integer("ranking", {
      source: "attempt.solutionUid + 1: rank of the solution, from 1",
      cell: ({ attempt }) => attempt.solutionUid + 1,
    }),
    ...solver<SettlementAttemptFacts>("solver", {
      source: "attempt.solver",
      solver: ({ attempt }) => attempt.solver,
    }),
    ...time<SettlementAttemptFacts>("start_timestamp", {
      source: "attempt.startTimestamp",
      at: ({ attempt }) => attempt.startTimestamp,
    }),
    ...time<SettlementAttemptFacts>("end_timestamp", {
      source: "attempt.endTimestamp; null while pending",
      at: ({ attempt }) => attempt.endTimestamp,
    }),
    number("duration_seconds", {
      unit: "seconds",
      source: "end_timestamp - start_timestamp; null while pending",
      cell: ({ attempt: { startTimestamp, endTimestamp } }) =>
        endTimestamp == null ? null : secondsBetween(startTimestamp, endTimestamp),
    }),
    integer("start_block", {
      source: "attempt.startBlock",
      cell: ({ attempt }) => attempt.startBlock,
    }),
    integer("end_block", {
      source: "attempt.endBlock; null while pending",
      cell: ({ attempt }) => attempt.endBlock ?? null,
    }),
    integer("deadline_block", {
      source: "attempt.deadlineBlock: the last block in which to settle",
      cell: ({ attempt }) => attempt.deadlineBlock,
    }),
    text("outcome", {
      source: "attempt.outcome: success, timeout or driver failed: <text>; null while pending",
      cell: ({ attempt }) => attempt.outcome ?? null,
    }),
    flag("holds_given_order", {
      source: "whether the winning solution contains an order whose report was passed",
      cell: ({ holdsGivenOrder }) => holdsGivenOrder,
    }),
  ],
};

const INPUT: TableInput<DebugReport, SolverOptions> = {
  table: "settlementAttemptsTable",
  records: REPORT_KIND,
  options: SOLVER_OPTIONS,
};

/**
 * One row per settlement attempt, sorted by auction, then by start. Every report of an auction
 * repeats an attempt; the table lists it once.
 *
 * A report lists the attempts of the whole auction. In those that tried to settle its own order,
 * `holds_given_order` is true.
 *
 * @param reports Decoded debug reports.
 * @param options Names of solvers.
 * @returns A frame with the columns of {@linkcode SETTLEMENT_ATTEMPTS}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No attempts
 * ```ts
 * import { settlementAttemptsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(settlementAttemptsTable([]).height, 0);
 * ```
 */
export function settlementAttemptsTable(
  reports: Iterable<DebugReport>,
  options: SolverOptions = {},
): Frame {
  const rows = new Map<string, SettlementAttemptFacts>();
  for (const { auctions } of readRecords(reports, options, INPUT)) {
    for (const { id, settlementAttempts, proposedSolutions } of auctions) {
      const own = new Set(
        proposedSolutions.filter(({ isWinner }) => isWinner).map(({ solutionUid }) => solutionUid),
      );
      for (const attempt of settlementAttempts) {
        const { solver, solutionUid, startTimestamp } = attempt;
        const key = `${id} ${solutionUid} ${solver.toLowerCase()} ${startTimestamp}`;
        const row = rows.get(key) ?? { auctionId: id, attempt, holdsGivenOrder: false };
        row.holdsGivenOrder ||= own.has(solutionUid);
        rows.set(key, row);
      }
    }
  }
  return buildFrame(SETTLEMENT_ATTEMPTS, [...rows.values()].sort(byAuctionAndStart), options);
}

function byAuctionAndStart(a: SettlementAttemptFacts, b: SettlementAttemptFacts): number {
  return a.auctionId - b.auctionId ||
    Temporal.Instant.compare(a.attempt.startTimestamp, b.attempt.startTimestamp) ||
    a.attempt.solutionUid - b.attempt.solutionUid;
}
