import type { SignedOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { refuse } from "../wire/reply.ts";

/**
 * Checks that an owner can pay: one atom, or the whole amount where the order asks for that.
 *
 * Orders are looked at one by one, whatever else an owner has on offer. A pre-signed one may be
 * placed before its funds are there, because its signature can come in the same transaction.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkFunds(
  market: Market,
  { sellToken, sellAmount, signingScheme }: SignedOrder,
  { owner, isWhole }: { owner: string; isWhole: boolean },
): void {
  if (signingScheme === "presign") return;
  if (!market.isToken(sellToken)) {
    throw refuse(400, "TransferSimulationFailed", "sell token cannot be transferred");
  }
  const held = market.ledger.balanceOf(owner, sellToken);
  if (held < (isWhole ? sellAmount : 1n)) {
    throw refuse(
      400,
      "InsufficientBalance",
      "order owner must have funds worth at least x in his account",
    );
  }
}
