import { syncFolder, withFile } from "./durable_files.ts";

/** Name of the file that is locked in a temporary folder as long as its process runs. */
const LOCK = "lock";

/**
 * Makes a file or a folder under a temporary name beside its place, and puts it there when it is
 * complete. What a killed process left beside the same place is removed.
 *
 * @param output Where it goes, without a slash at its end.
 * @param requireReplaceable Rejects what is there, if it may not be replaced.
 * @param make Makes it at a path where nothing is.
 */
export async function putInPlaceOf<Result>(
  output: string,
  requireReplaceable: () => Promise<void>,
  make: (temporary: string) => Promise<Result>,
): Promise<Result> {
  await requireReplaceable();
  const [parent, name] = splitPath(output);
  await Deno.mkdir(parent, { recursive: true });
  await removeLeftovers(parent, name);
  const folder = await Deno.makeTempDir({ dir: parent, prefix: `.${name}-` });
  const lock = await Deno.open(`${folder}/${LOCK}`, { create: true, write: true });
  try {
    await lock.lock(true);
    const made = `${folder}/${name}`;
    const result = await make(made);
    await requireReplaceable();
    await moveTo(made, { output, aside: `${folder}/old` });
    await syncFolder(parent);
    return result;
  } finally {
    lock.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Removes temporary folders of a place whose process is gone: nobody holds their lock. */
async function removeLeftovers(parent: string, name: string): Promise<void> {
  for await (const entry of Deno.readDir(parent)) {
    const suffix = entry.name.startsWith(`.${name}-`) ? entry.name.slice(name.length + 2) : "";
    const folder = `${parent}/${entry.name}`;
    if (!entry.isDirectory || !/^[0-9a-f]{16}$/.test(suffix)) continue;
    if (await statOf(`${folder}/${LOCK}`) === null) continue;
    const isLeft = await withFile(
      `${folder}/${LOCK}`,
      { write: true },
      (file) => file.tryLock(true),
    );
    if (isLeft) await Deno.remove(folder, { recursive: true });
  }
}

/** A folder cannot replace another in one step: the old one is moved aside just before. */
async function moveTo(
  made: string,
  { output, aside }: { readonly output: string; readonly aside: string },
): Promise<void> {
  const old = await statOf(output);
  if (old?.isDirectory === true) await Deno.rename(output, aside);
  await Deno.rename(made, output);
}

/** What is at a path; `null` if nothing is. */
export async function statOf(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function splitPath(path: string): [parent: string, name: string] {
  const at = path.lastIndexOf("/");
  return at === -1 ? [".", path] : [path.slice(0, at) || "/", path.slice(at + 1)];
}
