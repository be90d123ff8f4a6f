import type { SignedOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { rejection } from "../wire/reply.ts";

/**
 * Checks that an owner holds at least one atom, or the whole sell amount if the order requires it.
 *
 * Each order is checked on its own; other open orders do not count. A pre-signed order may be placed
 * before its funds arrive, because the same transaction can sign it.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkFunds(
  market: Market,
  { sellToken, sellAmount, signingScheme }: SignedOrder,
  { owner, requiresFullBalance }: { owner: string; requiresFullBalance: boolean },
): void {
  if (signingScheme === "presign") return;
  if (!market.isToken(sellToken)) {
    throw rejection(400, "TransferSimulationFailed", "sell token cannot be transferred");
  }
  const held = market.ledger.balanceOf(owner, sellToken);
  if (held < (requiresFullBalance ? sellAmount : 1n)) {
    throw rejection(
      400,
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
}
