import { isAmount, type SqlTable } from "../catalogue/dataset_tables.ts";
import type { SqlView } from "../catalogue/views.ts";
import { expandForSpark } from "../functions/expand_calls.ts";
import type { DatasetFiles } from "../opening/dataset_files.ts";
import type { Message } from "../../datasets/python/message_process.ts";

/** Types of columns as Spark names them. */
const TYPES: Readonly<Record<string, string>> = {
  String: "string",
  Int64: "bigint",
  Float64: "double",
  Bool: "boolean",
  Datetime: "timestamp",
};

/** Something that a query may name, and the message that makes it. */
export interface Definition {
  /** Its name. */
  readonly name: string;
  /** The message to the driver. */
  readonly message: Message;
  /** Its query, which may name others; none for a table. */
  readonly query?: string;
}

/** What queries over datasets may name; each names only those before it. */
export function definitions(
  files: DatasetFiles,
  tables: readonly SqlTable[],
  views: readonly SqlView[],
): Definition[] {
  return [
    ...tables.map((table) => ({
      name: table.name,
      message: tableMessage(table, files),
    })),
    ...views.map(({ name, query: text }) => {
      const query = expandForSpark(text);
      return { name, message: { kind: "view", name, query }, query };
    }),
  ];
}

function tableMessage(table: SqlTable, files: DatasetFiles): Message {
  return {
    kind: "table",
    name: table.name,
    columns: table.columns.map(({ name, dtype }) => [name, TYPES[dtype]]),
    amounts: table.columns.filter(isAmount).map(({ name }) => name),
    // Spark takes paths as patterns.
    files: files.datasets.flatMap(({ paths, manifest }) =>
      manifest.files.filter(({ path }) => path.startsWith(`${table.name}/`))
        .map(({ path }) => fileUri(paths.file(path)).replace(/[[\]{}*?\\]/g, "\\$&"))
    ),
  };
}

/** A path as Spark takes it, which may have another file system as its usual one. */
export function fileUri(path: string): string {
  return `file://${path}`;
}
