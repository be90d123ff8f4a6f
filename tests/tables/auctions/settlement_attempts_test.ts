import { assertEquals } from "@std/assert";
import type { SettlementAttempt } from "orderlens/schemas";
import { settlementAttemptsTable } from "orderlens/tables";
import { debugAuctionOf, orderOf, reportOf } from "../../metrics/reports.ts";
import { cells } from "../made_up.ts";

function attemptOf(solutionUid: number, more: Partial<SettlementAttempt> = {}): SettlementAttempt {
  return {
    solver: "0xa0",
    solutionUid,
    startTimestamp: Temporal.Instant.from("2026-08-21T10:00:00Z"),
    startBlock: 100,
    deadlineBlock: 103,
    ...more,
  };
}

const won = {
  ranking: 1,
  solver: "0xa0",
  isWinner: true,
  filteredOut: false,
  score: 1n,
  executedSell: 1n,
  executedBuy: 1n,
};

Deno.test("settlementAttemptsTable() lists an attempt once, even if many reports repeat it", () => {
  const settlementAttempts = [attemptOf(1), attemptOf(0)];
  const reports = [0, 1].map((solutionUid) =>
    reportOf({
      order: orderOf({ uid: `0x0${solutionUid}` }),
      auctions: [debugAuctionOf(7, {
        settlementAttempts,
        proposedSolutions: [{ ...won, solutionUid }],
      })],
    })
  );
  const columns = ["auction_id", "ranking", "holds_given_order"];
  assertEquals(cells(settlementAttemptsTable(reports), ...columns), [[7, 1, true], [7, 2, true]]);
  assertEquals(cells(settlementAttemptsTable(reports.slice(0, 1)), ...columns), [
    [7, 1, true],
    [7, 2, false],
  ]);
});

Deno.test("settlementAttemptsTable() lists a second attempt of the same solution separately", () => {
  const again = attemptOf(0, { startTimestamp: Temporal.Instant.from("2026-08-21T10:00:05Z") });
  const auctions = [debugAuctionOf(7, { settlementAttempts: [again, attemptOf(0)] })];
  const frame = settlementAttemptsTable([reportOf({ auctions })]);
  assertEquals(cells(frame, "start_timestamp"), [
    ["2026-08-21T10:00:00Z"],
    ["2026-08-21T10:00:05Z"],
  ]);
});

Deno.test("settlementAttemptsTable() leaves the end of a pending attempt open", () => {
  const ended = attemptOf(1, {
    endTimestamp: Temporal.Instant.from("2026-08-21T10:00:01.5Z"),
    endBlock: 101,
    outcome: "timeout",
  });
  const auctions = [debugAuctionOf(7, { settlementAttempts: [attemptOf(0), ended] })];
  const columns = ["end_timestamp", "duration_seconds", "end_block", "outcome"];
  assertEquals(cells(settlementAttemptsTable([reportOf({ auctions })]), ...columns), [
    [null, null, null, null],
    ["2026-08-21T10:00:01.5Z", 1.5, 101, "timeout"],
  ]);
});
