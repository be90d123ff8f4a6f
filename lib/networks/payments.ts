import { type Ratio, ratio } from "../units/mod.ts";
import { type DatedRule, freeze } from "./network.ts";

/** The share of partner fees that the service keeps by default, from a day on. */
export interface PartnerShare extends DatedRule {
  /** The part of a partner fee, as a fraction of one. */
  readonly share: Ratio;
}

/**
 * The share of partner fees that the service keeps by default, on every network, newest last: CIP-61 and
 * CIP-75 changed it. Some partners agreed on others.
 *
 * @see {@link https://docs.cow.fi/governance/fees/partner-fee | Partner fee}
 */
export const PARTNER_SHARES: readonly PartnerShare[] = freeze([
  {
    since: "2024-04-04",
    sure: "B",
    source: "https://github.com/cowprotocol/dune-queries/commit/4d3d4a8",
    share: ratio(1_500n, 10_000n),
  },
  {
    since: "2025-02-04",
    sure: "B",
    source: "https://github.com/cowprotocol/solver-rewards/commit/72f0abb",
    share: ratio(5_000n, 10_000n),
  },
  {
    since: "2025-11-25",
    span: ["2025-11-18", "2025-11-25"],
    sure: "B",
    source: "https://github.com/cowprotocol/dune-queries/commit/8a7e188",
    share: ratio(2_500n, 10_000n),
  },
]);

/** The fee that the accounting deducts from the rewards of solvers of CoW DAO's pool, from a day on. */
export interface ServiceFee extends DatedRule {
  /** The part of positive rewards, as a fraction of one. */
  readonly share: Ratio;
  /** The amount that is not reduced where it is negative; `"none"` where every amount was. */
  readonly spares: "none" | "performance" | "performance_and_consistency";
}

/**
 * The service fee of CIP-48, on every network, newest last: on positive rewards for performance and
 * consistency, and on those for quotes, of solvers after their free period. Which these are is not
 * public, so no table deducts it.
 *
 * @see {@link https://github.com/cowprotocol/solver-rewards/commit/e91fd75 | its beginning}
 */
export const SERVICE_FEES: readonly ServiceFee[] = freeze([
  {
    since: "2024-08-27",
    span: ["2024-08-20", "2024-08-27"],
    sure: "C",
    source: "https://github.com/cowprotocol/solver-rewards/commit/e91fd75",
    share: ratio(15n, 100n),
    spares: "none",
  },
  {
    since: "2025-01-14",
    sure: "B",
    source: "https://github.com/cowprotocol/solver-rewards/commit/dc27aeb",
    share: ratio(15n, 100n),
    spares: "performance",
  },
  {
    since: "2026-04-14",
    sure: "B",
    source: "https://github.com/cowprotocol/solver-rewards/commit/a5abbd3",
    share: ratio(15n, 100n),
    spares: "performance_and_consistency",
  },
]);
