import { isPartitioned } from "../layout/id_ranges.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { type FileColumn, fileColumns } from "../shards/file_columns.ts";
import { keyAnywhere, tablesOf } from "../shards/published_tables.ts";
import { citationOf, CREATOR, type TimeSpan } from "./citation.ts";

const PARQUET = "application/x-parquet";

const TYPES: Readonly<Record<FileColumn["dtype"], string>> = {
  String: "sc:Text",
  Int64: "sc:Integer",
  Float64: "sc:Float",
  Bool: "sc:Boolean",
  Datetime: "sc:DateTime",
};

/** Terms of Croissant 1.0 that a reader of JSON-LD resolves. */
const CONTEXT = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  dct: "http://purl.org/dc/terms/",
  citeAs: "cr:citeAs",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  containedIn: "cr:containedIn",
  equivalentProperty: "cr:equivalentProperty",
  rai: "http://mlcommons.org/croissant/RAI/",
  samplingRate: "cr:samplingRate",
  data: { "@id": "cr:data", "@type": "@json" },
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  examples: { "@id": "cr:examples", "@type": "@json" },
  extract: "cr:extract",
  field: "cr:field",
  fileObject: "cr:fileObject",
  fileProperty: "cr:fileProperty",
  fileSet: "cr:fileSet",
  format: "cr:format",
  includes: "cr:includes",
  isLiveDataset: "cr:isLiveDataset",
  jsonPath: "cr:jsonPath",
  key: "cr:key",
  md5: "cr:md5",
  parentField: "cr:parentField",
  path: "cr:path",
  recordSet: "cr:recordSet",
  references: "cr:references",
  regex: "cr:regex",
  repeated: "cr:repeated",
  replace: "cr:replace",
  separator: "cr:separator",
  source: "cr:source",
  subField: "cr:subField",
  transform: "cr:transform",
} as const;

/**
 * The description of a dataset in Croissant 1.0, by which catalogues and loaders of machine learning
 * find its files, their hashes, and what each column is.
 */
export function croissant(manifest: DatasetManifest, span: TimeSpan | null): object {
  const { files, request, about = {} } = manifest;
  const { title, version, text } = citationOf(manifest, span);
  const parquet = files.filter(({ path }) => path.endsWith(".parquet"));
  const tables = tablesOf(request.tables).map((one) => ({
    ...one,
    name: one.table.name,
    files: parquet.filter(({ path }) => path.startsWith(`${one.table.name}/`)),
  })).filter((one) => one.files.length > 0);
  return {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.0",
    name: title,
    description: title,
    // A version of Croissant is three numbers: what stands for the bytes is behind it.
    version: `1.0.0+${version}`,
    citeAs: text,
    creator: [about.creator ?? [], CREATOR].flat().map((name) => ({
      "@type": "sc:Organization",
      name,
    })),
    ...about.license !== undefined && { license: about.license },
    ...span !== null && { datePublished: span.to, temporalCoverage: `${span.from}/${span.to}` },
    distribution: [
      ...parquet.map(({ path, bytes, sha256 }) => ({
        "@type": "cr:FileObject",
        "@id": path,
        name: path,
        contentUrl: path,
        contentSize: `${bytes} B`,
        encodingFormat: PARQUET,
        sha256,
      })),
      ...tables.map(({ name, files }) => ({
        "@type": "cr:FileSet",
        "@id": name,
        name,
        containedIn: files.map(({ path }) => ({ "@id": path })),
        encodingFormat: PARQUET,
        includes: `${name}/${isPartitioned(manifest) ? "*/" : ""}*.parquet`,
      })),
    ],
    recordSet: tables.map(({ name, table, key, hasRepeats }) => ({
      "@type": "cr:RecordSet",
      "@id": `${name}_rows`,
      name: `${name}_rows`,
      description: table.grain,
      ...hasRepeats !== true && {
        key: keyAnywhere(key).map((column) => ({ "@id": `${name}.${column}` })),
      },
      field: fileColumns(table).map((column) => ({
        "@type": "cr:Field",
        "@id": `${name}.${column.name}`,
        name: `${name}.${column.name}`,
        description: column.unit === null ? column.source : `${column.unit}: ${column.source}`,
        dataType: TYPES[column.dtype],
        source: { fileSet: { "@id": name }, extract: { column: column.name } },
      })),
    })),
  };
}
