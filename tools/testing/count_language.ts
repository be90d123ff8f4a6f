/**
 * Counts how the names and docs of `lib` are written, and compares the shares with their bars:
 * `deno run -A tools/testing/count_language.ts`.
 *
 * @module
 */
import { join } from "node:path";
import { emptyTally, type Tally } from "../lint/counting_plugin.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { runQuietly, type RunResult } from "../terminal/run_quietly.ts";
import { runTask } from "../terminal/run_task.ts";
import { report } from "../terminal/say.ts";
import { TaskError } from "../terminal/task_error.ts";

/** A line of the table: a share in percent, and the bar that it must not pass. */
interface Count {
  readonly name: string;
  readonly count: keyof Tally;
  /** The whole of the share; `null` for a plain number. */
  readonly among: keyof Tally | null;
  readonly bar: { readonly max: number } | { readonly min: number };
}

const COUNTS: readonly Count[] = [
  {
    name: "functions ending in Of or In",
    count: "halfSentences",
    among: "functions",
    bar: { max: 1 },
  },
  {
    name: "functions beginning with a verb, predicate or to",
    count: "verbs",
    among: "functions",
    bar: { min: 60 },
  },
  {
    name: "types named by one participle",
    count: "participleTypes",
    among: "types",
    bar: { max: 0.3 },
  },
  {
    name: "variables that are a bare participle, pronoun or preposition",
    count: "bareWords",
    among: "variables",
    bar: { max: 0.7 },
  },
  {
    name: "docs beginning with What, How, Where, When, Why, Who",
    count: "questions",
    among: "docs",
    bar: { max: 1 },
  },
  { name: "limits named MOST_ or LEAST_", count: "oldLimits", among: null, bar: { max: 0 } },
];

if (import.meta.main) {
  await runTask(async () => {
    const { success, output } = await countLanguage(PROJECT_ROOT);
    report(output);
    if (!success) throw new TaskError("A count is past its bar", { fix: "rename what it counts" });
  });
}

/** Counts the names and docs of `lib`; the output is the table. */
export async function countLanguage(root: string): Promise<RunResult> {
  const { output } = await runQuietly({
    program: Deno.execPath(),
    args: ["lint", "--config", join(root, "tools", "lint", "counting.json"), "--json", "lib"],
    folder: root,
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { message: string }[] };
  const total = emptyTally();
  for (const { message } of diagnostics) {
    const tally: Tally = JSON.parse(message);
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
  }
  return tabulateCounts(total);
}

/** The table of counts, with their bars; fails where a count is past its bar. */
export function tabulateCounts(total: Tally): RunResult {
  let success = true;
  const lines = COUNTS.map(({ name, count, among, bar }) => {
    const value = among === null ? total[count] : 100 * total[count] / total[among];
    const isMet = "max" in bar ? value <= bar.max : value >= bar.min;
    success &&= isMet;
    const unit = among === null ? "" : " %";
    const text = among === null ? `${value}` : value.toFixed(1);
    const limit = "max" in bar ? `at most ${bar.max}` : `at least ${bar.min}`;
    return `${isMet ? "ok  " : "OVER"} ${name}: ${text}${unit} (${limit}${unit})`;
  });
  return { success, output: lines.join("\n") };
}
