import { InputError } from "../../errors/mod.ts";
import {
  factsOfMade,
  type FileFacts,
  folderOf,
  REPLACING,
  withFile,
  writeAll,
} from "../../datasets/layout/durable_files.ts";
import { putInPlaceOf, statOf } from "../../datasets/layout/put_in_place.ts";
import {
  RESULT_SCHEMA,
  type ResultColumn,
  type ResultFacts,
  type ResultFile,
  type ResultManifest,
  resultManifest,
} from "./result_manifest.ts";
import type { ResultFormat } from "./result_format.ts";

const MANIFEST = "manifest.json";

/** What a result is known by before it is made. */
type KnownFacts = Omit<ResultFacts, "columns" | "rows" | "files">;

/** What was made. */
interface Made {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
}

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
  facts: KnownFacts,
  make: () => Promise<Made>,
): Promise<ResultManifest> {
  const files = process.getBuiltinModule("node:fs/promises");
  const { basename } = process.getBuiltinModule("node:path");
  const there = await files.stat(output).catch(() => null);
  if (there?.isDirectory() === true) {
    throw new InputError(`Cannot write a result into ${output}: a folder is there`, {
      remedy: "Pass the name of a file",
    });
  }
  const [unfinished, manifestFile] = [unfinishedOf(output), `${output}.${MANIFEST}`];
  try {
    const made = await make();
    const file = { path: basename(output), ...await syncedFacts(unfinished) };
    const { manifest, text } = manifestOf(facts, made, [file]);
    await files.writeFile(unfinishedOf(manifestFile), text, { flush: true });
    await files.rm(manifestFile, { force: true });
    await files.rename(unfinished, output);
    await files.rename(unfinishedOf(manifestFile), manifestFile);
    return manifest;
  } finally {
    await files.rm(unfinished, { force: true });
    await files.rm(unfinishedOf(manifestFile), { force: true });
  }
}

/**
 * Has the files of a result made beside their place, names them in order, writes the manifest, and
 * puts all in place at once.
 *
 * @throws {InputError} If something else than an earlier result is there.
 */
export async function writeResultFolder(
  output: string,
  format: ResultFormat,
  facts: KnownFacts,
  make: (folder: string) => Promise<Made>,
): Promise<ResultManifest> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(output)) {
    throw new InputError(`Cannot write a result to ${output}: it is no folder of this machine`, {
      remedy: "Pass a folder that this machine and all workers see, and copy the result from there",
    });
  }
  const place = output.replace(/(?<=.)\/+$/, "");
  return await putInPlaceOf(place, () => requireResult(place), async (temporary) => {
    const folder = await Deno.realPath(folderOf(temporary)) +
      temporary.slice(folderOf(temporary).length);
    const made = await make(folder);
    const paths = await nameInOrder(folder, format);
    const files = await Promise.all(
      paths.map(async (path) => ({ path, ...await factsOfMade(`${folder}/${path}`) })),
    );
    const { manifest, text } = manifestOf(facts, made, files);
    await withFile(`${folder}/${MANIFEST}`, REPLACING, async (file) => {
      await writeAll(file, new TextEncoder().encode(text));
      await file.sync();
    });
    return manifest;
  });
}

function manifestOf(facts: KnownFacts, made: Made, files: readonly ResultFile[]) {
  const manifest = resultManifest({ ...facts, ...made, files });
  return { manifest, text: `${JSON.stringify(manifest, null, 1)}\n` };
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
  if (!names.includes(MANIFEST)) return names.length === 0;
  const text = await Deno.readTextFile(`${folder}/${MANIFEST}`);
  try {
    return JSON.parse(text)?.schema === RESULT_SCHEMA;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
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
