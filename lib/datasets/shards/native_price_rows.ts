import type { KnownTime } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { NATIVE_PRICES, type NativePriceFacts } from "../../tables/auctions/native_prices.ts";
import { frameOfParts } from "../../tables/columns/frame_of_parts.ts";
import type { Frame, TokenOptions } from "../../tables/mod.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** What the decoder accepts as an amount. */
const AMOUNT = /^(?:0|[1-9]\d{0,77})$/;

/** Columns that follow from the token and its price, and not from the auction. */
const QUOTE_COLUMNS: ReadonlySet<string> = new Set([
  "token",
  "symbol",
  "native_price",
  "token_price_native",
]);

/** A price of one token, and its place among all prices. */
interface Quote {
  readonly token: string;
  readonly lowerCase: string;
  readonly text: string;
  readonly place: number;
}

/**
 * Native prices of auctions as rows. An auction lists hundreds of tokens, many at the price that its
 * neighbour had: each price is checked and kept once.
 */
export class NativePriceRows {
  readonly #latest = new Map<string, Quote>();
  readonly #quotes: Quote[] = [];
  #read: Quote[] = [];
  readonly #auctions: number[] = [];
  readonly #places: number[] = [];
  readonly #competitions: Competition[] = [];

  /** Reads the prices of an auction; `false` if they are not amounts by address. */
  read(prices: unknown): prices is Record<string, string> {
    this.#read = [];
    if (typeof prices !== "object" || prices === null || Array.isArray(prices)) return false;
    for (const [token, text] of Object.entries(prices)) {
      let quote = this.#latest.get(token);
      if (quote?.text !== text) {
        if (typeof text !== "string" || !AMOUNT.test(text)) return false;
        if (quote === undefined && !ADDRESS.test(token)) return false;
        const lowerCase = quote?.lowerCase ?? token.toLowerCase();
        quote = { token: quote?.token ?? token, lowerCase, text, place: this.#quotes.length };
        this.#quotes.push(quote);
        this.#latest.set(token, quote);
      }
      this.#read.push(quote!);
    }
    return true;
  }

  /** The prices that were read last of some tokens in lower case; all of them without any. */
  of(tokens: ReadonlySet<string> | null): Record<string, bigint> {
    const prices: Record<string, bigint> = {};
    for (const { token, lowerCase, text } of this.#read) {
      if (tokens === null || tokens.has(lowerCase)) prices[token] = BigInt(text);
    }
    return prices;
  }

  /** Keeps the prices that were read last as those of an auction. */
  keep(competition: Competition): void {
    const auction = this.#competitions.push(competition) - 1;
    for (const { place } of this.#read) {
      this.#auctions.push(auction);
      this.#places.push(place);
    }
  }

  /** The rows, in no particular order. */
  frame(auctionAt: (auctionId: number) => KnownTime | null, tokens: TokenOptions): Frame {
    const auctions = this.#competitions.map((competition) => ({
      competition,
      auctionAt: auctionAt(competition.auctionId),
    }));
    const none = { competition: undefined as never, auctionAt: null };
    const isQuoted = ({ name }: { readonly name: string }) => QUOTE_COLUMNS.has(name);
    return frameOfParts<NativePriceFacts>(NATIVE_PRICES, [
      {
        columns: NATIVE_PRICES.columns.filter((column) => !isQuoted(column)),
        facts: auctions.map((auction) => ({ ...auction, token: "", price: 0n })),
        places: Int32Array.from(this.#auctions),
      },
      {
        columns: NATIVE_PRICES.columns.filter(isQuoted),
        facts: this.#quotes.map(({ token, text }) => ({ ...none, token, price: BigInt(text) })),
        places: Int32Array.from(this.#places),
      },
    ], tokens);
  }
}
