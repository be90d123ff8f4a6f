import type { DebugFeePolicy, FeePolicy } from "../../schemas/mod.ts";

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
