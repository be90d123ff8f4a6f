import type { RecognizedPath, SolverOutcomes } from "../../metrics/mod.ts";
import { type Network, NETWORKS } from "../../networks/mod.ts";
import type { Competition, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { flag, integer, native, solver, text } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { pairColumn, tokenColumns, tradedColumns } from "../columns/order_columns.ts";
import type { FilterOptions } from "../columns/records.ts";

interface AuctionRow {
  readonly competition: Pick<
    Competition,
    "auctionId" | "auctionStartBlock" | "auctionDeadlineBlock"
  >;
}

interface SolutionRow {
  readonly solution: Solution;
}

/** The auction of a row. */
export const AUCTION_ID: Column<AuctionRow> = integer("auction_id", {
  source: "competition.auctionId",
  cell: ({ competition }) => competition.auctionId,
});

/** The start block of a row's auction. */
export const START_BLOCK: Column<AuctionRow> = integer("auction_start_block", {
  source: "competition.auctionStartBlock",
  cell: ({ competition }) => competition.auctionStartBlock,
});

/** The last block in which to settle. */
export const DEADLINE_BLOCK: Column<AuctionRow> = integer("deadline_block", {
  source: "competition.auctionDeadlineBlock: the last block in which to settle",
  cell: ({ competition }) => competition.auctionDeadlineBlock ?? null,
});

/** The path of a row's auction. */
export const AUCTION_PATH: Column<{ readonly path: RecognizedPath }> = text("auction_path", {
  source:
    "recognizeAuctionPath: regular, or fast_path where the quote of its only order decided; " +
    "null if the records fit both",
  cell: ({ path }) => path.path,
});

/** Basis of the auction path. */
export const AUCTION_PATH_BASIS: Column<{ readonly path: RecognizedPath }> = text(
  "auction_path_basis",
  {
    source:
      "recognizeAuctionPath: shape or response, both certain, or app_data of its order, which is " +
      "certain for regular; null if the records fit both",
    cell: ({ path }) => path.basis,
  },
);

/** The rank, solver and success of a row's solution. */
export const SOLUTION_COLUMNS: readonly Column<SolutionRow>[] = [
  integer("ranking", {
    source: "solution.ranking: winners by score, then other valid solutions, then filtered ones",
    cell: ({ solution }) => solution.ranking,
  }),
  ...solver<SolutionRow>("solver", {
    source: "solution.solverAddress",
    solver: ({ solution }) => solution.solverAddress,
  }),
  flag("is_winner", { source: "solution.isWinner", cell: ({ solution }) => solution.isWinner }),
];

/** Number of orders in a row's solution. */
export const SOLUTION_SIZE: Column<SolutionRow> = integer("order_count", {
  unit: "orders",
  source: "number of solution.orders",
  cell: ({ solution }) => solution.orders.length,
});

/** The score of a row's solution. */
export const SOLUTION_SCORE: readonly Column<SolutionRow>[] = native("score", {
  source: "solution.score",
  atoms: ({ solution }) => solution.score,
});

/** The transaction that a row's solution names. */
export const SOLUTION_TRANSACTION: Column<SolutionRow> = text("tx_hash", {
  source: "solution.txHash",
  cell: ({ solution }) => solution.txHash ?? null,
});

interface BidRow {
  readonly bid: SolutionOrder;
}

const traded = tradedColumns<BidRow>(({ bid }) => bid);

/** The amounts that a row's bid exchanges. */
export const BID_AMOUNTS: readonly Column<BidRow>[] = [
  ...traded.sold("sell_amount", {
    source: "solution.orders[].sellAmount: sold after all fees",
    atoms: ({ bid }) => bid.sellAmount,
  }),
  ...traded.bought("buy_amount", {
    source: "solution.orders[].buyAmount: bought after all fees",
    atoms: ({ bid }) => bid.buyAmount,
  }),
];

/** The order of a row's bid, and its tokens. */
export const BID_COLUMNS: readonly Column<BidRow>[] = [
  text("order_uid", { source: "solution.orders[].id", cell: ({ bid }) => bid.id }),
  ...tokenColumns<BidRow>("solution.orders[]", ({ bid }) => bid),
  pairColumn(({ bid }) => bid),
];

/** A row that says whether its solution was filtered out. */
export interface FilteredRow {
  /** Whether the solution was filtered out; `null` where that was not stored. */
  readonly filteredOut: boolean | null;
}

/** Reads whether a solution was filtered out; `null` where that was not stored. */
export function readFilteredOut(
  { competition: { auctionId }, solution: { filteredOut } }: {
    readonly competition: { readonly auctionId: number };
    readonly solution: { readonly filteredOut: boolean };
  },
  { isFilterStored }: FilterOptions,
): boolean | null {
  return isFilterStored === undefined || isFilterStored(auctionId) ? filteredOut : null;
}

/** Whether the solution was filtered out. */
export const FILTERED_OUT: Column<FilteredRow> = flag("filtered_out", {
  source: "solution.filteredOut; null where the service did not store it yet",
  cell: ({ filteredOut }) => filteredOut,
});

/** Finds a public network by its name. */
export function findNetwork(name: string | undefined): Network | undefined {
  return Object.values(NETWORKS).find((network) => network.name === name);
}

/** Indexes auctions by id; of several with one id, the first counts. */
export function indexAuctions(competitions: readonly Competition[]): Map<number, Competition> {
  const byId = new Map<number, Competition>();
  for (const competition of competitions) {
    if (!byId.has(competition.auctionId)) byId.set(competition.auctionId, competition);
  }
  return byId;
}

const OUTCOME_COUNTS = [
  ["in_time", "inTime", "settled by the deadline block"],
  ["late", "late", "settled after the deadline block"],
  ["absent", "absent", "not settled"],
  ["pending", "pending", "not settled yet"],
  ["unknown", "unknown", "whose outcome cannot be determined from what was passed"],
] as const;

/** Counts of a solver's winning solutions by outcome; `missing` where these are unknown. */
export function outcomeColumns<Row>(
  getOutcomes: (row: Row) => SolverOutcomes | null,
  { missing, note = "" }: { readonly missing: 0 | null; readonly note?: string },
): Column<Row>[] {
  return OUTCOME_COUNTS.map(([name, key, words]) =>
    integer(name, {
      unit: "solutions",
      source: `settlementOutcomes: winning solutions ${words}${note}`,
      cell: (row) => getOutcomes(row)?.[key] ?? missing,
    })
  );
}
