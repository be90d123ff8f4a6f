import type { Order } from "orderlens";
import { type AuctionRole, auctionRole } from "orderlens/metrics";
import type { Scenario } from "./read_scenario.ts";

/** Returns the role of an order in the auction that a transaction settled. */
export type FindRole = (order: Pick<Order, "uid">, txHash: string) => AuctionRole;

/** Surplus-capturing owners of an auction, as stored or last answered. */
export function indexCapturingOwners(
  { truth, capturingOwners }: Pick<Scenario, "truth" | "capturingOwners">,
): (auctionId: number) => readonly string[] | undefined {
  const stored = new Map(
    truth?.competition_auctions?.map((row) => [row.id, row.surplus_capturing_jit_order_owners]),
  );
  return (auctionId) => stored.get(auctionId) ?? capturingOwners;
}

/** Finds the auction of a transaction in the answers, otherwise in the records. */
export function indexRoles(scenario: Scenario): FindRole {
  const { competitions, truth } = scenario;
  const ownersOf = indexCapturingOwners(scenario);
  const auctionIds = new Map<string, number>();
  for (const { tx_hash, auction_id } of truth?.settlements ?? []) {
    if (auction_id !== null) auctionIds.set(tx_hash.toLowerCase(), auction_id);
  }
  for (const { auctionId, transactionHashes } of competitions.values()) {
    for (const hash of transactionHashes) auctionIds.set(hash.toLowerCase(), auctionId);
  }
  const stored = new Map(truth?.competition_auctions?.map((row) => [row.id, row.order_uids]));
  return (order, txHash) => {
    const id = auctionIds.get(txHash.toLowerCase());
    if (id === undefined) return auctionRole(order, null);
    const orders = competitions.get(id)?.auction.orders ?? stored.get(id);
    return auctionRole(order, orders === undefined ? null : { orders }, {
      surplusCapturingJitOrderOwners: ownersOf(id),
    });
  };
}
