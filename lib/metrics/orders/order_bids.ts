import { defineRule, oneOf, type OptionRules, requireWord } from "../../errors/option_rules.ts";
import type {
  Competition,
  CompetitionStatusType,
  DebugReport,
  EventLabel,
} from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import { type Fill, isSettledFrom } from "./fills.ts";

/** The bid of one solution on one order. */
export interface OrderBid {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the whole solution, from 1. */
  readonly ranking: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Score of the whole solution, in native atoms. */
  readonly score: bigint;
  /** Whether the solution won. */
  readonly isWinner: boolean;
  /** Whether the solution was filtered out as unfair. */
  readonly filteredOut: boolean;
  /** Sell amount of the order, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Buy amount of the order, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/** An auction that included an order, with the bids on the order. */
export interface OrderAuction {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Start block of the auction. */
  readonly block: number;
  /** Last block in which to settle; `null` if the response has none. */
  readonly deadlineBlock: number | null;
  /** Solutions that execute the order, best rank first. */
  readonly bids: readonly OrderBid[];
  /** Fills of the order that were settled from this auction. */
  readonly fills: readonly OrderFillFacts[];
}

/** One fill of an order, from a trade or a debug report. */
export interface OrderFillFacts extends Fill {
  /** Block of the settlement. */
  readonly blockNumber: number;
  /** Index of the trade's event in the block. */
  readonly logIndex: number;
  /** Settlement transaction; `null` if unknown. */
  readonly txHash: string | null;
  /** Auction it was settled from; `null` if neither a debug report nor a competition names it. */
  readonly auctionId: number | null;
}

/** Records that contain auctions of an order. */
interface AuctionSources {
  /** The order's debug report. */
  readonly debugReport?: Pick<DebugReport, "auctions"> | null | undefined;
  /** Competitions; those without the order are ignored. */
  readonly competitions?: Iterable<Competition> | null | undefined;
  /** The order's fills. */
  readonly fills: readonly OrderFillFacts[];
}

/**
 * Lists the auctions that included an order, by ascending id: those of its debug report, and other
 * competitions that list or execute it. Both sources contain the same bids.
 */
export function listOrderAuctions(uid: string, sources: AuctionSources): OrderAuction[] {
  const auctions = new Map<number, OrderAuction>();
  for (const competition of sources.competitions ?? []) {
    const auction = toOrderAuction(uid, competition, sources.fills);
    if (auction !== undefined) auctions.set(auction.auctionId, auction);
  }
  for (const { id, block, deadline, proposedSolutions } of sources.debugReport?.auctions ?? []) {
    const bids = proposedSolutions.map((
      { ranking, solver, score, isWinner, filteredOut, executedSell, executedBuy },
    ) => ({
      auctionId: id,
      ranking,
      solver,
      score,
      isWinner,
      filteredOut,
      sellAmount: executedSell,
      buyAmount: executedBuy,
    }));
    const fills = sources.fills.filter(({ auctionId }) => auctionId === id);
    auctions.set(id, {
      auctionId: id,
      block,
      deadlineBlock: deadline,
      bids: sortByRanking(bids),
      fills,
    });
  }
  return [...auctions.values()].sort((a, b) => a.auctionId - b.auctionId);
}

function toOrderAuction(
  uid: string,
  competition: Competition,
  fills: readonly OrderFillFacts[],
): OrderAuction | undefined {
  const { auctionId, auction, solutions } = competition;
  const bids: OrderBid[] = [];
  for (const { orders, solverAddress, ranking, score, isWinner, filteredOut } of solutions) {
    for (const { id, sellAmount, buyAmount } of orders) {
      if (!sameHex(id, uid)) continue;
      const bid = { ranking, solver: solverAddress, score, isWinner, filteredOut };
      bids.push({ auctionId, ...bid, sellAmount, buyAmount });
    }
  }
  if (bids.length === 0 && !auction.orders.some((listedUid) => sameHex(listedUid, uid))) {
    return undefined;
  }
  return {
    auctionId,
    block: competition.auctionStartBlock,
    deadlineBlock: competition.auctionDeadlineBlock ?? null,
    bids: sortByRanking(bids),
    fills: fills
      .filter(({ auctionId: fillAuctionId, txHash }) =>
        fillAuctionId === auctionId || isSettledFrom(competition, { orderUid: uid, txHash })
      )
      .map((fill) => ({ ...fill, auctionId })),
  };
}

function sortByRanking(bids: OrderBid[]): OrderBid[] {
  return bids.sort((a, b) => a.ranking - b.ranking);
}

const STAGES: ReadonlyMap<string, CompetitionStatusType> = new Map([
  ["created", "scheduled"],
  ["ready", "active"],
  ["considered", "solved"],
  ["executing", "executing"],
  ["traded", "traded"],
  ["cancelled", "cancelled"],
  ["filtered", "open"],
  ["invalid", "open"],
]);

/** The facts that determine the stage of an order. */
export interface StageFacts {
  /** Whether the order has a trade. */
  readonly hasTrade: boolean;
  /** Label of its latest event; `null` if it has none. */
  readonly latestLabel: EventLabel | null;
}

/**
 * Returns the stage that `orders/{uid}/status` reports for an order: `traded` once it has a trade,
 * otherwise the stage of its latest event.
 *
 * `created` maps to `scheduled`, `ready` to `active`, `considered` to `solved`, `filtered` and
 * `invalid` to `open`; `executing`, `traded` and `cancelled` stay the same.
 *
 * @returns `null` without trade and event, for which the service returns 404, or for an unknown
 * label.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/orderbook.rs | get_order_status of the service}
 *
 * @example An order without funds, and one that traded in part before
 * ```ts
 * import { competitionStage } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(competitionStage({ hasTrade: false, latestLabel: "invalid" }), "open");
 * assertEquals(competitionStage({ hasTrade: true, latestLabel: "invalid" }), "traded");
 * ```
 */
export function competitionStage(facts: StageFacts): CompetitionStatusType | null {
  if (facts.hasTrade) return "traded";
  return facts.latestLabel === null ? null : STAGES.get(facts.latestLabel) ?? null;
}

const OWNER_START = 2 + 2 * 32;
const OWNER_END = OWNER_START + 2 * 20;

/**
 * The role of a settled order in its auction, which determines what the service charges and
 * credits.
 *
 * - `"listed"`: one of the auction's orders; the usual formulas apply
 * - `"capturing"`: not listed, but its owner captures surplus; the usual formulas apply, without
 *   fee policies
 * - `"liquidity"`: not listed, and its owner does not capture surplus; it counts as traded at its
 *   limit, so that fees, surplus and score are 0
 * - `"unknown"`: not listed, and whether its owner captures surplus is unknown
 */
export type AuctionRole = "listed" | "capturing" | "liquidity" | "unknown";

const AUCTION_ROLES: readonly AuctionRole[] = ["listed", "capturing", "liquidity", "unknown"];

/** Allowed values of a `role` option. */
export const ROLE = oneOf(...AUCTION_ROLES);

/** The fields of an order that suggest its role if the auction is unknown. An `Order` has them. */
export interface RoleHints {
  /** Class of the order: `liquidity` for orders that solvers provide. */
  readonly class?: string | undefined;
  /** The app data document as text; the service has none for orders that solvers provide. */
  readonly fullAppData?: string | null | undefined;
}

/**
 * The fields of an order that determine its role. An `Order` has them, and the UID alone is enough.
 */
export interface RoleFacts extends RoleHints {
  /** UID of the order, which contains its owner. */
  readonly uid: string;
}

/** The auction that an order was settled from, such as the `auction` of a `Competition`. */
export interface AuctionOfFill {
  /** UIDs of the auction's orders. */
  readonly orders: readonly string[];
}

/** Options of {@linkcode auctionRole}. */
export interface RoleOptions {
  /**
   * Owners whose orders capture surplus although no auction lists them. `GET auction` lists those
   * of the current auction; no response lists those of a past one. `null` or absent if unknown.
   */
  readonly surplusCapturingJitOrderOwners?: readonly string[] | null | undefined;
}

/** Allowed values of the {@linkcode RoleOptions}. */
export const ROLE_OPTIONS: OptionRules<RoleOptions> = {
  surplusCapturingJitOrderOwners: defineRule(
    "an array of addresses, or null",
    (value) =>
      value === null || Array.isArray(value) && value.every((owner) => typeof owner === "string"),
  ),
};

/**
 * Determines the role of a settled order in its auction: one of the auction's orders, or one that a solver
 * provided ("just in time"), with or without the right to surplus.
 *
 * The auction's list of UIDs decides. A user's order that the auction does not list counts as
 * provided by the solver. Class and app data are ignored if the auction is known. If it is unknown,
 * or if it lists nothing and the owners are unknown too, an order counts as listed, unless the
 * service gives it the class `liquidity` and no app data, as for orders that solvers provide.
 *
 * @param order The order, or its UID alone.
 * @param auction The auction; `null` or `undefined` if unknown.
 * @param options Owners who capture surplus.
 * @returns The role, for the `role` option of `networkFee`, `settledSurplus`, `slippage`,
 * `decomposeSlippage`, `checkUniformPrices` and `totals`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/mod.rs | trades of the service}
 *
 * @example An order that a solver provided
 * ```ts
 * import { auctionRole } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const owner = "0x00000000000000000000000000000000000000aa";
 * const uid = `0x${"01".repeat(32)}${owner.slice(2)}ffffffff`;
 * const auction = { orders: ["0x0f"] };
 *
 * assertEquals(auctionRole({ uid: "0x0F" }, auction), "listed");
 * assertEquals(auctionRole({ uid }, auction), "unknown");
 * assertEquals(auctionRole({ uid }, auction, { surplusCapturingJitOrderOwners: [] }), "liquidity");
 * assertEquals(
 *   auctionRole({ uid }, auction, { surplusCapturingJitOrderOwners: [owner] }),
 *   "capturing",
 * );
 * ```
 */
export function auctionRole(
  order: RoleFacts,
  auction: AuctionOfFill | null | undefined,
  options: RoleOptions = {},
): AuctionRole {
  const { uid } = order;
  if (auction == null) return inferRole(order);
  const { orders } = auction;
  const areOwnersKnown = options.surplusCapturingJitOrderOwners != null;
  if (orders.length === 0 && !areOwnersKnown) return inferRole(order);
  if (orders.includes(uid) || orders.some((listedUid) => sameHex(listedUid, uid))) return "listed";
  return determineUnlistedRole(uid, options);
}

function inferRole(order: RoleHints): AuctionRole {
  return order.class === "liquidity" && order.fullAppData == null ? "unknown" : "listed";
}

/**
 * Returns the role that the caller passed, or the one without an auction.
 *
 * @throws {InputError} If it is not a role.
 */
export function resolveRole(
  role: AuctionRole | undefined,
  order: RoleHints,
  action: string,
): AuctionRole {
  if (role === undefined) return inferRole(order);
  requireWord(role, AUCTION_ROLES, { noun: "role", action });
  return role;
}

/** Determines the role of an order that its auction does not list. */
export function determineUnlistedRole(uid: string, options: RoleOptions): AuctionRole {
  const owners = options.surplusCapturingJitOrderOwners;
  if (owners === null || owners === undefined) return "unknown";
  const owner = readOwner(uid);
  return owners.some((candidate) => sameHex(candidate, owner)) ? "capturing" : "liquidity";
}

/** Reads the owner in a UID, in bytes 32 to 52, in lower case. */
export function readOwner(uid: string): string {
  return `0x${uid.slice(OWNER_START, OWNER_END)}`.toLowerCase();
}

/** The reason in place of a value that depends on the unknown role of an order. */
export const ROLE_UNKNOWN: NotComputable<"jit_owner_unknown"> = Object.freeze({
  reason: "jit_owner_unknown",
  detail: "The auction does not list the order, and whether its owner captures surplus is " +
    "unknown: pass surplusCapturingJitOrderOwners",
});
