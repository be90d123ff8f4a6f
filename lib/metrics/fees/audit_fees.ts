import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type {
  AppData,
  DebugAuction,
  DebugReport,
  DebugTrade,
  ExecutedProtocolFee,
  Execution,
  KnownFeePolicyKind,
  Order,
  Trade,
} from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { sameHex } from "../../units/mod.ts";
import { anyRecord, isNotComputable } from "../not_computable.ts";
import { parsePartnerAppData } from "../orders/calculate_status.ts";
import { surplusToken } from "../surplus.ts";
import { debugFeePolicy, type PolicyOrigin, policyOrigins } from "./fee_policies.ts";
import type { Fill } from "../orders/fills.ts";
import { type FeeReason, recomputeFees } from "./policy_fee.ts";

/** Options of an audit. */
export interface AuditFeesOptions {
  /** The decoded app data document. @default {the order's `fullAppData`} */
  readonly appData?: AppData | null | undefined;
}

/**
 * Recomputes the fees of every fill in a debug report and compares them with the reported ones.
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
 * Recomputes the fees of a fill from their policies and compares them with those that the trade reports.
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
  checkOptions(options, { appData: anyRecord() }, "Cannot audit fees");
  if ("auctions" in record) {
    return record.auctions.flatMap((auction) =>
      auction.executions.map((execution) => auditExecution(record, auction, execution))
    );
  }
  if (order === undefined || !sameHex(record.orderUid, order.uid)) {
    throw new InputError(`Cannot audit the fees of a fill of order ${record.orderUid}`, {
      facts: { order: order?.uid ?? "missing" },
      remedy: "Pass the order that the trade names as the second argument",
    });
  }
  return auditFill(record, order, {
    fees: record.executedProtocolFees,
    appData: options.appData === undefined ? parsePartnerAppData(order) : options.appData,
  });
}

function auditExecution(
  report: DebugReport,
  auction: DebugAuction,
  execution: Execution,
): FeeAudit {
  const { order } = report;
  const appData = parsePartnerAppData(order);
  const policies = auction.feePolicies.map(debugFeePolicy);
  const trade = findTrade(report.trades, auction, execution);
  if (trade === undefined) {
    return createUnmatchedAudit(order, execution, {
      reason: "no_fill",
      detail: `The report lists no fill of auction ${auction.id} in block ${execution.blockNumber}`,
    });
  }
  if (policies.length !== execution.protocolFees.length) {
    return createUnmatchedAudit(order, execution, {
      reason: "policies_do_not_match",
      detail: `The execution has ${pluralize(execution.protocolFees.length, "fee")}, ` +
        `but the auction ${pluralize(policies.length, "policy", "policies")}`,
    });
  }
  const fees = execution.protocolFees.map((fee, index) => ({
    ...fee,
    policy: policies[index] ?? null,
  }));
  return auditFill({ ...trade, orderUid: order.uid }, order, { fees, appData });
}

/** Finds the fill of an execution: that of its auction, if the fills name it, and its block. */
function findTrade(
  trades: readonly DebugTrade[],
  auction: DebugAuction,
  execution: Execution,
): DebugTrade | undefined {
  return trades.find((trade) =>
    trade.blockNumber === execution.blockNumber &&
    (trade.auctionId === auction.id || trade.auctionId === undefined || trade.auctionId === null)
  );
}

function createUnmatchedAudit(
  order: AuditableOrder,
  execution: Execution,
  mismatch: Pick<UncomparedFee, "reason" | "detail">,
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
      ...mismatch,
    })),
    verdict: "not_computable",
  };
}

/** Result of an audit, for one fee or for all fees of a fill. */
export type AuditVerdict = "exact" | "differs" | "not_computable";

/** A fee that could be recomputed. */
export interface ComparedFee extends PolicyOrigin {
  /** Kind of the policy. */
  readonly kind: KnownFeePolicyKind;
  /** `"exact"` if both agree to the atom. */
  readonly verdict: "exact" | "differs";
  /** Reported amount, in atoms of the surplus token. */
  readonly reportedAtoms: bigint;
  /** Amount by the policy. */
  readonly recomputedAtoms: bigint;
  /** Amount without the policy's cap. */
  readonly uncappedAtoms: bigint;
  /** Reported minus recomputed: positive if more was charged. */
  readonly differenceAtoms: bigint;
  /** Whether the policy's cap reduced the fee. */
  readonly isCapped: boolean;
}

/** A fee that could not be recomputed, and why. */
export interface UncomparedFee extends PolicyOrigin {
  /** Kind of the policy, if known. */
  readonly kind: KnownFeePolicyKind | null;
  /** Always `"not_computable"`. */
  readonly verdict: "not_computable";
  /** Reported amount, in atoms of the reported token. */
  readonly reportedAtoms: bigint;
  /** The reason. */
  readonly reason: FeeReason | "other_token" | "no_fill" | "policies_do_not_match";
  /** The reason as a sentence. */
  readonly detail: string;
}

/** The fees of one fill, each compared with the amount by its policy. */
export interface FeeAudit {
  /** Order that was filled. */
  readonly orderUid: string;
  /** Block of the settlement. */
  readonly blockNumber: number;
  /** Index of the trade's event in the block; `null` if the report does not list the fill. */
  readonly logIndex: number | null;
  /** The surplus token, in which every fee is charged. */
  readonly token: string;
  /** One entry per fee, in the order applied. */
  readonly fees: readonly (ComparedFee | UncomparedFee)[];
  /**
   * `"differs"` if any fee does; otherwise `"not_computable"` if any fee is not computable or the
   * record does not list the fill's fees; otherwise `"exact"`, also for a fill without fees.
   */
  readonly verdict: AuditVerdict;
}

/** The fields of a trade that an audit reads. */
export type AuditableTrade = Pick<
  Trade,
  | "orderUid"
  | "blockNumber"
  | "logIndex"
  | "sellAmount"
  | "sellAmountBeforeFees"
  | "buyAmount"
  | "executedProtocolFees"
>;

/** The fields of an order that an audit reads. */
export type AuditableOrder = Pick<
  Order,
  "uid" | "kind" | "sellAmount" | "buyAmount" | "sellToken" | "buyToken" | "fullAppData" | "quote"
>;

/** Position of a fill on the chain. */
type FillPosition = Pick<FeeAudit, "orderUid" | "blockNumber"> & {
  readonly logIndex: number | null;
};

/** Compares the fees of one fill with the amounts by their policies. */
function auditFill(
  fill: Fill & FillPosition,
  order: AuditableOrder,
  { fees, appData }: { fees: readonly ExecutedProtocolFee[] | undefined; appData: AppData | null },
): FeeAudit {
  const token = surplusToken(order);
  const { orderUid, blockNumber, logIndex } = fill;
  const position = { orderUid, blockNumber, logIndex, token };
  if (fees === undefined) return { ...position, fees: [], verdict: "not_computable" };
  const policies = fees.map((fee) => fee.policy);
  const origins = policyOrigins(policies, appData);
  const recomputed = recomputeFees(fill, order, {
    policies,
    quote: order.quote,
    reportedAtoms: fees.map((fee) => fee.amount),
  });
  const compared = fees.map((fee, index) =>
    compareFee(fee, recomputed[index]!, origins[index]!, token)
  );
  return { ...position, fees: compared, verdict: combineVerdicts(compared) };
}

function compareFee(
  chargedFee: ExecutedProtocolFee,
  recomputed: ReturnType<typeof recomputeFees>[number],
  { origin, recipient }: PolicyOrigin,
  token: string,
): ComparedFee | UncomparedFee {
  const { kind } = recomputed;
  const reportedAtoms = chargedFee.amount;
  const uncompared = { kind, origin, recipient, verdict: "not_computable", reportedAtoms } as const;
  if (isNotComputable(recomputed)) {
    const { reason, detail } = recomputed;
    return { ...uncompared, reason, detail };
  }
  if (!sameHex(chargedFee.token, token)) {
    const detail = `The fee is in ${chargedFee.token}, the surplus token is ${token}`;
    return { ...uncompared, reason: "other_token", detail };
  }
  const differenceAtoms = reportedAtoms - recomputed.atoms;
  return {
    kind: recomputed.kind,
    origin,
    recipient,
    verdict: differenceAtoms === 0n ? "exact" : "differs",
    reportedAtoms,
    recomputedAtoms: recomputed.atoms,
    uncappedAtoms: recomputed.uncappedAtoms,
    differenceAtoms,
    isCapped: recomputed.isCapped,
  };
}

function combineVerdicts(fees: readonly (ComparedFee | UncomparedFee)[]): AuditVerdict {
  if (fees.some((fee) => fee.verdict === "differs")) return "differs";
  return fees.some((fee) => fee.verdict === "not_computable") ? "not_computable" : "exact";
}
