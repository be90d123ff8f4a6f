import type { Order } from "../../schemas/mod.ts";
import { divide, ratioToNumber } from "../../units/mod.ts";
import { isNotComputable } from "../not_computable.ts";
import { surplusBpsOfLimit } from "../surplus/surplus_bps_of_limit.ts";
import type { Baseline } from "../quotes/quote_baseline.ts";
import { slippage } from "./slippage.ts";

/**
 * How far a stored quote is over the limit of its order, in basis points of the limit.
 *
 * The quote is a fill of the whole order in whole atoms, rounded against the trader.
 *
 * @param volumeFactors Factors of the volume fees, for the baseline `userShown`.
 * @returns `null` without a quote, or if the limit is no price.
 */
export function quoteOverLimitBps(
  order: Order,
  baseline: Baseline,
  volumeFactors?: readonly number[],
): number | null {
  if ((order.kind === "sell" ? order.sellAmount : order.buyAmount) === 0n) return null;
  const whole = { sellAmount: order.sellAmount, buyAmount: order.buyAmount };
  const measured = slippage(whole, order, order.quote, baseline, { volumeFactors });
  if (isNotComputable(measured)) return null;
  const { numerator, denominator } = measured.baselineAtoms;
  const quoted = divide(numerator, denominator, {
    rounding: order.kind === "sell" ? "floor" : "ceil",
  });
  const bps = surplusBpsOfLimit(
    order.kind === "sell" ? { ...whole, buyAmount: quoted } : { ...whole, sellAmount: quoted },
    order,
  );
  return isNotComputable(bps) ? null : ratioToNumber(bps);
}
