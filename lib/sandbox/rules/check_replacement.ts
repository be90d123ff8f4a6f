import type { BookOrder, SignedOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { isEcdsa } from "../wire/read_order_creation.ts";
import { rejection } from "../wire/reply.ts";

/** Number of latest auctions in which a bid on an order prevents its replacement. */
const AUCTIONS = 5;

/**
 * Checks that an order may replace another.
 *
 * @throws {Rejection} 400 or 401 with a type.
 */
export function checkReplacement(
  market: Market,
  { replaced, signed, owner }: { replaced: BookOrder; signed: SignedOrder; owner: string },
): void {
  if (!isEcdsa(signed.signingScheme)) {
    throw rejection(400, "InvalidSignature", "Malformed signature");
  }
  if (replaced.owner !== owner) {
    throw rejection(401, "WrongOwner", "Old and new orders have different signers");
  }
  const isBidOn = [...market.book.auctions.values()].slice(-AUCTIONS).some(({ competition }) =>
    competition.solutions.some(({ orders }) => orders.some(({ id }) => id === replaced.uid))
  );
  if (isBidOn) {
    throw rejection(
      400,
      "OldOrderActivelyBidOn",
      // The service's spelling.
      "The old order is actively beign bid on in recent auctions",
    );
  }
}
