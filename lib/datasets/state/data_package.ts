import type { DatasetManifest } from "../layout/manifest.ts";
import { wholeKey } from "../layout/partitions.ts";
import { ANSWER_NAMES, tablesOf } from "../shards/published_tables.ts";
import { FOREIGN_KEYS } from "../shards/references.ts";
import { SOURCE_COLUMNS } from "../shards/source_columns.ts";
import { citationOf } from "./citation.ts";
import type { TimeSpan } from "./time_span.ts";

const TYPES = { String: "string", Int64: "integer", Float64: "number", Bool: "boolean" } as const;

/** Text that is an exact whole number. */
const DECIMAL = "^-?(0|[1-9][0-9]*)$";

/** The Frictionless description of a dataset: schema, keys and units of every table. */
export function dataPackage(manifest: DatasetManifest, span: TimeSpan | null): object {
  const { request, files, source, about = {} } = manifest;
  const { title, version } = citationOf(manifest, span);
  const tables = tablesOf(request.tables);
  const keyOf = (key: readonly string[]) => wholeKey(manifest, key);
  return {
    profile: "data-package",
    name: `orderlens-${source.network ?? `chain-${source.chainId}`}`,
    title,
    version,
    ...about.license === undefined ? {} : { licenses: [{ name: about.license }] },
    ...about.creator === undefined
      ? {}
      : { contributors: [{ title: about.creator, role: "publisher" }] },
    ...span === null ? {} : { temporal: { start: span.from, end: span.to } },
    resources: tables.map(({ table, key, hasRepeats }) => ({
      name: table.name,
      description: table.grain,
      kind: ANSWER_NAMES.includes(table.name) ? "answer" : "record",
      format: "parquet",
      mediatype: "application/vnd.apache.parquet",
      path: files.map(({ path }) => path).filter((path) => path.startsWith(`${table.name}/`)),
      schema: {
        fields: [...SOURCE_COLUMNS.map(describedColumn), ...table.columns.map(describedColumn)],
        // Documents that several files need are in each of them.
        ...hasRepeats ? {} : { primaryKey: keyOf(key) },
        foreignKeys: FOREIGN_KEYS
          .filter((one) => one.table === table.name && request.tables.includes(one.to))
          .map(({ columns, to, toColumns }) => ({
            fields: keyOf(columns),
            reference: { resource: to, fields: keyOf(toColumns) },
          })),
      },
    })),
  };
}

/** A column as any table declares it. */
interface DeclaredColumn {
  readonly name: string;
  readonly dtype: keyof typeof TYPES;
  readonly unit: string | null;
  readonly source?: string;
  readonly description?: string;
}

function describedColumn({ name, dtype, unit, source, description }: DeclaredColumn): object {
  const isAmount = dtype === "String" && unit !== null && / atoms(,|$)/.test(unit);
  return {
    name,
    type: TYPES[dtype],
    ...unit === null ? {} : { unit },
    description: description ?? source,
    ...isAmount ? { constraints: { pattern: DECIMAL } } : {},
  };
}
