import type { FeePolicy } from "../../schemas/mod.ts";
import { limitWithoutPrice } from "../orders/limit_without_price.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import {
  type FeeReason,
  policyFee,
  policyKind,
  type RecomputedFee,
  type UncomputedFee,
} from "./policy_fee.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";

/** Options of {@linkcode recomputeFees}. */
export interface RecomputeFeesOptions {
  /** The policies in the order applied, as trades list them; a missing one is `null`. */
  readonly policies: readonly (FeePolicy | null | undefined)[];
  /**
   * The order's stored quote, for price-improvement policies without their own, such as those of
   * debug reports. @default {none}
   */
  readonly quote?: StoredQuote | null | undefined;
  /**
   * The reported fee of each policy, in atoms. If a fee cannot be recomputed, its reported amount
   * is added back instead, so that earlier policies can be.
   * @default {none: earlier policies cannot be computed either}
   */
  readonly reportedAtoms?: readonly (bigint | undefined)[] | undefined;
}

/**
 * The fee of every policy of a fill, recomputed from the fill's amounts after all fees.
 *
 * Policies are applied first to last, so they are undone last to first: with `T` the fees undone so
 * far, a policy applies to the amounts `(s, b + T)` of a sell order and `(s - T, b)` of a buy
 * order. Its fee:
 *
 * | policy | fee |
 * | --- | --- |
 * | `volume` | sell `b * f / (1 - f)`, buy `s * f / (1 + f)` |
 * | `surplus` | `surplus * f / (1 - f)`, at most a volume fee of `maxVolumeFactor` |
 * | `priceImprovement` | the same of the improvement over the quote |
 *
 * with surplus from {@linkcode surplusOverLimit} and improvement from
 * {@linkcode priceImprovementAtoms}. As in the service, `f / (1 - f)` is computed in doubles,
 * multiplied as in `mulFloat`, and rounded down, so that fees agree with the service's to the atom.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param options The policies; the order's quote, for policies without their own.
 * @returns One entry per policy, in the order given: the fee in atoms of the surplus token and
 * whether its cap reduced it, or why there is none. If the service cannot compute one fee, it
 * computes none of the earlier ones.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service}
 *
 * @example Half of the surplus, capped, after a fee of 2 basis points on the volume
 * ```ts
 * import { recomputeFees } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
 * const fees = recomputeFees(fill, order, {
 *   policies: [
 *     { surplus: { factor: 0.5, maxVolumeFactor: 0.0098 } },
 *     { volume: { factor: 0.0002 } },
 *   ],
 * });
 *
 * assertEquals(fees, [
 *   { kind: "surplus", atoms: 20_787_837n, uncappedAtoms: 100_420_084n, isCapped: true },
 *   { kind: "volume", atoms: 420_084n, uncappedAtoms: 420_084n, isCapped: false },
 * ]);
 * ```
 */
export function recomputeFees(
  fill: Fill,
  order: OrderLimit,
  options: RecomputeFeesOptions,
): readonly (RecomputedFee | UncomputedFee)[] {
  const { policies, reportedAtoms } = options;
  const fees = new Array<RecomputedFee | UncomputedFee>(policies.length);
  let left: Fill | Fault = faultOfAmounts(fill, order) ?? fill;
  let taken = 0n;
  for (let at = policies.length - 1; at >= 0; at--) {
    const policy = policies[at];
    const fee: RecomputedFee | UncomputedFee = isNotComputable(left)
      ? { kind: policyKind(policy), ...left }
      : policyFee(left, order, policy, options.quote);
    fees[at] = fee;
    if (isNotComputable(left)) continue;
    const undone = isNotComputable(fee) ? reportedAtoms?.[at] : fee.atoms;
    if (undone === undefined) left = LATER_POLICY;
    else {
      taken += undone;
      left = withoutFees(taken, fill, order);
    }
  }
  return fees;
}

type Fault = NotComputable<FeeReason>;

const LATER_POLICY: Fault = {
  reason: "later_policy",
  detail: "A policy that was applied later is not computable",
};

function faultOfAmounts(fill: Fill, order: OrderLimit): Fault | undefined {
  const unpriced = limitWithoutPrice(order);
  if (unpriced !== undefined) return unpriced;
  const executed = order.kind === "sell" ? exchangedSellAmount(fill) : fill.buyAmount;
  return executed === 0n
    ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" }
    : undefined;
}

function withoutFees(taken: bigint, fill: Fill, order: OrderLimit): Fill | Fault {
  const { buyAmount } = fill;
  const sellAmount = exchangedSellAmount(fill);
  if (order.kind === "sell") return { sellAmount, buyAmount: buyAmount + taken };
  return taken > sellAmount
    ? { reason: "fees_above_volume", detail: `Fees of ${taken} of ${sellAmount} atoms sold` }
    : { sellAmount: sellAmount - taken, buyAmount };
}
