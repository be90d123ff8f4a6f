import { PUBLISHED_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { listDatasetTables } from "../../lib/sql/catalogue.ts";
import { openFrames } from "../../lib/sql/open_sql.ts";
import { readViews, type SqlRow } from "orderlens/sql";
import { buildFrame } from "../../lib/tables/columns/frame.ts";
import { addConstants } from "../../lib/tables/columns/frame_files.ts";

type Row = Readonly<Record<string, string | number | boolean | null>>;

const NOWHERE = { network: null, environment: null, chain_id: 1 };

/**
 * The rows of a view over rows of its tables, sorted by its key and without where they are from.
 *
 * @param tables Rows by the name of their table; columns that they lack are null.
 */
export async function viewOver(
  name: string,
  tables: Readonly<Record<string, readonly Row[]>>,
): Promise<SqlRow[]> {
  const view = (await readViews()).find((one) => one.name === name)!;
  const relations = new Map(listDatasetTables().map((one) => [one.name, one]));
  using sql = await openFrames(view.tables.map((name) => {
    const table = PUBLISHED_TABLES.find((one) => one.name === name)!;
    const columns = table.columns.map((column) => (
      { ...column, cell: (row: Row) => row[column.name] ?? null }
    ));
    const frame = () =>
      Promise.resolve(
        addConstants(buildFrame({ ...table, columns }, tables[name] ?? []), NOWHERE),
      );
    return { ...relations.get(name)!, frame };
  }));
  const order = view.key.join(", ");
  return await sql.query(
    `SELECT * EXCLUDE (network, environment, chain_id) FROM ${name} ORDER BY ${order}`,
  );
}
