import type { FeePolicy, Instance, InstanceOrder } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { policiesByAuction, type PolicySources } from "../fees/fee_policies.ts";
import { type ByUid, indexByUid, joinIndexes, type UidIndex } from "../not_computable.ts";
import type { OrderPair } from "../orders/fills.ts";
import type { RoleOptions } from "../orders/order_bids.ts";
import type { ScorableOrder, ScoringTerms } from "./score_solution.ts";

/**
 * Reads the terms of an order that an instance states: what is fixed, its tokens, and the amounts that
 * were signed.
 *
 * @returns `null` where one of them is missing; what was left of an order is no limit.
 */
export function readInstanceLimit(order: InstanceOrder): OrderPair | null {
  const { kind, sellToken, buyToken, fullSellAmount, fullBuyAmount } = order;
  return kind === undefined || sellToken === undefined || buyToken === undefined ||
      fullSellAmount === undefined || fullBuyAmount === undefined
    ? null
    : { kind, sellToken, buyToken, sellAmount: fullSellAmount, buyAmount: fullBuyAmount };
}

/** Reads the terms of the orders of an instance, by UID. */
export function indexInstanceLimits({ orders = [] }: Instance): HexMap<OrderPair> {
  return new HexMap(
    orders.flatMap((order) => {
      const limit = readInstanceLimit(order);
      return limit === null || order.uid === undefined ? [] : [[order.uid, limit] as const];
    }),
  );
}

/**
 * Returns the owners whose orders capture surplus in an auction: those of its instance, which has them for
 * this auction, otherwise those that were passed for any.
 */
export function resolveCapturingOwners(
  instance: Pick<Instance, "surplusCapturingJitOrderOwners"> | undefined,
  { surplusCapturingJitOrderOwners }: RoleOptions = {},
): RoleOptions["surplusCapturingJitOrderOwners"] {
  return instance?.surplusCapturingJitOrderOwners ?? surplusCapturingJitOrderOwners;
}

/**
 * Completes the terms of an auction with its instance: limits of orders of which no record was passed,
 * and the owners whose orders capture surplus. Where both have a limit, that of the record counts.
 *
 * @param instance The instance of the auction; without one, the terms stay as they are.
 * @param terms Options of `replayCompetition`, `scoreSolution` and the like.
 * @returns The same options, completed.
 *
 * @example The score of a solution whose order has no record
 * ```ts
 * import { completeTerms, scoreSolution } from "orderlens/metrics";
 * import { decodeInstance } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const [uid, sellToken, buyToken] = ["01".repeat(56), "a1".repeat(20), "b2".repeat(20)]
 *   .map((hex) => `0x${hex}`) as [string, string, string];
 * const instance = decodeInstance({
 *   id: "7",
 *   orders: [{
 *     ...{ uid, sellToken, buyToken, kind: "sell" },
 *     ...{ fullSellAmount: "1000000000000000000", fullBuyAmount: "2000000000" },
 *   }],
 * });
 * const solution = {
 *   solverAddress: "0xa0",
 *   score: 40_000_000_000_000_000n,
 *   ranking: 1,
 *   clearingPrices: {},
 *   orders: [{ id: uid, sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n, sellToken, buyToken }],
 *   isWinner: true,
 *   filteredOut: false,
 * };
 * const auction = { orders: [uid], prices: { [buyToken]: 4n * 10n ** 26n } };
 * const terms = completeTerms(instance, { orders: [], policies: new Map([[uid, []]]) });
 * const scored = scoreSolution(solution, auction, terms);
 *
 * assertEquals("score" in scored && [scored.kind, scored.agrees], ["exact", true]);
 * ```
 */
export function completeTerms<Terms extends Partial<ScoringTerms>>(
  instance: Instance | undefined,
  terms: Terms,
): Terms {
  if (instance === undefined) return terms;
  const limits = indexInstanceLimits(instance);
  const owners = resolveCapturingOwners(instance, terms);
  return {
    ...terms,
    ...limits.size > 0 && {
      orders: joinIndexes<ScorableOrder>(indexByUid(terms.orders ?? []), limits),
    },
    ...owners !== undefined && { surplusCapturingJitOrderOwners: owners },
  };
}

/** Records that say what the orders of auctions were worth to their solutions. */
export interface TermSources extends PolicySources, RoleOptions {
  /** Orders of the auctions. */
  readonly orders?: ByUid<ScorableOrder> | undefined;
  /** Finds the instance of an auction. @default {none is known} */
  readonly findInstance?: ((auctionId: number) => Instance | undefined) | undefined;
}

/** Terms of the orders of one auction, by UID. */
export interface AuctionTerms extends RoleOptions {
  readonly orders?: UidIndex<ScorableOrder>;
  readonly policies: HexMap<readonly FeePolicy[]> | undefined;
}

/** Indexes records, and returns the terms of an auction: of orders, fee policies and its instance. */
export function indexAuctionTerms(
  { orders, findInstance, surplusCapturingJitOrderOwners, ...policySources }: TermSources,
): (auctionId: number) => AuctionTerms {
  const policies = policiesByAuction(policySources);
  const terms = {
    ...orders !== undefined && { orders: indexByUid(orders) },
    ...surplusCapturingJitOrderOwners !== undefined && { surplusCapturingJitOrderOwners },
  };
  return (auctionId) =>
    completeTerms(findInstance?.(auctionId), { ...terms, policies: policies.get(auctionId) });
}
