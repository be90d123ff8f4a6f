import { join, resolve } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

/**
 * The notebooks in `folder`, sorted by file name: all, or those named; then others by their paths.
 *
 * @param names Paths of notebooks, or prefixes of file names in `folder`, such as `01`; a folder before
 *   these is ignored.
 * @throws {TaskError} If a named notebook does not exist, or is another file.
 */
export async function findNotebooks(
  folder: string,
  names: readonly string[] = [],
): Promise<string[]> {
  const files = await listNotebooks(folder);
  const paths = (await Promise.all(names.map(resolvePath))).flat();
  const prefixes = names.filter((name) => !paths.includes(resolve(name)))
    .map((name) => name.replace(/^.*[\\/]/, ""));
  const unknownName = prefixes.find((name) => !files.some((file) => file.startsWith(name)));
  if (unknownName !== undefined) {
    throw new TaskError(`There is no notebook ${unknownName}`, {
      fix: files.length === 0 ? "there are none" : `there are ${files.join(", ")}`,
    });
  }
  const matches = files
    .filter((file) => names.length === 0 || prefixes.some((name) => file.startsWith(name)))
    .map((file) => join(folder, file));
  return [...new Set([...matches, ...paths])];
}

/** The path of a notebook; nothing where there is none. */
async function resolvePath(name: string): Promise<string[]> {
  const isFile = await Deno.stat(name).then((stat) => stat.isFile, (error) => {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  });
  if (!isFile) return [];
  if (name.endsWith(".ipynb")) return [resolve(name)];
  throw new TaskError(`${name} is no notebook`, { fix: "pass a file that ends in .ipynb" });
}

async function listNotebooks(folder: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(folder));
    return entries
      .filter(({ name, isFile }) => isFile && name.endsWith(".ipynb"))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
