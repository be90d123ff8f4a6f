import { type NotComputable, type WinnersCurse, winnersCurse } from "../../metrics/mod.ts";
import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { integer, number } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import { type BuildTable, type RecordKind, tableOf } from "../columns/table_input.ts";

/** A row of `markout`, as far as {@linkcode winnersCurseTable} reads it. */
export interface ContestedFillRow {
  /** Solvers with a bid on the order; `null` if unknown. */
  readonly bidder_count: number | null;
  /** Its markout, as a fraction of one; `null` if unknown. */
  readonly markout_exact: string | null;
  /** The same before fees; `null` if unknown. */
  readonly solver_efficiency_exact: string | null;
}

function bps(
  name: string,
  { source, of }: { source: string; of: (row: WinnersCurse) => Ratio | null },
): Column<WinnersCurse> {
  return number(`${name}_bps`, {
    unit: "basis points, positive = better than the market",
    source: `winnersCurse: ${source}; null without fills`,
    cell: of,
  });
}

function curseBound(end: "low" | "high", name: string): Column<WinnersCurse> {
  return number(`curse_${end}_bps`, {
    unit: "basis points, positive = better than the market",
    source:
      `winnersCurse: ${name} end of the 95% interval of curse_bps, by bootstrap; null for the ` +
      "fewest bidders, and where either has fewer than 10 fills",
    cell: ({ curseInterval }) => curseInterval?.[end] ?? null,
  });
}

/** One row per number of bidders; see {@linkcode winnersCurseTable}. */
export const WINNERS_CURSE: Table<WinnersCurse> = {
  name: "winners_curse",
  grain: "One number of solvers that bid on an order: what its fills were worth a while later",
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
    bps("markout", { source: "median of markout.markout_bps", of: ({ markout }) => markout }),
    bps("solver_efficiency", {
      source: "median of markout.solver_efficiency_bps, before protocol and partner fees",
      of: ({ beforeFees }) => beforeFees,
    }),
    bps("curse", {
      source: "solver_efficiency_bps less that of the fewest bidders: above 0, who won against " +
        "more bidders paid more",
      of: ({ curse }) => curse,
    }),
    curseBound("low", "lower"),
    curseBound("high", "upper"),
  ],
};

/** A fraction of one as basis points, or why there is none. */
function bpsOf(exact: string | null): Ratio | NotComputable<"unknown"> {
  if (exact === null) return { reason: "unknown", detail: "The row has no markout" };
  const [numerator = "", denominator = ""] = exact.split("/");
  return bpsRatio(BigInt(numerator), BigInt(denominator));
}

/**
 * One row per number of solvers that bid on an order, with the medians of the markouts of its fills:
 * whether who wins against more bidders pays more than the trade turns out to be worth.
 *
 * @param markouts Rows of `markout`, with prices of a while after each fill (`delayMs`).
 * @returns A frame with the columns of {@linkcode WINNERS_CURSE}; no markouts give no rows.
 * @throws {InputError} If a record is no row of markouts.
 *
 * @example Fills that one and that two solvers bid for
 * ```ts
 * import { winnersCurseTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const [, two] = winnersCurseTable([
 *   { bidder_count: 1, markout_exact: "-1/1000", solver_efficiency_exact: "0/1" },
 *   { bidder_count: 2, markout_exact: "-1/2000", solver_efficiency_exact: "1/2000" },
 * ]).toRecords();
 *
 * assertEquals([two?.markout_bps, two?.curse_bps], [-5, 5]);
 * ```
 */
export const winnersCurseTable: BuildTable<ContestedFillRow> = tableOf({
  table: WINNERS_CURSE,
  records: {
    noun: "rows of markouts",
    fields: ["bidder_count", "markout_exact", "solver_efficiency_exact"],
    from: "`toRecords()` of the frame of `markoutTable` returns them",
  } satisfies RecordKind<ContestedFillRow>,
  options: {},
  rows: (markouts) =>
    winnersCurse(markouts.map((row) => ({
      bidders: row.bidder_count,
      markout: bpsOf(row.markout_exact),
      beforeFees: bpsOf(row.solver_efficiency_exact),
    }))),
});
