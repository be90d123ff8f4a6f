import { type AuctionRole, auctionRole } from "../../metrics/mod.ts";
import { readInstanceLimit } from "../../metrics/auctions/instance_terms.ts";
import { compareTerms } from "../../metrics/consistency/instance_contradictions.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import type { OrderPair } from "../../metrics/orders/fills.ts";
import type {
  Competition,
  Instance,
  InstanceOrder,
  Order,
  SolutionOrder,
} from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { flag, gaps, integer, text, time } from "../columns/columns.ts";
import {
  findInstance,
  findRoleSource,
  type RoleSource,
  selectRoles,
} from "../columns/instance_facts.ts";
import { tokenColumns, tradedColumns } from "../columns/order_columns.ts";
import { lookUp, type ReadRecords } from "../columns/records.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { AUCTION_ID } from "./auction_columns.ts";

/** An instance and its number of orders. */
interface InstanceFacts {
  /** The instance. */
  readonly instance: Instance;
  /** Number of orders that it has. */
  readonly orderCount: number | null;
}

/**
 * One row per auction of which the instance is known: what solvers were asked to solve.
 *
 * @example The owners whose orders capture surplus
 * ```ts
 * import { decodeInstance } from "orderlens/schemas";
 * import { buildTable, INSTANCES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const owner = `0x${"0e".repeat(20)}`;
 * const instance = decodeInstance({
 *   id: "7",
 *   orders: [],
 *   surplusCapturingJitOrderOwners: [owner],
 * });
 * const [row] = buildTable(INSTANCES, { instances: [instance] }).toRecords();
 *
 * assertEquals([row?.auction_id, row?.order_count, row?.jit_owners], [7, 0, owner]);
 * ```
 */
export const INSTANCES: Table<"instances"> = defineTable<InstanceFacts, "instances">({
  name: "instances",
  grain: "One auction whose instance the protocol published: what solvers were asked to solve",
  kind: "record",
  of: ["instances"],
  key: ["auction_id"],
  needs: ["instances"],
  references: [TO_AUCTION],
  columns: [
    integer("auction_id", { source: "instance.id", cell: ({ instance }) => instance.id ?? null }),
    ...time<InstanceFacts>("solving_deadline", {
      source: "instance.deadline: when solvers had to answer",
      instant: ({ instance }) => instance.deadline,
    }),
    integer("order_count", {
      unit: "orders",
      source: "number of instance.orders: those of the auction that could be filled; null if the " +
        "instance has no list of them",
      cell: ({ orderCount }) => orderCount,
    }),
    text("effective_gas_price", {
      unit: "wei per gas unit",
      source: "instance.effectiveGasPrice: the gas price that solvers were told to expect",
      cell: ({ instance }) => instance.effectiveGasPrice?.toString() ?? null,
    }),
    integer("jit_owner_count", {
      unit: "accounts",
      source: "number of instance.surplusCapturingJitOrderOwners; null if it does not name them",
      cell: ({ instance }) => instance.surplusCapturingJitOrderOwners?.length ?? null,
    }),
    text("jit_owners", {
      source:
        "instance.surplusCapturingJitOrderOwners in lower case, sorted and joined by spaces; " +
        "null without any",
      cell: ({ instance: { surplusCapturingJitOrderOwners: owners = [] } }) =>
        owners.map((owner) => owner.toLowerCase()).sort().join(" ") || null,
    }),
  ],
  rows: ({ instances, instanceOrderCounts }) =>
    instances.map((instance) => ({
      instance,
      orderCount: instanceOrderCounts?.get(instance.id ?? -1) ?? instance.orders?.length ?? null,
    })),
});

/** The inputs of one row. */
interface InstanceOrderFacts {
  readonly competition: Competition;
  /** A bid on the order. */
  readonly bid: SolutionOrder;
  /** The order as the instance states it. */
  readonly stated: InstanceOrder | undefined;
  /** Its record. */
  readonly record: Order | undefined;
  /** Its terms, of the record, otherwise of the instance. */
  readonly limit: OrderPair | undefined;
  readonly limitSource: "order" | "instance" | null;
  readonly role: AuctionRole;
  readonly roleSource: RoleSource | null;
}

const traded = tradedColumns<InstanceOrderFacts>(({ bid, limit }) => limit ?? bid);

/**
 * One row per order with a bid in an auction whose instance is known: where its limit and its role come
 * from.
 *
 * The tables `bids`, `fills` and others take them from there. A record of an order counts over the
 * instance; that both differ is also among the contradictions of a dataset.
 *
 * @example No auctions
 * ```ts
 * import { buildTable, INSTANCE_ORDERS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(INSTANCE_ORDERS, { competitions: [], instances: [] }).height, 0);
 * ```
 */
export const INSTANCE_ORDERS: Table<"competitions" | "instances"> = defineTable<
  InstanceOrderFacts,
  "competitions" | "instances"
>({
  name: "instance_orders",
  grain: "One order with a bid in one auction whose instance is known: where its limit is from",
  kind: "derived",
  of: ["competitions", "instances"],
  key: ["auction_id", "order_uid"],
  needs: ["instances", "orders"],
  references: [TO_AUCTION, { columns: ["auction_id"], to: "instances" }],
  columns: [
    AUCTION_ID,
    text("order_uid", { source: "solution.orders[].id", cell: ({ bid }) => bid.id }),
    ...tokenColumns<InstanceOrderFacts>(
      "order, otherwise instance.orders[] or solution.orders[]",
      ({ bid, limit }) => limit ?? bid,
    ),
    text("kind", {
      source: "sell or buy, of limit_source",
      cell: ({ limit }) => limit?.kind ?? null,
    }),
    text("limit_source", {
      source:
        "order if there is a record of it, instance if only the instance has its limit; null " +
        "if neither does",
      cell: ({ limitSource }) => limitSource,
    }),
    ...traded.sold("limit_sell_amount", {
      source: "signed limit amount to sell, of limit_source",
      atoms: ({ limit }) => limit?.sellAmount,
    }),
    ...traded.bought("limit_buy_amount", {
      source: "signed limit amount to buy, of limit_source",
      atoms: ({ limit }) => limit?.buyAmount,
    }),
    ...traded.sold("instance_sell_amount", {
      source: "instance.orders[].fullSellAmount: the same as the instance states it",
      atoms: ({ stated }) => stated?.fullSellAmount,
    }),
    ...traded.bought("instance_buy_amount", {
      source: "instance.orders[].fullBuyAmount",
      atoms: ({ stated }) => stated?.fullBuyAmount,
    }),
    flag("agrees", {
      source: "whether kind, tokens and signed amounts of the instance are those of the record; " +
        "null without both, and where the instance lacks one of them and the others are equal",
      cell: agreesWithRecord,
    }),
    ...traded.sold("available_sell_amount", {
      source: "instance.orders[].sellAmount: what was left, less what a volume fee takes",
      atoms: ({ stated }) => stated?.sellAmount,
    }),
    ...traded.bought("available_buy_amount", {
      source: "instance.orders[].buyAmount: required for that, with what a volume fee takes",
      atoms: ({ stated }) => stated?.buyAmount,
    }),
    text("role", {
      source: "auctionRole: listed, or of a solver: capturing, liquidity, or unknown",
      cell: ({ role }) => role,
    }),
    text("role_source", {
      source:
        "auction if it lists the order, order if the auction has no list and the order counts as " +
        "listed, instance if its list of owners decides, option if one that was passed does; null " +
        "if the role is unknown",
      cell: ({ roleSource }) => roleSource,
    }),
    gaps(
      "order if neither its record nor the instance has its limit, instance_order if the instance " +
        "does not have it, as one that a solver brought, owner if the instance does not say whose " +
        "orders capture surplus",
      ({ limit, stated, role }) => [
        limit === undefined && "order",
        stated === undefined && "instance_order",
        role === "unknown" && "owner",
      ],
    ),
  ],
  rows: findInstanceOrders,
});

/** Whether an instance states what the record of an order does; `null` if that is not known. */
function agreesWithRecord({ competition, stated, record }: InstanceOrderFacts): boolean | null {
  if (stated === undefined || record === undefined) return null;
  const differs = compareTerms(record, stated, competition.auctionId).next().done !== true;
  if (differs) return false;
  return readInstanceLimit(stated) === null ? null : true;
}

/** Finds the orders with a bid in the auctions with an instance. */
function findInstanceOrders(
  records: ReadRecords & { readonly competitions: readonly Competition[] },
): InstanceOrderFacts[] {
  const orders = indexByUid<Order>(lookUp(records, "orders") ?? []);
  return records.competitions.flatMap((competition) => {
    const { auctionId, auction, solutions } = competition;
    const instance = findInstance(records, auctionId);
    if (instance === undefined) return [];
    const stated = new HexMap(
      (instance.orders ?? []).flatMap((order) =>
        order.uid === undefined ? [] : [[order.uid, order] as const]
      ),
    );
    const bids = new HexMap(solutions.flatMap(({ orders }) => orders).map((bid) => [bid.id, bid]));
    return [...bids.values()].map((bid): InstanceOrderFacts => {
      const uid = bid.id;
      const record = orders.get(uid);
      const ofInstance = stated.get(uid);
      const limit = record ?? (ofInstance && readInstanceLimit(ofInstance)) ?? undefined;
      const role = auctionRole({ uid }, auction, selectRoles(records, auctionId));
      return {
        competition,
        bid,
        stated: ofInstance,
        record,
        limit,
        limitSource: record !== undefined ? "order" : limit !== undefined ? "instance" : null,
        role,
        roleSource: findRoleSource(records, auctionId, {
          role,
          hasAuction: auction.orders.length > 0,
        }),
      };
    });
  });
}
