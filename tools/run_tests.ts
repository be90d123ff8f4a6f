/**
 * `deno task test [options and paths…]`: everything that must hold. Tests, the examples in the
 * documentation, and every notebook executed again and compared with what is committed.
 *
 * @module
 */
import { join } from "node:path";
import { ensureJupyter } from "./jupyter/ensure_jupyter.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { TaskError } from "./terminal/task_error.ts";

/** Tests, and what holds examples. */
const EVERYTHING = ["tests", "lib", "README.md"].map((name) => join(PROJECT_ROOT, name));

if (import.meta.main) await runTask(() => runTests(Deno.args));

/**
 * Runs the tests of `args`, options and paths of `deno test`, or all.
 *
 * @throws {TaskError} If one fails.
 */
export async function runTests(args: readonly string[] = []): Promise<void> {
  await ensureJupyter();
  const paths = args.some((arg) => !arg.startsWith("-")) ? [] : EVERYTHING;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--parallel", "--doc", ...args, ...paths],
    cwd: PROJECT_ROOT,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) throw new TaskError("Not everything holds");
}
