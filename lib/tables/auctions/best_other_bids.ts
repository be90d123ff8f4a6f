import { InputError } from "../../errors/mod.ts";
import { type LeftOnTheTable, leftOnTheTable, surplusToken } from "../../metrics/mod.ts";
import { flag, integer, number, solver, symbol, toNativeValue, value } from "../columns/columns.ts";
import { findFillDollarRate, NATIVE_USD, type RatedRow } from "../columns/dollar_rates.ts";
import {
  FILL_COLUMNS,
  FILL_GAPS,
  FILL_PRICE_SIDES,
  FILL_ROLE_COLUMNS,
  findKnownFills,
  type KnownFill,
  VOLUME,
} from "../columns/order_records.ts";
import { surplusAmount, surplusTokenColumn, toOverLimitBps } from "../columns/order_columns.ts";
import type { Column } from "../columns/frame.ts";
import { findDollarTokens } from "../columns/lookups.ts";
import { defineTable, type Table } from "../columns/table.ts";
import {
  computeOnce,
  type FilterOptions,
  lookUp,
  type OrderRecords,
  type ReadRecords,
} from "../columns/records.ts";

/** The inputs of one row. */
interface BestOtherBidFacts extends KnownFill {
  /** The best bid that was not executed; `null` if nobody else bid. */
  readonly leftOnTable: LeftOnTheTable | null;
  /** Whether that bid was filtered out; `null` without one, and where that was not stored. */
  readonly isLeftFiltered: boolean | null;
}

/** A row with the rate of the US dollar in its auction. */
type RatedBidFacts = BestOtherBidFacts & RatedRow;

/** Finds the best bid on the order of a fill that was not executed. */
export function findBestOtherBid(
  { trade, order, auction }: KnownFill,
  { isFilterStored }: FilterOptions = {},
): Pick<BestOtherBidFacts, "leftOnTable" | "isLeftFiltered"> {
  const leftOnTable = auction === null ? null : leftOnTheTable(trade, order, auction);
  const isStored = isFilterStored === undefined || leftOnTable === null ||
    isFilterStored(leftOnTable.auctionId);
  return { leftOnTable, isLeftFiltered: isStored ? leftOnTable?.best.filteredOut ?? null : null };
}

/** The best bid on an order that was not executed, and the additional amount at its price. */
export const BEST_UNEXECUTED_COLUMNS: readonly Column<BestOtherBidFacts>[] = [
  ...solver<BestOtherBidFacts>("best_unexecuted_solver", {
    source: "leftOnTheTable: solver of the best other bid; null if nobody else bid",
    solver: ({ leftOnTable }) => leftOnTable?.best.solver,
  }),
  integer("best_unexecuted_ranking", {
    source: "rank of that bid's solution",
    cell: ({ leftOnTable }) => leftOnTable?.best.ranking ?? null,
  }),
  number("best_unexecuted_over_limit_bps", {
    unit: "basis points of the limit, scaled to the bid",
    source: "surplusBpsOfLimit of that bid",
    cell: ({ leftOnTable, order, role }) =>
      leftOnTable === null ? null : toOverLimitBps(leftOnTable.best, order, role),
  }),
  flag("best_unexecuted_filtered_out", {
    source: "whether that bid's solution was filtered out as unfair; null where the service did " +
      "not store it yet",
    cell: ({ isLeftFiltered }) => isLeftFiltered,
  }),
  ...surplusAmount<BestOtherBidFacts>("left", {
    source: "leftOnTheTable: how much more that bid's price would have given; negative if less",
    atoms: ({ leftOnTable }) => leftOnTable?.atoms,
  }),
];

/**
 * One row per fill whose auction is known: the amount that the best bid that was not executed would
 * have given.
 *
 * A better bid may have lost for good reason: its solution was filtered out, or worse as a whole.
 *
 * @example No fills
 * ```ts
 * import { BEST_OTHER_BIDS, buildTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(BEST_OTHER_BIDS, { records: [] }).height, 0);
 * ```
 */
export const BEST_OTHER_BIDS: Table<"records"> = defineTable<RatedBidFacts, "records">({
  name: "best_other_bids",
  grain: "One fill of one order, with the best bid for it that was not executed",
  kind: "derived",
  of: ["records"],
  key: ["chain_id", "block_number", "log_index"],
  columns: [
    ...FILL_COLUMNS,
    ...solver<BestOtherBidFacts>("executed_solver", {
      source: "solver of the winning solution with the order",
      solver: (row) => row.solver,
    }),
    number("executed_over_limit_bps", {
      unit: "basis points of the limit, scaled to the fill",
      source: "surplusBpsOfLimit of the fill; 0 for a solver's liquidity",
      cell: ({ trade, order, role }) => toOverLimitBps(trade, order, role),
    }),
    ...BEST_UNEXECUTED_COLUMNS,
    surplusTokenColumn(({ order }) => order),
    symbol("surplus_symbol", { label: "surplus_token", token: ({ order }) => surplusToken(order) }),
    number("left_native", {
      unit: "native tokens",
      source: "left at the native price of the auction; null if the token has no price",
      cell: ({ leftOnTable, order, prices }) =>
        leftOnTable === null ? null : toNativeValue(leftOnTable.atoms, surplusToken(order), prices),
    }),
    ...value<RatedBidFacts>("volume", VOLUME),
    NATIVE_USD,
    FILL_PRICE_SIDES,
    ...FILL_ROLE_COLUMNS,
    FILL_GAPS,
  ],
  rows: (records) => {
    requireAuctions(records);
    const dollarTokens = findDollarTokens(records);
    return computeOnce(records, findKnownFills).filter(({ auctionId }) => auctionId !== null)
      .map((fill): RatedBidFacts => ({
        ...fill,
        ...findBestOtherBid(fill),
        dollarRate: findFillDollarRate(fill, dollarTokens),
      }));
  },
});

/** Rejects fills without any auction, since all of them would be left out silently. */
function requireAuctions(input: ReadRecords & { readonly records: readonly OrderRecords[] }): void {
  const { records } = input;
  if (lookUp(input, "competitions") !== undefined) return;
  if (records.some(({ debugReport }) => debugReport != null)) return;
  if (!records.some(({ trades }) => Iterator.from(trades).some(() => true))) return;
  throw new InputError("Cannot build best_other_bids: the auctions of the fills are unknown", {
    remedy: "Pass competitions, or records with debug reports",
  });
}
