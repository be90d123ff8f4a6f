import { filledOf } from "../../metrics/orders/state_in_words.ts";
import type { Order } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";

/** What the owner of an order must have of the sell token. */
export interface FundsNeeded {
  /** What the service requires, in atoms: all of it, or 1 of an order that can be filled in parts. */
  readonly neededAtoms: bigint;
  /** What is left to sell with its signed fee, in atoms, rounded down as the service does. */
  readonly remainingAtoms: bigint;
  /** Whether the service leaves the order out of auctions without it. */
  readonly isChecked: boolean;
}

/**
 * What the owner of an order must have, and allow to be taken.
 *
 * The service does not check orders that contracts sign, nor those whose receiver is the settlement
 * contract: they may get their funds within the settlement.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/solvable_orders.rs | orders_with_balance}
 */
export function fundsNeeded(order: Order, settlementContract: string): FundsNeeded {
  const { sellAmount, feeAmount, partiallyFillable, receiver, signingScheme } = order;
  const whole = sellAmount + feeAmount;
  return {
    neededAtoms: partiallyFillable ? 1n : whole,
    remainingAtoms: remainingOf(order, sellAmount) + remainingOf(order, feeAmount),
    isChecked: signingScheme !== "eip1271" &&
      (receiver == null || !sameHex(receiver, settlementContract)),
  };
}

function remainingOf(order: Order, atoms: bigint): bigint {
  const [filled, total] = filledOf(order);
  return total === 0n || filled > total ? 0n : atoms * (total - filled) / total;
}
