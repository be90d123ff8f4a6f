import { rawPath } from "../layout/dataset_paths.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { SELECTED_ORDERS, shardOf } from "../layout/shard_name.ts";
import { AnswerFile } from "./answer_file.ts";
import { RecentLines } from "./recent_lines.ts";

/** Files whose index is kept: an index has a name for each thing that was asked for. */
const FILES_KEPT = 8;

/** The files of answers of a dataset, opened when something of theirs is asked for. */
export class AnswerFiles {
  /** Paths of all files, as the manifest has them. */
  readonly paths: readonly string[];
  readonly #folder: DatasetPaths;
  readonly #recent = new RecentLines();
  readonly #open = new Map<string, AnswerFile>();

  /** Reads nothing yet. */
  constructor(folder: DatasetPaths, { files }: DatasetManifest) {
    this.#folder = folder;
    this.paths = files.map(({ path }) => path).filter((path) => path.startsWith("raw/"));
  }

  /** The path of the file that would have an auction; `undefined` if the dataset has none. */
  ofAuction(auctionId: number): string | undefined {
    const selected = rawPath(SELECTED_ORDERS);
    return [rawPath(shardOf(auctionId)), selected].find((path) => this.paths.includes(path));
  }

  /** A file by its path; the ones that were used least recently are closed. */
  async at(path: string): Promise<AnswerFile> {
    const file = this.#open.get(path) ?? new AnswerFile(this.#folder.file(path), this.#recent);
    this.#open.delete(path);
    this.#open.set(path, file);
    for (const [oldest, old] of this.#open) {
      if (this.#open.size <= FILES_KEPT) break;
      this.#open.delete(oldest);
      await old.close();
    }
    return file;
  }
}
