import { PUBLISHED_TABLES } from "./published_tables.ts";

/** Columns of one table whose values are in another. */
export interface Reference {
  /** The table that names. */
  readonly table: string;
  /** Its columns. */
  readonly columns: readonly string[];
  /** The table that is named. */
  readonly to: string;
  /** Its columns, as many. */
  readonly toColumns: readonly string[];
}

/** What tables name of each other; within the file of the same 1,000 auctions. */
export const REFERENCES: readonly Reference[] = PUBLISHED_TABLES.flatMap((
  { table, references = [] },
) =>
  references.map(({ columns, to, toColumns = columns }) => ({
    table: table.name,
    columns,
    to,
    toColumns,
  }))
);

/** The same as keys, which databases and catalogues declare: those of the table that is named. */
export const FOREIGN_KEYS: readonly Reference[] = REFERENCES.map((one) => {
  const key = PUBLISHED_TABLES.find(({ table }) => table.name === one.to)?.key ?? [];
  const isWider = one.columns.length > key.length;
  return isWider ? { ...one, columns: key, toColumns: key } : one;
});
