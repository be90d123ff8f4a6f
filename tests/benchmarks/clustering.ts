import { join } from "node:path";
import { ensureClusterPython } from "../../tools/check_cluster.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { type Benchmark, measurementOf } from "./ratio.ts";
import { writeSeededTables } from "./seeded_fills.ts";

const BIDS = 10_000_000;

/** A view over made-up bids on a cluster of Spark: two workers against one. */
export function clusteringBenchmarks(): Benchmark[] {
  return [{
    name: `pairs of ${BIDS.toLocaleString("en")} bids on Spark, two workers / one`,
    bar: 1 / 1.5,
    measure: () =>
      withFolder(async (folder) => {
        await writeSeededTables(folder, { bids: BIDS });
        const one = await timePairs(folder, 1);
        const two = await timePairs(folder, 2);
        if (one.rows !== two.rows) throw new TaskError(`${one.rows} rows, then ${two.rows}`);
        return measurementOf([[one.seconds * 1000, two.seconds * 1000]]);
      }),
  }];
}

/** Runs the view on a cluster of its own. */
async function timePairs(
  folder: string,
  workers: number,
): Promise<{ seconds: number; rows: number }> {
  const { success, output } = await runQuietly({
    program: await ensureClusterPython(),
    args: [
      join(PROJECT_ROOT, "tools", "cluster", "time_view.py"),
      join(PROJECT_ROOT, "lib", "sql", "python"),
      folder,
      ...["pairs", String(workers)],
    ],
  });
  const [result] = output.split("\n").filter((line) => line.startsWith('{"seconds"'));
  if (!success || result === undefined) throw new TaskError(output.slice(-500));
  return JSON.parse(result);
}
