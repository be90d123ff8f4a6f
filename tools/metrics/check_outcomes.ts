import { settlementOutcomes, type SolutionOutcome } from "orderlens/metrics";
import type { Scenario } from "./read_scenario.ts";
import type { Tally } from "./tally.ts";
import type { StoredSettlement } from "./truth.ts";

/** Compares the outcome of every winning solution with the indexed settlements. */
export function checkOutcomes(scenario: Scenario, tally: Tally): void {
  const { competitions, trades, reports, truth } = scenario;
  const { solutions } = settlementOutcomes(competitions.values(), {
    trades: trades.values(),
    debugReports: reports.values(),
  });
  const rows = truth?.settlements ?? [];
  for (const outcome of solutions) {
    const { auctionId, ranking, result, basis } = outcome;
    // A pending settlement may have been indexed after the answer.
    if (truth === null || result === "unknown" || result === "pending") {
      tally.skip("outcomes");
      continue;
    }
    const row = rows.find((candidate) =>
      candidate.auction_id === auctionId && candidate.solution_uid === ranking - 1
    );
    const expected = deriveExpected(outcome, row);
    const where = `auction ${auctionId}, ranking ${ranking}`;
    const difference = `${where}: ${result} by ${basis}, but the records say ${expected}`;
    tally.check("outcomes", result === expected ? null : difference);
  }
}

function deriveExpected(
  { deadlineBlock }: SolutionOutcome,
  row: StoredSettlement | undefined,
): SolutionOutcome["result"] {
  if (row === undefined) return "absent";
  return deadlineBlock !== null && row.block_number <= deadlineBlock ? "in_time" : "late";
}
