import { DuckDBInstance } from "@duckdb/node-api";
import { formatShard, hashWritten } from "../../lib/datasets/layout/files.ts";
import { listColumns, selectTables } from "../../lib/datasets/shards/published_tables.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";

const TOKENS = 12;
const SOLVERS = 20;
/** One shard of the dataset has as many rows. */
const ROWS_PER_SHARD = 125_000;

/** SQL of values by the name of the column, of the number `i` of a fill; other columns are null. */
const VALUES: Readonly<Record<string, string>> = {
  chain_id: "1",
  order_uid: "'0x' || lpad(to_hex(hash(i, 'uid') >> 1), 16, '0') || repeat('ab', 48)",
  block_number: "900 + i // 4",
  log_index: "i % 4",
  filled_at: "strftime(make_timestamp_ms(1795273926831 + i * 500), '%Y-%m-%dT%H:%M:%S.%gZ')",
  filled_at_ms: "1795273926831 + i * 500",
  tx_hash: "'0x' || repeat(lpad(to_hex(hash(i // 20) >> 1), 16, '0'), 4)",
  auction_id: "i // 5",
  kind: "CASE WHEN hash(i, 'kind') % 2 = 0 THEN 'sell' ELSE 'buy' END",
  pair: `'T' || hash(i, 'from') % ${TOKENS} || ' → T' || hash(i, 'to') % ${TOKENS}`,
  solver: `'0x' || lpad(to_hex(hash(i, 'solver') % ${SOLVERS}), 40, '0')`,
  owner: "'0x' || lpad(to_hex(hash(i, 'owner') % 5000), 40, '0')",
  // One in 64 has the 78 digits of 2^256, the others are of usual trades, of either sign.
  surplus_atoms: `CASE WHEN hash(i, 'long') % 64 = 0
    THEN '1157920892373161954235709850086879078532699846656405640394' ||
      lpad(CAST(hash(i, 'x') % 100000000000000000 AS VARCHAR), 20, '0')
    WHEN hash(i, 'sign') % 8 = 0 THEN '-' || CAST(1 + hash(i, 'x') % 1000000000000 AS VARCHAR)
    ELSE CAST(1 + hash(i, 'x') % 1000000000 AS VARCHAR) ||
      lpad(CAST(hash(i, 'y') % 1000000000 AS VARCHAR), 9, '0') END`,
  volume_atoms: "CAST(1 + hash(i, 'v') % 1000000000 AS VARCHAR) || '000000000000000000'",
  price_sides: "CASE WHEN hash(i, 'sides') % 512 = 0 THEN 'suspect' ELSE 'consistent' END",
  volume_native: "CAST(1 + hash(i, 'v') % 1000000000 AS DOUBLE)",
  sell_token: `'0x' || lpad(to_hex(hash(i, 'from') % ${TOKENS}), 40, '0')`,
  buy_token: `'0x' || lpad(to_hex(hash(i, 'to') % ${TOKENS}), 40, '0')`,
  sell_amount_atoms: "CAST(1 + hash(i, 'sold') % 1000000000 AS VARCHAR) || '000000000'",
  buy_amount_atoms: "CAST(1 + hash(i, 'bought') % 1000000000 AS VARCHAR) || '000000000'",
  surplus_native_atoms: "CAST(1 + hash(i, 'x') % 1000000000 AS VARCHAR) || '0000000'",
  // One in four has the gas of its settlement.
  gas_cost_atoms: `CASE WHEN i % 4 > 0
    THEN CAST(1 + hash(i, 'gas') % 1000000000 AS VARCHAR) || '000000' END`,
  slippage_net_bps: "CAST(hash(i, 'bps') % 20000 AS DOUBLE) / 100 - 100",
  surplus_bps_of_limit: "CAST(hash(i, 'limit') % 20000 AS DOUBLE) / 100",
};

/** SQL of values of the number `i` of a bid: five bids an auction, the first one wins. */
const BID_VALUES: Readonly<Record<string, string>> = {
  ...VALUES,
  ranking: "1 + i % 5",
  is_winner: "i % 5 = 0",
  solver_name: `'Solver ' || hash(i, 'solver') % ${SOLVERS}`,
  auction_start_block: "800 + i // 5",
  score_atoms: "CAST(1 + hash(i, 'score') % 1000000000 AS VARCHAR) || '000000000'",
  reference_score_atoms: `CASE WHEN i % 5 = 0
    THEN CAST(1 + hash(i, 'reference') % 1000000000 AS VARCHAR) || '00000000' END`,
  margin_atoms: `CASE WHEN i % 5 = 0
    THEN CAST(1 + hash(i, 'margin') % 1000000000 AS VARCHAR) || '00000000' END`,
  filtered_out: "hash(i, 'filtered') % 16 = 0",
  outcome: "CASE WHEN i % 5 = 0 THEN CASE WHEN i % 3 = 0 THEN 'late' ELSE 'in_time' END END",
};

/** SQL of values of other tables than `fills` and `trades`. */
const TABLE_VALUES: Readonly<Record<string, typeof VALUES>> = {
  bids: BID_VALUES,
  outcomes: BID_VALUES,
  // One settlement for 20 fills.
  settlements: {
    chain_id: "1",
    tx_hash: "'0x' || repeat(lpad(to_hex(hash(i) >> 1), 16, '0'), 4)",
    gas_cost_per_trade_atoms: "CAST(1 + hash(i, 'gas') % 1000000000 AS VARCHAR) || '000000'",
  },
  tokens: {
    chain_id: "1",
    token: "'0x' || lpad(to_hex(i), 40, '0')",
    symbol: "'T' || i",
    decimals: "18",
  },
};

const TYPES: Readonly<Record<string, string>> = {
  String: "VARCHAR",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
};

/** DuckDB without anything of this project, on two threads. */
export async function openDuckDb() {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  return {
    connection,
    [Symbol.dispose](): void {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Writes the rows of a query as Parquet, and says what a manifest says of the file. */
export async function writeParquet(
  { connection }: Awaited<ReturnType<typeof openDuckDb>>,
  query: string,
  path: string,
) {
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  return await hashWritten(path);
}

/**
 * Writes a dataset whose tables are made up, for work on many rows; the same numbers give the same
 * rows.
 *
 * @param folder An empty or new folder.
 * @param counts Rows of each table.
 */
export async function writeSeededTables(
  folder: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  using duckDb = await openDuckDb();
  const files = [];
  for (const [table, count] of Object.entries(counts)) {
    await Deno.mkdir(`${folder}/${table}`, { recursive: true });
    const types = new Map(
      selectTables([table])[0]!.columns.map(({ name, dtype }) => [name, TYPES[dtype]!]),
    );
    const values = TABLE_VALUES[table] ?? VALUES;
    const columns = listColumns([table])[table]!.map((name) => {
      const type = types.get(name) ?? (name === "chain_id" ? "BIGINT" : "VARCHAR");
      return `CAST(${values[name] ?? "NULL"} AS ${type}) AS ${name}`;
    });
    for (let from = 0; from < count; from += ROWS_PER_SHARD) {
      const path = `${table}/${formatShard(from / ROWS_PER_SHARD)}.parquet`;
      const rows = Math.min(count - from, ROWS_PER_SHARD);
      const query = `SELECT ${columns.join(", ")} FROM range(${from}, ${from + rows}) AS r(i)`;
      const facts = await writeParquet(duckDb, query, `${folder}/${path}`);
      files.push({ path, rows, ...facts, leastKey: null, greatestKey: null });
    }
  }
  const shipped = JSON.parse(await Deno.readTextFile(`${SHIPPED_FOLDER}/market_1/manifest.json`));
  const request = { ...shipped.request, tables: Object.keys(counts) };
  const manifest = JSON.stringify({ ...shipped, request, files });
  await Deno.writeTextFile(`${folder}/manifest.json`, manifest);
}

/** Writes a dataset of made-up fills, and of all that views read besides, as many of each. */
export async function writeSeededViews(folder: string, fills: number): Promise<void> {
  const each = Object.fromEntries(
    ["fills", "trades", "bids", "outcomes"].map((name) => [name, fills]),
  );
  await writeSeededTables(folder, { ...each, settlements: Math.ceil(fills / 20), tokens: TOKENS });
}

/** Makes a dataset of made-up fills for as long as it is used. */
export async function withSeededFills<Result>(
  fills: number,
  use: (folder: string, output: string) => Promise<Result>,
): Promise<Result> {
  return await withFolder(async (root) => {
    await writeSeededTables(`${root}/fills`, { fills });
    return await use(`${root}/fills`, `${root}/output`);
  });
}
