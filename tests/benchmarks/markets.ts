import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { openMarket } from "orderlens/market";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { againstBar, type Benchmark, measureRatio } from "./ratio.ts";
import { openDuckDb, withSeededFills } from "./seeded_fills.ts";

/** Made-up fills whose rows become a frame. */
const FILLS = 250_000;
const ROUNDS = 6;
const VERDICTS_MS = 3_000;

const COLUMNS = "order_uid, pair, kind, solver, block_number, slippage_net_bps, volume_native";

/** Rows with one amount, of a query in the market and of the same one in DuckDB alone. */
const QUERY = `SELECT ${COLUMNS}, surplus_atoms FROM fills`;
const STOCK_QUERY = `SELECT ${COLUMNS},
  CAST(CAST(surplus_atoms AS BIGNUM) AS VARCHAR) AS surplus_atoms FROM fills`;

/** Reads the rows of a query as a frame by DuckDB's COPY and polars alone. */
async function readByCopy(
  { connection }: Awaited<ReturnType<typeof openDuckDb>>,
  query: string,
  file: string,
): Promise<pl.DataFrame> {
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
  return pl.readParquet(file);
}

/** Writes a deployment that names no solvers, so that files are read as they are. */
async function writeDeployment(folder: string): Promise<void> {
  const shipped = await Deno.readTextFile(`${SHIPPED_FOLDER}/market_1/deployment.json`);
  const { solvers: _, ...facts } = JSON.parse(shipped);
  await Deno.writeTextFile(`${folder}/deployment.json`, JSON.stringify(facts));
}

/** What is claimed about markets. */
export function marketBenchmarks(): Benchmark[] {
  return [{
    name: `market.frame of ${FILLS.toLocaleString("en")} fills / COPY of DuckDB and polars`,
    bar: 1.3,
    measure: () =>
      withSeededFills(FILLS, (folder) =>
        withFolder(async (output) => {
          await writeDeployment(folder);
          await using market = await openMarket(folder);
          using stock = await openDuckDb();
          await stock.connection.run(
            `CREATE VIEW fills AS FROM read_parquet('${folder}/fills/*.parquet')`,
          );
          const file = join(output, "rows.parquet");
          const reference = () => readByCopy(stock, STOCK_QUERY, file);
          const measured = () => market.frame(QUERY);
          const [theirs, ours] = [await reference(), await measured()];
          if (!ours.frameEqual(theirs)) throw new TypeError("Other rows");
          return await measureRatio({ reference, measured, rounds: ROUNDS });
        })),
  }, {
    name: "time of market.verdicts of market_1 on one core, records included / 3 s",
    bar: 1,
    measure: async () => {
      const times = await Array.fromAsync({ length: 4 }, async () => {
        await using market = await openMarket("market_1");
        const begun = process.cpuUsage();
        await market.verdicts();
        const { user, system } = process.cpuUsage(begun);
        return (user + system) / 1_000;
      });
      // The first round warms up.
      return againstBar(VERDICTS_MS, times.slice(1));
    },
  }];
}
