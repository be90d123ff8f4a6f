import { checkDataset } from "orderlens/datasets";
import { openSql } from "orderlens/sql";
import { join } from "node:path";
import {
  againstBar,
  type Benchmark,
  measurementOf,
  measureRatio,
  millisecondsOf,
} from "./ratio.ts";
import { LAUNCHER, runWhole } from "./benchmark_program.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { openDuckDb, withSeededFills, writeSeededViews } from "./seeded_fills.ts";

/** Rounds are few, since each takes a good while. */
const ROUNDS = 6;
/** Made-up fills, and four times as many, of which the memory is compared. */
const [FILLS, MORE_FILLS] = [1_000_000, 4_000_000];
/** What a cold command may take beyond the query of stock DuckDB. */
const START_MS = 1_200;
/** What a check of these fills may take. */
const MAX_CHECK_MS = 5_000;
const MOST_MEGABYTES = 400;

const QUERY = "SELECT pair, count(*) AS fills, median(slippage_net_bps) AS bps, " +
  "quantile_cont(slippage_net_bps, 0.9) AS high FROM fills GROUP BY pair ORDER BY pair";

/** Made-up fills in `orderlens sql`, against stock DuckDB on the same files. */
export function queryingBenchmarks(): Benchmark[] {
  const [few, many] = [FILLS, MORE_FILLS].map((one) => one.toLocaleString("en"));
  return [{
    name: `a query of ${few} fills, the session open / stock DuckDB`,
    bar: 1.5,
    measure: () =>
      withSeededFills(FILLS, async (folder) => {
        using sql = await openSql(folder, { threads: 2 });
        using stock = await stockDuckDb(folder);
        const [ours, theirs] = [await sql.query(QUERY), await stock.query()];
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new TypeError("Other rows");
        return await measureRatio({
          reference: stock.query,
          measured: () => sql.query(QUERY),
          rounds: ROUNDS,
        });
      }),
  }, {
    name: `a query of ${few} fills by a cold bin/orderlens sql / stock DuckDB and 1.2 s`,
    bar: 1,
    measure: () =>
      withSeededFills(FILLS, async (folder) => {
        using stock = await stockDuckDb(folder);
        const command = () => runWhole(LAUNCHER, ["sql", folder, QUERY]);
        const round = async () => {
          const reference = START_MS + await millisecondsOf(stock.query);
          return [reference, await millisecondsOf(command)] as const;
        };
        return measurementOf(await Array.fromAsync({ length: ROUNDS }, round));
      }),
  }, {
    name: `checkDataset() of ${few} fills / ${MAX_CHECK_MS / 1000} s`,
    bar: 1,
    measure: () =>
      withSeededFills(FILLS, async (folder) => {
        const round = async () =>
          [MAX_CHECK_MS, await millisecondsOf(() => checkDataset(folder))] as const;
        return measurementOf(await Array.fromAsync({ length: ROUNDS }, round));
      }),
  }, {
    name: `memory of that query, of ${many} fills / of ${few}`,
    bar: 1.2,
    measure: async () => measurementOf([[await peakOf(FILLS), await peakOf(MORE_FILLS)]], "MB"),
  }, {
    name: `memory of that query, of ${many} fills / ${MOST_MEGABYTES} MB`,
    bar: 1,
    measure: async () => againstBar(MOST_MEGABYTES, [await peakOf(MORE_FILLS)], "MB"),
  }, {
    name: `memory of the view that needs most, of ${many} fills, trades and bids, in 2 GB / 3 GB`,
    bar: 1,
    measure: () =>
      withFolder(async (folder) => {
        await writeSeededViews(folder, MORE_FILLS);
        const peaks: number[] = [];
        for (const view of VIEWS) {
          // Every column of every row.
          const query = `SELECT max(CAST(COLUMNS(*) AS VARCHAR)) FROM ${view}`;
          peaks.push(await measurePeak(folder, query, "2GB"));
        }
        return againstBar(3_000, [Math.max(...peaks)], "MB");
      }),
  }];
}

/** Views of which each adds up most of its tables. */
const VIEWS = ["leaderboard", "pairs", "concentration", "cow_shares", "gas_surplus"];

/** The same query by DuckDB alone, over the files as they lie. */
async function stockDuckDb(folder: string) {
  const duckDb = await openDuckDb();
  const files = `read_parquet('${folder}/fills/*.parquet')`;
  const query = async () => {
    const sql = QUERY.replace("FROM fills", `FROM ${files}`);
    const found = await duckDb.connection.runAndReadAll(sql);
    return found.getRowObjects().map((row) => ({ ...row, fills: Number(row.fills) }));
  };
  return { ...duckDb, query };
}

const MEASURED = join(import.meta.dirname!, "query_memory.ts");

/** The most memory of a query of made-up fills, in a process of its own. */
async function peakOf(fills: number): Promise<number> {
  return await withSeededFills(fills, (folder) => measurePeak(folder, QUERY));
}

async function measurePeak(folder: string, ...query: string[]): Promise<number> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", MEASURED, folder, ...query],
    // As bin/orderlens runs queries.
    env: { MALLOC_ARENA_MAX: "1" },
    stderr: "inherit",
  }).output();
  if (!success) throw new TypeError(`The query failed, as said above: ${query[0]}`);
  return JSON.parse(new TextDecoder().decode(stdout)).megabytes;
}
