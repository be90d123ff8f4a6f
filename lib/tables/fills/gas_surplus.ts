import { type GasAdjustedSurplus, gasAdjustedSurplus } from "../../metrics/mod.ts";
import { integer, native, text } from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/lookups.ts";
import {
  atomsIn,
  type BuildTable,
  optionsOn,
  type RecordKind,
  recordsRule,
  tableOf,
} from "../columns/table_input.ts";

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
  fields: ["solver", "solver_name", "tx_hash", "surplus_native_atoms", "gas_cost_atoms"],
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
    const measured = gasAdjustedSurplus(
      fills.map((row) => ({
        solver: row.solver,
        surplus: atomsIn(row, "surplus_native_atoms"),
        gasCost: atomsIn(row, "gas_cost_atoms"),
        txHash: row.tx_hash,
      })),
      Array.from(settlements, (row) => ({
        txHash: row.tx_hash,
        gasCost: atomsIn(row, "gas_cost_atoms"),
        tradeCount: row.trade_count,
      })),
    );
    return measured.map((one) => ({ ...one, name: names.get(one.solver) ?? null }));
  },
});
