import type { DebugAuction, DebugReport, DebugTrade, Execution } from "../../schemas/mod.ts";
import { type AuditableOrder, auditFill, type FeeAudit, type UncomparedFee } from "./audit_fill.ts";
import { debugFeePolicy } from "./debug_fee_policy.ts";
import { partnerAppData } from "../orders/order_app_data.ts";
import { surplusToken } from "../surplus/surplus_token.ts";

/**
 * Compares the fees of every execution in a debug report with what follows from the policies of its
 * auction.
 */
export function auditReport(report: DebugReport): readonly FeeAudit[] {
  return report.auctions.flatMap((auction) =>
    auction.executions.map((execution) => auditExecution(report, auction, execution))
  );
}

function auditExecution(
  report: DebugReport,
  auction: DebugAuction,
  execution: Execution,
): FeeAudit {
  const { order } = report;
  const appData = partnerAppData(order);
  const policies = auction.feePolicies.map(debugFeePolicy);
  const trade = tradeOf(report.trades, auction, execution);
  if (trade === undefined) {
    return unmatched(order, execution, {
      reason: "no_fill",
      detail: `The report lists no fill of auction ${auction.id} in block ${execution.blockNumber}`,
    });
  }
  if (policies.length !== execution.protocolFees.length) {
    return unmatched(order, execution, {
      reason: "policies_do_not_match",
      detail:
        `The execution has ${execution.protocolFees.length} fees, but the auction ${policies.length} policies`,
    });
  }
  const fees = execution.protocolFees.map((fee, at) => ({ ...fee, policy: policies[at] ?? null }));
  return auditFill({ ...trade, orderUid: order.uid }, order, { fees, appData });
}

/** The fill of an execution: that of its auction and block, as far as the fills name them. */
function tradeOf(
  trades: readonly DebugTrade[],
  auction: DebugAuction,
  execution: Execution,
): DebugTrade | undefined {
  return trades.find((trade) =>
    trade.blockNumber === execution.blockNumber &&
    (trade.auctionId === auction.id || trade.auctionId === undefined || trade.auctionId === null)
  );
}

function unmatched(
  order: AuditableOrder,
  execution: Execution,
  why: Pick<UncomparedFee, "reason" | "detail">,
): FeeAudit {
  return {
    orderUid: order.uid,
    blockNumber: execution.blockNumber,
    logIndex: null,
    token: surplusToken(order),
    fees: execution.protocolFees.map(({ amount }): UncomparedFee => ({
      kind: null,
      origin: "unknown",
      recipient: null,
      verdict: "not_computable",
      reportedAtoms: amount,
      ...why,
    })),
    verdict: "not_computable",
  };
}
