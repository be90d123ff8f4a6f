import {
  factsOfMade,
  folderOf,
  REPLACING,
  withFile,
  writeAll,
} from "../../datasets/layout/durable_files.ts";
import { putInPlaceOf, statOf } from "../../datasets/layout/put_in_place.ts";
import { InputError } from "../../errors/mod.ts";
import {
  parseResultManifest,
  printResultManifest,
  type ResultColumn,
  type ResultFacts,
  type ResultManifest,
  resultManifest,
  resultType,
} from "./result_manifest.ts";
import type { ResultFormat } from "./result_format.ts";

const MANIFEST = "manifest.json";

/**
 * Has the files of a result made beside their place, names them in order, writes the manifest, and
 * puts all in place at once.
 *
 * @throws {InputError} If something else than an earlier result is there.
 */
export async function writeResult(
  output: string,
  format: ResultFormat,
  facts: Omit<ResultFacts, "columns" | "rows" | "files">,
  make: (folder: string) => Promise<{ columns: readonly ResultColumn[]; rows: number }>,
): Promise<ResultManifest> {
  const place = requireLocal(output).replace(/(?<=.)\/+$/, "");
  return await putInPlaceOf(place, () => requireResult(place), async (temporary) => {
    const folder = await Deno.realPath(folderOf(temporary)) +
      temporary.slice(folderOf(temporary).length);
    const { columns, rows } = await make(folder);
    const paths = await nameInOrder(folder, format);
    const files = await Promise.all(
      paths.map(async (path) => ({ path, ...await factsOfMade(`${folder}/${path}`) })),
    );
    const manifest = resultManifest({
      ...facts,
      columns: columns.map(({ name, type }) => ({ name, type: resultType(type) })),
      rows,
      files,
    });
    await withFile(`${folder}/${MANIFEST}`, REPLACING, async (file) => {
      await writeAll(file, new TextEncoder().encode(printResultManifest(manifest)));
      await file.sync();
    });
    return manifest;
  });
}

/** Rejects an address: files are hashed and moved into place here. */
function requireLocal(output: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(output)) return output;
  throw new InputError(`Cannot write a result to ${output}: it is no folder of this machine`, {
    remedy: "Pass a folder that this machine and all workers see, and copy the result from there",
  });
}

/** Rejects a place where something else is than an earlier result, or an empty folder. */
async function requireResult(output: string): Promise<void> {
  const found = await statOf(output);
  if (found === null || found.isDirectory && await isResult(output)) return;
  throw new InputError(`Cannot write a result into ${output}: something else is there`, {
    remedy: "Pass a path where nothing is, or an earlier result to replace it",
  });
}

async function isResult(folder: string): Promise<boolean> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  if (names.length === 0) return true;
  if (!names.includes(MANIFEST)) return false;
  try {
    parseResultManifest(await Deno.readTextFile(`${folder}/${MANIFEST}`));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Spark names its files by chance, and leaves marks of its own: parts are numbered, marks removed. */
async function nameInOrder(folder: string, format: ResultFormat): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const parts = names.filter((name) => name.startsWith("part-")).sort();
  for (const name of names) {
    if (!parts.includes(name)) await Deno.remove(`${folder}/${name}`, { recursive: true });
  }
  return await Promise.all(parts.map(async (name, place) => {
    const path = `part-${String(place).padStart(5, "0")}.${format}`;
    await Deno.rename(`${folder}/${name}`, `${folder}/${path}`);
    return path;
  }));
}
