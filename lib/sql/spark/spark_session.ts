import type { Message, MessageProcess } from "../../datasets/python/prepare_python.ts";
import { isAmount, type Named, onDemand, type SqlRelation, TYPES } from "../catalogue.ts";
import type { DatasetFiles } from "../dataset_files.ts";
import { expandForSpark, refusedQuery, withoutEnd } from "../expand_calls.ts";
import type { QueryOptions, SessionParts, SqlRow, SqlValue } from "../sql_result.ts";
import { type EngineColumn, type ResultManifest, writeResultFolder } from "../write_result.ts";
import { InputError } from "../../errors/mod.ts";

/** Options of a query on Spark. */
export interface SparkQueryOptions extends Pick<QueryOptions, "signal"> {
  /** Called with the number of tasks that are done, and of all in the stages that run. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What a session is made of. */
interface SparkParts extends Pick<SessionParts, "relations" | "missing" | "warnings" | "facts"> {
  /** Compares the files of a table with the manifests, the first time. */
  readonly requireWhole: (table: string) => Promise<void>;
  /** The driver program. */
  readonly process: MessageProcess;
  /** How what queries may name is made. */
  readonly definitions: readonly Definition[];
  /** Removes what the session alone uses. */
  readonly release: () => Promise<void>;
}

/** Datasets that are open for SQL on Spark; close it when done. */
export class SparkSession implements AsyncDisposable {
  /** Tables and views that queries may name. */
  readonly relations: readonly SqlRelation[];
  /** What any answer lacks, in sentences: gaps of the datasets, and exports that did not end. */
  readonly warnings: readonly string[];
  /** Version of Spark. */
  readonly version: string;
  readonly #parts: SparkParts;
  readonly #makeNeeded: (query: string) => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /** A session by its parts; {@linkcode openSpark} makes them. */
  constructor(parts: SparkParts) {
    this.#parts = parts;
    this.relations = parts.relations;
    this.warnings = parts.warnings;
    this.version = parts.facts.engine.version;
    this.#makeNeeded = onDemand(parts.definitions, async ({ name, message }) => {
      await parts.requireWhole(name);
      for await (const _ of this.#exchange(message, "", {})) { /* it is made */ }
    });
  }

  /**
   * Runs one query, and returns all rows.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails.
   */
  async query(query: string, options: SparkQueryOptions = {}): Promise<SqlRow[]> {
    return (await Array.fromAsync(this.parts(query, options))).flat();
  }

  /**
   * Runs one query, and returns its rows in parts of 500 as they are found, so that a result may be
   * larger than memory. Its last step runs one partition after the other; `write` runs all at once.
   *
   * @throws {InputError} If it is not one `SELECT`, or fails.
   */
  async *parts(
    query: string,
    options: SparkQueryOptions = {},
  ): AsyncGenerator<SqlRow[], void, undefined> {
    let columns: EngineColumn[] = [];
    for await (const one of this.#answers("rows", query, {}, options)) {
      if (one.kind === "columns") columns = sparkColumns(one.columns);
      if (one.kind === "rows") yield sparkRows(one.rows, columns);
    }
  }

  /**
   * Names and types of the columns of a query, without running it.
   *
   * @throws {InputError} If it is not one `SELECT`, or names what there is not.
   */
  async columns(query: string): Promise<EngineColumn[]> {
    const [answer] = await Array.fromAsync(this.#answers("columns", query, {}, {}));
    return sparkColumns(answer?.columns);
  }

  /**
   * Runs one query into a folder of Parquet files, with a manifest that names the query, the engine and
   * the datasets. The workers write the files: all must see the folder.
   *
   * @returns The manifest.
   * @throws {InputError} If it is not one `SELECT`, fails, or something else is in the folder.
   */
  async write(
    query: string,
    output: string,
    options: SparkQueryOptions = {},
  ): Promise<ResultManifest> {
    return await writeResultFolder(output, { ...this.#parts.facts, query }, async (folder) => {
      const facts = { folder: fileUri(folder) };
      const [made] = await Array.fromAsync(this.#answers("write", query, facts, options));
      return { columns: sparkColumns(made?.columns), rows: Number(made?.rows) };
    });
  }

  /** Ends Spark. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    await this.#parts.process.end();
    await this.#parts.release();
  }

  /** Ends Spark. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Answers to one message; queries of one session run one after the other. */
  async *#answers(
    kind: string,
    query: string,
    facts: Readonly<Record<string, unknown>>,
    options: SparkQueryOptions,
  ): AsyncGenerator<Message, void, undefined> {
    const text = expandForSpark(withoutEnd(query));
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    await before;
    try {
      if (this.#hasEnded) throw sparkEnded(["the session is closed"]);
      await this.#makeNeeded(text);
      yield* this.#exchange({ ...facts, kind, query: text }, query, options);
    } finally {
      turn.resolve();
    }
  }

  async *#exchange(
    message: Message,
    query: string,
    { signal, onProgress }: SparkQueryOptions,
  ): AsyncGenerator<Message, void, undefined> {
    const { process, missing } = this.#parts;
    signal?.throwIfAborted();
    const cancel = () => void process.send({ kind: "cancel" });
    signal?.addEventListener("abort", cancel, { once: true });
    let isRunning = true;
    try {
      await process.send(message);
      for (let one = await process.receive();; one = await process.receive()) {
        if (one === null) {
          isRunning = false;
          this.#hasEnded = true;
          signal?.throwIfAborted();
          throw sparkEnded(process.lastLines);
        }
        isRunning = !ENDS.has(one.kind);
        if (one.kind === "failed") {
          signal?.throwIfAborted();
          throw sparkError(one, query, missing);
        }
        if (one.kind === "progress") onProgress?.(Number(one.done), Number(one.total));
        else if (one.kind !== "done") yield one;
        if (!isRunning) return;
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (isRunning) await this.#drain();
    }
  }

  /** Ends what runs, and takes what it still says. */
  async #drain(): Promise<void> {
    const { process } = this.#parts;
    await process.send({ kind: "cancel" });
    for (let one = await process.receive(); one !== null; one = await process.receive()) {
      if (ENDS.has(one.kind)) return;
    }
  }
}

/** Kinds of messages after which there is no other. */
const ENDS = new Set(["done", "failed", "written"]);

/** Something that a query may name, and the message that makes it. */
interface Definition extends Named {
  /** The message to the driver. */
  readonly message: Message;
}

/** What queries over datasets may name; each names only those before it. */
export function definitions(files: DatasetFiles): Definition[] {
  const views = files.views.filter(({ name }) => !files.missing.has(name));
  return [
    ...files.tables.map(({ name, columns }) => {
      const schema = columns.map(({ name, dtype }) => `\`${name}\` ${TYPES[dtype]}`).join(", ");
      const amounts = columns.filter(isAmount).map(({ name }) => name);
      // Spark takes paths as patterns.
      const paths = files.of(name).flat().map((path) =>
        fileUri(path).replace(/[[\]{}*?\\]/g, "\\$&")
      );
      return { name, message: { kind: "table", name, schema, amounts, files: paths } };
    }),
    ...views.map(({ name, query: text }) => {
      const query = expandForSpark(text);
      return { name, message: { kind: "view", name, query }, query };
    }),
  ];
}

/** A path as Spark takes it, which may have another file system as its usual one. */
function fileUri(path: string): string {
  return `file://${path}`;
}

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
function sparkError(
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
function sparkColumns(value: unknown): EngineColumn[] {
  if (!Array.isArray(value)) throw new TypeError("Spark sent no columns");
  const names = new Map<string, number>();
  return value.map(([name, type]) => {
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    return { name: seen === 0 ? String(name) : `${name}:${seen}`, type: String(type) };
  });
}

/** Rows of a message, with the values that DuckDB would give. */
function sparkRows(value: unknown, columns: readonly EngineColumn[]): SqlRow[] {
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
