/**
 * `deno task ok`: what a change must pass. Format, lint, types, documentation, then the tests.
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
  const steps: [name: string, args: string[]][] = [
    ["format", ["fmt", "--check"]],
    ["lint", ["lint"]],
    ["types", ["check"]],
    ["documentation", ["doc", "--lint", ...await entryPoints()]],
  ];
  const failed: string[] = [];
  for (const [name, args] of steps) {
    if (!await runStep(name, args)) failed.push(name);
  }
  if (failed.length > 0) throw new TaskError(`Not ok: ${failed.join(", ")}`);
  await runTests();
  report(`All is well (${seconds(performance.now() - started)})`);
}

/** Runs one step of Deno's own tools; shows what it writes only if it fails. */
async function runStep(name: string, args: readonly string[]): Promise<boolean> {
  using progress = new Progress(`Checking ${name}`);
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    args,
    folder: PROJECT_ROOT,
  });
  progress.say(`  ${success ? "ok      " : "FAILED  "}${name} (${seconds(progress.elapsed)})`);
  if (!success) say(output);
  return success;
}
