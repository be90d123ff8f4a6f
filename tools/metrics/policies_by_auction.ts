import { debugFeePolicy, type DebugReport, type FeePolicy } from "orderlens";

/**
 * Fee policies by auction and order, from debug reports: of orders in winning solutions, for which
 * alone the service stores them.
 */
export function policiesByAuction(
  reports: Iterable<DebugReport>,
): Map<number, Map<string, readonly FeePolicy[]>> {
  const policies = new Map<number, Map<string, readonly FeePolicy[]>>();
  for (const { orderUid, auctions } of reports) {
    for (const { id, proposedSolutions, feePolicies } of auctions) {
      if (!proposedSolutions.some(({ isWinner }) => isWinner)) continue;
      const known = feePolicies.map(debugFeePolicy).filter((policy) => policy !== null);
      if (known.length < feePolicies.length) continue;
      const ofAuction = policies.get(id) ?? new Map<string, readonly FeePolicy[]>();
      policies.set(id, ofAuction.set(orderUid.toLowerCase(), known));
    }
  }
  return policies;
}
