import type { BookOrder, SignedOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa } from "../wire/read_order_creation.ts";
import { refuse } from "../wire/reply.ts";

/** How many of the latest auctions keep an order with a bid from being replaced. */
const AUCTIONS = 5;

/**
 * Checks that an order may take the place of another.
 *
 * @throws {Rejection} 400 or 401 with a type.
 */
export function checkReplacement(
  market: Market,
  { replaced, signed, owner }: { replaced: BookOrder; signed: SignedOrder; owner: string },
): void {
  if (!isEcdsa(signed.signingScheme)) {
    throw refuse(400, "InvalidSignature", "Malformed signature");
  }
  if (replaced.owner !== owner) {
    throw refuse(401, "WrongOwner", "Old and new orders have different signers");
  }
  const isBidOn = [...market.book.auctions.values()].slice(-AUCTIONS).some(({ competition }) =>
    competition.solutions.some(({ orders }) => orders.some(({ id }) => id === replaced.uid))
  );
  if (isBidOn) {
    throw refuse(
      400,
      "OldOrderActivelyBidOn",
      // The service spells it so.
      "The old order is actively beign bid on in recent auctions",
    );
  }
}
