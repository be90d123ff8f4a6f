import { checkOptions, isWhole, type OptionRules } from "../../errors/option_rules.ts";
import {
  type AppData,
  type Competition,
  type DebugFeePolicy,
  type DebugReport,
  type FeePolicy,
  isReadable,
  type PartnerFee,
  type Trade,
} from "../../schemas/mod.ts";
import { PARTNER_SHARES } from "../../networks/payments.ts";
import { HexMap, type Ratio } from "../../units/mod.ts";
import { list } from "../not_computable.ts";
import { indexAuctionsOfFills } from "../orders/fills.ts";
import { findRulesInForce } from "../../networks/rules_in_force.ts";

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
 * Gathers the fee policies of orders by auction, for `replayCompetition` and `scoreSolution`.
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
  const policiesById = new Map<number, HexMap<readonly FeePolicy[]>>();
  for (const { orderUid, auctions } of debugReports) {
    for (const { id, proposedSolutions, feePolicies } of auctions) {
      if (!proposedSolutions.some(({ isWinner }) => isWinner)) continue;
      addPolicies(policiesById, id, orderUid, feePolicies.map(debugFeePolicy));
    }
  }
  const findAuction = indexAuctionsOfFills(competitions);
  for (const trade of trades) {
    const { orderUid, executedProtocolFees } = trade;
    const auctionId = findAuction(trade)?.auctionId;
    if (auctionId === undefined || executedProtocolFees === undefined) continue;
    addPolicies(
      policiesById,
      auctionId,
      orderUid,
      executedProtocolFees.map(({ policy }) => policy ?? null),
    );
  }
  return policiesById;
}

function addPolicies(
  policiesById: Map<number, HexMap<readonly FeePolicy[]>>,
  auctionId: number,
  orderUid: string,
  policies: readonly (FeePolicy | null)[],
): void {
  const knownPolicies = policies.filter((policy) => policy !== null);
  if (knownPolicies.length < policies.length) return;
  let auctionPolicies = policiesById.get(auctionId);
  if (auctionPolicies === undefined) policiesById.set(auctionId, auctionPolicies = new HexMap());
  auctionPolicies.set(orderUid, knownPolicies);
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
      const unknownPolicy: Readonly<Record<string, object>> = { [policy.kind]: {} };
      return unknownPolicy;
    }
  }
}

function isMissing(factor: number | null | undefined): factor is null | undefined {
  return factor === null || factor === undefined;
}

/** Origin of a fee policy. */
export interface PolicyOrigin {
  /**
   * `"protocol"` or `"partner"`; `"unknown"` if the app data document is unknown, or names partner
   * fees that do not match the policies.
   */
  readonly origin: "protocol" | "partner" | "unknown";
  /** Recipient of a partner fee; `null` for all others. */
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
  const partnerFees = readPartnerFees(appData);
  if (partnerFees === null) return policies.map(() => UNKNOWN);
  const protocolCount = policies.length - partnerFees.length;
  if (protocolCount < 0) return policies.map(() => UNKNOWN);
  const fits = partnerFees.every((fee, index) => isRequested(policies[protocolCount + index], fee));
  if (!fits) return policies.map(() => UNKNOWN);
  return policies.map((_, index): PolicyOrigin => {
    const fee = partnerFees[index - protocolCount];
    return fee === undefined ? PROTOCOL : { origin: "partner", recipient: fee.recipient };
  });
}

/** Reads the partner fees of a document; `null` where its value cannot be read. */
export function readPartnerFees(appData: AppData): readonly PartnerFee[] | null {
  if (!isReadable(appData, "partnerFee")) return null;
  const fees = appData.metadata?.partnerFee;
  return fees === undefined ? [] : [fees].flat();
}

/**
 * Reads the share of the volume that a partner requests, in basis points; `null` for a fee of another
 * kind. Of a fee with several forms, the service takes the first one that fits.
 */
export function readPartnerVolumeBps(fee: PartnerFee): number | null {
  if (hasForm(fee, "surplusBps") || hasForm(fee, "priceImprovementBps")) return null;
  return "volumeBps" in fee && isWhole(fee.volumeBps, 0)
    ? fee.volumeBps
    : "bps" in fee
    ? fee.bps
    : null;
}

function isRequested(policy: FeePolicy | null | undefined, fee: PartnerFee): boolean {
  if (policy === null || policy === undefined) return false;
  if (hasForm(fee, "surplusBps")) {
    return isWithin(policy.surplus?.factor, fee.surplusBps) &&
      isWithin(policy.surplus?.maxVolumeFactor, fee.maxVolumeBps);
  }
  if (hasForm(fee, "priceImprovementBps")) {
    return isWithin(policy.priceImprovement?.factor, fee.priceImprovementBps) &&
      isWithin(policy.priceImprovement?.maxVolumeFactor, fee.maxVolumeBps);
  }
  const volumeBps = readPartnerVolumeBps(fee);
  return volumeBps !== null && isWithin(policy.volume?.factor, volumeBps);
}

type CappedForm = "surplusBps" | "priceImprovementBps";

/** Whether a fee has the form with a share and its cap; a document may have more than one form. */
function hasForm<Share extends CappedForm>(
  fee: PartnerFee,
  share: Share,
): fee is Extract<PartnerFee, { readonly [key in Share]: number }> {
  const fields: Readonly<Record<string, unknown>> = { ...fee };
  return isWhole(fields[share], 0) && isWhole(fields.maxVolumeBps, 0);
}

function isWithin(factor: number | undefined, bps: number): boolean {
  return factor !== undefined && factor <= bps / BPS_IN_ONE;
}

/**
 * Returns the share of partner fees that the service keeps by default, at some time.
 *
 * Partners may have agreed on another share, which is not public: their payments may differ.
 *
 * @param time The time at which the fee was charged.
 * @returns 0 to 1, of {@linkcode PARTNER_SHARES}; `null` before there were partner fees, and in the week
 * from 2025-11-18, in which it may have gone from 1/2 to 1/4 already.
 * @see {@link https://docs.cow.fi/governance/fees/partner-fee | Partner fee}
 * @see {@link https://forum.cow.fi/t/cip-75-partner-incentive-alignment-partner-fee-partner-price-improvement-share-and-increased-cap-on-partner-s-maximum-aggregate-revenue-share/3253 | CIP-75}
 *
 * @example A quarter, by CIP-75
 * ```ts
 * import { partnerServiceShare } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const share = partnerServiceShare(Temporal.Instant.from("2026-11-21T15:00:00Z"));
 * assertEquals(share, { numerator: 2_500n, denominator: 10_000n });
 * ```
 */
export function partnerServiceShare(time: Temporal.Instant): Ratio | null {
  const { rule, isCertain } = findRulesInForce(PARTNER_SHARES, time.toString().slice(0, 10));
  return rule === null || !isCertain ? null : rule.share;
}

/**
 * Computes the part of a fee that its partner receives by default: `fee - ceil(fee * share)`, in the atoms
 * of the fee. Rounded down, so that sums of many never exceed the charges less the service's share.
 *
 * @param feeAtoms The fee, in atoms of any token.
 * @param time The time at which it was charged.
 * @returns `null` where {@linkcode partnerServiceShare} is unknown.
 *
 * @example Three quarters, rounded down
 * ```ts
 * import { partnerNetFee } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const time = Temporal.Instant.from("2026-11-21T15:00:00Z");
 * assertEquals([partnerNetFee(100n, time), partnerNetFee(101n, time)], [75n, 75n]);
 * ```
 */
export function partnerNetFee(feeAtoms: bigint, time: Temporal.Instant): bigint | null {
  const share = partnerServiceShare(time);
  if (share === null) return null;
  const { numerator, denominator } = share;
  return feeAtoms * (denominator - numerator) / denominator;
}
