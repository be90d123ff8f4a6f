import type { SettlementAttempt } from "../../../schemas/mod.ts";
import { landSettlement } from "./land_settlement.ts";
import type { Market } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import type { Fate } from "../state/solution.ts";

const REVERT = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";
const REFUSED = "driver failed: bad status 500 Internal Server Error: settlement not submitted";
const BLOCKS_LATE = 2;

/** What sets off to the chain. */
export type Winner = Pick<PendingSettlement, "auction" | "place" | "plan" | "txHash">;

/** Submits a winning solution. */
export function beginSettlement(market: Market, winner: Winner): void {
  const { auction, place, plan } = winner;
  const { block } = market;
  const { deadline } = auction;
  const attempt: SettlementAttempt = {
    solver: plan.solver,
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
    late: [deadline, deadline + BLOCKS_LATE],
  };
  const [endsAt, landsAt] = blocks[plan.fate];
  auction.attempts.push(attempt);
  for (const { order } of plan.executions) {
    order.attempts++;
    order.note("executing", market.time.stamp());
  }
  market.pending.add({ ...winner, attempt, endsAt, landsAt });
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
  const { attempt, plan } = pending;
  attempt.endTimestamp = market.time.stamp();
  attempt.endBlock = market.block;
  attempt.outcome = hasLanded ? "success" : failureOf(pending);
  for (const { order } of plan.executions) order.attempts--;
}

function failureOf({ plan, landsAt }: PendingSettlement): string {
  if (plan.fate === "times out" || plan.fate === "late") return "timeout";
  return landsAt === null ? REFUSED : REVERT;
}
