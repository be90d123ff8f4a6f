import type { KnownTime } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { powerOfTen, ratioToNumber } from "../../units/mod.ts";
import { gaps, number, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import {
  COMPETITION_KIND,
  readRecords,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import { auctionTimeColumns, TIME_OPTIONS, type TimeOptions } from "../columns/time_columns.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";
import { AUCTION_ID, START_BLOCK } from "./competition_columns.ts";

/** What else is known, besides the auctions. */
export interface NativePricesOptions extends TokenOptions, TimeOptions {}

/** A native price is in native atoms and for 10^18 atoms, so whole tokens need both scales. */
const PRICE_AND_NATIVE_DECIMALS = 36;

/** What one row is computed from. */
export interface NativePriceFacts {
  /** The auction. */
  readonly competition: Competition;
  /** Address of a token. */
  readonly token: string;
  /** Its native price: native atoms for 10^18 of its atoms. */
  readonly price: bigint;
  /** When the auction began; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
}

/** One row per token of an auction; see {@linkcode nativePricesTable}. */
export const NATIVE_PRICES: Table<NativePriceFacts> = {
  name: "native_prices",
  grain: "One token of one auction, with its native price",
  columns: [
    AUCTION_ID,
    START_BLOCK,
    ...auctionTimeColumns<NativePriceFacts>(({ auctionAt }) => auctionAt),
    text("token", {
      source: "key of competition.auction.prices",
      cell: ({ token }) => token,
    }),
    text("symbol", {
      source: "symbol of the token, or its shortened address",
      cell: ({ token }, amounts) => amounts.label(token),
    }),
    text("native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "competition.auction.prices",
      cell: ({ price }) => price.toString(),
    }),
    number("token_price_native", {
      unit: "native tokens for one whole token",
      source: "native_price * 10^decimals / 10^36, for axes; null if decimals are unknown",
      cell: ({ token, price }, amounts) => {
        const decimals = amounts.decimals(token);
        if (decimals === null) return null;
        return ratioToNumber({
          numerator: price * powerOfTen(decimals),
          denominator: powerOfTen(PRICE_AND_NATIVE_DECIMALS),
        });
      },
    }),
    gaps(
      "auction_time if `times` does not say when the auction began",
      ({ auctionAt }) => [auctionAt === null && "auction_time"],
    ),
  ],
};

const INPUT: TableInput<Competition, NativePricesOptions> = {
  table: "nativePricesTable",
  records: COMPETITION_KIND,
  options: { ...TOKEN_OPTIONS, ...TIME_OPTIONS },
};

/**
 * One row per token of an auction: auctions in the order given, tokens by address.
 *
 * @param competitions Decoded competitions.
 * @param options Times of auctions.
 * @returns A frame with the columns of {@linkcode NATIVE_PRICES}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example USDC at 0.0004 ETH
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { nativePricesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
 * const competition = decodeCompetition({
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: { [usdc]: "400000000000000000000000000" } },
 *   solutions: [],
 * });
 *
 * const [row] = nativePricesTable([competition]).toRecords();
 * assertEquals([row?.symbol, row?.token_price_native], ["USDC", 0.0004]);
 * ```
 */
export function nativePricesTable(
  competitions: Iterable<Competition>,
  options: NativePricesOptions = {},
): Frame {
  const rows: NativePriceFacts[] = [];
  for (const competition of readRecords(competitions, options, INPUT)) {
    const prices = Object.entries(competition.auction.prices).sort(([a], [b]) => a < b ? -1 : 1);
    const auctionAt = options.times?.auction(competition.auctionId) ?? null;
    for (const [token, price] of prices) rows.push({ competition, token, price, auctionAt });
  }
  return buildFrame(NATIVE_PRICES, rows, options);
}
