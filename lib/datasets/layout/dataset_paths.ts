import { shardName } from "./shard_name.ts";

/** Where the files of a dataset are. */
export class DatasetPaths {
  /** The dataset's folder, without a slash at its end. */
  readonly folder: string;

  /** Takes a path or a `file:` URL. */
  constructor(folder: string | URL) {
    const path = typeof folder === "string" ? folder : decodeURIComponent(folder.pathname);
    this.folder = path.replace(/(?<=.)[/\\]+$/, "");
  }

  /** A file by its path in the manifest. */
  file(path: string): string {
    return `${this.folder}/${path}`;
  }

  /** Files by a pattern of their paths in the manifest, such as `trades/*.parquet`. */
  pattern(paths: string): string {
    return `${asPattern(this.folder)}/${paths}`;
  }

  /** What the export alone uses. */
  get own(): string {
    return this.file(".orderlens");
  }

  /** The state of an export. */
  get state(): string {
    return `${this.own}/state.sqlite`;
  }

  /** One line for every run of the export. */
  get runs(): string {
    return `${this.own}/runs.ndjson`;
  }

  /** Held by the one process that writes. */
  get lock(): string {
    return `${this.own}/lock`;
  }

  /** Files that are being made. */
  get temporary(): string {
    return `${this.own}/tmp`;
  }

  /** A file that is being made, by the path that it will have. */
  temporaryOf(path: string): string {
    return `${this.temporary}/${path.replaceAll("/", "--")}`;
  }

  /** Answers as they arrive, one file for each shard. */
  get segments(): string {
    return `${this.own}/segments`;
  }

  /** Segments of before, until their answers are taken up. */
  get kept(): string {
    return `${this.own}/kept`;
  }

  /** Answers of a shard, as they arrive. */
  segment(shard: number): string {
    return `${this.segments}/${shardName(shard)}.ndjson`;
  }
}

/** A path as a pattern of polars and DuckDB that matches it alone. */
export function asPattern(path: string): string {
  return path.replace(/[[*?]/g, "[$&]");
}

/** Path of a table's file of one shard. */
export function tablePath(table: string, shard: number): string {
  return `${table}/${shardName(shard)}.parquet`;
}

/** Path of the answers of one shard. */
export function rawPath(shard: number): string {
  return `raw/${shardName(shard)}.ndjson.zst`;
}
