import { InputError } from "../../errors/mod.ts";
import {
  MessageProcess,
  preparePython,
  type PythonSetup,
} from "../../datasets/python/prepare_python.ts";
import {
  callable,
  checkOptions,
  type OptionRules,
  SIGNAL,
  TEXT,
  textsByName,
} from "../../errors/option_rules.ts";
import { localFiles, makeTemporaryFolder } from "../../http/local_files.ts";
import { DatasetFiles, type DatasetFolders } from "../dataset_files.ts";
import { AMOUNT_COLLATION } from "../expand_calls.ts";
import { DERIVED_FROM } from "../derived_tables.ts";
import { openSql } from "../open_sql.ts";
import {
  definitions,
  isLocal,
  requireMaster,
  type SparkConf,
  sparkConf,
  sparkEnded,
  SparkSession,
} from "./spark_session.ts";

/** Options of {@linkcode openSpark}. */
export interface SparkOptions {
  /**
   * The cluster: `local[*]` and `local-cluster[2,1,1024]` on this machine, `spark://host:7077`, `yarn`,
   * or `k8s://https://host:6443`.
   *
   * @default {"local[*]"}
   */
  readonly master?: string | undefined;
  /** Settings of Spark, such as `spark.executor.memory`. @default {none} */
  readonly conf?: SparkConf | undefined;
  /** Folder that Spark is installed into. @default {`spark` in the user's cache folder} */
  readonly cacheFolder?: string | undefined;
  /** Called with what is being done, such as installing, in a few words. */
  readonly onStep?: ((text: string) => void) | undefined;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: OptionRules<SparkOptions> = {
  master: TEXT,
  conf: textsByName("texts"),
  cacheFolder: TEXT,
  onStep: callable(),
  signal: SIGNAL,
};

/**
 * Opens datasets for SQL on Spark: the tables and views of {@linkcode openSql}, on one
 * machine or on a cluster. Amounts are text there: a query that would order them as text, or read them
 * as doubles, is rejected with what to write.
 *
 * The first call installs Spark into the user's cache folder, about 500 MB, from pinned versions with
 * hashes; it needs Python 3.11 or newer, and Java 17 or newer. Datasets of several networks are
 * queried as one.
 * The workers of a cluster read the files themselves: folders must have the same path everywhere.
 *
 * @param folders Folder of a dataset, the name of one that ships, or several without rows in common.
 * @throws {InputError} If one is not a dataset, two have rows in common, an option is invalid, or Spark
 *   cannot be installed or started.
 *
 * @example Wins on two workers (not run: it installs Spark)
 * ```ts ignore
 * import { openSpark } from "orderlens/sql";
 *
 * const spark = await openSpark("market_1", { master: "local-cluster[2,1,1024]" });
 * const rows = await spark.query("SELECT solver, auctions_won, score_won_atoms FROM leaderboard");
 * await spark.close();
 * ```
 */
export async function openSpark(
  folders: DatasetFolders,
  options: SparkOptions = {},
): Promise<SparkSession> {
  checkOptions(options, OPTIONS, "Cannot open datasets on Spark");
  const { master = "local[*]", conf = {}, onStep = () => {}, signal } = options;
  requireMaster(master);
  const files = await DatasetFiles.read(folders);
  if (files.hasEnvironments) {
    throw new InputError("Cannot open datasets of several environments of a chain on Spark", {
      remedy: "Query them on DuckDB, which counts each fill once, or open one of them",
    });
  }
  // It rejects tables of other versions, and rows that are twice.
  const sql = await openSql(folders);
  const { relations, warnings } = sql;
  sql[Symbol.dispose]();
  const { python } = await preparePython(await sparkSetup(), options);
  signal?.throwIfAborted();
  const folder = await makeTemporaryFolder("orderlens-spark-");
  await localFiles().writeFile(`${folder}/driver.py`, await program("driver.py"));
  // What workers still write there at their end is left to the system.
  const release = () => localFiles().rm(folder, { recursive: true }).catch(() => {});
  const process = new MessageProcess({
    program: python,
    args: [`${folder}/driver.py`],
    variables: {
      PYTHONUTF8: "1",
      PYTHONNOUSERSITE: "1",
      PYTHONPATH: "",
      ...isLocal(master) && {
        SPARK_LOCAL_IP: "127.0.0.1",
        SPARK_WORKER_DIR: `${folder}/workers`,
        PYSPARK_PYTHON: python,
        PYSPARK_DRIVER_PYTHON: python,
      },
    },
    folder,
  });
  const stop = () => void process.stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    onStep("Starting Spark");
    await process.send({
      kind: "open",
      master,
      conf: sparkConf(conf, { master, folder }),
      collation: AMOUNT_COLLATION,
    });
    const opened = await process.receive();
    signal?.throwIfAborted();
    if (opened?.kind !== "opened") {
      throw sparkEnded(opened === null ? process.lastLines : [String(opened.message)]);
    }
    return new SparkSession({
      process,
      relations: relations.filter(({ name }) => !DERIVED_FROM.has(name)),
      warnings,
      definitions: definitions(files),
      requireWhole: (table) => files.requireWhole(table),
      missing: new Map([
        ...files.missing,
        ...DERIVED_FROM.keys().map((name) => [name, IN_DUCKDB] as const),
      ]),
      facts: {
        engine: { name: "spark", version: String(opened.version) },
        tables: [],
        ...await files.facts(),
      },
      release,
    });
  } catch (error) {
    await process.stop();
    await release();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

const IN_DUCKDB =
  "Query it in DuckDB (`querySql`, no `--engine spark`): the library makes this table there alone";

/** What is installed for Spark, of pinned versions with hashes. */
export async function sparkSetup(): Promise<PythonSetup> {
  return {
    name: "spark",
    what: "Spark",
    size: "about 500 MB",
    needsJava: true,
    requirements: await program("requirements.txt"),
    buildRequirements: await program("build_requirements.txt"),
  };
}

async function program(name: string): Promise<string> {
  return await localFiles().readFile(new URL(`./programs/${name}`, import.meta.url), "utf8");
}
