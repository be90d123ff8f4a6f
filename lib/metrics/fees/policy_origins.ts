import type { AppData, FeePolicy, PartnerFee } from "../../schemas/mod.ts";

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
