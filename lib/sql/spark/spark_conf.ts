import type { Message } from "../../datasets/python/prepare_python.ts";
import { InputError } from "../../errors/mod.ts";
import { refusedQuery } from "../expand_calls.ts";
import type { SqlRow, SqlValue } from "../sql_result.ts";
import type { EngineColumn } from "../write_result.ts";

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
  { master, folder }: { readonly master: string; readonly folder: string },
): SparkConf {
  const refused = (what: string, remedy: string) =>
    new InputError(`Cannot use Spark with ${what}`, { remedy });
  for (const [name, value] of Object.entries(own)) {
    const setting = `${name}=${value}`;
    if (name === "spark.master") throw refused(setting, "Pass the master as master, or --master");
    if (name in FIXED && value !== FIXED[name]) {
      throw refused(setting, "Leave it out: the numbers depend on it, and the library sets it");
    }
    if (!/^spark\.[\w.-]+$/.test(name)) {
      const remedy = "Pass settings of Spark, such as spark.executor.memory=4g";
      throw refused(`the setting ${JSON.stringify(name)}`, remedy);
    }
  }
  return {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.warehouse.dir": `${folder}/warehouse`,
    ...isLocal(master) && onThisMachine(folder),
    ...own,
    ...FIXED,
  };
}

/** Listens on loopback, and keeps what Spark writes for a while in a folder that ends with the session. */
function onThisMachine(folder: string): SparkConf {
  const temporary = `-Djava.io.tmpdir=${folder}`;
  return {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.local.dir": `${folder}/blocks`,
    "spark.driver.extraJavaOptions": temporary,
    "spark.executor.extraJavaOptions": temporary,
  };
}

/** The error for a query that failed on Spark. */
export function sparkError(
  { message, text, line, amount }: Message,
  query: string,
  missing: ReadonlyMap<string, string>,
): InputError {
  const said = String(message).replace(/ SQLSTATE: .*$/, "");
  const [name = ""] = /(?<=table or view `)\w+(?=`)/.exec(said) ?? [];
  const lacks = missing.get(name.toLowerCase());
  const lines = query.split("\n");
  const remedy = typeof amount === "string"
    ? `Amounts are text on Spark: order and compare by u_key(${amount}), add with u_sum, or use the ` +
      "double beside it, such as score_native; CAST(… AS DOUBLE) is taken as it stands"
    : lacks ?? "Correct the query; `orderlens sql DIR --list` lists tables, views and columns";
  const isOfMany = typeof line === "number" && lines.length > 1;
  return refusedQuery(said, remedy, {
    facts: { engine: "spark", ...isOfMany && { line: lines[line - 1]?.trim() ?? `${line}` } },
    cause: new Error(String(text ?? message)),
  });
}

/** The error for a Spark that ended, or did not begin. */
export function sparkEnded(lastLines: readonly string[]): InputError {
  const reason = lastLines.findLast((line) => /exception|error/i.test(line)) ??
    lastLines.at(-1) ?? "it said nothing";
  return new InputError("Cannot go on: Spark has ended", {
    // Addresses may have passwords.
    facts: { reason: reason.replaceAll(/\/\/[^/@\s]*@/g, "//").slice(0, 400) },
    remedy: "Check that the master can be reached, and that driver and executors have memory " +
      "enough: spark.driver.memory, spark.executor.memory",
  });
}

/** The columns of a message. */
export function sparkColumns(value: unknown): EngineColumn[] {
  if (!Array.isArray(value)) throw new TypeError("Spark sent no columns");
  const names = new Map<string, number>();
  return value.map(([name, type]) => {
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    return { name: seen === 0 ? String(name) : `${name}:${seen}`, type: String(type) };
  });
}

/** Rows of a message, with the values that DuckDB would give. */
export function sparkRows(value: unknown, columns: readonly EngineColumn[]): SqlRow[] {
  if (!Array.isArray(value)) throw new TypeError("Spark sent no rows");
  return value.map((row: readonly unknown[]) =>
    Object.fromEntries(columns.map(({ name, type }, at) => [name, sparkValue(row[at], type)]))
  );
}

/** A value by its text. */
function sparkValue(value: unknown, type: string): SqlValue {
  if (typeof value !== "string") return null;
  if (/^(?:tiny|small|big)?int$/.test(type)) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : BigInt(value);
  }
  if (type === "double" || type === "float") return Number(value);
  if (type === "boolean") return value === "true";
  return type === "timestamp" ? `${value}+00` : value;
}
