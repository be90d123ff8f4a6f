import { sha256 } from "../../datasets/layout/file_hash.ts";
import type { DatasetManifest } from "../../datasets/layout/manifest.ts";
import { VERSION } from "../../http/mod.ts";
import type { SqlView } from "../catalogue/views.ts";

/** Format of the manifests of results. */
export const RESULT_SCHEMA = "orderlens/result@1";

/** A dataset that a result was computed from. */
export interface ResultInput {
  /** Name of its network; `null` for a deployment without a name. */
  readonly network: string | null;
  /** Environment of its network; `null` for a deployment without a name. */
  readonly environment: string | null;
  /** Its chain id. */
  readonly chainId: number;
  /** SHA-256 of its `manifest.json`, which has the hashes of its files. */
  readonly manifestSha256: string;
}

/** A column of a result. */
export interface ResultColumn {
  /** Its name. */
  readonly name: string;
  /** `String`, `Int64`, `Int32`, `Float64`, `Bool` or `Date`; any other as the engine names it. */
  readonly type: string;
}

/** A file of a result. */
export interface ResultFile {
  /** Path in the folder of the manifest. */
  readonly path: string;
  /** SHA-256 of its bytes, as 64 hex digits. */
  readonly sha256: string;
  /** Length in bytes. */
  readonly bytes: number;
}

/** What follows from how a query was run. */
export interface ResultFacts {
  /** The program that ran the query. */
  readonly engine: { readonly name: "duckdb" | "spark"; readonly version: string };
  /** Text of the query, as it was asked. */
  readonly query: string;
  /** SHA-256 of the views that the query could name, by {@linkcode viewsHash}. */
  readonly viewsSha256: string;
  /** The datasets, by chain id and environment. */
  readonly inputs: readonly ResultInput[];
  /** Tables of one's own that the query could name, with the SHA-256 of their files. */
  readonly tables: readonly { readonly name: string; readonly sha256: string }[];
  /** Columns, in order. */
  readonly columns: readonly ResultColumn[];
  /** Number of rows. */
  readonly rows: number;
  /** Files with the rows, by path. */
  readonly files: readonly ResultFile[];
}

/** What a result is and where it comes from: `manifest.json` beside its Parquet files. */
export interface ResultManifest extends ResultFacts {
  /** Always `orderlens/result@1`. */
  readonly schema: "orderlens/result@1";
  /** Version of this library. */
  readonly library: string;
}

/** The manifest of a result. It has no times and no paths of the machine. */
export function resultManifest(facts: ResultFacts): ResultManifest {
  const { inputs, tables, columns, rows, files, ...known } = facts;
  return {
    schema: RESULT_SCHEMA,
    library: VERSION,
    ...known,
    inputs: inputs.toSorted((a, b) =>
      a.chainId - b.chainId || compare(a.environment, b.environment) ||
      compare(a.manifestSha256, b.manifestSha256)
    ),
    tables: tables.toSorted((a, b) => compare(a.name, b.name)),
    columns: columns.map(({ name, type }) => ({ name, type: resultType(type) })),
    rows,
    files: files.toSorted((a, b) => compare(a.path, b.path)),
  };
}

/** A dataset as the manifest of a result names it. */
export function resultInput(
  { source }: Pick<DatasetManifest, "source">,
  manifestText: string | Uint8Array,
): ResultInput {
  const { network, environment, chainId } = source;
  return { network, environment, chainId, manifestSha256: sha256(manifestText) };
}

/** SHA-256 of the names and queries of views, in the order in which they are documented. */
export function viewsHash(views: readonly Pick<SqlView, "name" | "query">[]): string {
  return sha256(JSON.stringify(views.map(({ name, query }) => [name, query])));
}

const TYPES: Readonly<Record<string, string>> = {
  varchar: "String",
  bignum: "String",
  string: "String",
  bigint: "Int64",
  integer: "Int32",
  int: "Int32",
  double: "Float64",
  boolean: "Bool",
  date: "Date",
};

/** The type of a column by the name that its engine has for it, so that both name it the same. */
function resultType(engineType: string): string {
  return TYPES[engineType.toLowerCase()] ?? engineType;
}

/** Text by code units; null comes first. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return a === null || (b !== null && a < b) ? -1 : 1;
}
