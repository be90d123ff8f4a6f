/**
 * `deno task check-cluster`: reads datasets with `lib/sql/python/orderlens.py` in a plain session of
 * PySpark, on a standalone cluster of a master and two workers on this machine, and compares every
 * table and view with DuckDB, cell by cell, also after a worker was killed in the middle of a query.
 * Skipped, with a line that says so, only where there is no Java.
 *
 * @module
 */
import { join } from "node:path";
import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { copyFolder } from "../tests/copy_folder.ts";
import { SHIPPED_FOLDER } from "./datasets/write_shipped.ts";
import { ensurePython } from "./jupyter/ensure_python.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { Progress, STDERR } from "./terminal/progress.ts";
import { runQuietly } from "./terminal/run_quietly.ts";
import { runTask } from "./terminal/run_task.ts";
import { report } from "./terminal/say.ts";
import { formatSeconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";

/** Auctions of the recording. */
const AUCTIONS = { from: 1001, to: 1030 };

if (import.meta.main) await runTask(checkCluster);

async function checkCluster(): Promise<void> {
  if (!await hasJava()) {
    return report("check-cluster: skipped, there is no Java; Spark needs Java 17 or newer");
  }
  const startedAt = performance.now();
  const python = await ensureClusterPython();
  const folder = await Deno.makeTempDir();
  try {
    const [market, simulated] = [`${folder}/market [1], it's {one}*`, `${folder}/simulated_1`];
    await copyFolder(`${SHIPPED_FOLDER}/market_1`, market);
    const recording = await replay("simulated_1");
    const settlementOptions = { auctions: AUCTIONS, node: recording, blockTimes: false };
    await exportDataset(connect(recording), simulated, settlementOptions);
    using progress = new Progress("Checking Spark on two workers", STDERR);
    const { success, output } = await runQuietly({
      program: python,
      args: [
        join(PROJECT_ROOT, "tools", "cluster", "check_module.py"),
        join(PROJECT_ROOT, "lib", "sql", "python"),
        market,
        simulated,
      ],
      onLine: (line) => {
        if (line.startsWith("  ok  ")) progress.say(line);
      },
    });
    if (!success) {
      throw new TaskError("Spark and DuckDB differ", {
        fix: output.split("\n").slice(-20).join("\n"),
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  report(`Spark and DuckDB agree (${formatSeconds(performance.now() - startedAt)})`);
}

/** A Python with Spark and DuckDB. */
export async function ensureClusterPython(): Promise<string> {
  return await ensurePython({
    name: "cluster",
    what: "Spark and DuckDB, about 500 MB",
    requirements: join(PROJECT_ROOT, "tools", "cluster", "requirements.txt"),
  });
}

async function hasJava(): Promise<boolean> {
  const home = Deno.env.get("JAVA_HOME");
  try {
    const program = home ? `${home}/bin/java` : "java";
    return (await new Deno.Command(program, { args: ["-version"] }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
