import { type KnownTime, settlementOutcomes, type SolutionOutcome } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HexMap, powerOfTen, ratio } from "../../units/mod.ts";
import { PRICE_AND_NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import {
  auctionTimeColumns,
  gaps,
  integer,
  native,
  number,
  symbol,
  text,
} from "../columns/columns.ts";
import {
  AUCTION_ID,
  DEADLINE_BLOCK,
  FILTERED_OUT,
  type FilteredRow,
  findNetwork,
  indexAuctions,
  readFilteredOut,
  SOLUTION_COLUMNS,
  SOLUTION_SCORE,
  SOLUTION_SIZE,
  START_BLOCK,
} from "./auction_columns.ts";
import { listReferenceScores, type ReferenceScoreFacts } from "./settlement_attempts.ts";
import { listSolutions, type SolutionInAuction } from "./solutions.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { lookUp } from "../columns/records.ts";

/** The inputs of one row. */
interface OutcomeFacts extends SolutionInAuction, FilteredRow {
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Outcome of the solution; `null` unless it won. */
  readonly outcome: SolutionOutcome | null;
  /**
   * The reference score of its solver and what the auction would lose without it, on the best ranked
   * of its winning solutions; `null` on all others, so that a sum counts each auction once.
   */
  readonly reference: ReferenceScoreFacts | null;
}

/**
 * One row per solution: whether it won, and whether it was then settled in time, late or not at all.
 * Auctions in the order given, solutions by ranking.
 *
 * Its sums by solver are the view `leaderboard`.
 *
 * @example No competitions
 * ```ts
 * import { buildTable, OUTCOMES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(OUTCOMES, { competitions: [] }).height, 0);
 * ```
 */
export const OUTCOMES: Table<"competitions"> = defineTable<OutcomeFacts, "competitions">({
  name: "outcomes",
  grain: "One solution of one auction, with what became of it if it won",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "ranking"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_AUCTION],
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<OutcomeFacts>(({ auctionAt }) => auctionAt),
    START_BLOCK,
    DEADLINE_BLOCK,
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...SOLUTION_SCORE,
    SOLUTION_SIZE,
    text("tx_hash", {
      source: "solution.txHash; of an auction with one winner, its only transaction",
      cell: ({ solution, outcome }) => outcome?.txHash ?? solution.txHash ?? null,
    }),
    integer("settled_block", {
      source: "block of the fills of tx_hash; null if none are known",
      cell: ({ outcome }) => outcome?.block ?? null,
    }),
    text("outcome", {
      source: "settlementOutcomes: in_time, late, absent, pending or unknown; null unless it won",
      cell: ({ outcome }) => outcome?.result ?? null,
    }),
    text("outcome_basis", {
      source: "settlementOutcomes: what that is based on, such as trade_block or attempt",
      cell: ({ outcome }) => outcome?.basis ?? null,
    }),
    ...native<OutcomeFacts>("reference_score", {
      source: "competition.referenceScores of the solver, on the best ranked of its winning " +
        "solutions; null on others",
      atoms: ({ reference }) => reference?.referenceScore,
    }),
    ...native<OutcomeFacts>("margin", {
      source: "score of all winning solutions - reference_score: what the auction would lose " +
        "without the solver; where reference_score is",
      atoms: ({ reference }) =>
        reference === null ? null : reference.totalScore - reference.referenceScore,
    }),
  ],
  rows: (records) => {
    const auctions = indexAuctions(records.competitions);
    const { latestBlock, hasFills, times } = records;
    const { deadlineBlocks = findNetwork(records.network)?.deadlines[0]?.blocks } = records;
    const { solutions } = settlementOutcomes(auctions.values(), {
      trades: lookUp(records, "trades") ?? [],
      debugReports: lookUp(records, "debugReports") ?? [],
      latestBlock,
      hasFills,
      deadlineBlocks,
    });
    const outcomes = new Map(solutions.map((row) => [`${row.auctionId} ${row.ranking}`, row]));
    return auctions.values().flatMap((competition) => {
      const references = new HexMap(
        listReferenceScores(competition).map((score) => [score.solver, score]),
      );
      const auctionAt = times?.auction(competition.auctionId) ?? null;
      return listSolutions([competition]).map((row): OutcomeFacts => {
        const { isWinner, solverAddress, ranking } = row.solution;
        const reference = isWinner ? references.get(solverAddress) ?? null : null;
        if (reference !== null) references.delete(solverAddress);
        return {
          ...row,
          filteredOut: readFilteredOut(row, records),
          auctionAt,
          outcome: outcomes.get(`${competition.auctionId} ${ranking}`) ?? null,
          reference,
        };
      });
    });
  },
});

/** The inputs of one row. */
interface NativePriceFacts {
  /** The auction. */
  readonly competition: Competition;
  /** Address of a token. */
  readonly token: string;
  /** Its native price: native atoms for 10^18 of its atoms. */
  readonly price: bigint;
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
}

/**
 * One row per token of an auction: auctions in the order given, tokens by address.
 *
 * @example USDC at 0.0004 ETH
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, NATIVE_PRICES } from "orderlens/tables";
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
 * const [row] = buildTable(NATIVE_PRICES, { competitions: [competition] }).toRecords();
 * assertEquals([row?.symbol, row?.token_price_native], ["USDC", 0.0004]);
 * ```
 */
export const NATIVE_PRICES: Table<"competitions"> = defineTable<NativePriceFacts, "competitions">({
  name: "native_prices",
  grain: "One token of one auction, with its native price",
  kind: "record",
  of: ["competitions"],
  key: ["auction_id", "token"],
  needs: ["blocks"],
  references: [TO_AUCTION],
  isSorted: ({ nativePrices }) => nativePrices?.isAscending === true,
  columns: [
    AUCTION_ID,
    START_BLOCK,
    ...auctionTimeColumns<NativePriceFacts>(({ auctionAt }) => auctionAt),
    text("token", {
      source: "key of competition.auction.prices",
      cell: ({ token }) => token,
    }),
    symbol("symbol", { label: "the token", token: ({ token }) => token }),
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
        return decimals === null
          ? null
          : ratio(price * powerOfTen(decimals), powerOfTen(PRICE_AND_NATIVE_DECIMALS));
      },
    }),
    gaps(
      "auction_time if `times` does not say when the auction began",
      ({ auctionAt }) => [auctionAt === null && "auction_time"],
    ),
  ],
  rows: (records) => {
    const { competitions, times, nativePrices } = records;
    const findAuctionTime = (auctionId: number) => times?.auction(auctionId) ?? null;
    if (nativePrices !== undefined) return nativePrices.frame(findAuctionTime, records);
    return competitions.flatMap((competition) =>
      Object.entries(competition.auction.prices).map(([token, price]) => (
        { competition, token, price, auctionAt: findAuctionTime(competition.auctionId) }
      ))
    );
  },
});
