import { type Ratio, ratio } from "../../units/mod.ts";

const BPS_IN_ONE = 10_000n;

/** A default share of partner fees, and when it took effect. */
interface ServiceShare {
  /** First day, at 00:00 UTC. */
  readonly since: string;
  /** Basis points of a partner's fee that the service keeps; `null` where none is known. */
  readonly bps: bigint | null;
}

/** Later ones first. */
const SERVICE_SHARES: readonly ServiceShare[] = [
  // CIP-75, by the first accounting week in which it surely applies.
  { since: "2026-01-06", bps: 2_500n },
  // It was put to the vote; no public source names the day on which payments began to follow it.
  { since: "2025-11-11", bps: null },
  // CIP-61.
  { since: "2025-02-01", bps: 5_000n },
  // Partner fees began.
  { since: "2024-04-04", bps: 1_500n },
];

/**
 * The share of partner fees that the service keeps by default, at some time.
 *
 * Partners may have agreed on another share, which is not public: what they are paid may differ.
 *
 * @param time When the fee was charged.
 * @returns 0 to 1; `null` before there were partner fees, and from 2025-11-11 until 2026-01-06, when
 * it went from 1/2 to 1/4 on a day that is not known.
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
  const share = SERVICE_SHARES.find(({ since }) =>
    Temporal.Instant.compare(time, `${since}T00:00:00Z`) >= 0
  );
  return share?.bps == null ? null : ratio(share.bps, BPS_IN_ONE);
}

/**
 * What of a fee its partner receives by default: `fee - ceil(fee * share)`, in the atoms of the fee.
 * Rounded down, so that sums of many never exceed what was charged less the service's share.
 *
 * @param feeAtoms The fee, in atoms of any token.
 * @param time When it was charged.
 * @returns `null` where {@linkcode partnerServiceShare} is not known.
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
