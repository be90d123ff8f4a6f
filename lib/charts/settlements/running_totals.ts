import type { Series } from "../general/series.ts";
import { sum } from "../numbers/statistics.ts";
import { isNumber } from "../rows/row_selection.ts";
import type { SolverImbalancesRow, ValuedRow } from "./solver_imbalances_row.ts";

/** What one settlement left in the contract. */
export interface SettledValue {
  /** Its block. */
  readonly block: number;
  /** Its solver. */
  readonly solver: string;
  /** Value, in native tokens: of the tokens whose value is known. */
  readonly value: number;
  /** The tokens, those without a value too. */
  readonly rows: readonly SolverImbalancesRow[];
}

/** A settlement with the total of its series up to it. */
export interface RunningTotal extends SettledValue {
  /** Sum up to here, in native tokens. */
  readonly total: number;
}

/** A series with its settlements in the order of blocks. */
export interface TotalSeries extends Series<SettledValue> {
  /** Its settlements. */
  readonly totals: readonly RunningTotal[];
  /** Sum of all of them, in native tokens. */
  readonly total: number;
}

/** Whether the value of a row is known. */
export function isValued(row: SolverImbalancesRow): row is ValuedRow {
  return isNumber(row.net_value_native) && isNumber(row.block_number);
}

/** The settlements of some rows, with the sums of their known values, in the order of blocks. */
export function settledValues(rows: readonly SolverImbalancesRow[]): SettledValue[] {
  const settlements = Map.groupBy(
    rows.filter(({ block_number }) => isNumber(block_number)),
    ({ tx_hash, block_number, solver }) => `${tx_hash ?? ""} ${block_number} ${solver}`,
  );
  return [...settlements.values()].flatMap((own) => {
    const { block_number: block, solver } = own[0]!;
    const valued = own.filter(isValued);
    if (valued.length === 0) return [];
    return [{ block, solver, value: sum(valued, (row) => row.net_value_native), rows: own }];
  }).sort((a, b) => a.block - b.block);
}

/** Adds the settlements of a series up. */
export function withTotals(series: Series<SettledValue>): TotalSeries {
  let total = 0;
  const totals = series.points.map((point) => ({ ...point, total: total += point.value }));
  return { ...series, totals, total };
}
