import { InputError } from "../../errors/mod.ts";

/** Settings of Spark, by name. */
export type SparkConf = Readonly<Record<string, string>>;

/** Settings that results depend on: the library sets them. */
const FIXED: SparkConf = {
  // Overflows, bad casts and divisions by zero are errors, and no nulls.
  "spark.sql.ansi.enabled": "true",
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
  "spark.sql.caseSensitive": "false",
  // Text between quotes means what it means in DuckDB: "a name", and 'a backslash \\ as it is'.
  "spark.sql.ansi.doubleQuotedIdentifiers": "true",
  "spark.sql.parser.escapedStringLiterals": "true",
  // Views name each other, and each name is looked up in a round of its own.
  "spark.sql.analyzer.maxIterations": "1000",
  "spark.sql.optimizer.maxIterations": "1000",
  // A query reads the datasets, and no other file.
  "spark.sql.runSQLOnFiles": "false",
  "spark.sql.catalogImplementation": "in-memory",
};

const QUIET: SparkConf = {
  "spark.ui.enabled": "false",
  "spark.ui.showConsoleProgress": "false",
  "spark.log.level": "ERROR",
};

const LOOPBACK: SparkConf = {
  "spark.driver.host": "127.0.0.1",
  "spark.driver.bindAddress": "127.0.0.1",
};

const MASTER = /^(?:local(?:\[[^\]]+\])?|local-cluster\[\d+,\d+,\d+\]|yarn|(?:spark|k8s):\/\/\S+)$/;

/** Whether a master runs on this machine alone. */
export function isLocal(master: string): boolean {
  return master.startsWith("local");
}

/**
 * Rejects what is no master of Spark.
 *
 * @throws {InputError} Names those that there are.
 */
export function requireMaster(master: string): void {
  const found = master.replaceAll(" ", "");
  if (MASTER.test(found)) return;
  throw new InputError(`Cannot use Spark with the master ${JSON.stringify(master.slice(0, 80))}`, {
    remedy: "Pass local[*], local-cluster[2,1,1024], spark://host:7077, yarn or k8s://https://host",
  });
}

/**
 * All settings of a session: those of the caller over those that make it quiet, under those that
 * results depend on.
 *
 * @throws {InputError} If the caller sets one of the latter, or the master.
 */
export function sparkConf(
  own: SparkConf,
  { master, folder }: {
    readonly master: string;
    readonly folder: string;
  },
): SparkConf {
  for (const [name, value] of Object.entries(own)) {
    if (name === "spark.master" || name in FIXED && value !== FIXED[name]) {
      throw new InputError(`Cannot use Spark with ${name}=${value}`, {
        remedy: name === "spark.master"
          ? "Pass the master as master, or --master"
          : "Leave it out: the numbers depend on it, and the library sets it",
      });
    }
    if (!/^spark\.[\w.-]+$/.test(name)) {
      throw new InputError(`Cannot use Spark with the setting ${JSON.stringify(name)}`, {
        remedy: "Pass settings of Spark, such as spark.executor.memory=4g",
      });
    }
  }
  return {
    ...QUIET,
    "spark.sql.warehouse.dir": `${folder}/warehouse`,
    ...isLocal(master) && { ...LOOPBACK, ...within(folder) },
    ...own,
    ...FIXED,
  };
}

/** Keeps what Spark and its compression write for a while in a folder that ends with the session. */
function within(folder: string): SparkConf {
  const temporary = `-Djava.io.tmpdir=${folder}`;
  return {
    "spark.local.dir": `${folder}/blocks`,
    "spark.driver.extraJavaOptions": temporary,
    "spark.executor.extraJavaOptions": temporary,
  };
}
