import { openSpark, type SparkSession } from "orderlens/sql";
import { CLUSTER } from "../../tools/cluster/cluster_conf.ts";
import { workerProcesses } from "../../tools/cluster/worker_processes.ts";
import { type Benchmark, measureRatio } from "./ratio.ts";
import { writeSeededFills } from "./seeded_fills.ts";

const FILLS = 1_000_000;
const MORE_FILLS = 4 * FILLS;
const ONE_WORKER = "local-cluster[1,1,1024]";
/** Blocks with about 100,000 fills. */
const WARM_BLOCKS = 26_000;
/** Rounds are few, since each takes many seconds. */
const ROUNDS = 3;
const KIB = 1_024;

const EXACT = "u_muldiv(sell_amount, buy_amount, sell_amount_before_fees)";
const DOUBLE = "CAST(sell_amount AS DOUBLE) * CAST(buy_amount AS DOUBLE) / " +
  "nullif(CAST(sell_amount_before_fees AS DOUBLE), 0e0)";

/** Made-up fills on Spark: two workers, exact functions, and the memory of the driver. */
export function clusteringBenchmarks(): Benchmark[] {
  return [
    {
      name: `fills on Spark, of ${FILLS.toLocaleString("en")}, with two workers / with one`,
      bar: 1 / 1.5,
      measure: () =>
        withFills(FILLS, async (folder, output) => {
          const timeOn = (master: string) =>
            withSpark(folder, master, async (spark) => {
              // The first run loads and compiles what the second uses, in each worker.
              await spark.write(`SELECT * FROM fills WHERE block_number < ${WARM_BLOCKS}`, output);
              const start = performance.now();
              await spark.write("SELECT * FROM fills", output);
              return performance.now() - start;
            });
          const amounts = [await timeOn(ONE_WORKER), await timeOn(CLUSTER)] as const;
          return { ratios: [amounts[1] / amounts[0]], amounts, unit: "ms" };
        }),
    },
    {
      name: `exact mulDivs on Spark, of ${FILLS.toLocaleString("en")} / doubles`,
      bar: 4,
      measure: () =>
        withFills(FILLS, (folder) =>
          withSpark(folder, CLUSTER, async (spark) => {
            const query = (expression: string) =>
              spark.query(
                `SELECT count(${expression}) AS n FROM trades WHERE sell_amount_before_fees <> '0'`,
              );
            return await measureRatio({
              reference: () => query(DOUBLE),
              measured: () => query(EXACT),
              rounds: ROUNDS,
            });
          })),
    },
    {
      name: `memory of the driver, ${MORE_FILLS.toLocaleString("en")} fills / ` +
        FILLS.toLocaleString("en"),
      bar: 1.2,
      async measure() {
        const amounts = [await driverMegabytes(FILLS), await driverMegabytes(MORE_FILLS)] as const;
        return { ratios: [amounts[1] / amounts[0]], amounts, unit: "MB" };
      },
    },
  ];
}

/** The largest resident memory of a driver that writes all fills. */
async function driverMegabytes(fills: number): Promise<number> {
  return await withFills(
    fills,
    (folder, output) =>
      withSpark(folder, CLUSTER, async (spark, mark) => {
        await spark.write("SELECT * FROM fills", output);
        const [driver] = await workerProcesses(mark, "org.apache.spark.deploy.SparkSubmit");
        const status = await Deno.readTextFile(`/proc/${driver}/status`);
        return Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1]) / KIB;
      }),
  );
}

async function withSpark<Result>(
  folder: string,
  master: string,
  use: (spark: SparkSession, mark: string) => Promise<Result>,
): Promise<Result> {
  const mark = crypto.randomUUID();
  const spark = await openSpark(folder, {
    master,
    conf: {
      "spark.sql.shuffle.partitions": "8",
      "spark.driver.memory": "1g",
      // A worker is one core: other collectors of garbage take the core of the one that is missing.
      "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
      "spark.driver.extraJavaOptions": `-Dorderlens.mark=${mark}`,
    },
  });
  try {
    return await use(spark, mark);
  } finally {
    await spark.close();
  }
}

async function withFills<Result>(
  fills: number,
  use: (folder: string, output: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    await writeSeededFills(`${folder}/fills`, { fills });
    return await use(`${folder}/fills`, `${folder}/output`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
