import { mulDivDown } from "../../units/mod.ts";

/** The amounts that a refund depends on. */
export interface RefundableOrder {
  /** Amount to sell, in native atoms. */
  readonly sellAmount: bigint;
  /** Signed fee, in native atoms. */
  readonly feeAmount: bigint;
}

/**
 * What an EthFlow contract returns to the trader when an order is refunded or cancelled.
 *
 * `sellAmount − filled + feeAmount − floor(feeAmount * filled / sellAmount)`: the fee of the filled
 * part is rounded down as the settlement contract charges it, so that the rest is returned.
 *
 * @param order The order's amounts.
 * @param filledAtoms What was sold of it before its fees, in native atoms; up to `sellAmount`.
 * @returns Native atoms; `0n` for an order that is filled whole.
 * @throws {RangeError} If `filledAtoms` is negative or above `sellAmount`, or `sellAmount` is `0n`.
 * @see {@link https://github.com/cowprotocol/ethflowcontract/blob/fd72a5375e12/src/CoWSwapEthFlow.sol | _invalidateOrder of the contract}
 *
 * @example A third of an order with a fee of 10 is filled
 * ```ts
 * import { ethFlowRefund } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ethFlowRefund({ sellAmount: 300n, feeAmount: 10n }, 100n), 200n + 10n - 3n);
 * ```
 */
export function ethFlowRefund(
  { sellAmount, feeAmount }: RefundableOrder,
  filledAtoms: bigint,
): bigint {
  if (sellAmount === 0n || filledAtoms < 0n || filledAtoms > sellAmount) {
    throw new RangeError(`${filledAtoms} of ${sellAmount} atoms cannot be filled`);
  }
  return sellAmount - filledAtoms + feeAmount - mulDivDown(feeAmount, filledAtoms, sellAmount);
}
