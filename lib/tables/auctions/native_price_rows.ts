import type { KnownTime } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { Frame } from "../columns/frame.ts";
import { buildFrameFromParts } from "../columns/frames.ts";
import type { TokenOptions } from "../columns/lookups.ts";
import { NATIVE_PRICES } from "./outcomes.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Amounts that the decoder accepts. */
const AMOUNT = /^(?:0|[1-9]\d{0,77})$/;

const TOKEN_COLUMNS: ReadonlySet<string> = new Set(["token", "symbol"]);
const PRICE_COLUMNS: ReadonlySet<string> = new Set(["native_price", "token_price_native"]);

/** A token, and its index among all tokens. */
interface ListedToken {
  readonly address: string;
  readonly lowerCase: string;
  readonly index: number;
  /** Its price in the auction that was read last, and the index of that price among all prices. */
  text: string;
  price: number;
}

/**
 * Native prices of auctions as rows. An auction lists hundreds of tokens, many at the price that its
 * neighbour had: each price is checked and stored once.
 */
export class NativePriceRows {
  readonly #byAddress = new Map<string, ListedToken>();
  readonly #tokens: ListedToken[] = [];
  readonly #prices: { readonly token: string; readonly price: bigint }[] = [];
  readonly #competitions: Competition[] = [];
  /** First row and end of the rows of each auction. */
  readonly #rows = new Map<number, readonly [first: number, end: number]>();
  #latest: ListedToken[] = [];
  #isAscending = true;
  /** For each row, the indices of its auction, its token and its price. */
  readonly #indices: readonly [number[], number[], number[]] = [[], [], []];

  /** Reads the prices of an auction; `false` if they are not amounts by address. */
  read(prices: unknown): boolean {
    this.#latest = [];
    if (typeof prices !== "object" || prices === null || Array.isArray(prices)) return false;
    for (const address in prices) {
      const text: unknown = prices[address as keyof typeof prices];
      const token = this.#byAddress.get(address) ?? this.#addToken(address);
      if (token === undefined) return false;
      if (token.text !== text) {
        if (typeof text !== "string" || !AMOUNT.test(text)) return false;
        token.text = text;
        token.price = this.#prices.push({ token: token.address, price: BigInt(text) }) - 1;
      }
      this.#latest.push(token);
    }
    return true;
  }

  /** Selects the prices that were read last, of some tokens in lower case, or all of them. */
  select(tokens: ReadonlySet<string> | null): Record<string, bigint> {
    const prices: Record<string, bigint> = {};
    for (const { address, lowerCase, text } of this.#latest) {
      if (tokens === null || tokens.has(lowerCase)) prices[address] = BigInt(text);
    }
    return prices;
  }

  /** Finds the price of a token in an auction; `undefined` without one. */
  find(auctionId: number, token: string): bigint | undefined {
    const [first, end] = this.#rows.get(auctionId) ?? [0, 0];
    const address = token.toLowerCase();
    const [, tokens, prices] = this.#indices;
    for (let row = first; row < end; row++) {
      if (this.#tokens[tokens[row]!]!.lowerCase === address) {
        return this.#prices[prices[row]!]!.price;
      }
    }
    return undefined;
  }

  /** Adds the prices that were read last as those of an auction. */
  add(competition: Competition): void {
    const { auctionId: previousId = -1 } = this.#competitions.at(-1) ?? {};
    this.#isAscending &&= competition.auctionId > previousId;
    const auction = this.#competitions.push(competition) - 1;
    this.#latest.sort((a, b) => a.address < b.address ? -1 : 1);
    const [auctions, tokens, prices] = this.#indices;
    const first = tokens.length;
    for (const { index, price } of this.#latest) {
      auctions.push(auction);
      tokens.push(index);
      prices.push(price);
    }
    this.#rows.set(competition.auctionId, [first, tokens.length]);
  }

  /** Whether auctions were added in the order of their ids, so that rows need no sorting. */
  get isAscending(): boolean {
    return this.#isAscending;
  }

  /** Builds the rows: auctions in the order in which they were added, tokens by address. */
  frame(auctionAt: (auctionId: number) => KnownTime | null, tokens: TokenOptions): Frame {
    const empty = { competition: undefined as never, token: "", price: 0n, auctionAt: null };
    const auctions = this.#competitions.map((competition) => {
      return { ...empty, competition, auctionAt: auctionAt(competition.auctionId) };
    });
    const addresses = this.#tokens.map(({ address }) => ({ ...empty, token: address }));
    const prices = this.#prices.map((price) => ({ ...empty, ...price }));
    const [auctionIndices, tokenIndices, priceIndices] = this.#indices;
    const parts = [
      { columns: COLUMNS.auction, facts: auctions, indices: auctionIndices },
      { columns: COLUMNS.token, facts: addresses, indices: tokenIndices },
      { columns: COLUMNS.price, facts: prices, indices: priceIndices },
    ];
    return buildFrameFromParts(NATIVE_PRICES, parts, tokens);
  }

  #addToken(address: string): ListedToken | undefined {
    if (!ADDRESS.test(address)) return undefined;
    const index = this.#tokens.length;
    const token = { address, lowerCase: address.toLowerCase(), index, text: "", price: -1 };
    this.#tokens.push(token);
    this.#byAddress.set(address, token);
    return token;
  }
}

/** Columns by their input: the auction alone, the token alone, or the price of a token. */
const COLUMNS = {
  auction: selectColumns((name) => !TOKEN_COLUMNS.has(name) && !PRICE_COLUMNS.has(name)),
  token: selectColumns((name) => TOKEN_COLUMNS.has(name)),
  price: selectColumns((name) => PRICE_COLUMNS.has(name)),
};

function selectColumns(isWanted: (name: string) => boolean) {
  return NATIVE_PRICES.columns.filter(({ name }) => isWanted(name));
}
