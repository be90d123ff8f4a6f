import { DuckDBInstance } from "@duckdb/node-api";
import { openDataset } from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import { fillsTable } from "orderlens/tables";
import type { Competition, Order, Trade } from "orderlens";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { join } from "node:path";
import { type Benchmark, type Measurement, measureRatio } from "./ratio.ts";
import { writeSeededFills } from "./seeded_fills.ts";

/** Rounds are few, since each takes seconds; planning alone takes about 0.15 s, however many rows. */
const ROUNDS = 6;
/** Copies of the dataset that ships, each with other orders, transactions, auctions and blocks. */
const COPIES = 300;
const APART = 100_000;
/** Made-up fills, of which the memory is compared. */
const [FEW, MANY] = [1_000_000, 4_000_000];
const FILLS_PER_SHARD = 125_000;

/** The view of fills in DuckDB, against the library's table of the same fills. */
export async function queryingBenchmarks(): Promise<Benchmark[]> {
  const folder = await copiedDataset();
  const dataset = await openDataset("market_1");
  const { orders, trades, competitions } = {
    orders: await Array.fromAsync(dataset.orders()),
    trades: await Array.fromAsync(dataset.trades()),
    competitions: await Array.fromAsync(dataset.competitions()),
  };
  const copies = Array.from({ length: COPIES }, (_, copy) => copy);
  const records = copies.flatMap((copy) =>
    orders.map((order) => ({
      order: orderOf(order, copy),
      trades: trades.filter(({ orderUid }) => orderUid === order.uid)
        .map((trade) => tradeOf(trade, copy)),
    }))
  );
  const auctions = copies.flatMap((copy) => competitions.map((one) => auctionOf(one, copy)));
  const output = `${folder}/fills.parquet`;
  const sql = await openSql(folder, { output });
  const [known] = await sql.query("SELECT count(slippage_net) AS fills FROM fills");
  const rows = fillsTable(records, { competitions: auctions });
  const expected = rows.height - rows.getColumn("slippage_net").nullCount();
  if (known?.fills !== expected) {
    throw new TypeError(`${known?.fills} fills in SQL, ${expected} in the table`);
  }
  return [{
    name: `fills in SQL, of ${rows.height.toLocaleString("en")} / the library's table of slippage`,
    bar: 2.0,
    measure: () =>
      measureRatio({
        reference: () => fillsTable(records, { competitions: auctions }),
        // Into a file, since rows as objects are no part of the table either.
        measured: () => sql.write("SELECT * FROM fills", output),
        rounds: ROUNDS,
      }),
  }, {
    name: `memory of fills in SQL, of ${MANY.toLocaleString("en")} / of ${
      FEW.toLocaleString("en")
    }`,
    bar: 1.2,
    measure: measureMemory,
  }];
}

/** The most memory of a process of its own, of both numbers of made-up fills. */
async function measureMemory(): Promise<Measurement> {
  const amounts: [number, number] = [await peakOf(FEW), await peakOf(MANY)];
  return { ratios: [amounts[1] / amounts[0]], amounts, unit: "MB" };
}

async function peakOf(fills: number): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    await writeSeededFills(folder, { fills, shards: Math.ceil(fills / FILLS_PER_SHARD) });
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", join(import.meta.dirname!, "query_memory.ts")],
        ...[folder, join(folder, "fills.parquet")],
      ],
      // As bin/orderlens runs queries.
      env: { MALLOC_ARENA_MAX: "1" },
      stderr: "inherit",
    }).output();
    if (!success) throw new TypeError(`The query of ${fills} fills failed, as said above`);
    const { rows, megabytes } = JSON.parse(new TextDecoder().decode(stdout));
    if (rows !== fills) throw new TypeError(`${rows} of ${fills} fills`);
    return megabytes;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function copyOf(hex: string, copy: number): string {
  return `0x${copy.toString(16).padStart(8, "0")}${hex.slice(10)}`;
}

function orderOf(order: Order, copy: number): Order {
  return { ...order, uid: copyOf(order.uid, copy) };
}

function tradeOf(trade: Trade, copy: number): Trade {
  return {
    ...trade,
    orderUid: copyOf(trade.orderUid, copy),
    txHash: trade.txHash && copyOf(trade.txHash, copy),
    blockNumber: trade.blockNumber + copy * APART,
  };
}

function auctionOf(competition: Competition, copy: number): Competition {
  const { auction, solutions } = competition;
  return {
    ...competition,
    auctionId: competition.auctionId + copy * APART,
    transactionHashes: competition.transactionHashes.map((hash) => copyOf(hash, copy)),
    auction: { ...auction, orders: auction.orders.map((uid) => copyOf(uid, copy)) },
    solutions: solutions.map((solution) => ({
      ...solution,
      ...solution.txHash != null && { txHash: copyOf(solution.txHash, copy) },
      orders: solution.orders.map((order) => ({ ...order, id: copyOf(order.id, copy) })),
    })),
  };
}

/** The dataset that ships, copied by DuckDB itself. */
async function copiedDataset(): Promise<string> {
  const shipped = `${SHIPPED_FOLDER}/market_1`;
  const folder = await Deno.makeTempDir();
  const manifest = JSON.parse(await Deno.readTextFile(`${shipped}/manifest.json`));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const files = [];
  for (const table of manifest.request.tables) {
    await Deno.mkdir(`${folder}/${table}`);
    const source = `read_parquet('${shipped}/${table}/*.parquet')`;
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
    const replaced = described.getRows().map(([name]) => String(name)).flatMap((name) => {
      if (/^order_uid$|^tx_hash(?:es)?$/.test(name)) {
        return [`'0x' || lpad(format('{:x}', copy), 8, '0') || substr(${name}, 11) AS ${name}`];
      }
      const isMoved = /auction_id$|^block_number$/.test(name);
      return isMoved ? [`${name} + copy * ${APART} AS ${name}`] : [];
    });
    const changes = replaced.length === 0 ? "" : ` REPLACE (${replaced.join(", ")})`;
    const path = `${table}/0000000000-0000000999.parquet`;
    await connection.run(
      `COPY (SELECT * EXCLUDE (copy)${changes} FROM ${source}, range(${COPIES}) AS r(copy)) ` +
        `TO '${folder}/${path}' (FORMAT parquet)`,
    );
    files.push({ path });
  }
  connection.closeSync();
  instance.closeSync();
  await Deno.writeTextFile(`${folder}/manifest.json`, JSON.stringify({ ...manifest, files }));
  return folder;
}
