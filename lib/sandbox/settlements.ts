import type { SettlementAttempt } from "../schemas/mod.ts";
import type { StoredAuction } from "./book.ts";
import { landSettlement } from "./land_settlement.ts";
import type { Market } from "./market.ts";
import type { PendingSettlement } from "./pending_settlement.ts";
import type { Fate } from "./solution.ts";

const REVERT = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";
const REFUSED = "driver failed: bad status 500 Internal Server Error: settlement not submitted";
const LATE_BY = 2;

/** Sends a winner on its way. */
export function beginSettlement(
  market: Market,
  auction: StoredAuction,
  { place, txHash }: { place: number; txHash: string },
): void {
  const solution = auction.solutions[place]!;
  const { block } = market;
  const { deadline } = auction;
  const attempt: SettlementAttempt = {
    solver: solution.solver,
    solutionUid: place,
    startTimestamp: market.time.stamp(),
    startBlock: block,
    deadlineBlock: deadline,
  };
  const blocks: Record<Fate, readonly [endsAt: number, landsAt: number | null]> = {
    settles: [block + 1, block + 1],
    slow: [block + 2, block + 2],
    reverts: [block + 1, null],
    "times out": [deadline, null],
    late: [deadline, deadline + LATE_BY],
  };
  const [endsAt, landsAt] = blocks[solution.fate];
  auction.attempts.push(attempt);
  for (const { order } of solution.executions) {
    order.attempts++;
    order.note("executing", market.time.stamp());
  }
  market.pending.add({ auction, place, solution, attempt, txHash, endsAt, landsAt });
}

/** Lets everything reach the chain, or fail, that does so in this block. */
export function settlePending(market: Market): void {
  market.logsInBlock = 0;
  for (const pending of [...market.pending]) {
    const hasLanded = pending.landsAt === market.block && landSettlement(market, pending);
    if (pending.endsAt === market.block) endAttempt(market, pending, hasLanded);
    const last = Math.max(pending.endsAt, pending.landsAt ?? 0);
    if (last <= market.block) market.pending.delete(pending);
  }
}

function endAttempt(market: Market, pending: PendingSettlement, hasLanded: boolean): void {
  const { attempt, solution, landsAt } = pending;
  attempt.endTimestamp = market.time.stamp();
  attempt.endBlock = market.block;
  attempt.outcome = hasLanded
    ? "success"
    : solution.fate === "times out" || solution.fate === "late"
    ? "timeout"
    : landsAt === null
    ? REFUSED
    : REVERT;
  for (const { order } of solution.executions) order.attempts--;
}
