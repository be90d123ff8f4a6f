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

/** What solutions are scored with. */
export interface ScoringTerms extends RoleOptions {
  /** The orders: their limits, and their stored quotes. */
  readonly orders: ByUid<ScorableOrder>;
  /**
   * Fee policies *in this auction* by UID; `[]` for an order that has none. Debug reports and trades
   * have them for orders of winning solutions only: leave out what is not known.
   */
  readonly policies?: Iterable<readonly [uid: string, policies: readonly FeePolicy[]]> | undefined;
}

/** What each of the {@linkcode ScoringTerms} may be. */
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

/** An order of a solution of which not all is known that its score needs. */
export interface MissingForScore {
  /** UID of the order. */
  readonly uid: string;
  /**
   * What is missing: its limit, its policies (or their quote), the auction's price, or of an order
   * that the auction does not list, whether its owner captures surplus.
   */
  readonly missing: "order" | "policies" | "price" | "jit_owner";
}

/** The score of a solution, recomputed. */
export interface SolutionScore {
  /** `"exact"` when all is known of every order that counts, else `"lower_bound"`. */
  readonly kind: "exact" | "lower_bound";
  /** The score, or what it is at least, in native atoms. */
  readonly score: bigint;
  /** Whether that goes with the reported score: equal to an exact one, at most for a bound. */
  readonly agrees: boolean;
  /** Orders that count, with their scores. */
  readonly orders: readonly ScoredExecution[];
  /** What a bound lacks to be exact; empty when it is. */
  readonly missing: readonly MissingForScore[];
  /** UIDs of orders that do not count: brought by the solver, as liquidity as far as is known. */
  readonly unscored: readonly string[];
}

/** Why a solution has no score, by the order at fault. */
export interface UnscorableSolution extends NotComputable<ScoreReason> {
  /** UID of the order at fault. */
  readonly uid: string;
}

/**
 * The score of a solution: the sum of {@linkcode scoreOrder} over its orders that count, which are
 * those of the auction and those of surplus-capturing owners. The latter have no fee policies.
 *
 * It is exact when limit and fee policies of each of them are known. Policies are stored, and shown
 * in debug reports and trades, only for orders of winning solutions: for the others the sum is of
 * surplus only, a lower bound, and called so; the same goes for a solution with an order that the
 * auction does not list while the owners are not known. The service leaves orders of unknown tokens out of its
 * answers; what such an order adds to the reported score is not in the sum.
 *
 * @param solution A solution of the competition.
 * @param auction The competition's auction: its orders and native prices.
 * @returns The score beside the reported one; or the first order for which the service gives none.
 * @throws {InputError} If an option is misspelt.
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

/** What one order of a solution is scored with. */
export interface ExecutionTerms {
  /** The orders. */
  readonly orders: UidIndex<ScorableOrder>;
  /** Their fee policies in this auction. */
  readonly policies: UidIndex<readonly FeePolicy[]> | undefined;
  /** Whether the auction lists the order: one that it does not list has no policies. */
  readonly isListed: boolean;
}

/**
 * The score of one order of a solution, or what it lacks to have even a bound. An order that the
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
