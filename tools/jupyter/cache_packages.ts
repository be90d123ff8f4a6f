import { listEntryPoints } from "../entry_points.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { Progress } from "../terminal/progress.ts";
import { runQuietly } from "../terminal/run_quietly.ts";
import { TaskError } from "../terminal/task_error.ts";

/**
 * Fetches the packages that the entry points of `deno.json` import, once: notebooks would fetch them
 * without showing progress.
 *
 * @throws {TaskError} If they cannot be fetched.
 */
export async function cachePackages(): Promise<void> {
  using progress = new Progress("Fetching packages");
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args: ["cache", ...await listEntryPoints()],
    variables: { NO_COLOR: "1" },
    folder: PROJECT_ROOT,
    onLine: (line) => {
      const [, url] = /^Download (.*)$/.exec(line) ?? [];
      if (url !== undefined) progress.update(`Fetching ${url.replace(/^.*\//, "")}`);
    },
  });
  if (!success) throw new TaskError(`Cannot fetch the packages of deno.json\n${output}`);
}
