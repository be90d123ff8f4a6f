import type { DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { ANSWER_NAMES, keyAnywhere, tablesOf } from "../shards/published_tables.ts";
import { FOREIGN_KEYS } from "../shards/references.ts";
import { type FileColumn, fileColumns } from "../shards/file_columns.ts";
import { citationOf, CREATOR } from "./citation.ts";
import type { TimeSpan } from "./time_span.ts";

const TYPES = {
  String: "string",
  Int64: "integer",
  Float64: "number",
  Bool: "boolean",
  Datetime: "datetime",
} as const;

/** Text that is an exact whole number. */
const DECIMAL = "^-?(0|[1-9][0-9]*)$";

/** The Frictionless description of a dataset: schema, keys and units of every table. */
export function dataPackage(manifest: DatasetManifest, span: TimeSpan | null): object {
  const { request, files, source, about = {} } = manifest;
  const { title, version } = citationOf(manifest, span);
  const tables = tablesOf(request.tables);
  return {
    profile: "data-package",
    name: `orderlens-${source.network ?? `chain-${source.chainId}`}`,
    title,
    version,
    ...about.license === undefined ? {} : { licenses: [{ name: about.license }] },
    ...about.creator === undefined
      ? {}
      : { contributors: [{ title: about.creator, role: "publisher" }] },
    sources: [{ title: `${CREATOR}, chain id ${source.chainId}` }],
    ...span === null ? {} : { temporal: { start: span.from, end: span.to } },
    resources: tables.map(({ table, key, hasRepeats }) => ({
      name: table.name,
      description: table.grain,
      kind: ANSWER_NAMES.includes(table.name) ? "answer" : "record",
      format: "parquet",
      mediatype: "application/vnd.apache.parquet",
      ...filesOf(files, table.name),
      schema: {
        fields: fileColumns(table).map(describedColumn),
        // Documents that several files need are in each of them.
        ...hasRepeats ? {} : { primaryKey: keyAnywhere(key) },
        foreignKeys: FOREIGN_KEYS
          .filter((one) => one.table === table.name && request.tables.includes(one.to))
          .map(({ columns, to, toColumns }) => ({
            fields: keyAnywhere(columns),
            reference: { resource: to, fields: keyAnywhere(toColumns) },
          })),
      },
    })),
  };
}

/** Files of a table: their paths, all bytes, and the hash of each. */
function filesOf(files: readonly DatasetFile[], table: string) {
  const own = files.filter(({ path }) => path.startsWith(`${table}/`));
  return {
    path: own.map(({ path }) => path),
    bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
    hashes: own.map(({ sha256 }) => `sha256:${sha256}`),
  };
}

function describedColumn({ name, dtype, unit, source }: FileColumn): object {
  const isAmount = dtype === "String" && unit !== null && / atoms(,|$)/.test(unit);
  return {
    name,
    type: TYPES[dtype],
    ...unit === null ? {} : { unit },
    description: source,
    ...isAmount ? { constraints: { pattern: DECIMAL } } : {},
  };
}
