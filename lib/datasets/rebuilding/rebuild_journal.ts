import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf, replaceFiles, withFile, writeAll } from "../layout/durable_files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { isMissing, localFiles } from "../../http/reading/local_files.ts";
import type { RebuiltFiles } from "./rebuild_files.ts";

/** What a folder is a rebuild of. */
export interface RebuildHead {
  /** Format of the journal. */
  readonly schema: "orderlens/rebuild@1";
  /** SHA-256 of the dataset's manifest. */
  readonly manifestSha256: string;
  /** Version of the library that builds the tables. */
  readonly library: string;
}

/** Reads what a folder is a rebuild of; `null` if it does not tell. */
export async function rebuildHead(paths: DatasetPaths): Promise<RebuildHead | null> {
  return (await readJournal(paths)).head;
}

/**
 * Which files of a rebuild are done, in lines of `.orderlens/rebuild.ndjson`: a rebuild that was
 * interrupted goes on behind them.
 */
export class RebuildJournal {
  readonly #paths: DatasetPaths;
  readonly #done: Map<string, RebuiltFiles>;

  private constructor(paths: DatasetPaths, done: Map<string, RebuiltFiles>) {
    this.#paths = paths;
    this.#done = done;
  }

  /** Opens the journal of a folder that is locked; it begins anew with any other head. */
  static async open(paths: DatasetPaths, head: RebuildHead): Promise<RebuildJournal> {
    const known = await readJournal(paths);
    const isSame = JSON.stringify(known.head) === JSON.stringify(head);
    const steps = isSame ? known.steps : [];
    // Written anew, so that a torn last line is gone.
    await replaceFiles([{
      file: fileOf(paths),
      bytes: bytesOf([head, ...steps]),
      temporary: paths.temporaryOf(NAME),
    }]);
    return new RebuildJournal(paths, new Map(steps.map((step) => [step.raw.path, step])));
  }

  /** What was done with a file of answers, if all of its files are in place still. */
  async doneOf(raw: DatasetFile): Promise<RebuiltFiles | null> {
    const step = this.#done.get(raw.path);
    if (step === undefined) return null;
    for (const { path, sha256 } of [step.raw, ...step.tables]) {
      if ((await factsOf(this.#paths.file(path)))?.sha256 !== sha256) return null;
    }
    return step;
  }

  /** Notes a file of answers whose tables are in place. */
  async add(step: RebuiltFiles): Promise<void> {
    const options = { append: true, write: true } as const;
    await withFile(fileOf(this.#paths), options, async (file) => {
      await writeAll(file, bytesOf([step]));
      await file.sync();
    });
  }
}

const NAME = "rebuild.ndjson";

function fileOf(paths: DatasetPaths): string {
  return `${paths.own}/${NAME}`;
}

function bytesOf(lines: readonly object[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function readJournal(
  paths: DatasetPaths,
): Promise<{ head: RebuildHead | null; steps: RebuiltFiles[] }> {
  let text: string;
  try {
    text = await localFiles().readFile(fileOf(paths), "utf8");
  } catch (error) {
    if (isMissing(error)) return { head: null, steps: [] };
    throw error;
  }
  const [head = null, ...steps] = text.split("\n").flatMap(lineOf);
  return { head: head as RebuildHead | null, steps: steps as RebuiltFiles[] };
}

/** A line that is whole; the last one may be torn. */
function lineOf(text: string): object[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
