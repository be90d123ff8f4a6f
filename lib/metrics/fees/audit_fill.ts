import type {
  AppData,
  ExecutedProtocolFee,
  KnownFeePolicyKind,
  Order,
  Trade,
} from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { Fill } from "../orders/fill.ts";
import type { FeeReason } from "./policy_fee.ts";
import { type PolicyOrigin, policyOrigins } from "./policy_origins.ts";
import { recomputeFees } from "./recompute_fees.ts";
import { surplusToken } from "../surplus/surplus_token.ts";
import { isNotComputable } from "../not_computable.ts";

/** Result of an audit, for one fee or for all fees of a fill. */
export type AuditVerdict = "exact" | "differs" | "not_computable";

/** A fee that could be recomputed. */
export interface ComparedFee extends PolicyOrigin {
  /** How it is computed. */
  readonly kind: KnownFeePolicyKind;
  /** `"exact"` if both agree to the atom. */
  readonly verdict: "exact" | "differs";
  /** Reported amount, in atoms of the surplus token. */
  readonly reportedAtoms: bigint;
  /** Amount that follows from the policy. */
  readonly recomputedAtoms: bigint;
  /** The same without the policy's cap. */
  readonly uncappedAtoms: bigint;
  /** Reported minus recomputed: positive if more was charged than follows. */
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
  /** Why. */
  readonly reason: FeeReason | "other_token" | "no_fill" | "policies_do_not_match";
  /** The reason as a sentence. */
  readonly detail: string;
}

/** The fees of one fill, each compared with what follows from its policy. */
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
type FillPlace = Pick<FeeAudit, "orderUid" | "blockNumber"> & { readonly logIndex: number | null };

/** The fees to compare, with their policies and the app data. */
export interface AuditedFees {
  /** Fees with their policies; `undefined` if the record lists none. */
  readonly fees: readonly ExecutedProtocolFee[] | undefined;
  /** The app data document; `null` if unknown. */
  readonly appData: AppData | null;
}

/** Compares the fees of one fill with what follows from their policies. */
export function auditFill(
  fill: Fill & FillPlace,
  order: AuditableOrder,
  { fees, appData }: AuditedFees,
): FeeAudit {
  const token = surplusToken(order);
  const { orderUid, blockNumber, logIndex } = fill;
  const place = { orderUid, blockNumber, logIndex, token };
  if (fees === undefined) return { ...place, fees: [], verdict: "not_computable" };
  const policies = fees.map((fee) => fee.policy);
  const origins = policyOrigins(policies, appData);
  const recomputed = recomputeFees(fill, order, {
    policies,
    quote: order.quote,
    reportedAtoms: fees.map((fee) => fee.amount),
  });
  const compared = fees.map((fee, at) => compare(fee, recomputed[at]!, origins[at]!, token));
  return { ...place, fees: compared, verdict: verdictOf(compared) };
}

function compare(
  reported: ExecutedProtocolFee,
  recomputed: ReturnType<typeof recomputeFees>[number],
  { origin, recipient }: PolicyOrigin,
  token: string,
): ComparedFee | UncomparedFee {
  const { kind } = recomputed;
  const reportedAtoms = reported.amount;
  if (isNotComputable(recomputed)) {
    const { reason, detail } = recomputed;
    return { kind, origin, recipient, verdict: "not_computable", reportedAtoms, reason, detail };
  }
  if (!sameHex(reported.token, token)) {
    const detail = `The fee is in ${reported.token}, the surplus token is ${token}`;
    return {
      kind,
      origin,
      recipient,
      verdict: "not_computable",
      reportedAtoms,
      reason: "other_token",
      detail,
    };
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

function verdictOf(fees: readonly (ComparedFee | UncomparedFee)[]): AuditVerdict {
  if (fees.some((fee) => fee.verdict === "differs")) return "differs";
  return fees.some((fee) => fee.verdict === "not_computable") ? "not_computable" : "exact";
}
