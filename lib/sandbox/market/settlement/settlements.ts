import { keccakText } from "../../../evm/hex/keccak_text.ts";
import type { SettlementAttempt } from "../../../schemas/mod.ts";
import { landSettlement } from "./land_settlement.ts";
import type { Market } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import type { PlannedOutcome } from "../state/solution.ts";

const REVERT = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";
const NOT_SUBMITTED =
  "driver failed: bad status 500 Internal Server Error: settlement not submitted";
const BLOCKS_LATE = 2;
/** Gas of a signature on the chain. */
const PRE_SIGNATURE_GAS = 52_181;

/** A winning solution to submit. */
export type Winner = Pick<PendingSettlement, "auction" | "solutionUid" | "plan" | "txHash">;

/** Submits a winning solution. */
export function beginSettlement(market: Market, winner: Winner): void {
  const { auction, solutionUid, plan } = winner;
  const { block } = market;
  const { deadline } = auction;
  const attempt: SettlementAttempt = {
    solver: plan.solver,
    solutionUid,
    startTimestamp: market.time.stamp(),
    startBlock: block,
    deadlineBlock: deadline,
  };
  const blocks: Record<PlannedOutcome, readonly [endsAt: number, landsAt: number | null]> = {
    settles: [block + 1, block + 1],
    slow: [block + 2, block + 2],
    reverts: [block + 1, null],
    "times out": [deadline, null],
    late: [deadline, deadline + BLOCKS_LATE],
  };
  const [endsAt, landsAt] = blocks[plan.plannedOutcome];
  auction.attempts.push(attempt);
  for (const { order } of plan.executions) {
    order.attempts++;
    order.addEvent("executing", market.time.stamp());
  }
  market.pending.add({ ...winner, attempt, endsAt, landsAt });
}

/** Executes or fails the settlements that are due in this block. */
export function settlePending(market: Market): void {
  const { chain, block, time, gasPrice } = market;
  chain.begin({ number: block, timestamp: time.seconds, gasPrice });
  includePreSignatures(market);
  for (const pending of [...market.pending]) {
    const hasLanded = pending.landsAt === market.block && landSettlement(market, pending);
    if (pending.endsAt === market.block) endAttempt(market, pending, hasLanded);
    const last = Math.max(pending.endsAt, pending.landsAt ?? 0);
    if (last <= market.block) market.pending.delete(pending);
  }
  chain.seal();
}

/** Lets the signatures reach the chain that owners have sent since the last block. */
function includePreSignatures({ chain, block }: Market): void {
  for (const order of chain.preSigned.splice(0)) {
    const hash = keccakText(`setPreSignature ${order.uid} ${block}`);
    const cost = { gasUsed: PRE_SIGNATURE_GAS, logs: 1 };
    chain.include({ hash, from: order.owner, call: { kind: "preSign", order }, ...cost });
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
  if (plan.plannedOutcome === "times out" || plan.plannedOutcome === "late") return "timeout";
  return landsAt === null ? NOT_SUBMITTED : REVERT;
}
