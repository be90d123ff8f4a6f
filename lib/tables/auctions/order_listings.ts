import type { Competition } from "../../schemas/mod.ts";
import { integer, text } from "../columns/columns.ts";
import { defineTable, type Table } from "../columns/table.ts";
import type { OrderListingFacts } from "../columns/records.ts";

/** One row per order and interval of auctions that list it. */
export const ORDER_LISTINGS: Table<"competitions"> = defineTable<OrderListingFacts, "competitions">(
  {
    name: "order_listings",
    grain: "One order and an interval of auctions that all list it; intervals end with the file",
    kind: "record",
    of: ["competitions"],
    key: ["order_uid", "first_auction_id"],
    needs: [],
    references: ["first_auction_id", "last_auction_id"].map((column) => (
      { columns: [column], to: "auctions", toColumns: ["auction_id"] }
    )),
    isSorted: () => true,
    columns: [
      text("order_uid", { source: "competition.auction.orders", cell: ({ uid }) => uid }),
      integer("first_auction_id", {
        source: "first auction of the interval",
        cell: ({ first }) => first,
      }),
      integer("last_auction_id", {
        source: "last auction of the interval",
        cell: ({ last }) => last,
      }),
      integer("auction_count", {
        unit: "auctions",
        source: "number of auctions in the interval; ids without an auction do not end it",
        cell: ({ count }) => count,
      }),
    ],
    rows: ({ listings, competitions }) => listings ?? listOrders(competitions),
  },
);

function listOrders(competitions: readonly Competition[]): OrderListingFacts[] {
  const orders = new ListedOrders();
  return orders.listIntervals(competitions.map(({ auctionId, auction }) => (
    { auctionId, orders: orders.read(auction.orders) ?? new Int32Array() }
  )));
}

const ORDER_UID = /^0x[0-9a-f]{112}$/i;
const UID_CHARS = 114;
const UNLISTED = -1;

/** The orders that one auction lists, as numbers that {@linkcode ListedOrders} gave them. */
export interface Listing {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Its orders, each listed once or more. */
  readonly orders: Int32Array;
}

/**
 * The orders that each auction lists. An auction lists thousands of orders, almost all of which its
 * neighbour lists too: each UID is checked and stored once, as a number.
 */
export class ListedOrders {
  readonly #uids: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Numbers of UIDs that are not in lower case. */
  readonly #mixedCase: number[] = [];
  /** The list that was read last, and by number, the list and position in which an order was last seen. */
  #list = new Int32Array();
  #round = 0;
  readonly #rounds: number[] = [];
  readonly #positions: number[] = [];

  /** Reads the orders of the next auction; `undefined` if they are no list of UIDs. */
  read(uids: unknown): Int32Array | undefined {
    if (!Array.isArray(uids)) return undefined;
    return this.#read(uids.length, (index) => uids[index]);
  }

  /**
   * Reads the orders of the next auction from the text of a list, which is not parsed.
   *
   * @param text Text that contains the list.
   * @param start Index of its first UID, after its quote.
   * @param quote The quote, as the text writes it.
   * @returns `undefined` if they are no list of UIDs, written without spaces.
   */
  readText(text: string, start: number, quote: string): Int32Array | undefined {
    const end = text.indexOf("]", start) - quote.length;
    const step = UID_CHARS + 2 * quote.length + 1;
    const count = (end - start - UID_CHARS) / step + 1;
    if (!Number.isInteger(count) || text.slice(end, end + quote.length) !== quote) return undefined;
    const separator = `${quote},${quote}`;
    for (let position = start + UID_CHARS; position < end; position += step) {
      if (text.slice(position, position + separator.length) !== separator) return undefined;
    }
    return this.#read(count, (index) => {
      const uidStart = start + index * step;
      return text.slice(uidStart, uidStart + UID_CHARS);
    });
  }

  #read(count: number, getUid: (index: number) => unknown): Int32Array | undefined {
    const [uids, previous, round] = [this.#uids, this.#list, ++this.#round];
    const list = new Int32Array(count);
    let next = 0;
    for (let index = 0; index < count; index++) {
      // Most often it is the order that follows in the list before: comparing is cheaper than finding.
      const uid = getUid(index);
      let number = next < previous.length ? previous[next]! : UNLISTED;
      if (number === UNLISTED || uids[number] !== uid) {
        number = this.#internUid(uid);
        if (number === UNLISTED) return undefined;
        if (this.#rounds[number] === round - 1) next = this.#positions[number]!;
        else next--;
      }
      next++;
      this.#rounds[number] = round;
      this.#positions[number] = index;
      list[index] = number;
    }
    this.#list = list;
    return list;
  }

  /** Filters UIDs, in any letter case, by the list that was read last. */
  filterListed(uids: Iterable<string>): string[] {
    const uidsInList = new Set<string>();
    const isListed = (number: number | undefined): number is number =>
      number !== undefined && this.#rounds[number] === this.#round;
    for (const uid of uids) {
      const lowerCase = uid.toLowerCase();
      for (const text of [uid, lowerCase]) {
        if (isListed(this.#numbers.get(text))) uidsInList.add(text);
      }
      for (const number of this.#mixedCase) {
        const text = this.#uids[number]!;
        if (isListed(number) && text.toLowerCase() === lowerCase) uidsInList.add(text);
      }
    }
    return [...uidsInList];
  }

  /** Lists all intervals of consecutive auctions that list an order, by UID and first auction. */
  listIntervals(listings: readonly Listing[]): OrderListingFacts[] {
    const ascending = listings.toSorted((a, b) => a.auctionId - b.auctionId);
    const rows: OrderListingFacts[] = [];
    // By number: the indices of the first and the last auction of the open interval.
    const firsts = new Int32Array(this.#uids.length).fill(UNLISTED);
    const lasts = new Int32Array(this.#uids.length).fill(UNLISTED);
    const close = (number: number) => {
      const [first, last] = [firsts[number]!, lasts[number]!];
      rows.push({
        uid: this.#uids[number]!,
        first: ascending[first]!.auctionId,
        last: ascending[last]!.auctionId,
        count: last - first + 1,
      });
    };
    for (const [auctionIndex, { orders }] of ascending.entries()) {
      for (let index = 0; index < orders.length; index++) {
        const number = orders[index]!;
        if (lasts[number]! < auctionIndex - 1 || firsts[number] === UNLISTED) {
          if (firsts[number] !== UNLISTED) close(number);
          firsts[number] = auctionIndex;
        }
        lasts[number] = auctionIndex;
      }
    }
    for (const [number, first] of firsts.entries()) if (first !== UNLISTED) close(number);
    return rows.sort((a, b) => a.uid === b.uid ? a.first - b.first : a.uid < b.uid ? -1 : 1);
  }

  #internUid(uid: unknown): number {
    const existing = this.#numbers.get(uid as string);
    if (existing !== undefined) return existing;
    if (typeof uid !== "string" || !ORDER_UID.test(uid)) return UNLISTED;
    // A copy: a slice of a text keeps the whole text in memory.
    const copy: string = JSON.parse(`"${uid}"`);
    const number = this.#uids.push(copy) - 1;
    this.#numbers.set(copy, number);
    this.#rounds.push(0);
    this.#positions.push(0);
    if (copy !== copy.toLowerCase()) this.#mixedCase.push(number);
    return number;
  }
}

/**
 * Selects from each auction the orders that appear in or vanish after it: they determine the bounds
 * of its time.
 */
export function selectBoundaryOrders(
  competitions: readonly Competition[],
  intervals: readonly OrderListingFacts[],
): (Pick<Competition, "auctionId" | "auctionStartBlock"> & { auction: { orders: string[] } })[] {
  const ordersByAuction = new Map(competitions.map(({ auctionId }) => [auctionId, [] as string[]]));
  for (const { uid, first, last } of intervals) {
    ordersByAuction.get(first)?.push(uid);
    if (last !== first) ordersByAuction.get(last)?.push(uid);
  }
  return competitions.map(({ auctionId, auctionStartBlock }) => {
    return { auctionId, auctionStartBlock, auction: { orders: ordersByAuction.get(auctionId)! } };
  });
}
