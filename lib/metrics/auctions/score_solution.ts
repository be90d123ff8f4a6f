import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { CompetitionAuction, FeePolicy, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { priceOf } from "../prices/price_of.ts";
import {
  type OrderScore,
  type ScorableOrder,
  scoreOrder,
  type ScoreReason,
} from "./score_order.ts";
import { auctionRole, ROLE_OPTIONS, type RoleOptions } from "../orders/auction_role.ts";
import { type ByUid, byUid, byUidRule, type UidIndex } from "../by_uid.ts";

/** What is known about the orders of a solution. */
export interface ScoringTerms extends RoleOptions {
  /** The orders: their limits, and their stored quotes. */
  readonly orders: ByUid<ScorableOrder>;
  /**
   * Fee policies *in this auction* by UID; `[]` for an order that has none. Debug reports and
   * trades contain them for orders of winning solutions only: omit the others.
   */
  readonly policies?: Iterable<readonly [uid: string, policies: readonly FeePolicy[]]> | undefined;
}

/** Allowed values of the {@linkcode ScoringTerms}. */
export const SCORING_TERMS: OptionRules<Partial<ScoringTerms>> = {
  orders: byUidRule("orders by UID"),
  policies: byUidRule("fee policies by UID"),
  ...ROLE_OPTIONS,
};

/** The score of one order of a solution. */
export interface ScoredExecution extends OrderScore {
  /** UID of the order. */
  readonly uid: string;
}

/** An order of a solution whose exact score needs more than is known. */
export interface MissingForScore {
  /** UID of the order. */
  readonly uid: string;
  /**
   * What is missing: its limit, its policies (or their quote), the auction's price, or, for an
   * order that the auction does not list, whether its owner captures surplus.
   */
  readonly missing: "order" | "policies" | "price" | "jit_owner";
}

/** The score of a solution, recomputed. */
export interface SolutionScore {
  /** `"exact"` if everything is known about every order that counts, otherwise `"lower_bound"`. */
  readonly kind: "exact" | "lower_bound";
  /** The score or its lower bound, in native atoms. */
  readonly score: bigint;
  /**
   * Whether the reported score is consistent with it: equal if exact, at least as high as a bound.
   */
  readonly agrees: boolean;
  /** Orders that count, with their scores. */
  readonly orders: readonly ScoredExecution[];
  /** What is missing for an exact score; empty if it is exact. */
  readonly missing: readonly MissingForScore[];
  /** UIDs of orders that do not count: the solver provided them, as liquidity as far as known. */
  readonly unscored: readonly string[];
}

/** Why a solution has no score, and the order that causes it. */
export interface UnscorableSolution extends NotComputable<ScoreReason> {
  /** UID of the order that causes it. */
  readonly uid: string;
}

/**
 * The score of a solution: the sum of {@linkcode scoreOrder} over its orders that count, which are
 * those of the auction and those of surplus-capturing owners. The latter have no fee policies.
 *
 * It is exact if the limit and the fee policies of each of them are known. The service stores
 * policies only for orders of winning solutions, and shows them in debug reports and trades: for
 * the others the sum contains only the surplus, so it is a lower bound. So is the score of a
 * solution with an order that the auction does not list, if the owners are unknown. The service
 * omits orders of unknown tokens from its answers; their part of the reported score is not in the
 * sum.
 *
 * @param solution A solution of the competition.
 * @param auction The competition's auction: its orders and native prices.
 * @returns The score and whether it matches the reported one; or the first order for which the
 * service computes none.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | score_by_token_pair of the service}
 *
 * @example A solution with one order that has no fees
 * ```ts
 * import { scoreSolution } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const [uid, sellToken, buyToken] = ["0x0f", "0xa1", "0xb2"];
 * const solution = {
 *   solverAddress: "0xa0",
 *   score: 40_000_000_000_000_000n,
 *   ranking: 1,
 *   clearingPrices: {},
 *   orders: [{ id: uid, sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n, sellToken, buyToken }],
 *   isWinner: true,
 *   filteredOut: false,
 * };
 * const auction = {
 *   orders: [uid],
 *   prices: { [buyToken]: 400_000_000_000_000_000_000_000_000n },
 * };
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const orders = new Map([[uid, order]]);
 *
 * const exact = scoreSolution(solution, auction, { orders, policies: new Map([[uid, []]]) });
 * const bound = scoreSolution(solution, auction, { orders });
 *
 * assertEquals("score" in exact && [exact.kind, exact.agrees], ["exact", true]);
 * assertEquals("score" in bound && [bound.kind, bound.agrees], ["lower_bound", true]);
 * ```
 */
export function scoreSolution(
  solution: Solution,
  auction: CompetitionAuction,
  terms: ScoringTerms,
): SolutionScore | UnscorableSolution {
  checkOptions(terms, SCORING_TERMS, "Cannot score a solution");
  const orders: ScoredExecution[] = [];
  const missing: MissingForScore[] = [];
  const unscored: string[] = [];
  const known = {
    orders: byUid(terms.orders),
    policies: terms.policies === undefined ? undefined : byUid(terms.policies),
  };
  let score = 0n;
  for (const execution of solution.orders) {
    const uid = execution.id;
    const role = auctionRole({ uid }, auction, terms);
    if (role === "liquidity" || role === "unknown") {
      unscored.push(uid);
      if (role === "unknown") missing.push({ uid, missing: "jit_owner" });
      continue;
    }
    const isListed = role === "listed";
    const scored = scoreExecution(execution, auction, { ...known, isListed });
    if ("missing" in scored) {
      missing.push({ uid, missing: scored.missing });
      continue;
    }
    if (isNotComputable(scored)) return { uid, ...scored };
    if (scored.kind === "lower_bound") missing.push({ uid, missing: "policies" });
    orders.push({ uid, ...scored });
    score += scored.score;
  }
  const kind = missing.length === 0 ? "exact" : "lower_bound";
  const agrees = kind === "exact" ? score === solution.score : score <= solution.score;
  return { kind, score, agrees, orders, missing, unscored };
}

/** What is known about one order of a solution. */
export interface ExecutionTerms {
  /** The orders. */
  readonly orders: UidIndex<ScorableOrder>;
  /** Their fee policies in this auction. */
  readonly policies: UidIndex<readonly FeePolicy[]> | undefined;
  /** Whether the auction lists the order; an order that it does not list has no policies. */
  readonly isListed: boolean;
}

/**
 * The score of one order of a solution, or what is missing even for a bound. An order that the
 * auction does not list has no policies.
 */
export function scoreExecution(
  execution: SolutionOrder,
  auction: CompetitionAuction,
  terms: ExecutionTerms,
): OrderScore | NotComputable<ScoreReason> | { readonly missing: "order" | "price" } {
  const uid = execution.id;
  const order = terms.orders.get(uid);
  if (order === undefined) return { missing: "order" };
  const { buyToken } = execution;
  const nativePrice = buyToken === undefined ? undefined : priceOf(auction, buyToken);
  if (nativePrice === undefined) return { missing: "price" };
  const policies = terms.policies?.get(uid) ?? (terms.isListed ? undefined : []);
  return scoreOrder(execution, order, { nativePrice, policies });
}
