import { chargeFees, type Fill, isNotComputable, surplusOverLimit } from "../../../metrics/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import { executedFees } from "./executed_fees.ts";
import type { PlannedExecution, UniformPair } from "../state/solution.ts";

/** Maximum surplus of which the service can compute a share in 256 bits, in atoms. */
const MAX_SURPLUS = 2n ** 256n / 10n ** 18n;

/**
 * The execution of an order after protocol fees; `null` if it violates the limit price, or the fees
 * cannot be computed.
 *
 * @param order The order.
 * @param net Amounts after the network fee and before protocol fees, in atoms.
 * @param price The uniform clearing price.
 */
export function executionOf(
  order: BookOrder,
  net: Fill,
  price: UniformPair,
): PlannedExecution | null {
  const { signed, origin } = order;
  if (net.buyAmount <= 0n) return null;
  const surplus = surplusOverLimit(net, signed);
  if (isNotComputable(surplus) || surplus < 0n || surplus > MAX_SURPLUS) return null;
  const { policies, quote } = origin;
  const fill = chargeFees(net, signed, { policies, quote });
  if (isNotComputable(fill) || fill.buyAmount <= 0n) return null;
  const kept = surplusOverLimit(fill, signed);
  if (isNotComputable(kept) || kept < 0n) return null;
  if (order.executedSellAmount + fill.sellAmount > signed.sellAmount) return null;
  const fees = executedFees(order, fill, price);
  return fees === null ? null : { order, fill, price, fees };
}
