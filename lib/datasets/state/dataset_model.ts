import {
  countRows,
  type DatasetFile,
  type DatasetManifest,
  selectFiles,
} from "../layout/manifest.ts";
import { type FileColumn, toFileColumns } from "../shards/file_columns.ts";
import { selectTables, toGlobalKey } from "../shards/published_tables.ts";
import { citeDataset, CREATOR, type DatasetCitation, type TimeSpan } from "./citation.ts";

/** Facts that the descriptions of a dataset state: its card, data package and Croissant. */
export interface DatasetModel {
  readonly manifest: DatasetManifest;
  /** Title, version and text of its citation. */
  readonly citation: DatasetCitation;
  /** Publisher of this edition, if named, and creator of the records. */
  readonly creators: readonly string[];
  /** Name of its network, or `chain-<id>` without one. */
  readonly network: string;
  /** Times between which its auctions or fills lie; `null` if unknown. */
  readonly span: TimeSpan | null;
  /** Its tables, with those that have no file. */
  readonly tables: readonly ModelTable[];
}

interface ModelTable {
  readonly name: string;
  /** Content of one row. */
  readonly grain: string;
  /** Columns that together are different in every row of all datasets. */
  readonly key: readonly string[];
  /** Whether several files may have the same row, such as documents that each needs. */
  readonly hasRepeats: boolean;
  /** `record` for records of the service and the chain, `derived` for tables computed from them. */
  readonly kind: "record" | "derived";
  readonly columns: readonly FileColumn[];
  readonly files: readonly DatasetFile[];
  readonly rows: number;
}

/** Collects the facts that the descriptions of a dataset state. */
export function buildModel(manifest: DatasetManifest, span: TimeSpan | null): DatasetModel {
  const { source, about, request } = manifest;
  const creators = [...about?.creator === undefined ? [] : [about.creator], CREATOR];
  return {
    manifest,
    citation: citeDataset(manifest, { creators, span }),
    creators,
    network: source.network ?? `chain-${source.chainId}`,
    span,
    tables: selectTables(request.tables).map((table) => ({
      name: table.name,
      grain: table.grain,
      key: toGlobalKey(table.key),
      hasRepeats: table.hasRepeats ?? false,
      kind: table.kind,
      columns: toFileColumns(table),
      files: selectFiles(manifest, table.name),
      rows: countRows(manifest, table.name),
    })),
  };
}
