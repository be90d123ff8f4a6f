import { callable, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { flag, integer, solver, text } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { pairColumn } from "../columns/order_records.ts";

interface InAuction {
  readonly competition: Pick<
    Competition,
    "auctionId" | "auctionStartBlock" | "auctionDeadlineBlock"
  >;
}

interface InSolution {
  readonly solution: Solution;
}

/** The auction of a row. */
export const AUCTION_ID: Column<InAuction> = integer("auction_id", {
  source: "competition.auctionId",
  cell: ({ competition }) => competition.auctionId,
});

/** The block at which it began. */
export const START_BLOCK: Column<InAuction> = integer("auction_start_block", {
  source: "competition.auctionStartBlock",
  cell: ({ competition }) => competition.auctionStartBlock,
});

/** The last block in which to settle. */
export const DEADLINE_BLOCK: Column<InAuction> = integer("deadline_block", {
  source: "competition.auctionDeadlineBlock: the last block in which to settle",
  cell: ({ competition }) => competition.auctionDeadlineBlock ?? null,
});

/** The rank, solver and success of a row's solution. */
export const SOLUTION_COLUMNS: readonly Column<InSolution>[] = [
  integer("ranking", {
    source: "solution.ranking: winners by score, then other valid solutions, then filtered ones",
    cell: ({ solution }) => solution.ranking,
  }),
  ...solver<InSolution>("solver", {
    source: "solution.solverAddress",
    solver: ({ solution }) => solution.solverAddress,
  }),
  flag("is_winner", { source: "solution.isWinner", cell: ({ solution }) => solution.isWinner }),
];

/** How many orders the solution of a row has. */
export const SOLUTION_SIZE: Column<InSolution> = integer("order_count", {
  unit: "orders",
  source: "number of solution.orders",
  cell: ({ solution }) => solution.orders.length,
});

/** The order of a row's bid, and its tokens. */
export const BID_COLUMNS: readonly Column<{ readonly bid: SolutionOrder }>[] = [
  text("order_uid", { source: "solution.orders[].id", cell: ({ bid }) => bid.id }),
  text("sell_token", {
    source: "solution.orders[].sellToken",
    cell: ({ bid }) => bid.sellToken ?? null,
  }),
  text("buy_token", {
    source: "solution.orders[].buyToken",
    cell: ({ bid }) => bid.buyToken ?? null,
  }),
  pairColumn(({ bid }) => bid),
];

/** What is known about filtering. */
export interface FilterOptions {
  /**
   * Whether the service stored which solutions of an auction it filtered out. Public deployments did
   * not before 2025-06-20: their older answers say `false`, which means nothing. @default {always}
   */
  isFilterStored?: (auctionId: number) => boolean;
}

/** Allowed values of the {@linkcode FilterOptions}. */
export const FILTER_OPTIONS: OptionRules<FilterOptions> = { isFilterStored: callable() };

/** A row with what its solution says about filtering. */
export interface FilteredRow {
  /** Whether the solution was filtered out; `null` where that was not stored. */
  readonly filteredOut: boolean | null;
}

/** What a solution says about filtering. */
export function filteredOutOf(
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
