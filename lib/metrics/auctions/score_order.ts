import { requireKnown } from "../../errors/require_known.ts";
import type { FeePolicy } from "../../schemas/mod.ts";
import { mulDivDown, nativeValue } from "../../units/mod.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { FeeReason } from "../fees/policy_fee.ts";
import { recomputeFees } from "../fees/recompute_fees.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";
import { surplusOverLimit } from "../surplus/surplus_over_limit.ts";

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

/** Why an execution has no score: the service drops such a solution. */
export type ScoreReason =
  | "below_limit"
  | "limit_without_price"
  | "fees_not_computable";

const FEES_UNKNOWN: ReadonlySet<FeeReason> = new Set(
  ["no_policy", "unknown_kind", "no_quote", "later_policy"],
);

/**
 * The score of one order's execution in a solution: its value to the trader and the protocol.
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
  requireKnown(options, ["nativePrice", "policies"], "Cannot score an order");
  const { nativePrice, policies } = options;
  const surplusAtoms = surplusOverLimit(fill, order);
  if (isNotComputable(surplusAtoms)) return surplusAtoms;
  if (order.sellAmount === 0n) {
    const detail = `The limit is to sell 0 for ${order.buyAmount} atoms`;
    return { reason: "limit_without_price", detail };
  }
  if (surplusAtoms < 0n) {
    const detail = `The execution is ${-surplusAtoms} atoms worse than the limit`;
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
  const gained = surplusAtoms + feeAtoms;
  const bought = order.kind === "sell"
    ? gained
    : mulDivDown(gained, order.buyAmount, order.sellAmount);
  return {
    kind: isExact ? "exact" : "lower_bound",
    score: nativeValue(bought, nativePrice),
    surplusAtoms,
    feeAtoms,
  };
}
