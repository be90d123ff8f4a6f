import type { Order, OrderEvent } from "../../schemas/mod.ts";
import type { StatusCheck } from "./lifecycle_facts.ts";

/** The filled part of the amount that the order fixes, and that amount. */
export function filledOf(order: Order): [bigint, bigint] {
  return order.kind === "sell"
    ? [order.executedSellAmountBeforeFees, order.sellAmount]
    : [order.executedBuyAmount, order.buyAmount];
}

/**
 * The state of an order as one sentence. It follows the reported status, since the rules depend on
 * a time that the caller passes.
 */
export function stateInWords(
  order: Order,
  { reported }: StatusCheck,
  events: readonly OrderEvent[] | null,
): string {
  const [filled, whole] = filledOf(order);
  const amount = `${filled} of ${whole} ${order.kind}-token atoms filled`;
  const last = events?.at(-1);
  const reason = last?.reason == null ? "" : ` (${last.reason})`;
  const latest = last === undefined ? "" : `; its latest event is ${last.label}${reason}`;
  switch (reported) {
    case "fulfilled":
      return `Fulfilled: ${amount}`;
    case "cancelled":
      return `Cancelled with ${amount}`;
    case "expired":
      return `Expired with ${amount}${latest}`;
    case "presignaturePending":
      return "Waiting for its signature on the chain";
    case "open":
      return `Open with ${amount}${latest}`;
    default:
      return `Reported ${reported} with ${amount}${latest}`;
  }
}
