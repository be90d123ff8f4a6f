import { DatasetPaths } from "../datasets/layout/files.ts";
import { writeAtomically } from "../datasets/layout/folders.ts";
import { InputError } from "../errors/mod.ts";
import { checkOptions, type OptionRules } from "../errors/option_rules.ts";
import { localFiles, statPath } from "../http/local_files.ts";
import {
  detectFormat,
  type EngineColumn,
  type ResultManifest,
  toManifestPath,
} from "./write_result.ts";

/** Options of {@linkcode writeRows}. */
export interface WriteRowsOptions {
  /** Whether an existing file is replaced. @default {false} */
  overwrite?: boolean | undefined;
}

/** A file of rows that was written. */
export interface WrittenRows {
  /** Its path. */
  readonly path: string;
  /** Number of rows. */
  readonly rows: number;
  /** Columns, with types as in the manifest of a result. */
  readonly columns: readonly EngineColumn[];
  /** Length of the file in bytes. */
  readonly bytes: number;
}

const OPTIONS: OptionRules<WriteRowsOptions> = { overwrite: Boolean };

const ACTION = "Cannot write rows to";

/**
 * Writes a result under a temporary name, and renames it when it is complete.
 *
 * @param write Writes it to the path that it is called with.
 * @throws {InputError} If the end of the name is unknown, the folder is missing, a file or a folder is
 * there, or `write` fails.
 */
export async function writeRows(
  path: string | URL,
  options: WriteRowsOptions,
  write: (temporary: string) => Promise<ResultManifest>,
): Promise<WrittenRows> {
  checkOptions(options, OPTIONS, `${ACTION} ${path}`);
  const { folder: output } = new DatasetPaths(path);
  detectFormat(output);
  const requireFree = () => requireVacantFile(output, options);
  return await writeAtomically({ action: ACTION, output, requireFree }, async (temporary) => {
    const { rows, columns, files } = await write(temporary);
    // That of an earlier result would describe other rows.
    await localFiles().rm(toManifestPath(output), { force: true });
    return { path: output, rows, columns, bytes: files[0]!.bytes };
  });
}

/** Rejects a path in a folder that is missing, and one where something is that may not be replaced. */
async function requireVacantFile(output: string, { overwrite = false }: WriteRowsOptions) {
  const { dirname } = process.getBuiltinModule("node:path");
  if (await statPath(dirname(output)) === null) {
    throw new InputError(`${ACTION} ${output}: the folder ${dirname(output)} does not exist`, {
      remedy: "Create the folder first, or pass a path in another one",
    });
  }
  const stats = await statPath(output);
  if (stats === null || overwrite && !stats.isDirectory()) return;
  throw stats.isDirectory()
    ? new InputError(`${ACTION} ${output}: a folder is there`, {
      remedy: "Pass the name of a file",
    })
    : new InputError(`${ACTION} ${output}: the file exists`, {
      remedy: "Pass another name, or { overwrite: true } to replace it",
    });
}
