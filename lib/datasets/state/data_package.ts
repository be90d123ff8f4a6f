import type { FileColumn } from "../shards/file_columns.ts";
import { FOREIGN_KEYS, toGlobalKey } from "../shards/published_tables.ts";
import { CREATOR } from "./citation.ts";
import type { DatasetModel } from "./dataset_model.ts";

/** Names of each kind of column in a data package and in Croissant. */
const TYPES: Readonly<Record<FileColumn["dtype"], readonly [string, string]>> = {
  String: ["string", "sc:Text"],
  Int64: ["integer", "sc:Integer"],
  Float64: ["number", "sc:Float"],
  Bool: ["boolean", "sc:Boolean"],
  Datetime: ["datetime", "sc:DateTime"],
};

/** Text that is an exact whole number. */
const DECIMAL = "^-?(0|[1-9][0-9]*)$";

/** Builds the Frictionless description of a dataset: schema, keys and units of every table. */
export function buildDataPackage(model: DatasetModel): object {
  const { manifest: { source, about = {} }, citation: { title, version }, network, span } = model;
  const tables = model.tables.filter(({ files }) => files.length > 0);
  const names = new Set(tables.map(({ name }) => name));
  return {
    profile: "data-package",
    name: `orderlens-${network}`,
    title,
    version,
    ...about.license !== undefined && { licenses: [{ name: about.license }] },
    ...about.creator !== undefined && {
      contributors: [{ title: about.creator, role: "publisher" }],
    },
    sources: [{ title: `${CREATOR}, chain id ${source.chainId}` }],
    ...span !== null && { temporal: { start: span.from, end: span.to } },
    resources: tables.map((table) => ({
      name: table.name,
      description: table.grain,
      kind: table.kind,
      format: "parquet",
      mediatype: "application/vnd.apache.parquet",
      path: table.files.map(({ path }) => path),
      // `bytes` and `hash` are of resources of one file; hashes of several are in the order of path.
      hashes: table.files.map(({ sha256 }) => `sha256:${sha256}`),
      schema: {
        fields: table.columns.map(toField),
        ...!table.hasRepeats && { primaryKey: table.key },
        foreignKeys: FOREIGN_KEYS
          .filter((reference) => reference.table === table.name && names.has(reference.to))
          .map(({ columns, to, toColumns }) => ({
            fields: toGlobalKey(columns),
            reference: { resource: to, fields: toGlobalKey(toColumns) },
          })),
      },
    })),
  };
}

function toField({ name, dtype, unit, source }: FileColumn): object {
  const isAmount = dtype === "String" && unit !== null && / atoms(,|$)/.test(unit);
  return {
    name,
    type: TYPES[dtype][0],
    ...unit !== null && { unit },
    description: source,
    ...isAmount && { constraints: { pattern: DECIMAL } },
  };
}

/** Terms of Croissant 1.0 that a reader of JSON-LD resolves, and those that are not plain ones. */
const TERMS = ["citeAs", "column", "conformsTo", "containedIn", "equivalentProperty", "rai"]
  .concat(["samplingRate", "data", "dataType", "examples", "extract", "field", "fileObject"])
  .concat(["fileProperty", "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key"])
  .concat(["md5", "parentField", "path", "recordSet", "references", "regex", "repeated"])
  .concat(["replace", "separator", "source", "subField", "transform"]);
const OTHER_TERMS: Readonly<Record<string, unknown>> = {
  conformsTo: "dct:conformsTo",
  rai: "http://mlcommons.org/croissant/RAI/",
  data: { "@id": "cr:data", "@type": "@json" },
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  examples: { "@id": "cr:examples", "@type": "@json" },
};
const CONTEXT = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  sc: "https://schema.org/",
  cr: "http://mlcommons.org/croissant/",
  dct: "http://purl.org/dc/terms/",
  ...Object.fromEntries(TERMS.map((term) => [term, OTHER_TERMS[term] ?? `cr:${term}`])),
};

const PARQUET = "application/x-parquet";

/**
 * Builds the description of a dataset in Croissant 1.0, by which catalogues and loaders of machine
 * learning find its files, their hashes, and what each column is.
 */
export function buildCroissant(model: DatasetModel): object {
  const { manifest: { files, about = {} }, creators, span } = model;
  const { title, version, text } = model.citation;
  const parquet = files.filter(({ path }) => path.endsWith(".parquet"));
  const tables = model.tables.filter(({ files }) => files.length > 0);
  return {
    "@context": CONTEXT,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.0",
    name: title,
    description: title,
    // A version of Croissant is three numbers: the hash of the bytes comes behind it.
    version: `1.0.0+${version}`,
    citeAs: text,
    creator: creators.map((name) => ({ "@type": "sc:Organization", name })),
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
        includes: `${name}/*.parquet`,
      })),
    ],
    recordSet: tables.map(({ name, grain, key, hasRepeats, columns }) => ({
      "@type": "cr:RecordSet",
      "@id": `${name}_rows`,
      name: `${name}_rows`,
      description: grain,
      ...!hasRepeats && { key: key.map((column) => ({ "@id": `${name}.${column}` })) },
      field: columns.map((column) => ({
        "@type": "cr:Field",
        "@id": `${name}.${column.name}`,
        name: `${name}.${column.name}`,
        description: column.unit === null ? column.source : `${column.unit}: ${column.source}`,
        dataType: TYPES[column.dtype][1],
        source: { fileSet: { "@id": name }, extract: { column: column.name } },
      })),
    })),
  };
}
