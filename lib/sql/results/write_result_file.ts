import type { FileFacts } from "../../datasets/layout/durable_files.ts";
import { InputError } from "../../errors/mod.ts";
import {
  printResultManifest,
  type ResultColumn,
  type ResultFacts,
  type ResultManifest,
  resultManifest,
  resultType,
} from "./result_manifest.ts";

/** Behind the name of a result that is one file, for its manifest. */
const MANIFEST = ".manifest.json";

/** Where a file is written before it is complete. */
export function unfinishedOf(file: string): string {
  return `${file}.unfinished`;
}

/**
 * Has a result made as one file beside its place, and puts it there when it is complete, with its
 * manifest as `<file>.manifest.json`. At no time is there a manifest of other rows.
 *
 * @param make Makes the file at {@linkcode unfinishedOf} its place.
 * @throws {InputError} If a folder is there.
 */
export async function writeResultFile(
  output: string,
  facts: Omit<ResultFacts, "columns" | "rows" | "files">,
  make: () => Promise<{ columns: readonly ResultColumn[]; rows: number }>,
): Promise<ResultManifest> {
  const files = process.getBuiltinModule("node:fs/promises");
  const { basename } = process.getBuiltinModule("node:path");
  const there = await files.stat(output).catch(() => null);
  if (there?.isDirectory() === true) {
    throw new InputError(`Cannot write a result into ${output}: a folder is there`, {
      remedy: "Pass the name of a file",
    });
  }
  const [unfinished, manifestFile] = [unfinishedOf(output), `${output}${MANIFEST}`];
  try {
    const { columns, rows } = await make();
    const manifest = resultManifest({
      ...facts,
      columns: columns.map(({ name, type }) => ({ name, type: resultType(type) })),
      rows,
      files: [{ path: basename(output), ...await syncedFacts(unfinished) }],
    });
    await files.writeFile(unfinishedOf(manifestFile), printResultManifest(manifest), {
      flush: true,
    });
    await files.rm(manifestFile, { force: true });
    await files.rename(unfinished, output);
    await files.rename(unfinishedOf(manifestFile), manifestFile);
    return manifest;
  } finally {
    await files.rm(unfinished, { force: true });
    await files.rm(unfinishedOf(manifestFile), { force: true });
  }
}

/** Hash and length of a file, once it is on the disk. */
async function syncedFacts(file: string): Promise<FileFacts> {
  const { open } = process.getBuiltinModule("node:fs/promises");
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  const opened = await open(file, "r+");
  try {
    await opened.sync();
    let bytes = 0;
    for await (const chunk of opened.createReadStream({ autoClose: false })) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    await opened.close();
  }
}
