import { type WindowConcentration, windowedConcentration } from "../../metrics/mod.ts";
import { type Ratio, ratioToNumber } from "../../units/mod.ts";
import { integer, native, number, text } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import { atomsIn, type BuildTable, type RecordKind, tableOf } from "../columns/table_input.ts";

/** A row of `fills`, as far as {@linkcode concentrationTable} reads it. */
export interface WindowedFillRow {
  /** Address of the solver; `null` if unknown. */
  readonly solver: string | null;
  /** When it was filled, in unix milliseconds; `null` if unknown. */
  readonly filled_at_ms: number | null;
  /** Address of the token sold. */
  readonly sell_token: string;
  /** Address of the token bought. */
  readonly buy_token: string;
  /** What it was worth, in native atoms; `null` if unknown. */
  readonly volume_atoms: string | null;
}

/** What rows of fills are needed for windows. */
export const WINDOWED_FILL_KIND: RecordKind<WindowedFillRow> = {
  noun: "rows of fills",
  fields: ["solver", "filled_at_ms", "sell_token", "buy_token", "volume_atoms"],
  from: "`toRecords()` of the frame of `fillsTable` returns them",
};

function share(
  name: string,
  declared: {
    unit: string;
    source: string;
    of: (row: WindowConcentration) => Ratio | null;
  },
): Column<WindowConcentration> {
  const { unit, source, of } = declared;
  return number(name, {
    unit,
    source: `windowedConcentration: ${source}; null without volume`,
    cell: (row) => {
      const measured = of(row);
      return measured === null ? null : ratioToNumber(measured);
    },
  });
}

/** One row per window of fills; see {@linkcode concentrationTable}. */
export const CONCENTRATION: Table<WindowConcentration> = {
  name: "concentration",
  grain: "One window of fills: an accounting week, a directed pair, or a size",
  columns: [
    text("windows", {
      source: "what the windows are: week, pair or size",
      cell: ({ kind }) => kind,
    }),
    text("window_of", {
      source:
        "first day of the week, such as 2026-11-24; sell and buy token; or the power of ten " +
        "native tokens that the volume reaches, such as 1e-2",
      cell: ({ window }) => window,
    }),
    integer("fills", {
      unit: "fills",
      source: "fills whose solver and volume are known",
      cell: ({ fills }) => fills,
    }),
    integer("unknown_count", {
      unit: "fills",
      source: "fills without a known solver or native price, which are left out",
      cell: ({ unknownFills }) => unknownFills,
    }),
    integer("solvers", {
      unit: "solvers",
      source: "solvers of those fills",
      cell: ({ solvers }) => solvers,
    }),
    ...native<WindowConcentration>("volume", {
      source: "sum of their volume, as fills.volume_atoms",
      atoms: ({ volume }) => volume,
    }),
    share("largest_share", {
      unit: "0 to 1",
      source: "volume of the largest solver / volume of all",
      of: ({ top1 }) => top1,
    }),
    share("herfindahl", {
      unit: "0 to 1",
      source: "sum of the squares of the shares of all solvers, 1 / n for n of equal size",
      of: ({ herfindahl }) => herfindahl,
    }),
    share("equal_solvers", {
      unit: "solvers",
      source: "1 / herfindahl, so many solvers of equal size are as concentrated",
      of: ({ equalSolvers }) => equalSolvers,
    }),
  ],
};

/**
 * One row per window of fills, with how concentrated its volume is in the solvers that settled it:
 * accounting weeks, directed pairs and sizes.
 *
 * @param fills Rows of `fills`, of one deployment.
 * @returns A frame with the columns of {@linkcode CONCENTRATION}; no fills give no rows.
 * @throws {InputError} If a record is no row of fills.
 *
 * @example Two solvers with as much volume each
 * ```ts
 * import { concentrationTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { filled_at_ms: null, sell_token: "0xa0", buy_token: "0xc0", volume_atoms: "5" };
 * const [pair] = concentrationTable([
 *   { ...fill, solver: "0x01" },
 *   { ...fill, solver: "0x02" },
 * ]).toRecords();
 *
 * assertEquals([pair?.windows, pair?.herfindahl, pair?.equal_solvers], ["pair", 0.5, 2]);
 * ```
 */
export const concentrationTable: BuildTable<WindowedFillRow> = tableOf({
  table: CONCENTRATION,
  records: WINDOWED_FILL_KIND,
  options: {},
  rows: (fills) =>
    windowedConcentration(fills.map((row) => ({
      sellToken: row.sell_token,
      buyToken: row.buy_token,
      solver: row.solver,
      volume: atomsIn(row, "volume_atoms"),
      filledAt: row.filled_at_ms,
    }))),
});
