import { InputError } from "../../errors/mod.ts";

/** A row of a query or of a table: values by the names of their columns. */
export type ComparedRow = object;

/** Options of {@linkcode compareRows}. */
export interface CompareRowsOptions {
  /** Columns that together are different in every row, such as `["block_number", "log_index"]`. */
  readonly key: readonly string[];
  /** Columns to compare. @default {those that both have} */
  readonly columns?: readonly string[] | undefined;
  /** Columns to leave out. @default {none} */
  readonly except?: readonly string[] | undefined;
}

/** A cell that differs, or a row that only one of both has. */
export interface RowDifference {
  /** The key of its row, as text. */
  readonly key: string;
  /** Its column; `null` for a row that only one of both has. */
  readonly column: string | null;
  /** What the first has; the whole row if the second has none, `undefined` if it has no such row. */
  readonly one: unknown;
  /** The same of the second. */
  readonly other: unknown;
}

/** What was compared, and what differs. */
export interface RowComparison {
  /** Number of rows that both have. */
  readonly rows: number;
  /** Columns that were compared. */
  readonly columns: readonly string[];
  /** Number of cells that were compared: rows times columns. */
  readonly cells: number;
  /** What differs; empty if both are equal. */
  readonly differences: readonly RowDifference[];
}

/**
 * Compares the rows of two queries, or of a query and a table of the library, cell by cell.
 *
 * Nothing is rounded: text equals the same text, a number the same number. Whole numbers may be
 * `number` or `bigint`. The order of rows does not matter.
 *
 * @param one Rows, such as `sql.query` returns.
 * @param other Other rows, such as `records` returns of a frame.
 * @throws {InputError} If a column of the key or of `columns` is missing, or two rows have one key.
 *
 * @example A leaderboard in SQL, and that of the library
 * ```ts
 * import { openDataset } from "orderlens/datasets";
 * import { compareRows, querySql } from "orderlens/sql";
 * import { records, solverLeaderboardTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const dataset = await openDataset("market_1");
 * const table = solverLeaderboardTable(
 *   await Array.fromAsync(dataset.competitions()),
 *   { trades: await Array.fromAsync(dataset.trades()) },
 * );
 * const rows = await querySql("market_1", "SELECT * FROM leaderboard");
 *
 * const { cells, differences } = compareRows(rows, records(table), { key: ["solver"] });
 * assertEquals([cells, differences], [76, []]);
 * ```
 */
export function compareRows(
  one: Iterable<ComparedRow>,
  other: Iterable<ComparedRow>,
  { key, columns, except = [] }: CompareRowsOptions,
): RowComparison {
  const [first, second] = [Array.from(one), Array.from(other)];
  const compared = (columns ?? commonColumns(first, second))
    .filter((name) => !except.includes(name));
  const [ownRows, otherRows] = [first, second].map((rows) => byKey(rows, key, compared)) as [
    Map<string, ComparedRow>,
    Map<string, ComparedRow>,
  ];
  const differences: RowDifference[] = [];
  let rows = 0;
  for (const [name, row] of ownRows) {
    const twin = otherRows.get(name);
    if (twin === undefined) {
      differences.push({ key: name, column: null, one: row, other: undefined });
      continue;
    }
    rows++;
    for (const column of compared) {
      const [a, b] = [Reflect.get(row, column), Reflect.get(twin, column)];
      if (!areEqual(a, b)) differences.push({ key: name, column, one: a, other: b });
    }
  }
  for (const [name, row] of otherRows) {
    if (ownRows.has(name)) continue;
    differences.push({ key: name, column: null, one: undefined, other: row });
  }
  return { rows, columns: compared, cells: rows * compared.length, differences };
}

function commonColumns(one: readonly ComparedRow[], other: readonly ComparedRow[]): string[] {
  const [first, second] = [one[0], other[0]];
  if (first === undefined || second === undefined) return [];
  return Object.keys(first).filter((name) => Object.hasOwn(second, name));
}

function byKey(
  rows: readonly ComparedRow[],
  key: readonly string[],
  columns: readonly string[],
): Map<string, ComparedRow> {
  const found = new Map<string, ComparedRow>();
  for (const row of rows) {
    const lacks = [...key, ...columns].find((name) => !Object.hasOwn(row, name));
    if (lacks !== undefined) {
      throw new InputError(`Cannot compare rows: one has no column ${lacks}`, {
        facts: { "it has": Object.keys(row).join(", ") },
        remedy: "Name columns that all rows of both have",
      });
    }
    const name = key.map((column) => `${column} ${String(Reflect.get(row, column))}`).join(", ");
    if (found.has(name)) {
      throw new InputError(`Cannot compare rows: two have the key ${name}`, {
        remedy: "Name columns that together are different in every row",
      });
    }
    found.set(name, row);
  }
  return found;
}

function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one === "bigint" || typeof other === "bigint") {
    return isWhole(one) && isWhole(other) && BigInt(one) === BigInt(other);
  }
  return one === other || Object.is(one, other);
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}
