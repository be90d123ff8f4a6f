import type { CompetitionAuction } from "../../schemas/mod.ts";
import { ownerOf } from "../orders/auction_role.ts";

/**
 * Distinguishes the orders that count for the score: those of the auction, and those that a solver
 * provided for an owner who captures surplus.
 *
 * The owner is part of the UID, bytes 32 to 52.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | contributes_to_score of the service}
 */
export function scoredOrders(
  auction: CompetitionAuction,
  surplusCapturingJitOrderOwners?: readonly string[] | null,
): (uid: string) => boolean {
  const uids = new Set(auction.orders);
  const owners = new Set(surplusCapturingJitOrderOwners?.map((owner) => owner.toLowerCase()));
  let lowerCase: Set<string> | undefined;
  return (uid) => {
    if (uids.has(uid)) return true;
    lowerCase ??= new Set(auction.orders.map((each) => each.toLowerCase()));
    const own = uid.toLowerCase();
    return lowerCase.has(own) || owners.has(ownerOf(own));
  };
}
