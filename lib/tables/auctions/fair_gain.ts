import {
  type FairGain,
  fairGains,
  type FairnessCost,
  fairnessCost,
  type KnownTime,
  recognizeAuctionPath,
  type RecognizedPath,
} from "../../metrics/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import type { Competition, Order, SolutionOrder } from "../../schemas/mod.ts";
import { bpsRatio, HexMap } from "../../units/mod.ts";
import {
  auctionTimeColumns,
  flag,
  gaps,
  integer,
  native,
  number,
  solver,
} from "../columns/columns.ts";
import { selectRoles } from "../columns/instance_facts.ts";
import { surplusAmount, surplusTokenColumn, surplusValue } from "../columns/order_columns.ts";
import { AUCTION_ID, AUCTION_PATH, BID_COLUMNS, indexAuctions } from "./auction_columns.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { lookUp } from "../columns/records.ts";

/** The inputs of one row. */
interface FairGainFacts extends FairGain {
  /** The auction. */
  readonly competition: Competition;
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Path by which the auction was decided. */
  readonly path: RecognizedPath;
  /** The winning bid, with its tokens. */
  readonly bid: SolutionOrder;
  /** The order, if it was passed. */
  readonly order: Order | undefined;
  /** Native prices of the auction, by address. */
  readonly prices: HexMap<bigint>;
  /**
   * Cost of the filter for the auction, on its first row; `null` on others, so that a sum counts each
   * auction once, and where it was not stored what was filtered out.
   */
  readonly cost: FairnessCost | null;
  /** Whether the service stored which solutions it filtered out. */
  readonly isFilterStored: boolean;
}

/** The amount that the benchmark gives or takes for the same execution. */
function scaleBenchmark({ atoms, order, bid }: FairGainFacts): bigint | null {
  if (atoms === null || order === undefined) return null;
  return order.kind === "sell" ? bid.buyAmount - atoms : bid.sellAmount + atoms;
}

/**
 * One row per order in a winning solution: what it got over its best single-pair bid, and on the first
 * row of each auction how many solutions the fairness filter took, and how much score. Auctions in the
 * order given, solutions by ranking, orders as in the solution.
 *
 * @example No competitions
 * ```ts
 * import { buildTable, FAIR_GAIN } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(FAIR_GAIN, { competitions: [] }).height, 0);
 * ```
 */
export const FAIR_GAIN: Table<"competitions"> = defineTable<FairGainFacts, "competitions">({
  name: "fair_gain",
  grain: "One order in one winning solution of one auction, against its best single-pair bid",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "ranking", "order_uid"],
  needs: ["orders", "trades", "times"],
  references: [TO_AUCTION, { columns: ["auction_id", "ranking"], to: "outcomes" }],
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<FairGainFacts>(({ auctionAt }) => auctionAt),
    integer("ranking", {
      source: "solution.ranking: of the winning solution",
      cell: ({ winner }) => winner.ranking,
    }),
    ...solver<FairGainFacts>("solver", {
      source: "solution.solverAddress: of the winning solution",
      solver: ({ winner }) => winner.solver,
    }),
    ...BID_COLUMNS,
    surplusTokenColumn(({ order }) => order),
    flag("is_batch", {
      source: "whether the winning solution scores on two or more directed pairs",
      cell: ({ isBatch }) => isBatch,
    }),
    integer("benchmark_ranking", {
      source:
        "fairGains: rank of the best bid among solutions that score on the order's pair alone, " +
        "which may be the winner, the better ranked of equal ones; null if there is none",
      cell: ({ benchmark }) => benchmark?.ranking ?? null,
    }),
    ...solver<FairGainFacts>("benchmark_solver", {
      source: "solver of that bid",
      solver: ({ benchmark }) => benchmark?.solver,
    }),
    ...surplusAmount<FairGainFacts>("gain", {
      source: "fairGains: what the winning bid gives more than the price of that bid",
      sign: "positive = more",
      atoms: ({ atoms }) => atoms,
    }),
    ...surplusValue<FairGainFacts>("gain_native", {
      source: "gain at the native price of the auction",
      atoms: ({ atoms }) => atoms,
    }),
    number("gain_bps", {
      unit: "basis points of what the benchmark gives",
      source:
        "gain / what the price of the benchmark gives, or takes of a buy order, in whole atoms as in gain",
      cell: (row) => {
        const base = scaleBenchmark(row);
        return base === null || base === 0n ? null : bpsRatio(row.atoms!, base);
      },
    }),
    integer("solution_count", {
      unit: "solutions",
      source: "number of competition.solutions, on the auction's first row; null on others",
      cell: ({ cost }) => cost?.solutions ?? null,
    }),
    integer("filtered_count", {
      unit: "solutions",
      source: "number of those that were filtered out as unfair; where solution_count is",
      cell: ({ cost }) => cost?.filtered ?? null,
    }),
    ...native<FairGainFacts>("total_score", {
      source: "sum of the scores of the winners; where solution_count is",
      atoms: ({ cost }) => cost?.totalScore,
    }),
    ...native<FairGainFacts>("lost_score", {
      source: "fairnessCost: what would have won without the filter, less total_score",
      atoms: ({ cost }) => cost?.lostScore,
    }),
    AUCTION_PATH,
    gaps(
      "order if it was not passed (gain needs its kind), benchmark if no solution is of its pair " +
        "alone, filter where it was not stored yet what was filtered out, auction_time if `times` does " +
        "not say when the auction began",
      ({ order, benchmark, auctionAt, isFilterStored }) => [
        order === undefined && "order",
        order !== undefined && benchmark === null && "benchmark",
        !isFilterStored && "filter",
        auctionAt === null && "auction_time",
      ],
    ),
  ],
  rows: (records) => {
    const orders = indexByUid<Order>(lookUp(records, "orders") ?? []);
    const { competitions, maxWinners, wrappedNativeToken, times } = records;
    return indexAuctions(competitions).values().flatMap((competition) => {
      const { auctionId } = competition;
      const isFilterStored = records.isFilterStored?.(auctionId) ?? true;
      const path = recognizeAuctionPath(competition, { orders });
      const cost = fairnessCost(competition, {
        orders,
        ...maxWinners !== undefined && { maxWinners },
        ...wrappedNativeToken !== undefined && { wrappedNativeToken },
      });
      const bids = new Map(
        competition.solutions.flatMap((solution) =>
          solution.orders.map((bid) => [`${solution.ranking} ${bid.id}`, bid] as const)
        ),
      );
      return fairGains(competition, { orders, ...selectRoles(records, auctionId) }).map((
        gain,
        index,
      ): FairGainFacts => ({
        ...gain,
        competition,
        path,
        isFilterStored,
        auctionAt: times?.auction(auctionId) ?? null,
        bid: bids.get(`${gain.winner.ranking} ${gain.uid}`)!,
        order: orders.get(gain.uid),
        prices: new HexMap(Object.entries(competition.auction.prices)),
        cost: index === 0 && isFilterStored ? cost : null,
      }));
    });
  },
});
