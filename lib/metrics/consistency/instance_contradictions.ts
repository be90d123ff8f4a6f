import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { Competition, Instance, InstanceOrder, Order } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { findNativePrice } from "../prices/price_interval.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";

/** Compares instances with their auctions and the records of their orders. */
export function* compareInstances(
  instances: Iterable<Instance>,
  { competitions, orders }: {
    /** Auctions by id. */
    readonly competitions: ReadonlyMap<number, Competition>;
    /** Records of orders by UID. */
    readonly orders: HexMap<Order>;
  },
): Generator<Contradiction> {
  for (const instance of instances) {
    const competition = competitions.get(instance.id ?? -1);
    if (competition !== undefined) yield* compareInstance(instance, competition, orders);
  }
}

/**
 * Compares the instance of an auction with the auction and with the records of its orders: native prices,
 * the list of orders, and what was signed. An order that the auction lists and its instance lacks is no
 * contradiction: a driver passes only those on that can be filled.
 */
function* compareInstance(
  { orders = [], tokens = {} }: Instance,
  { auctionId, auction }: Competition,
  records: HexMap<Order>,
): Generator<Contradiction> {
  for (const [token, { referencePrice }] of Object.entries(tokens)) {
    const price = findNativePrice(auction, token);
    if (price === undefined || referencePrice == null) continue;
    yield* compareFacts(
      "instance_price",
      `auction ${auctionId}, token ${token}`,
      ["competition.auction.prices", price],
      ["instance.tokens.referencePrice", referencePrice],
    );
  }
  const listedUids = new HexMap(auction.orders.map((uid) => [uid, true] as const));
  for (const order of orders) {
    const { uid } = order;
    if (uid === undefined) continue;
    if (auction.orders.length > 0) {
      yield* compareFacts(
        "instance_order",
        `order ${uid}`,
        [
          `competition.auction.orders of auction ${auctionId}`,
          listedUids.has(uid) ? "with it" : "without it",
        ],
        ["instance.orders", "with it"],
      );
    }
    const record = records.get(uid);
    if (record !== undefined) yield* compareTerms(record, order, auctionId);
  }
}

/** Compares what was signed, as a record and an instance have it. */
export function* compareTerms(
  record: Order,
  order: InstanceOrder,
  auctionId: number,
): Generator<Contradiction> {
  const pairs = [
    ["kind", record.kind, "kind", order.kind],
    ["sellToken", record.sellToken, "sellToken", order.sellToken],
    ["buyToken", record.buyToken, "buyToken", order.buyToken],
    ["sellAmount", record.sellAmount, "fullSellAmount", order.fullSellAmount],
    ["buyAmount", record.buyAmount, "fullBuyAmount", order.fullBuyAmount],
  ] as const;
  for (const [field, ofRecord, name, ofInstance] of pairs) {
    // Solvers buy the token that wraps the native one.
    const isWrapped = field === "buyToken" && sameHex(record.buyToken, NATIVE_TOKEN_ADDRESS);
    if (ofInstance === undefined || isWrapped) continue;
    yield* compareFacts(
      "instance_limit",
      `order ${record.uid}`,
      [`order.${field}`, ofRecord],
      [`instance.orders.${name} of auction ${auctionId}`, ofInstance],
    );
  }
}
