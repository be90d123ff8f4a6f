import {
  type GasAdjustedSurplus,
  gasAdjustedSurplus,
  type NotComputable,
  type WindowConcentration,
  windowedConcentration,
  type WinnersCurse,
  winnersCurse,
} from "../../metrics/mod.ts";
import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { integer, native, number, text } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import {
  atomsIn,
  type BuildTable,
  optionsOn,
  type RecordKind,
  recordsRule,
  tableOf,
} from "../columns/table_input.ts";
import type { SolverOptions } from "../columns/lookups.ts";

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
    cell: of,
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

/** A row of `fills`, as far as {@linkcode gasSurplusTable} reads it. */
export interface GasPayingFillRow {
  /** Address of the solver; `null` if unknown. */
  readonly solver: string | null;
  /** Its name; `null` if unknown. */
  readonly solver_name: string | null;
  /** Hash of the settlement; `null` if unknown. */
  readonly tx_hash: string | null;
  /** Surplus, in native atoms; `null` if unknown. */
  readonly surplus_native_atoms: string | null;
  /** Gas that was paid for it, in native atoms; `null` if the answer does not say. */
  readonly gas_cost_atoms: string | null;
  /** Whether its native prices agree: `consistent`, `suspect` or `absurd`; `null` if unknown. */
  readonly price_sides: string | null;
}

/** A row of `settlements`, as far as {@linkcode gasSurplusTable} reads it. */
export interface SettlementGasRow {
  /** Hash of the settlement. */
  readonly tx_hash: string;
  /** Gas that it paid, in native atoms; `null` if unknown. */
  readonly gas_cost_atoms: string | null;
  /** Its trades; `null` if unknown. */
  readonly trade_count: number | null;
}

/** What else is known: gas of settlements, names. */
export interface GasSurplusOptions extends SolverOptions {
  /** Rows of `settlements`, for fills whose answer does not say their gas. @default {none} */
  readonly settlements?: Iterable<SettlementGasRow>;
}

/** What rows of fills are needed for surplus and gas. */
export const GAS_PAYING_FILL_KIND: RecordKind<GasPayingFillRow> = {
  noun: "rows of fills",
  fields: [
    "solver",
    "solver_name",
    "tx_hash",
    "surplus_native_atoms",
    "gas_cost_atoms",
    "price_sides",
  ],
  from: "`toRecords()` of the frame of `fillsTable` returns them",
};

/** What rows of settlements are needed for gas. */
export const SETTLEMENT_GAS_KIND: RecordKind<SettlementGasRow> = {
  noun: "rows of settlements",
  fields: ["tx_hash", "gas_cost_atoms", "trade_count"],
  from: "`toRecords()` of the frame of `settlementsTable` returns them",
};

/** What one row is computed from. */
export interface GasSurplusFacts extends GasAdjustedSurplus {
  /** Name of the solver; `null` if unknown. */
  readonly name: string | null;
  /** Those of its fills whose native prices are absurd. */
  readonly absurd: number;
  /** Those of its fills whose native prices are suspect. */
  readonly suspect: number;
  /** Surplus of its other fills, in native atoms; `null` without such fills. */
  readonly soundSurplus: bigint | null;
}

/** One row per solver; see {@linkcode gasSurplusTable}. */
export const GAS_SURPLUS: Table<GasSurplusFacts> = {
  name: "gas_surplus",
  grain: "One solver: the surplus of its fills after the gas that they took",
  columns: [
    text("solver", {
      source: "fills.solver: null for fills whose solver is unknown",
      cell: ({ solver }) => solver,
    }),
    text("solver_name", {
      source: "fills.solver_name; if that is null, from the option solvers or data/solvers.json",
      cell: ({ solver, name }, _amounts, names) => name ?? names.name(solver),
    }),
    integer("fills", {
      unit: "fills",
      source: "fills whose surplus in native atoms and whose gas are known",
      cell: ({ fills }) => fills,
    }),
    integer("unknown_count", {
      unit: "fills",
      source: "fills without one of them, which are left out",
      cell: ({ unknownFills }) => unknownFills,
    }),
    ...native<GasSurplusFacts>("surplus", {
      source: "sum of fills.surplus_native_atoms, each rounded down; null without such fills",
      atoms: ({ surplus }) => surplus,
    }),
    ...native<GasSurplusFacts>("gas_cost", {
      source: "sum of fills.gas_cost_atoms; where that is null, of settlements.gas_cost_atoms / " +
        "trade_count, rounded down; null without such fills",
      atoms: ({ gasCost }) => gasCost,
    }),
    ...native<GasSurplusFacts>("after_gas", {
      source: "gasAdjustedSurplus: surplus - gas_cost; the surplus is already after the network " +
        "fee that traders paid for gas, so this is a lower bound of what the trades were worth",
      atoms: ({ afterGas }) => afterGas,
    }),
    integer("below_gas_count", {
      unit: "fills",
      source: "fills whose surplus is less than their gas",
      cell: ({ belowGas }) => belowGas,
    }),
    integer("absurd_count", {
      unit: "fills",
      source: "those of these fills whose fills.price_sides is absurd",
      cell: ({ absurd }) => absurd,
    }),
    integer("suspect_count", {
      unit: "fills",
      source: "those of these fills whose fills.price_sides is suspect",
      cell: ({ suspect }) => suspect,
    }),
    ...native<GasSurplusFacts>("sound_surplus", {
      source: "the same sum as surplus, without absurd and suspect fills; null without others",
      atoms: ({ soundSurplus }) => soundSurplus,
    }),
  ],
};

/**
 * One row per solver, with the surplus of its fills after the gas that they took.
 *
 * @param fills Rows of `fills`, of one deployment.
 * @param options Rows of `settlements`, whose receipts have the gas that answers lack; names of
 * solvers.
 * @returns A frame with the columns of {@linkcode GAS_SURPLUS}; no fills give no rows.
 * @throws {InputError} If a record is no row of fills, or an option is unknown.
 *
 * @example A fill that took more gas than its surplus
 * ```ts
 * import { gasSurplusTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const [row] = gasSurplusTable([{
 *   solver: "0x01",
 *   solver_name: null,
 *   tx_hash: "0xaa",
 *   surplus_native_atoms: "4",
 *   gas_cost_atoms: "7",
 *   price_sides: "consistent",
 * }]).toRecords();
 *
 * assertEquals([row?.after_gas_atoms, row?.below_gas_count], ["-3", 1]);
 * ```
 */
export const gasSurplusTable: BuildTable<GasPayingFillRow, GasSurplusOptions> = tableOf({
  table: GAS_SURPLUS,
  records: GAS_PAYING_FILL_KIND,
  options: { ...optionsOn("solvers"), settlements: recordsRule(SETTLEMENT_GAS_KIND) },
  rows: (fills, { settlements = [] }) => {
    const names = new Map(fills.map(({ solver, solver_name: name }) => [solver, name]));
    const gasOfSettlements = Array.from(settlements, (row) => ({
      txHash: row.tx_hash,
      gasCost: atomsIn(row, "gas_cost_atoms"),
      tradeCount: row.trade_count,
    }));
    const measure = (rows: readonly GasPayingFillRow[]) =>
      gasAdjustedSurplus(
        rows.map((row) => ({
          solver: row.solver,
          surplus: atomsIn(row, "surplus_native_atoms"),
          gasCost: atomsIn(row, "gas_cost_atoms"),
          txHash: row.tx_hash,
        })),
        gasOfSettlements,
      );
    const doubtful = ["absurd", "suspect"] as const;
    const [absurd, suspect] = doubtful.map((verdict) =>
      bySolver(measure(fills.filter(({ price_sides: sides }) => sides === verdict)))
    );
    const sound = bySolver(
      measure(fills.filter(({ price_sides: sides }) => !doubtful.some((each) => each === sides))),
    );
    return measure(fills).map((row) => {
      const solver = row.solver?.toLowerCase() ?? "";
      return {
        ...row,
        name: names.get(row.solver) ?? null,
        absurd: absurd!.get(solver)?.fills ?? 0,
        suspect: suspect!.get(solver)?.fills ?? 0,
        soundSurplus: sound.get(solver)?.surplus ?? null,
      };
    });
  },
});

function bySolver(rows: readonly GasAdjustedSurplus[]): Map<string, GasAdjustedSurplus> {
  return new Map(rows.map((row) => [row.solver?.toLowerCase() ?? "", row]));
}

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
