/**
 * `deno task check-cluster`: tables, views and functions on a real cluster of Spark, two worker
 * processes on this machine, against DuckDB: all rows to the atom, failures on purpose, amounts that
 * are refused as text, a worker killed in the middle of a query, and a result with its manifest.
 * Skipped, with a line that says so, only where there is no Java.
 *
 * @module
 */
import { DuckDBInstance } from "@duckdb/node-api";
import { dirname, join } from "node:path";
import { connect } from "orderlens";
import { exportDataset, openDataset, publishIceberg } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { openSpark, openSql, type SparkSession, type SqlRow, type SqlSession } from "orderlens/sql";
import { sqlValue } from "../lib/sql/sql_result.ts";
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
import { filesBelow } from "./testing/files_below.ts";

/** Auctions of the recording. */
const AUCTIONS = { from: 1001, to: 1030 };
/** Sums over all pairs of fills, in so many tasks that a worker always dies between two of them. */
const LONG_QUERY = `
  SELECT a.solver, count(*) AS pairs, u_sum(a.sell_amount_atoms) AS total
  FROM (SELECT /*+ REPARTITION(64) */ solver, sell_amount_atoms FROM fills) AS a
  CROSS JOIN fills AS b
  CROSS JOIN range(100) AS r(i)
  GROUP BY a.solver`;

/** What fails on the workers, over rows of a table, and a part of what the error says. */
const FAILING_ON_WORKERS: Readonly<Record<string, string>> = {
  "SELECT u_key(owner) AS x FROM trades": "u_key: not a whole number of at most 90 digits: 0x",
  "SELECT u_sum(surplus_atoms || repeat('0', 80)) AS x FROM fills": "at most 90 digits",
  "SELECT CAST(owner AS BIGINT) AS x FROM trades": 'cannot be cast to "BIGINT"',
};

/** What takes an amount as text, and the column that the error names. */
const REFUSED: Readonly<Record<string, string>> = {
  "SELECT sum(score_atoms) FROM outcomes": "score_atoms",
  "SELECT avg(surplus_atoms) FROM fills": "surplus_atoms",
  "SELECT median(score_atoms) FROM outcomes": "score_atoms",
  "SELECT max(score_atoms) FROM outcomes": "score_atoms",
  "SELECT solver FROM outcomes ORDER BY score_atoms": "score_atoms",
  "SELECT solver FROM outcomes WHERE score_atoms > '5'": "score_atoms",
  "SELECT solver FROM outcomes WHERE score_atoms > 5": "score_atoms",
  "SELECT score_atoms + 1 FROM outcomes": "score_atoms",
  "SELECT greatest(score_atoms, '5') FROM outcomes": "score_atoms",
  "SELECT max_by(solver, score_atoms) FROM outcomes": "score_atoms",
  "SELECT rank() OVER (ORDER BY score_atoms) FROM outcomes": "score_atoms",
  "SELECT (SELECT min(score_atoms) FROM outcomes)": "score_atoms",
  "SELECT solver, u_sum(score_atoms) AS total FROM outcomes GROUP BY solver ORDER BY total":
    "total",
  "WITH a AS (SELECT score_atoms AS s FROM outcomes) SELECT max(s) FROM a": "s",
  "SELECT score_won_atoms FROM leaderboard ORDER BY score_won_atoms": "score_won_atoms",
};

/** What takes it as it should be, or as it says. */
const TAKEN = `
  SELECT count(*) AS n, max_by(solver, u_key(score_atoms)) AS best,
    sum(CASE WHEN score_atoms = '0' THEN 1 ELSE 0 END) AS zero,
    sum(CASE WHEN u_key(score_atoms) > u_key('1000') THEN 1 ELSE 0 END) AS above,
    sum(CASE WHEN CAST(score_atoms AS DOUBLE) > 1e3 THEN 1 ELSE 0 END) AS cast_above,
    max(score_native) AS largest, count(DISTINCT score_atoms) AS different
  FROM outcomes`;

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
    using progress = new Progress("Checking Spark on two workers", STDERR);
    const spark = await openSpark(folders, {
      master: CLUSTER,
      conf: clusterConf(mark),
      onStep: (text) => progress.update(text),
    });
    try {
      using sql = await openSql(folders);
      const checks: Readonly<Record<string, () => Promise<string>>> = {
        "tables and views": () => checkRelations(spark, sql, mark),
        functions: () => checkFunctions(spark),
        failures: () => checkFailures(spark),
        "a killed worker": () => checkKilledWorker(spark, sql, mark),
        "an Iceberg catalogue": () => checkIceberg(market, `${folder}/iceberg`),
        "a result": () => checkResult(spark, sql, `${folder}/result`),
        "amounts as text": () => checkRefused(spark, sql),
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

async function checkRelations(spark: SparkSession, sql: SqlSession, mark: string): Promise<string> {
  let rows = 0;
  const asked = [
    "fills",
    "outcomes",
    "bids",
    "leaderboard",
    "solver_days",
    "pairs",
  ];
  for (const { name, columns } of sql.relations.filter(({ name }) => asked.includes(name))) {
    const query = `SELECT * FROM ${name}`;
    const found = await spark.query(query);
    requireSame(name, found, await sql.query(query));
    const names = Object.keys(found[0]!).join();
    if (names !== columns.map((one) => one.name).join()) throw new TaskError(`${name}: ${names}`);
    rows += found.length;
  }
  const workers = await workerProcesses(mark);
  if (workers.length !== 2) throw new TaskError(`${workers.length} workers run, not two`);
  return `${rows} rows of ${asked.length}, on two workers`;
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
  const left = await workerProcesses(mark);
  if (left.includes(victim)) throw new TaskError("The worker that was killed still runs");
  return `the same answer, killed ${killedAt}`;
}

/** The files of a dataset as Iceberg tables, whose rows are counted by way of the catalogue. */
async function checkIceberg(dataset: string, into: string): Promise<string> {
  const { manifest: { files } } = await openDataset(dataset);
  const tables = Object.entries(await publishIceberg(dataset, into));
  for (const [table, rows] of tables) {
    const wanted = files.filter(({ path }) => path.startsWith(`${table}/`))
      .reduce((sum, file) => sum + file.rows, 0);
    if (rows !== wanted) throw new TaskError(`${table}: ${rows} rows in Iceberg, not ${wanted}`);
  }
  const said = await publishIceberg(dataset, into).then(() => "nothing", String);
  if (!said.includes("something is there")) throw new TaskError(`A second time: ${said}`);
  const moved = `${into}-elsewhere`;
  const there = await publishIceberg(dataset, moved, { location: "s3://a/b" });
  requireSame("a catalogue of another place", [there], [Object.fromEntries(tables)]);
  for await (const path of filesBelow(moved, ["."])) {
    const text = new TextDecoder("latin1").decode(await Deno.readFile(join(moved, path)));
    if (text.includes(dirname(moved))) {
      throw new TaskError(`${path} names a folder of this machine`);
    }
  }
  return `${tables.length} tables, registered as they lie`;
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
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, sqlValue(value, "")]))
  );
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** Refuses what would be wrong, before a row is read, and takes what is right. */
async function checkRefused(spark: SparkSession, sql: SqlSession): Promise<string> {
  for (const [query, column] of Object.entries(REFUSED)) {
    const said = await spark.query(query).then(() => "nothing", String);
    const wanted = `it takes ${column} as text`;
    if (!said.includes(wanted) || !said.includes(`u_key(${column})`)) {
      throw new TaskError(`${query} says ${said}, not ${wanted}`);
    }
  }
  requireSame("what takes amounts", await spark.query(TAKEN), await sql.query(TAKEN));
  return `${Object.keys(REFUSED).length} queries are refused`;
}
