/**
 * `deno task check-cluster`: the views and the exact functions on a real cluster of Spark, two worker
 * processes on this machine, against DuckDB: all rows to the atom, failures on purpose, a worker
 * killed in the middle of a query, datasets that a filter leaves out, and a result with its manifest.
 * Skipped, with a line that says so, only where there is no Java.
 *
 * @module
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { connect } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import {
  openSpark,
  openSql,
  readViews,
  type SparkSession,
  type SqlRow,
  type SqlSession,
} from "orderlens/sql";
import { sqlValue } from "../lib/sql/engine/sql_values.ts";
import { EXACT_VECTORS, FAILING_VECTORS, vectorQuery } from "../tests/sql/exact_vectors.ts";
import { CLUSTER, clusterConf } from "./cluster/cluster_conf.ts";
import { copyFolder } from "./cluster/copy_folder.ts";
import { requireSame } from "./cluster/same_rows.ts";
import { workerProcesses } from "./cluster/worker_processes.ts";
import { SHIPPED_FOLDER } from "./datasets/write_shipped.ts";
import { Progress, STDERR } from "./terminal/progress.ts";
import { runTask } from "./terminal/run_task.ts";
import { report } from "./terminal/say.ts";
import { seconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";

/** Auctions of the recording, and the chain of each dataset. */
const AUCTIONS = { from: 1001, to: 1030 };
const SHIPPED_CHAIN = 1;

/** Products of all pairs of fills, several times. */
const LONG_QUERY = `
  SELECT a.solver, count(*) AS products, u_sum(u_muldiv(a.sell_amount, b.buy_amount, '997')) AS total
  FROM trades a CROSS JOIN trades b CROSS JOIN range(4) AS r(i)
  GROUP BY a.solver`;

/** What fails on the workers, over rows of a table, and a part of what the error says. */
const FAILING_ON_WORKERS: Readonly<Record<string, string>> = {
  "SELECT u_muldiv(sell_amount, '2', u_sub(buy_amount, buy_amount)) AS x FROM trades":
    ", 2, 0): division by zero",
  "SELECT u_add(owner, '1') AS x FROM trades": "is not a whole number in decimal digits",
  "SELECT u_sum(u_muldiv(sell_amount || repeat('0', 80), '1', '1')) AS x FROM trades":
    "at most 90 digits",
};

if (import.meta.main) await runTask(checkCluster);

async function checkCluster(): Promise<void> {
  if (!await hasJava()) {
    return report("check-cluster: skipped, there is no Java; Spark needs Java 17 or newer");
  }
  const started = performance.now();
  const folder = await Deno.makeTempDir();
  const mark = crypto.randomUUID();
  try {
    const [market, simulated] = [`${folder}/market [1], it's {one}*`, `${folder}/simulated_1`];
    await copyFolder(`${SHIPPED_FOLDER}/market_1`, market);
    await exportDataset(connect(await replay("simulated_1")), simulated, { auctions: AUCTIONS });
    const folders = [market, simulated];
    const options = { rulesOf: "mainnet" };
    using progress = new Progress("Checking Spark on two workers", STDERR);
    const spark = await openSpark(folders, {
      ...options,
      master: CLUSTER,
      conf: clusterConf(mark),
      onStep: (text) => progress.update(text),
    });
    try {
      using sql = await openSql(folders, options);
      const checks: Readonly<Record<string, () => Promise<string>>> = {
        views: () => checkViews(spark, sql),
        functions: () => checkFunctions(spark),
        failures: () => checkFailures(spark),
        "a killed worker": () => checkKilledWorker(spark, sql, mark),
        "a result": () => checkResult(spark, sql, `${folder}/result`),
        "pruned datasets": () => checkPruning(spark, sql, { market, simulated }),
      };
      progress.update("Comparing Spark with DuckDB");
      progress.say(`  ok  Spark ${spark.version} on ${CLUSTER} (${seconds(progress.elapsed)})`);
      for (const [name, check] of Object.entries(checks)) {
        const before = performance.now();
        const found = await check();
        progress.say(`  ok  ${name}: ${found} (${seconds(performance.now() - before)})`);
      }
    } finally {
      await spark.close();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const left = await workerProcesses(mark);
  if (left.length > 0) throw new TaskError(`${left.length} workers still run`);
  report(`Spark and DuckDB agree (${seconds(performance.now() - started)})`);
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

async function checkViews(spark: SparkSession, sql: SqlSession): Promise<string> {
  let rows = 0;
  for (const { name, columns } of await readViews()) {
    const query = `SELECT * FROM ${name}`;
    const found = await spark.query(query);
    requireSame(name, found, await sql.query(query));
    const names = Object.keys(found[0]!).join();
    if (names !== columns.map((one) => one.name).join()) throw new TaskError(`${name}: ${names}`);
    rows += found.length;
  }
  const used = (await spark.executors()).filter(({ tasks }) => tasks > 0);
  if (used.length !== 2) throw new TaskError(`${used.length} workers had tasks, not two`);
  return `${rows} rows, tasks of the workers: ${used.map(({ tasks }) => tasks).join(" and ")}`;
}

async function checkFunctions(spark: SparkSession): Promise<string> {
  const [row] = await spark.query(vectorQuery(EXACT_VECTORS));
  for (const [place, { expression, value }] of EXACT_VECTORS.entries()) {
    const found = row?.[`v${place}`];
    if (!Object.is(found, value)) {
      throw new TaskError(`${expression} is ${found} in Spark, not ${value}`);
    }
  }
  return `${EXACT_VECTORS.length} values`;
}

async function checkFailures(spark: SparkSession): Promise<string> {
  const queries = [
    ...FAILING_VECTORS.map((one) => [vectorQuery([one]), one.says] as const),
    ...Object.entries(FAILING_ON_WORKERS),
  ];
  for (const [query, says] of queries) {
    const said = await spark.query(query).then(() => "nothing", String);
    if (!said.includes(says)) throw new TaskError(`${query} says ${said}, not ${says}`);
  }
  return `${queries.length} queries fail as they must`;
}

async function checkKilledWorker(
  spark: SparkSession,
  sql: SqlSession,
  mark: string,
): Promise<string> {
  const [victim] = await workerProcesses(mark);
  if (victim === undefined) throw new TaskError("There is no worker to kill");
  let killedAt = "";
  const rows = await spark.query(LONG_QUERY, {
    onProgress(done, total) {
      if (killedAt !== "" || done === 0 || done === total) return;
      Deno.kill(victim, "SIGKILL");
      killedAt = `after ${done} of ${total} tasks`;
    },
  });
  if (killedAt === "") throw new TaskError("The query ended before a worker was killed");
  requireSame("a query whose worker was killed", rows, await sql.query(LONG_QUERY));
  const lost = (await spark.executors()).filter(({ isActive }) => !isActive);
  if (lost.length !== 1) throw new TaskError(`${lost.length} workers were lost, not one`);
  return `the same answer, killed ${killedAt}`;
}

async function checkResult(spark: SparkSession, sql: SqlSession, output: string): Promise<string> {
  const query = "SELECT * FROM trades ORDER BY chain_id, block_number, log_index LIMIT 10000";
  const { rows, files } = await spark.write(query, output);
  for (const { path, sha256, bytes } of files) {
    const content = await Deno.readFile(`${output}/${path}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content)).toHex();
    if (digest !== sha256 || content.length !== bytes) throw new TaskError(`${path} is another`);
  }
  const wanted = await sql.query(query);
  if (rows !== wanted.length) throw new TaskError(`${rows} rows written, not ${wanted.length}`);
  requireSame("a result that was written", await rowsOfFiles(output), wanted);
  return `${rows} rows in ${files.length} files, read again by DuckDB`;
}

async function rowsOfFiles(folder: string): Promise<SqlRow[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`SELECT * FROM '${folder}/*.parquet'`);
  const rows = found.getRowObjects().map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sqlValue(value)]))
  );
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** The files of one dataset are removed: only a query that leaves it out still works. */
async function checkPruning(
  spark: SparkSession,
  sql: SqlSession,
  { market, simulated }: { readonly market: string; readonly simulated: string },
): Promise<string> {
  const of = (view: string) => `SELECT * FROM ${view} WHERE chain_id = ${SHIPPED_CHAIN}`;
  const wanted = [await sql.query(of("trades")), await sql.query(of("auctions"))];
  const files = await spark.files(of("auctions"));
  const all = await spark.files("SELECT * FROM auctions");
  for (const table of ["trades", "auctions", "solutions", "reference_scores"]) {
    await Deno.remove(`${simulated}/${table}`, { recursive: true });
  }
  requireSame("trades of one chain", await spark.query(of("trades")), wanted[0]!);
  requireSame("auctions of one chain", await spark.query(of("auctions")), wanted[1]!);
  const said = await spark.query("SELECT * FROM trades").then(() => "nothing", String);
  if (!said.includes("Cannot run the query")) throw new TaskError(`Without files: ${said}`);
  const others = files.map(decodeURIComponent).filter((one) => !one.includes(`${market}/`));
  if (others.length > 0) throw new TaskError(`A filter still reads ${others.join(", ")}`);
  return `${files.length} of ${all.length} files are read`;
}
