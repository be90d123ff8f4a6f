/**
 * `deno task ok [--quick]`: the checks for a change. Format, lint, documentation, sizes of rooms,
 * language and types, then tests; `--quick` leaves out the tests.
 *
 * @module
 */
import { join } from "node:path";
import { listEntryPoints } from "./entry_points.ts";
import { findNotebooks } from "./notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { EVERYTHING, runTests } from "./run_tests.ts";
import { Progress } from "./terminal/progress.ts";
import { runQuietly, type RunResult } from "./terminal/run_quietly.ts";
import { runTask } from "./terminal/run_task.ts";
import { report, say } from "./terminal/say.ts";
import { formatSeconds } from "./terminal/seconds.ts";
import { TaskError } from "./terminal/task_error.ts";
import { checkTypes } from "./testing/check_types.ts";
import { countLanguage } from "./testing/count_language.ts";
import { findPages } from "./testing/find_pages.ts";
import { checkSizes } from "./testing/room_sizes.ts";

const USAGE = `Usage: deno task ok [options]

Checks a change: format, lint, documentation, sizes of rooms, language, types, then tests, examples and
notebooks.

  --quick  leave out tests, examples and notebooks
  --help   print this text`;

/** The page of questions, whose blocks are checked together. */
const QUESTIONS = join(PROJECT_ROOT, "docs", "questions.md");

/** One check. */
type Step = () => Promise<RunResult>;

if (import.meta.main) await runTask(() => runGate(Deno.args));

async function runGate(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => !["--quick", "--help", "-h"].includes(arg));
  if (unknown !== undefined) {
    throw new TaskError(`There is no option ${unknown}`, { fix: "there are --quick and --help" });
  }
  if (args.includes("--help") || args.includes("-h")) return report(USAGE);
  const isQuick = args.includes("--quick");
  const started = performance.now();
  const points = await listEntryPoints();
  const failed = await failedSteps({
    format: () => deno("fmt", "--check"),
    lint: () => deno("lint"),
    documentation: () => deno("doc", "--lint", ...points),
    sizes: () => checkSizes(PROJECT_ROOT),
    language: countAndPrint,
    types,
  });
  if (failed.length > 0) {
    const fix = failed.includes("format") ? { fix: "deno fmt formats the files" } : {};
    throw new TaskError(`Not ok: ${failed.join(", ")}`, fix);
  }
  if (!isQuick) await runTests();
  const summary = isQuick ? "All checks passed; no test was run" : "All checks passed";
  report(`${summary} (${formatSeconds(performance.now() - started)})`);
}

async function deno(...args: readonly string[]): Promise<RunResult> {
  return await runQuietly({ program: Deno.execPath(), args, folder: PROJECT_ROOT });
}

/** Counts how names and docs are written, and prints the table where its bars are met too. */
async function countAndPrint(): Promise<RunResult> {
  const counts = await countLanguage(PROJECT_ROOT);
  if (counts.success) say(counts.output);
  return counts;
}

/** Types of everything, with what the notebooks and the page of questions hold. */
async function types(): Promise<RunResult> {
  const [pages, notebooks] = await Promise.all([
    findPages(PROJECT_ROOT, EVERYTHING),
    findNotebooks(join(PROJECT_ROOT, "notebooks")),
  ]);
  return await checkTypes(PROJECT_ROOT, pages, notebooks, QUESTIONS);
}

/** Runs steps concurrently; shows the output of a step only if it fails. */
async function failedSteps(steps: Readonly<Record<string, Step>>): Promise<string[]> {
  const failed: string[] = [];
  using progress = new Progress(`Checking ${Object.keys(steps).join(", ")}`);
  await Promise.all(
    Object.entries(steps).map(async ([name, run]) => {
      const { success, output } = await run();
      progress.say(
        `  ${success ? "ok      " : "FAILED  "}${name} (${formatSeconds(progress.elapsed)})`,
      );
      if (success) return;
      say(output);
      failed.push(name);
    }),
  );
  return failed;
}
