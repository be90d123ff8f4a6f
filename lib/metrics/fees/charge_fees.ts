import type { FeePolicy } from "../../schemas/mod.ts";
import { mulFloat } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { limitWithoutPrice } from "../orders/limit_without_price.ts";
import { priceImprovementAtoms } from "./price_improvement_atoms.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";
import { surplusOverLimit } from "../surplus/surplus_over_limit.ts";

/** Options of {@linkcode chargeFees}. */
export interface ChargeFeesOptions {
  /** The policies in the order applied, each of a known kind. */
  readonly policies: readonly FeePolicy[];
  /** The quote for price-improvement policies without their own. @default {none} */
  readonly quote?: StoredQuote | null | undefined;
}

/**
 * The amounts of a fill after its fee policies were charged: the inverse of `recomputeFees`.
 *
 * Policies are applied first to last, each to the amounts after the previous ones. A volume fee is
 * `b * f` for a sell order and `s * f` for a buy order; a surplus fee is `surplus * f`, at most a
 * volume fee of `maxVolumeFactor`; a price-improvement fee is the same share of the improvement
 * over the quote. Fees reduce what a sell order buys, and increase what a buy order sells. They are
 * rounded down, in the trader's favour. `recomputeFees` of the result may differ by a few atoms of
 * rounding; its amounts are the ones that the service reports.
 *
 * @param fill The amounts after the network fee and before all others, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param options The policies; the order's quote, for policies without their own.
 * @returns The fill after all fees, in atoms; or `"limit_without_price"` if the order fixes `0n`. A
 * price-improvement policy whose quote is missing or has no price charges nothing.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service, the way back}
 *
 * @example Half of a surplus of 100, then nothing is left to a second half but 25
 * ```ts
 * import { chargeFees } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 900n } as const;
 * const half = { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } };
 *
 * const fill = { sellAmount: 1_000n, buyAmount: 1_000n };
 * const once = chargeFees(fill, order, { policies: [half] });
 * const twice = chargeFees(fill, order, { policies: [half, half] });
 * assertEquals(once, { sellAmount: 1_000n, buyAmount: 950n });
 * assertEquals(twice, { sellAmount: 1_000n, buyAmount: 925n });
 * ```
 */
export function chargeFees(
  fill: Fill,
  order: OrderLimit,
  options: ChargeFeesOptions,
): Fill | NotComputable<"limit_without_price"> {
  const unpriced = limitWithoutPrice(order);
  if (unpriced !== undefined) return unpriced;
  let left: Fill = fill;
  for (const policy of options.policies) {
    const fee = feeOf(policy, left, order, options.quote);
    left = order.kind === "sell"
      ? { ...left, buyAmount: left.buyAmount - fee }
      : { ...left, sellAmount: left.sellAmount + fee };
  }
  return left;
}

function feeOf(
  policy: FeePolicy,
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
): bigint {
  const volume = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  if (policy.volume !== undefined) return mulFloat(volume, policy.volume.factor);
  const { surplus, priceImprovement } = policy;
  const terms = surplus ?? priceImprovement;
  if (terms === undefined) return 0n;
  const over = priceImprovement?.quote ?? quote;
  const better = surplus !== undefined
    ? surplusOverLimit(fill, order)
    : over === null || over === undefined
    ? 0n
    : priceImprovementAtoms(fill, order, over);
  if (isNotComputable(better) || better <= 0n) return 0n;
  const share = mulFloat(better, terms.factor);
  const cap = mulFloat(volume, terms.maxVolumeFactor);
  return share < cap ? share : cap;
}
