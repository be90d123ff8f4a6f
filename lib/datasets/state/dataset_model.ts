import {
  countTableRows,
  type DatasetFile,
  type DatasetManifest,
  selectFiles,
} from "../layout/manifest.ts";
import { type FileColumn, listFileColumns } from "../shards/file_columns.ts";
import { selectTables, toGlobalKey } from "../shards/published_tables.ts";
import { citeDataset, CREATOR, type DatasetCitation, type TimeSpan } from "./citation.ts";

/** Facts that the descriptions of a dataset state: its card, data package and Croissant. */
export interface DatasetModel {
  /** Its manifest. */
  readonly manifest: DatasetManifest;
  /** Title, version and text of its citation. */
  readonly citation: DatasetCitation;
  /** Who publishes this edition, if anybody is named, and who made the records. */
  readonly creators: readonly string[];
  /** Name of its network, or `chain-<id>` without one. */
  readonly network: string;
  /** Times between which its auctions or fills lie; `null` if no response tells. */
  readonly span: TimeSpan | null;
  /** Its tables, with those that have no file. */
  readonly tables: readonly ModelTable[];
}

/** A table of a dataset. */
interface ModelTable {
  /** Its name. */
  readonly name: string;
  /** Content of one row. */
  readonly grain: string;
  /** Columns that together are different in every row of all datasets. */
  readonly key: readonly string[];
  /** Whether several files may have the same row, such as documents that each needs. */
  readonly hasRepeats: boolean;
  /** `record` for what the service and the chain sent, `answer` for what follows from it. */
  readonly kind: "record" | "answer";
  /** Its columns. */
  readonly columns: readonly FileColumn[];
  /** Its files. */
  readonly files: readonly DatasetFile[];
  /** Number of its rows. */
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
      kind: table.kind === "derived" ? "answer" : "record",
      columns: listFileColumns(table),
      files: selectFiles(manifest, table.name),
      rows: countTableRows(manifest, table.name),
    })),
  };
}
