import type { Competition } from "../../schemas/mod.ts";
import type { OrderListingFacts } from "./order_listings.ts";

const ORDER_UID = /^0x[0-9a-f]{112}$/i;
const UNLISTED = -1;

/** The orders that one auction lists, as numbers that {@linkcode ListedOrders} gave them. */
export interface Listing {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Its orders, each listed once or more. */
  readonly orders: Int32Array;
}

/**
 * Which auctions list which orders. An auction lists thousands of orders, almost all of which its
 * neighbour lists too: each UID is checked and kept once, and then is a number.
 */
export class ListedOrders {
  readonly #uids: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Numbers of UIDs that are not in lower case. */
  readonly #unusual: number[] = [];
  /** The list that was read last, and by number where in which list an order was seen last. */
  #list = new Int32Array();
  #round = 0;
  readonly #rounds: number[] = [];
  readonly #places: number[] = [];

  /** Reads the orders of the next auction; `undefined` if they are no list of UIDs. */
  read(uids: unknown): Int32Array | undefined {
    if (!Array.isArray(uids)) return undefined;
    const [texts, previous, round] = [this.#uids, this.#list, ++this.#round];
    const list = new Int32Array(uids.length);
    let next = 0;
    for (let place = 0; place < list.length; place++) {
      const uid: unknown = uids[place];
      // Most often it is the order that follows in the list before: comparing is cheaper than finding.
      let number = next < previous.length ? previous[next]! : UNLISTED;
      if (number === UNLISTED || texts[number] !== uid) {
        number = this.#numberOf(uid);
        if (number === UNLISTED) return undefined;
        if (this.#rounds[number] === round - 1) next = this.#places[number]!;
        else next--;
      }
      next++;
      this.#rounds[number] = round;
      this.#places[number] = place;
      list[place] = number;
    }
    this.#list = list;
    return list;
  }

  /** The orders of the list that was read last that are among some UIDs, in any letter case. */
  among(uids: Iterable<string>): string[] {
    const found = new Set<string>();
    const isListed = (number: number | undefined): number is number =>
      number !== undefined && this.#rounds[number] === this.#round;
    for (const uid of uids) {
      const lowerCase = uid.toLowerCase();
      for (const text of [uid, lowerCase]) if (isListed(this.#numbers.get(text))) found.add(text);
      for (const number of this.#unusual) {
        const text = this.#uids[number]!;
        if (isListed(number) && text.toLowerCase() === lowerCase) found.add(text);
      }
    }
    return [...found];
  }

  /** All intervals of consecutive auctions that list an order, by UID and first auction. */
  intervals(listings: readonly Listing[]): OrderListingFacts[] {
    const ascending = listings.toSorted((a, b) => a.auctionId - b.auctionId);
    const open = this.#uids.map((uid) => ({ uid, first: 0, last: 0, count: 0, place: UNLISTED }));
    const closed: OrderListingFacts[] = [];
    for (const [place, { auctionId, orders }] of ascending.entries()) {
      for (const number of orders) {
        const one = open[number]!;
        if (one.place === place) continue;
        if (one.place !== place - 1 || one.count === 0) {
          if (one.count > 0) closed.push(factsOf(one));
          one.first = auctionId;
          one.count = 0;
        }
        one.last = auctionId;
        one.count++;
        one.place = place;
      }
    }
    for (const one of open) if (one.count > 0) closed.push(factsOf(one));
    return closed.sort((a, b) => a.uid === b.uid ? a.first - b.first : a.uid < b.uid ? -1 : 1);
  }

  #numberOf(uid: unknown): number {
    const known = this.#numbers.get(uid as string);
    if (known !== undefined) return known;
    if (typeof uid !== "string" || !ORDER_UID.test(uid)) return UNLISTED;
    const number = this.#uids.push(uid) - 1;
    this.#numbers.set(uid, number);
    this.#rounds.push(0);
    this.#places.push(0);
    if (uid !== uid.toLowerCase()) this.#unusual.push(number);
    return number;
  }
}

/**
 * Auctions with only those orders that appear in or vanish after them: the bounds of their times
 * follow from these alone.
 */
export function datedAuctions(
  competitions: readonly Competition[],
  intervals: readonly OrderListingFacts[],
): (Pick<Competition, "auctionId" | "auctionStartBlock"> & { auction: { orders: string[] } })[] {
  const ordersOf = new Map<number, string[]>();
  const dated = competitions.map(({ auctionId, auctionStartBlock }) => {
    const orders: string[] = [];
    ordersOf.set(auctionId, orders);
    return { auctionId, auctionStartBlock, auction: { orders } };
  });
  for (const { uid, first, last } of intervals) {
    ordersOf.get(first)?.push(uid);
    if (last !== first) ordersOf.get(last)?.push(uid);
  }
  return dated;
}

function factsOf({ uid, first, last, count }: OrderListingFacts): OrderListingFacts {
  return { uid, first, last, count };
}
