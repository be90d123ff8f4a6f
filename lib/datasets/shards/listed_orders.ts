import type { KnownTime } from "../../metrics/mod.ts";
import { byText } from "../../recordings/recorded_competitions.ts";
import type { Competition } from "../../schemas/mod.ts";
import { NATIVE_PRICES, type NativePriceFacts } from "../../tables/auctions/outcomes.ts";
import { frameOfParts } from "../../tables/columns/frames.ts";
import type { Frame, TokenOptions } from "../../tables/mod.ts";
import type { OrderListingFacts } from "./record_facts.ts";

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
    return this.#read(uids.length, (place) => uids[place]);
  }

  /**
   * Reads the orders of the next auction from the text of a list, which is not parsed.
   *
   * @param text Text that contains the list.
   * @param start Where its first UID begins, behind its quote.
   * @param quote How quotes are written.
   * @returns `undefined` if they are no list of UIDs, written without spaces.
   */
  readText(text: string, start: number, quote: string): Int32Array | undefined {
    const end = text.indexOf("]", start) - quote.length;
    const step = UID_CHARS + 2 * quote.length + 1;
    const count = (end - start - UID_CHARS) / step + 1;
    if (!Number.isInteger(count) || text.slice(end, end + quote.length) !== quote) return undefined;
    const between = `${quote},${quote}`;
    for (let at = start + UID_CHARS; at < end; at += step) {
      if (text.slice(at, at + between.length) !== between) return undefined;
    }
    return this.#read(count, (place) => {
      const at = start + place * step;
      return text.slice(at, at + UID_CHARS);
    });
  }

  #read(count: number, uidAt: (place: number) => unknown): Int32Array | undefined {
    const [uids, previous, round] = [this.#uids, this.#list, ++this.#round];
    const list = new Int32Array(count);
    let next = 0;
    for (let place = 0; place < count; place++) {
      // Most often it is the order that follows in the list before: comparing is cheaper than finding.
      const uid = uidAt(place);
      let number = next < previous.length ? previous[next]! : UNLISTED;
      if (number === UNLISTED || uids[number] !== uid) {
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
    const closed: OrderListingFacts[] = [];
    // By number: the places of the first and the last auction of the interval that is open.
    const firsts = new Int32Array(this.#uids.length).fill(UNLISTED);
    const lasts = new Int32Array(this.#uids.length).fill(UNLISTED);
    const close = (number: number) => {
      const [first, last] = [firsts[number]!, lasts[number]!];
      closed.push({
        uid: this.#uids[number]!,
        first: ascending[first]!.auctionId,
        last: ascending[last]!.auctionId,
        count: last - first + 1,
      });
    };
    for (const [place, { orders }] of ascending.entries()) {
      for (let at = 0; at < orders.length; at++) {
        const number = orders[at]!;
        if (lasts[number]! < place - 1 || firsts[number] === UNLISTED) {
          if (firsts[number] !== UNLISTED) close(number);
          firsts[number] = place;
        }
        lasts[number] = place;
      }
    }
    for (const [number, first] of firsts.entries()) if (first !== UNLISTED) close(number);
    return closed.sort((a, b) => a.uid === b.uid ? a.first - b.first : a.uid < b.uid ? -1 : 1);
  }

  #numberOf(uid: unknown): number {
    const known = this.#numbers.get(uid as string);
    if (known !== undefined) return known;
    if (typeof uid !== "string" || !ORDER_UID.test(uid)) return UNLISTED;
    // A copy: what is cut from a text keeps all of the text in memory.
    const copy: string = JSON.parse(`"${uid}"`);
    const number = this.#uids.push(copy) - 1;
    this.#numbers.set(copy, number);
    this.#rounds.push(0);
    this.#places.push(0);
    if (copy !== copy.toLowerCase()) this.#unusual.push(number);
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
  const ordersOf = new Map(competitions.map(({ auctionId }) => [auctionId, [] as string[]]));
  for (const { uid, first, last } of intervals) {
    ordersOf.get(first)?.push(uid);
    if (last !== first) ordersOf.get(last)?.push(uid);
  }
  return competitions.map(({ auctionId, auctionStartBlock }) => {
    return { auctionId, auctionStartBlock, auction: { orders: ordersOf.get(auctionId)! } };
  });
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** What the decoder accepts as an amount. */
const AMOUNT = /^(?:0|[1-9]\d{0,77})$/;

const TOKEN_COLUMNS: ReadonlySet<string> = new Set(["token", "symbol"]);
const PRICE_COLUMNS: ReadonlySet<string> = new Set(["native_price", "token_price_native"]);

/** A token, and its place among all tokens. */
interface ListedToken {
  readonly address: string;
  readonly lowerCase: string;
  readonly place: number;
  /** Its price in the auction that was read last, and the place of the price among all prices. */
  text: string;
  price: number;
}

/**
 * Native prices of auctions as rows. An auction lists hundreds of tokens, many at the price that its
 * neighbour had: each price is checked and kept once.
 */
export class NativePriceRows {
  readonly #byAddress = new Map<string, ListedToken>();
  readonly #tokens: ListedToken[] = [];
  readonly #prices: { readonly token: string; readonly price: bigint }[] = [];
  readonly #competitions: Competition[] = [];
  #read: ListedToken[] = [];
  #isAscending = true;
  /** For each row the places of its auction, of its token and of its price. */
  readonly #places: readonly [number[], number[], number[]] = [[], [], []];

  /** Reads the prices of an auction; `false` if they are not amounts by address. */
  read(prices: unknown): boolean {
    this.#read = [];
    if (typeof prices !== "object" || prices === null || Array.isArray(prices)) return false;
    for (const address in prices) {
      const text: unknown = prices[address as keyof typeof prices];
      const token = this.#byAddress.get(address) ?? this.#add(address);
      if (token === undefined) return false;
      if (token.text !== text) {
        if (typeof text !== "string" || !AMOUNT.test(text)) return false;
        token.text = text;
        token.price = this.#prices.push({ token: token.address, price: BigInt(text) }) - 1;
      }
      this.#read.push(token);
    }
    return true;
  }

  /** The prices that were read last of some tokens in lower case; all of them without any. */
  of(tokens: ReadonlySet<string> | null): Record<string, bigint> {
    const prices: Record<string, bigint> = {};
    for (const { address, lowerCase, text } of this.#read) {
      if (tokens === null || tokens.has(lowerCase)) prices[address] = BigInt(text);
    }
    return prices;
  }

  /** Keeps the prices that were read last as those of an auction. */
  keep(competition: Competition): void {
    const { auctionId: before = -1 } = this.#competitions.at(-1) ?? {};
    this.#isAscending &&= competition.auctionId > before;
    const auction = this.#competitions.push(competition) - 1;
    this.#read.sort((a, b) => byText(a.address, b.address));
    const [auctions, tokens, prices] = this.#places;
    for (const { place, price } of this.#read) {
      auctions.push(auction);
      tokens.push(place);
      prices.push(price);
    }
  }

  /** Whether auctions were kept in the order of their ids, and rows need no sorting. */
  get isAscending(): boolean {
    return this.#isAscending;
  }

  /** The rows: auctions in the order in which they were kept, tokens by address. */
  frame(auctionAt: (auctionId: number) => KnownTime | null, tokens: TokenOptions): Frame {
    const nothing = { competition: undefined as never, token: "", price: 0n, auctionAt: null };
    const auctions = this.#competitions.map((competition) => {
      return { ...nothing, competition, auctionAt: auctionAt(competition.auctionId) };
    });
    const addresses = this.#tokens.map(({ address }) => ({ ...nothing, token: address }));
    const prices = this.#prices.map((one) => ({ ...nothing, ...one }));
    const [ofAuctions, ofTokens, ofPrices] = this.#places;
    const parts = [
      { columns: COLUMNS.auction, facts: auctions, places: ofAuctions },
      { columns: COLUMNS.token, facts: addresses, places: ofTokens },
      { columns: COLUMNS.price, facts: prices, places: ofPrices },
    ];
    return frameOfParts<NativePriceFacts>(NATIVE_PRICES, parts, tokens);
  }

  #add(address: string): ListedToken | undefined {
    if (!ADDRESS.test(address)) return undefined;
    const place = this.#tokens.length;
    const token = { address, lowerCase: address.toLowerCase(), place, text: "", price: -1 };
    this.#tokens.push(token);
    this.#byAddress.set(address, token);
    return token;
  }
}

/** Columns by what they follow from: the auction alone, the token alone, or the price of a token. */
const COLUMNS = {
  auction: columnsWhere((name) => !TOKEN_COLUMNS.has(name) && !PRICE_COLUMNS.has(name)),
  token: columnsWhere((name) => TOKEN_COLUMNS.has(name)),
  price: columnsWhere((name) => PRICE_COLUMNS.has(name)),
};

function columnsWhere(isWanted: (name: string) => boolean) {
  return NATIVE_PRICES.columns.filter(({ name }) => isWanted(name));
}
