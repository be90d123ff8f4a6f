import { chargeFees, type Fill, isNotComputable, surplusOverLimit } from "../../../metrics/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import { executedFees } from "./executed_fees.ts";
import type { PlannedExecution, UniformPair } from "../state/solution.ts";

/** The most surplus of which a share can be computed in the service's 256 bits, in atoms. */
const MOST_SURPLUS = 2n ** 256n / 10n ** 18n;

/**
 * An order's execution with its policies charged; `null` where its limit forbids it, or its fees
 * cannot be computed.
 *
 * @param order The order.
 * @param net What it would exchange with the network fee taken and no other, in atoms.
 * @param price The uniform price that the amounts are reported beside.
 */
export function executionOf(
  order: BookOrder,
  net: Fill,
  price: UniformPair,
): PlannedExecution | null {
  const { signed, origin } = order;
  if (net.buyAmount <= 0n) return null;
  const surplus = surplusOverLimit(net, signed);
  if (isNotComputable(surplus) || surplus < 0n || surplus > MOST_SURPLUS) return null;
  const { policies, quote } = origin;
  const fill = chargeFees(net, signed, { policies, quote });
  if (isNotComputable(fill) || fill.buyAmount <= 0n) return null;
  const kept = surplusOverLimit(fill, signed);
  if (isNotComputable(kept) || kept < 0n) return null;
  if (order.executedSellAmount + fill.sellAmount > signed.sellAmount) return null;
  const fees = executedFees(order, fill, price);
  return fees === null ? null : { order, fill, price, fees };
}
