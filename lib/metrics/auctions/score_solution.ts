import {
  ADDRESS,
  checkOptions,
  defineRule,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import type { CompetitionAuction, FeePolicy, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { mulDivDown, nativeValue } from "../../units/mod.ts";
import { type FeeReason, recomputeFees } from "../fees/policy_fee.ts";
import {
  type ByUid,
  defineByUidRule,
  indexByUid,
  isNotComputable,
  type NotComputable,
  type UidIndex,
} from "../not_computable.ts";
import type { Fill, OrderLimit } from "../orders/fills.ts";
import { auctionRole, ROLE_OPTIONS, type RoleOptions } from "../orders/order_bids.ts";
import { findNativePrice } from "../prices/price_interval.ts";
import type { StoredQuote } from "../quotes/quote_baseline.ts";
import { surplusOverLimit } from "../surplus.ts";
import type { AuctionPath } from "./fast_path.ts";

/** Terms of the orders of a solution. */
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
  orders: defineByUidRule("orders by UID"),
  policies: defineByUidRule("fee policies by UID"),
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
   * The missing input: its limit, its policies (or their quote), the auction's price, or, for an
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
  /** Inputs that an exact score lacks; empty if it is exact. */
  readonly missing: readonly MissingForScore[];
  /** UIDs of orders that do not count: the solver provided them, and their owner captures no surplus or is unknown. */
  readonly unscored: readonly string[];
}

/** The reason why a solution has no score, and the order that causes it. */
export interface UnscorableSolution extends NotComputable<ScoreReason> {
  /** UID of the order that causes it. */
  readonly uid: string;
}

/**
 * Computes the score of a solution: the sum of {@linkcode scoreOrder} over its orders that count, which
 * are those of the auction and those of surplus-capturing owners. The latter have no fee policies.
 *
 * It is exact if the limit and the fee policies of each of them are known. The service stores
 * policies only for orders of winning solutions, and shows them in debug reports and trades: for
 * the others the sum contains only the surplus, so it is a lower bound. So is the score of a
 * solution with an order that the auction does not list, if the owners are unknown. The service
 * omits orders of unknown tokens from its responses; their part of the reported score is not in the
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
  const missingInputs: MissingForScore[] = [];
  const unscored: string[] = [];
  const indexedRecords = {
    orders: indexByUid(terms.orders),
    policies: terms.policies === undefined ? undefined : indexByUid(terms.policies),
  };
  let score = 0n;
  for (const execution of solution.orders) {
    const uid = execution.id;
    const role = auctionRole({ uid }, auction, terms);
    if (role === "liquidity" || role === "unknown") {
      unscored.push(uid);
      if (role === "unknown") missingInputs.push({ uid, missing: "jit_owner" });
      continue;
    }
    const isListed = role === "listed";
    const scored = scoreExecution(execution, auction, { ...indexedRecords, isListed });
    if ("missing" in scored) {
      missingInputs.push({ uid, missing: scored.missing });
      continue;
    }
    if (isNotComputable(scored)) return { uid, ...scored };
    if (scored.kind === "lower_bound") missingInputs.push({ uid, missing: "policies" });
    orders.push({ uid, ...scored });
    score += scored.score;
  }
  const kind = missingInputs.length === 0 ? "exact" : "lower_bound";
  const agrees = kind === "exact" ? score === solution.score : score <= solution.score;
  return { kind, score, agrees, orders, missing: missingInputs, unscored };
}

/** Terms of one order of a solution. */
interface ExecutionTerms {
  /** The orders. */
  readonly orders: UidIndex<ScorableOrder>;
  /** Their fee policies in this auction. */
  readonly policies: UidIndex<readonly FeePolicy[]> | undefined;
  /** Whether the auction lists the order; an order that it does not list has no policies. */
  readonly isListed: boolean;
}

/**
 * Computes the score of one order of a solution, or names the input that even a bound lacks. An order
 * that the auction does not list has no policies.
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
  const nativePrice = buyToken === undefined ? undefined : findNativePrice(auction, buyToken);
  if (nativePrice === undefined) return { missing: "price" };
  const policies = terms.policies?.get(uid) ?? (terms.isListed ? undefined : []);
  return scoreOrder(execution, order, { nativePrice, policies });
}

/** The fields of an order that its score depends on. An `Order` has them. */
export interface ScorableOrder extends OrderLimit {
  /** The stored quote, for price-improvement policies without their own. */
  readonly quote?: StoredQuote | null | undefined;
}

/** Options of {@linkcode scoreOrder}. */
export interface ScoreOrderOptions {
  /** Native price of the *buy token* in the auction: native atoms for 10^18 of its atoms. */
  readonly nativePrice: bigint;
  /**
   * The order's fee policies in the auction, in the order applied; `[]` if it has none. Omit it if
   * they are unknown: the score is then a lower bound.
   */
  readonly policies?: readonly FeePolicy[] | undefined;
}

const SCORE_OPTIONS: OptionRules<ScoreOrderOptions> = {
  nativePrice: required(BigInt),
  policies: defineRule("an array", Array.isArray),
};

/** The score of one order's execution. */
export interface OrderScore {
  /**
   * `"exact"`, or `"lower_bound"` if some protocol fees are unknown: they are never negative, so
   * the score is at least this.
   */
  readonly kind: "exact" | "lower_bound";
  /** The score, in native atoms. */
  readonly score: bigint;
  /** Surplus after all fees, in atoms of the surplus token. */
  readonly surplusAtoms: bigint;
  /** Known protocol fees, partner fees included, in atoms of the surplus token. */
  readonly feeAtoms: bigint;
}

/** The reason why an execution has no score: the service drops such a solution. */
export type ScoreReason =
  | "below_limit"
  | "limit_without_price"
  | "fees_not_computable";

const FEES_UNKNOWN: ReadonlySet<FeeReason> = new Set(
  ["no_policy", "unknown_kind", "no_quote", "later_policy"],
);

/**
 * Computes the score of one order's execution in a solution: its value to the trader and the protocol.
 *
 * Surplus over the limit price plus protocol fees, in the surplus token; converted to the buy token
 * at the limit price for a buy order, `floor(x * B / S)`; then to the native token,
 * `floor(x * price / 10^18)` with the price of the buy token. Rounds down twice, as the service
 * does.
 *
 * @param fill The execution in the solution, after all fees, in atoms.
 * @param order Which amount is fixed, the limit, and the stored quote.
 * @returns The score, or why the service computes none: the execution is below the limit, the limit
 * has no price, or the fees cannot be computed (a factor of 1, more than 256 bits).
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or the price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | compute_order_score of the service}
 *
 * @example 100 USDC of surplus and as much fee, at 0.0004 ETH a USDC
 * ```ts
 * import { scoreOrder } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
 * const nativePrice = 400_000_000_000_000_000_000_000_000n;
 * const policies = [{ surplus: { factor: 0.5, maxVolumeFactor: 0.9 } }];
 *
 * assertEquals(scoreOrder(fill, order, { nativePrice, policies }), {
 *   kind: "exact",
 *   score: 80_000_000_000_000_000n,
 *   surplusAtoms: 100_000_000n,
 *   feeAtoms: 100_000_000n,
 * });
 * ```
 */
export function scoreOrder(
  fill: Fill,
  order: ScorableOrder,
  options: ScoreOrderOptions,
): OrderScore | NotComputable<ScoreReason> {
  checkOptions(options, SCORE_OPTIONS, "Cannot score an order");
  const { nativePrice, policies } = options;
  const surplusAtoms = surplusOverLimit(fill, order);
  if (isNotComputable(surplusAtoms)) return surplusAtoms;
  if (order.sellAmount === 0n) {
    const detail = `The limit is to sell 0 for ${pluralize(order.buyAmount, "atom")}`;
    return { reason: "limit_without_price", detail };
  }
  if (surplusAtoms < 0n) {
    const detail = `The execution is ${pluralize(-surplusAtoms, "atom")} worse than the limit`;
    return { reason: "below_limit", detail };
  }
  const fees = policies === undefined
    ? undefined
    : recomputeFees(fill, order, { policies, quote: order.quote });
  let feeAtoms = 0n;
  let isExact = fees !== undefined;
  for (const fee of fees ?? []) {
    if (!isNotComputable(fee)) feeAtoms += fee.atoms;
    else if (FEES_UNKNOWN.has(fee.reason)) isExact = false;
    else return { reason: "fees_not_computable", detail: fee.detail };
  }
  const gainedAtoms = surplusAtoms + feeAtoms;
  const boughtAtoms = order.kind === "sell"
    ? gainedAtoms
    : mulDivDown(gainedAtoms, order.buyAmount, order.sellAmount);
  return {
    kind: isExact ? "exact" : "lower_bound",
    score: nativeValue(boughtAtoms, nativePrice),
    surplusAtoms,
    feeAtoms,
  };
}

/** One solution in the ranking of the replay. */
export interface ReplayedSolution {
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Rank in the replay, from 1: winners by score, then others by score, then filtered ones. */
  readonly ranking: number;
  /** Whether it wins in the replay. */
  readonly isWinner: boolean;
  /** Whether it is filtered out in the replay: as unfair, or without a score on the fast path. */
  readonly filteredOut: boolean;
  /**
   * Basis of the filter flag: `"single"`, a solution of one directed pair, which is never
   * filtered; `"scores"`, its pair scores, or what stands for them, against the baselines, on the fast
   * path whether it has a score; `"reported"`, the flag in the response, because scores are not known
   * well enough; `"off"`, nothing: the replay has no filter.
   */
  readonly filterFrom: "single" | "scores" | "reported" | "off";
}

/** A solution for which the replay differs from the response. */
export interface SolutionDifference<What extends string, Value> {
  /** The field that differs. */
  readonly what: What;
  /** Index in the competition's `solutions`. */
  readonly index: number;
  /** Solver of the solution. */
  readonly solver: string;
  /** Value in the response. */
  readonly reported: Value;
  /** Value in the replay. */
  readonly replayed: Value;
}

/** A solver whose reference score differs. */
export interface ReferenceDifference {
  /** The field that differs. */
  readonly what: "referenceScore";
  /** Address of the solver. */
  readonly solver: string;
  /** Value in the response, in native atoms; `null` if it does not name the solver. */
  readonly reported: bigint | null;
  /** Value in the replay, in native atoms; `null` if the solver does not win there. */
  readonly replayed: bigint | null;
}

/** A solver with more solutions than allowed. */
export interface SolutionCountDifference {
  /** The field that differs. */
  readonly what: "solutions_per_solver";
  /** Address of the solver. */
  readonly solver: string;
  /** Number of its solutions in the response. */
  readonly reported: number;
  /** Number of solutions allowed. */
  readonly replayed: number;
}

/** A difference between the replay and the response. */
export type ReplayDifference =
  | SolutionDifference<"filteredOut", boolean>
  | SolutionDifference<"isWinner", boolean>
  | SolutionDifference<"ranking", number>
  | ReferenceDifference
  | SolutionCountDifference;

/**
 * Possible reason why a replay differs from a correct response; the response shows none of these.
 *
 * - `"tie"`: the service orders solutions of equal score by a hash, which the response does not
 *   contain
 * - `"max_winners"`: the service's maximum may differ from the one used
 * - `"fairness"`: the replay has no filter or another one, and the auction had one
 * - `"orders_missing"`: the service omits orders of unknown tokens from its responses, and with them
 *   the pairs they claim
 * - `"jit_orders"`: orders that solvers provided count for the score if their owner captures
 *   surplus, and those owners were not passed
 * - `"native_token"`: the wrapped native token was not passed, so it counts as another token
 */
export type ReplayReason =
  | "tie"
  | "max_winners"
  | "fairness"
  | "orders_missing"
  | "jit_orders"
  | "native_token";

/** Inputs of a replay. */
export interface ReplayBasis {
  /** The maximum number of winners that was used. */
  readonly maxWinners: number;
  /** Whether the caller passed it, or it is the service's default. */
  readonly maxWinnersFrom: "given" | "default";
  /** Number of filter flags computed from the response and the options. */
  readonly filterFlagsReplayed: number;
  /** Number of filter flags taken from the response. */
  readonly filterFlagsReported: number;
  /** Number of solutions that share their score with another one; they keep their reported ranks. */
  readonly tiedSolutions: number;
}

/** An auction replayed by its rules, compared with what was reported. */
export interface CompetitionReplay {
  /** Id of the auction. */
  readonly auctionId: number;
  /** The path whose rules were replayed: of {@linkcode recognizeAuctionPath}, regular if it is open. */
  readonly path: AuctionPath;
  /** Whether everything replayed is as reported. */
  readonly agrees: boolean;
  /** The differences; empty if it agrees. */
  readonly differences: readonly ReplayDifference[];
  /** Possible reasons for the differences, other than a wrong response; empty if it agrees. */
  readonly possibleReasons: readonly ReplayReason[];
  /** All solutions, best first. */
  readonly solutions: readonly ReplayedSolution[];
  /** Sum of the scores of the winners in the replay, in native atoms. */
  readonly totalScore: bigint;
  /** Reference score of each winner of the replay, in native atoms, by address. */
  readonly referenceScores: ReadonlyMap<string, bigint>;
  /** Inputs of the replay. */
  readonly basis: ReplayBasis;
}

/** Options of a replay. */
export interface ReplayOptions extends Partial<ScoringTerms> {
  /**
   * Whether unfair solutions are filtered out, as since CIP-67; `false` replays other rules, and so does
   * a stand-in for the scores of pairs, one of those of `judgeBySurplus`.
   *
   * @default {true}
   */
  readonly fairness?: boolean | "surplus" | "scaled" | "raw";
  /**
   * Maximum number of winning solutions, a whole number of at least 1. No response contains it:
   * {@linkcode inferMaxWinners} infers it from a set of auctions.
   *
   * @default {20}
   */
  readonly maxWinners?: number;
  /**
   * Maximum number of solutions of one solver, to check it. The service drops any others before the
   * auction starts.
   */
  readonly maxSolutionsPerSolver?: number;
  /**
   * Address of the wrapped native token, which counts as the native token when winners are picked.
   * Without it, the two are different tokens.
   */
  readonly wrappedNativeToken?: string;
}

/** A value that stands for the scores of pairs. */
export type StandIn = Exclude<ReplayOptions["fairness"], boolean | undefined>;

const STAND_INS: readonly StandIn[] = ["surplus", "scaled", "raw"];

/** Allowed values of the {@linkcode ReplayOptions}. */
export const REPLAY_OPTIONS: OptionRules<ReplayOptions> = {
  ...SCORING_TERMS,
  fairness: defineRule(
    "true, false, surplus, scaled or raw",
    (value) => typeof value === "boolean" || STAND_INS.includes(value as StandIn),
  ),
  maxWinners: wholeNumber(1),
  maxSolutionsPerSolver: wholeNumber(1),
  wrappedNativeToken: ADDRESS,
};
