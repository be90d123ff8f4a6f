import { keyAnywhere } from "../datasets/shards/published_tables.ts";
import { withConstants } from "../tables/columns/frame_files.ts";
import type { Frame, TokenOptions } from "../tables/mod.ts";
import { ROW_TABLES, type RowTable } from "../tables/row_tables.ts";
import { sqlColumns } from "./catalogue.ts";
import type { FrameTable } from "./frame_tables.ts";
import type { SqlRow } from "./sql_result.ts";

const DERIVED: readonly RowTable[] = Object.values(ROW_TABLES);

/** The tables that are derived, and the one that each cannot do without. */
export const DERIVED_FROM: ReadonlyMap<string, string> = new Map(
  DERIVED.map(({ table, reads }) => [table.name, Object.keys(reads)[0]!]),
);

/**
 * Tables that are no sums, which the library makes of rows of datasets when a query first names them,
 * deployment by deployment.
 *
 * @param names Names of the tables that there are.
 * @param tokensOf Decimals and symbols of the tokens of a chain.
 * @param query Runs a query over them.
 */
export function derivedTables(
  names: ReadonlySet<string>,
  tokensOf: (chainId: number) => Promise<TokenOptions>,
  query: (text: string) => Promise<SqlRow[]>,
): FrameTable[] {
  return DERIVED.flatMap(({ table, key, reads, build }): FrameTable[] => {
    const { name, grain } = table;
    if (!names.has(DERIVED_FROM.get(name)!)) return [];
    const frame = async () => {
      const rows = await Promise.all(
        Object.entries(reads).map(async ([from, { fields }]) => {
          if (!names.has(from)) return new Map<string, SqlRow[]>();
          const found = await query(`SELECT ${[...SOURCE, ...fields].join(", ")} FROM ${from}`);
          return Map.groupBy(found, (row) => SOURCE.map((column) => row[column]).join());
        }),
      );
      const built = await Promise.all([...rows[0]!].map(async ([source, [first]]) => {
        const { network, environment, chain_id } = first as never;
        const own = rows.map((groups) => (groups.get(source) ?? []) as never[]);
        const made = await build(own, () => tokensOf(chain_id));
        return withConstants(made, { network, environment, chain_id });
      }));
      const none = { network: null, environment: null, chain_id: 0 };
      const empty = withConstants(await build([], () => Promise.resolve({})), none);
      return built.reduce((all, one) => all.vstack(one) as Frame, empty);
    };
    const columns = sqlColumns(table);
    return [{ name, kind: "answer", grain, key: keyAnywhere(key), columns, frame }];
  });
}

/** Columns that say where a row is from. */
const SOURCE = ["network", "environment", "chain_id"] as const;
