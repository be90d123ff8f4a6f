import {
  type AuctionTerms,
  indexAuctionTerms,
  indexInstanceLimits,
  resolveCapturingOwners,
} from "../../metrics/auctions/instance_terms.ts";
import type { OrderPair } from "../../metrics/orders/fills.ts";
import type { RoleOptions } from "../../metrics/mod.ts";
import type { Instance } from "../../schemas/mod.ts";
import type { HexMap } from "../../units/mod.ts";
import { computeOnce, type ReadRecords } from "./records.ts";

/** Indexes the instances of records by the ids of their auctions. */
export function indexInstances({ instances = [] }: ReadRecords): ReadonlyMap<number, Instance> {
  return new Map(instances.map((instance) => [instance.id ?? -1, instance]));
}

/** Finds the instance of an auction. */
export function findInstance(
  records: ReadRecords,
  auctionId: number | null,
): Instance | undefined {
  return auctionId === null ? undefined : computeOnce(records, indexInstances).get(auctionId);
}

/** Indexes the terms that auctions set for the orders of their solutions. */
export function indexTerms(records: ReadRecords): (auctionId: number) => AuctionTerms {
  const { competitions = [], orders, trades = [], debugReports = [], ...roles } = records;
  return indexAuctionTerms({
    ...{ competitions, orders, trades, debugReports },
    surplusCapturingJitOrderOwners: roles.surplusCapturingJitOrderOwners,
    findInstance: (auctionId) => findInstance(records, auctionId),
  });
}

/** Selects who captures surplus in an auction: by its instance, otherwise as passed for any. */
export function selectRoles(records: ReadRecords, auctionId: number | null): RoleOptions {
  const instance = findInstance(records, auctionId);
  return { surplusCapturingJitOrderOwners: resolveCapturingOwners(instance, records) };
}

/** Reads the terms of the orders of an auction that its instance states. */
export function readLimits(
  records: ReadRecords,
  auctionId: number,
): HexMap<OrderPair> | undefined {
  const instance = findInstance(records, auctionId);
  return instance && indexInstanceLimits(instance);
}

/** Source of what is known of the role of an order. */
export type RoleSource = "auction" | "order" | "instance" | "option";

/**
 * Names the source of a role; `null` where the role is unknown.
 *
 * @param hasAuction Whether the auction with its list of orders, or a report of it, is known: without
 * one, an order counts as listed by its own fields.
 */
export function findRoleSource(
  records: ReadRecords,
  auctionId: number | null,
  { role, hasAuction }: { readonly role: string; readonly hasAuction: boolean },
): RoleSource | null {
  if (role === "listed") return hasAuction ? "auction" : "order";
  if (role === "unknown") return null;
  const owners = findInstance(records, auctionId)?.surplusCapturingJitOrderOwners;
  return owners === undefined ? "option" : "instance";
}
