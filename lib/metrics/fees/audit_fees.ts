import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type {
  AppData,
  DebugAuction,
  DebugReport,
  DebugTrade,
  Execution,
} from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { decoded } from "../not_computable.ts";
import { partnerAppData } from "../orders/calculate_status.ts";
import { surplusToken } from "../surplus.ts";
import {
  type AuditableOrder,
  type AuditableTrade,
  auditFill,
  debugFeePolicy,
  type FeeAudit,
  type UncomparedFee,
} from "./audit_fill.ts";

/** Options of an audit. */
export interface AuditFeesOptions {
  /** The decoded app data document. @default {the order's `fullAppData`} */
  readonly appData?: AppData | null | undefined;
}

const OPTIONS: OptionRules<AuditFeesOptions> = { appData: decoded() };

/**
 * Recomputes the fees of every fill in a debug report and compares them with what it reports.
 *
 * A report lists the policies of an auction without their quote, so the order's stored quote is
 * used, with its fee as the service's policies read it ({@linkcode storedQuoteFee}). Executions are
 * matched with fills by auction, or by block if a fill names no auction.
 *
 * @param report A debug report.
 * @returns One audit per execution, by auction.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service}
 */
export function auditFees(report: DebugReport): readonly FeeAudit[];

/**
 * Recomputes the fees of a fill from their policies and compares them with what the trade reports.
 *
 * Every fee is recomputed by {@linkcode recomputeFees}, to the atom. If one cannot be, earlier
 * policies are recomputed from its reported amount. The order's app data distinguishes partner fees
 * from protocol fees ({@linkcode policyOrigins}).
 *
 * @param trade A fill, as returned by `v2/trades`.
 * @param order Its order.
 * @param options The app data document, if the order does not contain it.
 * @returns The audit of the fill.
 * @throws {InputError} If the trade is of another order, or an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service}
 *
 * @example A volume fee, reported an atom too high
 * ```ts
 * import { auditFees } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   uid: "0x01",
 *   kind: "sell",
 *   sellAmount: 10n,
 *   buyAmount: 1_000_000n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 *   fullAppData: "{}",
 * } as const;
 * const trade = {
 *   orderUid: "0x01",
 *   blockNumber: 7,
 *   logIndex: 0,
 *   sellAmount: 10n,
 *   sellAmountBeforeFees: 10n,
 *   buyAmount: 1_000_000n,
 *   executedProtocolFees: [
 *     { policy: { volume: { factor: 0.5 } }, amount: 1_000_001n, token: "0xb2" },
 *   ],
 * };
 *
 * assertEquals(auditFees(trade, order).fees, [{
 *   kind: "volume",
 *   origin: "protocol",
 *   recipient: null,
 *   verdict: "differs",
 *   reportedAtoms: 1_000_001n,
 *   recomputedAtoms: 1_000_000n,
 *   uncappedAtoms: 1_000_000n,
 *   differenceAtoms: 1n,
 *   isCapped: false,
 * }]);
 * ```
 */
export function auditFees(
  trade: AuditableTrade,
  order: AuditableOrder,
  options?: AuditFeesOptions,
): FeeAudit;

export function auditFees(
  record: DebugReport | AuditableTrade,
  order?: AuditableOrder,
  options: AuditFeesOptions = {},
): FeeAudit | readonly FeeAudit[] {
  checkOptions(options, OPTIONS, "Cannot audit fees");
  if ("auctions" in record) return auditReport(record);
  if (order === undefined || !sameHex(record.orderUid, order.uid)) {
    throw new InputError(`Cannot audit the fees of a fill of order ${record.orderUid}`, {
      facts: { order: order?.uid ?? "missing" },
      remedy: "Pass the order that the trade names as the second argument",
    });
  }
  return auditFill(record, order, {
    fees: record.executedProtocolFees,
    appData: options.appData === undefined ? partnerAppData(order) : options.appData,
  });
}

/**
 * Compares the fees of every execution in a debug report with what follows from the policies of its
 * auction.
 */
function auditReport(report: DebugReport): readonly FeeAudit[] {
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
