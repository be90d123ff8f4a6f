import { join } from "node:path";
import { TaskError } from "../terminal/task_error.ts";

/**
 * The notebooks in `folder` by file name, all or those named.
 *
 * @param names File names, with or without `.ipynb` and folder.
 * @throws {TaskError} If one that is named is not there.
 */
export async function findNotebooks(
  folder: string,
  names: readonly string[] = [],
): Promise<string[]> {
  const files = await notebookFiles(folder);
  const wanted = names.map((name) => `${name.replace(/^.*[\\/]|\.ipynb$/g, "")}.ipynb`);
  const unknown = wanted.find((name) => !files.includes(name));
  if (unknown !== undefined) {
    throw new TaskError(`There is no notebook ${unknown}`, {
      fix: `there are ${files.join(", ")}`,
    });
  }
  return files
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .map((name) => join(folder, name));
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
