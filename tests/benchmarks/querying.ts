import { DuckDBInstance } from "@duckdb/node-api";
import { openSql } from "orderlens/sql";
import { join } from "node:path";
import { type Benchmark, measureRatio } from "./ratio.ts";
import { withSeededFills } from "./seeded_fills.ts";

/** Rounds are few, since each takes a good while. */
const ROUNDS = 6;
/** Made-up fills, and four times as many, of which the memory is compared. */
const [FILLS, MORE_FILLS] = [1_000_000, 4_000_000];
/** What a cold command may take beyond the query of stock DuckDB. */
const START_MS = 1_200;
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
        const stock = await stockDuckDb(folder);
        const [ours, theirs] = [await sql.query(QUERY), await stock.query()];
        if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new TypeError("Other rows");
        try {
          return await measureRatio({
            reference: stock.query,
            measured: () => sql.query(QUERY),
            rounds: ROUNDS,
          });
        } finally {
          stock.close();
        }
      }),
  }, {
    name: `a query of ${few} fills by a cold bin/orderlens sql / stock DuckDB and 1.2 s`,
    bar: 1,
    measure: () =>
      withSeededFills(FILLS, async (folder) => {
        const stock = await stockDuckDb(folder);
        const [ratios, times]: [number[], [number, number][]] = [[], []];
        for (let round = 0; round < ROUNDS; round++) {
          const reference = START_MS + await timeOf(stock.query);
          const measured = await timeOf(() => runCommand(folder));
          ratios.push(measured / reference);
          times.push([reference, measured]);
        }
        stock.close();
        const middle = times.toSorted((a, b) => a[1] / a[0] - b[1] / b[0])[ROUNDS / 2]!;
        return { ratios: ratios.toSorted((a, b) => a - b), amounts: middle, unit: "ms" };
      }),
  }, {
    name: `memory of that query, of ${many} fills / of ${few}`,
    bar: 1.2,
    async measure() {
      const amounts = [await peakOf(FILLS), await peakOf(MORE_FILLS)] as const;
      return { ratios: [amounts[1] / amounts[0]], amounts, unit: "MB" };
    },
  }, {
    name: `memory of that query, of ${many} fills / ${MOST_MEGABYTES} MB`,
    bar: 1,
    async measure() {
      const most = await peakOf(MORE_FILLS);
      return { ratios: [most / MOST_MEGABYTES], amounts: [MOST_MEGABYTES, most], unit: "MB" };
    },
  }];
}

/** The same query by DuckDB alone, over the files as they lie. */
async function stockDuckDb(folder: string) {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const files = `read_parquet('${folder}/fills/*.parquet')`;
  return {
    query: async () => {
      const found = await connection.runAndReadAll(QUERY.replace("FROM fills", `FROM ${files}`));
      return found.getRowObjects().map((row) => ({ ...row, fills: Number(row.fills) }));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function runCommand(folder: string): Promise<void> {
  const { success } = await new Deno.Command("sh", {
    args: [join(import.meta.dirname!, "../../bin/orderlens"), "sql", folder, QUERY],
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new TypeError("The command failed, as said above");
}

/** The most memory of a process of its own. */
async function peakOf(fills: number): Promise<number> {
  return await withSeededFills(fills, async (folder) => {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", join(import.meta.dirname!, "query_memory.ts")],
        ...[folder, QUERY],
      ],
      // As bin/orderlens runs queries.
      env: { MALLOC_ARENA_MAX: "1" },
      stderr: "inherit",
    }).output();
    if (!success) throw new TypeError(`The query of ${fills} fills failed, as said above`);
    return JSON.parse(new TextDecoder().decode(stdout)).megabytes;
  });
}
