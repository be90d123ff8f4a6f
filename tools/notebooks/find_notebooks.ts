import { join } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

/**
 * The notebooks in `folder`, sorted by file name: all, or those named.
 *
 * @param names Prefixes of file names, such as `01`; a folder before them is ignored.
 * @throws {TaskError} If a named notebook does not exist.
 */
export async function findNotebooks(
  folder: string,
  names: readonly string[] = [],
): Promise<string[]> {
  const files = await notebookFiles(folder);
  const wanted = names.map((name) => name.replace(/^.*[\\/]/, ""));
  const unknown = wanted.find((name) => !files.some((file) => file.startsWith(name)));
  if (unknown !== undefined) {
    throw new TaskError(`There is no notebook ${unknown}`, {
      fix: files.length === 0 ? "there are none" : `there are ${files.join(", ")}`,
    });
  }
  return files
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
    .map((file) => join(folder, file));
}

async function notebookFiles(folder: string): Promise<string[]> {
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
