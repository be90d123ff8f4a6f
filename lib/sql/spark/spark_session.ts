import type { Message, MessageProcess } from "../../datasets/python/prepare_python.ts";
import { isAmount, type Named, onDemand, type SqlRelation, TYPES } from "../catalogue.ts";
import type { DatasetFiles } from "../dataset_files.ts";
import { expandForSpark, withoutEnd } from "../expand_calls.ts";
import type { QueryOptions, SessionParts, SqlRow } from "../sql_result.ts";
import { type EngineColumn, type ResultManifest, writeResultFolder } from "../write_result.ts";
import { sparkColumns, sparkEnded, sparkError, sparkRows } from "./spark_conf.ts";

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
