import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { AppData, DebugReport } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  type AuditableOrder,
  type AuditableTrade,
  auditFill,
  type FeeAudit,
} from "./audit_fill.ts";
import { auditReport } from "./audit_report.ts";
import { decoded } from "../option_kinds.ts";
import { partnerAppData } from "../orders/order_app_data.ts";

/** Options of an audit. */
export interface AuditFeesOptions {
  /** The decoded app data document. @default {the order's `fullAppData`} */
  readonly appData?: AppData | null | undefined;
}

const OPTIONS: OptionRules<AuditFeesOptions> = {
  appData: decoded(),
};

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
