import { type NotComputable, type WinnersCurse, winnersCurse } from "../../metrics/mod.ts";
import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { integer, number } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { defineTable, type Table } from "../columns/table.ts";

function bpsColumn(
  name: string,
  { source, select }: { source: string; select: (row: WinnersCurse) => Ratio | null },
): Column<WinnersCurse> {
  return number(`${name}_bps`, {
    unit: "basis points, positive = better than the market",
    source: `winnersCurse: ${source}; null without fills`,
    cell: select,
  });
}

function curseBoundColumn(end: "low" | "high", name: string): Column<WinnersCurse> {
  return number(`curse_${end}_bps`, {
    unit: "basis points, positive = better than the market",
    source:
      `winnersCurse: ${name} end of the 95% interval of curse_bps, by bootstrap; null for the ` +
      "fewest bidders, and where either has fewer than 10 fills",
    cell: ({ curseInterval }) => curseInterval?.[end] ?? null,
  });
}

/**
 * One row per number of solvers that bid on an order, with the medians of the markouts of its fills: it
 * shows whether winners against more bidders overpay.
 *
 * @example Fills that one and that two solvers bid for
 * ```ts
 * import { buildTable, WINNERS_CURSE } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const [, two] = buildTable(WINNERS_CURSE, { markouts: [
 *   { bidder_count: 1, markout_exact: "-1/1000", solver_efficiency_exact: "0/1" },
 *   { bidder_count: 2, markout_exact: "-1/2000", solver_efficiency_exact: "1/2000" },
 * ] }).toRecords();
 *
 * assertEquals([two?.markout_bps, two?.curse_bps], [-5, 5]);
 * ```
 */
export const WINNERS_CURSE: Table<"markouts"> = defineTable<WinnersCurse, "markouts">({
  name: "winners_curse",
  grain: "One number of solvers that bid on an order: what its fills were worth a while later",
  kind: "derived",
  of: ["markouts"],
  key: ["bidder_count"],
  isSorted: () => true,
  columns: [
    integer("bidder_count", {
      unit: "solvers",
      source: "markout.bidder_count; null for fills of which it is unknown, the last row",
      cell: ({ bidders }) => bidders,
    }),
    integer("fills", {
      unit: "fills",
      source: "fills with both markouts",
      cell: ({ fills }) => fills,
    }),
    integer("unknown_count", {
      unit: "fills",
      source: "fills without one of them, which are left out",
      cell: ({ unknownFills }) => unknownFills,
    }),
    bpsColumn("markout", { source: "median of markout.markout_bps", select: (row) => row.markout }),
    bpsColumn("solver_efficiency", {
      source: "median of markout.solver_efficiency_bps, before protocol and partner fees",
      select: ({ beforeFees }) => beforeFees,
    }),
    bpsColumn("curse", {
      source: "solver_efficiency_bps less that of the fewest bidders: above 0, who won against " +
        "more bidders paid more",
      select: ({ curse }) => curse,
    }),
    curseBoundColumn("low", "lower"),
    curseBoundColumn("high", "upper"),
  ],
  rows: ({ markouts }) =>
    winnersCurse(markouts.map((row) => ({
      bidders: row.bidder_count,
      markout: parseBps(row.markout_exact),
      beforeFees: parseBps(row.solver_efficiency_exact),
    }))),
});

/** Parses a fraction of one to basis points. */
function parseBps(exact: string | null): Ratio | NotComputable<"unknown"> {
  if (exact === null) return { reason: "unknown", detail: "The row has no markout" };
  const [numerator = "", denominator = ""] = exact.split("/");
  return bpsRatio(BigInt(numerator), BigInt(denominator));
}
