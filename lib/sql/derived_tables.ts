import { fileColumns } from "../datasets/shards/file_columns.ts";
import { readFacts } from "../recordings/deployment.ts";
import { withConstants } from "../tables/columns/frame_files.ts";
import type { RecordKind } from "../tables/columns/table_input.ts";
import { WINDOWED_FILL_KIND } from "../tables/fills/concentration.ts";
import { GAS_PAYING_FILL_KIND, SETTLEMENT_GAS_KIND } from "../tables/fills/gas_surplus.ts";
import {
  CONCENTRATION,
  concentrationTable,
  COW_SHARES,
  cowSharesTable,
  type Frame,
  GAS_SURPLUS,
  gasSurplusTable,
  type Table,
  type TokenOptions,
} from "../tables/mod.ts";
import { SETTLED_TRADE_KIND } from "../tables/settlements/cow_shares.ts";
import { keyAnywhere } from "../datasets/shards/published_tables.ts";
import type { DatasetFiles } from "./dataset_files.ts";
import type { FrameTable } from "./frame_tables.ts";
import type { SqlRow } from "./sql_result.ts";

/** A table that the library makes of rows of others. */
interface DerivedTable {
  readonly table: Table<never>;
  /** Columns that are different in every row of one deployment. */
  readonly key: readonly string[];
  /** Which rows it takes of which tables; of all but the first there may be none. */
  readonly reads: Readonly<Record<string, RecordKind<never>>>;
  /** Builds it from those rows, in the same order. */
  readonly build: (rows: readonly (readonly never[])[], tokens: TokenOptions) => Frame;
}

const DERIVED: readonly DerivedTable[] = [
  {
    table: CONCENTRATION,
    key: ["windows", "window_of"],
    reads: { fills: WINDOWED_FILL_KIND },
    build: ([fills = []]) => concentrationTable(fills),
  },
  {
    table: GAS_SURPLUS,
    key: ["solver"],
    reads: { fills: GAS_PAYING_FILL_KIND, settlements: SETTLEMENT_GAS_KIND },
    build: ([fills = [], settlements = []]) => gasSurplusTable(fills, { settlements }),
  },
  {
    table: COW_SHARES,
    key: ["tx_hash", "token"],
    reads: { trades: SETTLED_TRADE_KIND },
    build: ([trades = []], tokens) => cowSharesTable(trades, tokens),
  },
];

/** The tables that are derived, and the one that each cannot do without. */
export const DERIVED_FROM: ReadonlyMap<string, string> = new Map(
  DERIVED.map(({ table, reads }) => [table.name, Object.keys(reads)[0]!]),
);

/**
 * Tables that are no sums, which the library makes of rows of datasets when a query first names them,
 * deployment by deployment.
 *
 * @param names Names of the tables that there are.
 * @param query Runs a query over them.
 */
export function derivedTables(
  names: ReadonlySet<string>,
  files: DatasetFiles,
  query: (text: string) => Promise<SqlRow[]>,
): FrameTable[] {
  return DERIVED.flatMap(({ table, key, reads, build }): FrameTable[] => {
    const { name, grain } = table;
    const columns = fileColumns(table).map(({ source: text, ...column }) => ({ ...column, text }));
    const kinds = Object.entries(reads);
    if (!names.has(kinds[0]![0])) return [];
    const frame = async () => {
      const rows = await Promise.all(kinds.map(async ([from, { fields }]) => {
        if (!names.has(from)) return new Map<string, SqlRow[]>();
        const found = await query(`SELECT ${[...SOURCE, ...fields].join(", ")} FROM ${from}`);
        return Map.groupBy(found, (row) => SOURCE.map((column) => row[column]).join());
      }));
      const built = await Promise.all([...rows[0]!].map(async ([source, [first]]) => {
        const { network, environment, chain_id } = first as never;
        const own = rows.map((groups) => (groups.get(source) ?? []) as never[]);
        return withConstants(build(own, await tokensOf(files, chain_id)), {
          network,
          environment,
          chain_id,
        });
      }));
      const empty = withConstants(build([], {}), { network: null, environment: null, chain_id: 0 });
      return built.reduce((all, one) => all.vstack(one) as Frame, empty);
    };
    return [{ name, kind: "answer", grain, key: keyAnywhere(key), columns, frame }];
  });
}

/** Columns that say where a row is from. */
const SOURCE = ["network", "environment", "chain_id"] as const;

/** Decimals and symbols of the tokens of a chain, as the datasets have them. */
async function tokensOf({ datasets }: DatasetFiles, chainId: number): Promise<TokenOptions> {
  const own = datasets.filter(({ manifest }) => manifest.source.chainId === chainId);
  const all = await Promise.all(own.map(async ({ paths }) => {
    const { deployment } = await readFacts(paths.file("deployment.json"));
    return deployment.tokens ?? [];
  }));
  const tokens = all.flat();
  return {
    decimals: new Map(tokens.map(({ address, decimals }) => [address, decimals])),
    symbols: new Map(tokens.map(({ address, symbol }) => [address, symbol])),
  };
}
