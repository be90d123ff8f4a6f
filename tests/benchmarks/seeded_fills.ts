import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { columnsOf, tablesOf } from "../../lib/datasets/shards/published_tables.ts";
import { DatasetPaths, tablePath } from "../../lib/datasets/layout/dataset_paths.ts";
import { factsOfMade } from "../../lib/datasets/layout/durable_files.ts";
import {
  type DatasetFile,
  type DatasetManifest,
  MANIFEST_SCHEMA,
  printManifest,
} from "../../lib/datasets/layout/manifest.ts";
import { IDS_PER_SHARD } from "../../lib/datasets/layout/shard_name.ts";
import { LARGEST_AMOUNT } from "../../lib/units/largest_amount.ts";
import { VERSION } from "orderlens/http";

/** Options of {@linkcode writeSeededFills}. */
export interface SeededFillsOptions {
  /** Number of fills. */
  readonly fills: number;
  /** What amounts, tokens and policies follow from. @default {"1"} */
  readonly seed?: string;
  /** Number of files of each table. @default {8} */
  readonly shards?: number;
  /** Chain id. @default {1} */
  readonly chainId?: number;
  /** Name of the network. @default {null} */
  readonly network?: string | null;
  /** Environment of the network. @default {null} */
  readonly environment?: string | null;
}

/** Digits of a random part that stays below 2^256 behind `HEAD`. */
const TAIL_DIGITS = 18;
const HEAD = String(LARGEST_AMOUNT).slice(0, -TAIL_DIGITS);
const TAIL = BigInt(String(LARGEST_AMOUNT).slice(-TAIL_DIGITS)) + 1n;
const TOKENS = 12;
const SOLVERS = 20;
const OWNERS = 5_000;
const BLOCK_LOGS = 4;
/** Fills after which transactions and orders are whole. */
const WHOLE = 20;
const FIRST_MS = 1_795_273_926_831;

const TYPES: Readonly<Record<string, string>> = {
  String: "VARCHAR",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
};

/** SQL of values, by the name of the column; columns without one are null. */
type Values = Readonly<Record<string, string>>;

/**
 * Writes a dataset of made-up fills, for work on many rows: the tables that the views `fills` and
 * `fees` read. Five in eight have the amounts of usual trades; the others are 0 to 999, of any length,
 * or within 2^60 of 2^256, each amount on its own. One order in nine has two fills, and one in eight
 * is in no auction. Fills have 0 to 2 fees, and one in 512 has 10. Equal options give equal rows.
 *
 * @param folder An empty or new folder.
 */
export async function writeSeededFills(
  folder: string,
  { fills, seed = "1", shards = 8, chainId = 1, network = null, environment = null }:
    SeededFillsOptions,
): Promise<DatasetManifest> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    for (const macro of macrosOf(seed)) await connection.run(`CREATE MACRO ${macro}`);
    const source = {
      network: textOrNull(network),
      environment: textOrNull(environment),
      chain_id: String(chainId),
    };
    const files: DatasetFile[] = [];
    for (const { table, rows, values } of TABLES) {
      await Deno.mkdir(`${folder}/${table}`, { recursive: true });
      for (let shard = 0; shard < shards; shard++) {
        const [from, to] = [shard, shard + 1].map((at) =>
          at === shards ? fills : WHOLE * Math.floor(fills * at / shards / WHOLE)
        );
        const given = `(SELECT *, ${IDS_PER_SHARD * shard} AS first_id FROM (${
          rows.replace("FILLS", `range(${from}, ${to}) AS r(i)`)
        }))`;
        const select = selectOf(table, { ...source, ...values });
        files.push(await writeTable(connection, folder, { table, shard, select, given }));
      }
    }
    const manifest = manifestOf(files, {
      source: { network, environment, chainId, settlementContract: `0x${"00".repeat(20)}` },
      to: shards * IDS_PER_SHARD - 1,
    });
    await Deno.writeTextFile(`${folder}/manifest.json`, printManifest(manifest));
    return manifest;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What follows from the number of a fill, an order or an auction. */
function macrosOf(seed: string): string[] {
  const quoted = `'${seed.replaceAll("'", "''")}:'`;
  const digits = (tag: string) =>
    `CAST(${10n ** 18n} + h(i, tag || '${tag}') % ${8n * 10n ** 18n} AS VARCHAR)`;
  return [
    `h(i, tag) AS CAST(hash(i, ${quoted} || tag) >> 1 AS BIGINT)`,
    // 16 digits, since one of the highest four bits is set.
    `hex(i, tag) AS to_hex(h(i, tag) | ${2n ** 62n})`,
    `address(i, tag) AS '0x' || hex(i, tag) || '${"0123456789abcdef".repeat(2).slice(0, 24)}'`,
    `hash32(i, tag) AS '0x' || hex(i, tag) || hex(i, tag || '+') || hex(i, tag) || hex(i, tag || '+')`,
    // The second fill of an order is in the transaction after that of its first: 5 and 9, 15 and 19.
    `order_of(i) AS i - CASE WHEN i % 10 = 9 THEN 4 ELSE 0 END`,
    `uid(i) AS hash32(i, 'uid') || substr(address(h(i, 'owner') % ${OWNERS}, 'owner'), 3) || '6b01b577'`,
    `is_usual(i) AS h(i, 'usual') % 8 < 5`,
    `is_sell(i) AS h(i, 'kind') % 2 = 0`,
    // Usual amounts: what was sold in 10^9 atoms, in 100,000ths of it what was bought or charged.
    `part(i, tag, least, most) AS CAST((1000000000 + h(i, 'sold') % 1000000000000) *
      (least + h(i, tag || '1') % (most - least)) // 100000 AS VARCHAR) ||
      lpad(CAST(h(i, tag || '2') % 1000000000 AS VARCHAR), 9, '0')`,
    `any_amount(i, tag) AS CASE h(i, tag || '3') % 4
      WHEN 0 THEN CAST(h(i, tag || '4') % 1000 AS VARCHAR)
      WHEN 1 THEN '${HEAD}' || lpad(CAST(h(i, tag || '5') % ${TAIL} AS VARCHAR), ${TAIL_DIGITS}, '0')
      WHEN 2 THEN CAST(1 + h(i, tag || '6') % 9 AS VARCHAR) || substr(
        ${["7", "8", "9", "0"].map(digits).join(" || ")}, 1, h(i, tag || '6') % 77)
      ELSE CASE WHEN h(i, tag || '4') % 64 = 0 THEN '${LARGEST_AMOUNT}'
        ELSE CAST(1 + h(i, tag || '5') % 1000 AS VARCHAR) || substr(${digits("6")}, 2) END END`,
    `amount(i, tag, least, most) AS
      CASE WHEN is_usual(i) THEN part(i, tag, least, most) ELSE any_amount(i, tag) END`,
    `token(i, tag) AS h(i, tag) % ${TOKENS}`,
    `pair(i) AS 'T' || token(i, 'from') || ' → T' || token(i, 'to')`,
    `filled_ms(i) AS ${FIRST_MS} + i * 50`,
    `filled_text(i) AS strftime(make_timestamp_ms(filled_ms(i)), '%Y-%m-%dT%H:%M:%S.%gZ')`,
    `fee_count(i) AS CASE WHEN i % 512 = 511 THEN 10 WHEN i % 16 = 0 THEN NULL WHEN i % 16 < 5 THEN 0 WHEN i % 16 < 13 THEN 1 ELSE 2 END`,
    `policy_of(i, p) AS CASE WHEN p % 2 = 0 OR (i + p) % 3 = 0 THEN 'volume'
      WHEN (i + p) % 3 = 1 THEN 'surplus' ELSE 'priceImprovement' END`,
    // In basis points.
    `factor_of(i, p) AS CASE WHEN policy_of(i, p) <> 'volume' THEN 5000 WHEN p > 1 THEN 10 ELSE 2 END`,
    `surplus_token(i) AS address(token(i, CASE WHEN is_sell(i) THEN 'to' ELSE 'from' END), 'token')`,
  ];
}

/** Amounts of a fill, and for axes in whole tokens of 18 decimals. */
const SOLD = "amount(i, 'sold', 100000, 100001)";
const BOUGHT = "amount(i, 'bought', 98500, 101500)";
const tokens = (amount: string) => `CAST(${amount} AS DOUBLE) / 1e18`;

const FILL: Values = {
  block_number: `1000 + i // ${BLOCK_LOGS}`,
  log_index: `i % ${BLOCK_LOGS}`,
  filled_at: "filled_text(i)",
  filled_at_ms: "filled_ms(i)",
  time_basis: "'event'",
  tx_hash: `hash32(i // ${BLOCK_LOGS}, 'tx')`,
  auction_id: `first_id + i // ${BLOCK_LOGS} % ${IDS_PER_SHARD}`,
  order_uid: "uid(order_of(i))",
  owner: `address(h(order_of(i), 'owner') % ${OWNERS}, 'owner')`,
  solver: `address(h(i, 'solver') % ${SOLVERS}, 'solver')`,
  pair: "pair(order_of(i))",
};

const TABLES: readonly {
  readonly table: string;
  readonly rows: string;
  readonly values: Values;
}[] = [
  {
    table: "trades",
    rows: "SELECT i FROM FILLS",
    values: {
      ...FILL,
      sell_token: "address(token(order_of(i), 'from'), 'token')",
      buy_token: "address(token(order_of(i), 'to'), 'token')",
      sell_amount: SOLD,
      sell_amount_tokens: tokens(SOLD),
      sell_amount_before_fees: SOLD,
      buy_amount: BOUGHT,
      buy_amount_tokens: tokens(BOUGHT),
      protocol_fee_count: "fee_count(i)",
    },
  },
  {
    table: "orders",
    rows: "SELECT i FROM FILLS WHERE i % 10 <> 9 ORDER BY uid(i)",
    values: {
      order_uid: "uid(i)",
      owner: FILL.owner!,
      status: "'fulfilled'",
      kind: "CASE WHEN is_sell(i) THEN 'sell' ELSE 'buy' END",
      class: "CASE WHEN h(i, 'class') % 50 = 0 THEN 'liquidity' ELSE 'limit' END",
      partially_fillable: "i % 10 = 5",
      sell_token: "address(token(i, 'from'), 'token')",
      buy_token: "address(token(i, 'to'), 'token')",
      pair: "pair(i)",
      sell_amount: "amount(i, CASE WHEN is_sell(i) THEN 'sold' ELSE 'most' END, 100000, 100001)",
      buy_amount: "amount(i, CASE WHEN is_sell(i) THEN 'least' ELSE 'bought' END, 97500, 98500)",
      app_data: "hash32(i % 50, 'app')",
      executed_sell_amount: SOLD,
      executed_buy_amount: BOUGHT,
      executed_fee: "amount(i, 'fee', 40, 60)",
      fee_token: "address(token(i, 'from'), 'token')",
      quote_sell_amount: "CASE WHEN i % 9 <> 0 THEN amount(i, 'sold', 100000, 100001) END",
      quote_buy_amount: "CASE WHEN i % 9 <> 0 THEN amount(i, 'quoted', 98500, 101500) END",
      quote_fee_amount: "CASE WHEN i % 9 <> 0 THEN amount(i, 'quote_fee', 30, 70) END",
      quote_network_fee: "CASE WHEN i % 9 <> 0 THEN amount(i, 'quote_fee', 30, 70) END",
    },
  },
  {
    table: "protocol_fees",
    rows: "SELECT i, p FROM FILLS, range(1, 11) AS v(p) WHERE p <= fee_count(i) ORDER BY i, p",
    values: {
      ...FILL,
      kind: "CASE WHEN is_sell(order_of(i)) THEN 'sell' ELSE 'buy' END",
      position: "p",
      policy_kind: "policy_of(i, p)",
      is_partner: "CASE WHEN p > 1 THEN TRUE WHEN i % 64 <> 5 THEN FALSE END",
      recipient: "CASE WHEN p > 1 THEN address(i % 7, 'partner') END",
      factor: "CAST(factor_of(i, p) AS DOUBLE) / 10000",
      factor_wad: "factor_of(i, p) * 100000000000000",
      max_volume_factor: "CASE WHEN policy_of(i, p) <> 'volume' THEN 0.0098e0 END",
      max_volume_factor_wad: "CASE WHEN policy_of(i, p) <> 'volume' THEN 9800000000000000 END",
      fee_amount: "amount(i, 'charged' || p, 1, 100)",
      fee_token: "surplus_token(order_of(i))",
      fee_symbol:
        "'T' || token(order_of(i), CASE WHEN is_sell(order_of(i)) THEN 'to' ELSE 'from' END)",
    },
  },
  {
    table: "auctions",
    rows: `SELECT i FROM range(${IDS_PER_SHARD}) AS r(i)`,
    values: {
      auction_id: "first_id + i",
      auction_start_block: "900 + first_id + i",
      deadline_block: "1000000000",
      order_count: "400",
      solution_count: "1",
      winner_count: "1",
    },
  },
  {
    table: "order_listings",
    rows: "SELECT i FROM FILLS WHERE i % 10 <> 9 AND h(i, 'listed') % 8 <> 0 ORDER BY uid(i)",
    values: {
      order_uid: "uid(i)",
      first_auction_id: FILL.auction_id!,
      last_auction_id: `${FILL.auction_id} + CASE WHEN i % 10 = 5 THEN 1 ELSE 0 END`,
      auction_count: "CASE WHEN i % 10 = 5 THEN 2 ELSE 1 END",
    },
  },
  {
    table: "app_data",
    rows: "SELECT i FROM range(25) AS r(i) ORDER BY hash32(i, 'app')",
    values: { app_data_hash: "hash32(i, 'app')", document: "'{}'" },
  },
  {
    table: "native_prices",
    rows: `SELECT i, t FROM range(${IDS_PER_SHARD}) AS r(i), range(${TOKENS}) AS s(t) ` +
      "ORDER BY i, address(t, 'token')",
    values: {
      auction_id: "first_id + i",
      auction_start_block: "900 + first_id + i",
      token: "address(t, 'token')",
      symbol: "'T' || t",
      native_price: "any_amount(first_id + i, 'price' || t)",
    },
  },
];

function selectOf(table: string, values: Values): string {
  const types = new Map(
    tablesOf([table])[0]!.table.columns.map(({ name, dtype }) => [name, TYPES[dtype]!]),
  );
  const names = columnsOf([table])[table]!;
  const stray = Object.keys(values).find((name) => !names.includes(name));
  if (stray !== undefined) throw new TypeError(`${table} has no column ${stray}`);
  return names.map((name) => {
    const type = types.get(name) ?? (name === "chain_id" ? "BIGINT" : "VARCHAR");
    return `CAST(${values[name] ?? "NULL"} AS ${type}) AS ${name}`;
  }).join(", ");
}

async function writeTable(
  connection: DuckDBConnection,
  folder: string,
  { table, shard, select, given }: {
    readonly table: string;
    readonly shard: number;
    readonly select: string;
    readonly given: string;
  },
): Promise<DatasetFile> {
  const path = tablePath(table, shard);
  const file = new DatasetPaths(folder).file(path);
  const quoted = `'${file.replaceAll("'", "''")}'`;
  const copied = await connection.runAndReadAll(
    `COPY (SELECT ${select} FROM ${given}) TO ${quoted} (FORMAT parquet, COMPRESSION zstd)`,
  );
  const { key } = tablesOf([table])[0]!;
  const keyAt = async (direction: string) => {
    const found = await connection.runAndReadAll(
      `SELECT ${key.join(", ")} FROM read_parquet(${quoted}) ` +
        `ORDER BY ${key.map((name) => `${name} ${direction}`).join(", ")} LIMIT 1`,
    );
    return found.getRows()[0]?.map((one) => typeof one === "bigint" ? Number(one) : String(one)) ??
      null;
  };
  return {
    path,
    rows: Number(copied.getRows()[0]?.[0]),
    ...await factsOfMade(file),
    leastKey: await keyAt("ASC"),
    greatestKey: await keyAt("DESC"),
  };
}

function manifestOf(
  files: readonly DatasetFile[],
  { source, to }: { readonly source: DatasetManifest["source"]; readonly to: number },
): DatasetManifest {
  return {
    schema: MANIFEST_SCHEMA,
    library: VERSION,
    source,
    request: {
      auctions: { from: 0, to },
      dates: null,
      blocks: null,
      last: null,
      owner: null,
      uids: null,
      tables: TABLES.map(({ table }) => table),
      trades: true,
      debugReports: false,
      blockTimes: false,
      follow: false,
    },
    range: { from: 0, to },
    resolution: null,
    ids: { present: [[0, to]], absent: [], hidden: [], beforeHistory: [], failed: [] },
    items: {},
    isComplete: true,
    reportsRefused: null,
    failures: [],
    files,
    answers: {},
    drift: { unknownFields: [], unknownValues: [] },
  };
}

function textOrNull(text: string | null): string {
  return text === null ? "NULL" : `'${text.replaceAll("'", "''")}'`;
}

if (import.meta.main) {
  const [folder, fills, seed] = Deno.args;
  if (folder === undefined || !(Number(fills) > 0)) {
    throw new TypeError("Pass a folder, a number of fills, and a seed if you like");
  }
  await writeSeededFills(folder, { fills: Number(fills), ...seed !== undefined && { seed } });
}
