import { type FileFacts, hashWritten, sha256 } from "../datasets/layout/files.ts";
import type { DatasetSource } from "../datasets/layout/manifest.ts";
import { InputError } from "../errors/mod.ts";
import { localFiles } from "../http/local_files.ts";
import { VERSION } from "../http/mod.ts";
import { compareTexts } from "../recordings/recorded_competitions.ts";
import type { SqlView } from "./catalogue.ts";

/** Formats of the files of a result. */
export type ResultFormat = "parquet" | "csv" | "json";

const FORMATS: readonly ResultFormat[] = ["parquet", "csv", "json"];

/**
 * Detects the format of a result by the extension of its file: `.parquet`, `.csv` or `.json`.
 *
 * @throws {InputError} If it ends otherwise.
 */
export function detectFormat(output: string): ResultFormat {
  const [, ending] = /\.([a-z]\w*)$/i.exec(output) ?? [];
  const format = FORMATS.find((candidate) => candidate === ending?.toLowerCase());
  if (format !== undefined) return format;
  throw new InputError(`Cannot write a result to ${output}`, {
    remedy: "Pass a name that ends with .parquet, .csv or .json",
  });
}

/** Returns the path of the manifest beside a file. */
export function toManifestPath(file: string): string {
  return `${file}.manifest.json`;
}

/** Facts of a result before its query is run. */
export type QueryFacts = Omit<ResultFacts, "columns" | "rows" | "files">;

/** Columns and rows of a result. */
type ResultRows = Pick<ResultFacts, "columns" | "rows">;

/** Returns the path at which a file is written until it is complete. */
export function toUnfinishedPath(file: string): string {
  return `${file}.unfinished`;
}

/**
 * Writes a result to a temporary file, and renames it when it is complete, with its manifest as
 * `<file>.manifest.json`. A manifest never describes other rows.
 *
 * @param make Writes the file, to the path of {@linkcode toUnfinishedPath}.
 * @throws {InputError} If the path is a folder.
 */
export async function writeResultFile(
  output: string,
  facts: QueryFacts,
  make: (unfinished: string) => Promise<ResultRows>,
): Promise<ResultManifest> {
  const files = localFiles();
  const { basename } = process.getBuiltinModule("node:path");
  if ((await files.stat(output).catch(() => null))?.isDirectory() === true) {
    throw new InputError(`Cannot write a result into ${output}: a folder is there`, {
      remedy: "Pass the name of a file",
    });
  }
  const [unfinished, manifestFile] = [toUnfinishedPath(output), toManifestPath(output)];
  try {
    const rows = await make(unfinished);
    const opened = await files.open(unfinished, "r+");
    await opened.sync().finally(() => opened.close());
    const file = { path: basename(output), ...await hashWritten(unfinished) };
    const manifest = createManifest({ ...facts, ...rows, files: [file] });
    await writeManifest(toUnfinishedPath(manifestFile), manifest);
    await files.rm(manifestFile, { force: true });
    await files.rename(unfinished, output);
    await files.rename(toUnfinishedPath(manifestFile), manifestFile);
    return manifest;
  } finally {
    await files.rm(unfinished, { force: true });
    await files.rm(toUnfinishedPath(manifestFile), { force: true });
  }
}

async function writeManifest(file: string, manifest: ResultManifest): Promise<void> {
  await localFiles().writeFile(file, `${JSON.stringify(manifest, null, 1)}\n`, { flush: true });
}

/** Format of the manifests of results. */
const RESULT_SCHEMA = "orderlens/result@1";

/** A dataset that a result was computed from. */
export interface ResultInput extends Pick<DatasetSource, "network" | "environment" | "chainId"> {
  /** SHA-256 of its `manifest.json`, which has the hashes of its files. */
  readonly manifestSha256: string;
}

/** A column of a result. */
export interface EngineColumn {
  /** Its name; a name that the query gives twice gets a number. */
  readonly name: string;
  /**
   * Its type as the engine names it, such as `VARCHAR` or `BIGNUM`; in a manifest `String`, `Int64`,
   * `Int32`, `Float64`, `Bool` or `Date`, where it is one of these.
   */
  readonly type: string;
}

/** A file of a result. */
export interface ResultFile extends FileFacts {
  /** Path in the folder of the manifest. */
  readonly path: string;
}

/** Facts of a query that was run. */
export interface ResultFacts {
  /** The program that ran the query. */
  readonly engine: { readonly name: "duckdb"; readonly version: string };
  /** Text of the query. */
  readonly query: string;
  /** SHA-256 of the views that the query could name, by {@linkcode hashViews}. */
  readonly viewsSha256: string;
  /** The datasets, by chain id and environment. */
  readonly inputs: readonly ResultInput[];
  /** Tables of the caller that the query may name, with the SHA-256 of their files. */
  readonly tables: readonly { readonly name: string; readonly sha256: string }[];
  /** Columns, in order. */
  readonly columns: readonly EngineColumn[];
  /** Number of rows. */
  readonly rows: number;
  /** Files with the rows, by path. */
  readonly files: readonly ResultFile[];
}

/** Content and origin of a result: `<file>.manifest.json` beside its file. */
export interface ResultManifest extends ResultFacts {
  /** Always `orderlens/result@1`. */
  readonly schema: "orderlens/result@1";
  /** Version of this library. */
  readonly library: string;
}

/** Creates the manifest of a result, without times and paths of the machine. */
export function createManifest(facts: ResultFacts): ResultManifest {
  const { inputs, tables, columns, rows, files, ...queryFacts } = facts;
  return {
    schema: RESULT_SCHEMA,
    library: VERSION,
    ...queryFacts,
    inputs: inputs.toSorted((a, b) =>
      a.chainId - b.chainId || compareTexts(a.environment ?? "", b.environment ?? "") ||
      compareTexts(a.manifestSha256, b.manifestSha256)
    ),
    tables: tables.toSorted((a, b) => compareTexts(a.name, b.name)),
    columns: columns.map(({ name, type }) => ({ name, type: TYPES[type.toLowerCase()] ?? type })),
    rows,
    files: files.toSorted((a, b) => compareTexts(a.path, b.path)),
  };
}

/** Hashes the names and queries of views, in their documented order, with SHA-256. */
export function hashViews(views: readonly Pick<SqlView, "name" | "query">[]): string {
  return sha256(JSON.stringify(views.map(({ name, query }) => [name, query])));
}

/** Types of columns by their names in DuckDB. */
const TYPES: Readonly<Record<string, string>> = {
  varchar: "String",
  bignum: "String",
  bigint: "Int64",
  integer: "Int32",
  double: "Float64",
  boolean: "Bool",
  date: "Date",
};
