import type { DatabaseSync } from "node:sqlite";
import { frameCells } from "../../tables/columns/frame_cells.ts";
import { readParquet, withoutKeys } from "../../tables/columns/frame_files.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { freeFrames } from "./free_frames.ts";
import { replaceRows } from "./replace_rows.ts";

const PLACE = ["block_number", "log_index"] as const;
/** Tables of fills; the first that is there tells where each fill belongs. */
const FILL_TABLES: readonly string[] = ["trades", "fills", "protocol_fees", "fees"];

/**
 * Leaves each fill of a dataset of several environments in it once: every environment reports all
 * fills of the chain, by block and log index. The row counts whose environment knows the auction that
 * settled the fill; if none does, the first by path.
 *
 * @param index File for an index; removed by the caller.
 * @returns The files, with the facts of those that were written again.
 */
export async function leaveFillsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
  index: string,
): Promise<DatasetFile[]> {
  const isOf = (table: string) => files.some(({ path }) => path.startsWith(`${table}/`));
  const table = FILL_TABLES.find(isOf) ?? "trades";
  const repeated = new RepeatedFills(index);
  try {
    for (const { path } of files) {
      if (path.startsWith(`${table}/`)) {
        await repeated.add(path.slice(table.length), paths.file(path));
      }
    }
    const kept: DatasetFile[] = [];
    for (const file of files) {
      const slash = file.path.indexOf("/");
      const isOfFills = FILL_TABLES.includes(file.path.slice(0, slash));
      const places = isOfFills ? repeated.of(file.path.slice(slash)) : [];
      if (places.length === 0) {
        kept.push(file);
        continue;
      }
      const frame = withoutKeys(readParquet(paths.file(file.path)), PLACE, places);
      kept.push(await replaceRows(paths, file, frame));
    }
    return kept;
  } finally {
    repeated.close();
  }
}

/** Fills by place in the chain, and the files in which they are not to be. */
class RepeatedFills {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       DROP TABLE IF EXISTS fills;
       DROP TABLE IF EXISTS repeated;
       CREATE TABLE fills (block INTEGER, log INTEGER, file TEXT, isKnown INTEGER,
         PRIMARY KEY (block, log)) WITHOUT ROWID;
       CREATE TABLE repeated (file TEXT, block INTEGER, log INTEGER)`,
    );
  }

  /** Notes the fills of a file; equal places in one file are one fill. */
  async add(name: string, file: string): Promise<void> {
    const frame = readParquet(file);
    const names = [...PLACE, ...frame.columns.includes("auction_id") ? ["auction_id"] : []];
    const [blocks, logs, auctions] = frameCells(frame.select(...names), {
      start: 0,
      count: frame.height,
    });
    const find = this.#database.prepare("SELECT * FROM fills WHERE block = ? AND log = ?");
    const keep = this.#database.prepare("INSERT OR REPLACE INTO fills VALUES (?, ?, ?, ?)");
    const leave = this.#database.prepare("INSERT INTO repeated VALUES (?, ?, ?)");
    for (let row = 0; row < frame.height; row++) {
      const [block, log] = [Number(blocks!.cells[row]), Number(logs!.cells[row])];
      const isKnown = (auctions?.cells[row] ?? null) === null ? 0 : 1;
      const other = find.get(block, log);
      if (other?.file === name) continue;
      if (other === undefined || isKnown > Number(other.isKnown)) {
        keep.run(block, log, name, isKnown);
        if (other !== undefined) leave.run(String(other.file), block, log);
      } else leave.run(name, block, log);
    }
    await freeFrames();
  }

  /** The places of fills that a file is not to have. */
  of(name: string): [number, number][] {
    return this.#database.prepare("SELECT block, log FROM repeated WHERE file = ?").all(name)
      .map(({ block, log }) => [Number(block), Number(log)]);
  }

  close(): void {
    this.#database.close();
  }
}
