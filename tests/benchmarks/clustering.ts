import { openSpark } from "orderlens/sql";
import { CLUSTER } from "../../tools/cluster/cluster_conf.ts";
import { type Benchmark, measurementOf } from "./ratio.ts";
import { withSeededFills } from "./seeded_fills.ts";

const FILLS = 10_000_000;
const ONE_WORKER = "local-cluster[1,1,1024]";
/** Exact sums by week and solver. */
const QUERY = `
  SELECT filled_at_ms div 604800000 AS week, solver, count(*) AS fills,
    u_sum(surplus_atoms) AS surplus_atoms, u_sum(volume_atoms) AS volume_atoms
  FROM fills WHERE block_number >= FROM_BLOCK
  GROUP BY filled_at_ms div 604800000, solver`;

/** Made-up fills on Spark: two workers against one. */
export function clusteringBenchmarks(): Benchmark[] {
  return [{
    name: `exact sums of ${FILLS.toLocaleString("en")} fills on Spark, two workers / one`,
    bar: 1 / 1.5,
    measure: () =>
      withSeededFills(FILLS, async (folder, output) => {
        const [one, oneRows] = await timeOn(ONE_WORKER, folder, output);
        const [two, twoRows] = await timeOn(CLUSTER, folder, output);
        if (oneRows !== twoRows) throw new TypeError(`${oneRows} rows, then ${twoRows}`);
        return measurementOf([[one, two]]);
      }),
  }];
}

async function timeOn(
  master: string,
  folder: string,
  output: string,
): Promise<[milliseconds: number, rows: number]> {
  const spark = await openSpark(folder, {
    master,
    conf: {
      "spark.sql.shuffle.partitions": "2",
      "spark.driver.memory": "1g",
      // A worker is one core: other collectors of garbage take the core of the one that is missing.
      "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
    },
  });
  try {
    // The first run loads and compiles what the second uses, in each worker.
    await spark.write(QUERY.replace("FROM_BLOCK", String(FILLS / 4 * 0.95)), output);
    const start = performance.now();
    const { rows } = await spark.write(QUERY.replace("FROM_BLOCK", "0"), output);
    return [performance.now() - start, rows];
  } finally {
    await spark.close();
  }
}
