import type { Competition } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";

/**
 * Address of the solver that settled a fill: that of the winning solution with its transaction,
 * otherwise of the one with its order.
 *
 * @returns `null` if there is neither.
 */
export function settledBy(
  fill: { readonly orderUid: string; readonly txHash: string | null },
  competition: Competition | undefined,
): string | null {
  const winners = competition?.solutions.filter(({ isWinner }) => isWinner) ?? [];
  const { orderUid, txHash } = fill;
  const settled =
    winners.find((one) => txHash !== null && one.txHash != null && sameHex(one.txHash, txHash)) ??
      winners.find(({ orders }) => orders.some(({ id }) => sameHex(id, orderUid)));
  return settled?.solverAddress ?? null;
}
