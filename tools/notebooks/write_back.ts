import { relative } from "node:path";
import { PROJECT_ROOT } from "../project_root.ts";
import { TaskError } from "../terminal/task_error.ts";
import { findAbsolutePath } from "./absolute_path.ts";
import type { NotebookResult } from "./execute_notebooks.ts";
import { formatNotebook } from "./format_notebook.ts";

/**
 * Writes an executed copy to the committed notebook, unless it is unchanged.
 *
 * @returns Whether the file changed.
 * @throws {TaskError} If the copy contains a path of this machine.
 */
export async function writeBack({ source, target }: NotebookResult): Promise<boolean> {
  const text = await formatNotebook(await Deno.readTextFile(target));
  const path = findAbsolutePath(text);
  if (path !== undefined) {
    throw new TaskError(
      `Cannot update ${relative(PROJECT_ROOT, source)}: it would hold the path ${path}`,
      { fix: "show nothing that names a place on this machine" },
    );
  }
  if (await Deno.readTextFile(source) === text) return false;
  await Deno.writeTextFile(source, text);
  return true;
}
