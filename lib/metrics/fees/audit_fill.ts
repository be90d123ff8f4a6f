import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type {
  AppData,
  Competition,
  DebugFeePolicy,
  DebugReport,
  ExecutedProtocolFee,
  FeePolicy,
  KnownFeePolicyKind,
  Order,
  PartnerFee,
  Trade,
} from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { isNotComputable, list } from "../not_computable.ts";
import { auctionsByTransaction, type Fill } from "../orders/fills.ts";
import { surplusToken } from "../surplus.ts";
import { type FeeReason, recomputeFees } from "./policy_fee.ts";

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

/** Compares the fees of one fill with what follows from their policies. */
export function auditFill(
  fill: Fill & FillPlace,
  order: AuditableOrder,
  { fees, appData }: { fees: readonly ExecutedProtocolFee[] | undefined; appData: AppData | null },
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
  const uncompared = { kind, origin, recipient, verdict: "not_computable", reportedAtoms } as const;
  if (isNotComputable(recomputed)) {
    const { reason, detail } = recomputed;
    return { ...uncompared, reason, detail };
  }
  if (!sameHex(reported.token, token)) {
    const detail = `The fee is in ${reported.token}, the surplus token is ${token}`;
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

function verdictOf(fees: readonly (ComparedFee | UncomparedFee)[]): AuditVerdict {
  if (fees.some((fee) => fee.verdict === "differs")) return "differs";
  return fees.some((fee) => fee.verdict === "not_computable") ? "not_computable" : "exact";
}

/** Records that contain fee policies. */
export interface PolicySources {
  /** Debug reports: policies of every auction in which the order was in a winning solution. */
  readonly debugReports?: Iterable<DebugReport>;
  /** Trades: policies of the order in the auction that it was settled from. */
  readonly trades?: Iterable<Trade>;
  /** The auctions, which contain the settlement transactions of `trades`. */
  readonly competitions?: Iterable<Competition>;
}

const OPTIONS: OptionRules<PolicySources> = {
  debugReports: list(),
  trades: list(),
  competitions: list(),
};

/**
 * The fee policies of orders by auction, for `replayCompetition` and `scoreSolution`.
 *
 * The service stores policies only for orders in winning solutions, so an auction's map contains
 * only such orders, with `[]` for an order without policies. Policies of trades contain their
 * quote; those of debug reports need the order's. An order with a policy of unknown form is left
 * out.
 *
 * @returns Policies by UID for each auction; auctions without any are absent.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/fee_policies.rs | fee policies of the service}
 *
 * @example The policies of a trade, through its auction's settlement transaction
 * ```ts
 * import { policiesByAuction } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const policy = { volume: { factor: 0.0002 } };
 * const trade = {
 *   blockNumber: 3,
 *   logIndex: 0,
 *   orderUid: "0x0F",
 *   buyAmount: 1n,
 *   sellAmount: 1n,
 *   sellAmountBeforeFees: 1n,
 *   owner: "0x0d",
 *   buyToken: "0xb2",
 *   sellToken: "0xa1",
 *   txHash: "0x01",
 *   executedProtocolFees: [{ policy, amount: 0n, token: "0xb2" }],
 * };
 * const competition = {
 *   auctionId: 7,
 *   auctionStartBlock: 1,
 *   transactionHashes: ["0x01"],
 *   referenceScores: {},
 *   auction: { orders: ["0x0f"], prices: {} },
 *   solutions: [],
 * };
 * const policies = policiesByAuction({ trades: [trade], competitions: [competition] });
 *
 * assertEquals(policies.get(7)?.get("0x0f"), [policy]);
 * ```
 */
export function policiesByAuction(
  sources: PolicySources,
): ReadonlyMap<number, HexMap<readonly FeePolicy[]>> {
  checkOptions(sources, OPTIONS, "Cannot gather fee policies");
  const { debugReports = [], trades = [], competitions = [] } = sources;
  const found = new Map<number, HexMap<readonly FeePolicy[]>>();
  for (const { orderUid, auctions } of debugReports) {
    for (const { id, proposedSolutions, feePolicies } of auctions) {
      if (!proposedSolutions.some(({ isWinner }) => isWinner)) continue;
      add(found, id, orderUid, feePolicies.map(debugFeePolicy));
    }
  }
  const auctions = auctionsByTransaction(competitions);
  for (const { txHash, orderUid, executedProtocolFees } of trades) {
    const auctionId = txHash === null ? undefined : auctions.get(txHash)?.auctionId;
    if (auctionId === undefined || executedProtocolFees === undefined) continue;
    add(found, auctionId, orderUid, executedProtocolFees.map(({ policy }) => policy ?? null));
  }
  return found;
}

function add(
  found: Map<number, HexMap<readonly FeePolicy[]>>,
  auctionId: number,
  orderUid: string,
  policies: readonly (FeePolicy | null)[],
): void {
  const known = policies.filter((policy) => policy !== null);
  if (known.length < policies.length) return;
  let ofAuction = found.get(auctionId);
  if (ofAuction === undefined) found.set(auctionId, ofAuction = new HexMap());
  ofAuction.set(orderUid, known);
}

/**
 * Converts a policy of a debug report to the form that trades use and `recomputeFees` takes.
 *
 * Price-improvement policies of reports have no quote: pass the order's quote as an option of
 * `recomputeFees`.
 *
 * @param policy A policy of an auction in a debug report.
 * @returns The policy; `null` if a factor of its kind is missing. A policy of an unknown kind keeps
 * its kind as its only key, as in trades.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/debug_report.rs | policies of debug reports in the service}
 *
 * @example
 * ```ts
 * import { debugFeePolicy } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(debugFeePolicy({ kind: "volume", volumeFactor: 0.0002 }), {
 *   volume: { factor: 0.0002 },
 * });
 * assertEquals(debugFeePolicy({ kind: "volume" }), null);
 * ```
 */
export function debugFeePolicy(policy: DebugFeePolicy): FeePolicy | null {
  switch (policy.kind) {
    case "volume": {
      const factor = policy.volumeFactor;
      return isMissing(factor) ? null : { volume: { factor } };
    }
    case "surplus": {
      const { surplusFactor: factor, surplusMaxVolumeFactor: maxVolumeFactor } = policy;
      if (isMissing(factor) || isMissing(maxVolumeFactor)) return null;
      return { surplus: { factor, maxVolumeFactor } };
    }
    case "priceImprovement": {
      const factor = policy.priceImprovementFactor;
      const maxVolumeFactor = policy.priceImprovementMaxVolumeFactor;
      if (isMissing(factor) || isMissing(maxVolumeFactor)) return null;
      return { priceImprovement: { factor, maxVolumeFactor } };
    }
    default: {
      const unknown: Readonly<Record<string, object>> = { [policy.kind]: {} };
      return unknown;
    }
  }
}

function isMissing(factor: number | null | undefined): factor is null | undefined {
  return factor === null || factor === undefined;
}

/** Who set a fee policy. */
export interface PolicyOrigin {
  /**
   * `"protocol"` or `"partner"`; `"unknown"` if the app data document is unknown, or names partner
   * fees that do not match the policies.
   */
  readonly origin: "protocol" | "partner" | "unknown";
  /** Who receives a partner fee; `null` for all others. */
  readonly recipient: string | null;
}

const BPS_IN_ONE = 10_000;

const PROTOCOL: PolicyOrigin = Object.freeze({ origin: "protocol", recipient: null });
const UNKNOWN: PolicyOrigin = Object.freeze({ origin: "unknown", recipient: null });

/**
 * Distinguishes partner policies from protocol policies.
 *
 * The service lists protocol policies first, then one policy for each partner fee of the app data,
 * in the document's order. So the last policies are the partners', provided that their kinds match
 * the document and their factors are no larger: the service caps them, so that the volume factors
 * of all partner fees stay within a maximum, by `remaining = (1 + cap) / (1 + accumulated) - 1`. If
 * one does not match, every origin is `"unknown"`.
 *
 * @param policies Policies of one fill in the order applied.
 * @param appData The decoded app data document; `null` or `undefined` if unknown.
 * @returns One origin per policy.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/fee/mod.rs | get_partner_fee of the service}
 *
 * @example A volume fee of the protocol, then one of a partner
 * ```ts
 * import { policyOrigins } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const policies = [{ volume: { factor: 0.0002 } }, { volume: { factor: 0.0025 } }];
 * const appData = { metadata: { partnerFee: { volumeBps: 25, recipient: "0xa1" } } };
 *
 * assertEquals(policyOrigins(policies, appData), [
 *   { origin: "protocol", recipient: null },
 *   { origin: "partner", recipient: "0xa1" },
 * ]);
 * assertEquals(policyOrigins(policies, null)[1], { origin: "unknown", recipient: null });
 * ```
 */
export function policyOrigins(
  policies: readonly (FeePolicy | null | undefined)[],
  appData: AppData | null | undefined,
): readonly PolicyOrigin[] {
  if (appData === null || appData === undefined) return policies.map(() => UNKNOWN);
  const asked = partnerFeesOf(appData);
  const protocolCount = policies.length - asked.length;
  if (protocolCount < 0) return policies.map(() => UNKNOWN);
  const fits = asked.every((fee, at) => isAskedFor(policies[protocolCount + at], fee));
  if (!fits) return policies.map(() => UNKNOWN);
  return policies.map((_, at): PolicyOrigin => {
    const fee = asked[at - protocolCount];
    return fee === undefined ? PROTOCOL : { origin: "partner", recipient: fee.recipient };
  });
}

function partnerFeesOf(appData: AppData): readonly PartnerFee[] {
  const fees = appData.metadata?.partnerFee;
  if (fees === undefined) return [];
  return isList(fees) ? fees : [fees];
}

function isList(fees: PartnerFee | readonly PartnerFee[]): fees is readonly PartnerFee[] {
  return Array.isArray(fees);
}

function isAskedFor(policy: FeePolicy | null | undefined, fee: PartnerFee): boolean {
  if (policy === null || policy === undefined) return false;
  if ("volumeBps" in fee) return isWithin(policy.volume?.factor, fee.volumeBps);
  if ("surplusBps" in fee) {
    return isWithin(policy.surplus?.factor, fee.surplusBps) &&
      isWithin(policy.surplus?.maxVolumeFactor, fee.maxVolumeBps);
  }
  if ("priceImprovementBps" in fee) {
    return isWithin(policy.priceImprovement?.factor, fee.priceImprovementBps) &&
      isWithin(policy.priceImprovement?.maxVolumeFactor, fee.maxVolumeBps);
  }
  return isWithin(policy.volume?.factor, fee.bps);
}

function isWithin(factor: number | undefined, bps: number): boolean {
  return factor !== undefined && factor <= bps / BPS_IN_ONE;
}
