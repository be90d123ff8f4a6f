/**
 * `deno task ok`: the checks for a change. Format, lint and documentation, then types and tests.
 *
 * @module
 */
import { entryPoints } from "./entry_points.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTests } from "./run_tests.ts";
import { Progress } from "./terminal/progress.ts";
import { runQuietly } from "./terminal/run_quietly.ts";
import { runTask } from "./terminal/run_task.ts";
import { report, say } from "./terminal/say.ts";
import { seconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";

if (import.meta.main) await runTask(runGate);

async function runGate(): Promise<void> {
  const started = performance.now();
  const steps: Readonly<Record<string, readonly string[]>> = {
    format: ["fmt", "--check"],
    lint: ["lint"],
    documentation: ["doc", "--lint", ...await entryPoints()],
  };
  const failed = await failedSteps(steps);
  if (failed.length > 0) throw new TaskError(`Not ok: ${failed.join(", ")}`);
  await runTests();
  report(`All checks passed (${seconds(performance.now() - started)})`);
}

/** Runs steps of Deno's own tools concurrently; shows the output of a step only if it fails. */
async function failedSteps(steps: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const failed: string[] = [];
  using progress = new Progress(`Checking ${Object.keys(steps).join(", ")}`);
  await Promise.all(
    Object.entries(steps).map(async ([name, args]) => {
      const { success, output } = await runQuietly({
        program: Deno.execPath(),
        args,
        folder: PROJECT_ROOT,
      });
      progress.say(`  ${success ? "ok      " : "FAILED  "}${name} (${seconds(progress.elapsed)})`);
      if (success) return;
      say(output);
      failed.push(name);
    }),
  );
  return failed;
}
